"""A game as frozen dataclasses, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from trickwright.cards import Deck
from trickwright.kinds import Phase
from trickwright.problems import Mark
from trickwright.source import Node
from trickwright.tables import Table, every_number
from trickwright.text import Cited, Reading


def module_name(game: str, variants: Iterable[str] = ()) -> str:
    """What the module of an engine is called."""
    return "_".join([game, *sorted(variants)]).replace("-", "_")


@dataclass(frozen=True)
class Source:
    """A rulebook or other text that rules are cited from."""

    id: str
    title: str
    sections: tuple[str, ...]


@dataclass(frozen=True)
class ScoringRule:
    """``points`` go to each of ``who`` if ``when`` holds; all three are expressions, ``when`` may be empty."""

    id: str
    path: str
    nodes: dict[str, Node]
    """Where each part stands in the rules."""
    cited: Cited
    who: str
    when: str
    points: str


@dataclass(frozen=True)
class Scoring:
    """How hands are scored, by the way they end."""

    mark: Mark
    cited: Cited
    numbers: dict[str, int]
    number_marks: dict[str, Mark]
    """Where each number is named."""
    define: dict[str, str]
    define_marks: dict[str, Mark]
    """Where each value is named."""
    define_nodes: dict[str, Node]
    outcomes: dict[str, tuple[ScoringRule, ...]]
    outcome_marks: dict[str, Mark]


@dataclass(frozen=True)
class MatchRules:
    """How hands add up to a match. ``first_dealer`` counts seats from 1.

    ``until`` is a total in points and ``hands`` an expression for a number of hands; whichever is given ends the match.
    """

    cited: Cited
    first_dealer: int
    deal_passes: Literal["left", "right", "stays"]
    until: int | None
    hands: str
    winner: Literal["highest", "lowest"]
    tied: Literal["another-hand", "shared"]
    node: Node
    sits_out: tuple[int, ...] = ()
    """Numbers of players of a match with which the dealer sits out; the left neighbour takes the dealer's part."""


@dataclass(frozen=True)
class Rounds:
    """Phases of a hand that are played several times, one round after another."""

    cited: Cited
    first: str
    last: str
    times: int
    node: Node


@dataclass(frozen=True)
class Game:
    """The rules of one game with one set of variants."""

    id: str
    title: dict[str, str]
    variants: tuple[str, ...]
    changed: bool
    """Whether single values were set beyond the variants."""
    mark: Mark
    sources: dict[str, Source]
    players: tuple[int, ...]
    """Numbers of players of a hand, rising one by one."""
    cards: Cited
    deck: Deck
    card_names: tuple[tuple[str, Mark, str], ...]
    """The names that suits, ranks and sides have in expressions, each with its place and the path of that."""
    phases: tuple[Phase, ...]
    rounds: Rounds | None
    """What is played in rounds, if anything is."""
    tables: dict[str, Table]
    scoring: Scoring
    match: MatchRules
    readings: tuple[Reading, ...]

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """Numbers of players of a match: those of a hand, and those with which somebody sits out."""
        return tuple(sorted((*self.players, *self.match.sits_out)))

    @property
    def rows(self) -> range:
        """The numbers of players that tables of an engine have a row for; with some of them no hand may be played."""
        return every_number(self.players)

    @property
    def module(self) -> str:
        """Name of the engine's module."""
        return module_name(self.id, self.variants)
