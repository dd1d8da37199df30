"""Transcripts against today's rules, and cases out of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import engine
from trickwright.places import games
from trickwright_tools.cli import main

GAMES = sorted(games())


def call(*words: object) -> Any:
    return CliRunner().invoke(main, [str(word) for word in words])


def written(path: Path, told: Any) -> Path:
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def played(game: str, seed: int = 1, **changes: Any) -> dict[str, Any]:
    """The transcript of a hand played at random."""
    made = engine(game, **changes)
    hand = made.Hand(seed=seed)
    hand.play_randomly(made.stream(seed, 7))
    told: dict[str, Any] = hand.transcript()
    return told


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_replays_and_any_of_its_actions_becomes_a_case_that_passes(
    game: str, tmp_path: Path
) -> None:
    told = played(game)
    file = written(tmp_path / "hand.json", told)
    done = call("replay", file)
    assert done.exit_code == 0 and "all comes out as the transcript tells" in done.output
    out = tmp_path / "cases.yaml"
    count = len(told["actions"])
    for action in ("1", str(count // 2), ""):
        words = ["--at", action] if action else []
        done = call("replay", file, "--to-case", "--out", out, *words)
        assert done.exit_code == 0, done.output
    assert passes(game, out) == [True, True, True]


def passes(game: str, path: Path, **changes: Any) -> list[bool]:
    """How the cases of a file come out."""
    from conftest import compiled, read
    from trickwright import Report, schema
    from trickwright.places import schema as find_schema
    from trickwright.source import read_text
    from trickwright_conformance.cases import bind_cases
    from trickwright_conformance.lint import lint
    from trickwright_conformance.observe import speech
    from trickwright_conformance.runner import run_case
    from trickwright_conformance.vocabulary import vocabulary

    report = Report()
    node = read_text(path.read_text(encoding="utf-8"), path.name, report)
    assert node is not None and schema.check(node, find_schema("case"), report), report.problems
    cases = list(bind_cases(node, read(game), report, {}))
    made = engine(game, **changes)
    known = {case.sides[0].variants: vocabulary(compiled(game, **changes), made) for case in cases}
    assert not report.failed and not lint(cases, known).failed
    return [run_case(case, case.sides[0], made, speech(made)).passed for case in cases]


def test_a_refused_action_names_its_clause_and_becomes_a_case_of_either_day(tmp_path: Path) -> None:
    told = played("papayoo", sets=("phases.tricks.follow=may",))
    file = written(tmp_path / "hand.json", told)
    done = call("replay", file)
    assert done.exit_code == 1
    assert "is refused today by tricks.follow: " in done.output
    assert "rule      phases.tricks  (" in done.output
    now, then = tmp_path / "now.yaml", tmp_path / "then.yaml"
    assert call("replay", file, "--to-case", "--out", now).exit_code == 0
    assert call("replay", file, "--to-case", "--expect", "recorded", "--out", then).exit_code == 0
    assert passes("papayoo", now) == [True]
    assert passes("papayoo", then) == [False]
    assert passes("papayoo", then, sets=("phases.tricks.follow=may",)) == [True]


def test_a_turn_that_is_refused_in_the_middle_becomes_one_line(tmp_path: Path) -> None:
    told = played("chief-and-vice", seed=3)
    changed = "phases.auction.must_raise=true"
    file, out = written(tmp_path / "hand.json", told), tmp_path / "cases.yaml"
    done = call("replay", file, "--set", changed)
    assert done.exit_code == 1 and "auction." in done.output, done.output
    done = call("replay", file, "--set", changed, "--to-case", "--out", out)
    assert done.exit_code == 0, done.output
    assert passes("chief-and-vice", out, sets=(changed,)) == [True]


def test_other_scores_are_told_with_the_rules_that_gave_them(tmp_path: Path) -> None:
    file = written(tmp_path / "hand.json", played("papayoo"))
    done = call("replay", file, "--set", "scoring.numbers.papayoo_points=7")
    assert done.exit_code == 1
    assert "the hand scores otherwise today" in done.output
    assert "by payoo, papayoo" in done.output and "scoring.played.papayoo  (" in done.output


RULE = "  rule      scoring.played.missed  (spec/games/chief-and-vice/rules.yaml:114:13): Ben -30, now Ben -33\n"
ACTED = "  acted     scoring.played."


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A match of one hand in which Ben misses his goal by three cards."""
    file = tmp_path / "match.json"
    words = ["chief-and-vice", "--watch", "--hands", 1, "--seed", 3, "--save", file]
    assert call("play", *words).exit_code == 0
    return file


def test_of_the_scoring_rules_that_acted_only_those_that_give_other_points_are_told(
    saved: Path,
) -> None:
    told = json.loads(saved.read_text(encoding="utf-8"))
    assert told["hands"][0]["ended"]["points"] == {
        "cards": {"Anna": 8, "Ben": 12, "Carla": 13, "Dan": 27},
        "missed": {"Ben": -30},
        "defended": {"Carla": 15, "Dan": 15},
    }
    changed = ["--set", "scoring.numbers.lost_per_card=11"]
    done = call("replay", saved, *changed)
    assert done.exit_code == 1 and done.output.endswith(f"by cards, missed, defended\n{RULE}")
    silent = call("replay", saved, "--set", "scoring.played.defended.points=0")
    assert silent.output.endswith(":115:15): Carla 15, Dan 15, now nothing\n")
    case = call("replay", saved, *changed, "--to-case").output
    assert "\n    rules: [scoring.played.missed]\n" in case


def test_what_scoring_rules_gave_is_found_out_if_the_transcript_does_not_say(saved: Path) -> None:
    told = json.loads(saved.read_text(encoding="utf-8"))
    del told["hands"][0]["ended"]["points"]
    written(saved, told)
    changed = ["--set", "scoring.numbers.lost_per_card=11"]
    assert call("replay", saved, *changed).output.endswith(RULE)
    told["hands"][0]["ended"]["points"] = {"missed": 5}
    assert call("replay", written(saved, told), *changed).output.endswith(RULE)
    told["rules"] = "of another day"
    lines = call("replay", written(saved, told), *changed).output.splitlines()
    assert [line.partition("  (")[0] for line in lines[3:6]] == [
        f"{ACTED}{rule}" for rule in ("cards", "missed", "defended")
    ]
    assert lines[6:] == [
        "  which of them differs cannot be told: the transcript does not say what each gave"
    ]


def test_a_rule_that_acts_only_on_one_of_two_days_is_told(saved: Path) -> None:
    done = call("replay", saved, "--set", "scoring.played.missed.when=taken > 500")
    assert (
        "missed  (spec/games/chief-and-vice/rules.yaml:114:13): Ben -30, now nothing\n"
        in done.output
    )
    done = call("replay", saved, "--set", "scoring.played.made.when=taken >= 0")
    assert "made  (spec/games/chief-and-vice/rules.yaml:113:11): nothing, now " in done.output


@pytest.mark.parametrize("game", ["papayoo", "chief-and-vice", "indian-chief"])
def test_a_hand_that_was_left_in_the_middle_is_saved(tmp_path: Path, game: str) -> None:
    file = tmp_path / "match.json"
    words = ["play", game, "--seed", "3", "--save", str(file)]
    done = CliRunner().invoke(main, words, input="1\nquit\n")
    assert done.exit_code == 0, done.output
    told = json.loads(file.read_text(encoding="utf-8"))
    assert "ended" not in told["hands"][-1]
    assert f"{game}: 1 hand: all comes out" in call("replay", file).output


def test_a_place_that_cannot_be_written_is_told_before_a_match(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["play", "papayoo", "--save", str(tmp_path / "no" / "a.json")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "a.json cannot be written" in done.stderr
    old = tmp_path / "old.json"
    old.write_text("mine", encoding="utf-8")
    words = ["play", "papayoo", "--seed", "3", "--players", "99", "--save", str(old)]
    assert CliRunner().invoke(main, words).exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert old.read_text(encoding="utf-8") == "mine"


def test_variants_and_values_are_in_what_play_saves(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    words = ["--variant", "shifting-pass", "--set", "match.hands=2", "--watch", "--seed", "4"]
    done = call("play", "papayoo", *words, "--save", file)
    assert done.exit_code == 0, done.output
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["variants"], told["set"], len(told["hands"])) == (
        ["shifting-pass"],
        ["match.hands=2"],
        2,
    )
    done = call("replay", file)
    assert done.exit_code == 0, done.output
    done = call("replay", file, "--hand", "2", "--to-case")
    assert done.exit_code == 0 and "variants: [shifting-pass]" in done.output, done.output


@pytest.mark.parametrize(
    "told",
    [
        [],
        "text",
        {},
        {"game": "papayoo"},
        {"game": "papayoo", "hands": []},
        {"game": "papayoo", "hands": [3]},
        {"game": "papayoo", "players": ["Anna"], "actions": []},
        {"game": "papayoo", "players": [1], "actions": [2]},
        {"game": "papayoo", "variants": [{}], "players": [], "actions": []},
        {"game": "nothing-like-it", "players": ["A", "B", "C"], "actions": []},
        {"game": "papayoo", "players": ["A", "B", "C"], "actions": [], "format": 1, "dealer": "A", "position": 5},
        {"game": "papayoo", "players": ["A", "B", "C"], "actions": [], "format": 1, "dealer": "Z", "seed": 1, "number": 0},
        {"game": "papayoo", "players": ["A", "B", "C"], "actions": [], "format": 1, "dealer": "A", "deal": {"A": 1}, "chance": 0, "number": 0},
    ],
)  # fmt: skip
def test_what_is_no_transcript_is_refused_calmly(told: Any, tmp_path: Path) -> None:
    done = call("replay", written(tmp_path / "bad.json", told))
    assert done.exit_code == 2, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_damaged_actions_are_told_with_their_number(tmp_path: Path) -> None:
    told = played("papayoo")
    for line in ("", "Zoe: play 7♥", "Anna", "Anna: fly 1♠", "Anna: play 99★"):
        bad = {**told, "actions": [*told["actions"][:3], line, *told["actions"][4:]]}
        done = call("replay", written(tmp_path / "bad.json", bad))
        assert done.exit_code == 1 and "action 4 of" in done.output, (line, done.output)


def test_a_file_that_is_there_is_added_to_or_left_alone(tmp_path: Path) -> None:
    file = written(tmp_path / "hand.json", played("chicane"))
    other = tmp_path / "other.txt"
    other.write_text("not cases\n", encoding="utf-8")
    done = call("replay", file, "--to-case", "--out", other)
    assert done.exit_code == 2 and other.read_text(encoding="utf-8") == "not cases\n"
    out = tmp_path / "cases.yaml"
    for _ in range(2):
        assert call("replay", file, "--to-case", "--out", out).exit_code == 0
    ids = [line for line in out.read_text(encoding="utf-8").splitlines() if "- id: " in line]
    assert len(set(ids)) == 2
