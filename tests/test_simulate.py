"""``trickwright simulate``: many hands by chance, what is counted, and the files."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import engine
from trickwright_tools import simulation, simulation_text
from trickwright_tools.cli import main
from trickwright_tools.estimates import Running, wilson
from trickwright_tools.simulation import Plan, Summary, run
from trickwright_tools.styles import steady
from trickwright_tools.whole_file import Unwritable, check_writable, whole_file

GAME = "chief-and-vice"


def simulate(*options: str) -> Result:
    return CliRunner().invoke(main, ["simulate", GAME, *options])


def outputs(folder: Path, *options: str) -> tuple[list[dict[str, str]], dict[str, Any]]:
    rows, told = folder / "hands.csv", folder / "told.json"
    result = simulate("--csv", str(rows), "--json", str(told), *options)
    assert result.exit_code == 0, result.output
    with rows.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)), json.loads(told.read_text(encoding="utf-8"))


@pytest.mark.parametrize("style", ["random", "steady"])
def test_a_seed_gives_the_same_hands_again_and_another_seed_others(
    tmp_path: Path, style: str
) -> None:
    written = []
    for number, seed in enumerate((5, 5, 6)):
        (folder := tmp_path / str(number)).mkdir()
        outputs(folder, "--hands", "60", "--seed", str(seed), "--style", style)
        written.append([(folder / name).read_bytes() for name in ("hands.csv", "told.json")])
    assert written[0] == written[1]
    assert written[0][0] != written[2][0]


def test_a_hand_is_the_same_however_many_are_played(tmp_path: Path) -> None:
    few, _ = outputs(tmp_path, "--hands", "20")
    many, _ = outputs(tmp_path, "--hands", "50")
    in_matches, _ = outputs(tmp_path, "--matches", "2", "--set", "match.until=1000")
    assert many[:20] == few
    first = [row for row in in_matches if row["match"] == "1"][:20]
    assert [row["score_1"] for row in first] == [row["score_1"] for row in few[: len(first)]]


def test_the_matches_of_a_run_have_cards_of_their_own(tmp_path: Path) -> None:
    options = ("--matches", "3", "--max-hands", "40", "--set", "match.until=1000")
    rows, _ = outputs(tmp_path, *options)
    played = [[row[key] for key in row if key.startswith(("score", "dec"))] for row in rows]
    threes = [tuple(map(tuple, played[place : place + 3])) for place in range(len(played) - 2)]
    assert len(rows) > 60
    assert len({*threes}) == len(threes)


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_summary_is_what_the_rows_add_up_to(tmp_path: Path, players: int) -> None:
    rows, told = outputs(tmp_path, "--hands", "150", "--players", str(players), "--style", "steady")
    assert len(rows) == told["hands"] == 150
    assert told["decisions"] == sum(int(row["decisions"]) for row in rows)
    counts = Counter(row["outcome"] for row in rows)
    assert {name: one["hands"] for name, one in told["outcomes"].items() if one["hands"]} == counts
    assert sum(one["hands"] for one in told["outcomes"].values()) == 150
    assert len(told["scores"]) == players
    for seat, one in enumerate(told["scores"], 1):
        scores = [int(row[f"score_{seat}"]) for row in rows]
        assert (one["sum"], one["min"], one["max"]) == (sum(scores), min(scores), max(scores))
        assert one["mean"] == pytest.approx(mean(scores), abs=1e-5)
        assert one["half_width"] == pytest.approx(1.96 * stdev(scores) / 150**0.5, rel=1e-3)


def test_the_deal_goes_round(tmp_path: Path) -> None:
    rows, _ = outputs(tmp_path, "--hands", "6", "--players", "5")
    assert [row["dealer"] for row in rows] == ["1", "2", "3", "4", "5", "1"]


def test_a_dealer_who_sits_out_scores_nothing_and_has_no_role() -> None:
    made = engine("mue", ("dealer-sits-out",))
    plan = Plan(players=6, seed=3, style="steady", hands=120, matches=None, max_hands=1)
    chiefs, scorers = set(), set()
    for result in run(made, plan):
        assert result.dealer == result.hand % 6
        assert result.scores[result.dealer] == 0 and result.dealer not in result.roles
        chiefs.add(result.roles[0])
        scorers |= {seat for seat, score in enumerate(result.scores) if score}
    assert chiefs == {-1, *range(6)} and scorers == {*range(6)}


def test_every_hand_that_is_played_out_has_its_roles(tmp_path: Path) -> None:
    _, told = outputs(tmp_path, "--hands", "150", "--style", "steady")
    for counts in told["roles"].values():
        assert sum(counts["by_seat"]) + counts["nobody"] == 150
    assert sum(told["roles"]["chief"]["by_seat"]) == told["outcomes"]["played"]["hands"] > 0
    assert sum(told["roles"]["partner"]["by_seat"]) == told["outcomes"]["played"]["hands"]


def test_matches_end_when_somebody_has_won(tmp_path: Path) -> None:
    rows, told = outputs(tmp_path, "--matches", "30", "--set", "match.until=20")
    matches: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        matches.setdefault(row["match"], []).append(row)
    assert len(matches) == told["matches"]["finished"] == 30
    wins: Counter[int] = Counter()
    for hands in matches.values():
        totals = [0] * 4
        for place, row in enumerate(hands):
            totals = [total + int(row[f"score_{seat}"]) for seat, total in enumerate(totals, 1)]
            assert totals == [int(row[f"total_{seat}"]) for seat in range(1, 5)]
            won = max(totals) >= 20 and totals.count(max(totals)) == 1
            assert won == (place == len(hands) - 1)
        wins[totals.index(max(totals)) + 1] += 1
    assert {one["seat"]: one["matches"] for one in told["matches"]["winners"]} == {
        seat: wins[seat] for seat in range(1, 5)
    }
    assert told["matches"]["hands_of_finished"]["sum"] == len(rows)


def test_matches_that_were_cut_off_are_said_to_be_unfinished(tmp_path: Path) -> None:
    options = ("--matches", "8", "--max-hands", "2", "--set", "match.until=1000")
    rows, told = outputs(tmp_path, *options)
    assert len(rows) == 16
    assert (told["matches"]["finished"], told["matches"]["unfinished"]) == (0, 8)
    assert [one["matches"] for one in told["matches"]["winners"]] == [0, 0, 0, 0]
    text = simulate(*options).stdout
    assert "unfinished" in text
    assert "cut off after 2 hands" in text
    assert "Won by" not in text


def test_the_page_fits_a_terminal() -> None:
    result = simulate("--hands", "40", "--players", "6", "--variant", "to-100")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    for word in ("played out", "stalemate", "seat 6", "Chief", "with to-100", "decisions/s"):
        assert word in result.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--players", "3"), "4, 5, 6 players, not 3"),
        (("--hands", "0"), "--hands"),
        (("--matches", "-1"), "--matches"),
        (("--hands", "5", "--matches", "5"), "not both"),
        (("--csv", "/no/such/folder/x.csv"), "/no/such/folder/x.csv cannot be written"),
        (("--csv", "/dev/null"), "not an ordinary file"),
        (("--csv", "same", "--json", "./same"), "same file"),
        (("--variant", "to-10"), "to-100"),
        (("--set", "match.untill=3"), "match.until"),
    ],
)
def test_a_wrong_call_is_explained(options: tuple[str, ...], said: str) -> None:
    result = simulate(*options)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_an_interrupted_run_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hands.csv"
    path.write_text("old")
    add, seen = simulation_text.Rows.add, []

    def stop(self: simulation_text.Rows, result: simulation.Result) -> None:
        seen.append(result)
        add(self, result)
        if len(seen) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(simulation_text.Rows, "add", stop)
    result = simulate("--hands", "10", "--csv", str(path))
    assert result.exit_code == 130
    assert [entry.name for entry in tmp_path.iterdir()] == ["hands.csv"]
    assert path.read_text() == "old"


def test_a_whole_file_replaces_the_old_one_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    with whole_file(path) as file:
        file.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    with pytest.raises(Unwritable), whole_file(tmp_path):
        pass


def test_whether_a_file_can_be_written_is_seen_without_writing_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    check_writable(path)
    assert not [*tmp_path.iterdir()]
    path.write_text("old")
    check_writable(path)
    assert [*tmp_path.iterdir()] == [path] and path.read_text() == "old"
    with pytest.raises(Unwritable, match="is not an ordinary file"):
        check_writable(tmp_path)
    with pytest.raises(Unwritable, match="cannot be written"):
        check_writable(path / "below")
    try:
        (tmp_path / "circle").symlink_to(tmp_path / "circle")
    except OSError:
        return  # no links here
    with pytest.raises(Unwritable, match="links in a circle"):
        check_writable(tmp_path / "circle")
    assert (tmp_path / "circle").is_symlink()


def test_hands_are_counted_without_being_kept() -> None:
    """The run is an iterator, and what the summary keeps does not grow."""
    game = engine(GAME)
    plan = Plan(players=4, seed=1, style="random", hands=300, matches=None, max_hands=1000)
    summary = Summary(game.RULES, plan)
    sizes = set()
    for result in simulation.run(game, plan):
        summary.add(result)
        sizes.add(len(summary.outcomes) + len(summary.scores) + len(summary.roles))
    assert summary.hands == 300
    assert len(sizes) == 1


def test_steady_players_end_a_turn_half_of_the_time() -> None:
    rules = engine(GAME).RULES
    auction = next(phase for phase in rules.phases if phase.closes >= 0)
    closing = 1 << auction.closes
    random = rules.stream(3, 0)
    chosen = Counter(steady(rules, auction, random, closing | 0b111) for _ in range(4000))
    assert chosen[auction.closes] == pytest.approx(2000, abs=150)
    assert {chosen[0], chosen[1], chosen[2]} <= {*range(550, 790)}
    assert steady(rules, auction, random, closing) == auction.closes
    assert steady(rules, auction, random, 0b100) == 2


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 100, 0.0018, 0.0545),
    ],
)
def test_shares_have_the_intervals_of_wilson(
    hits: int, count: int, low: float, high: float
) -> None:
    assert list(wilson(hits, count)) == pytest.approx([low, high], abs=1e-4)


def test_one_number_says_nothing_about_the_spread() -> None:
    running = Running()
    running.add(-7)
    assert (running.mean, running.least, running.most, running.half_width) == (-7, -7, -7, None)
    running.add(-7)
    assert running.half_width == 0
