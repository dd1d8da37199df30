"""``trickwright coverage``: what is pinned, what is not, and that both ways of looking say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import read
from suites import project
from test_cli import call
from trickwright import Report, read_game
from trickwright.places import games
from trickwright_conformance import Suite
from trickwright_tools.coverage import KINDS, Coverage, Row, cover
from trickwright_tools.coverage.leaves import leaves
from trickwright_tools.coverage.page import page

HEAD = "suite: base\nbase: {players: [Anna, Ben, Carla, Dan]}\ncases:\n"
PLAYED = """
  - id: play.one-trick
    title: the Chief leads, and scores what is won
    rules: [phases.tricks.leader, scoring.played.cards, match.until]
    source: {book: Play}
    given: {at: tricks, chief: Dan, bids: {Dan: 1}, trumps: {chief: Kings}, hands: {Anna: [7♥], Ben: [8♥], Carla: [9♥], Dan: [10♥]}}
    play:
      - Dan: {plays: 7♥, refused: tricks.own-card}
      - Dan: 10♥
      - Anna: 7♥
      - Ben: 8♥
      - Carla: 9♥
    expect: {scores: {Dan: 1}}
"""
TIED = """
  - id: roles.tied
    title: a tie ends the hand
    rules: [phases.roles.first.tied, scoring.stalemate.tied]
    source: {book: Bidding}
    given: {at: roles, bids: {Anna: 2, Ben: 2}, laid_order: [Ben, Anna]}
    expect: {scores: {Anna: 10, Ben: 10}}
"""
OF_A_VARIANT = """
  - id: match.at-20
    title: with to-30 a total of 20 does not end the match
    rules: [match.until]
    source: {book: Scoring}
    variants: [to-30]
    given: {totals: {Anna: 15}}
    play: [hand: {Anna: 5}]
    expect: {match: {over: false}}
"""
BOOK = """rulebook: base
texts: [book]
sections:
  - heading: {book: Cards}
    statements:
      two-suits: {says: there are two suits, no_rule: an introduction}
  - heading: {book: Bidding}
    statements:
      tie: {says: a tie ends the hand, cases: [roles.*]}
      open: {says: nobody has written a case for this}
  - heading: {book: Play}
    statements:
      leader: {says: the Chief leads, cases: [play.one-trick]}
  - heading: {book: Scoring}
    statements:
      again: {says: a tie ends everything, same_as: bidding.tie}
"""


def covered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cases: str, *variants: str, book: str = ""
) -> Coverage:
    """The coverage of the small game by these cases."""
    project(folder, monkeypatch, HEAD + cases, "base")
    home = folder / "spec" / "games" / "base"
    if book:
        (home / "rulebook.yaml").write_text(book, encoding="utf-8")
    report = Report()
    files = read_game(home, report)
    assert files is not None and not report.problems
    suite = Suite.load(files, with_rulebook=True)
    assert not suite.report.problems, [problem.render() for problem in suite.report.problems]
    return cover(files, suite, variants)


def row(found: Coverage, kind: str, name: str, *variants: str) -> Row:
    """The one row of that name."""
    (only,) = [
        one
        for one in found.rows
        if (one.kind, one.id, one.variants) == (kind, name, tuple(variants))
    ]
    return only


@pytest.mark.parametrize("game", games())
def test_no_row_of_a_game_is_empty(game: str) -> None:
    files = read(game)
    suite = Suite.load(files, with_rulebook=True)
    found = cover(files, suite)
    assert found.has_rulebook
    assert not [f"{one.kind} {one.id} {one.variants}: {one.why}" for one in found.empty]


EMPTY_WITHOUT = {
    "rule": ("phases.roles.first.tied", "no case cites it"),
    "clause": ("auction.own-card", "no case is refused by it"),
    "scoring": ("stalemate.tied", "it acts in no case that expects scores"),
    "outcome": ("stalemate", "no case ends so"),
    "phase": ("auction", "no case comes to it"),
    "action": ("auction.lay", "it is done in no case"),
}


@pytest.mark.parametrize("kind", EMPTY_WITHOUT)
def test_what_no_case_pins_is_an_empty_row(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, why = EMPTY_WITHOUT[kind]
    one = row(covered(tmp_path, monkeypatch, PLAYED), kind, name)
    assert one.empty and one.why == why


PINNED = {
    "rule": ("scoring.played.cards.points", "cites scoring.played.cards"),
    "clause": ("tricks.own-card", "is refused"),
    "scoring": ("played.cards", "it acts"),
    "outcome": ("played", "ends so"),
    "phase": ("tricks", "comes to it"),
    "action": ("tricks.play", "is done"),
    "players": ("4", "so many play"),
    "citation": ("play.one-trick: phases.tricks.leader", "comes to it"),
}


@pytest.mark.parametrize("kind", PINNED)
def test_a_row_tells_which_case_pins_it_and_how(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, how = PINNED[kind]
    one = row(covered(tmp_path, monkeypatch, PLAYED), kind, name)
    assert [(pin.case, pin.how) for pin in one.pins] == [("play.one-trick", how)]


def test_a_case_that_cites_a_rule_and_never_comes_to_it_does_not_pin_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand of the case is played out, but it is about no match."""
    found = covered(tmp_path, monkeypatch, PLAYED)
    rule, citation = (
        row(found, "rule", "match.until"),
        row(found, "citation", "play.one-trick: match.until"),
    )
    assert rule.empty and rule.why == "cited by play.one-trick, which never come to it"
    assert citation.empty
    (case,) = found.cases
    assert dict(case.rules) == {
        "phases.tricks.leader": True,
        "scoring.played.cards": True,
        "match.until": False,
    }


def test_a_rule_that_does_not_act_is_pinned_only_in_its_condition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PLAYED.replace("scoring.played.cards,", "scoring.played.short,")
    found = covered(tmp_path, monkeypatch, text)
    assert not row(found, "rule", "scoring.played.short.when").empty
    assert row(found, "rule", "scoring.played.short.points").empty
    assert row(found, "scoring", "played.short").empty


def test_a_number_of_players_that_never_plays_is_an_empty_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch, HEAD + PLAYED, "base")
    rules = tmp_path / "spec" / "games" / "base" / "rules.yaml"
    text = rules.read_text(encoding="utf-8").replace("players: [4]", "players: [3, 4]")
    text = text.replace("  points: {", "  without: {3: [7♣]}\n  points: {")
    rules.write_text(
        text.replace("    4: [1", "    3: [1, 2, 3, 4, 5]\n    4: [1"), encoding="utf-8"
    )
    found = covered(
        tmp_path, monkeypatch, PLAYED.replace("rules: [", "rules: [players, tables.goal, ")
    )
    assert row(found, "players", "3").empty and not row(found, "players", "4").empty
    assert row(found, "rule", "players[0]").empty and not row(found, "rule", "players[1]").empty
    assert row(found, "rule", "tables.goal.3[1]").empty
    assert not row(found, "rule", "tables.goal.4[3]").empty


def test_a_case_that_fails_pins_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = covered(tmp_path, monkeypatch, PLAYED.replace("{Dan: 1}}\n", "{Dan: 2}}\n"))
    assert row(found, "clause", "tricks.own-card").empty
    assert row(found, "citation", "play.one-trick: phases.tricks.leader").why == "the case fails"
    assert [case.passed for case in found.cases] == [False]


def test_what_a_variant_changes_is_pinned_by_cases_that_play_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = covered(tmp_path, monkeypatch, TIED + OF_A_VARIANT)
    changed = row(found, "rule", "match.until", "to-30")
    assert changed.text == "20 -> 30" and [pin.case for pin in changed.pins] == ["match.at-20"]
    assert row(found, "rule", "match.until").empty, "the case does not play the base game"
    only = covered(tmp_path, monkeypatch, TIED + OF_A_VARIANT, "to-30")
    assert [one.id for one in only.rows] == ["match.until"] and not only.empty
    assert [case.id for case in only.cases] == ["match.at-20"]


def test_statements_are_pinned_by_the_cases_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = covered(tmp_path, monkeypatch, PLAYED + TIED, book=BOOK)
    states = {one.id: one.state for one in found.rows if one.kind == "statement"}
    assert states == {
        "cards.two-suits": "no-rule",
        "bidding.tie": "pinned",
        "bidding.open": "empty",
        "play.leader": "pinned",
        "scoring.again": "pinned",
    }
    assert {case.id: case.statements for case in found.cases} == {
        "play.one-trick": ("play.leader",),
        "roles.tied": ("bidding.tie",),
    }


def test_a_case_that_cites_a_section_and_is_not_named_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = covered(tmp_path, monkeypatch, PLAYED + TIED + OF_A_VARIANT, book=BOOK)
    assert {case.id: case.unnamed for case in found.cases if case.unnamed} == {
        "match.at-20": ("Scoring",)
    }


def test_both_ways_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = covered(tmp_path, monkeypatch, PLAYED + TIED + OF_A_VARIANT, book=BOOK)
    cases = {case.id: case for case in found.cases}
    pairs = {(one.kind, one.id, pin.case) for one in found.rows for pin in one.pins}
    assert {case for _, _, case in pairs} == set(cases)
    for kind, of_case in (("clause", "clauses"), ("statement", "statements")):
        by_case = {(kind, name, case) for case in cases for name in getattr(cases[case], of_case)}
        repeats = {("statement", "scoring.again", "roles.tied")}
        assert {pair for pair in pairs if pair[0] == kind} - repeats == by_case
    claimed = {
        (f"{case}: {path}", case)
        for case in cases
        for path, reached in cases[case].rules
        if reached
    }
    assert {(name, case) for kind, name, case in pairs if kind == "citation"} == claimed


def test_the_command_tells_what_is_empty_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch, HEAD + TIED, "base")
    result = call("coverage", "base", code=1)
    assert "  auction.own-card\n    no case is refused by it\n" in result.output
    assert re.search(r"^base: \d+ rows, \d+ empty$", result.output, re.MULTILINE)


def test_the_command_ends_with_0_if_nothing_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch, HEAD + OF_A_VARIANT, "base")
    result = call("coverage", "base", "--variant", "to-30")
    assert result.output.endswith("base: 1 rows, none empty\n")


def test_json_has_every_row_and_every_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, monkeypatch, HEAD + TIED, "base")
    (tmp_path / "spec/games/base/rulebook.yaml").write_text(
        BOOK.replace("cases: [play.one-trick]", "no_rule: left out here"), encoding="utf-8"
    )
    result = call("coverage", "base", "--format", "json", "--out", "found.json", code=1)
    assert re.fullmatch(r"found.json: \d+ rows, \d+ empty\n", result.output)
    data: dict[str, Any] = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert list(data) == ["game", "variants", "rulebook", "summary", "empty", "rows", "cases"]
    assert set(data["summary"]) == set(KINDS)
    for kind, counts in data["summary"].items():
        rows = [one for one in data["rows"] if one["kind"] == kind]
        assert counts == {"rows": len(rows), "empty": sum(one["state"] == "empty" for one in rows)}
    assert data["empty"] == sum(counts["empty"] for counts in data["summary"].values())
    (tied,) = [one for one in data["rows"] if one["id"] == "phases.roles.first.tied"]
    assert tied == {
        "kind": "rule",
        "id": "phases.roles.first.tied",
        "variants": [],
        "text": "stalemate",
        "file": "spec/games/base/rules.yaml",
        "line": 26,
        "state": "pinned",
        "cases": [{"id": "roles.tied", "how": "cites it"}],
        "why": "",
    }
    assert [case["id"] for case in data["cases"]] == ["roles.tied"]
    assert data["cases"][0]["statements"] == ["bidding.tie"]


def test_the_page_escapes_what_it_shows_and_loads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "<img src=x onerror=alert(1)> \"'&"
    cases = TIED.replace("a tie ends the hand", json.dumps(hostile))
    book = BOOK.replace("says: a tie ends the hand", f"says: {json.dumps('</title>' + hostile)}")
    book = book.replace("cases: [play.one-trick]", "no_rule: <b>left</b> out")
    text = page(covered(tmp_path, monkeypatch, cases, book=book))
    assert "&lt;img src=x onerror=alert(1)&gt; &#34;&#39;&amp;" in text
    assert "<img" not in text and "<b>left</b>" not in text and text.count("</title>") == 1
    assert not re.search(r"https?:|src=[\"']|url\(|@import|<script|<link", text)
    assert "default-src 'none'" in text


def test_every_link_of_the_page_leads_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page(covered(tmp_path, monkeypatch, PLAYED + TIED, book=BOOK))
    places = re.findall(r'id="([^"]+)"', text)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(places)


def test_a_variant_that_is_not_there_is_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch, HEAD + TIED, "base")
    result = call("coverage", "base", "--variant", "to-31", code=2)
    assert "'base' has no variant 'to-31'; did you mean 'to-30'?" in result.output


def test_a_wrong_rulebook_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, monkeypatch, HEAD + TIED, "base")
    (tmp_path / "spec/games/base/rulebook.yaml").write_text(BOOK, encoding="utf-8")
    result = call("coverage", "base", code=1)
    assert "there is no case 'play.one-trick' [unknown-case]" in result.output


def test_a_value_whose_name_has_a_blank_has_a_row() -> None:
    """It has no path that a case could cite, only one that holds it."""
    found = dict(leaves(read("chicane").rules))
    assert found["cards", "named", "Chance Meeting", 1].value == "moons"
