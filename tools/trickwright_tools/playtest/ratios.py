"""Sums over hands, and the estimates that follow from them.

Every figure is a ratio of two sums over units that are independent of each other: hands, deals or matches. Unit ``h`` adds ``x`` to
one sum and ``n`` to the other; a mean score has ``n`` = 1, what a bid earns has 1 where that was bid and else 0, the share of
choices that were forced has as many as there were choices. What is kept are the sums of ``x``, ``n``, their squares and their
product, as exact whole numbers: so chunks add up to the same in every order, and memory does not grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields, replace
from math import sqrt
from typing import Any

from trickwright_tools.estimates import Z, wilson

ENOUGH = 30
"""Units behind a figure below which it says too little."""


@dataclass(frozen=True)
class Estimate:
    """A figure: its value, its 95 % interval and the units behind it. ``enough`` says whether they tell anything."""

    value: float | None
    low: float | None
    high: float | None
    behind: int
    enough: bool

    def scaled(self, by: float) -> Estimate:
        """The figure in another unit of measurement."""
        low, high = (None if v is None else v * by for v in (self.low, self.high))
        value = None if self.value is None else self.value * by
        return replace(self, value=value, low=low, high=high)


NOTHING = Estimate(None, None, None, 0, False)


def quantile(freedom: int) -> float:
    """Half-width of a 95 % interval in standard errors, for a spread known from so many numbers and one (Student's t)."""
    first = (Z**3 + Z) / (4 * freedom)
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
    return Z + first + second + third


@dataclass(frozen=True)
class Ratio:
    """The sums behind one figure; ``behind`` counts the units whose ``n`` is not 0."""

    behind: int = 0
    x: int = 0
    n: int = 0
    xx: int = 0
    nn: int = 0
    xn: int = 0

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @classmethod
    def of(cls, x: Any, n: Any) -> Ratio:
        """The sums over arrays with a number for each unit."""
        return cls(
            int((n != 0).sum()),
            int(x.sum()),
            int(n.sum()),
            *(_dot(*p) for p in ((x, x), (n, n), (x, n))),
        )

    @property
    def value(self) -> float:
        """The ratio; 0 of nothing."""
        return self.x / self.n if self.n else 0.0

    @property
    def is_share(self) -> bool:
        """Whether every unit says yes, no or nothing."""
        return self.nn == self.n and self.xx == self.x == self.xn

    @property
    def off(self) -> float:
        """The sum of squares of what each unit is off the ratio, as a share of the sum of ``n``."""
        sums = self.xx * self.n**2 - 2 * self.x * self.n * self.xn + self.x**2 * self.nn
        return sums / self.n**4

    @property
    def variance(self) -> float:
        """The variance of the ratio; needs two units."""
        return self.off * self.behind / (self.behind - 1)

    def mean(self) -> Estimate:
        """The ratio as a mean."""
        if self.n == 0:
            return NOTHING
        if self.behind < 2:
            return Estimate(self.value, None, None, self.behind, False)
        half = quantile(self.behind - 1) * sqrt(max(0.0, self.variance))
        value = self.value
        return Estimate(value, value - half, value + half, self.behind, self.behind >= ENOUGH)

    def share(self) -> Estimate:
        """The ratio as a share of a whole, with an interval within it.

        Where units say yes or no that is Wilson's; else Wilson's for as many single cases as would leave the same doubt.
        """
        found = self.mean()
        if found.value is None or found.low is None:
            return found
        value, cases = found.value, float(self.n)
        if not self.is_share:
            spread = self.variance
            inside = 0 < value < 1 and spread > 0
            cases = value * (1 - value) / spread if inside else float(self.behind)
        low, high = wilson(value * cases, cases)
        return replace(found, low=low, high=high)


@dataclass(frozen=True)
class Pair:
    """The sums of one figure in two games played on the same deals, and those of products across."""

    base: Ratio = Ratio()
    other: Ratio = Ratio()
    xx: int = 0
    xn: int = 0
    nx: int = 0
    nn: int = 0

    def __add__(self, more: Pair) -> Pair:
        return Pair(*(getattr(self, f.name) + getattr(more, f.name) for f in fields(self)))

    @classmethod
    def of(cls, base: tuple[Any, Any] | None, other: tuple[Any, Any] | None) -> Pair:
        """The sums over arrays of both games; None for a game in which the figure does not occur."""
        if base is None or other is None:
            one = Ratio() if base is None else Ratio.of(*base)
            return cls(one, Ratio() if other is None else Ratio.of(*other))
        (x, n), (y, m) = base, other
        return cls(Ratio.of(x, n), Ratio.of(y, m), _dot(x, y), _dot(x, m), _dot(n, y), _dot(n, m))

    def difference(self) -> Estimate:
        """By how much the figure is higher in the other game; what both have in common on a deal cancels out."""
        one, two = self.base, self.other
        if one.n == 0 or two.n == 0:
            return NOTHING
        behind, value = min(one.behind, two.behind), two.value - one.value
        if behind < 2:
            return Estimate(value, None, None, behind, False)
        shared = self.xx * one.n * two.n - one.n * two.x * self.xn
        shared += one.x * two.x * self.nn - one.x * two.n * self.nx
        off = one.off + two.off - 2 * shared / (one.n * two.n) ** 2
        half = quantile(behind - 1) * sqrt(max(0.0, off) * behind / (behind - 1))
        return Estimate(value, value - half, value + half, behind, behind >= ENOUGH)


def _dot(one: Any, other: Any) -> int:
    return int((one * other).sum())


Key = tuple[str, ...]
"""The name of a figure: first its metric's, then which one of it."""
Tally = Mapping[Key, Ratio]
Pairs = Mapping[Key, Pair]


def plain_of(sums: Mapping[Key, Any]) -> list[Any]:
    """Sums as plain values that JSON can hold, exactly."""
    return [[list(key), astuple(found)] for key, found in sums.items()]


def sums_of(plain: list[Any]) -> dict[Key, Any]:
    """The sums that ``plain_of`` made plain: those of a pair begin with those of its two games."""
    found: dict[Key, Any] = {}
    for key, (first, second, *others) in plain:
        is_pair = not isinstance(first, int)
        made = (
            Pair(Ratio(*first), Ratio(*second), *others)
            if is_pair
            else Ratio(first, second, *others)
        )
        found[tuple(key)] = made
    return found


def merged(one: dict[Key, Any], other: Mapping[Key, Any]) -> None:
    """Add the sums of another chunk."""
    for key, sums in other.items():
        one[key] = one[key] + sums if key in one else sums
