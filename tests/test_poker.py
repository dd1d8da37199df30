"""Poker hands: classes held against an independent library, and against a naive count for two decks."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from conftest import engine
from trickwright.poker import POKER_CLASSES

phevaluator = pytest.importorskip(
    "phevaluator", reason="phevaluator is not installed: it is in the extra 'test'"
)

GAME = "indian-chief"
MADE = engine(GAME)
ENDS = 0b1111 << 9 | 1
"""10 J Q K and the ace, which is the lowest rank of the deck."""
LEAST = (6186, 3326, 2468, 1610, 1600, 323, 167, 11, 1)
"""The library's strongest hand of each class, from no pair up; its numbers fall as hands get stronger."""
VALUES = dict(zip(POKER_CLASSES, MADE.POKER, strict=True))


def library_class(cards: tuple[int, ...]) -> int:
    """The class of five cards numbered as the library does: the rank from 2 to the ace by four, and the suit."""
    strength = phevaluator.evaluate_cards(*cards)
    return next(number for number, least in enumerate(LEAST) if strength >= least)


def ours(card: int) -> int:
    """The same card as a set of one in the engine: of two copies the first."""
    rank, suit = (card // 4 + 1) % 13, card % 4
    return 1 << 2 * (13 * suit + rank)


OURS = tuple(map(ours, range(52)))


def test_the_library_and_the_engine_number_the_same_cards() -> None:
    assert len(set(OURS)) == 52
    assert all(
        MADE.RANK_OF[card.bit_length() - 1] == (n // 4 + 1) % 13 for n, card in enumerate(OURS)
    )
    assert library_class((0, 4, 8, 12, 16)) == POKER_CLASSES.index("straight_flush")
    assert library_class((0, 1, 2, 3, 16)) == POKER_CLASSES.index("four_of_a_kind")


def agree(hands: itertools.combinations[tuple[int, ...]] | list[tuple[int, ...]]) -> Counter[int]:
    """Compare every hand; gives how many there are of each class."""
    found: Counter[int] = Counter()
    for hand in hands:
        a, b, c, d, e = hand
        own = MADE.poker_class(OURS[a] | OURS[b] | OURS[c] | OURS[d] | OURS[e], ENDS)
        assert own == library_class(hand), hand
        found[own] += 1
    return found


def test_a_sample_of_hands_has_the_classes_of_the_library() -> None:
    source = random.Random(7)
    sample = [tuple(source.sample(range(52), 5)) for _ in range(20_000)]
    straight = [
        tuple(4 * ((low + step) % 13) + source.randrange(4) for step in range(5))
        for low in range(13)
        for _ in range(40)
    ]
    suited = [
        tuple(4 * rank + suit for rank in source.sample(range(13), 5))
        for suit in range(4)
        for _ in range(100)
    ]
    ends = [tuple(4 * ((low + step) % 13) for step in range(5)) for low in range(13)]
    found = agree([*sample, *straight, *suited, *ends])
    assert {*found} == {*range(9)}, "the sample holds hands of every class of one deck"


@pytest.mark.slow
def test_all_hands_have_the_classes_of_the_library() -> None:
    found = agree(itertools.combinations(range(52), 5))
    assert [found[number] for number in range(9)] == [
        1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40,
    ]  # fmt: skip


def naive_class(cards: list[tuple[int, int]]) -> str:
    """The class of five cards of any number of decks, by counting; rank 0 is the ace."""
    many = sorted(Counter(rank for rank, _ in cards).values(), reverse=True)
    ranks = sorted(rank for rank, _ in cards)
    straight = len(many) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 9, 10, 11, 12])
    flush = len({suit for _, suit in cards}) == 1
    if many == [5]:
        return "five_of_a_kind"
    if straight and flush:
        return "straight_flush"
    if many[0] == 4:
        return "four_of_a_kind"
    if many == [3, 2]:
        return "full_house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    return {3: "three_of_a_kind", 2: "two_pairs" if many[1:2] == [2] else "one_pair"}.get(
        many[0], "no_pair"
    )


def of_two_decks(cards: list[int]) -> list[tuple[int, int]]:
    return [(MADE.RANK_OF[card], MADE.SUIT_OF[card]) for card in cards]


def test_hands_of_two_decks_are_classed_as_by_counting() -> None:
    source = random.Random(8)
    found: Counter[str] = Counter()
    for number in range(12_000):
        low = source.randrange(4)
        some = range(104) if number % 3 else [26 * low + n for n in range(26)]
        some = [8 * low + n + 26 * s for s in range(4) for n in (0, 1)] if number % 7 == 0 else some
        cards = source.sample(list(some), 5)
        own = POKER_CLASSES[MADE.poker_class(sum(1 << card for card in cards), ENDS)]
        assert own == naive_class(of_two_decks(cards)), cards
        found[own] += 1
    assert {*found} == {*POKER_CLASSES}


def test_the_best_way_to_divide_seven_cards_counts() -> None:
    source = random.Random(9)
    state = [0] * MADE.SIZE
    MADE.new_hand(state, 4, 0)
    for _ in range(400):
        cards = source.sample(range(104), 7)
        meld = sum(1 << card for card in cards)
        best = max(
            VALUES[naive_class(of_two_decks(list(part)))]
            + sum(min(MADE.RANK_OF[card] + 1, 10) for card in cards if card not in part) % 10
            for part in itertools.combinations(cards, 5)
        )
        assert MADE.choose_indian_chief(state, 0, meld, 0) == best
        assert 12 <= best <= 59
