"""Players: the same choices compiled and plain, for any cut into chunks; imagined deals fit; each way to play beats the one before."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from conftest import compiled
from trickwright.places import home
from trickwright_tools.estimates import Running
from trickwright_tools.players import minds
from trickwright_tools.players.batches import Chunk, Table, in_chunks, play_chunk
from trickwright_tools.players.playing import WAYS, Playing, with_players

GAMES = ["chief-and-vice", "mue", "papayoo", "chicane", "indian-chief"]


pytestmark = pytest.mark.usefixtures("quick_players")


@pytest.fixture(scope="module", params=GAMES)
def playing(request: Any) -> Playing:
    """An engine with its players, in plain Python."""
    return with_players(compiled(request.param, ()), fast=False)


def table(game: str, *ways: str, **more: Any) -> Table:
    """A table without numba."""
    budgets = tuple(8 if way == "monte-carlo" else 0 for way in ways)
    told: dict[str, Any] = {"seed": 5, "fast": False, **more}
    return Table(game, (), (), ways, budgets, **told)


def rows(found: Any) -> list[list[int]]:
    """Rows of numbers as plain lists."""
    return [[int(value) for value in row] for row in found]


def beginnings(playing: Playing, count: int) -> Iterator[tuple[Any, Any]]:
    """Hands somewhere in the middle, and the streams that brought them there."""
    engine = playing.engine
    for number in range(count):
        players = engine.RULES.players[number % len(engine.RULES.players)]
        hand = engine.Hand(players, dealer=number % players, seed=3, number=number)
        stream = engine.stream(4, number)
        for _ in range(random.Random(number).randrange(30)):
            if not hand.over:
                hand.apply(random.Random(number).choice(hand.legal_actions()))
        if not hand.over:
            yield hand, stream


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is a tool of developers")
def test_what_is_put_behind_an_engine_is_as_tidy_as_the_engine(
    playing: Playing,
) -> None:
    path = Path(str(playing.engine.__file__))
    settings = str(home() / "pyproject.toml")
    for command in (["format", "--check"], ["check"]):
        call = [sys.executable, "-m", "ruff", *command, "--config", settings, str(path)]
        found = subprocess.run(call, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout


def test_an_imagined_hand_looks_the_same_to_who_imagines_it(playing: Playing) -> None:
    engine, changed = playing.engine, 0
    for hand, stream in beginnings(playing, 40):
        for viewer, name in enumerate(hand.players):
            made = hand.clone()
            room = [0] * engine._ROOM
            engine._imagine(made.state, viewer, stream, room)
            wanted, seen = hand.view(name), made.view(name)
            assert {**seen, "actions": 0} == {**wanted, "actions": 0}
            held = slice(engine.HAND, engine.HAND + len(hand.players))
            changed += made.state[held] != hand.state[held]
            for seat in range(len(hand.players)):
                lacked = engine.lacked_cards(hand.state, seat)
                known = engine.known_cards(hand.state, viewer, seat)
                assert not made.state[engine.HAND + seat] & lacked & ~known or seat == viewer
    assert changed > 20


def test_mixing_keeps_what_players_lack(playing: Playing) -> None:
    engine = playing.engine
    for hand, stream in beginnings(playing, 20):
        made = hand.clone()
        engine._imagine_mixed(made.state, 0, stream)
        assert made.state[engine.HAND] == hand.state[engine.HAND]
        together = 0
        for seat in range(len(hand.players)):
            cards = made.state[engine.HAND + seat]
            assert cards.bit_count() == hand.state[engine.HAND + seat].bit_count()
            lacked = engine.lacked_cards(hand.state, seat) & ~hand.state[engine.HAND + seat]
            assert not cards & lacked
            together |= cards
        assert together.bit_count() == sum(
            hand.state[engine.HAND + seat].bit_count() for seat in range(len(hand.players))
        )


def test_choices_do_not_follow_from_what_is_hidden(playing: Playing) -> None:
    engine, tried = playing.engine, 0
    mind: dict[int, list[int]] = {}
    for hand, stream in beginnings(playing, 15):
        players, viewer = len(hand.players), hand.state[engine.TO_MOVE]
        if players not in mind:
            mind[players] = minds.learn(playing, players)
        other = list(hand.state)
        engine._imagine(other, viewer, stream, [0] * engine._ROOM)
        for way in range(len(WAYS)):
            chosen = []
            for state in (list(hand.state), list(other)):
                if engine._BIDDING_UNTIL:
                    engine._consider(state, mind[players])
                work = playing.work()
                chosen.append(engine._decide(state, [77, 1], mind[players], way, 6, work))
            assert chosen[0] == chosen[1], WAYS[way]
            assert engine.legal(hand.state) >> chosen[0] & 1
        tried += 1
    assert tried > 6


def test_tricks_played_out_at_once_are_those_of_one_card_after_the_other(playing: Playing) -> None:
    engine, played = playing.engine, 0
    for name in [name for name in dir(engine) if name.endswith("_play_out")]:
        phase = getattr(engine, f"IN{name.removesuffix('_play_out').upper()}")
        for number in range(120):
            players = engine.RULES.players[number % len(engine.RULES.players)]
            state = list(engine.Hand(players, dealer=0, seed=6, number=number).state)
            stream = engine.stream(8, number)
            while state[engine.PHASE] not in (phase, engine.OVER):
                engine.apply(state, engine.pick(stream, engine.legal(state)))
            for _ in range(number % 40 if state[engine.PHASE] == phase else 0):  # also amid a trick
                if state[engine.PHASE] == phase:
                    engine.apply(state, engine.pick(stream, engine.legal(state)))
            if state[engine.PHASE] != phase:
                continue
            stepped, at_once, again = list(state), list(state), list(stream)
            while stepped[engine.PHASE] == phase:
                engine.apply(stepped, engine.pick(stream, engine.legal(stepped)))
            getattr(engine, name)(at_once, again)
            for field in {"VOIDS", "TRICK_CARD"} & {*dir(engine)}:  # what nobody looks at
                begin = getattr(engine, field)
                at_once[begin : begin + engine._SEATS] = stepped[begin : begin + engine._SEATS]
            assert at_once == stepped
            assert again == stream
            played += 1
    assert played > 10 or not hasattr(engine, "IN_TRICKS")


def test_hands_do_not_depend_on_chunks_or_workers() -> None:
    at = table("papayoo", "sensible", "greedy", "random", each=3)
    runs = []
    for size, workers in ((30, 1), (7, 1), (11, 2)):
        found = dict(in_chunks(at, 30, finals_of, size=size, workers=workers))
        runs.append([row for first in sorted(found) for row in found[first]])
    assert len(runs[0]) == 30
    assert runs[0] == runs[1] == runs[2]


def finals_of(chunk: Chunk) -> list[list[int]]:
    """How the hands ended."""
    return rows(chunk.finals)


def test_finished_chunks_are_left_out() -> None:
    at = table("papayoo", "random", "random", "random")
    found = dict(in_chunks(at, 30, finals_of, size=10, finished=[0, 20]))
    assert list(found) == [10]


def test_every_deal_is_played_from_every_seat() -> None:
    chunk = play_chunk(table("papayoo", "greedy", "random", "random", each=3), 0, 6)
    engine = chunk.playing.engine
    hands = [row[engine.HAND : engine.HAND + 3] for row in rows(chunk.openings)]
    assert hands[0] == hands[1] == hands[2] != hands[3] == hands[4] == hands[5]


def test_matches_are_played_to_their_end() -> None:
    chunk = play_chunk(table("chicane", "random", "random", in_matches=True), 0, 20)
    engine = chunk.playing.engine
    ends, finals = rows(chunk.ends), rows(chunk.finals)
    assert len(ends) == 24
    assert [bool(row[0]) for row in ends] == [number % 8 == 7 for number in range(24)]
    assert [row[engine.HAND_NUMBER] for row in finals] == [*range(1, 9)] * 3
    for number in (7, 15, 23):
        scores = [
            sum(row[engine.SCORE + seat] for row in finals[number - 7 : number + 1])
            for seat in range(2)
        ]
        assert ends[number][1:] == scores
        best = max(scores)
        assert ends[number][0] == sum(1 << seat for seat in range(2) if scores[seat] == best)


def test_logs_tell_what_was_chosen() -> None:
    chunk = play_chunk(table("chicane", "random", "random", "random"), 0, 3)
    engine = chunk.playing.engine
    for opening, final, log in zip(
        rows(chunk.openings), rows(chunk.finals), rows(chunk.logs), strict=True
    ):
        state = list(opening)
        for entry in log[1 : 1 + log[0]]:
            phase, player = entry >> 18, entry >> 14 & 15
            action, options = entry >> 7 & 127, entry & 127
            assert (phase, player) == (state[engine.PHASE], state[engine.TO_MOVE])
            assert options == engine.legal(state).bit_count()
            engine.apply(state, action)
        assert state == final


def advantage(at: Table, hands: int) -> Running:
    """By how much the first way to play is ahead of the others, over all its seats."""
    chunk = play_chunk(at, 0, hands)
    engine, players = chunk.playing.engine, at.players
    found = Running()
    for number, row in enumerate(rows(chunk.finals)):
        found.add(engine._ahead_by(row, -number % players))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_each_way_to_play_beats_the_one_before(game: str) -> None:
    hands = 90 if game == "indian-chief" else 1200
    for better, worse in (("sensible", "random"), ("greedy", "sensible")):
        at = table(game, better, worse, worse, each=3)
        found = advantage(at, hands)
        assert found.half_width is not None
        assert found.mean - found.half_width > 0, (game, better, found)


def test_who_imagines_hands_melds_better_than_who_is_greedy() -> None:
    at = replace(table("indian-chief", "monte-carlo", "greedy", each=2), budgets=(4, 0))
    found = advantage(at, 40)
    assert found.half_width is not None
    assert found.mean - found.half_width > 0, found


FAST_GAMES = [
    "chief-and-vice",
    *(pytest.param(game, marks=pytest.mark.slow) for game in ("mue", "papayoo", "chicane")),
]
"""To compile takes longest by far."""


@pytest.mark.parametrize("game", FAST_GAMES)
def test_players_choose_the_same_compiled_and_plain(game: str) -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")
    for ways in (("monte-carlo", "greedy", "sensible", "random"), ("greedy",) * 4):
        for in_matches in (False, True):
            played = []
            for fast in (False, True):
                at = table(game, *ways, fast=fast, in_matches=in_matches, each=4)
                chunk = play_chunk(at, 0, 6)
                played.append(
                    [rows(part) for part in (chunk.openings, chunk.finals, chunk.logs, chunk.ends)]
                )
            assert played[0] == played[1]
    at = table(game, "monte-carlo", "greedy", "greedy", "greedy", fast=True, each=4)
    found = advantage(replace(at, budgets=(60, 0, 0, 0)), 800)
    assert found.half_width is not None
    assert found.mean - found.half_width > 0


def test_a_deck_that_is_too_large_for_numba_is_played_in_plain_python() -> None:
    made = with_players(compiled("indian-chief", ()))
    assert not made.is_fast
    with pytest.raises(ValueError, match="104 cards do not fit"):
        with_players(compiled("indian-chief", ()), fast=True)
