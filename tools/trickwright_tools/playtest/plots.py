"""Small plots as SVG, made for one row of a table each: they grow with the page, and need nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from trickwright_tools.playtest.ratios import Estimate


@dataclass(frozen=True)
class Scale:
    """What the width of a plot stands for."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value stands, in percent of the width."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


@dataclass(frozen=True)
class Mark:
    """A bar from 0 to a value, and its interval, in percent of the width."""

    left: float
    width: float
    at: float
    low: float
    high: float


def scale_of(estimates: Iterable[Estimate]) -> Scale:
    """A scale with 0 on it that has room for all intervals."""
    shown = [found for found in estimates if found.enough and found.low is not None]
    ends = [
        0.0,
        *(v for found in shown for v in (found.low, found.high, found.value) if v is not None),
    ]
    low, high = min(ends), max(ends)
    if low == high:
        return Scale(0.0, 1.0)
    step: float = 10.0 ** floor(log10(high - low)) / 4
    return Scale(floor(low / step) * step, ceil(high / step) * step)


def mark(estimate: Estimate, scale: Scale) -> Mark | None:
    """How to draw a figure; None where there is too little to show."""
    if not estimate.enough or estimate.value is None:
        return None
    zero, at = scale.at(0.0), scale.at(estimate.value)
    low = at if estimate.low is None else scale.at(estimate.low)
    high = at if estimate.high is None else scale.at(estimate.high)
    return Mark(min(zero, at), round(abs(at - zero), 2), at, low, high)
