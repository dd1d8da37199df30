"""Rounds, melds and stealing in a small game of its own: what Indian Chief does not do, but the language allows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from trickwright import GameFiles, Report, compile_game
from trickwright.compile import check_shape
from trickwright.memory import load_engine
from trickwright.source import read_text

MINI = """
game: mini
title: {en: Mini}
sources: {book: {title: The book, sections: [All]}}
players: [3]
cards:
  source: {book: All}
  suits: {clubs: ♣, hearts: ♥, spades: ♠}
  ranks: [5, 6, 7, 8, 9]
  points: {5-9: face}
phases:
  deal: {kind: deal, source: {book: All}, cards: all}
  choose:
    kind: choose-meld
    source: {book: All}
    melds:
      one: {cards: 1, score: points(meld) + size(others)}
      two: {cards: 2, score: round * points(meld)}
  steal: {kind: steal, source: {book: All}, by: one, first: FIRST, from: others, last_round: true}
  tricks:
    kind: tricks
    source: {book: All}
    leader: dealer
    trumps: []
    follow: may
    equal_cards: first-played-wins
rounds: {source: {book: All}, from: choose, to: steal, times: 2}
scoring:
  source: {book: All}
  played:
    melds: {source: {book: All}, who: everyone, points: earned(player)}
    cards: {source: {book: All}, who: everyone, points: 100 * size(cards_won(player))}
match: {source: {book: All}, first_dealer: 1, deal_passes: left, hands: 1, winner: highest, tied: shared}
"""


@cache
def mini(first: str = "lowest") -> ModuleType:
    """The small game."""
    report = Report()
    node = read_text(MINI.replace("FIRST", first), "rules.yaml", report)
    assert node is not None and check_shape(node, report), [p.render() for p in report.problems]
    made = compile_game(GameFiles(Path("mini"), node, {}, {}), report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    return load_engine(made)


def test_what_follows_the_last_round_is_played_once() -> None:
    made = mini()
    for number in range(30):
        hand = made.Hand(3, seed=1, number=number)
        random = made.stream(2, number)
        phases: list[str] = []
        while not hand.over:
            if phases[-1:] != [hand.phase]:
                phases.append(hand.phase)
            if hand.phase == "steal":  # so that all hands have as many cards for the tricks
                hand.apply(hand.parse("decline"))
            else:
                hand.play_randomly(random, 1)
        assert phases[0] == "choose" and phases[-1] == "tricks" and phases.count("tricks") == 1
        assert hand.state[made.ROUND] == 2
        assert all(hand.state[made.MADE + seat] == 0b11 for seat in range(3))


def position(made: ModuleType, round_number: int) -> dict[str, object]:
    return {
        "players": ["Anna", "Ben", "Carla"],
        "at": "choose",
        "round": round_number,
        "hands": {
            "Anna": ["5♣", "6♣", "7♣", "8♣"],
            "Ben": ["5♥", "6♥", "7♥", "8♥"],
            "Carla": ["5♠", "6♠", "7♠", "8♠"],
        },
    }


@pytest.mark.parametrize("round_number", [1, 2])
def test_a_score_may_depend_on_the_round(round_number: int) -> None:
    made = mini()
    hand = made.Hand.from_position(position(made, round_number))
    for meld in (["two", "5♣", "6♣"], ["two", "7♥", "8♥"], ["one", "5♠"]):
        hand.apply(hand.turn(meld))
    points = hand.table.say(hand.facts())["round_points"]
    assert points == {"Anna": 11 * round_number, "Ben": 15 * round_number, "Carla": 5 + 4}


@pytest.mark.parametrize(
    ("first", "order"), [("lowest", "Anna Carla Ben"), ("highest", "Ben Carla Anna")]
)
def test_thieves_go_by_rank_from_either_end(first: str, order: str) -> None:
    made = mini(first)
    hand = made.Hand.from_position(position(made, 2))
    for meld in (["one", "5♣"], ["one", "8♥"], ["one", "6♠"]):
        hand.apply(hand.turn(meld))
    seen = []
    while hand.phase == "steal":
        seen.append(hand.to_move)
        hand.apply(hand.parse("decline"))
    assert seen == order.split(), "also in the last round, where the rules allow it"
    assert hand.phase == "tricks"


def test_a_trick_cannot_end_a_round() -> None:
    report = Report()
    text = MINI.replace("FIRST", "lowest").replace("to: steal", "to: tricks")
    node = read_text(text, "rules.yaml", report)
    assert node is not None and check_shape(node, report)
    assert compile_game(GameFiles(Path("mini"), node, {}, {}), report=report) is None
    said = [problem.text for problem in report.problems]
    assert said == ["a phase of a round ends the hand, so there is but one round"]
