"""The playtest: its sums are exact and mergeable, its intervals cover, its figures are those of the hands, its page needs nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import compiled
from trickwright.meaning import Meaning
from trickwright.problems import Report
from trickwright_tools.cli import main
from trickwright_tools.players.batches import Table, play_chunk

numpy = pytest.importorskip(
    "numpy", reason="numpy is not installed: the extra 'playtest' is optional"
)

from trickwright_tools.playtest.call import told_calmly  # noqa: E402
from trickwright_tools.playtest.measures import Frame, frame_of  # noqa: E402
from trickwright_tools.playtest.metrics import Told, Words, all_metrics, tables  # noqa: E402
from trickwright_tools.playtest.metrics.scoring import conditions, opposite  # noqa: E402
from trickwright_tools.playtest.metrics.skill import Skill, explained, of_the_deal  # noqa: E402
from trickwright_tools.playtest.own import checked, read_own  # noqa: E402
from trickwright_tools.playtest.plots import mark, scale_of  # noqa: E402
from trickwright_tools.playtest.ratios import Estimate, Pair, Ratio, quantile  # noqa: E402
from trickwright_tools.playtest.run import Plan, play, tally  # noqa: E402

GAMES = {"chief-and-vice": 4, "mue": 3, "papayoo": 3, "chicane": 3, "indian-chief": 2}


pytestmark = pytest.mark.usefixtures("quick_players")


def table(game: str, way: str = "random", **more: Any) -> Table:
    """A table without numba, at which all play in one way."""
    players = GAMES[game]
    told: dict[str, Any] = {"seed": 4, "fast": False, **more}
    variants = told.pop("variants", ())
    return Table(game, variants, (), (way,) * players, (0,) * players, **told)


@pytest.fixture(scope="module", params=GAMES)
def frame(request: Any) -> Frame:
    """Hands of each game with what came of them."""
    hands = 20 if request.param == "indian-chief" else 120
    return frame_of(play_chunk(table(request.param, in_matches=True), 0, hands))


def test_what_rules_paid_adds_up_to_the_scores(frame: Frame) -> None:
    paid = sum(frame.told_by_seat(column) for column in frame.columns("paid"))
    assert (paid == frame.scores).all()
    assert abs(frame.scores).sum() > 0


def test_what_is_told_is_what_the_engine_says(frame: Frame) -> None:
    rules, told = frame.engine.RULES, 0
    for row, state in enumerate(frame.chunk.finals):
        outcome = rules.outcomes[state[4]]
        for column in frame.columns("value"):
            if column.outcome == outcome:
                assert frame.told_of(column)[row] == rules.values[outcome][column.name](state)
                told += 1
        for line in rules.lines:
            column = next(
                c for c in frame.columns("acted") if (c.outcome, c.name) == (line.outcome, line.id)
            )
            acts = outcome == line.outcome and (line.applies is None or line.applies(state))
            assert frame.told_of(column)[row] == acts
        for column in frame.columns("role"):
            for field in rules.fields:
                if field.key == column.name and field.type == "player":
                    seat = state[field.offset]
                    assert frame.told_of(column)[row] == (0 if seat < 0 else 1 << seat)
    assert told or not frame.columns("value")


def test_metrics_follow_from_what_the_game_has() -> None:
    def names(game: str) -> set[str]:
        meaning: Meaning = compiled(game).meaning
        return {type(metric).__name__ for metric in all_metrics() if metric.applies(meaning)}

    assert {"Outcomes", "Bids", "Named", "Acting", "Tricks"} <= names("chief-and-vice")
    assert {"Bids", "Acting", "Named"} <= names("chicane")
    assert "Passing" in names("papayoo") and not names("papayoo") & {"Bids", "Outcomes", "Melds"}
    assert "Melds" in names("indian-chief") and not names("indian-chief") & {
        "Bids",
        "Tricks",
        "Seats",
    }


def test_chunks_add_up_to_the_same() -> None:
    at = table("chief-and-vice")
    whole = tally(play_chunk(at, 0, 60), ("hand",), ())[1]
    parts: dict[Any, Ratio] = {}
    for first in (0, 20, 40):
        for key, sums in tally(play_chunk(at, first, 20), ("hand",), ())[1].items():
            parts[key] = parts.get(key, Ratio()) + sums
    assert {key: sums for key, sums in whole.items() if sums.n} == {
        key: sums for key, sums in parts.items() if sums.n
    }
    assert whole["outcomes", "played"].x > 0


def test_results_do_not_depend_on_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from trickwright_tools.playtest import run

    monkeypatch.setattr(run, "CHUNK", 30)
    found = []
    for workers in (1, 2):
        plan = Plan(
            table("papayoo"), 90, table("papayoo", variants=("shifting-pass",)), workers=workers
        )
        found.append(play(plan, lambda *_: None))
    assert found[0] == found[1]
    assert found[0].hands == 90


def test_figures_of_a_match_are_those_of_its_hands() -> None:
    total = 0
    for seed in range(6):
        chunk = play_chunk(table("chicane", in_matches=True, seed=seed), 0, 12)
        sums = tally(chunk, ("match",), ())[1]
        assert sums["matches", "hands"] == Ratio(1, 12, 1, 144, 1, 12)
        assert sums["matches", "length", "12"].x == 1
        assert sums["matches", "decisions"].x == sum(row[0] for row in chunk.logs)
        leads = []
        for row in chunk.ends:
            best = [seat for seat in range(3) if row[1 + seat] == max(row[1:])]
            leads.append(best[0] if len(best) == 1 else -1)
        sole = [seat for seat in leads if seat >= 0]
        changes = sum(one != two for one, two in pairwise(sole))
        assert sums["matches", "changes"].x == changes
        total += changes
        settled = max((n for n in range(12) if leads[n] != leads[-1]), default=-1) + 2
        assert sums["matches", "decided"].x == (settled if leads[-1] >= 0 else 0)
        won = [sums["matches", "won", str(seat + 1)].x for seat in range(3)]
        assert won == [chunk.ends[-1][0] >> seat & 1 for seat in range(3)]
    assert total > 3


def test_tables_tell_what_occurred_and_the_whole_first() -> None:
    keys = [("a", "often", name) for name in ("10", "9", "all", "never")]
    sums = {key: Ratio(40, 3, 0 if key[2] == "never" else 40) for key in keys}
    sums["b", "often", "1"] = Ratio(1, 1, 1)
    told = Told(compiled("papayoo").meaning, None, sums, 3, table("papayoo"))
    words = {"often": Words("How often", "Of all.", "share", "points"), "much": Words("No", "")}
    some, none = tables(told, "a", words, lambda line: replace(line, label=line.key[2]))
    assert [line.label for line in some.lines] == ["all", "9", "10"]
    assert (some.title, some.text) == ("How often", "Of all.") and none.lines == ()
    assert {(line.kind, line.unit) for line in some.lines} == {("share", "points")}


def test_melds_are_told_with_their_points() -> None:
    chunk = play_chunk(table("indian-chief"), 0, 5)
    sums = tally(chunk, ("hand",), ())[1]
    points = sum(ratio.x for key, ratio in sums.items() if key[:2] == ("melds", "points"))
    assert points == sum(
        row[chunk.playing.engine.SCORE + seat] for row in chunk.finals for seat in (0, 1)
    )
    assert [sums["melds", "points", str(meld)].n for meld in range(1, 8)] == [10] * 7
    assert sum(sums["melds", "round", str(meld)].x for meld in range(1, 8)) == 10 * sum(range(1, 8))


def test_a_condition_and_its_opposite_are_told_once() -> None:
    assert opposite("taken >= goal") == "taken < goal"
    assert opposite("nil and taken > 0") == ""
    played = next(e for e in compiled("chief-and-vice").meaning.endings if e.outcome == "played")
    assert conditions(played.rules) == [("made", "taken >= goal")]


def draws(seed: int, count: int) -> Any:
    """Random numbers for a test of statistics."""
    return numpy.random.default_rng(seed).random((1500, count))


def covered(low: Any, high: Any, truth: float) -> float:
    """The share of intervals that hold the truth."""
    found = [one <= truth <= two for one, two in zip(low, high, strict=True)]
    return sum(found) / len(found)


@pytest.mark.parametrize("count", [60, 400])
def test_intervals_of_means_cover(count: int) -> None:
    # Scores as in a game: a bonus in some of the hands in which there is the role, a loss in others.
    uniform = draws(1, 2 * count)
    there = (uniform[:, :count] < 0.7).astype(numpy.int64)
    scores = numpy.select([uniform[:, count:] < 0.4, uniform[:, count:] < 0.7], [60, -30], 12)
    found = [Ratio.of(x * n, n).mean() for x, n in zip(scores, there, strict=True)]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], 24 - 9 + 3.6) <= 0.97


def test_intervals_of_shares_of_choices_cover() -> None:
    # Choices of one hand hang together: half of the hands have many that are forced.
    uniform = draws(2, 300)
    number = 5 + (uniform[:, :150] * 20).astype(numpy.int64)
    forced = numpy.where(uniform[:, 150:] < 0.5, number // 2, 0)
    truth = sum(n // 2 for n in range(5, 25)) / 2 / sum(range(5, 25))
    found = [Ratio.of(x, n).share() for x, n in zip(forced, number, strict=True)]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], truth) <= 0.97


def test_intervals_of_shares_of_hands_cover() -> None:
    hits = (draws(3, 300) < 0.1).astype(numpy.int64)
    found = [Ratio.of(x, numpy.ones_like(x)).share() for x in hits]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], 0.1) <= 0.97


def test_intervals_of_paired_differences_cover_and_are_short() -> None:
    # What the deal brings is in both games; one pays 2 more in one hand of five in which there is the role.
    uniform = draws(4, 1500)
    deal = (uniform[:, :500] * 100).astype(numpy.int64)
    there = (uniform[:, 500:1000] < 0.8).astype(numpy.int64)
    more = 2 * (uniform[:, 1000:] < 0.2).astype(numpy.int64)
    pairs = [
        Pair.of((d * n, n), ((d + m) * n, n)) for d, n, m in zip(deal, there, more, strict=True)
    ]
    found = [pair.difference() for pair in pairs]
    assert 0.93 <= covered([f.low for f in found], [f.high for f in found], 0.4) <= 0.97
    apart = Pair(pairs[0].base, pairs[0].other).difference()
    assert found[0].high is not None and found[0].value is not None
    assert apart.high is not None and apart.value is not None
    assert 10 * (found[0].high - found[0].value) < apart.high - apart.value


def test_shares_of_skill_and_of_the_cards_cover() -> None:
    # Three seats: what the cards bring (3), what a strong player has more (2), and what else happens (4).
    random, players, deals, held = numpy.random.default_rng(6), 3, 150, []
    match = SimpleNamespace(winner="highest")
    measures = SimpleNamespace(
        compiled=SimpleNamespace(meaning=SimpleNamespace(game=SimpleNamespace(match=match)))
    )
    whole = 4 / players + 9 + 16
    for _ in range(600):
        cards = random.normal(0, 300, (deals, 1, players))
        scores = cards + random.normal(0, 400, (deals, players, players))
        plays = numpy.arange(players)
        scores[:, plays, -plays % players] += 200
        scores = scores.round().astype(numpy.int64).reshape(-1, players)
        frame: Any = SimpleNamespace(players=players, scores=scores, measures=measures)
        sums = {key: Ratio.of(x, n) for key, (x, n) in Skill().collect(frame).items()}
        skill = explained(sums["skill", "share"], deals, players)
        dealt = of_the_deal(sums["skill", "deal"], skill, players)
        held.append((skill, dealt, sums["skill", "ahead"].mean()))
    truths = (4 / players / whole, 9 / whole, 200)
    for number, truth in enumerate(truths):
        low, high = ([getattr(row[number], side) for row in held] for side in ("low", "high"))
        assert 0.93 <= covered(low, high, truth) <= 0.97, number


def test_few_units_make_intervals_wider() -> None:
    assert quantile(29) == pytest.approx(2.04523, abs=1e-5)
    assert quantile(99) == pytest.approx(1.98422, abs=1e-5)


def test_a_pair_is_the_mean_of_differences_where_all_hands_count() -> None:
    one, two = numpy.array([3, 8, -2, 5]), numpy.array([4, 8, 1, 9])
    n = numpy.ones(4, numpy.int64)
    differences = Ratio.of(two - one, n).mean()
    paired = Pair.of((one, n), (two, n)).difference()
    assert paired.value == differences.value
    assert paired.high == pytest.approx(differences.high)


def test_too_few_are_said_to_be_too_few() -> None:
    def ratio(count: int) -> Ratio:
        return Ratio.of(numpy.arange(count), numpy.ones(count, numpy.int64))

    assert not ratio(29).mean().enough
    assert ratio(30).mean().enough
    assert Ratio().mean() == Ratio().share() == Estimate(None, None, None, 0, False)
    never = Ratio.of(numpy.zeros(50, numpy.int64), numpy.full(50, 3)).share()
    assert (never.low, never.high) == (0.0, pytest.approx(0.0713, abs=1e-4))


def test_plots_have_room_for_every_interval() -> None:
    shown = [Estimate(3.0, 2.0, 4.1, 90, True), Estimate(-1.0, -1.5, -0.4, 90, True)]
    scale = scale_of([*shown, Estimate(900.0, 0.0, 999.0, 3, False)])
    assert scale.low <= -1.5 and 4.1 <= scale.high < 6
    drawn = mark(shown[1], scale)
    assert drawn is not None and drawn.left + drawn.width == pytest.approx(scale.at(0.0))
    assert mark(Estimate(900.0, 0.0, 999.0, 3, False), scale) is None


OWN = """\
metrics:
  - name: one_short
    title: Goals missed by one card
    expression: shortfall == 1
  - name: most
    expression: max(bid(chief), level_reached(team_goal[players], taken))
"""


def told_of(tmp_path: Path, *words: str) -> tuple[str, dict[str, Any]]:
    """The page and the figures of a playtest with these words in its call."""
    out = tmp_path / "report.html"
    call = ["playtest", *words, "--plain", "--workers", "1", "--out", str(out)]
    result = CliRunner().invoke(main, call, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    data = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    return out.read_text(encoding="utf-8"), data


def figures(data: dict[str, Any], title: str) -> dict[str, Any]:
    """The figures of a section by their labels."""
    section = next(section for section in data["sections"] if section["title"] == title)
    return {figure["label"]: figure for figure in section["figures"]}


def command_of(html: str) -> str:
    """The call that a page says it was made by, as it is copied."""
    (code,) = re.findall(r"Made by <code[^>]*>(.*?)</code>", html, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", code)).strip()


def needs_nothing_else(html: str) -> None:
    """The page opens offline, and is whole."""
    assert not re.search(r"""(src|href)=["'](?!#)|url\(|@import|<script""", html)
    assert "prefers-color-scheme: dark" in html and html.rstrip().endswith("</html>")
    assert not re.search(r"\b(None|nan|inf)\b", html)


def test_a_report_of_chief_and_vice(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(OWN, encoding="utf-8")
    call = ["chief-and-vice", "--hands", "120", "--ways", "sensible", "--metrics", str(own)]
    html, data = told_of(tmp_path, *call)
    needs_nothing_else(html)
    ways = figures(data, "How hands end")
    assert sum(way["value"] for way in ways.values()) == pytest.approx(1, abs=1e-5)
    assert ways["Played out"]["behind"] == data["hands"] >= 120
    assert {"Chief", "Vice", "Partner", "Opponents"} <= figures(data, "What each role earns").keys()
    cards = figures(data, "Where points come from: played out")["Cards: each player"]
    assert cards["value"] == 15  # 60 points in play, and 4 players
    values = figures(data, "Values of the scoring")
    assert values["Taken by the Chief's team"]["value"] < 60
    mine = figures(data, "Your own figures")
    assert 0 < mine["Goals missed by one card"]["value"] < 1
    assert (
        mine["most"]["value"] >= figures(data, "The winning bid")["Mean bid of the Chief"]["value"]
    )
    minutes = figures(data, "How long a match lasts")
    assert minutes["Minutes"]["value"] == pytest.approx(
        minutes["Decisions of all players"]["value"] * 3 / 60, abs=1e-5
    )
    assert "Skill and luck" in html and "too few" in html
    titles = [section["title"] for section in data["sections"]]
    assert len(set(titles)) == len(titles)


def test_a_comparison_shows_what_a_variant_changes(tmp_path: Path) -> None:
    call = ["chief-and-vice", "--set", "scoring.numbers.lost_per_card=30", "--against", "base"]
    html, data = told_of(tmp_path, *call, "--hands", "80", "--ways", "random", "--seed", "3")
    needs_nothing_else(html)
    assert command_of(html) == data["command"]
    assert "What differs" in html
    against = [
        figure for part in data["sections"] for figure in part["figures"] if "against" in figure
    ]
    # On a phone no heads of columns say which of two values is which.
    assert html.count('<i class="base" aria-hidden="true">') == len(against) > 0
    earns = figures(data, "What each role earns")["Chief"]
    gained = earns["value"] - earns["against"]["value"]
    assert gained < 0
    assert earns["difference"]["value"] == pytest.approx(gained, abs=1e-5)
    assert earns["difference"]["high"] - earns["difference"]["low"] < earns["high"] - earns["low"]
    goals = figures(data, "How often scoring rules act")[
        "Made: taken by the Chief's team ≥ team goal"
    ]
    assert [goals["difference"][key] for key in ("value", "low", "high")] == [0, 0, 0]
    assert data["against"] == "base" and data["hands"] == 80


def test_what_only_one_of_two_games_has_is_told_too(tmp_path: Path) -> None:
    call = ["chief-and-vice", "--variant", "no-stalemate", "--against", "base"]
    _, data = told_of(tmp_path, *call, "--hands", "80", "--ways", "random")
    stalemate = figures(data, "How hands end")["Stalemate"]
    assert stalemate["value"] is None and stalemate["against"]["behind"] == 80
    earns = figures(data, "Where points come from: played out")["Cards: each player"]
    assert earns["value"] == earns["against"]["value"] == 15
    titles = [section["title"] for section in data["sections"]]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("game", ["papayoo", "chicane", "indian-chief"])
def test_every_game_has_a_report(game: str, tmp_path: Path) -> None:
    hands = "4" if game == "indian-chief" else "40"
    html, data = told_of(tmp_path, game, "--hands", hands, "--ways", "random")
    needs_nothing_else(html)
    titles = [section["title"] for section in data["sections"]]
    assert len(set(titles)) == len(titles)
    assert "Who wins the match" in titles and "Forced choices" in titles


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ways", "clever"], "--ways: there is no way to play 'clever'"),
        (["--ways", "random,greedy"], "2 ways for 4 players"),
        (["--ways", "greedy:5"], "there is no way to play 'greedy:5'"),
        (["--ways", "monte-carlo:0"], "'0' hands to imagine"),
        (["--players", "9"], "is for 4, 5, 6 players, not 9"),
        (
            ["--against", "nowhere"],
            "--against: chief-and-vice has no variant 'nowhere'; there are base, no-stalemate, to-100",
        ),
        (["--ways", ""], "there is no way to play ''"),
        (["--cluster", "foo"], "'foo' is not an address of a Dask scheduler, such as tcp://"),
        (["--cluster", "dask://here"], "'dask://here' is not an address"),
        (["--against", "base"], "these are the same rules"),
        (["--out", "same.json"], "--out and --json name the same file"),
    ],
)
def test_wrong_calls_are_told(words: list[str], said: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        result = CliRunner().invoke(main, ["playtest", "chief-and-vice", "--plain", *words])
    assert result.exit_code == 2
    assert said in result.output
    assert not list(tmp_path.iterdir())


def test_who_breaks_off_is_told_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for resume, said in (
        (None, ""),
        (Path("run"), "what is finished is kept in run; the same call goes on from there\n"),
    ):
        with pytest.raises(KeyboardInterrupt), told_calmly(resume):
            raise KeyboardInterrupt
        assert capsys.readouterr().err == said


def test_skill_is_left_out_if_asked_for(tmp_path: Path) -> None:
    call = ["papayoo", "--hands", "40", "--ways", "sensible"]
    (_, told), (_, left_out) = told_of(tmp_path, *call), told_of(tmp_path, *call, "--no-skill")
    titles = [[section["title"] for section in data["sections"]] for data in (told, left_out)]
    assert [title for title in titles[0] if title not in titles[1]] == ["Skill and luck"]
    assert left_out["command"] == f"{told['command']} --no-skill"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "metrics:\n  - name: a\n    expression: shortfal\n",
            ":3:17: metrics[0].expression: 'shortfal' is not provided",
        ),
        (
            "metrics:\n  - name: a\n    expression: chief\n",
            ":3:17: metrics[0].expression: 'chief' is a player",
        ),
        ("metrics:\n  - name: A\n    expression: '1'\n", ":2:11: metrics[0].name:"),
        ("metrics:\n  - name: a\n", ":2:5: metrics[0]: missing key 'expression'"),
        ("metrics: []\n", ":1:10: metrics:"),
        (
            "metrics:\n  - {name: a, expression: taken}\n  - {name: a, expression: goal}\n",
            ":3:12: metrics[1].name: the name 'a' is taken",
        ),
    ],
)
def test_wrong_figures_of_ones_own_are_told_with_their_place(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    found = Report()
    checked(read_own(path, found), compiled("chief-and-vice").meaning, found)
    assert any(f"{path}{said}" in problem.render() for problem in found.problems), found.problems


def test_figures_of_ones_own_that_are_wrong_stop_the_command(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("metrics:\n  - {name: a, expression: nothing_such}\n", encoding="utf-8")
    out = tmp_path / "report.html"
    call = ["playtest", "chief-and-vice", "--metrics", str(path), "--out", str(out)]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 1
    assert "'nothing_such' is not provided" in result.output
    assert not out.exists()


@pytest.mark.slow
def test_a_report_is_the_same_compiled_and_plain(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")
    found = []
    for number, words in enumerate((["--plain", "--workers", "1"], ["--workers", "2"])):
        out = tmp_path / f"{number}.html"
        call = ["playtest", "chief-and-vice", "--hands", "60", "--ways", "monte-carlo:5"]
        result = CliRunner().invoke(main, [*call, *words, "--out", str(out)])
        assert result.exit_code == 0, result.output
        found.append((out.read_bytes(), out.with_suffix(".json").read_bytes()))
    assert found[0] == found[1]
