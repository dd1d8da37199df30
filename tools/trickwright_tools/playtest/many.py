"""Playing a game and the same game with other values, point by point, on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from trickwright_tools.players.batches import Chunk, Table, in_chunks, play_chunk, playing_of
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.ratios import Key, Pair, Ratio, merged, plain_of, sums_of
from trickwright_tools.playtest.run import (
    CHUNK,
    SLOW_CHUNK,
    Plan,
    Progress,
    Sums,
    collected,
    prepare,
)

GROUP = 6
"""Points that are played together, so that the base is not played anew for each; more would take more memory."""


@dataclass(frozen=True)
class Wanted:
    """Figures to be summed up, by their keys: those of hands, and those of matches."""

    hand: frozenset[Key]
    match: frozenset[Key]


def tally_of_points(
    chunk: Chunk, others: tuple[Table, ...], own: tuple[Own, ...], keys: frozenset[Key]
) -> list[Any]:
    """For each of the other tables the sums over the hands of a chunk and over theirs on the same deals, in plain values."""
    base = _of_hands(chunk, own, keys)
    found = []
    for other in others:
        tested = _of_hands(play_chunk(other, chunk.first, chunk.count), own, keys)
        both = dict.fromkeys((*base, *tested))
        found.append(plain_of({key: Pair.of(base.get(key), tested.get(key)) for key in both}))
    return found


def _of_hands(chunk: Chunk, own: tuple[Own, ...], keys: frozenset[Key]) -> dict[Key, Any]:
    return {key: made for key, made in collected(chunk, ("hand",), own) if key in keys}


def tally_of(chunk: Chunk, unit: str, own: tuple[Own, ...], keys: frozenset[Key]) -> list[Any]:
    """The sums of some figures over the hands or matches of a chunk, in plain values."""
    found = collected(chunk, (unit,), own)
    return plain_of({key: Ratio.of(*made) for key, made in found if key in keys})


def play_points(
    plan: Plan, points: Sequence[Table], wanted: Wanted, progress: Progress
) -> list[Sums]:
    """Play the game of a plan and each of the points; of each the sums of what is wanted, beside those of the game.

    Hands are on the same deals. Matches are on deals of their own at every point, for which hand is which differs anyway.
    """
    found = [Sums(hands=plan.hands) for _ in points]
    done = 0
    if wanted.hand:
        for start in range(0, len(points), GROUP):
            group = tuple(points[start : start + GROUP])
            said = f"{start + 1} to {start + len(group)} of {len(points)} points"
            _compile(plan, (plan.table, *group), said, progress)
            reduce = partial(tally_of_points, others=group, own=plan.own, keys=wanted.hand)
            for made in _chunks(
                plan, plan.table, reduce, _part(group), f"hands of {said}", progress
            ):
                for sums, plain in zip(found[start:], made, strict=False):
                    merged(sums.pairs, sums_of(plain))
            done += len(group)
    if wanted.match:
        base: dict[Key, Ratio] = {}
        merge_ratios(plan, plan.table, 1, "match", wanted.match, base, progress)
        for number, (sums, table) in enumerate(zip(found, points, strict=True), start=2):
            sums.base = base
            merge_ratios(plan, table, number, "match", wanted.match, sums.tested, progress)
    return found


def merge_ratios(
    plan: Plan,
    table: Table,
    number: int,
    unit: str,
    keys: frozenset[Key],
    into: dict[Key, Ratio],
    progress: Progress,
) -> None:
    """Play one table by itself, with a seed of its own for each ``number``, and add up."""
    _compile(plan, (table,), "", progress)
    table = replace(table, in_matches=unit == "match", seed=table.seed + number)
    reduce = partial(tally_of, unit=unit, own=plan.own, keys=keys)
    what = "matches" if unit == "match" else "hands"
    for made in _chunks(plan, table, reduce, f"{number} {unit} {_part((table,))}", what, progress):
        merged(into, sums_of(made))


def _part(tables: Sequence[Table]) -> str:
    """What the chunks of such tables are kept by."""
    return " | ".join(" ".join(table.sets) for table in tables)


def _compile(plan: Plan, tables: Sequence[Table], said: str, progress: Progress) -> None:
    """Have numba compile what is to be played, by all workers together: what it makes lies in files for them all.

    It is done in other processes, even for one worker: what compiling takes of memory is only given back with its process.
    """
    if plan.cluster or plan.table.fast is False:
        return
    rules = plan.table.game, plan.table.variants, plan.table.sets
    if not playing_of(
        *rules, plan.table.fast
    ).is_fast:  # nothing to compile, but what is learned here is not learned again
        for table in tables:
            prepare(table, plan.own)
        return
    if said:
        progress(f"compiling {said}", 0, 0)
    with ProcessPoolExecutor(min(plan.workers, len(tables))) as pool:
        list(pool.map(partial(prepare, own=plan.own), tables))


def _chunks(plan: Plan, table: Table, reduce: Any, part: str, what: str, progress: Progress) -> Any:
    size, done = SLOW_CHUNK if "monte-carlo" in table.ways else CHUNK, 0
    run = in_chunks if plan.kept is None else partial(plan.kept.run, part)
    progress(what, 0, plan.hands)
    for _, made in run(
        table, plan.hands, reduce, size=size, workers=plan.workers, cluster=plan.cluster
    ):
        done = min(plan.hands, done + size)
        progress(what, done, plan.hands)
        yield made
