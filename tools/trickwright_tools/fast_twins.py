"""Twins of the functions that numba needs written its own way. Import this only where numba is installed."""

from __future__ import annotations

from typing import Any

import numba
import numpy
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core import config as _config
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


def _typed_deposit(context: Any, bits: Any, places: Any) -> Any:
    """The processor's way to put the low bits of one number where another has its ones."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, (word, word))
        find: Any = cgutils.get_or_insert_function
        deposits = find(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(deposits, arguments)

    return types.int64(types.int64, types.int64), build


def _pick(random: Any, actions: int) -> int:
    """As the engine's, without a loop over the actions, whose end no processor can foresee."""
    count = bit_count(actions)
    if count > 1:
        actions = _deposit(1 << draw(random, count), actions)  # type: ignore[name-defined]  # noqa: F821
    return bit_length(actions & -actions) - 1  # type: ignore[no-any-return]


def _set_to(row: Any, other: Any) -> None:
    """As the players'; a loop over a few numbers takes a fifth of the time of a slice."""
    for place in range(len(row)):
        row[place] = other[place]


def _deposits_fast() -> bool:
    """Whether this processor deposits bits in one step: it can, and is none of those that do it bit by bit."""
    config: Any = _config
    if config.CPU_NAME or config.CPU_FEATURES:  # code is made for another processor
        return False
    slow = ("bdver4", "znver1", "znver2")
    return bool(
        binding.get_host_cpu_features().get("bmi2") and binding.get_host_cpu_name() not in slow
    )


TWINS: dict[str, Any] = {
    "bit_count": bit_count,
    "bit_length": bit_length,
    "next_word": next_word,
    "seed_random": seed_random,
    "_set_to": _set_to,
}
"""Replacements by name. Plain functions among them are compiled with the engine, and may call what it has."""
if _deposits_fast():
    TWINS |= {"_deposit": intrinsic(_typed_deposit), "pick": _pick}
