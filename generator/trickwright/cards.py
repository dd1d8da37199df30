"""The deck: suits, ranks and cards, with the numbers and bit masks that engines use.

A card's number is ``suit * len(ranks) + rank``, both counted from 0, ranks from low to high; a set of
cards is an int with bit ``number`` set for each card in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

TRUMP_KINDS = ("suit", "rank", "none")
"""What kinds of thing can be named trumps, in the order of their numbers."""


def worth_name(points: int) -> str:
    """Name of the set of cards worth so many points in an engine."""
    return f"WORTH_{points}" if points >= 0 else f"WORTH_MINUS_{-points}"


@dataclass(frozen=True)
class Suit:
    """A suit, its symbol on cards (``♥``) and the letter that may stand for it (``H``)."""

    id: str
    symbol: str
    letter: str


@dataclass(frozen=True)
class Deck:
    """All cards of a game, before any are taken out for a number of players."""

    suits: tuple[Suit, ...]
    ranks: tuple[str, ...]
    rank_points: tuple[int, ...]
    """Card points by rank."""
    without: dict[int, frozenset[int]]
    """Cards taken out, by number of players."""

    def __len__(self) -> int:
        return len(self.suits) * len(self.ranks)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of every card, by number, such as ``10♥``."""
        return tuple(rank + suit.symbol for suit in self.suits for rank in self.ranks)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of a card by each way to write it: ``10♥``, ``10H``, ``10h``."""
        found = {name: number for number, name in enumerate(self.names)}
        for place, suit in enumerate(self.suits):
            for rank, text in enumerate(self.ranks):
                number = place * len(self.ranks) + rank
                found.setdefault(text + suit.letter, number)
                found.setdefault(text + suit.letter.lower(), number)
        return found

    def points(self, card: int) -> int:
        """Card points of one card."""
        return self.rank_points[card % len(self.ranks)]

    def in_play(self, players: int) -> tuple[int, ...]:
        """The cards dealt to this number of players, in order of number."""
        out = self.without.get(players, frozenset())
        return tuple(card for card in range(len(self)) if card not in out)

    def points_in_play(self, players: int) -> int:
        """What all the cards dealt to this number of players are worth together."""
        return sum(self.points(card) for card in self.in_play(players))

    def points_bounds(self, players: int) -> tuple[int, int]:
        """The least and the most that some of the cards dealt can be worth together."""
        points = [self.points(card) for card in self.in_play(players)]
        return sum(min(0, worth) for worth in points), sum(max(0, worth) for worth in points)

    def hand_size(self, players: int) -> int:
        """Cards a player gets when all are dealt; a remainder is not dealt."""
        return len(self.in_play(players)) // players

    @cached_property
    def suit_cards(self) -> tuple[int, ...]:
        """The set of cards of each suit."""
        whole = (1 << len(self.ranks)) - 1
        return tuple(whole << suit * len(self.ranks) for suit in range(len(self.suits)))

    @cached_property
    def rank_cards(self) -> tuple[int, ...]:
        """The set of cards of each rank."""
        return tuple(
            sum(1 << suit * len(self.ranks) + rank for suit in range(len(self.suits)))
            for rank in range(len(self.ranks))
        )

    @cached_property
    def worth(self) -> dict[int, int]:
        """The set of cards worth each number of points, for the numbers other than 0."""
        sets: dict[int, int] = {}
        for card in range(len(self)):
            if self.points(card):
                sets[self.points(card)] = sets.get(self.points(card), 0) | 1 << card
        return dict(sorted(sets.items()))
