"""From sums to what is told: sections of figures, each with its interval and what is behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from trickwright_tools.playtest.metrics import Line, Metric, Section, Told, all_metrics
from trickwright_tools.playtest.points import Course
from trickwright_tools.playtest.ratios import NOTHING, Estimate, Key, Pair, Ratio
from trickwright_tools.playtest.run import Sums

if TYPE_CHECKING:
    from trickwright_tools.playtest.squares import Grid

COUNTED = {"hand": "hands", "match": "matches", "deal": "deals"}


@dataclass(frozen=True)
class Figure:
    """A figure that is told; with another game to compare with also that game's and the difference."""

    line: Line
    estimate: Estimate
    base: Estimate | None = None
    difference: Estimate | None = None

    @property
    def differs(self) -> bool:
        """Whether the interval of the difference leaves 0 out."""
        found = self.difference
        if found is None or not found.enough or found.low is None or found.high is None:
            return False
        return found.low > 0 or found.high < 0


@dataclass(frozen=True)
class Part:
    """Figures that belong together, and what they are counted in."""

    title: str
    text: str
    figures: tuple[Figure, ...]
    chart: bool
    counted: str
    course: Course | None = None
    """The number whose values the figures are at, if they are one figure at several values of a number."""
    grid: Grid | None = None
    """The two paths whose values the figures are at, if they are one figure at all combinations of those."""


def parts(tested: Told, base: Told | None, sums: Sums) -> list[Part]:
    """All that is told, in the order of reading; with another game, what either of the two has."""
    found: list[Part] = []
    for metric in all_metrics():
        sections = _sections(metric, tested)
        if base is not None:
            sections = _joined(_sections(metric, base), sections)
        for section in sections:
            figures = tuple(
                figure_of(line, metric.unit, sums, base is not None) for line in section.lines
            )
            if figures:
                counted = COUNTED[metric.unit]
                found.append(Part(section.title, section.text, figures, section.chart, counted))
    return found


def _sections(metric: Metric, told: Told) -> list[Section]:
    if not metric.applies(told.meaning):
        return []
    return list(metric.tell(told))


def _joined(base: list[Section], tested: list[Section]) -> list[Section]:
    """The sections of both games, those that have figures in common as one, each where the base game has it."""
    left = list(tested)
    joined: list[Section] = []
    for section in base:
        keys = {line.key for line in section.lines}
        same = [one for one in left if any(line.key in keys for line in one.lines)]
        lines = list(section.lines)
        for one in same:
            left.remove(one)
            known = {(line.key, line.label) for line in lines}
            lines += [line for line in one.lines if (line.key, line.label) not in known]
        joined.append(replace(section, lines=tuple(lines)))
    return joined + left


def figure_of(line: Line, unit: str, sums: Sums, compared: bool) -> Figure:
    """A figure from its sums over hands, matches or deals; ``compared`` with another game unless it is over deals."""
    if not compared or unit == "deal":
        return Figure(line, line.estimate(sums.tested.get(line.key, Ratio())))
    if unit == "hand":
        pair = sums.pairs.get(line.key)
        one, two = (Ratio(), Ratio()) if pair is None else (pair.base, pair.other)
        difference = None if pair is None else pair.difference().scaled(line.scale)
        return Figure(line, line.estimate(two), line.estimate(one), difference)
    one, two = (found.get(line.key, Ratio()) for found in (sums.base, sums.tested))
    return Figure(line, line.estimate(two), line.estimate(one), apart(one, two).scaled(line.scale))


def apart(one: Ratio, two: Ratio) -> Estimate:
    """By how much the second ratio is higher, both being from runs of their own."""
    return Pair(one, two).difference()


def sums_of_both(sums: Sums) -> Mapping[Key, Ratio]:
    """The sums of all runs and games added up: which figures there are."""
    found = dict(sums.tested)
    for key, more in _all(sums):
        found[key] = found[key] + more if key in found else more
    return found


def _all(sums: Sums) -> Iterable[tuple[Key, Ratio]]:
    yield from sums.base.items()
    for key, pair in sums.pairs.items():
        yield key, pair.base + pair.other


def as_json(about: Mapping[str, Any], told: Iterable[Part]) -> dict[str, Any]:
    """All figures as plain values; nothing in them depends on the machine or the time."""
    sections = []
    for part in told:
        figures = []
        for figure in part.figures:
            line = figure.line
            row: dict[str, Any] = {"key": line.name, "label": line.label}
            row |= {"kind": line.kind, "unit": line.unit, **plain_estimate(figure.estimate)}
            if figure.base is not None:
                row["against"] = plain_estimate(figure.base)
            if figure.difference is not None:
                row["difference"] = plain_estimate(figure.difference)
            figures.append(row)
        sections.append(
            {"title": part.title, "text": part.text, "behind_are": part.counted, "figures": figures}
        )
    return {**about, "sections": sections}


def plain_estimate(estimate: Estimate | None) -> dict[str, Any]:
    """A figure as plain values; that of nothing where there is none."""
    return {
        key: round(value, 6) if isinstance(value, float) else value
        for key, value in asdict(estimate or NOTHING).items()
    }
