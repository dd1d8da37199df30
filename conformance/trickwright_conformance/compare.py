"""Comparing what a case expects with what was observed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

IN_ORDER = frozenset({"laid_order", "trick.cards", "on_table.cards", "trump_order"})
"""Facts whose lists are compared in order; other lists are sets."""


@dataclass(frozen=True)
class Mismatch:
    """One fact that is not as expected."""

    fact: str
    expected: Any
    got: Any


def compare(expected: Any, got: Any, fact: str = "") -> Iterator[Mismatch]:
    """Every difference: mappings by the keys expected, lists as sets unless their order matters."""
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            yield Mismatch(fact, expected, got)
            return
        for key, value in expected.items():
            path = f"{fact}.{key}" if fact else str(key)
            if key not in got:
                yield Mismatch(path, value, None)
            else:
                yield from compare(value, got[key], path)
    elif isinstance(expected, list) and isinstance(got, list):
        if not same_list(expected, got, fact in IN_ORDER):
            yield Mismatch(fact, expected, got)
    elif expected != got or isinstance(expected, bool) != isinstance(got, bool):
        yield Mismatch(fact, expected, got)


def same_list(expected: list[Any], got: list[Any], in_order: bool) -> bool:
    """Whether two lists say the same; lists inside them are sets."""
    if len(expected) != len(got):
        return False
    if in_order:
        return all(
            same_list(a, b, False)
            if isinstance(a, list) and isinstance(b, list)
            else repr(a) == repr(b)
            for a, b in zip(expected, got, strict=True)
        )
    return sorted(map(repr, expected)) == sorted(map(repr, got))
