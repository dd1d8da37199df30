"""Matches and hands kept by hand: what is counted, what is refused and in which words, and what is written down."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest


def test_scores_that_are_not_counted_are_not_thrown_away(chief: ModuleType) -> None:
    match = chief.Match(4, seed=3)
    while not match.hand.over:
        match.hand.apply(match.hand.legal_actions()[0])
    scores = dict(match.hand.scores)
    assert any(scores.values())
    for act in (
        match.deal,
        match.to_json,
        lambda: match.play_randomly(chief.stream(1, 1)),
    ):
        with pytest.raises(ValueError, match=r"end_hand\(match\.hand\.scores, "):
            act()
    match.end_hand(match.hand.scores, match.hand.transcript())
    assert match.totals == scores and match.hands_played == 1
    first = match.hand
    assert match.deal() is match.hand is not first
    assert (match.hand.transcript()["number"], match.hand.transcript()["dealer"]) == (1, "Ben")
    with pytest.raises(ValueError, match="the present hand is not over"):
        match.deal()


def test_a_hand_counts_once(chief: ModuleType) -> None:
    match = chief.Match(4, seed=3)
    match.end_hand({"Anna": 7})
    with pytest.raises(ValueError, match=r"deal\(\) begins the next"):
        match.apply(match.hand.legal_actions()[0])
    match.play_randomly(chief.stream(1, 1), hands=1)
    assert match.finished[1]["number"] == 1 and match.hands_played == 2
    assert match.totals["Anna"] == 7 + match.score_pad[1]["Anna"]


def test_a_match_with_hands_told_by_their_scores_is_the_same_when_read_again(
    chief: ModuleType,
) -> None:
    match = chief.Match(
        ("Eva", "Finn", "Ida", "Jan"), seed=5, totals={"Ida": 12}, dealer=2, hands_before=4
    )
    match.end_hand({"Eva": 5, "Jan": -3})
    match.play_randomly(chief.stream(2, 2), hands=1)
    match.end_hand({"Finn": 9})
    again = chief.Match.from_json(match.to_json())
    assert match.score_pad[0] == {"Eva": 5, "Finn": 0, "Ida": 0, "Jan": -3}
    assert again.totals == match.totals
    assert again.score_pad == match.score_pad
    assert (again.dealer, again.hands_played) == (match.dealer, match.hands_played) == (1, 7)
    assert again.to_json() == match.to_json()
    assert again.deal().transcript() == match.deal().transcript()
    match.apply(match.hand.legal_actions()[0])
    assert chief.Match.from_json(match.to_json()).hand.state == match.hand.state


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"Zed": 500}, ["scores: there is no player called 'Zed', only Anna, Ben, Carla, Dan"]),
        ({"Anna": 10**30}, ["scores: the number for 'Anna' is beyond 1000000000000000"]),
        ({"Anna": 5, "Ben": "x"}, ["scores: 'x' for 'Ben' is not a whole number"]),
        ({"Anna": True}, ["scores: True for 'Anna' is not a whole number"]),
        ({"Anna": 5, "Ben": 1.5, "Zed": 1}, ["1.5 for 'Ben'", "no player called 'Zed'"]),
        ([5, 3], ["scores are whole numbers by player's name"]),
    ],
)
def test_all_that_is_wrong_with_scores_is_told_and_nothing_is_counted(
    chief: ModuleType, scores: Any, said: list[str]
) -> None:
    match = chief.Match(4)
    with pytest.raises(ValueError) as caught:
        match.end_hand(scores)
    assert len(caught.value.problems) == len(said)
    for problem, part in zip(caught.value.problems, said, strict=True):
        assert part in problem
    assert match.totals == dict.fromkeys(match.players, 0)
    assert (match.score_pad, match.finished, match.dealer) == ([], [], 0)


def test_nothing_is_counted_after_the_end(chief: ModuleType) -> None:
    match = chief.Match(4, totals={"Ben": 500})
    with pytest.raises(ValueError, match="the match is over"):
        match.end_hand({"Anna": 1})
    assert match.totals["Anna"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"totals": {"Anna": 10**30}}, "totals: the number for 'Anna' is beyond"),
        ({"dealer": "Anna"}, "there is no seat 'Anna' to deal from"),
        ({"dealer": 4}, "there is no seat 4 to deal from"),
        ({"hands_before": "x"}, "hands_before is a whole number"),
    ],
)
def test_a_match_begins_with_what_makes_sense(
    chief: ModuleType, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        chief.Match(4, **arguments)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hands": [{"scores": {"Zed": 1}}]}, "no player called 'Zed'"),
        ({"totals": 5}, "totals are whole numbers"),
        ({"dealer": "Zed"}, "no player called 'Zed' to deal"),
        ({"hands_before": -1}, "hands_before is a whole number"),
    ],
)
def test_a_damaged_match_is_refused(chief: ModuleType, change: dict[str, Any], said: str) -> None:
    data = json.loads(chief.Match(4).to_json()) | change
    with pytest.raises(ValueError, match=said):
        chief.Match.from_json(json.dumps(data))


@pytest.mark.parametrize("wrong", ["lay 2♣", "2♣", ["2♣"], 7, None, [None]])
def test_what_is_no_action_is_told_so(chief: ModuleType, wrong: Any) -> None:
    for act in ("apply", "why_not", "number_of", "say"):
        hand = chief.Hand(4, seed=1)
        before = list(hand.state)
        with pytest.raises(ValueError, match=r"an action is wanted, not .*hand\.parse\('lay "):
            getattr(hand, act)(wrong)
        assert hand.state == before and not hand.history
    with pytest.raises(ValueError, match="an action is wanted"):
        chief.Match(4).apply(wrong)


def test_the_action_that_the_message_names_can_be_read_and_done(chief: ModuleType) -> None:
    hand = chief.Hand(4, seed=1)
    with pytest.raises(ValueError) as caught:
        hand.apply("?")
    words = str(caught.value).partition("parse('")[2].partition("')")[0]
    assert hand.parse(words).verb == "lay"


@pytest.mark.parametrize("language", ["xx", "", None, ["en"]])
def test_a_language_that_is_not_there_is_told_with_those_that_are(
    chief: ModuleType, language: Any
) -> None:
    hand = chief.Hand(4, seed=1)
    action = hand.legal_actions()[0]
    for ask in (
        lambda: hand.view("Ben", language),
        lambda: hand.say(action, language),
        lambda: hand.why_not(action, language=language),
        lambda: hand.table.say(hand.facts(), language),
        lambda: hand.table.word("player", 0, language),
        lambda: chief.RULES.named("phase.trumps", language),
    ):
        with pytest.raises(ValueError, match=r"chief-and-vice has no words in .*; there is de, en"):
            ask()


@pytest.mark.parametrize("wrong", [7, None, "x", ["x"], (1, 2)])
def test_random_numbers_are_a_stream(chief: ModuleType, wrong: Any) -> None:
    match = chief.Match(4)
    for play in (match.hand.play_randomly, match.play_randomly):
        with pytest.raises(ValueError, match=r"such as stream\(7, 0\), not "):
            play(wrong)
    assert not match.hand.history
