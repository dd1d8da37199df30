"""Line plots as SVG: a figure over the values of one number of the rules.

Places are in percent of the plot, so that it grows with the page while its words keep their size. Ticks stand at round values, as
few as have room on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor, log10

from trickwright_tools.playtest.plots import Scale
from trickwright_tools.playtest.points import Course
from trickwright_tools.playtest.ratios import Estimate
from trickwright_tools.playtest.telling import Figure

NARROW = 320
"""Pixels that a plot and its words at the left have on a narrow screen."""
LETTER, GAP = 8, 12
"""Pixels of a letter of a tick, and between two ticks."""
MOST_TICKS, LEVELS = 8, 5
"""Ticks at the bottom, and steps from the lowest to the highest at the left."""
EDGE = 0.04
"""Room at the left and right of the points, as a share of their width."""


@dataclass(frozen=True)
class Tick:
    """A round value: where it stands, in percent, and how it is written."""

    at: float
    text: str


@dataclass(frozen=True)
class Dot:
    """A figure and its interval: in percent from the left and from the top. Without ``x`` its number is not on the plot."""

    x: float | None
    y: float
    low: float
    high: float
    alone: bool = False
    """Whether it has no neighbour, so that its interval is in no band."""


@dataclass(frozen=True)
class LinePlot:
    """What is drawn: lines and bands as corners of SVG, broken where there is too little to tell."""

    lines: tuple[str, ...]
    bands: tuple[str, ...]
    dots: tuple[Dot, ...]
    as_is: Dot | None
    """The rules as they stand."""
    below: tuple[Tick, ...]
    left: tuple[Tick, ...]

    @property
    def room(self) -> int:
        """Letters of the longest tick at the left."""
        return max(len(tick.text) for tick in self.left)


def line_plot(course: Course, figures: Sequence[Figure]) -> LinePlot | None:
    """A figure, one for each value of the number; None if fewer than two of them have enough behind them."""
    found = sorted(zip(course.values, (f.estimate for f in figures), strict=True), key=_number)
    told = [(number, one) for number, one in found if _is_told(one)]
    if len(told) < 2:
        return None
    as_is = next((f.base for f in figures if f.base is not None and _is_told(f.base)), None)
    is_share = figures[0].line.kind == "share"
    up, left = _upright([one for _, one in told] + ([as_is] if as_is else []), is_share)
    numbers = [number for number, _ in found]
    width = numbers[-1] - numbers[0]
    # The rules as they stand may be so far off that the points would be squeezed into a corner.
    near = (
        course.as_is is not None
        and as_is is not None
        and numbers[0] - width <= course.as_is <= numbers[-1] + width
    )
    if near and course.as_is is not None:
        numbers.append(course.as_is)
    along, below = _along(numbers, NARROW - LETTER * max(len(tick.text) for tick in left))

    def dot(number: float | None, one: Estimate, alone: bool = False) -> Dot:
        low, value, high = (round(100 - up.at(v), 2) for v in _ends(one))
        return Dot(None if number is None else along.at(number), value, low, high, alone)

    runs = []
    for is_told, pairs in groupby(found, key=lambda pair: _is_told(pair[1])):
        run = list(pairs)
        if is_told:
            runs.append([dot(number, one, len(run) == 1) for number, one in run])
    return LinePlot(
        tuple(_corners([(one.x, one.y) for one in run]) for run in runs),
        tuple(
            _corners([*((o.x, o.high) for o in run), *((o.x, o.low) for o in reversed(run))])
            for run in runs
        ),
        tuple(one for run in runs for one in run),
        dot(course.as_is if near else None, as_is) if as_is else None,
        below,
        left,
    )


def _number(pair: tuple[float, Estimate]) -> float:
    return pair[0]


def _is_told(one: Estimate) -> bool:
    return one.enough and one.value is not None


def _ends(one: Estimate) -> tuple[float, float, float]:
    """Low end, value and high end; the value itself where there is no interval."""
    value = one.value or 0.0
    return (
        value if one.low is None else one.low,
        value,
        value if one.high is None else one.high,
    )


def _corners(places: Sequence[tuple[float | None, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def _upright(told: Sequence[Estimate], is_share: bool) -> tuple[Scale, tuple[Tick, ...]]:
    """From the lowest to the highest end of an interval, made longer to round values."""
    by = 100 if is_share else 1
    ends = [by * end for one in told for end in _ends(one)]
    low, high = min(ends), max(ends)
    if high - low < 1e-9 * max(1.0, abs(low)):
        low, high = low - 1, high + 1
    step = next(s for s in steps((high - low) / 100) if ceil(high / s) - floor(low / s) <= LEVELS)
    first, last = floor(low / step), ceil(high / step)
    scale = Scale(first * step / by, last * step / by)
    return scale, ticks(scale, step, range(first, last + 1), by, "%" if is_share else "")


def _along(numbers: Sequence[float], room: float) -> tuple[Scale, tuple[Tick, ...]]:
    """The values of the number, with a little room beside them; ``room`` is in pixels."""
    low, high = min(numbers), max(numbers)
    edge = EDGE * (high - low)
    scale = Scale(low - edge, high + edge)
    smallest = 1.0 if all(float(number).is_integer() for number in numbers) else 0.0
    for step in steps(max(smallest, (high - low) / 100)):
        found = ticks(scale, step, range(ceil(low / step), floor(high / step) + 1))
        longest = max((len(tick.text) for tick in found), default=1)
        if len(found) <= min(MOST_TICKS, room // (LETTER * longest + GAP)):
            break
    if len(found) > 1:
        return scale, found
    return scale, tuple(Tick(scale.at(end), written(end)) for end in (low, high))


def steps(smallest: float) -> Iterator[float]:
    """The round steps 1, 2, 5, 10, 20, 50 and so on from some size on, also below 1."""
    power = floor(log10(smallest))
    while True:
        for times in (1, 2, 5):
            step = times * 10.0**power if power >= 0 else times / 10.0**-power
            if step >= smallest * (1 - 1e-9):
                yield step
        power += 1


def ticks(
    scale: Scale, step: float, places: range, by: float = 1, sign: str = ""
) -> tuple[Tick, ...]:
    """A tick at each of these multiples of a step, written with as many decimals as the step has."""
    decimals = max(0, -floor(log10(step) + 1e-9))
    return tuple(
        Tick(scale.at(place * step / by), f"{place * step:,.{decimals}f}{sign}".replace("-", "−"))
        for place in places
    )


def written(number: float) -> str:
    """A number of the rules as people write it."""
    text = f"{number:,.0f}" if float(number).is_integer() else f"{number:,}"
    return text.replace("-", "−")


def in_words(
    course: Course, figures: Sequence[Figure], told_of: Callable[[Figure, Estimate], str]
) -> str:
    """What the plot shows, for those who do not see it; ``told_of`` writes a figure with its interval."""
    found = sorted(zip(course.values, figures, strict=True), key=lambda pair: pair[0])
    told = [(number, one) for number, one in found if _is_told(one.estimate)]

    def at(number: float, one: Figure) -> str:
        return f"{told_of(one, one.estimate)} at {written(number)}"

    by_value = sorted(told, key=lambda pair: pair[1].estimate.value or 0.0)
    said = f"Over {course.called}: {at(*told[0])}, {at(*told[-1])}; lowest {at(*by_value[0])}, highest {at(*by_value[-1])}."
    base = next((f for f in figures if f.base is not None and _is_told(f.base)), None)
    if base is not None and base.base is not None:
        where = "" if course.as_is is None else f", at {written(course.as_is)}"
        said += f" The rules as they stand{where}: {told_of(base, base.base)}."
    return f"{said} The table below has all values."
