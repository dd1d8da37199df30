"""Kinds of phase. Each is a folder here: ``kind.py``, ``engine.py.j2``, ``text.yaml`` and perhaps ``facts.py.j2``.

A folder's presence registers it; ``show_auction`` is the kind ``show-auction`` in rules files. Its parameters are
described by ``spec/schema/kinds/<kind>.schema.json``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from trickwright.cards import Deck
from trickwright.expressions import Expression, parse
from trickwright.names import Name, Scope, Type
from trickwright.paths import all_paths, find, format_path, join_paths, parse_path
from trickwright.problems import Mark, Report
from trickwright.source import Node
from trickwright.tables import Table, every_number
from trickwright.text import Cited

FieldType = Literal[
    "number", "player", "players", "cards", "trump", "order", "bid", "option", "options", "internal"
]
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Phase:
    """One phase of a game: its kind and the parameters bound from the rules file."""

    id: str
    kind: str
    node: Node
    cited: Cited
    params: Any

    @property
    def path(self) -> str:
        """Where the phase stands in the rules."""
        return f"phases.{self.id}"

    @property
    def function(self) -> str:
        """What the names of the phase's functions begin with."""
        return self.id.replace("-", "_")

    def part(self, *keys: str | int) -> tuple[Node, str]:
        """A parameter's node and path, as far down as it is written."""
        node, depth = self.node, 0
        while depth < len(keys) and (inner := find(node, keys[depth : depth + 1])) is not None:
            node, depth = inner, depth + 1
        return node, join_paths(self.path, format_path(keys))

    def mark(self, *keys: str | int) -> Mark:
        """Where a parameter stands in the rules file; what it is part of if it is not written."""
        return self.part(*keys)[0].mark

    def key_mark(self, *keys: str) -> Mark:
        """Where the key of a parameter stands."""
        return self.part(*keys[:-1])[0].keys.get(keys[-1], self.mark(*keys))

    def naming(self, name: str) -> tuple[str, Mark] | None:
        """Path and place of the parameter that gives a name; None if no parameter does."""
        for path in all_paths(self.node):
            parts = parse_path(path) or ()
            node = find(self.node, parts)
            if node is not None and node.value == name and parts[-1] not in ("source", "reading"):
                return join_paths(self.path, path), node.mark
        return None


@dataclass(frozen=True)
class Field:
    """A part of a hand's state.

    ``name`` is its offset's constant in lower case; ``key`` is what positions and views call it, none for what follows from
    the rest. ``size`` is its number of ints; a field per player has one for each seat. ``order`` holds, for each player, when
    they last did something (1, 2, ...; 0 for never). An option is counted from 1, 0 for none; options are one bit each. Of cards
    ``seen_by`` their owner others see how many they are, unless it is ``owner-only``.
    """

    name: str
    type: FieldType
    key: str = ""
    per_player: bool = False
    seen_by: Literal["everyone", "owner", "owner-only", "nobody"] = "everyone"
    initial: int = 0
    size: int = 1
    of_deck: bool = False
    shown_late: bool = False
    """Whether views leave the field out until its own phase is reached."""
    needed: bool = False
    """Whether later phases cannot do without it: a position that begins later must give it."""
    nobody_with: tuple[int, ...] = ()
    """Numbers of players with which a player's field is nobody's: a position may not say otherwise."""
    allowed: str = ""
    """What a position may say, as Python: by number of players a set of values, one bit each. Empty if all there are."""
    differs_from: tuple[str, ...] = ()
    """Keys of other fields, whose values this one cannot have unless there is none."""
    bounds: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Lowest and highest value of a number, by number of players."""
    apart: bool = False
    """Whether cards that lie here lie nowhere else; else they are some of those in a hand or on the table."""
    lasts: bool = False
    """Whether a new round leaves it as it is, or its phase sets it anyway; else each round finds it as the hand did."""


@dataclass(frozen=True)
class Actions:
    """A run of action numbers of a phase: ``count`` actions from ``first`` on, each a ``verb`` and a thing of a type."""

    verb: str
    type: Literal["card", "trump", "player", "word", "bid", "option"]
    first: int
    count: int
    leaves_hand: bool = False
    """Whether the card leaves the hand at once, for all to see."""


@dataclass(frozen=True)
class Word:
    """A word that text files give, by its section and its key there."""

    section: str
    key: str


@dataclass(frozen=True)
class Clause:
    """A reason why an action is not legal: its id without the phase, and what its sentence is filled with."""

    id: str
    fill: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Declaration:
    """What a phase adds to its game. ``view`` is what the kind's template prints from."""

    view: Any
    fields: tuple[Field, ...] = ()
    actions: tuple[Actions, ...] = ()
    clauses: tuple[Clause, ...] = ()
    outcomes: Mapping[str, tuple[Name, ...] | None] = field(default_factory=dict)
    """Ways for the hand to end here: with names known only then, or None if all that the phase provides is known."""
    constants: tuple[tuple[str, str, str], ...] = ()
    """Constants of the engine: name, value as Python, comment."""
    closes: int = -1
    """The action that ends a turn made of several actions; -1 if nothing but the rules does."""
    in_order: bool = False
    """Whether a turn is a set of things, taken one by one in rising order."""
    secret: Literal["", "until-over", "always", "turn"] = ""
    """Whether the actions are hidden from other players, and for how long; with ``turn`` also how many there were."""
    uses_chance: bool = False
    """Whether something happens by chance here, after the deal."""
    expressions: tuple[Expression, ...] = ()
    """What the phase works out; tables and helpers that are used here are used."""
    trump_kinds: tuple[str, ...] = ()
    """Kinds of trump that are said here: ``suit``, ``rank``, ``none``."""
    can_resume: bool = False
    equal_hands: bool = False
    """Whether every player must hold as many cards as the others when the phase begins, and at least one."""
    leaves_hands: Literal["", "even", "uneven", "even-after-rounds", "as-played"] = ""
    """How many cards players have afterwards: as before, all as many, not all as many, as many again only when all rounds are
    over, or as many in all rounds but the last, which leaves them as they were played."""
    has_facts: bool = False
    facts: tuple[str, ...] = ()
    """Keys of the facts."""
    holds: tuple[str, ...] = ()
    """Cards that are, or were, in the hand of ``player`` and that ``viewer`` knows of: sets as Python."""
    lacks: tuple[str, ...] = ()
    """Cards that all know not to be in the hand of ``player``, but for those known to be there."""
    lie_open: tuple[str, ...] = ()
    """Cards that are in no hand and that all have seen: sets of ``player``'s, as Python."""
    shown: tuple[str, ...] = ()
    """Cards that all have seen to come from the hand of ``player``."""
    hidden_choice: bool = False
    """Whether what a player chooses here is hidden at first: then ``_imagine`` draws it anew, and ``_chosen`` lists its actions."""
    take_back: bool = False
    """Whether hidden choices move cards: then ``_take_back`` gives the hands of before, what others gave each other drawn anew."""
    hidden_draw: bool = False
    """Whether others do not see which cards a hand got here: then ``_redraw`` draws it anew from what the hand has."""
    redeals: bool = False
    """Whether hands get cards here that were elsewhere before, so that what is held does not follow from the deal."""
    highest_bid: int = 0
    """The highest number that can be bid here; 0 where nobody bids."""
    highest_bidder: str = ""
    """The role that goes here to who has bid highest; empty if none does."""
    things: Mapping[str, tuple[tuple[str | Word, ...], ...]] = field(default_factory=dict)
    """What the numbers of a type of the phase's own stand for, such as its bids: the words that make up each name."""
    uses_up: frozenset[str] = frozenset()
    """Phases, by their paths, whose outcome this phase clears away, so that each round must bring it anew."""
    waits_for: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Cards without which nothing is done here, each with the parameter that says so, and what would bring them."""
    fills: frozenset[str] = frozenset()
    """Such cards that there are because of this phase."""
    melds: Mapping[str, int] = field(default_factory=dict)
    """What each player makes once from the hand, one in each round, with the number of cards it takes."""
    refills_to: int = 0
    """How many cards all have after this phase, if fewer before; 0 if it does not fill up hands."""
    not_last: str = ""
    """The parameter that says that nothing is done here in the last round; empty if something is."""
    facts_need: frozenset[str] = frozenset()
    """Phases, by their paths, that must be over before there are facts; none: from the phase itself on."""


@dataclass
class Setting:
    """What a kind sees of the game while it declares a phase; it adds the names it provides to ``scope``."""

    players: tuple[int, ...]
    deck: Deck
    tables: Mapping[str, Table]
    scope: Scope
    report: Report

    @property
    def rows(self) -> range:
        """The numbers of players that tables of the engine have a row for, as ``Game.rows``."""
        return every_number(self.players)

    @property
    def most_players(self) -> int:
        """The largest number of players."""
        return max(self.players)

    def provide(self, phase: Phase, name: Name, *keys: str | int) -> None:
        """Make a name known to what comes later; the rules chose it if the parameter is just that name."""
        node, path = phase.part(*keys)
        self.scope.add(name, node.mark, path, self.report, chosen=node.value == name.name)

    def expression(
        self, phase: Phase, text: str, wanted: Type, *keys: str | int
    ) -> Expression | None:
        """Check an expression among a phase's parameters."""
        at = phase.part(*keys)
        return parse(text, self.scope, self.tables, self.players, at, self.report, (wanted,))

    def player_named(self, phase: Phase, name: str, *keys: str | int) -> Name | None:
        """A role that an earlier phase gave."""
        node, path = phase.part(*keys)
        mark = phase.key_mark(*map(str, keys)) if isinstance(node.value, dict) else node.mark
        return self.scope.need_typed(name, Type.PLAYER, mark, path, self.report)

    def function_named(self, phase: Phase, name: str, gives: Type, *keys: str) -> Name | None:
        """A name that gives something for a player, such as the cards laid out."""
        node, path = phase.part(*keys)
        return self.scope.need_function(name, gives, node.mark, path, self.report)

    def among_players(self, phase: Phase, counts: tuple[int, ...], *keys: str) -> bool:
        """Whether the game is for each of some numbers of players among a phase's parameters."""
        unknown = [count for count in counts if count not in self.players]
        for count in unknown:
            node, path = phase.part(*keys, counts.index(count))
            hint = f"players: {', '.join(map(str, self.players))}"
            text = f"the game is not for {count} players"
            self.report.error(node.mark, path, text, "bad-players", hint)
        return not unknown

    def problem(self, phase: Phase, text: str, code: str, *keys: str, hint: str = "") -> None:
        """Report a problem at a parameter."""
        node, path = phase.part(*keys)
        self.report.error(node.mark, path, text, code, hint)

    def never_acts(self, phase: Phase, text: str, *keys: str | int, hint: str = "") -> None:
        """Warn of a parameter that can never make a difference."""
        node, path = phase.part(*keys)
        self.report.warning(node.mark, path, text, "never-acts", hint)


class Kind(Protocol):
    """A mechanism that many games share."""

    def bind(self, node: Node) -> Any:
        """The parameters of a phase as a frozen dataclass. The node fits the kind's schema."""

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Check the phase against what came before it and say what it adds; None if a problem forbids it."""


@cache
def kind_names() -> tuple[str, ...]:
    """All kinds there are, as rules files write them."""
    folders = (folder.parent.name for folder in FOLDER.glob("*/kind.py"))
    return tuple(sorted(name.replace("_", "-") for name in folders))


@cache
def find_kind(name: str) -> Kind:
    """A kind by its name in rules files; KeyError if there is none."""
    if name not in kind_names():
        raise KeyError(name)
    module = importlib.import_module(f"trickwright.kinds.{name.replace('-', '_')}.kind")
    kind: Kind = module.KIND
    return kind
