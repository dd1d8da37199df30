"""The designer's own figures."""

from __future__ import annotations

from collections.abc import Iterable

from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import Collected, Line, Metric, Section, Told, metric


@metric
class OwnFigures(Metric):
    """Expressions of a file, worked out at the end of each hand."""

    order = 1

    def collect(self, frame: Frame) -> Collected:
        """The value in hands in which it has one."""
        found: Collected = {}
        for name in dict.fromkeys(column.name for column in frame.columns("own")):
            x, n = 0 * frame.ones, 0 * frame.ones
            for column in frame.columns("own"):
                if column.name == name:
                    there = frame.ended(column.outcome).astype(n.dtype)
                    x, n = x + frame.told_of(column) * there, n + there
            found["own", name] = x, n
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """One table."""
        lines = [
            Line(("own", own.name), own.title, "share" if told.flags.get(own.name) else "mean")
            for own in told.own
            if ("own", own.name) in told.sums
        ]
        text = "Mean over the hands in which all that it names has a meaning; for a yes/no, the share of them."
        if lines:
            yield Section("Your own figures", text, tuple(lines), chart=False)
