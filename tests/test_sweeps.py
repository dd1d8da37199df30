"""Sweeps, sensitivity and tuning: the same deals at every point, the right numbers moved, and wrong calls told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import compiled, read
from trickwright_tools.cli import main
from trickwright_tools.players import kept
from trickwright_tools.players.batches import Table, in_chunks
from trickwright_tools.report import CallError

numpy = pytest.importorskip(
    "numpy", reason="numpy is not installed: the extra 'playtest' is optional"
)

from trickwright_tools.playtest.naming import UnknownFigure, figure, figures  # noqa: E402
from trickwright_tools.playtest.points import fitting, grid, numbers, short, values_of  # noqa: E402
from trickwright_tools.playtest.ratios import Estimate, Pair, Ratio, plain_of, sums_of  # noqa: E402
from trickwright_tools.playtest.tuning import Goal, Span, Trials, Tuned, search  # noqa: E402

GAMES = {"chief-and-vice": 4, "mue": 3, "papayoo": 3, "chicane": 3, "indian-chief": 2}


pytestmark = pytest.mark.usefixtures("quick_players")


def table(game: str, *sets: str) -> Table:
    """A table at which all play by chance, without numba."""
    players = GAMES[game]
    return Table(game, (), sets, ("random",) * players, (0,) * players, seed=7, fast=False)


def called(tmp_path: Path, *words: str) -> tuple[str, dict[str, Any]]:
    """The page and the figures of a call of ``playtest``."""
    out = tmp_path / "report.html"
    call = ["playtest", *words, "--plain", "--out", str(out)]
    result = CliRunner().invoke(main, call, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    data = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    return out.read_text(encoding="utf-8"), data


@pytest.mark.parametrize("game", GAMES)
def test_figures_have_names_of_their_own_and_cover_what_occurs(game: str, tmp_path: Path) -> None:
    found = figures(table(game), compiled(game))
    assert all(name == one.name and "" not in name.split(".") for name, one in found.items())
    hands = "4" if game == "indian-chief" else "60"
    _, data = called(tmp_path, game, "--hands", hands, "--ways", "random", "--workers", "1")
    told = [figure["key"] for section in data["sections"] for figure in section["figures"]]
    assert len(set(told)) == len(told)
    assert {name for name in told if not name.startswith("tricks.")} <= {*found, *SKILL}


SKILL = ("skill.ahead", "skill.share", "skill.deal", "skill.hands")


def test_a_misspelt_figure_gets_the_nearest_one() -> None:
    found = figures(table("chief-and-vice"), compiled("chief-and-vice"))
    with pytest.raises(UnknownFigure, match=r"'outcomes\.stalmate'\n.*'outcomes\.stalemate'"):
        figure("outcomes.stalmate", found)
    with pytest.raises(UnknownFigure, match="a table of its own"):
        figure("skill.share", found)


def test_metrics_are_listed() -> None:
    call = ["playtest", "papayoo", "--plain", "--ways", "random", "--list-metrics"]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 0
    assert "  seats.0  Dealer" in result.output.splitlines()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("20..23", ["20", "21", "22", "23"]),
        ("-4..4/4", ["-4", "0", "4"]),
        ("5..9/3", ["5", "8"]),
        ("a, b,a", ["a", "b"]),
        ("[1, 2],[3]", ["[1, 2]", "[3]"]),
        ("7", ["7"]),
    ],
)
def test_values_of_a_sweep(text: str, values: list[str]) -> None:
    assert values_of(text) == values


def test_several_sweeps_make_a_grid() -> None:
    points = grid(["a=1,2", "b.c[0]=3..4"])
    assert [point.sets for point in points] == [
        ("a=1", "b.c[0]=3"),
        ("a=1", "b.c[0]=4"),
        ("a=2", "b.c[0]=3"),
        ("a=2", "b.c[0]=4"),
    ]
    assert points[0].label == "a = 1, c[0] = 3"


def test_paths_are_told_in_short_where_that_tells_them_apart() -> None:
    found = short(["tables.goal.4[0]", "a.x", "b.x", "c"])
    assert list(found.values()) == ["goal.4[0]", "a.x", "b.x", "c"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["20..30"], "is not PATH=VALUES"),
        (["a="], "is not PATH=VALUES"),
        (["a=9..3"], "there is nothing in '9..3'"),
        (["a=1..1000000000"], "with whole numbers of nine digits or fewer"),
        (["a=20.5..22.5"], "'20.5..22.5' is not LOW..HIGH"),
        (["a=1..9/0"], "there is nothing in"),
        (["a=1..999999999"], "999999999 points are more than 100"),
        (["a=1..11", "b=1..10"], "110 points are more than 100"),
        (["a=1,,2"], "a value is missing"),
        (["a=1", "a=2"], "a is there twice"),
    ],
)
def test_wrong_sweeps_are_told(texts: list[str], said: str) -> None:
    with pytest.raises(CallError, match=said):
        grid(texts)


def test_what_check_refuses_is_left_out_with_its_reason() -> None:
    points = grid(["scoring.numbers.bonus_per_card=10,many,11"])
    found, left_out, problems = fitting(read("chief-and-vice"), (), (), points)
    assert [point.sets for point, _ in found] == [points[0].sets, points[2].sets]
    assert [one.point for one in left_out] == [points[1]] and problems


def test_sums_are_the_same_after_they_were_plain() -> None:
    large = Ratio(3, 1 << 70, 5, 1 << 140, 7, 9)
    sums = {("a", ""): large, ("b",): Pair(large, Ratio(), 1, 2, 3, 1 << 80)}
    assert sums_of(json.loads(json.dumps(plain_of(sums)))) == sums


def test_a_sweep_plays_the_same_deals(tmp_path: Path) -> None:
    call = ["papayoo", "--hands", "90", "--ways", "random", "--seed", "7"]
    shown = ["--show", "spread.all", "--show", "matches.hands"]
    sweeps = ["--sweep", "scoring.numbers.papayoo_points=40,43", "--sweep", "match.hands=3,5"]
    html, data = called(tmp_path, *call, *sweeps, *shown)
    assert data["points"] == [
        [f"scoring.numbers.papayoo_points={points}", f"match.hands={hands}"]
        for points in (40, 43)
        for hands in (3, 5)
    ]
    mean, length = data["figures"]
    # One of three players gets the points in every hand, whatever else happens: there is no doubt about the difference.
    for point, more in zip(mean["points"], (0, 0, 1, 1), strict=True):
        difference = point["difference"]
        assert [difference[key] for key in ("value", "low", "high")] == pytest.approx([more] * 3)
    assert [point["value"] for point in length["points"]] == [3, 5, 3, 5]
    assert (
        "papayoo_points = 43, hands = 5" in html
        and "None" not in html
        and "How to read this" in html
    )


def test_a_sweep_is_the_same_in_several_processes(tmp_path: Path) -> None:
    call = ["papayoo", "--hands", "1100", "--ways", "random"]
    call += ["--sweep", "scoring.numbers.papayoo_points=30,50"]
    alone = called(tmp_path, *call, "--workers", "1")[1]
    assert called(tmp_path, *call, "--workers", "2")[1] == alone
    assert "matches.minutes" in {figure["key"] for figure in alone["figures"]}


def test_a_sweep_that_check_refuses_altogether_is_told(tmp_path: Path) -> None:
    call = ["playtest", "papayoo", "--plain", "--out", str(tmp_path / "x.html")]
    result = CliRunner().invoke(main, [*call, "--sweep", "match.hand=3..5"])
    assert result.exit_code == 2
    assert "--sweep match.hand: no such path" in result.output and "match.hands" in result.output
    result = CliRunner().invoke(main, [*call, "--sweep", "match.hands=3", "--show", "spread.al"])
    assert result.exit_code == 2 and "did you mean 'spread.all'?" in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sweep", "a=1", "--against", "base"], "give --against or --sweep, not both"),
        (["--show", "bids.mean"], "--show is for a --sweep"),
        (["--learn", "once"], "--learn is for a --sweep or a --sensitivity"),
        (["--path", "tables"], "--path is for a --sensitivity"),
        (["--no-skill", "--against", "base"], "--no-skill is for a playtest without --against"),
        (["--sensitivity", "bids.mean", "--path", "nowhere"], "there are no numbers at nowhere"),
    ],
)
def test_options_that_do_not_go_together_are_told(
    words: list[str], said: str, tmp_path: Path
) -> None:
    call = ["playtest", "chief-and-vice", "--plain", "--out", str(tmp_path / "x.html")]
    result = CliRunner().invoke(main, [*call, "--ways", "random", *words])
    assert result.exit_code == 2 and said in result.output


def test_the_numbers_of_the_rules_are_those_that_can_act_at_the_table() -> None:
    found = {one.path: one.value for one in numbers(compiled("chief-and-vice"), 4)}
    assert found["tables.team_goal.4[2]"] == 34 and found["tables.bonus_step.rank"] == 2
    assert found["scoring.numbers.bonus_cap"] == 100 and found["match.until"] == 200
    assert not [path for path in found if path.startswith("tables.team_goal.5")]
    below = numbers(compiled("chief-and-vice"), 5, ["tables.team_goal"])
    assert [one.path for one in below] == [f"tables.team_goal.5[{place}]" for place in range(10)]


def test_the_number_that_matters_comes_first(tmp_path: Path) -> None:
    call = ["papayoo", "--hands", "80", "--ways", "random", "--sensitivity", "spread.all"]
    html, data = called(tmp_path, *call, "--path", "scoring", "--path", "match")
    first, *others = data["numbers"]
    assert first["sets"] == ["scoring.numbers.papayoo_points=41"] and first["matters"]
    assert first["difference"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert others and not any(one["matters"] for one in others)
    assert "What moves it" in html and "No movement seen" in html


def test_players_learn_once_or_anew(tmp_path: Path) -> None:
    # What a card left over costs cannot change the bids of players who learned to bid with another cost.
    call = ["chief-and-vice", "--hands", "60", "--ways", "sensible", "--workers", "1"]
    call += ["--sweep", "scoring.numbers.lost_per_card=0", "--show", "bids.mean"]
    (anew,) = called(tmp_path, *call)[1]["figures"]
    html, data = called(tmp_path, *call, "--learn", "once")
    (once,) = data["figures"]
    assert once["base"] == anew["base"]
    assert once["points"][0]["difference"]["value"] == 0
    assert anew["points"][0]["difference"]["value"] > 0
    assert data["learn"] == "once" and "--learn once" in data["command"]
    assert "what the value does alone" in html


def test_a_number_that_cannot_rise_falls_or_is_left_out(tmp_path: Path) -> None:
    call = ["papayoo", "--hands", "40", "--ways", "random", "--sensitivity", "spread.all"]
    html, data = called(tmp_path, *call, "--path", "match.first_dealer", "--path", "players")
    told = data["numbers"] + data["left_out"]
    assert all(one["sets"] for one in told) and data["left_out"]
    assert "Check refuses" in html


@pytest.mark.parametrize(
    "words",
    [
        ["--against", "to-100"],
        ["--ways", "sensible"],
        ["--sweep", "match.until=100,150", "--show", "bids.mean", "--show", "matches.hands"],
    ],
)
def test_a_playtest_broken_off_is_taken_up(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trickwright_tools.playtest import many, run

    monkeypatch.setattr(run, "CHUNK", 30)
    monkeypatch.setattr(many, "CHUNK", 30)
    call = ["chief-and-vice", "--hands", "100", "--ways", "random", *words, "--workers", "1"]
    wanted = called(tmp_path, *call)[1]
    kept = tmp_path / "run.jsonl"
    assert called(tmp_path, *call, "--resume", str(kept))[1] == wanted
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) > 6
    kept.write_text("".join(lines[:4]) + lines[4][:40], encoding="utf-8")
    assert called(tmp_path, *call, "--resume", str(kept))[1] == wanted
    again = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    assert again[:4] == lines[:4] and sorted(again) == sorted(lines)
    called(tmp_path, *call, "--resume", str(kept))
    assert kept.read_text(encoding="utf-8") == "".join(again)


def test_what_is_kept_of_another_playtest_is_refused(tmp_path: Path) -> None:
    kept, out = tmp_path / "run.jsonl", str(tmp_path / "x.html")
    call = ["playtest", "papayoo", "--hands", "40", "--ways", "random", "--plain", "--out", out]
    call += ["--resume", str(kept)]
    assert CliRunner().invoke(main, call).exit_code == 0
    result = CliRunner().invoke(main, [*call, "--set", "match.hands=2"])
    assert result.exit_code == 2 and "keeps another run" in result.output
    result = CliRunner().invoke(main, [*call, "--resume", str(tmp_path / "no" / "file")])
    assert result.exit_code == 2 and "cannot be used: No such file" in result.output


def tried(values: dict[int, float] | Callable[[int], float], target: float) -> Trials:
    """Trials of a figure that comes to these values, without any doubt."""
    of = values.__getitem__ if isinstance(values, dict) else values
    return Trials(lambda number: Estimate(of(number), of(number), of(number), 99, True), target)


@pytest.mark.parametrize("seed", range(12))
def test_tuning_finds_what_trying_all_would_find(seed: int) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    random = numpy.random.default_rng(seed)
    steps = random.random(60) * (random.random(60) < 0.6) * (1 if seed % 2 else -1)
    values = dict(enumerate(steps.cumsum().tolist(), start=-20))
    for target in [*random.choice(list(values.values()), 4), values[-20] - 5, values[39] + 5]:
        trials = tried(values, float(target))
        found = search(trials, -20, 39)
        assert abs(values[found] - target) == min(abs(one - target) for one in values.values())
        assert len(trials.found) < 40


def test_tuning_finds_a_target_that_lies_within_the_range_only() -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    assert search(tried(lambda number: -((number - 31) ** 2), 0), 0, 100) == 31


def test_tuning_tells_what_it_reaches() -> None:
    named = figures(table("papayoo"), compiled("papayoo"))["spread.all"]

    def verdict(goal: float, *values: tuple[float, float, float]) -> str:
        made = {
            place: Estimate(v, low, high, 99, True) for place, (v, low, high) in enumerate(values)
        }
        best = min(made, key=lambda place: abs(values[place][0] - goal))
        span = Span("a", 0, len(values) - 1)
        return Tuned(named, Goal("spread.all", goal, False), span, best, made).verdict

    assert verdict(5, (4.5, 4, 5.1), (7, 6, 8)) == "reached"
    assert verdict(5, (4, 3.5, 4.5), (7, 6, 8)) == "between"
    assert verdict(5, (8, 7.5, 8.5), (7, 6, 8)) == "out-of-reach"


def test_tune(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    call = ["tune", "papayoo", "--plain", "--ways", "random", "--hands", "50", "--workers", "1"]
    told = tmp_path / "found.json"
    path = "scoring.numbers.papayoo_points"
    result = CliRunner().invoke(
        main, [*call, "spread.all=100", f"{path}=0..200", "--json", str(told)]
    )
    # 210 points lie in the other cards: with 90 more each of three players has 100 in the mean.
    assert result.exit_code == 0, result.output
    assert f"{path}=90 brings it to 100.00" in result.output
    data = json.loads(told.read_text(encoding="utf-8"))
    assert (data["value"], data["verdict"]) == (90, "reached")
    assert {89, 90, 91} <= {one["value"] for one in data["tried"]}
    words = ["spread.all=100", f"{path}=0..200", "--json", str(tmp_path / "no/found.json")]
    result = CliRunner().invoke(main, [*call, *words])
    assert result.exit_code == 2 and "found.json cannot be written" in result.output
    assert "trying" not in result.output
    result = CliRunner().invoke(main, [*call, "spread.all=100.1", f"{path}=80..95"])
    assert result.exit_code == 0 and "no whole number brings it to 100.10" in result.output
    result = CliRunner().invoke(main, [*call, "spread.all=100", f"{path}=40..95"])
    assert result.exit_code == 0 and "warning" not in result.output  # 40 is what the rules say
    result = CliRunner().invoke(main, [*call, "spread.all=100", f"{path}=0..9"])
    assert result.exit_code == 1 and "100.00 is out of reach from 0 to 9" in result.output


@pytest.mark.parametrize(
    ("goal", "span"),
    [
        ("spread.all=100", "scoring.numbers.papayoo_points=0..200"),
        ("matches.hands=2", "match.hands=1..3"),
    ],
)
def test_a_tuning_broken_off_is_taken_up(
    goal: str, span: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    from trickwright_tools.playtest import many

    monkeypatch.setattr(many, "CHUNK", 30)
    played: list[int] = []

    def counted(*given: Any, **named: Any) -> Any:
        for first, made in in_chunks(*given, **named):
            played.append(first)
            yield first, made

    monkeypatch.setattr(many, "in_chunks", counted)
    monkeypatch.setattr(kept, "in_chunks", counted)
    call = ["tune", "papayoo", goal, span, "--plain", "--ways", "random", "--hands", "100"]
    call += ["--workers", "1"]

    def told(*words: str) -> tuple[str, dict[str, Any], int]:
        played.clear()
        out = tmp_path / "found.json"
        result = CliRunner().invoke(main, [*call, *words, "--json", str(out)])
        assert result.exit_code == 0, result.output
        return result.stdout, json.loads(out.read_text(encoding="utf-8")), len(played)

    path = tmp_path / "run.jsonl"
    wanted = told()
    assert told("--resume", str(path)) == wanted and wanted[2] >= 12
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + wanted[2]
    path.write_text("".join(lines[:7]) + lines[7][:40], encoding="utf-8")
    # Four chunks a number: the first number and half of the second were finished, and are not played again.
    assert told("--resume", str(path)) == (*wanted[:2], wanted[2] - 6)
    assert path.read_text(encoding="utf-8").splitlines(keepends=True)[:7] == lines[:7]
    assert told("--resume", str(path)) == (*wanted[:2], 0)


def test_what_is_kept_of_another_tuning_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    path = tmp_path / "run.jsonl"
    call = ["tune", "papayoo", "--plain", "--ways", "random", "--hands", "40", "--workers", "1"]
    call += ["--resume", str(path)]
    span = "scoring.numbers.papayoo_points=80..95"
    assert CliRunner().invoke(main, [*call, "spread.all=100", span]).exit_code == 0
    before = path.read_bytes()
    for words in (
        ["spread.most=100", span],
        ["spread.all=100", span, "--seed", "1"],
        ["spread.all=100", "match.hands=1..3"],
        ["spread.all=100", span, "--set", "match.hands=2"],
        ["spread.all=100", span, "--learn", "once"],
    ):
        result = CliRunner().invoke(main, [*call, *words])
        assert result.exit_code == 2 and "keeps another run" in result.output, result.output
    assert path.read_bytes() == before
    # Another target or range is the same run: what was played for the first is of use for it.
    wider = ["spread.all=98", "scoring.numbers.papayoo_points=70..95"]
    assert CliRunner().invoke(main, [*call, *wider]).exit_code == 0
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spread.all", "match.hands=1..3"], "'spread.all' is not METRIC=TARGET"),
        (["spread.all=much", "match.hands=1..3"], "is not METRIC=TARGET"),
        (["spread.all=1", "match.hands=3"], "'match.hands=3' is not PATH=LOW..HIGH"),
        (["spread.all=1", "match.hands=3..3"], "LOW must be below HIGH"),
        (["spread.al=1", "match.hands=1..3"], "did you mean 'spread.all'?"),
        (["spread.all=1%", "match.hands=1..3"], "spread.all is no share"),
        (["choices.forced.all=2", "match.hands=1..3"], "choices.forced.all is a share"),
        (["spread.all=1", "match.hand=1..3"], "match.hand: no such path"),
        (["spread.all=1", "match.hands=0..3"], "match.hands"),
        (["matches.hands=1", "match.hands=30..40"], "too few matches to tell matches.hands"),
    ],
)
def test_wrong_calls_of_tune_are_told(words: list[str], said: str) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    call = ["tune", "papayoo", *words, "--plain", "--ways", "random", "--hands", "30"]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 2 and said in result.output, result.output
    assert "Traceback" not in result.output
