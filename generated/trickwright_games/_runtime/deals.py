"""Deals that a player cannot tell apart: where cards may be that they do not see, drawn with all ways equally likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb

from .rules import Rules
from .table import Table
from .values import PLAYERS, Random, State

ELSEWHERE = -1  # the place of cards that are in no hand: a stock, or cards set aside


def deal_unseen(
    table: Table, state: State, viewer: int, played: Sequence[int], whole: bool, random: Random
) -> list[int]:
    """Hands for all players in which everything that the viewer does not see is drawn anew.

    ``played`` are the cards of each player that left the hand openly. If the hand is not ``whole``, but a position that tells
    of some cards only, others than those in hands are out of play. All ways to deal the unseen cards, each a thing of its
    own even where cards are identical, are equally likely.
    """
    unseen = Unseen(table, state, viewer, played, whole)
    while True:
        hands = unseen.draw(random)
        if unseen.keeps(hands, random):
            return hands


class Unseen:
    """The cards that a player does not see, how many of them each place has, and which may be there."""

    def __init__(
        self, table: Table, state: State, viewer: int, played: Sequence[int], whole: bool
    ) -> None:
        rules, self.table = table.rules, table
        self.rules = rules
        seats = range(state[PLAYERS])
        held = [state[rules.hands + seat] for seat in seats]
        self.known = [
            held[seat]
            if seat == viewer
            else self._still_known(rules.known(state, viewer, seat), held[seat], played[seat])
            for seat in seats
        ]
        lying = rules.lie_open(state)
        self.seen = [
            self.known[seat] | played[seat] | rules.shown(state, seat) & lying for seat in seats
        ]
        away = rules.without[state[PLAYERS] - rules.players[0]] | lying
        cards = ~away & (1 << rules.cards) - 1 if whole else sum(held)
        for known in self.known:
            cards &= ~known
        room = {seat: (held[seat] & ~self.known[seat]).bit_count() for seat in seats}
        room[ELSEWHERE] = cards.bit_count() - sum(room.values())
        self.room = {place: size for place, size in room.items() if size}
        barred = {place: rules.lacked(state, place) for place in self.room if place != ELSEWHERE}
        self.groups = _grouped(cards, self.room, barred)

    def _still_known(self, shown: int, held: int, played: int) -> int:
        """Of the cards shown those that must still be in the hand; of identical ones any may have been played."""
        known = 0
        for card in bits(shown):
            twins = sum(1 << twin for twin in self.table.twins(card))
            if card == min(bits(shown & twins)):
                left = (shown & twins).bit_count() - (played & twins).bit_count()
                first = [*bits(held & shown & twins), *bits(held & twins & ~shown)]
                known |= sum(1 << one for one in first[: max(0, left)])
        return known

    def draw(self, random: Random) -> list[int]:
        """Hands with the unseen cards dealt anew, as if all of them were different."""
        hands = list(self.known)
        for places, cards in _spread(self.groups, self.room, self.rules, random):
            shuffled = _shuffled(cards, self.rules, random)
            for place in places:
                for _ in range(self.room[place]):
                    card = shuffled.pop()
                    if place != ELSEWHERE:
                        hands[place] |= 1 << card
        return hands

    def keeps(self, hands: Sequence[int], random: Random) -> bool:
        """Whether a draw is kept.

        A card that was seen to come from a hand may have been any of those identical to it that are there: so what has
        ``k`` of them besides the ``s`` seen stands for one deal where otherwise there are as many as ways to choose k of
        s + k, and only one such draw of so many is kept.
        """
        for seat, hand in enumerate(hands):
            new = hand & ~self.known[seat]
            for card in bits(new):
                twins = sum(1 << twin for twin in self.table.twins(card))
                if twins.bit_count() > 1 and card == min(bits(new & twins)):
                    count, seen = (new & twins).bit_count(), (self.seen[seat] & twins).bit_count()
                    if below(self.rules, random, comb(seen + count, count)):
                        return False
        return True


def bits(cards: int) -> Iterator[int]:
    """The cards of a set, lowest first."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


def below(rules: Rules, random: Random, count: int) -> int:
    """A number from 0 to count - 1, each equally likely, however large the count is."""
    if count <= 1024:
        return rules.draw(random, count)
    length = (count - 1).bit_length()
    while True:
        number = 0
        for _ in range(-(-length // 10)):
            number = number << 10 | rules.draw(random, 1024)
        number &= (1 << length) - 1
        if number < count:
            return number


def _grouped(
    cards: int, room: Mapping[int, int], barred: Mapping[int, int]
) -> dict[frozenset[int], list[int]]:
    """The cards by the places that may have them; those with fewest places first."""
    found: dict[frozenset[int], list[int]] = {}
    for card in bits(cards):
        places = frozenset(place for place in room if not barred.get(place, 0) >> card & 1)
        found.setdefault(places, []).append(card)
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), sorted(item[0]))))


def _spread(
    groups: Mapping[frozenset[int], list[int]],
    room: Mapping[int, int],
    rules: Rules,
    random: Random,
) -> list[tuple[list[int], list[int]]]:
    """The cards for each class of places that may have the same ones, drawn by the number of ways to deal the rest."""
    classes: dict[tuple[bool, ...], list[int]] = {}
    for place in room:
        classes.setdefault(tuple(place in places for places in groups), []).append(place)
    allowed = list(classes)
    members = list(classes.values())
    sizes = [len(cards) for cards in groups.values()]

    @cache
    def ways(group: int, free: tuple[int, ...]) -> int:
        if group == len(sizes):
            return 1
        return sum(count * ways(group + 1, left) for count, left in splits(group, free))

    @cache
    def splits(group: int, free: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """How a group can be spread: in how many ways so, and what room that leaves."""
        found: list[tuple[int, int, tuple[int, ...]]] = [(1, sizes[group], ())]
        for column, size in enumerate(free):
            most = size if allowed[column][group] else 0
            found = [
                (count * comb(rest, take), rest - take, (*left, size - take))
                for count, rest, left in found
                for take in range(min(most, rest) + 1)
            ]
        return [(count, left) for count, rest, left in found if rest == 0]

    free = tuple(sum(room[place] for place in places) for places in members)
    given: list[list[int]] = [[] for _ in members]
    for group, cards in enumerate(groups.values()):
        left = below(rules, random, ways(group, free))
        for count, after in splits(group, free):
            left -= count * ways(group + 1, after)
            if left < 0:
                break
        shuffled = _shuffled(cards, rules, random)
        for column, (before, rest) in enumerate(zip(free, after, strict=True)):
            given[column] += [shuffled.pop() for _ in range(before - rest)]
        free = after
    return list(zip(members, given, strict=True))


def _shuffled(cards: Sequence[int], rules: Rules, random: Random) -> list[int]:
    rest = list(cards)
    for place in range(len(rest) - 1, 0, -1):
        other = rules.draw(random, place + 1)
        rest[place], rest[other] = rest[other], rest[place]
    return rest
