"""Ratings from deals won and lost: the model of Bradley and Terry, fitted by choix, with intervals from weighing the deals anew."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

ELO = 400 / log(10)
"""Points of a rating for one unit of log odds: 400 points ahead are ten deals won for one lost."""
REPLICATES = 1000
PRIOR = 0.5
"""Deals that each of a pair is taken to have won besides, so that who never lost has a rating, too (Jeffreys' prior)."""
LEAST = 1e-3


class NoLibrary(Exception):
    """The library that fits ratings is missing; the text says how to get it."""


@dataclass(frozen=True)
class Rating:
    """A rating in points of Elo, with the ends of its 95 % interval; only differences mean something."""

    value: float
    low: float
    high: float


def need_library() -> None:
    """NoLibrary if choix is missing."""
    if importlib.util.find_spec("choix") is None:
        raise NoLibrary("choix is not installed: pip install 'trickwright[playtest]'")


def rate(
    count: int, pairs: Sequence[tuple[int, int]], signs: Sequence[Sequence[int]], seed: int = 0
) -> list[Rating]:
    """Ratings of so many players.

    For each pair there is a row of signs: of each deal, whether its first (1), its second (-1) or neither (0) won it. All
    pairs play the same deals, so a deal is weighed as a whole: the intervals are those of the Bayesian bootstrap, in which
    each deal has a random weight of mean 1. NoLibrary if choix is missing.
    """
    need_library()
    import numpy

    kinds = Counter(zip(*signs, strict=True))
    rows = numpy.array(sorted(kinds), float).reshape(len(kinds), len(pairs))
    often = numpy.array([kinds[kind] for kind in sorted(kinds)], float)
    prior = numpy.full((len(pairs), 2), PRIOR)
    value = _fit(count, pairs, rows, often, prior, None)
    value -= (centre := _information(pairs, value)) @ value
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    found = numpy.empty((REPLICATES, count))
    for replicate in range(REPLICATES):
        weights, extra = random.gamma(often), random.gamma(prior)
        fitted = _fit(count, pairs, rows, weights, extra, value)
        found[replicate] = fitted - centre @ fitted
    low, high = numpy.quantile(found, [0.025, 0.975], axis=0)
    return [
        Rating(*(round(float(ELO * number), 1) for number in numbers))
        for numbers in zip(value, low, high, strict=True)
    ]


def _fit(
    count: int, pairs: Sequence[tuple[int, int]], rows: Any, weights: Any, extra: Any, near: Any
) -> Any:
    """Log odds, from how often each kind of deal came and what each of a pair won besides."""
    import choix
    import numpy

    wins = numpy.zeros((count, count))
    firsts = weights @ ((1 + rows) / 2) + extra[:, 0]
    seconds = weights @ ((1 - rows) / 2) + extra[:, 1]
    for (one, other), first, second in zip(pairs, firsts, seconds, strict=True):
        wins[one, other], wins[other, one] = max(first, LEAST), max(second, LEAST)
    return choix.ilsr_pairwise_dense(wins, initial_params=near, max_iter=1000, tol=1e-6)


def _information(pairs: Sequence[tuple[int, int]], value: Any) -> Any:
    """How much the deals tell of each player (Fisher's information), with the sum 1.

    The zero of the ratings is the mean weighed so. In the plain mean, one who nearly always loses, of whom one cannot say by
    how much, would blur the ratings of all others.
    """
    import numpy

    found = numpy.zeros(len(value))
    for one, other in pairs:
        share = 1 / (1 + numpy.exp(value[other] - value[one]))
        found[[one, other]] += share * (1 - share)
    return found / found.sum()
