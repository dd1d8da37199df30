"""Metrics: each module here holds a few, each a small class with one idea.

A metric says whether it goes with a game, by what the game's phases and rules give; collects two numbers for each hand (or deal, or
match) and figure; and tells in plain words what its figures are.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from trickwright.meaning import Meaning
from trickwright_tools.players.batches import Table
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.own import Own
from trickwright_tools.playtest.ratios import Estimate, Key, Ratio

Collected = dict[Key, tuple[Any, Any]]
"""By figure two arrays with a number for each unit: what the figure is a ratio of."""


@dataclass(frozen=True)
class Line:
    """A figure to be told: its name, its label, and how its value is meant.

    ``share`` is a share of a whole, ``mean`` a number of ``unit``, both multiplied by ``scale``. ``special`` makes the figure in
    another way from its sums.
    """

    key: Key
    label: str
    kind: Literal["mean", "share"] = "mean"
    unit: str = ""
    scale: float = 1.0
    special: Callable[[Ratio], Estimate] | None = None
    tile: str = ""
    """What it is called at the top of the page; empty if it does not stand there."""
    called: str = ""

    @property
    def name(self) -> str:
        """What one calls it by, and what it is called in data: its key, unless ``called`` says otherwise."""
        return self.called or ".".join(self.key)

    def estimate(self, ratio: Ratio) -> Estimate:
        """The figure."""
        if self.special is not None:
            return self.special(ratio)
        found = ratio.share() if self.kind == "share" else ratio.mean()
        return found.scaled(self.scale)


@dataclass(frozen=True)
class Section:
    """Figures that belong together, with what they mean in a sentence or two."""

    title: str
    text: str
    lines: tuple[Line, ...]
    chart: bool = True
    """Whether the figures can be compared with each other, so that bars say something."""


@dataclass(frozen=True)
class Told:
    """What a metric tells from: the game, its words, the figures that occurred, and how the run was made."""

    meaning: Meaning
    rules: Any
    sums: Mapping[Key, Ratio]
    pace: float
    """Seconds that a decision takes."""
    table: Table
    skill: tuple[str, str] = ("", "")
    """The ways of the strong player and of the weak ones."""
    own: tuple[Own, ...] = ()
    flags: Mapping[str, bool] = field(default_factory=dict)
    """Which of the designer's own figures say yes or no."""

    @property
    def players(self) -> int:
        """How many play a hand."""
        return self.table.players

    def word(self, kind: str, name: str) -> str:
        """What the game calls something; its name in the rules with blanks if it has no word for it."""
        key = f"{kind}.{name}"
        found: str = self.rules.named(key)
        return name.replace("_", " ").replace("-", " ") if found == key else found

    def keys(self, *start: str) -> list[Key]:
        """The figures that occurred whose names begin so, those that end in a number by it."""
        found = [key for key in self.sums if key[: len(start)] == start]
        return sorted(found, key=lambda key: [(part.zfill(6)) for part in key])


class Metric:
    """One idea of what to look at. ``unit`` is what its figures are sums over."""

    order: ClassVar[int] = 50
    unit: ClassVar[Literal["hand", "deal", "match"]] = "hand"

    def applies(self, meaning: Meaning) -> bool:
        """Whether the game has what this looks at."""
        return True

    def collect(self, frame: Frame) -> Collected:
        """Two arrays for each figure. Figures that cannot occur in these hands may be left out."""
        raise NotImplementedError

    def tell(self, told: Told) -> Iterable[Section]:
        """The figures in words, in the order in which one reads them."""
        raise NotImplementedError


M = TypeVar("M", bound=type[Metric])
_FOUND: list[type[Metric]] = []


def metric(found: M) -> M:
    """Register a metric."""
    _FOUND.append(found)
    return found


@cache
def all_metrics() -> tuple[Metric, ...]:
    """All metrics there are, in the order in which a page shows them."""
    for module in sorted(name for _, name, _ in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return tuple(made() for made in sorted(_FOUND, key=lambda one: (one.order, one.__name__)))


class Words(NamedTuple):
    """What is said of a table, and how its figures are meant."""

    title: str
    text: str
    kind: Literal["mean", "share"] = "mean"
    unit: str = ""


def tables(
    told: Told, start: str, words: Mapping[str, Words], named: Callable[[Line], Line]
) -> Iterator[Section]:
    """A table for each ``what`` of the figures ``(start, what, ...)``, of those that occurred, the one over all first.

    ``words`` are by ``what``; ``named`` gives each line its label.
    """
    for what, said in words.items():
        keys = [key for key in told.keys(start, what) if told.sums[key].n]
        keys.sort(key=lambda key: key[-1] != "all")
        lines = tuple(named(Line(key, "", said.kind, said.unit)) for key in keys)
        yield Section(said.title, said.text, lines)


def role_of_bidder(meaning: Meaning) -> str:
    """The role of who bids highest; empty if nobody bids."""
    found = [d.adds.highest_bidder for d in meaning.phases if d.adds.highest_bidder]
    return found[0] if found else ""


def by_role(
    told: Told, keys: Iterable[Key], *, first: str | None = None, last: str | None = None
) -> list[Key]:
    """Figures whose names end in a role, in the order in which the phases give the roles."""
    places = [field.key for field in told.rules.fields]

    def place(key: Key) -> tuple[bool, bool, int]:
        known = places.index(key[-1]) if key[-1] in places else len(places)
        return key[-1] != first, key[-1] == last, known

    return sorted(keys, key=place)


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
