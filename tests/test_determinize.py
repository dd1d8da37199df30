"""Deals that a player cannot tell apart: they replay what all have seen, and all of them come up equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from random import Random
from types import ModuleType
from typing import Any

import pytest

from chi_square import chi_square, fits, p_value, streams, uniform
from conftest import engine
from trickwright import Report, compile_game
from trickwright.memory import load_engine
from trickwright.places import games

GAMES = sorted(games())
TABLES = [(game, count) for game in GAMES for count in engine(game).RULES.players]


def moments(made: ModuleType, players: int, hands: int = 2, step: int = 9) -> Iterator[Any]:
    """Hands at many moments, from the deal to the end."""
    for number in range(hands):
        hand = made.Hand(players, seed=21, number=number)
        random = made.stream(22, number)
        while not hand.over:
            yield hand
            hand.play_randomly(random, 1 + made.draw(random, step))
        yield hand


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_view_does_not_depend_on_what_is_not_seen(game: str, players: int) -> None:
    made = engine(game)
    differing = 0
    for place, hand in enumerate(moments(made, players)):
        random = made.stream(23, place)
        for viewer, name in enumerate(hand.players):
            other = disturbed(made, hand, viewer, random)
            assert other.view(name) == hand.view(name)
            assert other.information(name) == hand.information(name)
            differing += other.state != hand.state
    assert differing > 10, "what is hidden was changed indeed"


def disturbed(made: ModuleType, hand: Any, viewer: int, random: list[int]) -> Any:
    """A hand in which all is different that the viewer may not see, whether or not it could have come so."""
    other, rules = hand.clone(), hand.rules
    state, count = other.state, len(hand.players)
    for part in rules.fields:
        if part.type != "cards" or part.seen_by == "everyone":
            continue
        others = [part.offset + seat for seat in range(count) if seat != viewer]
        pool = [
            card for card in range(made.CARDS) if sum(state[place] >> card & 1 for place in others)
        ]
        if part.key == "hands" and rules.redeals:
            own = state[part.offset + viewer] | rules.lie_open(state)
            own |= rules.without[count - rules.players[0]]
            pool = [card for card in range(made.CARDS) if not own >> card & 1]
        for place in others:
            held = state[place].bit_count()
            drawn = [pool.pop(made.draw(random, len(pool))) for _ in range(held)]
            state[place] = sum(1 << card for card in drawn)
    if rules.chance >= 0:
        state[rules.chance] = made.next_word(random)
    for place in range(made.STOCK, made.STOCK + made.CARDS):
        state[place] = made.draw(random, 1000)
    return other


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_refusal_tells_nothing_of_what_is_not_seen(game: str, players: int) -> None:
    made = engine(game)
    for place, hand in enumerate(moments(made, players, hands=1)):
        if hand.over:
            continue
        mover = hand.state[made.TO_MOVE]
        phase = hand.rules.phases[hand.state[made.PHASE]]
        other = disturbed(made, hand, mover, made.stream(24, place))
        for local in range(sum(run.count for run in phase.actions)):
            if phase.actions[0].type == "player" and local >= players and len(phase.actions) == 1:
                continue
            assert phase.why_not(hand.state, local) == phase.why_not(other.state, local)
            action = hand._action(local, phase) if local < players else None
            for seat, name in enumerate(hand.players):
                if seat != mover and action is not None:
                    refusal = hand.why_not(action, name)
                    assert refusal.clause == "turn.not-yours"


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_is_drawn_looks_the_same_and_plays_on(game: str, players: int) -> None:
    made = engine(game)
    differing = 0
    for place, hand in enumerate(moments(made, players, hands=1, step=30)):
        for name in hand.players:
            other = hand.determinize(name, seed=place)
            assert other.view(name) == hand.view(name)
            assert other.state == hand.determinize(name, seed=place).state, "a seed draws the same"
            differing += other.state != hand.state
            before = len(other.history)
            other.play_randomly(made.stream(25, place))
            assert other.over
            other.undo(len(other.history) - before)
            assert other.view(name) == hand.view(name)
    assert differing or players == 1


@pytest.mark.parametrize(("game", "players"), [t for t in TABLES if not engine(t[0]).RULES.redeals])
def test_what_is_drawn_replays_all_that_was_seen(game: str, players: int) -> None:
    made = engine(game)
    for place, hand in enumerate(moments(made, players, hands=1, step=30)):
        for name in hand.players:
            other = hand.determinize(name, seed=place)
            assert made.Hand.from_json(other.to_json()).state == other.state
            assert len(other.history) == len(hand.history)
            real, drawn = hand.clone(), other.clone()
            for _ in range(4):
                assert drawn.view(name) == real.view(name)
                back = min(len(real.history), 7)
                real.undo(back)
                drawn.undo(back)
            assert drawn.view(name) == real.view(name)
            seat = hand.players.index(name)
            for (phase, who, did), (_, _, said) in zip(hand.history, other.history, strict=True):
                if who == seat or not hand.rules.phases[phase].secret:
                    same = hand._action(did, hand.rules.phases[phase])
                    assert hand._action(said, hand.rules.phases[phase]) == same


def test_refilled_hands_hold_what_was_stolen_and_nothing_that_lay_on_the_table() -> None:
    made = engine("indian-chief")
    stolen = rested = hidden = 0
    for players in (2, 8):
        for place, hand in enumerate(moments(made, players, hands=1, step=20)):
            if hand.over:
                continue
            for viewer, name in enumerate(hand.players):
                state = hand.determinize(name, seed=place).state
                held = 0
                for seat in range(players):
                    own = state[made.HAND + seat]
                    assert own.bit_count() == hand.state[made.HAND + seat].bit_count()
                    assert not held & own
                    held |= own
                    taken = hand.state[made.TAKEN + seat]
                    assert taken & ~own == 0
                    stolen += taken.bit_count()
                    if seat != viewer:
                        lay = hand.state[made.RESTED + seat] & ~taken
                        assert not lay & own
                        rested += lay.bit_count()
                    picked = state[made.PICKED + seat]
                    assert picked & ~own == 0
                    if state[made.CHOICE + seat]:
                        hidden += seat != viewer
                        assert not state[made.MADE + seat] >> state[made.CHOICE + seat] - 1 & 1
                        left = made.choose_missing(state, seat)
                        assert (left > 0) == (seat == state[made.TO_MOVE])
                        above = own & -1 << picked.bit_length()
                        assert above.bit_count() >= left
                assert not held & made.open_cards(state)
    assert stolen and rested and hidden


# Equal chances, against all deals there are


def hands_of(hand: Any) -> tuple[Any, ...]:
    """Who holds what, by name."""
    return tuple(
        (name, tuple(cards)) for name, cards in hand.table.say(hand.facts())["hands"].items()
    )


def drawn_hands(hand: Any, viewer: str, seed: int) -> tuple[Any, ...]:
    """Who holds what in a hand that the viewer cannot tell from this one."""
    return hands_of(hand.determinize(viewer, seed))


def consistent(
    made: ModuleType, hand: Any, viewer: str, actions: Sequence[tuple[str, str]]
) -> Counter[Any]:
    """All hands that fit what the viewer has seen, each as often as there are deals, by trying every deal of the cards.

    Identical cards are different things here: they are dealt to all players in all ways.
    """
    position = hand._start["position"]
    given: Mapping[str, list[str]] = position["hands"]
    others = [name for name in given if name != viewer]
    cards = [card for name in others for card in given[name]]
    found: Counter[Any] = Counter()
    for deal in dealt(list(range(len(cards))), [len(given[name]) for name in others]):
        own = {name: [cards[i] for i in ids] for name, ids in zip(others, deal, strict=True)}
        try:
            other = made.Hand.from_position({**position, "hands": {**given, **own}})
            for name, said in actions:
                other.apply(other.parse(said), name)
        except ValueError:
            continue
        laid = other.view(viewer).get("laid_out", {})
        held = dict(hands_of(other))
        if any(not {*cards} <= {*held[name]} for name, cards in laid.items()):
            continue
        if other.view(viewer) == hand.view(viewer):
            found[hands_of(other)] += 1
    return found


def dealt(cards: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to deal things to places of these sizes."""
    if not sizes:
        yield []
        return
    for own in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in own]
        for more in dealt(rest, sizes[1:]):
            yield [own, *more]


def check_equal(made: ModuleType, position: dict[str, Any], actions: list[tuple[str, str]]) -> int:
    """Draw from the position after the actions, for each player; gives how many different hands there were."""
    hand = made.Hand.from_position(position)
    for name, said in actions:
        hand.apply(hand.parse(said), name)
    seen = 0
    for viewer in hand.players:
        weights = consistent(made, hand, viewer, actions)
        assert hands_of(hand) in weights
        seen += len(weights)
        if len(weights) > 1:
            draws = 6 * sum(weights.values()) // min(weights.values())
            drawn = streams(partial(drawn_hands, hand, viewer), draws)
            assert fits(drawn, weights), viewer
    return seen


def test_with_voids_all_deals_are_equally_likely() -> None:
    hands = {
        "Anna": ["1♠", "2♠", "3♥"],
        "Ben": ["4♥", "5♥", "6♣"],
        "Carla": ["7♠", "8♠", "9♥"],
    }
    position = {"players": [*hands], "at": "tricks", "hands": hands, "to_move": "Anna"}
    actions = [("Anna", "1♠"), ("Ben", "4♥"), ("Carla", "7♠")]
    assert check_equal(engine("papayoo"), position, []) == 3 * 20
    assert check_equal(engine("papayoo"), position, actions) == 3 + 6 + 3


def test_identical_cards_are_as_likely_as_their_deals() -> None:
    hands = {
        "Anna": ["4🔴", "5🔴", "7🟢"],
        "Ben": ["1🔴", "3🔴", "7🟢"],
        "Carla": ["1🔴", "8🔴", "2🟢"],
    }
    position = {
        "players": [*hands],
        "at": "tricks",
        "hands": hands,
        "chief": "Anna",
        "trumps": {"chief": "blue"},
        "to_move": "Anna",
    }
    actions = [("Anna", "4🔴"), ("Ben", "1🔴"), ("Carla", "8🔴")]
    made = engine("mue")
    assert check_equal(made, position, actions[:2]) > 20
    assert check_equal(made, position, actions) > 10


def test_what_was_laid_out_or_named_stays_with_its_player() -> None:
    hands = {
        "Anna": ["Q♥", "2♣"],
        "Ben": ["3♥", "4♣"],
        "Carla": ["5♦", "6♣"],
        "Dan": ["7♥"],
    }
    made = engine("chief-and-vice", (), ("phases.trumps.order.chief.from=hand",))
    auction = {"players": [*hands], "dealer": "Anna", "at": "auction", "hands": hands}
    laid = [("Anna", "lay Q♥"), ("Anna", "pass"), ("Ben", "lay 4♣"), ("Ben", "pass")]
    assert check_equal(made, auction, laid) > 20
    trumps = {
        "players": [*hands],
        "at": "trumps",
        "hands": hands,
        "laid_out": {"Ben": ["4♣"]},
        "chief": "Ben",
    }
    before = check_equal(made, trumps, [])
    assert check_equal(made, trumps, [("Ben", "hearts")]) < before


def test_passed_cards_are_known_to_two_players() -> None:
    made = engine("papayoo", (), ("phases.pass.cards=1",))
    hands = {"Anna": ["1♠", "2♠", "3♥"], "Ben": ["4♥", "5♥", "6♣"], "Carla": ["7♠", "8♠", "9♥"]}
    position = {
        "players": [*hands],
        "at": "pass",
        "hands": hands,
        "dealer": "Carla",
        "papayoo_suit": "clubs",
    }
    hand = made.Hand.from_position(position)
    cards = ["4♥", "5♥", "6♣", "7♠", "8♠", "9♥"]

    def passed(seed: int) -> tuple[Any, ...]:
        drawn = hand.determinize("Anna", seed)
        facts = drawn.table.say(drawn.facts())
        held = [tuple(sorted(map(cards.index, facts["hands"][n]))) for n in ("Ben", "Carla")]
        return *held, cards.index(facts["passed"]["Ben"][0])

    for name, card in [("Anna", "1♠"), ("Ben", "4♥"), ("Carla", "9♥")]:
        if name == "Carla":
            deals = dealt([*range(6)], [3, 3])
            weights = {(ben, carla, choice): 1 for ben, carla in deals for choice in ben}
            assert fits(streams(passed, 8 * len(weights)), weights)
        hand.apply(hand.parse(card), name)
    assert hand.phase == "tricks"

    def kept(seed: int) -> tuple[Any, ...]:
        other = hand.determinize("Anna", seed)
        facts = other.table.say(other.facts())
        assert "1♠" in facts["hands"]["Ben"] and "9♥" in facts["hands"]["Anna"]
        return tuple(facts["passed"]["Ben"]), frozenset(facts["hands"]["Ben"]) - {"1♠"}

    rest = {"4♥", "5♥", "6♣", "7♠", "8♠"}
    weights = {
        ((card,), frozenset(held)): 1
        for card in rest
        for held in combinations(sorted(rest - {card}), 2)
    }
    assert fits(streams(kept, 8 * len(weights)), weights)


def secret_meld() -> tuple[ModuleType, Any]:
    """Two players with two cards each; Ben has chosen in secret, and it is Anna's turn."""
    made = engine("indian-chief")
    position = {
        "players": ["Anna", "Ben"],
        "at": "choose",
        "hands": {"Anna": ["2♥", "3♥"], "Ben": ["4♥", "5♥"]},
        "to_move": "Ben",
    }
    hand = made.Hand.from_position(position)
    hand.apply(hand.parse("meld Thief"), "Ben")
    hand.apply(hand.parse("pick 4♥"), "Ben")
    assert hand.to_move == "Anna"
    return made, hand


def chosen(made: ModuleType, hand: Any, seed: int) -> tuple[int, int, int]:
    """The meld that Ben has chosen in a hand that Anna cannot tell from this one, its cards, and his hand."""
    other = hand.determinize("Anna", seed)
    assert other.history != hand.history or other.state[made.PICKED + 1] == hand.state[made.PICKED + 1]  # fmt: skip
    return other.state[made.CHOICE + 1], other.state[made.PICKED + 1], other.state[made.HAND + 1]


def all_chosen(made: ModuleType, hand: Any) -> Counter[tuple[int, int, int]]:
    """All that Ben may have chosen: any hand, then a meld of one card or of two, then its cards."""
    away = hand.state[made.HAND] | hand.rules.without[0]
    unseen = [card for card in range(made.CARDS) if not away >> card & 1]
    found: Counter[tuple[int, int, int]] = Counter()
    for one, other in combinations([1 << card for card in unseen], 2):
        found += Counter({(1, one, one | other): 1, (1, other, one | other): 1, (2, one | other, one | other): 2})  # fmt: skip
    return found


def test_a_secret_meld_may_be_any_legal_one() -> None:
    made, hand = secret_meld()
    every = all_chosen(made, hand)
    assert len(every) == 3 * 50 * 49 // 2
    drawn = streams(partial(chosen, made, hand), 1400)
    for group in (by_card, by_hand):
        assert fits([grouped(counts, group) for counts in drawn], grouped(every, group))


def by_card(meld: int, picked: int, held: int) -> tuple[int, int]:
    """A meld of one card by that card, another by the quarter of the deck that its lower card is in."""
    return meld, picked if meld == 1 else quarter(held & -held)


def by_hand(meld: int, picked: int, held: int) -> tuple[int, ...]:
    """A hand by the quarters of the deck that its cards are in, and whether the lower, the higher or both were chosen."""
    low = held & -held
    return quarter(low), quarter(held), 2 if picked == held else int(picked == low)


def quarter(cards: int) -> int:
    """In which quarter of the 104 cards the highest one of these is."""
    return (cards.bit_length() - 1) // 26


def grouped(
    counts: Mapping[tuple[int, int, int], int], group: Callable[[int, int, int], Hashable]
) -> Counter[Hashable]:
    """The counts of things that are alike, together."""
    found: Counter[Hashable] = Counter()
    for (meld, picked, held), count in counts.items():
        found[group(meld, picked, held)] += count
    return found


@pytest.mark.slow
def test_over_many_streams_all_chances_come_up_evenly() -> None:
    made, hand = secret_meld()
    every = all_chosen(made, hand)
    drawn = streams(partial(chosen, made, hand), 700, 300)
    for group in (by_card, by_hand):
        weights = grouped(every, group)
        values = [chi_square(grouped(counts, group), weights) for counts in drawn]
        assert uniform([p_value(value, len(weights) - 1) for value in values])


def test_what_is_not_drawn_evenly_does_not_fit() -> None:
    def drawn(make: Callable[[Any], int], draws: int = 300) -> bool:
        return fits(streams(lambda seed: make(Random(seed)), draws), dict.fromkeys(range(20), 1))

    assert drawn(lambda random: random.randrange(20))
    assert not drawn(lambda random: random.randrange(23) % 20), "three of twenty come up twice as often"  # fmt: skip
    turn = iter(range(10**6))
    assert not drawn(lambda _: next(turn) % 20), "more even than chance"
    assert not drawn(lambda _: Random(next(turn) // 4).randrange(20)), "always four times the same"
    assert not uniform([n / 1000 for n in range(0, 600)]) and uniform([n / 600 for n in range(600)])
    with pytest.raises(AssertionError, match="too few"):
        drawn(lambda random: random.randrange(20), 50)


def test_a_deck_with_three_copies_and_cards_set_aside() -> None:
    made = small_game()
    hand = made.Hand(2, seed=1)
    names = {card: hand.table.word("card", card) for card in range(made.CARDS)}
    viewer = hand.players[0]
    for _ in range(2):
        hand.play_randomly(made.stream(3, 0), 1)
    weights: Counter[Any] = Counter()
    for deal in dealt([*range(made.CARDS)], [3, 3]):
        cards = {
            name: [names[card] for card in own]
            for name, own in zip(hand.players, deal, strict=True)
        }
        other = made.Hand.from_deal(2, cards, dealer=0)
        try:
            for line in hand.transcript()["actions"]:
                name, _, said = line.partition(": ")
                other.apply(other.parse(said), name)
        except ValueError:
            continue
        if other.view(viewer) == hand.view(viewer):
            weights[hands_of(other)] += 1
    smallest = min(weights.values())
    shares = {held: weight // smallest for held, weight in weights.items()}
    assert len(set(shares.values())) > 1, "identical cards make a difference here"
    drawn = streams(partial(drawn_hands, hand, viewer), 6 * sum(shares.values()))
    assert fits(drawn, weights)


SMALL = """
game: small
title: {en: Small}
sources: {house: {title: House rules, sections: [All]}}
players: [2]
cards:
  source: {house: All}
  suits: {hearts: ♥, spades: ♠}
  ranks: [2, 3]
  copies: {2: 3}
  points: {2-3: 0}
phases:
  deal: {kind: deal, source: {house: All}, cards: 3, left_over: set-aside}
  tricks:
    {kind: tricks, source: {house: All}, leader: dealer, trumps: [], follow: must, equal_cards: first-played-wins}
scoring:
  source: {house: All}
  played:
    won: {source: {house: All}, who: everyone, points: tricks_won(player)}
match: {source: {house: All}, first_dealer: 1, deal_passes: left, hands: 1, winner: highest, tied: shared}
"""


def small_game() -> ModuleType:
    """Eight cards, six of them in two sets of three, of which two are set aside."""
    from trickwright import GameFiles
    from trickwright.source import read_text

    report = Report()
    node = read_text(SMALL, "rules.yaml", report)
    assert node is not None
    made = compile_game(GameFiles(games()["papayoo"], node, {}, {}), report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    return load_engine(made)
