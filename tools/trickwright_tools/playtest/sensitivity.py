"""Which numbers matter: how far a figure moves when each number of the rules is one higher, the farthest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trickwright.compile import Compiled, GameFiles
from trickwright_tools.playtest.naming import Named
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.points import LeftOut, Number, Point, fitting, numbers
from trickwright_tools.playtest.ratios import NOTHING
from trickwright_tools.playtest.report import Options, Seated
from trickwright_tools.playtest.run import Progress
from trickwright_tools.playtest.sweep import LEARNED, Swept, left_out_json, not_played, swept
from trickwright_tools.playtest.telling import COUNTED, Figure, Part, plain_estimate
from trickwright_tools.report import CallError


def moved(
    files: GameFiles, options: Options, seated: Seated, compiled: Compiled, prefixes: Sequence[str]
) -> tuple[list[tuple[Point, Compiled]], list[LeftOut]]:
    """Each number of the rules one higher; one lower where check refuses that; left out where it refuses both.

    CallError if there are no numbers at these paths.
    """
    found: list[tuple[Point, Compiled]] = []
    left_out: list[LeftOut] = []
    whole = numbers(compiled, seated.table.players, prefixes)
    if not whole:
        where = f" at {' or '.join(prefixes)}" if prefixes else ""
        raise CallError(f"there are no numbers{where}; trickwright params {options.game} shows all")
    for number in whole:
        made, refused, _ = _one(files, options, number, 1)
        if not made:
            made, _, _ = _one(files, options, number, -1)
        found += made
        left_out += [] if made else refused
    if not found:
        raise CallError(f"check refuses every step: {left_out[0].point.label}: {left_out[0].why}")
    return found, left_out


def _one(
    files: GameFiles, options: Options, number: Number, by: int
) -> tuple[list[tuple[Point, Compiled]], list[LeftOut], object]:
    return fitting(files, options.variants, options.sets, [number.moved(by)])


def sensitivity(
    files: GameFiles,
    options: Options,
    seated: Seated,
    compiled: Compiled,
    named: Named,
    prefixes: Sequence[str],
    own: tuple[Own, ...],
    progress: Progress,
) -> Swept:
    """Play them all; the points come ranked: those whose interval leaves 0 out first, by how far they move the figure."""
    points, left_out = moved(files, options, seated, compiled, prefixes)
    found = swept(options, seated, compiled, points, left_out, [named], own, progress)
    row = found.rows[0]
    ranked = sorted(zip(found.points, row.figures, strict=True), key=lambda one: _rank(one[1]))
    rows = (replace(row, figures=tuple(figure for _, figure in ranked)),)
    return replace(found, points=tuple(point for point, _ in ranked), rows=rows)


def _rank(figure: Figure) -> tuple[int, float]:
    difference = figure.difference
    if difference is None or difference.value is None or not difference.enough:
        return 2, 0.0
    return (0 if figure.differs else 1), -abs(difference.value)


@dataclass(frozen=True)
class _Class:
    title: str
    text: str


CLASSES = (
    _Class(
        "What moves it",
        "How far the figure moves when the number is changed so, the farthest first; the interval leaves 0 out. Of numbers that "
        "move nothing about one in twenty comes to stand here by chance.",
    ),
    _Class(
        "No movement seen", "The interval holds 0: with more hands a small movement may be seen."
    ),
    _Class("Too few to tell", "Too few hands in which there is such a figure."),
)


def parts(found: Swept, learn: str) -> list[Part]:
    """A table of the numbers that matter, one of those that seem not to, and one of those that cannot be told."""
    row = found.rows[0]
    made: list[Part] = []
    for number, kind in enumerate(CLASSES):
        figures = tuple(
            Figure(one.line, one.difference or NOTHING)
            for one in row.figures
            if _rank(one)[0] == number
        )
        if figures:
            text = kind.text if made else f"{kind.text} {LEARNED[learn]}"
            if row.named.line.kind == "share":
                text += " In percentage points."
            counted = COUNTED[row.named.unit]
            made.append(Part(kind.title, text, figures, chart=number < 2, counted=counted))
    return [*made, *not_played(found.left_out)]


def as_json(about: Mapping[str, Any], found: Swept) -> dict[str, Any]:
    """All of it as plain values, ranked."""
    row = found.rows[0]
    base = row.figures[0].base if row.figures else None
    return {
        **about,
        "figure": {
            "key": row.named.name,
            "label": row.named.label,
            "kind": row.named.line.kind,
            "unit": row.named.line.unit,
            "behind_are": COUNTED[row.named.unit],
            "base": plain_estimate(base),
        },
        "numbers": [
            {
                "sets": list(point.sets),
                **plain_estimate(one.estimate),
                "difference": plain_estimate(one.difference),
                "matters": one.differs,
            }
            for point, one in zip(found.points, row.figures, strict=True)
        ],
        "left_out": left_out_json(found.left_out),
    }
