"""Points: the same game with other values, as a sweep or a grid asks for, or with each number of its rules moved by a step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from trickwright.compile import Compiled, GameFiles, compile_game
from trickwright.paths import find, format_path, parse_path, split_setting
from trickwright.problems import Problem, Report
from trickwright.source import Node
from trickwright_tools.parameters import parameters
from trickwright_tools.report import CallError

MOST_POINTS = 100
"""Points of a sweep or grid."""
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:/(\d{1,9}))?")


@dataclass(frozen=True)
class Point:
    """Values that are laid over the rules: each as ``PATH=VALUE``, and all in words."""

    sets: tuple[str, ...]
    label: str


@dataclass(frozen=True)
class LeftOut:
    """A point that is not played, and why."""

    point: Point
    why: str


def grid(texts: Sequence[str]) -> list[Point]:
    """The points of ``--sweep PATH=VALUES`` options: all combinations. CallError if they cannot be read, or are too many."""
    axes: list[list[str]] = []
    paths: list[str] = []
    count = 1
    for text in texts:
        path, equals, written = split_setting(text)
        if not equals or not path.strip() or not written.strip():
            said = f"--sweep: '{text}' is not PATH=VALUES, for example match.until=100..300/50"
            raise CallError(said)
        name, values = path.strip(), values_of(written.strip())
        if any(axis[0].startswith(f"{name}=") for axis in axes):
            raise CallError(f"--sweep: {name} is there twice")
        count *= len(values)
        axes.append([f"{name}={value}" for value in values])
        paths.append(name)
        if count > MOST_POINTS:
            raise CallError(
                f"--sweep: {count} points are more than {MOST_POINTS}; take a step, as in 20..30/2"
            )
    called = short(paths)
    return [
        Point(
            sets,
            ", ".join(
                f"{called[path]} = {one.removeprefix(f'{path}=')}"
                for path, one in zip(paths, sets, strict=True)
            ),
        )
        for sets in product(*axes)
    ]


@dataclass(frozen=True)
class Course:
    """Points that are values of one number of the rules."""

    called: str
    """Its path, in short."""
    values: tuple[float, ...]
    """The number at each of the points."""
    as_is: float | None
    """The number in the rules as they stand; None if no plain number stands there."""


def course_of(points: Sequence[Point], rules: Node) -> Course | None:
    """The number of which all points are values; None if there is no such number, or fewer than two values of it."""
    settings = [split_setting(point.sets[0]) for point in points if len(point.sets) == 1]
    paths = {path for path, _, _ in settings}
    values = [float(value) for _, _, value in settings if _NUMBER.fullmatch(value)]
    if (
        len(paths) != 1
        or len(set(values)) < 2
        or not len(values) == len(set(values)) == len(points)
    ):
        return None
    (path,) = paths
    node = find(rules, parse_path(path) or ())
    value = node.value if node is not None else None
    as_is = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    return Course(short([path])[path], tuple(values), as_is)


def short(paths: Sequence[str]) -> dict[str, str]:
    """The paths from their last word on, where that tells them apart: ``lost_per_card``, ``team_goal.4[2]``."""
    tails: dict[str, str] = {}
    for path in paths:
        parts = parse_path(path) or (path,)
        words = [
            at for at, part in enumerate(parts) if isinstance(part, str) and not part.isdigit()
        ]
        tails[path] = format_path(parts[words[-1] :]) if words else path
    shared = Counter(tails.values())
    return {path: tail if shared[tail] == 1 else path for path, tail in tails.items()}


def values_of(text: str) -> list[str]:
    """The values of ``20..30``, ``20..30/2`` or ``a,b,c``. CallError if there are none or too many."""
    found = _RANGE.fullmatch(text.replace(" ", ""))
    if found is not None:
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if low > high or step == 0:
            raise CallError(
                f"--sweep: there is nothing in '{text}'; write LOW..HIGH or LOW..HIGH/STEP"
            )
        values = range(low, high + 1, step)
        if len(values) > MOST_POINTS:
            raise CallError(
                f"--sweep: {len(values)} points are more than {MOST_POINTS}; take a step, as in 20..30/2"
            )
        return [str(value) for value in values]
    if ".." in text and "," not in text:
        raise CallError(
            f"--sweep: '{text}' is not LOW..HIGH or LOW..HIGH/STEP, with whole numbers of nine digits or fewer"
        )
    listed = [value.strip() for value in _split(text)]
    if not all(listed):
        raise CallError(f"--sweep: a value is missing in '{text}'")
    return list(dict.fromkeys(listed))


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no brackets."""
    depth, part = 0, ""
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth <= 0:
            yield part
            part = ""
        else:
            part += letter
    yield part


def fitting(
    files: GameFiles, variants: Sequence[str], sets: Sequence[str], points: Iterable[Point]
) -> tuple[list[tuple[Point, Compiled]], list[LeftOut], list[Problem]]:
    """The points that ``check`` lets pass, compiled; those it refuses; and all that it has against the first of them."""
    found: list[tuple[Point, Compiled]] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []
    for point in points:
        report = Report()
        compiled = compile_game(files, variants, (*sets, *point.sets), report)
        if compiled is not None and not report.failed:
            found.append((point, compiled))
            continue
        problems = problems or list(report.problems)
        errors = [problem for problem in report.problems if problem.severity == "error"]
        left_out.append(LeftOut(point, errors[0].text))
    return found, left_out, problems


@dataclass(frozen=True)
class Number:
    """A whole number that stands in the rules."""

    path: str
    value: int
    called: str
    """Its path, in short if that tells it apart."""

    def moved(self, by: int) -> Point:
        """The point at which it is higher by so much."""
        value = self.value + by
        return Point((f"{self.path}={value}",), f"{self.called} = {value}, was {self.value}")


def numbers(compiled: Compiled, players: int, prefixes: Sequence[str] = ()) -> list[Number]:
    """The whole numbers in the rules of a game, at or below these paths; those in rows for other numbers of players are left out."""
    by_players = {table.name for table in compiled.game.tables.values() if table.rows}
    found: list[tuple[str, int]] = []
    for one in parameters(compiled.root):
        if one.parts[0] == "tables" and one.parts[1] in by_players and len(one.parts) > 2:
            row = str(one.parts[2])
            if row.isdigit() and int(row) != players:
                continue
        listed = isinstance(one.value, list)
        for place, value in enumerate(one.value if listed else [one.value]):
            if isinstance(value, int) and not isinstance(value, bool):
                path = format_path((*one.parts, place)) if listed else one.path
                found.append((path, value))
    called = short([path for path, _ in found])
    return [Number(path, value, called[path]) for path, value in found if _is_below(path, prefixes)]


def _is_below(path: str, prefixes: Sequence[str]) -> bool:
    return not prefixes or any(
        path == prefix or path.startswith((f"{prefix}.", f"{prefix}[")) for prefix in prefixes
    )
