"""How many decisions a hand has, and how often there is nothing to decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

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


def log_of(frame: Frame) -> tuple[Any, Any]:
    """The decisions of all hands, a row each, and which of the places are decisions."""
    import numpy

    if "log" not in frame.kept:
        logs = frame.chunk.logs
        if isinstance(logs, list):
            longest = max((row[0] for row in logs), default=0)
            logs = numpy.array([row[: longest + 1] for row in logs], numpy.int64)
        count = logs[:, 0]
        entries = logs[:, 1 : 1 + int(count.max(initial=0))]
        frame.kept["log"] = entries, numpy.arange(entries.shape[1])[None, :] < count[:, None]
    found: tuple[Any, Any] = frame.kept["log"]
    return found


TABLES = {
    "number": Words("Decisions in a hand", "Of all players together."),
    "forced": Words(
        "Forced choices", "The share of decisions in which only one action was legal.", "share"
    ),
    "options": Words("Actions to choose from", "Mean number of legal actions."),
}


@metric
class Choices(Metric):
    """Decisions in each phase, and the share that was forced."""

    order = 70

    def collect(self, frame: Frame) -> Collected:
        """For all phases and each: decisions, those with one legal action, and the legal actions in all."""
        entries, real = log_of(frame)
        found: Collected = {}
        phases = [
            (str(n), phase) for n, phase in enumerate(frame.engine.RULES.phases) if phase.actions
        ]
        for name in ("all", *(number for number, _ in phases)):
            here = real if name == "all" else real & (entries >> 18 == int(name))
            options = (entries & 127) * here
            count = here.sum(axis=1)
            found["choices", "number", name] = count, frame.ones
            found["choices", "forced", name] = ((options == 1).sum(axis=1), count)
            found["choices", "options", name] = options.sum(axis=1), count
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """How many, how many forced, among how many."""
        return tables(told, "choices", TABLES, partial(self._named, told))

    @staticmethod
    def _named(told: Told, line: Line) -> Line:
        _, what, phase = line.key
        if phase == "all":
            tile = "of choices are forced" if what == "forced" else ""
            return replace(line, label="The whole hand", tile=tile)
        name: str = told.rules.phases[int(phase)].id
        label = capital(told.word("phase", name))
        return replace(line, label=label, called=f"choices.{what}.{name}")
