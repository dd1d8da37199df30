"""Hands and matches with names: actions, refusals, views, copies, transcripts."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from conftest import engine

EXAMPLE = {
    "players": ["Anna", "Ben", "Carla", "Dan"],
    "at": "tricks",
    "chief": "Dan",
    "vice": "Anna",
    "partner": "Carla",
    "trumps": {"chief": "Kings", "vice": "hearts"},
    "bids": {"Dan": 3, "Anna": 2},
    "hands": {
        "Ben": ["7♥", "3♠"],
        "Carla": ["K♣", "5♠"],
        "Dan": ["K♦", "4♣"],
        "Anna": ["A♥", "2♦"],
    },
    "to_move": "Ben",
}


def test_the_trick_of_the_rulebook_is_played_with_named_actions(chief: ModuleType) -> None:
    hand = chief.Hand.from_position(EXAMPLE)
    hand.apply(chief.Play("7♥"))
    assert hand.legal_actions() == [chief.Play("K♣")]
    hand.apply([chief.Play("K♣")], "Carla")
    hand.apply(chief.Play("KD"))
    hand.apply(chief.Play("A♥"))
    assert hand.to_move == "Carla"
    assert hand.table.say(hand.facts())["trick"] == {
        "winner": "Carla",
        "cards": ["7♥", "K♣", "K♦", "A♥"],
    }


def test_an_illegal_action_names_the_clause_and_changes_nothing(chief: ModuleType) -> None:
    hand = chief.Hand.from_position(EXAMPLE)
    hand.apply(chief.Play("7♥"))
    before = hand.state.copy(), hand.history.copy()
    with pytest.raises(
        ValueError, match=r"Carla may not play 5♠: .*\(tricks\.follow-trump,"
    ) as caught:
        hand.apply(chief.Play("5♠"))
    assert caught.value.refusal.clause == "tricks.follow-trump"  # type: ignore[attr-defined]
    assert (hand.state, hand.history) == before


def test_a_turn_of_several_cards_is_done_whole_or_not_at_all(chief: ModuleType) -> None:
    hand = chief.Hand(4, seed=1)
    own = [action.what for action in hand.legal_actions() if action.verb == "lay"]
    with pytest.raises(ValueError, match="one-card"):
        hand.apply(hand.turn(own[:2]))
    assert hand.history == []
    hand.apply(hand.turn(own[:1]))
    assert hand.to_move == "Ben"


def test_two_orders_of_the_same_cards_are_one_turn(chief: ModuleType) -> None:
    hand = chief.Hand(4, seed=1)
    hand.apply(hand.turn([hand.legal_actions()[0].what]))
    cards = [action.what for action in hand.legal_actions() if action.verb == "lay"][:2]
    assert hand.turn(cards) == hand.turn(cards[::-1])


@pytest.mark.parametrize(
    ("action", "player", "clause"),
    [
        (("play", "7♥"), None, "turn.not-now"),
        (("pass", ""), "Ben", "turn.not-yours"),
        (("name", "hearts"), "Anna", "turn.not-now"),
    ],
)
def test_actions_out_of_turn_or_phase_are_refused(
    chief: ModuleType, action: tuple[str, str], player: str | None, clause: str
) -> None:
    hand = chief.Hand(4, seed=1)
    make = {"play": chief.Play, "name": chief.Name}.get(action[0])
    refusal = hand.why_not(make(action[1]) if make else chief.Pass(), player)
    assert refusal is not None and refusal.clause == clause


def test_reasons_are_told_in_german_too(chief: ModuleType) -> None:
    hand = chief.Hand.from_position(EXAMPLE)
    hand.apply(chief.Play("7♥"))
    refusal = hand.why_not(hand.parse("spielt 5♠"), language="de")
    assert refusal is not None and "Trumpf ist ausgespielt" in refusal.sentence


def play_some(chief: ModuleType, players: int, number: int, actions: int) -> Any:
    hand = chief.Hand(players, seed=5, number=number, dealer=number % players)
    hand.play_randomly(chief.stream(6, number), actions)
    return hand


@pytest.mark.parametrize("players", [4, 5, 6])
def test_saving_copying_and_undoing_are_faithful(chief: ModuleType, players: int) -> None:
    for number in range(30):
        hand = play_some(chief, players, number, number * 7)
        again = chief.Hand.from_json(hand.to_json())
        assert again.state == hand.state and again.history == hand.history
        copy = hand.clone()
        copy.play_randomly(chief.stream(1, 1))
        assert again.state == hand.state, "a copy goes its own way"
        taken_back = copy.clone()
        taken_back.undo(len(copy.history) - len(hand.history))
        assert taken_back.state == hand.state and taken_back.history == hand.history
        assert chief.Hand.from_json(copy.to_json()).scores == copy.scores


def test_a_position_is_saved_and_undone_like_a_dealt_hand(chief: ModuleType) -> None:
    hand = chief.Hand.from_position(EXAMPLE)
    hand.apply(chief.Play("7♥"))
    assert chief.Hand.from_json(hand.to_json()).state == hand.state
    hand.undo()
    assert hand.state == chief.Hand.from_position(EXAMPLE).state


def test_every_action_has_one_stable_number(chief: ModuleType) -> None:
    hand = chief.Hand(6, seed=1)
    numbers = {}
    for phase in hand.rules.phases:
        for run in phase.actions:
            for local in range(run.count):
                if run.type == "player" and local >= 6:
                    continue
                number = phase.first_number + run.first + local
                action = hand.action(number)
                assert hand.number_of(action) == number
                numbers[number] = action
    assert len(set(numbers.values())) == len(numbers) == 53 + 18 + 6 + 52


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"game": "other"}, "game is 'other'"),
        ({"rules": "0000"}, "the rules have changed"),
        ({"players": ["Anna", "Ben"]}, "for 4, 5, 6 players, not 2"),
        ({"players": ["Anna", "Anna", "Ben", "Dan"]}, "same name"),
        ({"seed": "x"}, "seed is missing or not a whole number"),
        ({"seed": True}, "seed is missing or not a whole number"),
        ({"dealer": "Zoe"}, "no player called 'Zoe'"),
        ({"actions": ["Anna: fly"]}, "fly"),
        ({"actions": 7}, "actions is missing"),
        ({"players": 1.5}, "players is missing"),
        ({"players": [1, 2, 3, 4]}, "1 to 40 characters"),
        ({"position": 5}, "a position is a mapping"),
        ({"position": None}, "a position is a mapping"),
        ({"number": -1}, "the number 0 or more"),
        ({"actions": ["Ben: pass"]}, "another player's turn"),
        ({"actions": [["Anna", "pass"]]}, "nobody|no player|not a line|may"),
    ],
)
def test_damaged_transcripts_are_refused_with_a_reason(
    chief: ModuleType, damage: dict[str, Any], said: str
) -> None:
    data = {**chief.Hand(4, seed=1).transcript(), **damage}
    with pytest.raises(ValueError, match=said):
        chief.Hand.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "[]", "nonsense", "[" * 100000, '{"game": 1}', "null", "7"])
def test_what_is_no_transcript_is_refused(chief: ModuleType, text: str) -> None:
    with pytest.raises(ValueError):
        chief.Hand.from_json(text)
    with pytest.raises(ValueError):
        chief.Match.from_json(text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": "nowhere"}, "'at' names a phase"),
        ({"chief": "Zoe"}, "chief: there is no player called 'Zoe'"),
        ({"hands": {"Ben": ["7♥", "7♥"]}}, "7♥ is there twice"),
        ({"hands": {"Ben": ["7♥"], "Anna": ["7H"]}}, "7H is there twice"),
        ({"hands": ["7♥"]}, "'hands' goes by player"),
        ({"hands": {"Ben": ["X♥"]}}, "no card called 'X♥'"),
        ({"trumps": {"chief": "stars"}}, "no trump called 'stars'"),
        ({"bids": {"Dan": "three"}}, "not a number"),
        ({"colour": "red"}, "nothing called 'colour'"),
        ({"to_move": "nobody"}, "'nobody' cannot be on turn"),
        ({"dealer": "Zoe"}, "no player called 'Zoe'"),
        ({"players": 3}, "for 4, 5, 6 players, not 3"),
        ({"players": 1.5}, "a number, or a list of names"),
        ({"players": True}, "a number, or a list of names"),
        ({"chief": "nobody"}, "must say who is 'chief'"),
        ({"partner": None}, "must say who is 'partner'"),
        ({"hands": {"Ben": ["7♥"], "Anna": ["2♦"]}}, "equally many cards"),
        ({"hands": {}}, "equally many cards"),
        ({"bids": {"Dan": 14}}, "14 is not from 0 to 13"),
        ({"bids": {"Dan": -1}}, "-1 is not from 0 to 13"),
        ({"card_points": {"Dan": 61}}, "61 is not from 0 to 60"),
        ({"bids": {"nobody": 1}}, "nobody cannot have 'bids'"),
        ({"laid_order": ["nobody"]}, "'nobody' cannot stand there"),
        ({"laid_order": ["Ben", "Ben"]}, "stands there twice"),
    ],
)
def test_positions_that_make_no_sense_are_refused(
    chief: ModuleType, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        chief.Hand.from_position({**EXAMPLE, **change})


@pytest.mark.parametrize("players", [4, 5, 6])
def test_a_view_does_not_change_when_unseen_cards_do(chief: ModuleType, players: int) -> None:
    compared = 0
    for number in range(40):
        hand = play_some(chief, players, number, 10 + number * 3)
        if hand.over:
            continue
        other = hand.clone()
        offset, laid = chief.HAND, chief.LAID_OUT
        hidden = [
            (seat, card)
            for seat in range(1, players)
            for card in range(chief.CARDS)
            if (hand.state[offset + seat] & ~hand.state[laid + seat]) >> card & 1
        ]
        swaps = [(a, b) for a in hidden for b in hidden if a[0] < b[0] and a[1] != b[1]]
        if not swaps or hand.to_move == "Anna":
            continue
        (one, first), (two, second) = swaps[number % len(swaps)]
        other.state[offset + one] ^= 1 << first | 1 << second
        other.state[offset + two] ^= 1 << first | 1 << second
        assert other.state != hand.state
        assert other.view("Anna") == hand.view("Anna")
        compared += 1
    assert compared > 5


def test_a_view_shows_the_own_hand_and_what_lies_open(chief: ModuleType) -> None:
    hand = chief.Hand(4, seed=1)
    card = hand.legal_actions()[0].what
    hand.apply(hand.turn([card]))
    seen = hand.view("Ben")
    assert len(seen["hands"]["Ben"]) == 13
    assert seen["hands"]["Anna"] == {"cards": 13}
    assert seen["laid_out"]["Anna"] == [card]
    assert "legal" in seen and "legal" not in hand.view("Carla")


@pytest.mark.parametrize(("variants", "until"), [((), 200), (("to-100",), 100)])
def test_a_match_ends_at_its_number_with_one_winner(variants: tuple[str, ...], until: int) -> None:
    made = engine("chief-and-vice", variants)
    match = made.Match(4)
    match.end_hand({"Anna": until - 1, "Ben": 3})
    assert not match.over
    match.end_hand({"Anna": 1, "Ben": until - 3})
    assert match.totals["Anna"] == match.totals["Ben"] == until and not match.over
    match.end_hand({"Ben": 1})
    assert match.winners == ["Ben"]
    with pytest.raises(ValueError, match="the match is over"):
        match.deal()


def test_the_deal_passes_left_and_each_hand_has_its_own_cards(chief: ModuleType) -> None:
    match = chief.Match(("Anna", "Ben", "Carla", "Dan"), seed=3)
    hands = []
    for _ in range(5):
        if match.hand.over:
            match.totals = dict.fromkeys(match.totals, 0)
            match.deal()
        hands.append((match.hand.players[match.hand.state[1]], tuple(match.hand.state[5:9])))
        match.play_randomly(chief.stream(1, len(hands)), hands=1)
    assert [dealer for dealer, _ in hands] == ["Anna", "Ben", "Carla", "Dan", "Anna"]
    assert len({cards for _, cards in hands}) == 5


def test_a_match_is_saved_and_replayed(chief: ModuleType) -> None:
    match = chief.Match(5, seed=8)
    match.play_randomly(chief.stream(2, 2), hands=3)
    again = chief.Match.from_json(match.to_json())
    assert again.totals == match.totals and again.score_pad == match.score_pad
    assert again.dealer == match.dealer
    data = json.loads(match.to_json())
    data["hands"][1]["seed"] = 9
    with pytest.raises(ValueError):
        chief.Match.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "arguments",
    [
        {"totals": 5},
        {"totals": {"Zoe": 5}},
        {"totals": {"Anna": None}},
        {"seed": "x"},
        {"players": ["Anna", "Ben", "Carla", "nobody"]},
        {"players": ["Anna", "Ben", "Carla", "D: an"]},
    ],
)
def test_a_match_is_not_begun_with_what_makes_no_sense(
    chief: ModuleType, arguments: dict[str, Any]
) -> None:
    with pytest.raises(ValueError):
        chief.Match(**{"players": 4, **arguments})
