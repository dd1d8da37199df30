"""The deck: suits, ranks and cards, with the numbers and bit masks that engines use.

Cards are numbered suit by suit, in a suit from the lowest rank up, copies of one card side by side; a set of cards is an int
with bit ``number`` set for each card in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

OWN_SETS = 5
"""With up to so many different worths each has a set of its own; with more, the sets stand for powers of 2."""

TRUMP_KINDS = ("suit", "rank", "none")
"""What kinds of thing can be named trumps, in the order of their numbers."""


def worth_name(points: int) -> str:
    """Name of the set of cards worth so many points in an engine."""
    return f"WORTH_{points}" if points >= 0 else f"WORTH_MINUS_{-points}"


def rank_name(rank: str) -> str:
    """Name of a rank in expressions."""
    return f"rank_{rank}"


@dataclass(frozen=True)
class Suit:
    """A suit, its symbol on cards (``♥``) and the letter that may stand for it (``H``)."""

    id: str
    symbol: str
    letter: str


@dataclass(frozen=True)
class Card:
    """A card: its rank and suits by place in the deck's lists, and what it is worth in points.

    A card of two suits has both; the first is the one it is numbered by. ``copy`` tells identical cards apart, from 0.
    ``name`` is empty for cards that are called by rank and suit.
    """

    rank: int
    suits: tuple[int, ...]
    points: int
    copy: int = 0
    name: str = ""


@dataclass(frozen=True)
class Deck:
    """All cards of a game, before any are taken out for a number of players."""

    suits: tuple[Suit, ...]
    ranks: tuple[str, ...]
    cards: tuple[Card, ...]
    """In order of number."""
    without: dict[int, frozenset[int]]
    """Cards that are not in play, by number of players."""
    single_pack: frozenset[int] = frozenset()
    """Numbers of players with one pack only: no copies are in play, and none of them is taken out."""
    side_names: tuple[str, ...] = ()
    """What the first and the second suit of a card are called, if some card has two."""

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def trumps(self) -> tuple[tuple[str, str], ...]:
        """Name in expressions and kind of everything that can be named trumps, by number; ``none`` comes last."""
        suits = [(suit.id, "suit") for suit in self.suits]
        return (*suits, *((rank_name(rank), "rank") for rank in self.ranks), ("none", "none"))

    @cached_property
    def is_regular(self) -> bool:
        """Whether every suit has every rank once, so that numbers are ``suit * ranks + rank``."""
        size = len(self.ranks)
        return len(self.cards) == size * len(self.suits) and all(
            (card.suits, card.rank) == ((number // size,), number % size)
            for number, card in enumerate(self.cards)
        )

    @cached_property
    def twins(self) -> int:
        """The cards that are identical to the one before them."""
        return sum(1 << number for number, card in enumerate(self.cards) if card.copy)

    @cached_property
    def sides(self) -> int:
        """The most suits that a card has."""
        return max(len(card.suits) for card in self.cards)

    def suits_by_side(self) -> tuple[tuple[int, ...], ...]:
        """For each side the suit of every card; a card of one suit has it on every side."""
        return tuple(
            tuple(card.suits[min(side, len(card.suits) - 1)] for card in self.cards)
            for side in range(self.sides)
        )

    def name(
        self, card: Card, letters: tuple[str, ...] = (), names: Mapping[str, str] | None = None
    ) -> str:
        """What a card is called, with other letters for the ranks and other names of cards if given."""
        if card.name:
            return (names or {}).get(card.name, card.name)
        return (letters or self.ranks)[card.rank] + self.suits[card.suits[0]].symbol

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of every card, by number, such as ``10♥``; identical cards have one name."""
        return tuple(map(self.name, self.cards))

    def codes(self, letters: tuple[str, ...] = ()) -> dict[str, int]:
        """Numbers by the way to write a card without symbols, such as ``10H``; the first of identical cards."""
        found: dict[str, int] = {}
        for number, card in enumerate(self.cards):
            rank = (letters or self.ranks)[card.rank]
            found.setdefault(rank + "".join(self.suits[suit].letter for suit in card.suits), number)
        return found

    def faces(self, letters: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Rank and symbols of every card, by number, such as ``8§⌘``; none if cards are called by them anyway."""
        if not any(card.name for card in self.cards):
            return ()
        return tuple(
            (letters or self.ranks)[card.rank]
            + "".join(self.suits[suit].symbol for suit in card.suits)
            for card in self.cards
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of a card by each way to write it: ``10♥``, ``10H``, ``10h``; the first of identical cards."""
        found: dict[str, int] = {}
        for number, name in enumerate(self.names):
            found.setdefault(name, number)
        for code, number in self.codes().items():
            found.setdefault(code, number)
            found.setdefault(code[:-1] + code[-1].lower(), number)
        return found

    def in_play(self, players: int) -> tuple[int, ...]:
        """The cards dealt to this number of players, in order of number."""
        out = self.without.get(players, frozenset())
        return tuple(card for card in range(len(self)) if card not in out)

    def points_in_play(self, players: int) -> int:
        """What all the cards dealt to this number of players are worth together."""
        return sum(self.cards[card].points for card in self.in_play(players))

    def points_bounds(self, players: int) -> tuple[int, int]:
        """The least and the most that some of the cards dealt can be worth together."""
        points = [self.cards[card].points for card in self.in_play(players)]
        return sum(min(0, worth) for worth in points), sum(max(0, worth) for worth in points)

    @cached_property
    def worth_is_split(self) -> bool:
        """Whether there are so many different worths that each is made of powers of 2."""
        return len({card.points for card in self.cards} - {0}) > OWN_SETS

    @cached_property
    def worth(self) -> dict[int, int]:
        """The set of cards for each number of points other than 0; a card's points are the sum over its sets."""
        sets: dict[int, int] = {}
        for number, card in enumerate(self.cards):
            for part in _powers(card.points) if self.worth_is_split else [card.points]:
                if part:
                    sets[part] = sets.get(part, 0) | 1 << number
        return dict(sorted(sets.items()))


def _powers(points: int) -> list[int]:
    """The powers of 2, with the sign of the number, that add up to it."""
    sign = 1 if points >= 0 else -1
    return [sign << bit for bit in range(points.bit_length()) if abs(points) >> bit & 1]


def points_code(deck: Deck, cards: str) -> str:
    """What a set of cards is worth, as Python: in place, or by a function where there are many worths."""
    if deck.worth_is_split:
        return f"points_of({cards})"
    return " + ".join(points_parts(deck, cards)) or "0"


def points_parts(deck: Deck, cards: str) -> list[str]:
    """The parts of what a set of cards is worth, as Python over the engine's sets of cards by worth."""
    return [
        f"{'' if value == 1 else f'{value} * '}bit_count({cards} & {worth_name(value)})"
        for value in deck.worth
    ]
