"""How many decisions a hand has, and how often there is nothing to decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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
        texts = {
            "number": ("Decisions in a hand", "Of all players together.", "mean", ""),
            "forced": (
                "Forced choices",
                "The share of decisions in which only one action was legal.",
                "share",
                "",
            ),
            "options": ("Actions to choose from", "Mean number of legal actions.", "mean", ""),
        }
        for what, (title, text, kind, unit) in texts.items():
            keys = told.keys("choices", what)
            keys = [key for key in keys if told.sums[key].n]
            lines = [
                Line(
                    key,
                    self._label(told, key[2]),
                    "share" if kind == "share" else "mean",
                    unit,
                    tile="of choices are forced" if key[1:] == ("forced", "all") else "",
                    called="" if key[2] == "all" else f"choices.{what}.{self._phase(told, key[2])}",
                )
                for key in sorted(keys, key=lambda key: key[2] != "all")
            ]
            yield Section(title, text, tuple(lines))

    @staticmethod
    def _label(told: Told, name: str) -> str:
        if name == "all":
            return "The whole hand"
        return capital(told.word("phase", Choices._phase(told, name)))

    @staticmethod
    def _phase(told: Told, number: str) -> str:
        found: str = told.rules.phases[int(number)].id
        return found
