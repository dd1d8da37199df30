"""Rows of coverage: each a thing that rules or rulebook say, with the cases that pin it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pin:
    """A case that pins something, and how it does."""

    case: str
    how: str


@dataclass(frozen=True)
class Row:
    """One thing to be pinned: a rule, a clause, a statement of the rulebook, or what a case itself claims to pin."""

    kind: str
    id: str
    text: str
    """Its value or sentence."""
    place: str
    """Where it is written, as ``file:line``; empty for what the engine knows by itself."""
    pins: tuple[Pin, ...]
    variants: tuple[str, ...] = ()
    why: str = ""
    """Why no case is needed, or what keeps those that cite it from pinning it."""
    needs_none: bool = False

    @property
    def empty(self) -> bool:
        """Whether no case pins it though one should."""
        return not self.pins and not self.needs_none

    @property
    def state(self) -> str:
        """``pinned``, ``empty`` or ``no-rule``."""
        return "pinned" if self.pins else "no-rule" if self.needs_none else "empty"

    def as_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        file, _, line = self.place.rpartition(":")
        return {
            "kind": self.kind,
            "id": self.id,
            "variants": list(self.variants),
            "text": self.text,
            "file": file,
            "line": int(line) if line else None,
            "state": self.state,
            "cases": [{"id": pin.case, "how": pin.how} for pin in self.pins],
            "why": self.why,
        }


def once(pins: Iterable[Pin]) -> tuple[Pin, ...]:
    """Each case once, with the first way in which it pins."""
    first: dict[str, Pin] = {}
    for pin in pins:
        first.setdefault(pin.case, pin)
    return tuple(first.values())


def empty_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without a case that should have one."""
    return (row for row in rows if row.empty)
