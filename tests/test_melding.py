"""Melds chosen in secret, stealing and refilling: what must hold in every hand of Indian Chief."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from conftest import compiled, engine
from trickwright_tools import fast

GAME = "indian-chief"
NAMES = ("thief", "beggar_man", "poor_man", "lawyer", "rich_man", "doctor", "indian_chief")
TABLES = [((), players) for players in range(2, 9)] + [(("solo",), 1)]
tables = pytest.mark.parametrize(("variants", "players"), TABLES, ids=str)


def within(meld: int, players: int, points: int) -> bool:
    """Whether a meld can score so much."""
    two = players > 3
    return {
        "thief": 1 <= points <= 10,
        "beggar_man": points >= 0 and points % 2 == 0,
        "poor_man": 0 <= points <= 30,
        "lawyer": points in (0, 25),
        "rich_man": -50 <= points <= (-5 if two else -6),
        "doctor": points in (0, 20, 30, 40, 50, 60),
        "indian_chief": 12 <= points <= (59 if two else 54),
    }[NAMES[meld - 1]]


def check_melds(made: ModuleType, state: list[int], players: int) -> None:
    """Each meld of the round last revealed has its number of cards and points that it can score."""
    for seat in range(players):
        kind = state[made.MELDED_AS + seat]
        if kind:
            points = state[made.ROUND_POINTS + seat]
            assert within(kind, players, points), (NAMES[kind - 1], points)
            assert state[made.REVEALED + seat].bit_count() == kind, "thief 1, beggar man 2, ..."


def check_cards(made: ModuleType, state: list[int], players: int) -> None:
    """Every card in play is in one place only, and what is chosen is still in the hand."""
    parts = [
        state[offset + seat]
        for offset in (made.HAND, made.MELD, made.KEPT)
        for seat in range(players)
    ]
    parts.append(made.refill_stock(state))
    assert sum(part.bit_count() for part in parts) == (52 if players < 4 else 104)
    assert sum(parts) == made.ALL_CARDS & ~made.WITHOUT[players - made.FEWEST_PLAYERS]
    for seat in range(players):
        assert state[made.PICKED + seat] & ~state[made.HAND + seat] == 0


@tables
def test_cards_are_kept_and_each_meld_is_made_once(variants: tuple[str, ...], players: int) -> None:
    made = engine(GAME, variants)
    for number in range(40 if players < 4 else 12):
        hand = made.Hand(players, seed=11, number=number)
        random = made.stream(12, number)
        earned = [0] * players
        melded: list[list[int]] = [[] for _ in range(players)]
        known = 0
        while not hand.over:
            hand.play_randomly(random, 1)
            state = hand.state
            check_cards(made, state, players)
            rounds = state[made.MADE].bit_count()
            if rounds == known:
                continue
            known = rounds
            check_melds(made, state, players)
            for seat in range(players):
                earned[seat] += state[made.ROUND_POINTS + seat]
                melded[seat].append(state[made.MELDED_AS + seat])
            if state[made.PHASE] == made.IN_CHOOSE and not hand.over:
                assert all(state[made.HAND + seat].bit_count() == 8 for seat in range(players))
        assert all(sorted(kinds) == [1, 2, 3, 4, 5, 6, 7] for kinds in melded)
        assert [*hand.scores.values()] == earned


@tables
def test_transcripts_with_identical_cards_play_again(
    variants: tuple[str, ...], players: int
) -> None:
    made = engine(GAME, variants)
    for number in range(8):
        hand = made.Hand(players, seed=13, number=number)
        hand.play_randomly(made.stream(14, number))
        assert made.Hand.from_json(hand.to_json()).state == hand.state


def after(hand: Any, *things: str) -> Any:
    """A copy of the hand after a whole turn."""
    copy = hand.clone()
    copy.apply(copy.turn(things))
    return copy


def test_what_others_choose_is_hidden_until_all_are_in() -> None:
    made = engine(GAME)
    start = made.Hand(3, seed=15)
    cards = start.view("Anna")["hands"]["Anna"]
    one, other = after(start, "Thief", cards[0]), after(start, "Indian Chief", *cards[:7])
    third = after(start, "Thief", cards[5])
    for viewer in ("Ben", "Carla"):
        assert one.view(viewer) == other.view(viewer) == third.view(viewer)
        assert one.view(viewer)["actions"] == ["Anna: meld"]
    assert one.view("Anna")["picked"] == {"Anna": [cards[0]]}
    assert one.view("Anna")["choice"] == {"Anna": "Thief"}
    assert other.view("Anna") != one.view("Anna")
    ben = one.view("Ben")["hands"]["Ben"]
    carla = one.view("Carla")["hands"]["Carla"]
    end = after(after(one, "Poor Man", *ben[:3]), "Lawyer", *carla[:4])
    for viewer in ("Anna", "Ben", "Carla"):
        seen = end.view(viewer)
        assert seen["revealed"] == {"Anna": [cards[0]], "Ben": ben[:3], "Carla": carla[:4]}
        assert seen["melded_as"] == {"Anna": "Thief", "Ben": "Poor Man", "Carla": "Lawyer"}


def test_a_choice_that_is_not_finished_is_hidden_too() -> None:
    made = engine(GAME)
    hand = made.Hand(2, seed=16)
    hand.apply(hand.parse("Lawyer"))
    named = hand.view("Ben")
    hand.play_randomly(made.stream(1, 1), 2)
    assert hand.to_move == "Anna" and hand.view("Ben") == named
    assert len(hand.view("Anna")["picked"]["Anna"]) == 2


def test_nobody_sees_the_stock_but_all_know_its_size() -> None:
    made = engine(GAME)
    hand = made.Hand(2, seed=17)
    view = hand.view("Anna")
    assert view["stock"] == 36
    stock = made.refill_stock(hand.state)
    shown = {card for card in str(view).replace("'", " ").replace(",", " ").split()}
    names = made.RULES.words["en"].cards
    assert not shown & {names[card] for card in range(104) if stock >> card & 1}


def test_with_one_pack_no_card_is_taken_out() -> None:
    for variants, players in TABLES:
        assert engine(GAME, variants).Hand(players).view("Anna")["deck"]["missing"] == []


def position(players: int, **parts: dict[str, list[str]]) -> dict[str, Any]:
    return {"players": list("ABCDEFGH"[:players]), "at": "refill", **parts}


def test_of_identical_cards_in_a_position_one_lies_in_a_hand_and_one_in_a_meld() -> None:
    made = engine(GAME)
    given = position(4, hands={"A": ["K♣"], "B": ["2♦"]}, melds={"C": ["K♣"], "D": ["2♦"]})
    hand = made.Hand.from_position(given | {"round": 7})
    held, melded = (
        [hand.state[offset + seat] for seat in range(4)] for offset in (made.HAND, made.REVEALED)
    )
    assert sum(held).bit_count() == 2 and not any(melded)
    assert made.refill_stock(hand.state) == made.ALL_CARDS & ~sum(held), "melds went back"


@pytest.mark.parametrize(
    ("players", "parts", "said"),
    [
        (2, {"hands": {"A": ["K♣"]}, "melds": {"B": ["K♣"]}}, "melds: K♣ is there twice"),
        (2, {"hands": {"A": ["K♣", "K♣"]}}, "hands: K♣ is there twice"),
        (2, {"melds": {"A": ["K♣"]}, "kept": {"B": ["K♣"]}}, "kept: K♣ is there twice"),
        (
            4,
            {"hands": {"A": ["K♣"], "B": ["K♣"]}, "melds": {"C": ["K♣"]}},
            "melds: K♣ is there too often",
        ),
    ],
)
def test_no_card_of_a_position_lies_at_two_places(
    players: int, parts: dict[str, dict[str, list[str]]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        engine(GAME).Hand.from_position(position(players, **parts))


def test_a_card_that_is_taken_out_is_in_no_position() -> None:
    made = engine("chief-and-vice")
    given = {"players": list("ABCDE"), "at": "auction", "hands": {"A": ["2♣", "3♣"]}}
    with pytest.raises(ValueError, match="with 5 players 2♣ is not in the deck"):
        made.Hand.from_position(given)


def test_a_stock_too_small_for_a_seat_has_the_melds_in_it_before_anything_is_drawn() -> None:
    made = engine(GAME)
    melded_first = stock_left = 0
    for word in range(200):
        state = [0] * made.SIZE
        made.new_hand(state, 2, 0)
        state[made.CHANCE_SEED] = word
        deck = [card for card in range(104) if not made.WITHOUT[0] >> card & 1]
        stock, melds, hand = (
            sum(1 << card for card in some) for some in (deck[:5], deck[5:30], deck[30:31])
        )
        state[made.HAND], state[made.HAND + 1], state[made.MELD + 1] = hand, 0, melds
        state[made.KEPT] = sum(1 << card for card in deck[31:])
        assert made.refill_stock(state) == stock
        made.refill_fill(state, 0)
        drawn = state[made.HAND] & ~hand
        assert drawn.bit_count() == 7 and drawn & ~(stock | melds) == 0
        assert made.refill_stock(state) == (stock | melds) & ~drawn
        melded_first += bool(drawn & melds)
        stock_left += drawn & stock != stock
    assert melded_first == 200
    assert stock_left > 150, "the 5 cards of the stock are no better than the 25 melded"


def test_a_stock_just_large_enough_is_dealt_as_it_is() -> None:
    made = engine(GAME)
    state = [0] * made.SIZE
    made.new_hand(state, 2, 0)
    deck = [card for card in range(104) if not made.WITHOUT[0] >> card & 1]
    stock, melds = sum(1 << card for card in deck[:8]), sum(1 << card for card in deck[8:20])
    state[made.MELD], state[made.KEPT] = melds, sum(1 << card for card in deck[20:])
    made.refill_fill(state, 0)
    assert state[made.HAND] == stock and state[made.MELD] == melds


def test_every_card_of_the_stock_is_drawn_alike() -> None:
    made = engine(GAME)
    counts = dict.fromkeys(range(104), 0)
    for word in range(2000):
        state = [0] * made.SIZE
        made.new_hand(state, 2, 0)
        state[made.CHANCE_SEED] = word
        made.refill_fill(state, 0)
        for card in counts:
            counts[card] += state[made.HAND] >> card & 1
    drawn = [count for card, count in counts.items() if not made.WITHOUT[0] >> card & 1]
    assert sum(drawn) == 16_000 and len(drawn) == 52
    assert all(220 < count < 400 for count in drawn)  # 307.7 expected, 16 a standard deviation


def test_a_deck_of_104_cards_is_refused_by_acceleration() -> None:
    with pytest.raises(
        (ValueError, fast.NotInstalled), match=r"104 cards do not fit in 64 bits|numba"
    ):
        fast.accelerate(engine(GAME))


def test_with_one_deck_the_same_rules_can_be_accelerated(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")
    from trickwright.runtime_files import runtime_files

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one_deck = compiled(GAME, (), ("players=[2, 3]", "cards.copies=1", "cards.single_pack=[2]"))
    plain = fast.in_a_file(one_deck.engine, runtime_files(), one_deck.game.module)
    quick = fast.accelerate(plain)
    for players in (2, 3):
        slow = [[0] * (2 + players) for _ in range(150)]
        found = quick.results(150, players)
        decisions = plain.play_hands([0] * plain.SIZE, [0, 0], 5, 0, players, slow)
        assert quick.play_hands(quick.state(), quick.random(), 5, 0, players, found) == decisions
        assert found.tolist() == slow
