"""The points of two sweeps as a table of squares: a row for each value of the first, a column for each of the second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trickwright.paths import split_setting
from trickwright_tools.playtest.points import Point, short
from trickwright_tools.playtest.telling import Figure


@dataclass(frozen=True)
class Grid:
    """Two paths, in short, and the values of both at each of the points."""

    down: str
    across: str
    values: tuple[tuple[str, str], ...]

    @property
    def rows(self) -> list[str]:
        """The values of the first, in the order of the sweep."""
        return list(dict.fromkeys(one for one, _ in self.values))

    @property
    def columns(self) -> list[str]:
        """The values of the second."""
        return list(dict.fromkeys(two for _, two in self.values))

    def figure(self, figures: Sequence[Figure], row: str, column: str) -> Figure | None:
        """The figure at two values; None if that point was not played."""
        at = (row, column)
        return figures[self.values.index(at)] if at in self.values else None


def grid_of(points: Sequence[Point]) -> Grid | None:
    """The two paths that all points have values of; None if they have other than two."""
    settings = [[split_setting(one) for one in point.sets] for point in points]
    paths = {tuple(path for path, _, _ in one) for one in settings}
    if len(paths) != 1 or len(points[0].sets) != 2:
        return None
    (found,) = paths
    called = short(found)
    values = tuple((one[2], two[2]) for one, two in settings)
    return Grid(called[found[0]], called[found[1]], values)


def shade(figure: Figure, figures: Sequence[Figure]) -> float:
    """How deep the colour of a square is: from 0 for the lowest value of the table to 1 for its highest."""
    values = [one.estimate.value for one in figures if one.estimate.enough]
    told = [value for value in values if value is not None]
    value = figure.estimate.value
    if value is None or not figure.estimate.enough or min(told) == max(told):
        return 0.0
    return round((value - min(told)) / (max(told) - min(told)), 2)
