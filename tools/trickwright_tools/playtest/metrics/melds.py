"""What melds bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from trickwright.meaning import Meaning
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import (
    Collected,
    Line,
    Metric,
    Section,
    Told,
    capital,
    metric,
)
from trickwright_tools.playtest.metrics.cards import has_kind

PHASE = 2


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
        texts = {
            "points": ("What melds bring", "Mean points of each meld.", "mean", "points"),
            "something": (
                "How often melds score",
                "The share of melds made that bring or cost points.",
                "share",
                "",
            ),
            "round": ("When melds are made", "Mean number of the round.", "mean", ""),
        }
        for what, (title, text, kind, unit) in texts.items():
            lines = [
                Line(
                    key, self._word(told, int(key[2])), "share" if kind == "share" else "mean", unit
                )
                for key in told.keys("melds", what)
                if told.sums[key].n
            ]
            yield Section(title, text, tuple(lines))

    @staticmethod
    def _word(told: Told, meld: int) -> str:
        things = told.rules.words["en"].things.get("option", ())
        return capital(things[meld - 1][0]) if meld <= len(things) else f"Meld {meld}"


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
