"""Tables of numbers: one row for each number of players, or entries by trump or by class of poker hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trickwright.cards import TRUMP_KINDS
from trickwright.poker import POKER_CLASSES
from trickwright.problems import Mark
from trickwright.text import Cited


@dataclass(frozen=True)
class Table:
    """A table of the rules.

    A table by players has ``rows``: entry ``rows[players][n - 1]`` is for the number n. A table by trump has
    ``entries`` instead: for kinds of trump, and for single trumps by their names, which go before their kind. A table by class
    of poker hands has ``entries``, too.
    """

    name: str
    mark: Mark
    cited: Cited
    rows: dict[int, tuple[int, ...]]
    entries: dict[str, int]
    marks: dict[str, Mark]
    """Where each row or entry stands."""
    at_most_points_in_play: bool
    entry_marks: dict[int, tuple[Mark, ...]] = field(default_factory=dict)
    """Where the entries of each row stand."""

    @property
    def constant(self) -> str:
        """Name of the table in an engine."""
        return self.name.upper()

    @property
    def by_poker_class(self) -> bool:
        """Whether the entries are for classes of poker hands."""
        return any(name in POKER_CLASSES for name in self.entries)

    @property
    def keys(self) -> tuple[str, ...]:
        """What the entries may be for, in the order of an engine's numbers; single trumps have numbers of their own."""
        return POKER_CLASSES if self.by_poker_class else TRUMP_KINDS

    @property
    def by_single_trump(self) -> bool:
        """Whether some entry is for a single suit or rank, so that the kind of a trump is not enough."""
        return any(name not in self.keys for name in self.entries)

    def entry(self, trump: str, kind: str) -> int | None:
        """The entry for a trump of a kind; None if there is none."""
        return self.entries.get(trump, self.entries.get(kind))

    @property
    def width(self) -> int:
        """Entries of the longest row."""
        return max((len(row) for row in self.rows.values()), default=0)


def every_number(players: Sequence[int]) -> range:
    """From the smallest to the largest number of players: by them, an engine finds the rows of its tables."""
    return range(min(players), max(players) + 1)
