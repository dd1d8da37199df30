"""The runner of cases: what is not as expected is told exactly, and what breaks is the trouble of one case only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import engine
from suites import CASE, GAME, HEAD, load, rendered, told
from trickwright_conformance import run_suite
from trickwright_conformance.observe import CannotRun, observe, speech, translate
from trickwright_conformance.runner import reads_differently
from trickwright_conformance.show import brief, show_failure

AUCTION = "at: auction, hands: {Anna: [Q♥, J♥], Ben: [A♣, 8♣], Carla: [9♣], Dan: [K♠]}"
TRICKS = (
    "at: tricks, chief: Dan, vice: nobody, partner: Carla, bids: {Dan: 1}, trumps: {chief: spades}, "
    "hands: {Anna: [K♥, 5♣], Ben: [3♥, Q♣], Carla: [9♥, 2♣], Dan: [A♥, 3♣]}"
)
TRICK = "{Dan: A♥}, {Anna: K♥}, {Ben: 3♥}, {Carla: 9♥}"
LAID = "at: trumps, chief: Dan, vice: Anna, laid_out: {Anna: [Q♥], Dan: [K♠]}, hands: {Anna: [Q♥], Dan: [K♠]}"

FAILING: dict[str, tuple[str, str, str, list[str]]] = {
    "another number": (
        AUCTION,
        "{Anna: Q♥}",
        "bids: {Anna: 2, Ben: 0}",
        ["bids.Anna: 2 | 1"],
    ),
    "another word": (
        AUCTION,
        "",
        "phase: tricks, to_move: Ben",
        ["phase: tricks | auction", "to_move: Ben | Anna"],
    ),
    "another player": (TRICKS, TRICK, "trick: {winner: Anna}", ["trick.winner: Anna | Dan"]),
    "nothing there": (AUCTION, "", "outcome: played", ["outcome: played | nothing"]),
    "no trick yet": (TRICKS, "", "trick: {winner: Anna}", ["trick: winner: Anna | nothing"]),
    "no values yet": (AUCTION, "", "values: {goal: 30}", ["values: goal: 30 | nothing"]),
    "a trick though none is expected": (
        TRICKS,
        TRICK,
        "trick: null",
        ["trick: nothing | winner: Dan, cards: [A♥, K♥, 3♥, 9♥]"],
    ),
    "a card too many": (
        AUCTION,
        "",
        "hands: {Anna: [Q♥, J♥, 2♣]}",
        ["hands.Anna: [Q♥, J♥, 2♣] | [J♥, Q♥]"],
    ),
    "a card too few": (AUCTION, "", "hands: {Anna: [Q♥]}", ["hands.Anna: [Q♥] | [J♥, Q♥]"]),
    "another card": (AUCTION, "", "hands: {Anna: [Q♥, 2♥]}", ["hands.Anna: [Q♥, 2♥] | [J♥, Q♥]"]),
    "one card twice": (AUCTION, "", "hands: {Anna: [Q♥, Q♥]}", ["hands.Anna: [Q♥, Q♥] | [J♥, Q♥]"]),
    "cards of a trick in another order": (
        TRICKS,
        TRICK,
        "trick: {cards: [K♥, A♥, 3♥, 9♥]}",
        ["trick.cards: [K♥, A♥, 3♥, 9♥] | [A♥, K♥, 3♥, 9♥]"],
    ),
    "cards on the table in another order": (
        TRICKS,
        "{Dan: A♥}, {Anna: K♥}",
        "on_table: {cards: [K♥, A♥]}",
        ["on_table.cards: [K♥, A♥] | [A♥, K♥]"],
    ),
    "players in another order": (
        AUCTION,
        "{Anna: Q♥}, {Ben: A♣}",
        "laid_order: [Ben, Anna]",
        ["laid_order: [Ben, Anna] | [Anna, Ben]"],
    ),
    "another rule of the scoring": (
        "at: roles, bids: {Anna: 1, Ben: 1}, laid_order: [Ben, Anna]",
        "",
        "outcome: stalemate, scored_by: [tied]",
        ["scored_by: [tied] | [tied, last]"],
    ),
    "may not what is expected": (
        AUCTION,
        "{Anna: {may: [Q♥, pass], lays: Q♥}}",
        "phase: auction",
        ["play[0] Anna may: [Q♥, pass] | [J♥, Q♥, pass]"],
    ),
    "may more than nothing": (
        AUCTION,
        "{Anna: {may: []}}",
        "phase: auction",
        ["play[0] Anna may: [] | [J♥, Q♥, pass]"],
    ),
    "may what it must not": (
        AUCTION,
        "{Anna: {may_not: [K♠, Q♥, pass]}}",
        "phase: auction",
        [
            "play[0] Anna may not: Q♥ | [J♥, Q♥, pass]",
            "play[0] Anna may not: pass | [J♥, Q♥, pass]",
        ],
    ),
    "another player is asked": (
        AUCTION,
        "{Ben: {may: [A♣]}}",
        "phase: auction",
        ["play[0] Ben may: [A♣] | []"],
    ),
    "refused though it should be allowed": (
        AUCTION,
        "{Anna: [Q♥, J♥]}",
        "bids: {Anna: 0}",
        [
            "play[0] Anna ['Q♥', 'J♥']: allowed | auction.one-card "
            "(the total may be at most 1 above the highest when the turn began)"
        ],
    ),
    "allowed though it should be refused": (
        AUCTION,
        "{Anna: {lays: Q♥, refused: auction.one-card}}",
        "bids: {Anna: 1}",
        ["play[0] Anna Q♥: auction.one-card | allowed"],
    ),
    "refused by another clause": (
        TRICKS,
        "{Dan: A♥}, {Anna: {plays: 5♣, refused: tricks.own-card}}",
        "to_move: Anna",
        [
            "play[1] Anna 5♣: tricks.own-card | tricks.follow (the player holds a card of the led suit)"
        ],
    ),
    "refused in the second line": (
        AUCTION,
        "{Anna: pass}, {Anna: pass}",
        "to_move: Ben",
        ["play[1] Anna pass: allowed | turn.not-yours (it is another player's turn)"],
    ),
    "passing under every verb that goes with it": (
        AUCTION,
        "{Anna: {lays: pass}}, {Ben: {passes: pass}}, {Carla: {does: pass}}",
        "to_move: Anna, bids: {Anna: 0}",
        ["to_move: Anna | Dan"],
    ),
    "a verb of another phase": (
        AUCTION,
        "{Anna: {plays: Q♥}}",
        "to_move: Anna",
        ["play[0] Anna Q♥: allowed | turn.not-now (this is not done in this part of the hand)"],
    ),
    "another group of trumps": (
        LAID,
        "{Anna: Queens}, {Dan: Kings}",
        "trump_order: [[K♠, K♥, K♦], [Q♠, Q♥, Q♦, Q♣]]",
        ["trump_order: [[K♠, K♥, K♦], [Q♠, Q♥, Q♦, Q♣]] | [[K♣, K♦, K♥, K♠], [Q♣, Q♦, Q♥, Q♠]]"],
    ),
    "another order of groups": (
        LAID,
        "{Anna: Queens}, {Dan: Kings}",
        "trump_order: [[Q♠, Q♥, Q♦, Q♣], [K♠, K♥, K♦, K♣]]",
        [
            "trump_order: [[Q♠, Q♥, Q♦, Q♣], [K♠, K♥, K♦, K♣]] | [[K♣, K♦, K♥, K♠], [Q♣, Q♦, Q♥, Q♠]]"
        ],
    ),
    "another total": (
        "dealer: Dan",
        "{hand: {Anna: 12, Ben: 3}}, {hand: {Anna: 1}}",
        "match: {over: true, winners: [Anna], totals: {Anna: 12, Ben: 3}, dealer: Anna}",
        [
            "match.over: true | false",
            "match.winners: [Anna] | []",
            "match.totals.Anna: 12 | 13",
            "match.dealer: Anna | Ben",
        ],
    ),
    "a match after a hand": (
        "at: roles, dealer: Ben, bids: {Anna: 1, Ben: 1}, laid_order: [Ben, Anna], totals: {Ben: 100}",
        "",
        "match: {totals: {Anna: 5, Ben: 100}, dealer: Ben}, outcome: stalemate",
        ["match.totals.Anna: 5 | -10", "match.totals.Ben: 100 | 105", "match.dealer: Ben | Carla"],
    ),
    "a match while the hand goes on": (
        "at: auction, dealer: Ben, totals: {Ben: 100}",
        "",
        "match: {totals: {Ben: 101, Dan: 0}, dealer: Carla}, phase: auction",
        ["match.totals.Ben: 101 | 100", "match.dealer: Carla | Ben"],
    ),
    "what is dealt": (
        "seed: 3, dealer: Ben",
        "",
        "dealt: {cards: 51, different: 51, each: {Ben: 12, Dan: 13}}, to_move: Anna, deck: {points: 59}",
        [
            "dealt.cards: 51 | 52",
            "dealt.different: 51 | 52",
            "dealt.each.Ben: 12 | 13",
            "to_move: Anna | Ben",
            "deck.points: 59 | 60",
        ],
    ),
    "a card that is there twice": (
        "at: auction, hands: {Anna: [Q♥], Ben: [Q♥]}",
        "",
        "phase: auction",
        ["trouble: hands: Q♥ is there twice"],
    ),
    "a phase that needs more": (
        "at: auction",
        "{Anna: {chooses: Ben}}",
        "phase: auction",
        ["play[0] Anna Ben: allowed | turn.not-now (this is not done in this part of the hand)"],
    ),
    "a match that is over before": (
        "totals: {Anna: 199}",
        "{hand: {Anna: 1}}, {hand: {Anna: 1}}",
        "match: {over: true}",
        ["trouble: the match is over before the last hand"],
    ),
}
"""Given, play, expect, and what must be told: fact, expected and got."""


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
