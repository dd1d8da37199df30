"""What melds bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from trickwright.meaning import Meaning
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import (
    Collected,
    Line,
    Metric,
    Section,
    Told,
    Words,
    capital,
    metric,
    tables,
)
from trickwright_tools.playtest.metrics.cards import has_kind

PHASE = 2
TABLES = {
    "points": Words("What melds bring", "Mean points of each meld.", unit="points"),
    "something": Words(
        "How often melds score", "The share of melds made that bring or cost points.", "share"
    ),
    "round": Words("When melds are made", "Mean number of the round."),
}


@metric
class Melds(Metric):
    """Points by meld, and the round in which each is made."""

    order = 44

    def applies(self, meaning: Meaning) -> bool:
        """Where melds are chosen."""
        return has_kind(meaning, "choose-meld")

    def collect(self, frame: Frame) -> Collected:
        """For each meld: its points in all, rounds in which it was made, and how often it was, in each hand."""
        import numpy

        engine = frame.engine
        phase = _phase(frame.measures.compiled.meaning)
        sums = numpy.zeros((4, engine.MELDS + 1, frame.hands), numpy.int64)
        for row in range(frame.hands):
            for number, (meld, points) in enumerate(made(frame, row, phase)):
                sums[0, meld, row] += 1
                sums[1, meld, row] += points
                sums[2, meld, row] += points != 0
                sums[3, meld, row] += number // frame.players + 1
        found: Collected = {}
        for meld in range(1, engine.MELDS + 1):
            for place, name in enumerate(("points", "something", "round"), 1):
                found["melds", name, str(meld)] = sums[place, meld], sums[0, meld]
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """Points, how often it is worth anything, and when it is made."""
        return tables(told, "melds", TABLES, partial(self._named, told))

    @staticmethod
    def _named(told: Told, line: Line) -> Line:
        meld, things = int(line.key[2]), told.rules.words["en"].things.get("option", ())
        known = meld <= len(things)
        return replace(line, label=capital(things[meld - 1][0]) if known else f"Meld {meld}")


def _phase(meaning: Meaning) -> int:
    kinds = [declared.phase.kind for declared in meaning.phases]
    return kinds.index("choose-meld")


def made(frame: Frame, row: int, phase: int) -> Iterator[tuple[int, int]]:
    """The melds of a hand in the order of rounds and seats, each with its points; the hand is played again from its log."""
    engine, chunk = frame.engine, frame.chunk
    state = [int(value) for value in chunk.openings[row]]
    log: Any = chunk.logs[row]
    for entry in log[1 : 1 + int(log[0])]:
        before = state[PHASE], state[engine.ROUND] if hasattr(engine, "ROUND") else 0
        engine.apply(state, int(entry) >> 7 & 127)
        after = state[PHASE], state[engine.ROUND] if hasattr(engine, "ROUND") else 0
        if before[0] == phase and after != before:
            for seat in range(frame.players):
                yield state[engine.MELDED_AS + seat], state[engine.ROUND_POINTS + seat]
