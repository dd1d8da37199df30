"""Many hands, in chunks: each chunk is played by itself, so that many cores, a run broken off and a run begun anew all give the same.

A chunk's hands are handed to a function that makes something small of them, which is all that is kept; so what a run takes of
memory does not grow with the number of hands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

from trickwright.compile import compile_game
from trickwright.decks import decks
from trickwright.game_files import read_game
from trickwright.places import find_game
from trickwright.problems import Report
from trickwright_tools.players.cluster import here, in_processes, on_dask
from trickwright_tools.players.minds import learn
from trickwright_tools.players.playing import WAYS, Playing, with_players

Made = TypeVar("Made")

LOG_SIZE = 512
"""Numbers in the log of a hand: how many decisions it had, and as many of them as fit."""
LONGEST_MATCH = 1000
"""Hands beyond the last of a chunk in which its last match may still come to its end."""


@dataclass(frozen=True)
class Table:
    """Who plays what: a game with its variants and changed values, and the way that each member of the table plays.

    ``budgets`` are the hands that each imagines for a decision; only Monte Carlo players use them. Every deal is played
    ``each`` times in a row, and the ways move on by a seat every time. ``learned`` are the changed values with which the players
    learned the game, if not with these. Where ``sits_out`` the rules have the dealer sit out at a table of this size, so hands are
    of one player fewer.
    """

    game: str
    variants: tuple[str, ...]
    sets: tuple[str, ...]
    ways: tuple[str, ...]
    budgets: tuple[int, ...]
    seed: int = 0
    each: int = 1
    in_matches: bool = False
    fast: bool | None = None
    learned: tuple[str, ...] | None = None
    sits_out: bool = False

    @property
    def members(self) -> int:
        """How many sit at the table."""
        return len(self.ways)

    @property
    def players(self) -> int:
        """How many play a hand."""
        return len(self.ways) - self.sits_out


@dataclass(frozen=True)
class Chunk:
    """Hands that were played, a row each; what the rows hold is told by ``_play_table`` of the engine.

    Of the rows ``count`` belong to the chunk; those behind them only finish its last match.
    """

    playing: Playing
    table: Table
    first: int
    count: int
    openings: Any
    finals: Any
    logs: Any
    ends: Any


@cache
def playing_of(
    game: str, variants: tuple[str, ...], sets: tuple[str, ...], fast: bool | None
) -> Playing:
    """The engine with its players, made once in each process; ValueError with the problems if the rules have any."""
    report = Report()
    folder = find_game(game, report)
    files = read_game(folder, report) if folder else None
    compiled = compile_game(files, variants, sets, report) if files else None
    if compiled is None:
        raise ValueError("\n".join(problem.render() for problem in report.problems))
    return with_players(compiled, fast=fast)


@cache
def mind_of(
    game: str, variants: tuple[str, ...], sets: tuple[str, ...], players: int, fast: bool | None
) -> list[int]:
    """What players at a table of this size have learned of the game, once in each process."""
    return learn(playing_of(game, variants, sets, fast), players)


def play_chunk(table: Table, first: int, count: int) -> Chunk:
    """Play hands number ``first`` and on."""
    rules = table.game, table.variants, table.sets
    playing = playing_of(*rules, table.fast)
    if set(table.ways) == {"random"}:  # who plays by chance needs to learn nothing
        mind = [0] * playing.engine._MIND_SIZE
    else:
        mind = _mind(table, playing.engine._MIND_SIZE)
    room = count + (LONGEST_MATCH if table.in_matches else 0)
    size, members = playing.engine.SIZE, table.members
    openings, finals = playing.rows(room, size), playing.rows(room, size)
    logs, ends = playing.rows(room, LOG_SIZE), playing.rows(room, 1 + members)
    rows = playing.functions["_play_table"](
        table.seed,
        first,
        count,
        table.each,
        members,
        table.in_matches,
        playing.numbers([WAYS.index(way) for way in table.ways]),
        playing.numbers(table.budgets),
        playing.numbers(mind),
        playing.work(),
        openings,
        finals,
        logs,
        ends,
    )
    return Chunk(
        playing, table, first, count, openings[:rows], finals[:rows], logs[:rows], ends[:rows]
    )


def _mind(table: Table, size: int) -> list[int]:
    """What the players know. What they learned of a game with other cards or bids is of another size, and no use."""
    if table.learned is not None:
        mind = mind_of(table.game, table.variants, table.learned, table.players, table.fast)
        if len(mind) == size:
            return mind
    return mind_of(table.game, table.variants, table.sets, table.players, table.fast)


def _played(table: Table, reduce: Callable[[Chunk], Made], first: int, count: int) -> Made:
    return reduce(play_chunk(table, first, count))


def files_of(game: str) -> str:
    """A fingerprint of the files of a game and of the decks beside it; empty if there is no such game here."""
    folder = find_game(game, Report())
    if folder is None:
        return ""
    made = hashlib.sha256()
    for path in (*sorted(folder.rglob("*.yaml")), *decks(folder).values()):
        made.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()


def in_chunks(
    table: Table,
    hands: int,
    reduce: Callable[[Chunk], Made],
    *,
    size: int,
    workers: int = 1,
    cluster: str = "",
    finished: Collection[int] = (),
) -> Iterator[tuple[int, Made]]:
    """Play so many hands in chunks of a size; gives each chunk's first hand and what ``reduce`` made of it, as they come.

    ``finished`` are first hands of chunks that need not be played again. With several workers, or with a ``cluster`` (the
    address of a Dask scheduler), ``reduce`` must be a function that another process can import, and chunks come in any order.
    """
    done = set(finished)
    tasks = (
        (first, min(size, hands - first)) for first in range(0, hands, size) if first not in done
    )
    play = partial(_played, table, reduce)
    if cluster:
        return on_dask(tasks, play, cluster, rules=partial(files_of, table.game))
    return here(tasks, play) if workers == 1 else in_processes(tasks, play, workers)
