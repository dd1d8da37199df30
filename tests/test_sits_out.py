"""Tables at which the dealer sits out: matches of members, hands of one player fewer, and figures of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import engine
from trickwright_tools.cli import main
from trickwright_tools.players.batches import Chunk, Table, in_chunks, play_chunk

pytestmark = pytest.mark.usefixtures("quick_players")

RULES = "mue", ("dealer-sits-out",), ()
MIXED = ("greedy", "random", "sensible", "random", "random", "greedy")
CALL = ["mue", "--variant", "dealer-sits-out", "--players", "6"]


def table(ways: tuple[str, ...], **more: Any) -> Table:
    """A table without numba."""
    told: dict[str, Any] = {"seed": 5, "fast": False, **more}
    return Table(*RULES, ways, (0,) * len(ways), **told)


@pytest.mark.parametrize("change", ["6: dealer", "6: dealer, 4: dealer"])
def test_a_match_goes_on_as_the_engine_has_it(change: str) -> None:
    sets = (f"match.sits_out={{{change}}}",)
    made = engine("mue", (), sets)
    for members in (6, 4) if "4" in change else (6,):
        at = Table("mue", (), sets, ("random",) * members, (0,) * members, 5, fast=False)
        chunk = play_chunk(Table(**{**vars(at), "in_matches": True, "sits_out": True}), 0, 30)
        own, match, matches = chunk.playing.engine, made.Match(members), 0
        for final, end in zip(chunk.finals, chunk.ends, strict=True):
            seats, dealer = made.RULES.at_table(members, match.dealer)
            assert len(seats) == final[own.PLAYERS] == members - 1
            assert final[own.DEALER] == dealer
            assert final[own.HAND_NUMBER] == match.hands_played + 1
            scores = {match.players[seat]: final[own.SCORE + n] for n, seat in enumerate(seats)}
            match.end_hand(scores)
            assert end[1:] == list(match.totals.values())
            assert [match.players[n] for n in range(members) if end[0] >> n & 1] == match.winners
            if match.over:
                match, matches = made.Match(members), matches + 1
            else:
                match.deal()
        assert matches > 1 and not match.finished


def test_each_member_plays_in_the_own_way() -> None:
    for deal in range(6):
        # The dealer of a hand of five is then the one who has the dealer's part.
        playing = tuple(way for member, way in enumerate(MIXED) if member != deal % 6)
        six = play_chunk(table(MIXED, sits_out=True), deal, 1)
        five = play_chunk(table(playing), deal, 1)
        assert six.finals == five.finals
        assert six.logs == five.logs


def ends_of(chunk: Chunk) -> list[list[int]]:
    """How hands ended, and matches."""
    return [[*end, *final] for end, final in zip(chunk.ends, chunk.finals, strict=True)]


def test_hands_do_not_depend_on_workers() -> None:
    at = table(MIXED, sits_out=True, in_matches=True)
    one, two = (dict(in_chunks(at, 24, ends_of, size=8, workers=n)) for n in (1, 2))
    assert len(one) == 3
    assert one == two


def test_hands_are_the_same_compiled_and_plain() -> None:
    pytest.importorskip("numba", reason="numba is not installed: 'fast' is optional")
    rows = []
    for fast in (False, True):
        chunk = play_chunk(table(MIXED, sits_out=True, in_matches=True, fast=fast), 0, 12)
        rows.append([[int(value) for value in row] for row in ends_of(chunk)])
    assert rows[0] == rows[1]


def told(tmp_path: Path, *words: str) -> dict[str, Any]:
    """The figures of a playtest."""
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    out = tmp_path / "report.html"
    call = ["playtest", *CALL, "--plain", "--ways", "random", "--hands", "120", *words]
    result = CliRunner().invoke(main, [*call, "--out", str(out)])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def values(found: dict[str, Any], start: str) -> dict[str, float]:
    """The figures whose names begin so."""
    figures = [one for section in found["sections"] for one in section["figures"]]
    return {one["key"]: one["value"] for one in figures if one["key"].startswith(start)}


def test_a_playtest_tells_of_all_members(tmp_path: Path) -> None:
    found = told(tmp_path)
    assert found["players"] == 6
    assert "6 players, of whom the dealer sits out" in found["what"]
    won = values(found, "matches.won.")
    assert [*won] == [f"matches.won.{seat}" for seat in range(1, 7)]
    assert sum(won.values()) >= 1 - 1e-6
    places = values(found, "seats.")
    assert [*places] == [f"seats.{place}" for place in range(1, 6)]
    assert sum(places.values()) == pytest.approx(0, abs=1e-4)
    again = told(tmp_path, "--workers", "2")
    assert again == found


def test_skill_is_told_of_those_who_play(tmp_path: Path) -> None:
    found = told(tmp_path, "--ways", "sensible", "--workers", "1")
    five = told(tmp_path, "--players", "5", "--ways", "sensible", "--workers", "1")
    assert values(found, "skill.") == values(five, "skill.") != {}


def test_the_dealer_who_sits_out_is_held_against_one_who_plays(tmp_path: Path) -> None:
    found = told(tmp_path, "--against", "base", "--workers", "1")
    figures = [one for section in found["sections"] for one in section["figures"]]
    places = {one["key"]: one for one in figures if one["key"].startswith("seats.")}
    assert [*places] == [f"seats.{place}" for place in range(6)]
    assert [one["value"] is None for one in places.values()] == [True] + [False] * 5
    assert all(one["against"]["value"] is not None for one in places.values())


def test_numbers_are_swept_and_tuned_there(tmp_path: Path) -> None:
    found = told(tmp_path, "--sweep", "match.until=100,300", "--show", "matches.hands")
    (row,) = found["figures"]
    short, long = (point["value"] for point in row["points"])
    assert short < row["base"]["value"] < long
    pytest.importorskip("scipy", reason="scipy is not installed: the extra 'tune' is optional")
    call = ["tune", "matches.hands=4", "match.until=125..135", "--plain", "--ways", "random"]
    call[1:1] = CALL[:1]
    result = CliRunner().invoke(main, [*call, *CALL[1:], "--hands", "300", "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "match.until=" in result.output


def test_a_tournament_is_that_of_those_who_play(tmp_path: Path) -> None:
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' has it")
    found = []
    for players, workers in (("6", "1"), ("5", "1"), ("6", "2")):
        path = tmp_path / "t.json"
        call = ["tournament", *CALL[:-1], players, "--enter", "greedy", "--enter", "random"]
        call += ["--hands", "20", "--workers", workers, "--json", str(path)]
        result = CliRunner().invoke(main, call)
        assert result.exit_code == 0, result.output
        assert ("6 players, of whom the dealer sits out" in result.output) == (players == "6")
        found.append(json.loads(path.read_text(encoding="utf-8")))
    assert [one.pop("players") for one in found] == [6, 5, 6]
    assert found[0] == found[1] == found[2]
