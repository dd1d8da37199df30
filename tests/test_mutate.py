"""``trickwright mutate``: which mutants a game has, what becomes of them, and what is told of it."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from suites import NO_CASES, project
from test_cli import ROOTS, call, change
from trickwright import Report, read_game
from trickwright_conformance import Suite
from trickwright_tools.mutation import pool
from trickwright_tools.mutation.mutants import Mutant, mutants
from trickwright_tools.mutation.session import Session, Verdict
from trickwright_tools.mutation.store import default_file
from trickwright_tools.mutation.suggest import suggestion
from trickwright_tools.mutation.values import REMOVED

RULES = "spec/games/base/rules.yaml"
VARIANT = "spec/games/base/variants/to-30.yaml"
CASES = "conformance/cases/base/some.yaml"
CLAIMS = "conformance/equivalent/base.yaml"
STATE = "state.jsonl"
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
  - id: match.at-29
    title: with to-30 a total of 29 does not end the match
    rules: [match.until]
    source: {book: Scoring}
    variants: [to-30]
    given: {totals: {Anna: 15}}
    play: [hand: {Anna: 14}]
    expect: {match: {over: false}}
  - id: stalemate.gift
    title: a tie gives five for each card
    rules: [scoring.stalemate.tied]
    source: {book: Scoring}
    given: {at: roles, bids: {Anna: 2, Ben: 2}, laid_order: [Ben, Anna]}
    expect: {scores: {Anna: 10, Ben: 10, Carla: 0}}
"""
SAME = "  - because: A chief who is short of nothing loses nothing.\n    mutants:\n"
SAME += "      - {path: scoring.played.short.when, becomes: short >= 0}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the small game and three cases of it."""
    project(tmp_path, monkeypatch, TEXT, "base")
    return tmp_path


def mutate(*words: str, code: int = 0) -> Result:
    """Run the command with a state of its own."""
    return call("mutate", "base", "--state", STATE, "--jobs", "2", *words, code=code)


def listed(path: str) -> list[str]:
    """The mutants at a path: where each stands behind the game's folder, its path and change."""
    lines = call("mutate", "base", "--list", "--path", path).output.splitlines()
    return [line.removeprefix("spec/games/base/") for line in lines]


def claim(text: str) -> None:
    """Declare mutants to be the same game."""
    Path(CLAIMS).parent.mkdir(exist_ok=True)
    Path(CLAIMS).write_text(f"game: base\nequivalent:\n{text}", encoding="utf-8")


def verdicts(*words: str, code: int) -> dict[str, tuple[str, str]]:
    """What became of each mutant, and by what."""
    told = json.loads(mutate(*words, "--format", "json", code=code).stdout)
    return {one["mutant"]: (one["outcome"], one["by"]) for one in told["verdicts"]}


def test_numbers_go_up_and_down_and_what_may_be_left_out_is(here: Path) -> None:
    assert listed("scoring.numbers") == [
        "rules.yaml:47:3: scoring.numbers: {gift: 5} -> (taken away)",
        "rules.yaml:47:19: scoring.numbers.gift: 5 -> (taken away)",
        "rules.yaml:47:19: scoring.numbers.gift: 5 -> 4",
        "rules.yaml:47:19: scoring.numbers.gift: 5 -> 6",
    ]


def test_numbers_stay_within_their_bounds_and_words_become_each_other_word(here: Path) -> None:
    assert listed("phases.auction") == [
        "rules.yaml:16:3: phases.auction: {kind: show-auction, source: {book: Bidding}, opens: dealer,"
        " raise_limit: 1, must_raise: false, after_pass: may-return} -> (taken away)",
        "rules.yaml:20:18: phases.auction.raise_limit: 1 -> 2",
        "rules.yaml:21:17: phases.auction.must_raise: false -> true",
        "rules.yaml:22:17: phases.auction.after_pass: may-return -> is-out",
    ]
    assert listed("match.deal_passes") == [
        "rules.yaml:60:16: match.deal_passes: left -> right",
        "rules.yaml:60:16: match.deal_passes: left -> stays",
    ]


def test_lists_lose_gain_and_change_items(here: Path) -> None:
    assert listed("phases.trumps.order.chief.may") == [
        "rules.yaml:31:21: phases.trumps.order.chief.may[0]: suit -> (taken away)",
        "rules.yaml:31:21: phases.trumps.order.chief.may[0]: suit -> rank",
        "rules.yaml:31:21: phases.trumps.order.chief.may[0]: suit -> none",
        "rules.yaml:31:27: phases.trumps.order.chief.may[1]: rank -> (taken away)",
        "rules.yaml:31:27: phases.trumps.order.chief.may[1]: rank -> suit",
        "rules.yaml:31:27: phases.trumps.order.chief.may[1]: rank -> none",
        "rules.yaml:31:15: phases.trumps.order.chief.may: [suit, rank] -> [suit, rank, none]",
    ]
    change(RULES, "points: {", "without: {4: [7♣, 7♥, 8♣, 8♥]}\n  points: {")
    assert listed("cards.without.4[0]") == [
        "rules.yaml:12:17: cards.without.4[0]: 7♣ -> (taken away)",
        "rules.yaml:12:17: cards.without.4[0]: 7♣ -> 8♣",
    ]
    assert listed("players") == [
        "rules.yaml:6:11: players[0]: 4 -> (taken away)",
        "rules.yaml:6:11: players[0]: 4 -> 3",
        "rules.yaml:6:11: players[0]: 4 -> 5",
        "rules.yaml:6:1: players: [4] -> [3, 4]",
        "rules.yaml:6:1: players: [4] -> [4, 5]",
    ]


def test_ranks_change_their_order_but_not_what_they_are_called(here: Path) -> None:
    lines = [line.partition("cards.ranks")[2] for line in listed("cards.ranks")]
    assert lines[0] == ": [7, 8, 9, 10, J, Q, K, A] -> (taken away)"
    assert lines[1:9] == [
        f"[{place}]: {rank} -> (taken away)"
        for place, rank in enumerate([7, 8, 9, 10, "J", "Q", "K", "A"])
    ]
    assert [line.partition(" -> ")[2] for line in lines[9:]] == [
        "[8, 7, 9, 10, J, Q, K, A]",
        "[7, 9, 8, 10, J, Q, K, A]",
        "[7, 8, 10, 9, J, Q, K, A]",
        "[7, 8, 9, J, 10, Q, K, A]",
        "[7, 8, 9, 10, Q, J, K, A]",
        "[7, 8, 9, 10, J, K, Q, A]",
        "[7, 8, 9, 10, J, Q, A, K]",
    ]


def test_of_a_shared_deck_its_parts_are_changed_and_not_its_name(here: Path) -> None:
    own = "  suits: {clubs: ♣, hearts: ♥}\n  ranks: [7, 8, 9, 10, J, Q, K, A]\n"
    deck = Path("spec/decks/short.yaml")
    deck.parent.mkdir()
    deck.write_text(
        "deck: short\ntitle: {en: Short}\nsuits: {clubs: ♣, hearts: ♥}\nranks: [7, 8, 9, 10, J, Q, K, A]\n",
        encoding="utf-8",
    )
    before = [line.partition("cards.")[2] for line in listed("cards")]
    change(RULES, own, "  deck: short\n")
    found = [line.partition("cards.")[2] for line in listed("cards")]
    assert sorted(found) == sorted(before)
    assert "suits.clubs: ♣ -> (taken away)" in found


def test_each_member_of_a_range_gets_a_value_of_its_own(here: Path) -> None:
    change(RULES, "{7-9: 0, 10-A: 1}", "{7-8: face, 9: 1, 10-A: 1}")
    found = [line for line in listed("cards.points") if "points: " in line and "-> {" in line]
    assert [line.partition("-> ")[2] for line in found][:5] == [
        "{7: 0, 8: face, 9: 1, 10-A: 1}",
        "{7: 2, 8: face, 9: 1, 10-A: 1}",
        "{7: face, 8: 0, 9: 1, 10-A: 1}",
        "{7: face, 8: 2, 9: 1, 10-A: 1}",
        "{7-8: face, 9: 1, 10: 0, J-A: 1}",
    ]


def test_every_part_of_an_expression_changes_but_only_into_what_is_sound(here: Path) -> None:
    lines = listed("scoring.played.short.when")
    assert all(line.startswith("rules.yaml:55:56: scoring.played.short.when: ") for line in lines)
    assert [line.partition(" -> ")[2] for line in lines] == [
        "(taken away)",
        "short >= 0",
        "short <= 0",
        "short != 0",
        "players > 0",
        "hand_number > 0",
        "gift > 0",
        "short > -1",
        "short > 1",
    ]
    assert [line.partition(" -> ")[2] for line in listed("scoring.stalemate.tied.points")] == [
        "gift + bid(player)",
        "gift // bid(player)",
        "gift",
        "bid(player)",
        "players * bid(player)",
        "hand_number * bid(player)",
        "gift * hand_size(player)",
        "gift * laid_at(player)",
        "gift * bid(dealer)",
        "gift * bid(last_of_tied)",
        "gift * bid(player) + 1",
        "gift * bid(player) - 1",
    ]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (
            "1 if dealer == chief and gift > 5 else short",
            {
                "1 if dealer == chief or gift > 5 else short",
                "1 if gift > 5 else short",
                "1 if dealer == chief else short",
                "1 if dealer != chief and gift > 5 else short",
                "1 if dealer == chief and gift >= 5 else short",
                "short if dealer == chief and gift > 5 else 1",
                "1",
                "short",
            },
        ),
        (
            "max(short, abs(gift))",
            {"min(short, abs(gift))", "short", "abs(gift)", "max(short, gift)"},
        ),
        ("1 if not nobody_is(chief) else 0", set()),
        ("size(hearts & all_cards)", {"size(hearts | all_cards)", "size(hearts - all_cards)",
         "size(clubs & all_cards)", "size(hearts)", "size(all_cards)", "points(hearts & all_cards)"}),
    ],
)  # fmt: skip
def test_conditions_branches_functions_and_sets_change(
    here: Path, points: str, expected: set[str]
) -> None:
    change(RULES, "points: card_points(player)", f'points: "{points}"')
    if not expected:  # rules that are wrong have no mutants
        assert "unknown-name" in call("mutate", "base", "--list", code=1).output
        return
    found = {line.partition(" -> ")[2] for line in listed("scoring.played.cards.points")}
    assert expected <= found


def test_a_name_of_the_same_number_is_no_mutant(here: Path) -> None:
    change(RULES, "numbers: {gift: 5}", "numbers: {gift: 5, five: 5, six: 6}")
    change(RULES, "points: -short", "points: -short * five * six")
    found = {line.partition(" -> ")[2] for line in listed("scoring.stalemate.tied.points")}
    assert "six * bid(player)" in found
    assert "five * bid(player)" not in found


def test_variants_lose_and_change_what_they_set_add_and_remove(here: Path) -> None:
    change(VARIANT, "set:", "add:\n  scoring.numbers.more: 3\nremove: [tables.spare]\nset:")
    change(RULES, "  goal:\n", "  spare: {source: {book: Scoring}, suit: 1}\n  goal:\n")
    lines = call("mutate", "base", "--list").output.splitlines()
    assert [line.partition("variants/")[2] for line in lines if "variants/" in line] == [
        "to-30.yaml:9:7: match.until of to-30: 30 -> (taken away)",
        "to-30.yaml:9:20: match.until of to-30: 30 -> 29",
        "to-30.yaml:9:20: match.until of to-30: 30 -> 31",
        "to-30.yaml:7:3: scoring.numbers.more of to-30: 3 -> (taken away)",
        "to-30.yaml:7:25: scoring.numbers.more of to-30: 3 -> 2",
        "to-30.yaml:7:25: scoring.numbers.more of to-30: 3 -> 4",
        "to-30.yaml:8:10: tables.spare of to-30: tables.spare -> (taken away)",
    ]


def test_texts_titles_sources_readings_and_symbols_are_left_alone(here: Path) -> None:
    change(RULES, "    leader: chief", "    reading: The chief leads.\n    leader: chief")
    told = call("mutate", "base", "--list").output
    for key in ("title", "source", "reading", "kind", "♣ ->", "sections"):
        assert not [line for line in told.splitlines() if key in line.partition(" -> ")[0]
                    and "(taken away)" not in line and "{kind" not in line]  # fmt: skip


def test_killed_rejected_and_survived_are_told_apart(here: Path) -> None:
    assert verdicts("--path", "scoring.numbers", "--path", "match", code=1) == {
        ":scoring.numbers:removed": ("rejected", "scoring.stalemate.tied.points: 'gift' is not "
                                     "provided by any earlier phase [unknown-name]"),
        ":scoring.numbers.gift:removed": ("rejected", "scoring.stalemate.tied.points: 'gift' is not "
                                          "provided by any earlier phase [unknown-name]"),
        ":scoring.numbers.gift:4": ("killed", "stalemate.gift"),
        ":scoring.numbers.gift:6": ("killed", "stalemate.gift"),
        ":match.first_dealer:2": ("survived", ""),
        ':match.deal_passes:"right"': ("survived", ""),
        ':match.deal_passes:"stays"': ("survived", ""),
        ":match.until:removed": ("rejected", "match: nothing ends the match [missing-key]"),
        ":match.until:19": ("survived", ""),
        ":match.until:21": ("killed", "match.at-20"),
        ':match.winner:"lowest"': ("killed", "match.at-20"),
        ':match.tied:"shared"': ("survived", ""),
        "to-30:match.until:removed": ("rejected", "set: expected at least 1 keys, found 0 [out-of-bounds]"),
        "to-30:match.until:29": ("killed", "match.at-29"),
        "to-30:match.until:31": ("survived", ""),
    }  # fmt: skip


def test_a_survivor_is_told_with_its_place_and_the_case_that_would_kill_it(here: Path) -> None:
    said = mutate("--path", "match.until", code=1).output
    assert said.startswith(
        "SURVIVED match.until  spec/games/base/rules.yaml:61:10\n"
        "  change    20 -> 19\n"
        "  killed by a case with rules: [match.until] (total that ends the match) in which 20 is just "
        "reached or just allowed, and 19 would be wrong\n"
        "  near      match.at-20  conformance/cases/base/some.yaml:4:5\n"
        "  near      match.at-29  conformance/cases/base/some.yaml:11:5\n"
        "\n"
        "SURVIVED match.until of to-30  spec/games/base/variants/to-30.yaml:6:20\n"
        "  change    30 -> 31\n"
        "  killed by a case with rules: [match.until], variants: [to-30] (total that ends the match) "
    )
    assert "\nbase: 6 mutants: 2 killed, 2 rejected by check, 2 survived (" in said


@pytest.mark.parametrize(
    ("path", "new", "told"),
    [
        ("scoring.played.short.when", "short >= 0", "in which short and 0 are equal"),
        ("scoring.played.short.when", "short > 1", "in which short > 0 and short > 1 do not say the same"),
        ("scoring.played.short.who", "dealer", "in which chief and dealer differ"),
        ("scoring.stalemate.tied.points", "gift + bid(player)", "in which gift * bid(player) and gift + bid(player) differ"),
        ("scoring.stalemate.tied.points", "gift * laid_at(player)", "in which bid(player) and laid_at(player) differ"),
        ("scoring.played.short.points", "-short + 1", "that tells -short exactly"),
        ("phases.tricks.follow", "may", "that is played otherwise with must than with may"),
        ("phases.trumps.order.chief.may", ["suit", "rank", "none"], "in which none must not be possible"),
        ("cards.ranks", [8, 7, 9, 10, "J", "Q", "K", "A"], "in which it matters that 7 stands before 8"),
        ("cards.points", {"7": 1, "8-9": 0, "10-A": 1}, "in which 7 or 8-9 counts by itself"),
        ("scoring.played.short.when", REMOVED, "that comes out otherwise without short > 0"),
    ],
)  # fmt: skip
def test_suggestions_say_what_a_case_must_show(here: Path, path: str, new: Any, told: str) -> None:
    files = read_game(Path("spec/games/base"), Report())
    assert files is not None
    found = [m for m in mutants(files) if m.path == path and m.change.new == new]
    assert suggestion(found[0], files.rules).endswith(told)


def test_a_change_that_leaves_the_engine_as_it_was_is_a_finding(here: Path) -> None:
    change(RULES, "    4: [1, 2, 3, 4]", "    at_most: points in play\n    4: [1, 2, 3, 4]")
    assert mutate("--path", "tables.goal.at_most", code=1).output.startswith(
        "NO EFFECT tables.goal.at_most  spec/games/base/rules.yaml:43:14\n"
        "  change    points in play -> (taken away)\n"
        "  finding   the engine is the same without it, so it says what holds anyway\n"
        "\n"
        "base: 1 mutants: 1 without effect ("
    )


def test_what_only_cases_of_variants_tell_is_told_apart(here: Path) -> None:
    change(
        CASES,
        "rules: [scoring.stalemate.tied]",
        "rules: [scoring.stalemate.tied]\n    variants: [to-30]",
    )
    found = verdicts("--path", "scoring.numbers.gift", code=0)
    assert found[":scoring.numbers.gift:4"] == ("killed in variants", "stalemate.gift")
    said = mutate("--path", "scoring.numbers.gift", code=0).output
    assert said.startswith(
        f"KILLED ONLY IN VARIANTS scoring.numbers.gift  {RULES}:47:19\n"
        f"  change    5 -> 4\n"
        f"  killed by stalemate.gift  {CASES}:19:5\n"
        "\n"
        f"KILLED ONLY IN VARIANTS scoring.numbers.gift  {RULES}:47:19\n"
        f"  change    5 -> 6\n"
    )
    assert "\nbase: 3 mutants: 2 killed only in variants, 1 rejected by check (" in said
    more = "  - {id: other.gift, title: a tie gives five, rules: [scoring.stalemate], source: {book: Scoring}, "
    more += "given: {at: roles, bids: {Anna: 2, Ben: 2}, laid_order: [Ben, Anna]}, expect: {scores: {Anna: 10}}}\n"
    with Path(CASES).open("a", encoding="utf-8") as file:
        file.write(more)
    found = verdicts("--path", "scoring.numbers.gift", code=0)
    assert found[":scoring.numbers.gift:4"] == ("killed", "other.gift")


def test_a_change_of_a_variant_is_killed_by_its_own_cases(here: Path) -> None:
    assert verdicts("--path", "match.until", code=1)["to-30:match.until:29"][0] == "killed"


def test_what_check_only_warns_of_is_told_apart(here: Path) -> None:
    path = "scoring.stalemate.tied.points"
    found = verdicts("--path", path, code=1)
    assert found[f':{path}:"bid(player)"'] == (
        "killed",
        "stalemate.gift",
    )
    change(CASES, "{scores: {Anna: 10, Ben: 10, Carla: 0}}", "{outcome: stalemate}")
    found = verdicts("--path", path, code=1)
    assert found[f':{path}:"bid(player)"'] == (
        "warned",
        "scoring.numbers.gift: nothing uses this, so a change of it changes nothing",
    )
    said = mutate("--path", path, code=1).output
    assert "base: 12 mutants: 3 warned of by check, 9 survived (" in said


def test_a_declared_mutant_is_the_same_game(here: Path) -> None:
    claim(SAME)
    found = verdicts("--path", "scoring.played.short.when", code=1)
    assert found[':scoring.played.short.when:"short >= 0"'] == ("equivalent", "")


def test_claims_that_do_not_hold_are_told(here: Path) -> None:
    claim(
        SAME + "  - because: This is not so in the least, of course.\n    mutants:\n"
        "      - {path: scoring.numbers.gift, becomes: 6}\n"
        "      - {path: scoring.numbers.gift, becomes: 7}\n"
        "      - {path: match.tied, becomes: shared}\n"
        "      - {variant: to-30, path: match.until, removed: true}\n"
    )
    said = mutate(code=1).output
    place = f"  {CLAIMS}"
    assert f"WRONG CLAIM scoring.numbers.gift{place}:8:9\n" in said
    assert "\n  it is killed by stalemate.gift\n" in said
    assert f"WRONG CLAIM scoring.numbers.gift{place}:9:9\n" in said
    assert "\n  there is no such mutant any more\n" in said
    assert f"WRONG CLAIM match.tied{place}:10:9\n" in said
    assert "\n  random play finds a difference: base, 4 players: totals [" in said
    assert f"WRONG CLAIM match.until{place}:11:9\n" in said
    assert "\n  it is rejected by check: " in said
    assert said.endswith("4 claims that do not hold\n")
    told = json.loads(mutate("--format", "json", code=1).stdout)
    assert [one["mutant"] for one in told["wrong_claims"]] == [
        ":scoring.numbers.gift:6",
        ":scoring.numbers.gift:7",
        ':match.tied:"shared"',
        "to-30:match.until:removed",
    ]


def test_a_wrong_file_of_claims_is_told_like_any_other(here: Path) -> None:
    claim(SAME + SAME + "  - {because: Short., mutants: []}\n")
    said = call("mutate", "base", code=1).output
    assert f"{CLAIMS}:9:15: equivalent[2].because: expected at least 20 characters" in said
    claim(SAME + SAME)
    said = call("mutate", "base", code=1).output
    assert f"equivalent[1].mutants[0]: {CLAIMS}:5:9 says this already [not-unique]" in said


class Judge:
    """Judges mutants by their number: plays without end, ends its process, or says that they are killed."""

    def judge(self, mutant: Any, *, declared: bool = False) -> Any:
        if mutant == 1:
            while True:
                pass
        if mutant == 2:
            os._exit(9)
        return Verdict("killed", f"case {mutant}")


def test_a_mutant_without_end_is_timed_out_and_the_others_go_on() -> None:
    tasks: Any = [(number, False) for number in range(6)]
    found = dict(pool.judge_all(Judge(), tasks, 2, 1.0))
    assert {number: verdict.outcome for number, verdict in found.items()} == {  # type: ignore[comparison-overlap]
        0: "killed", 1: "timed out", 2: "killed", 3: "killed", 4: "killed", 5: "killed",
    }  # fmt: skip
    assert found[1].by == "more than 1 seconds"  # type: ignore[index]
    assert found[2].by == "its process ended with code 9"  # type: ignore[index]


def test_a_mutant_that_breaks_the_compiler_is_a_finding(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("suits")

    monkeypatch.setattr(Session, "_judge", broken)
    said = mutate("--path", "match.winner", code=1).output
    assert said.startswith("BROKEN match.winner  ")
    assert "\n  finding   check breaks: KeyError: 'suits'\n" in said


def test_a_run_goes_on_where_it_was(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verdicts("--path", "match.until", code=1)
    lines = Path(STATE).read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(first)
    judged: list[str] = []
    judge_all = pool.judge_all

    def noted(judge: Any, tasks: Any, *rest: Any) -> Any:
        judged.extend(mutant.id for mutant, _ in tasks)
        yield from judge_all(judge, tasks, *rest)

    monkeypatch.setattr(pool, "judge_all", noted)
    assert verdicts("--path", "match.until", code=1) == first
    assert judged == []
    Path(STATE).write_text("\n".join([*lines[:-1], lines[-1][:30]]), encoding="utf-8")
    assert verdicts("--path", "match.until", code=1) == first
    assert len(judged) == 1
    assert verdicts("--path", "match.until", code=1) == first
    assert len(judged) == 1
    assert verdicts("--path", "match.until", "--fresh", code=1) == first
    assert len(judged) == 1 + len(first)


@pytest.mark.parametrize("path", [RULES, VARIANT, CASES])
def test_verdicts_on_other_rules_or_cases_are_not_believed(here: Path, path: str) -> None:
    mutate("--path", "match.until", code=1)
    with Path(path).open("a", encoding="utf-8") as file:
        file.write("# another comment\n")
    before = Path(STATE).read_text(encoding="utf-8").splitlines()
    mutate("--path", "match.until", code=1)
    after = Path(STATE).read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before)
    assert {json.loads(line)["key"] for line in after} != {
        json.loads(line)["key"] for line in before
    }


def test_the_state_lies_in_the_users_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.get_app_dir", lambda name: f"/home/anna/.config/{name}")
    files = read_game(Path("spec/games/base"), Report())
    assert files is not None
    path = default_file(files)
    assert path.parent == Path("/home/anna/.config/trickwright/mutate")
    assert path.name.startswith("base-") and path.suffix == ".jsonl"


def test_json_has_every_mutant_and_what_became_of_it(here: Path) -> None:
    told = json.loads(mutate("--path", "match.until", "--format", "json", code=1).stdout)
    assert told["mutants"] == 6 == len(told["verdicts"])
    assert told["counts"]["survived"] == len(told["survivors"]) == 2
    first = told["survivors"][0]
    assert first.pop("suggestion").startswith("a case with rules: [match.until] ")
    assert first == {
        "mutant": ":match.until:19",
        "variant": "",
        "path": "match.until",
        "kind": "number",
        "old": 20,
        "new": 19,
        "file": RULES,
        "line": 61,
        "column": 10,
    }
    told = json.loads(call("mutate", "base", "--list", "--format", "json").stdout)
    assert first in told


def test_wrong_calls_are_told(here: Path) -> None:
    assert call("mutate", "bass", code=2).output.startswith("trickwright: there is no game 'bass'")
    assert mutate("--path", "match.untill", code=2).output == (
        "trickwright: nothing is changed at match.untill; --list shows all mutants\n"
    )
    assert "Invalid value for '--jobs'" in call("mutate", "base", "--jobs", "0", code=2).output
    said = call("mutate", "base", "--state", f"{RULES}/state", "--path", "match", code=2).output
    assert said.startswith(f"trickwright: {RULES}/state cannot be written: ")


def test_a_suite_that_fails_or_is_not_there_says_nothing_of_mutants(here: Path) -> None:
    change(CASES, "Ben: 10, Carla: 0", "Ben: 11, Carla: 0")
    assert mutate(code=1).output == (
        "base: one of its cases fails on the rules as they are; see to that first: trickwright test base\n"
    )
    change(CASES, "at: roles", "at: roless")
    assert "there is no phase 'roless'" in mutate(code=1).output
    Path(CASES).unlink()
    assert mutate(code=2).output == NO_CASES


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are POSIX")
def test_ctrl_c_leaves_a_state_to_go_on_with(here: Path) -> None:
    words = [sys.executable, "-m", "trickwright_tools", "mutate", "base", "--state", STATE]
    env = {**os.environ, "PYTHONPATH": ROOTS}
    running = subprocess.Popen(
        words,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What runs in the background may have the signal ignored, and would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while running.poll() is None and not (Path(STATE).is_file() and Path(STATE).stat().st_size):
        pass
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out, err.decode().strip()) == (130, b"", "stopped")
    done = len(Path(STATE).read_text(encoding="utf-8").splitlines())
    assert done > 0
    total = len(verdicts(code=1))
    assert done < total == len(Path(STATE).read_text(encoding="utf-8").splitlines())


def test_sessions_and_mutants_go_to_other_processes_as_they_are(here: Path) -> None:
    files = read_game(Path("spec/games/base"), Report())
    assert files is not None
    there: Session = pickle.loads(pickle.dumps(Session(files, Suite.load(files))))
    found = {mutant.id: mutant for mutant in mutants(files)}
    sent: dict[str, Mutant] = pickle.loads(pickle.dumps(found))
    assert sent[":match.until:removed"].change.new is REMOVED
    assert there.judge(sent[":match.until:removed"]).outcome == "rejected"
    assert there.judge(sent[":match.until:21"]) == Verdict("killed", "match.at-20")
