"""What coverage has found: rows by kind, and cases with what they pin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trickwright_tools.coverage.rows import Row

KINDS: dict[str, str] = {
    "rule": "values of the rules",
    "clause": "reasons to refuse an action",
    "scoring": "rules of the scoring that act",
    "outcome": "ways a hand can end",
    "phase": "phases of a hand",
    "action": "actions",
    "players": "numbers of players",
    "statement": "statements of the rulebook",
    "citation": "rules that cases say they pin",
}
"""The kinds of rows, with what they are."""


@dataclass(frozen=True)
class CoveredCase:
    """A case, and what it pins."""

    id: str
    title: str
    place: str
    variants: tuple[str, ...]
    """Its sets of variants in words."""
    rules: tuple[tuple[str, bool], ...]
    """The paths it cites, and whether it comes to them."""
    statements: tuple[str, ...]
    clauses: tuple[str, ...]
    acts: tuple[str, ...]
    """Rules of the scoring that act in it, and how its hands end."""
    unnamed: tuple[str, ...]
    """Headings of the rulebook that it cites and under which no statement names it."""
    passed: bool

    def as_dict(self) -> dict[str, Any]:
        """The case as plain data."""
        file, _, line = self.place.rpartition(":")
        return {
            "id": self.id,
            "title": self.title,
            "file": file,
            "line": int(line),
            "variants": list(self.variants),
            "rules": [{"path": path, "reached": reached} for path, reached in self.rules],
            "statements": list(self.statements),
            "clauses": list(self.clauses),
            "acts": list(self.acts),
            "unnamed": list(self.unnamed),
            "passed": self.passed,
        }


@dataclass(frozen=True)
class Coverage:
    """How well the rules and the rulebook of a game are pinned by its cases."""

    game: str
    title: str
    variants: tuple[str, ...]
    rows: tuple[Row, ...]
    cases: tuple[CoveredCase, ...]
    has_rulebook: bool

    @property
    def empty(self) -> tuple[Row, ...]:
        """The rows that no case pins though one should."""
        return tuple(row for row in self.rows if row.empty)

    def counts(self) -> dict[str, tuple[int, int]]:
        """By kind: how many rows there are, and how many of them are empty."""
        return {
            kind: (len(rows), sum(row.empty for row in rows))
            for kind in KINDS
            if (rows := [row for row in self.rows if row.kind == kind])
        }

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "game": self.game,
            "variants": list(self.variants),
            "rulebook": self.has_rulebook,
            "summary": {
                kind: {"rows": rows, "empty": empty}
                for kind, (rows, empty) in self.counts().items()
            },
            "empty": len(self.empty),
            "rows": [row.as_dict() for row in self.rows],
            "cases": [case.as_dict() for case in self.cases],
        }
