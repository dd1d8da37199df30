"""Tables of numbers: one row for each number of players, or entries by trump."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickwright.cards import TRUMP_KINDS
from trickwright.problems import Mark
from trickwright.text import Cited


@dataclass(frozen=True)
class Table:
    """A table of the rules.

    A table by players has ``rows``: entry ``rows[players][n - 1]`` is for the number n. A table by trump has
    ``entries`` instead: for kinds of trump, and for single trumps by their names, which go before their kind.
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
    def by_single_trump(self) -> bool:
        """Whether some entry is for a single suit or rank, so that the kind of a trump is not enough."""
        return any(name not in TRUMP_KINDS for name in self.entries)

    def entry(self, trump: str, kind: str) -> int | None:
        """The entry for a trump of a kind; None if there is none."""
        return self.entries.get(trump, self.entries.get(kind))

    @property
    def width(self) -> int:
        """Entries of the longest row."""
        return max((len(row) for row in self.rows.values()), default=0)
