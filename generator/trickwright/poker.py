"""Poker hands: their classes, from the lowest up, by the names that rules give them."""

POKER_CLASSES = (
    "no_pair",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "five_of_a_kind",
)
