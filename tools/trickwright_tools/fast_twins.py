"""Twins of the functions that numba needs written its own way. Import this only where numba is installed."""

from __future__ import annotations

from typing import Any

import numba
import numpy
from numba import types
from numba.extending import intrinsic


def _typed_ones(context: Any, value: Any) -> Any:
    """The processor's count of set bits."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


def _typed_leading_zeros(context: Any, value: Any) -> Any:
    """The processor's count of zeros before the first set bit; 64 for zero."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), build


_ones: Any = intrinsic(_typed_ones)
_leading_zeros: Any = intrinsic(_typed_leading_zeros)


@numba.njit(inline="always")
def bit_count(value: int) -> Any:
    """As int.bit_count."""
    return _ones(numpy.int64(value))


@numba.njit(inline="always")
def bit_length(value: int) -> Any:
    """As int.bit_length, for numbers that are not negative."""
    return 64 - _leading_zeros(numpy.int64(value))


_STEP = numpy.uint64(0x9E3779B97F4A7C15)
_FIRST = numpy.uint64(0xBF58476D1CE4E5B9)
_SECOND = numpy.uint64(0x94D049BB133111EB)
_STREAM = numpy.uint64(0xD1342543DE82EF95)


@numba.njit(nogil=True)
def next_word(random: Any) -> Any:
    """As the engine's, in 64 bits that wrap round by themselves."""
    state = numpy.uint64(random[0]) + _STEP
    random[0] = numpy.int64(state)
    word = (state ^ (state >> numpy.uint64(30))) * _FIRST
    word = (word ^ (word >> numpy.uint64(27))) * _SECOND
    word = (word ^ (word >> numpy.uint64(31))) >> numpy.uint64(4)
    return numpy.int64(word) | (1 << 60)


@numba.njit(nogil=True)
def seed_random(random: Any, seed: int, number: int) -> None:
    """As the engine's."""
    random[0] = seed
    first = next_word(random)
    mixed = numpy.uint64(number) * _STREAM + numpy.uint64(first)
    random[0] = numpy.int64(numpy.uint64(random[0]) ^ mixed)
    random[1] = 1


TWINS = {
    "bit_count": bit_count,
    "bit_length": bit_length,
    "next_word": next_word,
    "seed_random": seed_random,
}
"""Replacements by name."""
