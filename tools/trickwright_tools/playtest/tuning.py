"""Tuning: the whole number in the rules that brings a figure to a target, each number tried on the same deals.

What is searched is the straight line from each number tried to the next: where it crosses the target if the ends of the range lie
on both sides of it (Brent's method), else where it comes nearest. Both are scipy's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import floor
from typing import Any

from trickwright.compile import Compiled, GameFiles
from trickwright.paths import split_setting
from trickwright_tools.playtest.many import merge_ratios
from trickwright_tools.playtest.naming import Named
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.points import Point, fitting
from trickwright_tools.playtest.ratios import Estimate, Key, Ratio
from trickwright_tools.playtest.report import Options, Seated, kept_by
from trickwright_tools.playtest.run import Plan, Progress
from trickwright_tools.playtest.telling import COUNTED, plain_estimate
from trickwright_tools.report import CallError

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
_NUMBER = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(%?)")


@dataclass(frozen=True)
class Goal:
    """The figure's name, and what it is to come to; as a share if it was written in percent."""

    name: str
    value: float
    is_percent: bool


@dataclass(frozen=True)
class Span:
    """The path of a number, and from where to where it may be."""

    path: str
    low: int
    high: int


def goal_of(text: str) -> Goal:
    """``METRIC=TARGET``; CallError if it is not that."""
    name, equals, written = text.partition("=")
    found = _NUMBER.fullmatch(written.strip())
    if not equals or not name.strip() or found is None:
        raise CallError(
            f"'{text}' is not METRIC=TARGET, for example bids.mean=3.5 or outcomes.played=80%"
        )
    value, percent = float(found[1]), bool(found[2])
    return Goal(name.strip(), value / 100 if percent else value, percent)


def span_of(text: str) -> Span:
    """``PATH=LOW..HIGH``; CallError if it is not that."""
    path, equals, written = split_setting(text)
    found = _RANGE.fullmatch(written.replace(" ", ""))
    if not equals or not path.strip() or found is None:
        raise CallError(f"'{text}' is not PATH=LOW..HIGH, for example match.until=100..300")
    low, high = int(found[1]), int(found[2])
    if low >= high:
        raise CallError(f"there is nothing to choose from in '{text}': LOW must be below HIGH")
    return Span(path.strip(), low, high)


def fits(goal: Goal, named: Named) -> None:
    """CallError if the target is none that such a figure can have."""
    is_share = named.line.kind == "share"
    if is_share and not 0 <= goal.value <= 1:
        raise CallError(f"{named.name} is a share: write a target from 0 to 1, or from 0% to 100%")
    if goal.is_percent and not is_share:
        raise CallError(f"{named.name} is no share: write its target without %")


@dataclass
class Trials:
    """What a figure comes to with each number tried; ``play`` tries one."""

    play: Callable[[int], Estimate]
    target: float
    found: dict[int, Estimate] = field(default_factory=dict)

    def off(self, number: int) -> float:
        """How far the figure is above the target with a number."""
        if number not in self.found:
            self.found[number] = self.play(number)
        value = self.found[number].value
        assert value is not None
        return value - self.target

    def off_at(self, place: float) -> float:
        """The same on the straight line between two numbers."""
        low = floor(place)
        share = place - low
        return (
            self.off(low) if share == 0 else (1 - share) * self.off(low) + share * self.off(low + 1)
        )

    def best(self) -> int:
        """Of the numbers tried, the one that comes nearest; the lowest of several."""
        return min(self.found, key=lambda number: (abs(self.off(number)), number))


def search(trials: Trials, low: int, high: int) -> int:
    """The number from ``low`` to ``high`` that comes nearest to the target as far as is seen; its neighbours are tried, too."""
    from scipy.optimize import brentq, minimize_scalar

    if trials.off(low) * trials.off(high) <= 0:
        brentq(trials.off_at, low, high, xtol=0.25)
    else:
        options = {"xatol": 0.5, "maxiter": 20}
        minimize_scalar(
            lambda place: abs(trials.off_at(float(place))),
            bounds=(low, high),
            method="bounded",
            options=options,
        )
    best = None
    while best != trials.best():
        best = trials.best()
        for near in (best - 1, best + 1):
            if low <= near <= high:
                trials.off(near)
    return best


@dataclass(frozen=True)
class Tuned:
    """The number found, and what the figure comes to with all that were tried."""

    named: Named
    goal: Goal
    span: Span
    number: int
    tried: dict[int, Estimate]

    @property
    def estimate(self) -> Estimate:
        """The figure with the number found."""
        return self.tried[self.number]

    def holds(self, number: int) -> bool:
        """Whether the interval with a number holds the target."""
        low, high = self.tried[number].low, self.tried[number].high
        return low is not None and high is not None and low <= self.goal.value <= high

    @property
    def verdict(self) -> str:
        """``reached``, ``between`` two whole numbers, or ``out-of-reach`` in the range."""
        if self.holds(self.number):
            return "reached"
        values = [one.value for one in self.tried.values() if one.value is not None]
        return "between" if min(values) < self.goal.value < max(values) else "out-of-reach"

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "key": self.named.name,
            "label": self.named.label,
            "kind": self.named.line.kind,
            "behind_are": COUNTED[self.named.unit],
            "target": self.goal.value,
            "path": self.span.path,
            "low": self.span.low,
            "high": self.span.high,
            "verdict": self.verdict,
            "value": self.number,
            "tried": [
                {"value": number, "holds_target": self.holds(number), "figure": plain_estimate(one)}
                for number, one in self.tried.items()
            ],
        }


def tuned(
    files: GameFiles,
    options: Options,
    seated: Seated,
    compiled: Compiled,
    named: Named,
    goal: Goal,
    span: Span,
    own: tuple[Own, ...],
    progress: Progress,
) -> Tuned:
    """Search. CallError if scipy is missing, check refuses a number, or a figure has too few hands behind it."""
    if find_spec("scipy") is None:
        raise CallError("scipy is not installed: pip install 'trickwright[tune]'")
    kept = kept_by(options, [compiled], seated, own, [options.learned, named.name, span.path])
    plan = Plan(seated.table, options.hands, None, "", own, options.workers, options.cluster, kept)

    def play(number: int) -> Estimate:
        point = Point((f"{span.path}={number}",), f"{span.path}={number}")
        made, left_out, _ = fitting(files, options.variants, options.sets, [point])
        if not made:
            raise CallError(f"check refuses {point.label}: {left_out[0].why}")
        table = replace(plan.table, sets=(*plan.table.sets, *point.sets), learned=options.learned)
        sums: dict[Key, Ratio] = {}
        progress(f"trying {point.label}", 0, 0)
        keys = frozenset((named.line.key,))
        merge_ratios(plan, table, 0, named.unit, keys, sums, progress)
        found = named.line.estimate(sums.get(named.line.key, Ratio()))
        if not found.enough:
            few = f"too few {COUNTED[named.unit]} to tell {named.name} with {point.label}"
            raise CallError(f"{few}: {found.behind} of {options.hands} hands; take more --hands")
        return found

    trials = Trials(play, goal.value)
    number = search(trials, span.low, span.high)
    return Tuned(named, goal, span, number, dict(sorted(trials.found.items())))
