"""Estimates from a sample: running means and shares, each with the interval that it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z = 1.959964
"""Half-width of a 95 % interval, in standard errors."""


@dataclass
class Running:
    """Mean, spread and extremes of whole numbers that come one by one; exact, and of constant size."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    def add(self, value: int) -> None:
        """Take in one number."""
        self.least = value if not self.count else min(self.least, value)
        self.most = value if not self.count else max(self.most, value)
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of the mean; None where one number says nothing about the spread."""
        if self.count < 2:
            return None
        spread = (self.count * self.squares - self.total**2) / (self.count * (self.count - 1))
        return Z * sqrt(spread / self.count)


def wilson(hits: float, count: float) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's, which keeps within 0 and 1 and serves for few hits too)."""
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    middle = share + Z * Z / (2 * count)
    reach = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    scale = 1 + Z * Z / count
    low = 0.0 if hits == 0 else max(0.0, (middle - reach) / scale)
    high = 1.0 if hits == count else min(1.0, (middle + reach) / scale)
    return low, high
