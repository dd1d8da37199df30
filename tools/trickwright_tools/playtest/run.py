"""Playing for a playtest: the runs it needs, chunk by chunk, down to the sums that its figures follow from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from trickwright_tools.players.batches import Chunk, Table, in_chunks, play_chunk
from trickwright_tools.players.kept import Kept
from trickwright_tools.playtest.measures import frame_of, measures_of
from trickwright_tools.playtest.metrics import all_metrics
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.ratios import Key, Pair, Ratio, merged, plain_of, sums_of

CHUNK, SLOW_CHUNK = 1000, 250
"""Hands of a chunk; fewer where players imagine hands for each decision."""
Reduce = Callable[[Chunk], tuple[int, dict[Key, Any]]]
Progress = Callable[[str, int, int], None]
"""Told how far it is: what is being done, hands done, hands in all; these are 0 for what is no run of hands."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: hands in matches at ``table``, and the same against another game on the same deals if there is one.

    ``weak`` is how the others play in the run that tells skill from luck; there is no such run if it is empty. ``cluster`` is the
    address of a Dask scheduler, ``kept`` the file of finished chunks; both change nothing in what comes out.
    """

    table: Table
    hands: int
    against: Table | None = None
    weak: str = ""
    own: tuple[Own, ...] = ()
    workers: int = 1
    cluster: str = ""
    kept: Kept | None = None


@dataclass
class Sums:
    """All sums of a playtest, of constant size.

    ``pairs`` are those of the same deals in both games, ``base`` those of the other game's matches.
    """

    tested: dict[Key, Ratio] = field(default_factory=dict)
    base: dict[Key, Ratio] = field(default_factory=dict)
    pairs: dict[Key, Pair] = field(default_factory=dict)
    hands: int = 0


def tally(
    chunk: Chunk, units: tuple[str, ...], own: tuple[Own, ...]
) -> tuple[int, dict[Key, Ratio]]:
    """The hands of a chunk, and the sums of all metrics over such units."""
    return len(chunk.finals), {key: Ratio.of(x, n) for key, (x, n) in collected(chunk, units, own)}


def tally_of_pairs(chunk: Chunk, other: Table, own: tuple[Own, ...]) -> tuple[int, dict[Key, Pair]]:
    """The hands of a chunk, and the sums over its hands and over those of another game on the same deals."""
    base = dict(collected(chunk, ("hand",), own))
    tested = dict(collected(play_chunk(other, chunk.first, chunk.count), ("hand",), own))
    keys = dict.fromkeys((*base, *tested))
    return len(chunk.finals), {key: Pair.of(base.get(key), tested.get(key)) for key in keys}


def collected(
    chunk: Chunk, units: tuple[str, ...], own: tuple[Own, ...]
) -> Iterator[tuple[Key, tuple[Any, Any]]]:
    """What all metrics that apply collect from a chunk."""
    frame = frame_of(chunk, own)
    for metric in all_metrics():
        if metric.unit in units and metric.applies(frame.measures.compiled.meaning):
            yield from metric.collect(frame).items()


def prepare(table: Table, own: tuple[Own, ...]) -> None:
    """Compile and learn all that a run needs, before other processes are started that then have it too."""
    frame_of(play_chunk(table, 0, table.each), own)


def play(plan: Plan, progress: Progress) -> Sums:
    """Play all runs and add up."""
    sums = Sums()
    size = SLOW_CHUNK if "monte-carlo" in plan.table.ways else CHUNK
    matches = replace(plan.table, in_matches=True)
    if plan.against is None:
        reduce = partial(tally, units=("hand", "match"), own=plan.own)
        for hands, more in _chunks(
            plan, matches, plan.hands, reduce, size, "hands", "hands", progress
        ):
            sums.hands += hands
            merged(sums.tested, more)
    else:
        of_pairs = partial(tally_of_pairs, other=plan.table, own=plan.own)
        for hands, pairs in _chunks(
            plan, plan.against, plan.hands, of_pairs, size, "pairs", "hands of both games", progress
        ):
            sums.hands += hands
            merged(sums.pairs, pairs)
        of_matches = partial(tally, units=("match",), own=plan.own)
        # The other game's matches are on deals of their own: which hand is which differs anyway.
        base = replace(plan.against, in_matches=True, seed=plan.against.seed + 1)
        for part, into, table in (("tested", sums.tested, matches), ("base", sums.base, base)):
            for _, more in _chunks(
                plan, table, plan.hands, of_matches, size, part, "matches", progress
            ):
                merged(into, more)
    if plan.weak and plan.table.players > 1:
        players = plan.table.players
        strong = plan.table.ways[0]
        skill = replace(
            plan.table,
            ways=(strong, *(plan.weak for _ in range(players - 1))),
            budgets=(plan.table.budgets[0], *(0 for _ in range(players - 1))),
            each=players,
            sits_out=False,
        )
        count = -(-plan.hands // 2 // players) * players
        reduce = partial(tally, units=("deal",), own=())
        whole = size // players * players
        for _, more in _chunks(
            plan,
            skill,
            count,
            reduce,
            whole,
            "skill",
            "hands of strong against weak players",
            progress,
        ):
            merged(sums.tested, more)
    return sums


def _chunks(
    plan: Plan,
    table: Table,
    hands: int,
    reduce: Reduce,
    size: int,
    part: str,
    what: str,
    progress: Progress,
) -> Iterator[tuple[int, dict[Key, Any]]]:
    """The chunks of a run, as they come."""
    done = 0
    progress(what, 0, hands)
    run = in_chunks if plan.kept is None else partial(plan.kept.run, part)
    plain = partial(_plain, reduce)
    for _, (played, made) in run(
        table, hands, plain, size=size, workers=plan.workers, cluster=plan.cluster
    ):
        done = min(hands, done + size)
        progress(what, done, hands)
        yield played, sums_of(made)


def _plain(reduce: Reduce, chunk: Chunk) -> tuple[int, list[Any]]:
    hands, sums = reduce(chunk)
    return hands, plain_of(sums)


def meaning_of(table: Table, own: tuple[Own, ...] = ()) -> Any:
    """What the rules of a table mean."""
    found = measures_of(table.game, table.variants, table.sets, table.fast, own)
    return found.compiled.meaning
