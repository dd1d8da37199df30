"""The runner of cases: what is not as expected is told exactly, and what breaks is the trouble of one case only."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import engine
from failing_cases import FAILING
from suites import CASE, GAME, HEAD, load, rendered, told
from trickwright_conformance import run_suite
from trickwright_conformance.compare import Mismatch
from trickwright_conformance.observe import CannotRun, observe, speech, translate
from trickwright_conformance.runner import reads_differently
from trickwright_conformance.show import brief, show_failure


@pytest.mark.parametrize("name", FAILING)
def test_a_case_that_is_wrong_tells_just_what(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, play, expect, lines = FAILING[name]
    text = f"{HEAD}{CASE}, given: {{{given}}}, play: [{play}], expect: {{{expect}}}}}\n"
    suite = load(tmp_path, monkeypatch, text)
    assert not rendered(suite)
    [result] = run_suite(suite)
    assert told(result) == lines
    assert not result.passed
    shown = show_failure(result, suite.files)
    for mismatch in result.mismatches:
        assert f"\n  expected  {mismatch.fact}: {brief(mismatch.expected)}\n" in shown
        assert f"\n  got       {mismatch.fact}: {brief(mismatch.got)}\n" in shown


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("max() of nothing"), RecursionError()])
def test_what_breaks_in_one_case_is_its_trouble_with_type_and_place(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = "expect: {phase: auction}}\n"
    text = (
        f"{HEAD}{CASE}, given: {{at: auction}}, {rest}"
        + f"{CASE}, given: {{seed: 2}}, {rest}".replace("a.case", "a.second")
    )
    suite = load(tmp_path, monkeypatch, text)

    def fails(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(engine(GAME).Hand, "from_position", fails)
    first, second = run_suite(suite)
    start = f"the engine broke: {type(error).__name__}:"
    assert first.trouble.startswith(start) and str(error) in first.trouble
    assert first.trouble.endswith(f"(test_runner.py:{fails.__code__.co_firstlineno + 1}, in fails)")
    assert "\n" not in first.trouble
    assert f"\n  trouble   {first.trouble}\n" in show_failure(first, suite.files)
    assert second.passed


FOUR, FIVE = ["1♠", "2♠", "3♠", "4♠"], ["1♠", "2♠", "3♠", "4♠", "5♠"]


@pytest.mark.parametrize(
    ("does", "ask", "is_fault"),
    [
        ([FOUR], ["phase"], True),
        ([["gives 1♠", "gives 2♠", "gives 3♠", "gives 4♠"]], ["passed"], True),
        (["1♠", ["2♠", "3♠", "4♠"]], ["passed"], True),
        ([FOUR], ["to_move"], False),
        ([FOUR, "5♠"], ["phase"], False),
        ([FOUR, None], ["phase"], False),
        ([FIVE], ["phase"], False),
        (["1♠", ["2♠", "3♠", "4♠", "5♠"]], ["phase"], False),
        ([["1♠", "1♠"]], ["phase"], False),
        (["1♠"], ["phase"], False),
    ],
)
def test_a_list_that_leaves_its_set_unfinished_at_the_end_is_a_fault_of_the_case(
    does: list[Any], ask: list[str], is_fault: bool
) -> None:
    players = ["Anna", "Ben", "Carla", "Dan"]
    hands = {"Anna": [*FIVE, "6♠"], "Ben": ["1♥", "2♥", "3♥", "4♥", "5♥"]}
    request = {
        "given": {"players": players, "dealer": "Dan", "at": "pass", "hands": hands},
        "play": [{"player": "Anna", "does": what} for what in does],
        "ask": ask,
    }
    if not is_fault:
        assert set(observe(engine("papayoo"), request)["facts"]) == set(ask)
        return
    told = f"the list of {len(does[-1])} is not the whole turn of Anna: complete it, "
    told += "or expect to_move: Anna if it is to stay begun"
    with pytest.raises(CannotRun, match=f"^{re.escape(told)}$"):
        observe(engine("papayoo"), request)


def test_what_an_engine_answers_cannot_move_the_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{HEAD}{CASE}, given: {{at: auction}}, expect: {{phase: auction}}}}\n"
    suite = load(tmp_path, monkeypatch, text)
    [result] = run_suite(suite)
    wrong = replace(result, mismatches=(Mismatch("phase", "auction", "au\r\n\tctio\u202en"),))
    shown = show_failure(wrong, suite.files)
    assert "\n  got       phase: au\\r\\n\\tctio\\u202en\n" in shown


def test_a_position_that_makes_no_sense_is_told_in_the_engines_own_words(chief: Any) -> None:
    with pytest.raises(CannotRun, match=r"^'at' names a phase"):
        observe(chief, {"given": {"players": ["A", "B", "C", "D"]}, "play": [], "ask": []})
    request = {"given": {"players": list("ABCD")}, "ask": ["match"]}
    for line, said in (
        ({"hand": {"E": 1}}, "there is no player 'E'"),
        ({"player": "A"}, "whole hands"),
    ):
        with pytest.raises(CannotRun, match=said):
            observe(chief, {**request, "play": [{"hand": {}}, line]})
    with pytest.raises(CannotRun, match="a match is not given at, seed"):
        observe(
            chief,
            {"given": {"players": list("ABCD"), "seed": 1, "at": 1}, "play": [], "ask": ["match"]},
        )
    with pytest.raises(CannotRun, match="there is no player 'E'"):
        observe(
            chief, {"given": {"players": list("ABCD"), "dealer": "E"}, "play": [], "ask": ["match"]}
        )


def test_words_of_every_language_mean_the_same(chief: Any) -> None:
    words = speech(chief).words
    told = {
        "a": ["D♥", "QH", "DH", "Q♥\ufe0f"],
        "b": ("Damen", "Queen", "Q"),
        "c": "niemand",
        "d": "passt",
        "e": 5,
    }
    assert translate(told, words) == {
        "a": ["Q♥"] * 4,
        "b": ["Queens"] * 3,
        "c": "nobody",
        "d": "pass",
        "e": 5,
    }
    assert speech(chief).verbs == ("lays", "passes", "names", "chooses", "plays", "does")


def test_base_cases_that_a_variant_changes_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEAD + "".join(
        f"{CASE.replace('a.case', f'a.n-{number}')}, given: {{totals: {{Anna: {total}}}}}, "
        f"play: [{{hand: {{Anna: 1}}}}], expect: {{match: {{over: false}}}}}}\n"
        for number, total in enumerate((0, 98, 99, 150))
    )
    suite = load(tmp_path, monkeypatch, text)
    assert all(result.passed for result in run_suite(suite))
    differing = reads_differently(suite, ("to-100",))
    assert [result.case.id for result in differing] == ["a.n-2", "a.n-3"]
    assert [told(result) for result in differing] == [
        ["match.over: false | true"],
        ["trouble: the match is over before the last hand"],
    ]


def test_only_the_cases_and_sides_asked_for_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = "side_by_side: {base: {match: {over: false}}, to-100: {match: {over: true}}}"
    text = (
        f"{HEAD}{CASE}, given: {{totals: {{Anna: 150}}}}, {sides}}}\n"
        + f"{CASE}, given: {{seed: 1}}, expect: {{phase: auction}}}}\n".replace(
            "a.case", "a.second"
        )
    )
    suite = load(tmp_path, monkeypatch, text)

    def played(*call: Any) -> list[tuple[str, str]]:
        return [(result.case.id, result.side.name) for result in run_suite(suite, *call)]

    assert played() == [("a.case", "base"), ("a.case", "to-100"), ("a.second", "base")]
    assert played(["a.second"]) == [("a.second", "base")]
    assert played([], ("to-100",)) == [("a.case", "to-100")]
    assert played(["a.second"], ("to-100",)) == []
    changed = reads_differently(suite, ("to-100",))
    assert changed == [], "a case that has a side of its own is not asked again"
