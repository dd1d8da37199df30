"""What players know of a game before they sit down: learned by playing it, so that changed rules are learned anew.

First hands are played at random, to see what each card is worth to hold: in tricks, and in points. Then classes of hands are
made by their strength and their longest suit, and players try how high to bid with each, in rounds in which the others keep to
what seemed best in those before: so each answers to what all have done so far, which settles where answers to the last round alone
would chase each other (fictitious play).
"""

from __future__ import annotations

from typing import Any

from trickwright_tools.players.playing import Playing

SEED = 0x5EED
CARD_HANDS, CLASS_HANDS, LIMIT_HANDS = 8000, 1000, 400
"""Hands from which is learned what cards are worth, and how hands are classed; and hands of a round in which limits are tried."""
ROUNDS = 10
"""In the first all others pass; it is forgotten afterwards."""
LEAST_TRIED = 8
"""A limit that was tried less often is not thought of."""


def learn(playing: Playing, players: int) -> list[int]:
    """The mind of players at a table of this size; the same on any machine."""
    engine = playing.engine
    views, cards = engine._VIEWS, engine.CARDS
    mind, work = playing.row(engine._MIND_SIZE), playing.work()
    if not engine._CARDS_HAVE_PRICES and not engine._BIDDING_UNTIL:
        return [int(value) for value in mind]
    sums = playing.rows(3, views * cards + 1)
    playing.functions["_learn_cards"](SEED, 0, CARD_HANDS, players, work, sums)
    held, tricks, gain = ([int(value) for value in row] for row in sums)
    for place in range(views * cards):
        if held[place]:
            mean = 1000 * tricks[-1] // held[-1]
            mind[engine._MIND_CARD_POWER + place] = 1000 * tricks[place] // held[place] - mean
    for card in range(cards):
        count = sum(held[view * cards + card] for view in range(views))
        total = sum(gain[view * cards + card] for view in range(views))
        mind[engine._MIND_CARD_PRICE + card] = 1000 * total // count if count else 0
    if engine._BIDDING_UNTIL:
        _learn_to_bid(playing, players, mind, work)
    return [int(value) for value in mind]


def _learn_to_bid(playing: Playing, players: int, mind: Any, work: tuple[Any, ...]) -> None:
    engine = playing.engine
    found = playing.rows(2 * engine._VIEWS, CLASS_HANDS * players)
    playing.functions["_sample_hands"](SEED, 1 << 20, CLASS_HANDS, players, mind, work, found)
    for view in range(engine._VIEWS):
        power = sorted(int(value) for value in found[2 * view])
        length = sorted(int(value) for value in found[2 * view + 1])
        for cuts, values, count in (
            (engine._MIND_POWER_CUTS, power, engine._POWERS),
            (engine._MIND_LENGTH_CUTS, length, engine._LENGTHS),
        ):
            for place in range(count):
                mind[cuts + view * count + place] = values[place * len(values) // count]
    size = engine._VIEWS * engine._CLASSES * engine._LIMITS
    sums = playing.rows(2, size)
    for number in range(ROUNDS):
        if number == 1:
            sums = playing.rows(2, size)
        first = (2 + number) << 20
        playing.functions["_learn_limits"](SEED, first, LIMIT_HANDS, players, mind, work, sums)
        for row in range(engine._VIEWS * engine._CLASSES):
            places = range(row * engine._LIMITS, (row + 1) * engine._LIMITS)
            tried = [(int(sums[0][place]), int(sums[1][place])) for place in places]
            mind[engine._MIND_BEST_LIMIT + row] = _best(tried)


def _best(tried: list[tuple[int, int]]) -> int:
    """The limit with the best mean, of it and its neighbours: how often each was tried, and what came of it in all."""
    best, highest = 0, None
    for limit in range(len(tried)):
        near = tried[max(0, limit - 1) : limit + 2]
        count, total = sum(one for one, _ in near), sum(other for _, other in near)
        if count >= LEAST_TRIED and (highest is None or total * highest[0] > highest[1] * count):
            best, highest = limit, (count, total)
    return best
