"""Whether what was drawn fits an equal chance for all: Pearson's test with a bound in closed form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

ONE_IN_TEN_THOUSAND = 3.719
"""The value that a normal variable passes with that chance."""


def bound(cells: int) -> float:
    """What chi-square with ``cells - 1`` degrees of freedom passes about once in ten thousand (Wilson and Hilferty, 1931)."""
    freedom = cells - 1
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + ONE_IN_TEN_THOUSAND * part**0.5) ** 3)


def fits(drawn: Iterable[Hashable], weights: Mapping[Hashable, int]) -> bool:
    """Whether the draws are of these kinds only and about as often as their weights say."""
    counts = Counter(drawn)
    assert set(counts) <= set(weights), sorted(map(str, set(counts) - set(weights)))[:3]
    total, all_weights = sum(counts.values()), sum(weights.values())
    expected = {kind: total * weight / all_weights for kind, weight in weights.items()}
    assert min(expected.values()) >= 5, "too few draws to tell"
    value = sum((counts[kind] - mean) ** 2 / mean for kind, mean in expected.items())
    return value < bound(len(weights))
