"""Papayoo once more, naively, straight from the rulebook: cards are texts, nothing is shared with the generator.

Only for tests: :func:`play` drives a hand of an engine by random choices and holds every step of it against these rules.
"""

from __future__ import annotations

from random import Random
from types import ModuleType

PLAIN = {"spades": "♠", "hearts": "♥", "clubs": "♣", "diamonds": "♦"}
NAMES = ["Anna", "Ben", "Carla", "Dan", "Eva", "Finn", "Greta", "Hugo"]
PASSES = {3: 5, 4: 5, 5: 4, 6: 3, 7: 3, 8: 3}
HANDS = {3: 20, 4: 15, 5: 12, 6: 10, 7: 8, 8: 7}


def pack(players: int) -> set[str]:
    """The cards in play."""
    lowest = 1 if players < 7 else 2
    plain = {f"{rank}{sign}" for sign in PLAIN.values() for rank in range(lowest, 11)}
    return plain | {f"{rank}★" for rank in range(1, 21)}


def number(card: str) -> int:
    return int(card[:-1])


def winner(trick: list[tuple[str, str]]) -> str:
    """Who takes a trick of players and cards: the highest of the suit that was led."""
    led = trick[0][1][-1]
    return max((number(card), name) for name, card in trick if card[-1] == led)[1]


def play(made: ModuleType, players: int, seed: int, shifting: bool) -> dict[str, int]:
    """Play a hand; AssertionError where the engine does otherwise than these rules. Gives the scores."""
    random = Random(seed)
    names, round_ = NAMES[:players], seed % 11 + 1
    dealer = names[seed % players]
    hand = made.Hand(players, dealer=dealer, seed=seed, number=round_ - 1)
    held = {name: set(hand.view(name)["hands"][name]) for name in names}
    assert {card for cards in held.values() for card in cards} == pack(players)
    assert {len(cards) for cards in held.values()} == {HANDS[players]}
    seats = round_ % players if shifting else 1
    passed: dict[str, list[str]] = {}
    while seats and len(passed) < players:
        assert hand.phase == "pass" and hand.to_move is not None
        name = hand.to_move
        passed[name] = random.sample(sorted(held[name]), PASSES[players])
        hand.apply(hand.turn(passed[name]), name)
    for place, name in enumerate(names):
        if seats:
            held[name] -= set(passed[name])
            held[names[(place + seats) % players]] |= set(passed[name])
    assert hand.phase == "tricks" and hand.to_move == dealer
    sign = PLAIN[hand.view(dealer)["papayoo_suit"]]
    scores = dict.fromkeys(names, 0)
    leader = dealer
    while held[leader]:
        first = names.index(leader)
        trick: list[tuple[str, str]] = []
        for name in [*names[first:], *names[:first]]:
            assert hand.to_move == name and set(hand.view(name)["hands"][name]) == held[name]
            follow = {card for card in held[name] if trick and card[-1] == trick[0][1][-1]}
            may = follow or held[name]
            assert {action.what for action in hand.legal_actions()} == may
            card = random.choice(sorted(may))
            hand.apply(hand.parse(card), name)
            held[name].remove(card)
            trick.append((name, card))
        leader = winner(trick)
        cards = [card for _, card in trick]
        scores[leader] += sum(number(card) for card in cards if card[-1] == "★")
        scores[leader] += 40 * (f"7{sign}" in cards)
    assert hand.over and hand.scores == scores and sum(scores.values()) == 250
    return scores
