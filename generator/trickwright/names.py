"""Types and names of the rules language: what phases provide, and what expressions may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from trickwright.problems import Mark, Report, did_you_mean

Range = tuple[int, int]
"""Lowest and highest value, both possible."""


class Type(Enum):
    """The types of the rules language; the value is what a rule author reads in messages."""

    NUMBER = "a number"
    FLAG = "a yes/no"
    PLAYER = "a player"
    PLAYERS = "a set of players"
    CARDS = "a set of cards"
    TRUMP = "a trump"
    TRUMP_KIND = "a kind of trump"
    MELD = "a meld"
    POKER_CLASS = "a class of poker hands"
    SIDE = "a side"
    ROW = "a row of a table"
    TABLE = "a table"


@dataclass(frozen=True)
class Name:
    """A name that rules may use, and the Python that reads it from the state of a hand.

    ``code`` has ``{0}`` where a function's argument goes. ``range`` gives the bounds of a number by number of
    players. ``may_be_nobody`` marks a player or trump that may be missing. ``at_least`` gives what is known of
    a player: ``{"bid": 1}`` says that ``bid(player)`` is at least 1. ``kinds`` are the kinds a trump may be of, or the sides
    that a side of cards may be.
    """

    name: str
    type: Type
    code: str
    provided_by: str
    takes: tuple[Type, ...] = ()
    range: Mapping[int, Range] = field(default_factory=dict)
    may_be_nobody: bool = False
    at_least: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()


OF_CARDS = "the cards"
"""What provides the names of suits and ranks."""


class Scope:
    """The names known at one point of the rules. Phases add to it, in the order of play."""

    def __init__(
        self, names: Mapping[str, Name] | None = None, reserved: Mapping[str, str] | None = None
    ) -> None:
        self._names: dict[str, Name] = dict(names or {})
        self._reserved = dict(reserved or {})
        """Names that mean something else, with what gives them their meaning."""
        self._places: dict[str, tuple[Mark, str]] = {}
        """Where the rules choose a name, and the path of that place."""
        self._not_yet: dict[str, tuple[str, str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def listed(self) -> list[str]:
        """The names worth listing: not those of the cards, which are many."""
        return sorted(n for n, name in self._names.items() if name.provided_by != OF_CARDS)

    def trumps(self) -> list[tuple[str, str]]:
        """Name and kind of everything that can be named trumps, as ``Deck.trumps`` has them."""
        cards = [
            (n, name.kinds[0])
            for n, name in self._names.items()
            if name.provided_by == OF_CARDS and name.type is Type.TRUMP
        ]
        return [*cards, ("none", "none")]

    def copy(self) -> Scope:
        """A scope of its own with the same names."""
        copied = Scope(self._names, self._reserved)
        copied._places = dict(self._places)
        copied._not_yet = dict(self._not_yet)
        return copied

    def with_name(self, name: Name) -> Scope:
        """A scope that knows one name more, even a reserved one."""
        copied = self.copy()
        copied._names[name.name] = name
        return copied

    def reserve(self, name: str, by: str, place: tuple[Mark, str]) -> None:
        """Give a name, chosen at a place of the rules, another meaning than that of a value."""
        self._reserved[name] = by
        self._places[name] = place

    def taken_by(self, name: str) -> str | None:
        """What has the name already; None if it is free."""
        found = self._names.get(name)
        return self._reserved.get(name) if found is None else found.provided_by

    def add(
        self, name: Name, mark: Mark, path: str, report: Report, *, chosen: bool = True
    ) -> None:
        """Make a name known; a name that is taken already is a problem.

        The problem stands where the rules chose the name, be it now or before.
        """
        by = self.taken_by(name.name)
        if by is not None:
            if not chosen and name.name in self._places:
                (mark, path), by = self._places[name.name], name.provided_by
            text = f"the name '{name.name}' is taken by {by}"
            report.error(mark, path, text, "taken-name", "choose another name")
        if by is None or not chosen:
            self._names[name.name] = name
        if by is None and chosen:
            self._places[name.name] = mark, path

    def miss(self, name: str, because: str, hint: str = "") -> None:
        """Say why a name has no meaning here; if that is a problem of its own, with an empty text."""
        self._not_yet[name] = because, hint

    def why_missing(self, name: str) -> tuple[str, str] | None:
        """Why a name has no meaning here, and a hint, if something is known about that."""
        return self._not_yet.get(name)

    def get(self, name: str) -> Name | None:
        """The name, or None."""
        return self._names.get(name)

    def need(self, name: str, mark: Mark, path: str, report: Report) -> Name | None:
        """The name; if it is not known here, a problem with the nearest one that is."""
        found = self._names.get(name)
        if found is None:
            report.error(
                mark,
                path,
                f"'{name}' is not provided by any earlier phase",
                "unknown-name",
                did_you_mean(name, self.listed(), others="provided here", also=self._names),
            )
        return found

    def need_typed(
        self, name: str, wanted: Type, mark: Mark, path: str, report: Report
    ) -> Name | None:
        """The name if it has the wanted type and takes nothing; otherwise a problem."""
        found = self.need(name, mark, path, report)
        if found is not None and (found.type is not wanted or found.takes):
            kind = f"{'gives' if found.takes else 'is'} {found.type.value}"
            kind += " for a player" if found.takes else ""
            report.error(
                mark, path, f"'{name}' {kind}; {wanted.value} is wanted here", "wrong-kind"
            )
            return None
        return found

    def need_function(
        self, name: str, gives: Type, mark: Mark, path: str, report: Report
    ) -> Name | None:
        """The name if it is a function from a player to the wanted type; otherwise a problem."""
        found = self.need(name, mark, path, report)
        if found is not None and (found.type is not gives or found.takes != (Type.PLAYER,)):
            report.error(
                mark, path, f"'{name}' does not give {gives.value} for a player", "wrong-kind"
            )
            return None
        return found
