"""What must stay hidden: cards that others pass on, and what chance will bring, until their time comes."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from conftest import engine

PASSING = ("papayoo", "pass")
"""A game with cards that are passed on in secret, and the phase in which they are."""


@pytest.fixture(scope="module")
def made() -> ModuleType:
    return engine(PASSING[0])


def give_all(hand: Any, random: list[int]) -> None:
    """Play at random until all cards are passed on."""
    while hand.phase == PASSING[1]:
        hand.play_randomly(random, 1)


def words_in(value: Any) -> set[str]:
    """Every word that a view holds, however deep."""
    if isinstance(value, dict):
        return {word for inner in value.values() for word in words_in(inner)}
    if isinstance(value, list | tuple):
        return {word for inner in value for word in words_in(inner)}
    return set(str(value).split())


def disturbed(made: ModuleType, hand: Any, viewer: int, random: list[int]) -> Any:
    """A hand that differs in all that the viewer cannot see: others' cards, what they passed on, and chance to come."""
    other = hand.clone()
    state, count = other.state, len(hand.players)
    others = [seat for seat in range(count) if seat != viewer]
    pool = [
        card for seat in others for card in range(made.CARDS) if state[made.HAND + seat] >> card & 1
    ]
    for seat in others:
        held = state[made.HAND + seat].bit_count()
        state[made.HAND + seat] = 0
        for _ in range(held):
            state[made.HAND + seat] |= 1 << pool.pop(made.draw(random, len(pool)))
        for part in (made.PASSED, made.RECEIVED):
            rest = list(range(made.CARDS))
            size = state[part + seat].bit_count()
            drawn = [rest.pop(made.draw(random, len(rest))) for _ in range(size)]
            state[part + seat] = sum(1 << card for card in drawn)
        state[made.CARDS_WON + seat] = made.next_word(random) & made.ALL_CARDS
    for place in range(made.STOCK, made.STOCK + made.CARDS):
        state[place] = made.draw(random, 1000)
    state[made.CHANCE_SEED] = made.next_word(random)
    give = hand.rules.phases[made.IN_PASS]
    other.history = [
        (phase, seat, made.draw(random, made.CARDS))
        if hand.rules.phases[phase] is give and seat != viewer
        else (phase, seat, action)
        for phase, seat, action in hand.history
    ]
    return other


@pytest.mark.parametrize("players", [3, 4, 8])
def test_a_view_does_not_depend_on_what_the_player_cannot_see(
    made: ModuleType, players: int
) -> None:
    differing = 0
    for number in range(6):
        hand = made.Hand(players, seed=5, number=number)
        random = made.stream(6, number)
        while not hand.over:
            for viewer, name in enumerate(hand.players):
                other = disturbed(made, hand, viewer, random)
                assert other.view(name) == hand.view(name)
                differing += other.facts() != hand.facts()
            hand.play_randomly(random, 1 + made.draw(random, 4))
    assert differing > 100, "what is hidden was changed indeed"


@pytest.mark.parametrize("players", [3, 5, 7])
def test_nobody_reads_what_others_pass_on(made: ModuleType, players: int) -> None:
    hand = made.Hand(players, seed=1)
    random = made.stream(2, 0)
    while hand.phase == PASSING[1]:
        hand.play_randomly(random, 1)
        for viewer, name in enumerate(hand.players):
            view = hand.view(name)
            own = hand.state[made.HAND + viewer] | hand.state[made.PASSED + viewer]
            seen = {card for card in words_in(view) if card in hand.rules.words["en"].cards}
            assert seen <= {
                hand.table.word("card", card) for card in range(made.CARDS) if own >> card & 1
            } | {card for card in view["deck"]["missing"]}
            for line in view["actions"]:
                who, _, done = line.partition(": ")
                assert (done == "give") == (who != name)


def test_a_player_remembers_what_was_given_and_received(made: ModuleType) -> None:
    hand = made.Hand(4, seed=8)
    given = hand.clone()
    give_all(hand, made.stream(3, 0))
    for name, left in zip(hand.players, [*hand.players[1:], hand.players[0]], strict=True):
        cards = hand.view(name)["passed"][name]
        assert len(cards) == 5 and set(cards) <= set(given.view(name)["hands"][name])
        assert hand.view(left)["received"][left] == cards
        assert set(cards) <= set(hand.view(left)["hands"][left])
        assert hand.view(left)["passed"][name] == {"cards": 5}
        assert hand.view(name)["received"][left] == {"cards": 5}
        assert [f"{name}: give {card}" for card in cards] == [
            line for line in hand.view(name)["actions"] if line.startswith(f"{name}: ")
        ]


def test_the_die_is_in_no_view_before_it_is_rolled(made: ModuleType) -> None:
    hand = made.Hand(3, seed=4)
    random = made.stream(4, 0)
    while hand.phase == PASSING[1]:
        assert all("papayoo_suit" not in hand.view(name) for name in hand.players)
        hand.play_randomly(random, 1)
    shown = {hand.view(name)["papayoo_suit"] for name in hand.players}
    assert len(shown) == 1 and shown < {"spades", "hearts", "clubs", "diamonds"}


def test_a_result_given_beforehand_is_hidden_until_its_time(made: ModuleType) -> None:
    cards = {"Anna": ["1♠", "2♠", "3♠", "4♠", "5♠"], "Ben": ["1♥", "2♥", "3♥", "4♥", "5♥"]}
    cards["Carla"] = ["1♣", "2♣", "3♣", "4♣", "5♣"]
    position = {"players": [*cards], "at": "pass", "hands": cards, "papayoo_suit": "clubs"}
    hand = made.Hand.from_position(position)
    assert all("papayoo_suit" not in hand.view(name) for name in cards)
    views = [{**hand.view(name), "can_show": None} for name in cards]  # which all suits are in
    assert "clubs" not in {word for view in views for word in words_in(view)}
    give_all(hand, made.stream(0, 0))
    assert {hand.view(name)["papayoo_suit"] for name in cards} == {"clubs"}


def test_the_die_does_not_depend_on_what_is_passed(made: ModuleType) -> None:
    for number in range(20):
        results = set()
        for way in range(4):
            hand = made.Hand(6, seed=9, number=number)
            give_all(hand, made.stream(10 + way, number))
            results.add(hand.state[made.PAPAYOO_SUIT])
        assert len(results) == 1


def test_every_face_comes_up_about_as_often(made: ModuleType) -> None:
    counts = dict.fromkeys(("spades", "hearts", "clubs", "diamonds"), 0)
    for number in range(800):
        hand = made.Hand(8, seed=11, number=number)
        give_all(hand, made.stream(12, number))
        counts[hand.view("Anna")["papayoo_suit"]] += 1
    chi_square = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert chi_square < 16.3, counts  # one in a thousand for three degrees of freedom


def test_events_of_one_hand_have_streams_of_their_own(made: ModuleType) -> None:
    state = [0] * made.SIZE
    state[made.CHANCE_SEED] = 12345
    first = [made.by_chance(state, 1000) for _ in range(50)]
    assert state[made.CHANCE_EVENTS] == 50 and len(set(first)) > 40
    state[made.CHANCE_EVENTS] = 0
    assert [made.by_chance(state, 1000) for _ in range(50)] == first


def test_undo_and_transcripts_bring_the_same_die(made: ModuleType) -> None:
    hand = made.Hand(5, seed=13)
    give_all(hand, made.stream(14, 0))
    rolled, state = hand.view("Ben")["papayoo_suit"], list(hand.state)
    hand.undo()
    assert hand.phase == PASSING[1] and "papayoo_suit" not in hand.view("Ben")
    again = made.Hand.from_json(hand.to_json())
    redone = made.Hand(5, seed=13)
    give_all(redone, made.stream(14, 0))
    assert redone.state == state and redone.view("Ben")["papayoo_suit"] == rolled
    give_all(again, made.stream(15, 0))
    assert again.view("Ben")["papayoo_suit"] == rolled


def test_a_secret_may_end_with_its_phase(made: ModuleType) -> None:
    phases = tuple(
        replace(phase, secret="until-over") if phase.id == PASSING[1] else phase
        for phase in made.RULES.phases
    )
    later = type("Later", (made.Hand,), {"rules": replace(made.RULES, phases=phases)})
    hand = later(3, seed=2)
    random = made.stream(1, 0)
    hand.play_randomly(random, 5)
    assert hand.view("Anna")["actions"] == ["Ben: give"] * 5
    give_all(hand, random)
    assert hand.view("Anna")["actions"] == hand.transcript()["actions"]
    assert "Ben: give" not in hand.view("Anna")["actions"]
