"""The lint of cases: no slip of the pen passes, whatever is damaged gives no traceback, and nothing sound is refused."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import compiled, engine, read
from suites import CASE, GAME, HEAD, load, rendered, told
from test_damage import (
    change_characters,
    change_number,
    delete_block,
    delete_line,
    drop_or_double_a_character,
    duplicate_line,
    indent_otherwise,
    insert_odd_signs,
    rename_everywhere,
    rename_once,
    swap_lines,
    swap_values,
    take_another_value,
    truncate,
)
from trickwright.places import games, home
from trickwright.problems import CODES
from trickwright_conformance import Suite, run_suite
from trickwright_conformance.cases import case_files
from trickwright_conformance.vocabulary import vocabulary

Place = tuple[str | int, ...]


@cache
def real_cases() -> tuple[dict[str, Any], ...]:
    """Every case of Chief and Vice as a file of its own."""
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in case_files(GAME)]
    return tuple({**file, "cases": [case]} for file in files for case in file["cases"])


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all keys and words in a value."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*place, key))


def slips(case: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """What may be misspelt in a case: keys, and words that stand for something; a player may be called anything."""
    for part in ("given", "play", "expect", "side_by_side"):
        for place in places(case.get(part, {}), (part,)):
            value = at(case, place)
            if place[1:2] == ("players",) and len(place) > 2:
                continue
            if isinstance(place[-1], str):
                yield place, "key"
            if isinstance(value, str):
                yield place, "word"


def at(value: Any, place: Place) -> Any:
    for part in place:
        value = value[part]
    return value


def misspelt(file: dict[str, Any], place: Place, what: str) -> str:
    """The file with an ``x`` behind a key or a word, as JSON, which is YAML, too."""
    copy = json.loads(json.dumps(file))
    outer, last = at(copy["cases"][0], place[:-1]), place[-1]
    if what == "word":
        outer[last] += "x"
    else:
        items = [(key + "x" if key == last else key, inner) for key, inner in outer.items()]
        outer.clear()
        outer.update(items)
    return json.dumps(copy, ensure_ascii=False)


SLIPS = 400


def test_no_slip_of_the_pen_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [(f, *slip) for f in real_cases() for slip in slips(f["cases"][0])]
    chance = random.Random(1)
    kinds = {(tuple(p for p in place if isinstance(p, str)), what) for _, place, what in every}
    assert len(every) > 5 * SLIPS and len(kinds) > 100
    for file, place, what in chance.sample(every, SLIPS):
        text = misspelt(file, place, what)
        suite = load(tmp_path, monkeypatch, text)
        assert suite.report.failed, (place, what, file["cases"][0])
        for problem in suite.report.problems:
            assert problem.mark.file.endswith("some.yaml") and problem.mark.column > 1
            assert problem.path


def test_all_real_cases_are_sound_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in random.Random(2).sample(real_cases(), 40):
        suite = load(tmp_path, monkeypatch, json.dumps(file, ensure_ascii=False))
        assert not rendered(suite), file
        assert [told(result) for result in run_suite(suite) if not result.passed] == []


COPIES = 500
PER_TEST = 100
DAMAGE = (
    delete_line,
    delete_block,
    duplicate_line,
    swap_lines,
    change_characters,
    drop_or_double_a_character,
    truncate,
    indent_otherwise,
    insert_odd_signs,
    swap_values,
    take_another_value,
    change_number,
    rename_once,
    rename_everywhere,
)


@cache
def small_files() -> tuple[str, ...]:
    """Files that hold four cases, with lines for every part."""
    made = []
    for path in case_files(GAME):
        head, *cases = re.split(r"(?m)^(?=  - id:)", path.read_text(encoding="utf-8"))
        made += [head + "".join(cases[i : i + 4]) for i in range(0, len(cases), 4)]
    return tuple(made)


@pytest.mark.parametrize("first", range(0, COPIES, PER_TEST))
def test_a_damaged_file_gives_problems_or_results_but_no_traceback(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    for number in range(first, first + PER_TEST):
        chance = random.Random(number)
        text = chance.choice(small_files())
        for _ in range(chance.choice((1, 1, 2, 3))):
            text = chance.choice(DAMAGE)(text, chance) if len(text) > 400 else text
        suite = load(tmp_path, monkeypatch, text)
        lines = text.count("\n") + text.count("\r") + 1
        for problem in suite.report.problems:
            assert problem.code in CODES and 1 <= problem.mark.line <= lines
            assert problem.render()
        results = run_suite(suite)  # also of files that the lint refuses
        assert len(results) == sum(len(case.sides) for case in suite.cases)
        refused += suite.report.failed
    assert PER_TEST // 3 < refused < PER_TEST, "some are refused, and some are not"


MALFORMED = """
may: 5 | seed: x | players: 1.5 | players: [] | players: 5 | players: {Anna: 1} | totals: 5 | totals: [5] | hands: {Anna: 5}
hands: [5] | trumps: 5 | trumps: {chief: [Kings]} | bids: {Anna: x} | laid_order: 5 | laid_order: {Anna: 1} | at: [auction]
at: {a: b} | dealer: {a: b} | dealer: [Anna] | to_move: 5 | hand_number: x | hands: {Anna: {a: b}} | seed: [1] | seed: 1.5
players: [[Anna], [Ben], [Carla], [Dan]] | players: [1, 2, 3, 4] | players: [{a: b}, Ben, Carla, Dan] | chief: {a: b} | seed: null
"""


@pytest.mark.parametrize("given", re.findall(r"[^|\n]+", MALFORMED))
def test_what_the_lint_refuses_can_still_be_tried(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{HEAD}{CASE}, given: {{{given}}}, expect: {{phase: x}}}}\n"
    suite = load(tmp_path, monkeypatch, text)
    assert suite.report.failed
    [result] = run_suite(suite)
    assert not result.passed


LINES = """
5 | null | {} | [] | {may: 5} | {may: {a: b}} | {may_not: 5} | {refused: 5} | {lays: {a: b}} | {lays: 5} | {lays: null}
[[Q♥]] | {lays: Q♥, refused: [x]} | {may: [[Q♥]]} | {may: null, lays: Q♥} | {plays: pass} | {passes: Q♥} | {chooses: [hearts]} | true
"""


@pytest.mark.parametrize("line", [line.strip() for line in re.findall(r"[^|\n]+", LINES)])
def test_a_line_of_play_that_is_none_is_refused(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = "given: {at: auction, hands: {Anna: [Q♥]}}"
    text = f"{HEAD}{CASE}, {given}, play: [Anna: {line}], expect: {{phase: auction}}}}\n"
    suite = load(tmp_path, monkeypatch, text)
    assert suite.report.failed
    assert all(p.path.startswith("cases[0].play[0].Anna") for p in suite.report.problems)
    assert len(run_suite(suite)) == 1


@pytest.mark.parametrize("seed", range(8))
def test_every_fact_of_a_hand_may_be_expected(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an engine tells of a hand at random is a case that is sound and passes."""
    hand, chance = engine(GAME).Hand(seed=seed), random.Random(seed)
    play: list[dict[str, str]] = []
    most = (0, 3, 20, 60, 10**6, 10**6, 10**6, 10**6)[seed]
    while not hand.over and len(play) < most:
        action = chance.choice(hand.legal_actions())
        play.append({hand.to_move: action.what or action.verb})
        hand.apply(hand.turn([str(action)]))
    facts = hand.table.say(hand.facts())
    case = {
        "id": "a.case",
        "title": "what an engine tells",
        "rules": ["players"],
        "source": {"en": "Setup"},
        "given": {"players": list(hand.players), "seed": seed},
        "play": play,
        "expect": {key: fact for key, fact in facts.items() if fact != {}},
    }
    text = json.dumps({"suite": GAME, "cases": [case]}, ensure_ascii=False)
    suite = load(tmp_path, monkeypatch, text)
    assert not rendered(suite)
    assert [told(result) for result in run_suite(suite)] == [[]]


def test_the_vocabulary_follows_the_rules_of_each_set_of_variants() -> None:
    base = vocabulary(compiled(GAME), engine(GAME))
    other = vocabulary(compiled(GAME, ("no-stalemate",)), engine(GAME, ("no-stalemate",)))
    assert set(base.given) - set(other.given) == {"tied"}
    assert {"tied"} == set(base.expect.shapes) - set(other.expect.shapes)
    assert set(base.given) > {field.key.partition(".")[0] for field in engine(GAME).RULES.fields}


def test_names_of_a_variant_are_known_only_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = "{base: {outcome: stalemate}, no-stalemate: {outcome: stalemate}}"
    given = "given: {at: roles, bids: {Anna: 1, Ben: 1}, laid_order: [Anna, Ben]}"
    suite = load(tmp_path, monkeypatch, f"{HEAD}{CASE}, {given}, side_by_side: {sides}}}\n")
    [problem] = suite.report.problems
    assert problem.path == "cases[0].side_by_side.no-stalemate.outcome"


def test_single_values_of_the_call_do_not_change_what_cases_may_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a rule set otherwise a case may fail, but it is not misspelt."""
    given = "given: {at: roles, bids: {Anna: 1, Ben: 1}, laid_order: [Anna, Ben], tied: [Anna]}"
    text = f"{HEAD}{CASE}, {given}, expect: {{outcome: stalemate}}}}\n"
    load(tmp_path, monkeypatch, text)
    sets = ["phases.roles.first.tied=first-to-reach", "phases.roles.second.tied=first-to-reach"]
    suite = Suite.load(read(GAME), [*sets, "scoring.stalemate={}"])
    assert not rendered(suite)


def test_the_readme_names_every_key() -> None:
    text = (home() / "conformance" / "README.md").read_text(encoding="utf-8")
    text = text.partition("\n## The protocol\n")[0]  # whose tables have keys of messages
    named = {
        key for row in re.findall(r"(?m)^\| (`.*?) \|", text) for key in re.findall(r"`(\w+)`", row)
    }
    spoken = {game: vocabulary(compiled(game), engine(game)) for game in games()}
    schema = json.loads((home() / "spec/schema/case.schema.json").read_text(encoding="utf-8"))
    case = set(schema["properties"]["cases"]["items"]["properties"])
    case |= {"may", "may_not", "refused"}
    keys = {
        game: {*words.given, *words.dealt, *words.expect.shapes, *words.line.verbs}
        for game, words in spoken.items()
    }
    assert keys[GAME] <= named
    assert named <= case.union(*keys.values())
