"""What hands and matches need to know of a game: its phases, fields, words and scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .values import Action, BadInput, Random, State


@dataclass(frozen=True)
class Field:
    """A part of a hand's state: where it is, what it holds, what it is called and who may see it.

    A position that begins after the phase ``needed_after`` must give it, but not with the numbers of players
    ``nobody_with``: with those it is nobody's. By number of players its values are ``allowed``, one bit each, all if there are
    no such sets, and never what a part it ``differs_from`` has. Views show it from the phase ``shown_from`` on. Cards
    that lie ``apart`` lie nowhere else.
    """

    key: str
    offset: int
    type: str
    per_player: bool
    seen_by: str
    needed_after: int = 1000
    shown_from: int = 0
    nobody_with: tuple[int, ...] = ()
    allowed: tuple[int, ...] = ()
    differs_from: tuple[str, ...] = ()
    apart: bool = False


@dataclass(frozen=True)
class Actions:
    """A run of action numbers of a phase; action ``first + n`` does ``verb`` with the n-th thing of a type."""

    verb: str
    type: str
    first: int
    count: int
    make: Callable[..., Action]
    leaves_hand: bool = False
    """Whether the card leaves the hand at once, for all to see."""


@dataclass(frozen=True)
class Phase:
    """A phase of the hand and its functions; a phase without actions runs by itself.

    ``sections`` are the headings of the rulebooks it comes from, by source; a source may be called as a language.
    ``closes`` is the action that ends a turn of several; with ``in_order`` a turn is a set, taken in rising order. ``secret``
    says how long others do not see what was done: ``always``, ``until-over`` for as long as the phase lasts, or not at all;
    with ``turn`` they never learn from the actions more than that a turn was taken, not even in how many steps.
    """

    id: str
    sections: Mapping[str, str]
    begin: Callable[[State], None] | None = None
    resume: Callable[[State], None] | None = None
    legal: Callable[[State], int] | None = None
    why_not: Callable[[State, int], int] | None = None
    apply: Callable[[State, int], None] | None = None
    facts: Callable[[State], dict[str, object]] | None = None
    facts_from: int = 0
    actions: tuple[Actions, ...] = ()
    clauses: tuple[str, ...] = ()
    closes: int = -1
    in_order: bool = False
    secret: str = ""
    equal_hands: bool = False
    first_number: int = 0
    uses_chance: bool = False
    imagine: Callable[[State, int, Random], None] | None = None
    """Draws anew what a player has chosen here and others have not seen yet."""
    chosen: Callable[[State, int], list[int]] | None = None
    """The actions by which a player has chosen that."""
    redraw: Callable[[State, int, Random], None] | None = None
    """Draws anew which cards of a player came here."""
    take_back: Callable[[State, int, Random], None] | None = None
    """Gives the hands of before the choices, those that a viewer has not seen drawn anew."""


@dataclass(frozen=True)
class Words:
    """The words of one language: cards, trumps and things by number, other names by their key in the rules.

    ``faces`` are ranks and suits of cards that have names of their own; ``things`` has the ways to say each thing by type.
    """

    cards: tuple[str, ...]
    trumps: tuple[tuple[str, ...], ...]
    names: Mapping[str, str]
    faces: tuple[str, ...] = ()
    things: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A rule of the scoring: how the hand ended, its id, when it acts (always if None), and the values it follows from."""

    outcome: str
    id: str
    applies: Callable[[State], bool] | None
    values: tuple[str, ...]


@dataclass(frozen=True)
class Rules:
    """All that hands and matches need to know of a game.

    ``bounds`` are those of numbers and ``without`` the cards taken out, both by number of players.
    """

    id: str
    title: Mapping[str, str]
    variants: tuple[str, ...]
    digest: str
    players: tuple[int, ...]
    size: int
    score: int
    new_hand: Callable[[State, int, int, int], None]
    deal: Callable[[State, Random], None]
    stream: Callable[[int, int], Random]
    pick: Callable[[Random, int], int]
    draw: Callable[[Random, int], int]
    cards: int
    without: tuple[int, ...]
    known: Callable[[State, int, int], int]
    lacked: Callable[[State, int], int]
    lie_open: Callable[[State], int]
    shown: Callable[[State, int], int]
    fields: tuple[Field, ...]
    bounds: Mapping[str, tuple[tuple[int, int], ...]]
    phases: tuple[Phase, ...]
    outcomes: tuple[str, ...]
    values: Mapping[str, Mapping[str, Callable[[State], int]]]
    lines: tuple[Line, ...]
    card_codes: Mapping[str, int]
    words: Mapping[str, Words]
    first_dealer: int
    next_dealer: Callable[[int, int], int]
    match_winners: Callable[[Sequence[int], int], int]
    goal: int | None
    has_dealer: bool = True
    """Whether anything depends on who deals."""
    chance: int = -1
    """Where the state has the random word of what happens by chance after the deal; -1 if nothing does."""
    redeals: bool = False
    """Whether hands get cards after the deal that were elsewhere, so that what is held does not follow from the deal."""
    sits_out: tuple[int, ...] = ()
    """Numbers of players of a match with which the dealer sits out."""

    @property
    def hands(self) -> int:
        """Where the state has the cards that players hold."""
        return next(part.offset for part in self.fields if part.key == "hands")

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """The numbers of players of a match, rising; ``players`` are those of a hand."""
        return tuple(sorted((*self.players, *self.sits_out)))

    def at_table(self, players: int, dealer: int) -> tuple[tuple[int, ...], int]:
        """The seats of a match that play the next hand, and the place among them that has the dealer's part.

        That is the dealer's left neighbour if the dealer sits out.
        """
        if players not in self.sits_out:
            return tuple(range(players)), dealer
        seats = tuple(seat for seat in range(players) if seat != dealer)
        return seats, seats.index((dealer + 1) % players)

    def section(self, phase: Phase, language: str = "en") -> str:
        """The heading a phase comes from, in a language if there is a rulebook in it."""
        first = next(iter(phase.sections.values()), "")
        return phase.sections.get(language, first)

    def named(self, key: str, language: str = "en") -> str:
        """What the key is called in a language; the key itself where there is no word."""
        return self.in_language(language).names.get(key, key)

    def in_language(self, language: str) -> Words:
        """The words of a language; BadInput with those that there are if the game has none in it."""
        found = self.words.get(language) if isinstance(language, str) else None
        if found is None:
            known = ", ".join(self.words)
            raise BadInput([f"{self.id} has no words in {language!r}; there is {known}"])
        return found
