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
  deal: {kind: deal, source: {book: All}, cards: 4}
  choose:
    kind: choose-meld
    source: {book: All}
    melds:
      one: {cards: 1, score: points(meld) + size(others)}
      two: {cards: 2, score: round * points(meld)}
  steal: {kind: steal, source: {book: All}, by: one, first: FIRST, from: others, last_round: true}
  refill: {kind: refill, source: {book: All}, up_to: 4, melds: reshuffled, last_round: true}
  tricks:
    kind: tricks
    source: {book: All}
    leader: dealer
    trumps: []
    follow: may
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
    return made_from(MINI.replace("FIRST", first))


def made_from(text: str) -> ModuleType:
    """The engine of some rules."""
    report = Report()
    node = read_text(text, "rules.yaml", report)
    assert node is not None and check_shape(node, report), [p.render() for p in report.problems]
    made = compile_game(GameFiles(Path("mini"), node, {}, {}), report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    return load_engine(made)


def problems_of(text: str) -> list[str]:
    """What is wrong with some rules."""
    report = Report()
    node = read_text(text, "rules.yaml", report)
    assert node is not None and check_shape(node, report)
    assert compile_game(GameFiles(Path("mini"), node, {}, {}), report=report) is None
    return [problem.text for problem in report.problems]


def test_what_follows_the_last_round_is_played_once() -> None:
    made = mini()
    for number in range(30):
        hand = made.Hand(3, seed=1, number=number)
        random = made.stream(2, number)
        phases: list[str] = []
        while not hand.over:
            if phases[-1:] != [hand.phase]:
                phases.append(hand.phase)
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
    said = problems_of(MINI.replace("FIRST", "lowest").replace("to: steal", "to: tricks"))
    assert said == ["a phase of a round ends the hand, so there is but one round"]


STEAL = "  steal: {kind: steal, source: {book: All}, by: one, first: FIRST, from: others, last_round: true}\n"
REFILL = (
    "  refill: {kind: refill, source: {book: All}, up_to: 4, melds: reshuffled, last_round: true}\n"
)
WITHOUT_STEAL = MINI.replace(STEAL, "").replace("to: steal", "to: choose")
TIMES_1 = WITHOUT_STEAL.replace("times: 2", "times: 1")
IN_ROUNDS = WITHOUT_STEAL.replace("to: choose", "to: refill")


@pytest.mark.parametrize(
    ("rules", "culprit"),
    [
        (MINI.replace("FIRST", "lowest").replace(REFILL, ""), "steal"),
        (MINI.replace("FIRST", "lowest").replace("up_to: 4", "up_to: 3"), "steal"),
        (TIMES_1.replace(REFILL, ""), "choose"),
        (TIMES_1.replace("up_to: 4", "up_to: 3"), "choose"),
        (IN_ROUNDS.replace("last_round: true", "last_round: false"), "choose"),
    ],
    ids=["stolen", "stolen-and-not-full", "sizes", "not-full", "not-in-the-last-round"],
)
def test_tricks_need_equal_hands(rules: str, culprit: str) -> None:
    said = problems_of(rules)
    assert said == [f"after '{culprit}' not all players have as many cards as the others"]


@pytest.mark.parametrize(
    "rules",
    [
        WITHOUT_STEAL.replace(REFILL, ""),
        TIMES_1,
        TIMES_1.replace(REFILL, "").replace("cards: 1", "cards: 2"),
        IN_ROUNDS,
        MINI.replace("FIRST", "lowest"),
    ],
    ids=["all-melds-made", "filled", "one-size", "filled-in-the-last-round", "stolen-and-filled"],
)
def test_tricks_after_melds_are_played_to_the_end(rules: str) -> None:
    made = made_from(rules)
    for number in range(40):
        hand = made.Hand(3, seed=3, number=number)
        hand.play_randomly(made.stream(4, number))
        assert hand.over and not any(hand.state[made.HAND : made.HAND + 3])


TURNED_UP = WITHOUT_STEAL.replace(
    "phases:\n  deal: {kind: deal, source: {book: All}, cards: 4}\n",
    "phases:\n  deal: {kind: deal, source: {book: All}, cards: 4}\n"
    "  turn-up: {kind: chance, source: {book: All}, names: turned, of: [clubs, hearts, spades]}\n",
).replace("from: choose", "from: turn-up")


def test_chance_in_a_round_falls_again_in_each_round() -> None:
    made = made_from(TURNED_UP)
    seen = set()
    for number in range(60):
        hand = made.Hand(3, seed=5, number=number)
        random, turned = made.stream(6, number), {}
        while not hand.over:
            turned.setdefault(hand.state[made.ROUND], hand.facts()["turned"])
            assert turned[hand.state[made.ROUND]] == hand.facts()["turned"], "but not within one"
            hand.play_randomly(random, 1)
        seen.add((turned[1], turned[2]))
    assert len(seen) == 9, "each of three in the first round with each of three in the second"


def test_chance_before_the_rounds_falls_once() -> None:
    made = made_from(TURNED_UP.replace("from: turn-up", "from: choose"))
    for number in range(20):
        hand = made.Hand(3, seed=5, number=number)
        before = hand.facts()["turned"]
        hand.play_randomly(made.stream(6, number))
        assert hand.facts()["turned"] == before


def test_a_given_result_of_chance_is_that_of_its_own_round() -> None:
    made = made_from(TURNED_UP)
    after = set()
    for word in range(30):
        hand = made.Hand.from_position({**position(made, 1), "at": "turn-up", "turned": "hearts"})
        hand.state[made.CHANCE_SEED] = word
        assert hand.table.say(hand.facts())["turned"] == "hearts"
        while hand.state[made.ROUND] == 1:
            hand.play_randomly(made.stream(7, word), 1)
        after.add(int(hand.facts()["turned"]))
    assert after == {0, 1, 2}


AUCTION_EACH_ROUND = (
    WITHOUT_STEAL.replace(
        "phases:\n  deal: {kind: deal, source: {book: All}, cards: 4}\n",
        "phases:\n  deal: {kind: deal, source: {book: All}, cards: 4}\n"
        "  bid: {kind: show-auction, source: {book: All}, opens: dealer, raise_limit: 2,"
        " must_raise: false, after_pass: may-return}\n"
        "  roles: {kind: rank-bidders, source: {book: All},"
        " first: {role: chief, tied: first-to-reach}}\n",
    )
    .replace("from: choose", "from: bid")
    .replace("  played:\n", "  nobody-bid: {}\n  played:\n")
)


def test_an_auction_in_a_round_begins_afresh_in_each_round() -> None:
    made = made_from(AUCTION_EACH_ROUND)
    begun = played = 0
    for number in range(60):
        hand = made.Hand(3, seed=8, number=number)
        random, last = made.stream(9, number), 1
        while not hand.over:
            if hand.state[made.ROUND] != last:
                last, facts = hand.state[made.ROUND], hand.table.say(hand.facts())
                assert hand.phase == "bid" and facts["chief"] == "nobody"
                assert set(facts["bids"].values()) == {0} and not any(facts["laid_out"].values())
                begun += 1
            hand.play_randomly(random, 1)
        played += hand.outcome == "played"
    assert begun > 20 and played > 10


@pytest.mark.parametrize(("single", "left", "missing"), [("[3]", 14, 1), ("[]", 28, 2)])
def test_cards_taken_out_are_told_apart_from_a_second_pack(
    single: str, left: int, missing: int
) -> None:
    listed = "[5♣]" if single == "[3]" else "[5♣, 5♣]"
    packs = f"  copies: 2\n  single_pack: {single}\n  without: {{3: {listed}}}\n"
    rules = MINI.replace("FIRST", "lowest").replace("phases:\n", packs + "phases:\n", 1)
    rules = rules.replace("follow: may\n", "follow: may\n    equal_cards: first-played-wins\n")
    deck = made_from(rules).Hand(3).view("Anna")["deck"]
    assert (deck["cards"], deck["missing"]) == (left, ["5♣"] * missing)


@pytest.mark.parametrize(
    ("first", "last", "wrong"),
    [
        ("choose", "steal", False),
        ("choose", "refill", False),
        ("steal", "steal", False),  # the melds lie there in every round
        ("steal", "refill", True),
        ("refill", "refill", True),
    ],
)
def test_a_round_brings_again_what_it_clears_away(first: str, last: str, wrong: bool) -> None:
    rules = MINI.replace("FIRST", "lowest").replace(
        "from: choose, to: steal", f"from: {first}, to: {last}"
    )
    if not wrong:
        made_from(rules)
        return
    assert problems_of(rules) == [
        f"'refill' clears away what 'choose' has brought, and a round from '{first}' on does not bring it again"
    ]
    made_from(rules.replace("times: 2", "times: 1"))
