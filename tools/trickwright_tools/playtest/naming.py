"""The figures of a game by their names, such as ``bids.mean``: which there are, and the one that somebody means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trickwright.compile import Compiled
from trickwright.memory import load_engine
from trickwright.names import Type
from trickwright.problems import Report, did_you_mean
from trickwright_tools.players.batches import Table, play_chunk
from trickwright_tools.playtest.metrics import Line, Told, all_metrics
from trickwright_tools.playtest.own import Own, checked
from trickwright_tools.playtest.ratios import Key, Ratio
from trickwright_tools.playtest.run import collected

LOOKED_AT = 100
"""Hands played by chance to see which figures occur."""
_MANY = 1 << 20


@dataclass(frozen=True)
class Named:
    """A figure, the title it stands under, and what it is a sum over: ``hand`` or ``match``."""

    line: Line
    title: str
    unit: str

    @property
    def name(self) -> str:
        """What one calls it by."""
        return self.line.name

    @property
    def label(self) -> str:
        """The figure in words."""
        return f"{self.title}: {self.line.label}"


def figures(
    table: Table, compiled: Compiled, own: tuple[Own, ...] = (), pace: float = 3.0
) -> dict[str, Named]:
    """All figures that a playtest with one kind of table can have, by name and in the order of reading.

    Left out is what takes another table: what strong players gain against weak ones.
    """
    chance = replace(
        table,
        ways=("random",) * table.members,
        budgets=(0,) * table.members,
        each=1,
        in_matches=False,
        fast=False,
    )
    keys = dict.fromkeys(
        key for key, _ in collected(play_chunk(chance, 0, LOOKED_AT), ("hand", "match"), own)
    )
    found: dict[str, Named] = {}
    for one in _told(compiled, keys, table, own, pace):
        found.setdefault(one.name, one)
    return found


def _told(
    compiled: Compiled, keys: dict[Key, None], table: Table, own: tuple[Own, ...], pace: float
) -> Iterator[Named]:
    rules, yes_or_no = load_engine(compiled).RULES, flags_of(own, compiled)
    for metric in all_metrics():
        if metric.unit == "deal" or not metric.applies(compiled.meaning):
            continue
        # Some figures are told only if they are a share of a whole, some only if they are more, and some not if they are equal.
        for least in (1, 2 * _MANY):
            sums = {
                key: Ratio(_MANY, x, _MANY, x, _MANY, x) for x, key in enumerate(keys, start=least)
            }
            told = Told(compiled.meaning, rules, sums, pace, table, own=own, flags=yes_or_no)
            for section in metric.tell(told):
                for line in section.lines:
                    yield Named(line, section.title, metric.unit)


def flags_of(own: tuple[Own, ...], compiled: Compiled) -> dict[str, bool]:
    """Which of the designer's figures are a yes/no."""
    return {
        name: any(one.type is Type.FLAG for one in by_outcome.values())
        for name, by_outcome in checked(own, compiled.meaning, Report()).items()
    }


class UnknownFigure(ValueError):
    """There is no figure of that name; the text says which there are."""


def figure(name: str, found: dict[str, Named]) -> Named:
    """The figure of a name. UnknownFigure if there is none."""
    if name in found:
        return found[name]
    if name.startswith("skill."):
        why = "takes a table of its own and is told in a plain playtest only"
        raise UnknownFigure(f"the figure '{name}' {why}")
    hint = did_you_mean(name, found, others="there are")
    raise UnknownFigure(f"there is no figure '{name}'\n    {hint}\n    --list-metrics shows all")
