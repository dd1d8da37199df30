"""Whether what was drawn fits an equal chance for all: Pearson's test over several streams, with bounds in closed form.

One stream says little: one in some thousands fails by chance, and whoever then takes other seeds learns nothing. So each
check draws several streams and judges them together, from both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import erfc, sqrt

STREAMS = 4
"""Streams that a check draws, each of seeds of its own."""

ONE_IN_TEN_THOUSAND = 3.719
"""The value that a normal variable passes with that chance."""


def as_normal(value: float, freedom: int) -> float:
    """The value of a chi-square variable as that of a normal one with the same chance (Wilson and Hilferty, 1931)."""
    part = 2 / (9 * freedom)
    return float(((value / freedom) ** (1 / 3) - 1 + part) / part**0.5)


def p_value(value: float, freedom: int) -> float:
    """The chance that a chi-square variable is as large as this or larger."""
    return erfc(as_normal(value, freedom) / sqrt(2)) / 2


def chi_square(counts: Mapping[Hashable, int], weights: Mapping[Hashable, int]) -> float:
    """How far the counts are from what the weights let expect."""
    assert set(counts) <= set(weights), sorted(map(str, set(counts) - set(weights)))[:3]
    share = sum(counts.values()) / sum(weights.values())
    assert share * min(weights.values()) >= 5, "too few draws to tell"
    return sum((counts.get(kind, 0) - share * weight) ** 2 / (share * weight) for kind, weight in weights.items())  # fmt: skip


def streams(
    draw: Callable[[int], Hashable], draws: int, count: int = STREAMS
) -> list[Counter[Hashable]]:
    """What came up in each stream; ``draw`` makes something of a seed, and no seed is used twice."""
    return [
        Counter(draw(seed) for seed in range(number * draws, (number + 1) * draws))
        for number in range(count)
    ]


def fits(found: Sequence[Mapping[Hashable, int]], weights: Mapping[Hashable, int]) -> bool:
    """Whether what came up in several streams is of these kinds only and about as often as their weights say.

    All together may not be too far off, which shows small faults; and the values of the streams must add up to what chance
    lets expect: more if draws hang together, less if they are more even than chance is.
    """
    freedom = len(weights) - 1
    values = [chi_square(counts, weights) for counts in found]
    together = sum((Counter(counts) for counts in found), Counter[Hashable]())
    off = as_normal(chi_square(together, weights), freedom)
    spread = as_normal(sum(values), freedom * len(values))
    return off < ONE_IN_TEN_THOUSAND and abs(spread) < ONE_IN_TEN_THOUSAND


def uniform(chances: Sequence[float]) -> bool:
    """Whether p-values are spread evenly from 0 to 1 (Kolmogorov and Smirnov; wrong once in ten thousand)."""
    count, rising = len(chances), sorted(chances)
    distance = max(max(p - n / count, (n + 1) / count - p) for n, p in enumerate(rising))
    return distance * sqrt(count) < 2.225
