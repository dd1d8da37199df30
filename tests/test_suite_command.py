"""``trickwright test``: what it plays, what it says, how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from suites import NO_CASES, project
from test_cli import call, change

RULES = "spec/games/base/rules.yaml"
CASES = "conformance/cases/base/some.yaml"
TEXT = """suite: base
base: {players: [Anna, Ben, Carla, Dan]}
cases:
  - id: match.at-20
    title: a total of 20 ends the match
    rules: [match.until]
    source: {book: Scoring}
    given: {totals: {Anna: 15, Ben: 3}}
    play: [hand: {Anna: 5}]
    expect: {match: {over: true, winners: [Anna]}}
  - id: match.with-to-30
    title: with to-30 a total of 20 does not end the match
    rules: [match.until]
    source: {book: Scoring}
    variants: [to-30]
    given: {totals: {Anna: 15}}
    play: [hand: {Anna: 5}]
    expect: {match: {over: false}}
  - id: auction.gift
    title: a tie gives five for each card
    rules: [scoring.stalemate.tied]
    source: {book: Scoring, example: 2}
    given: {at: roles, bids: {Anna: 2, Ben: 2}, laid_order: [Ben, Anna]}
    expect: {scores: {Anna: 10, Ben: 10, Carla: 0}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the small game and three cases of it."""
    project(tmp_path, monkeypatch, TEXT, "base")
    return tmp_path


def test_a_suite_that_passes_says_so_in_a_line(here: Path) -> None:
    assert call("test", "base").output == "base: 3 passed, 0 failed\n"


def test_a_failure_is_told_with_all_that_one_needs(here: Path) -> None:
    change(RULES, "numbers: {gift: 5}", "numbers: {gift: 6}")
    assert call("test", "base", code=1).output == (
        "FAILED auction.gift  conformance/cases/base/some.yaml:19:5\n"
        "  a tie gives five for each card\n"
        "  rule      scoring.stalemate.tied  (spec/games/base/rules.yaml:52:11)\n"
        "  source    book: Scoring, example 2\n"
        "  given     players: [Anna, Ben, Carla, Dan], at: roles, bids: {Anna: 2, Ben: 2}, laid_order: [Ben, Anna]\n"
        "  expected  scores.Anna: 10\n"
        "  got       scores.Anna: 12\n"
        "  expected  scores.Ben: 10\n"
        "  got       scores.Ben: 12\n"
        "  again     trickwright test base --case auction.gift\n"
        "\n"
        "base: 2 passed, 1 failed\n"
    )


def test_a_reading_variants_play_and_values_set_are_told(here: Path) -> None:
    change(CASES, "source: {book: Scoring}\n    variants", "reading: It says so.\n    variants")
    change(CASES, "match: {over: false}", "match: {over: true}")
    words = ["--case", "match.with-to-30", "--set", "scoring.numbers.gift=7"]
    said = call("test", "base", *words, code=1).output
    for line in (
        "  reading   It says so.\n",
        "  variants  to-30\n",
        "  play      hand: {Anna: 5}\n",
        "  expected  match.over: true\n",
        "  again     trickwright test base --case match.with-to-30 --set scoring.numbers.gift=7\n",
        "base: 0 passed, 1 failed\n",
    ):
        assert f"\n{line}" in said
    assert "  source " not in said


def test_trouble_fails_one_case(here: Path) -> None:
    change(CASES, "bids: {Anna: 2, Ben: 2}", "hands: {Anna: [7♥], Ben: [7♥]}")
    said = call("test", "base", code=1).output
    assert "\n  trouble   hands: 7♥ is there twice\n" in said
    assert said.endswith("base: 2 passed, 1 failed\n")


def test_mistakes_in_cases_are_told_before_anything_is_played(here: Path) -> None:
    change(CASES, "bids: {Anna", "bidz: {Anna")
    change(CASES, "over: false", "overr: false")
    result = call("test", "base", code=1)
    assert result.stdout == ""
    assert result.stderr == (
        f"{CASES}:18:22: cases[1].expect.match.overr: unknown key 'overr' [unknown-key]\n"
        "    did you mean 'over'? possible here: over, winners, totals, dealer, sits_out, hand\n"
        f"{CASES}:23:24: cases[2].given.bidz: unknown key 'bidz' [unknown-key]\n"
        "    did you mean 'bids'? possible here: players, dealer, totals, hand_number, seed, at, "
        "to_move, hands, bids, laid_out, laid_order, chief, ...\n"
        "2 problems in 1 file\n"
    )
    told = json.loads(call("test", "base", "--format", "json", code=1).stderr)
    assert [(one["line"], one["column"], one["code"]) for one in told] == [
        (18, 22, "unknown-key"),
        (23, 24, "unknown-key"),
    ]


def test_only_a_case_that_is_named_is_played(here: Path) -> None:
    assert call("test", "base", "--case", "auction.gift").output == "base: 1 passed, 0 failed\n"
    words = ["--case", "auction.gift", "--case", "match.at-20"]
    assert call("test", "base", *words).output == "base: 2 passed, 0 failed\n"


def test_a_case_that_is_not_there_is_a_wrong_call(here: Path) -> None:
    result = call("test", "base", "--case", "auction.gifts", code=2)
    assert result.output == (
        "trickwright: there is no case 'auction.gifts'; did you mean 'auction.gift'?\n"
    )
    assert call("test", "base", "--case", "x", code=2).output == (
        "trickwright: there is no case 'x'; there are cases about: match, auction\n"
    )
    assert call("test", "base", "--case", "mach.zzz", code=2).output == (
        "trickwright: there is no case 'mach.zzz'; the nearest are: match.at-20, match.with-to-30\n"
    )


def test_wrong_calls_end_with_2(here: Path) -> None:
    assert "no variant 'to-3'" in call("test", "base", "--variant", "to-3", code=2).output
    assert "match.untill" in call("test", "base", "--set", "match.untill=5", code=2).output
    assert "no game 'bass'" in call("test", "bass", code=2).output
    words = ["--case", "auction.gift", "--variant", "to-30"]
    assert call("test", "base", *words, code=2).output == "trickwright: no case is about this\n"
    Path(CASES).unlink()
    assert call("test", "base", code=2).output == (NO_CASES)


def test_a_variant_plays_its_own_cases_and_lists_what_it_changes(here: Path) -> None:
    assert call("test", "base", "--variant", "to-30").output == (
        "1 base case reads differently with to-30:\n"
        "  match.at-20  a total of 20 ends the match\n"
        "    match.over: true -> false\n"
        "    match.winners: [Anna] -> []\n"
        "\n"
        "base with to-30: 1 passed, 0 failed\n"
    )


def test_cases_for_other_numbers_of_players_are_skipped_and_told(here: Path) -> None:
    change(
        CASES, "given: {totals: {Anna: 15}}", "given: {players: [Anna, Ben], totals: {Anna: 15}}"
    )
    reason = "the game is not for 2 players"
    assert call("test", "base").output == (
        f"base: 2 passed, 0 failed\n  1 case skipped: {reason}\n"
    )
    change(
        CASES, "{at: roles, bids: {Anna: 2,", "{players: [Anna, Ben], at: roles, bids: {Anna: 2,"
    )
    assert call("test", "base").output == (
        f"base: 1 passed, 0 failed\n  2 cases skipped: {reason}\n"
    )
    told = json.loads(call("test", "base", "--format", "json").stdout)
    assert told["skipped"] == {"match.with-to-30": reason, "auction.gift": reason}


def test_a_value_that_a_variant_changes_itself_is_left_out_there_and_told(here: Path) -> None:
    words = ["--set", "match.until=25", "--set", "scoring.numbers.gift=5"]
    said = call("test", "base", *words, code=1).output
    assert said.endswith(
        "base: 2 passed, 1 failed\n"
        "  cases of to-30 were played without match.until=25: to-30 changes it itself\n"
    )
    told = json.loads(call("test", "base", *words, "--format", "json", code=1).stdout)
    assert told["left_out"] == [{"variants": ["to-30"], "set": ["match.until=25"]}]


def test_values_set_win_over_a_variant_that_is_chosen(here: Path) -> None:
    words = ["--variant", "to-30", "--set", "match.until=10"]
    said = call("test", "base", *words, code=1).output
    assert said.startswith("FAILED match.with-to-30")
    assert said.endswith("base with to-30: 0 passed, 1 failed\n")


def test_json_has_every_case_with_its_mismatches(here: Path) -> None:
    words = ["--set", "scoring.numbers.gift=6", "--format", "json"]
    told: dict[str, Any] = json.loads(call("test", "base", *words, code=1).stdout)
    assert {key: told[key] for key in ("passed", "failed", "skipped", "left_out")} == {
        "passed": 2,
        "failed": 1,
        "skipped": {},
        "left_out": [],
    }
    assert [(case["id"], case["variants"], case["passed"]) for case in told["cases"]] == [
        ("match.at-20", [], True),
        ("match.with-to-30", ["to-30"], True),
        ("auction.gift", [], False),
    ]
    assert told["cases"][2] == {
        "id": "auction.gift",
        "title": "a tie gives five for each card",
        "at": f"{CASES}:19:5",
        "variants": [],
        "passed": False,
        "trouble": "",
        "mismatches": [
            {"fact": "scores.Anna", "expected": 10, "got": 12},
            {"fact": "scores.Ben", "expected": 10, "got": 12},
        ],
    }
    words = ["--variant", "to-30", "--format", "json"]
    [changed] = json.loads(call("test", "base", *words).stdout)["reads_differently"]
    assert changed["id"] == "match.at-20" and not changed["passed"]


def test_a_broken_variant_stops_only_the_runs_that_need_it(here: Path) -> None:
    change("spec/games/base/variants/to-30.yaml", "match.until: 30", "match.tied: shared")
    change(
        "spec/games/base/variants/to-30.yaml", "set: {", "set: {scoring.played.short.when: 1 > x, "
    )
    assert call("test", "base", "--case", "auction.gift").output == "base: 1 passed, 0 failed\n"
    result = call("test", "base", code=1)
    assert "to-30.yaml" in result.stderr and "Traceback" not in result.output
