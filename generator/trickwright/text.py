"""Titles, citations and readings: what the rules say about themselves."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.problems import Mark


@dataclass(frozen=True)
class Cited:
    """Where a rule comes from: headings by source id, and what was chosen where no source settles it."""

    sources: dict[str, str]
    reading: str = ""

    @property
    def heading(self) -> str:
        """The first heading named, for docstrings and messages."""
        return next(iter(self.sources.values()), "")


@dataclass(frozen=True)
class Reading:
    """A choice made where the rulebook is silent, contradicts itself or lost something."""

    path: str
    mark: Mark
    text: str
