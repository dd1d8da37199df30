"""Sweeps: what some figures come to with other values in the rules, all on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trickwright.compile import Compiled
from trickwright_tools.playtest.many import Wanted, play_points
from trickwright_tools.playtest.naming import Named, UnknownFigure, figure, figures
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.points import Course, LeftOut, Point, course_of
from trickwright_tools.playtest.report import Options, Seated, about_of, kept_by
from trickwright_tools.playtest.run import Plan, Progress, Sums
from trickwright_tools.playtest.squares import grid_of
from trickwright_tools.playtest.telling import COUNTED, Figure, Part, figure_of, plain_estimate
from trickwright_tools.report import CallError


@dataclass(frozen=True)
class Row:
    """A figure at each of the points, with that of the game as it is."""

    named: Named
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Swept:
    """What came of a sweep: its points, those left out, and by figure what it comes to at each point."""

    points: tuple[Point, ...]
    left_out: tuple[LeftOut, ...]
    rows: tuple[Row, ...]
    course: Course | None = None
    """The one number that the points are values of, if they are."""


def chosen(
    names: Sequence[str], options: Options, seated: Seated, compiled: Compiled, own: tuple[Own, ...]
) -> list[Named]:
    """The figures of these names; without names, those that stand at the top of a report, and the designer's own.

    CallError if there is no such figure.
    """
    found = figures(seated.table, compiled, own, options.pace)
    if not names:
        return [one for one in found.values() if one.line.tile or one.line.key[0] == "own"]
    try:
        return [figure(name, found) for name in dict.fromkeys(names)]
    except UnknownFigure as error:
        raise CallError(str(error)) from None


def swept(
    options: Options,
    seated: Seated,
    compiled: Compiled,
    points: Sequence[tuple[Point, Compiled]],
    left_out: Sequence[LeftOut],
    shown: Sequence[Named],
    own: tuple[Own, ...],
    progress: Progress,
) -> Swept:
    """Play the game and all points, and work out the figures."""
    wanted = Wanted(
        *(frozenset(n.line.key for n in shown if n.unit == u) for u in ("hand", "match"))
    )
    games = [compiled, *(made for _, made in points)]
    kept = kept_by(
        options, games, seated, own, [options.learned, sorted(wanted.hand), sorted(wanted.match)]
    )
    plan = Plan(seated.table, options.hands, None, "", own, options.workers, options.cluster, kept)
    tables = [
        replace(
            plan.table,
            sets=(*plan.table.sets, *point.sets),
            learned=options.learned,
            sits_out=plan.table.members in made.game.match.sits_out,
        )
        for point, made in points
    ]
    sums = play_points(plan, tables, wanted, progress)
    of = tuple(point for point, _ in points)
    rows = tuple(Row(named, _figures(named, of, sums)) for named in shown)
    return Swept(of, tuple(left_out), rows, course_of(of, compiled.root))


def _figures(named: Named, points: Sequence[Point], sums: Sequence[Sums]) -> tuple[Figure, ...]:
    return tuple(
        figure_of(replace(named.line, label=point.label, tile=""), named.unit, found, True)
        for point, found in zip(points, sums, strict=True)
    )


def about(
    options: Options, seated: Seated, compiled: Compiled, words: Sequence[str], what: str
) -> dict[str, Any]:
    """What a report of a sweep is about; ``words`` are what its call has besides that of a playtest."""
    found = about_of(options, compiled, None, seated.table, options.hands, words)
    called = "with other values"
    here = found["called"]
    return {
        **found,
        "learn": options.learn,
        "against": "",
        "called": called,
        "against_called": here if here == "the base game" else f"the game with {here}",
        "what": f"{found['what'].removesuffix('.')}: {what}.",
    }


LEARNED = {
    "anew": "Players learn the rules of each point anew, so a difference holds what they make of them; and since small changes may "
    "teach them other habits, --learn once shows what the value does alone.",
    "once": "At all points players play as they learned the game as it is, so a difference holds what the value does alone; "
    "--learn anew shows what players then make of it.",
}
"""What is said of how players came to play, by what was asked for."""


def parts(found: Swept, learn: str) -> list[Part]:
    """A table for each figure, with a row for each point; over the values of one number with a line plot instead of bars."""
    marked = "The pale bar is the game as it is. " if found.course is None else ""
    text = f"{marked}{LEARNED[learn]}"
    made = [
        Part(
            row.named.label,
            text,
            row.figures,
            found.course is None,
            COUNTED[row.named.unit],
            found.course,
            grid_of(found.points),
        )
        for row in found.rows
    ]
    return [*made, *not_played(found.left_out)]


def not_played(left_out: Sequence[LeftOut]) -> list[Part]:
    """What was left out, if anything, as a text."""
    if not left_out:
        return []
    text = "; ".join(f"{one.point.label} ({one.why})" for one in left_out)
    return [Part("Not played", f"Check refuses: {text}.", (), False, "hands")]


def as_json(about: Mapping[str, Any], found: Swept) -> dict[str, Any]:
    """All of it as plain values; nothing in them depends on the machine or the time."""
    return {
        **about,
        "points": [list(point.sets) for point in found.points],
        "left_out": left_out_json(found.left_out),
        "figures": [
            {
                "key": row.named.name,
                "label": row.named.label,
                "kind": row.named.line.kind,
                "unit": row.named.line.unit,
                "behind_are": COUNTED[row.named.unit],
                "base": plain_estimate(row.figures[0].base),
                "points": [
                    {
                        "sets": list(point.sets),
                        **plain_estimate(one.estimate),
                        "difference": plain_estimate(one.difference),
                    }
                    for point, one in zip(found.points, row.figures, strict=True)
                ],
            }
            for row in found.rows
        ],
    }


def left_out_json(left_out: Sequence[LeftOut]) -> list[dict[str, Any]]:
    """The points that were left out, with the reasons."""
    return [{"sets": list(one.point.sets), "why": one.why} for one in left_out]
