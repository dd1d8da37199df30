"""Kinds of phase in small games of their own: what no game of the project does, but the language allows."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from conftest import read
from trickwright import GameFiles, Report, compile_game
from trickwright.compile import check_shape
from trickwright.memory import load_engine
from trickwright.source import read_text
from trickwright_tools.parameters import parameters

MINI = """
game: mini
title: {en: Mini}
sources: {book: {title: The book, sections: [All]}}
players: [3, 4]
cards:
  source: {book: All}
  suits: {clubs: ♣, hearts: ♥}
  ranks: [6, 7, 8, 9, 10, J]
  points: {6-10: 1, J: 5}
  COPIES
phases:
  deal: {kind: deal, source: {book: All}, cards: all}
  BEFORE
  tricks:
    kind: tricks
    source: {book: All}
    leader: dealer
    trumps: [TRUMPS]
    follow: FOLLOW
    equal_cards: EQUAL
scoring:
  source: {book: All}
  played:
    all: {source: {book: All}, who: everyone, points: card_points(player)}
match: {source: {book: All}, first_dealer: 1, deal_passes: left, MATCH, winner: highest, tied: shared}
"""
PASS = "pass: {kind: pass-cards, source: {book: All}, cards: %s, to: %s}"
DIE = "die: {kind: chance, source: {book: All}, names: lucky, of: [%s]}"


@cache
def mini(
    before: str = "",
    match: str = "until: 20",
    trumps: str = "",
    copies: str = "",
    follow: str = "must",
    equal: str = "first-played-wins",
    points: str = "{6-10: 1, J: 5}",
) -> ModuleType:
    """A small game with these phases before its tricks."""
    text = MINI.replace("BEFORE", before).replace("MATCH", match).replace("TRUMPS", trumps)
    text = text.replace("points: {6-10: 1, J: 5}", f"points: {points}")
    text = text.replace("COPIES", copies).replace("FOLLOW", follow).replace("EQUAL", equal)
    report = Report()
    node = read_text(text, "rules.yaml", report)
    assert node is not None and check_shape(node, report), [p.render() for p in report.problems]
    made = compile_game(GameFiles(Path("mini"), node, {}, {}), report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    return load_engine(made)


def sets_of(made: ModuleType, state: list[int], chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every set that the player to move may pass on, as often as there is a way to it."""
    player, found = state[made.TO_MOVE], []
    for action in range(made.CARDS):
        if made.legal(state) >> action & 1:
            after = list(state)
            made.apply(after, action)
            done = (*chosen, action)
            same = (after[made.PHASE], after[made.TO_MOVE]) == (state[made.PHASE], player)
            found += sets_of(made, after, done) if same else [done]
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_set_of_cards_can_be_passed_in_just_one_way(count: int) -> None:
    made = mini(PASS % (count, "1"))
    hand = made.Hand(3, seed=1)
    held = [card for card in range(made.CARDS) if hand.state[made.HAND + 1] >> card & 1]
    assert hand.to_move == "Ben"
    assert sets_of(made, hand.state, ()) == list(itertools.combinations(held, count))


def test_of_identical_cards_the_first_is_passed() -> None:
    made = mini(PASS % (2, "1"), copies="copies: 2")
    for number in range(20):
        hand = made.Hand(3, seed=1, number=number)
        held = [card for card in range(made.CARDS) if hand.state[made.HAND + 1] >> card & 1]
        names = made.RULES.words["en"].cards
        wanted = {tuple(names[card] for card in some) for some in itertools.combinations(held, 2)}
        found = [tuple(names[card] for card in some) for some in sets_of(made, hand.state, ())]
        assert sorted(found) == sorted(wanted), "each choice once"


@pytest.mark.parametrize(
    ("to", "seats"), [("1", 1), ("players - 1", -1), ("2", 2), ("hand_number % players", 0)]
)
def test_cards_go_so_many_seats_to_the_left(to: str, seats: int) -> None:
    made = mini(PASS % ("{3: 2, 4: 1}", to))
    for players, number in itertools.product((3, 4), range(5)):
        hand = made.Hand(players, seed=3, number=number)
        start = [hand.state[made.HAND + seat] for seat in range(players)]
        passes = 0
        while hand.phase == "pass":
            hand.play_randomly(made.stream(4, number), 1)
            passes += 1
        steps = (number + 1 if to.startswith("hand") else seats) % players
        assert passes == ({3: 2, 4: 1}[players] * players if steps else 0)
        for seat in range(players):
            given = hand.state[made.PASSED + seat]
            taken = hand.state[made.RECEIVED + (seat + steps) % players]
            assert given == taken and given & start[seat] == given
            got = hand.state[made.RECEIVED + seat]
            assert (
                hand.state[made.HAND + seat] == start[seat] & ~hand.state[made.PASSED + seat] | got
            )


def test_a_face_that_is_there_twice_comes_up_twice_as_often() -> None:
    made = mini(DIE % "clubs, clubs, rank_J")
    found = [made.Hand(3, seed=2, number=number).view("Anna")["lucky"] for number in range(600)]
    assert set(found) == {"clubs", "J"}
    assert 340 < found.count("clubs") < 460  # 400 expected, 12 a standard deviation


def test_chance_may_name_the_trumps() -> None:
    made = mini(DIE % "clubs, hearts", trumps="lucky")
    position = {"at": "tricks", "hands": {"Anna": ["J♣"], "Ben": ["6♥"], "Carla": ["7♣"]}}
    for lucky, winner in (("clubs", "Anna"), ("hearts", "Ben")):
        hand = made.Hand.from_position({**position, "lucky": lucky})
        for card in ("J♣", "6♥", "7♣"):
            hand.apply(hand.parse(card))
        assert hand.table.say(hand.facts())["trick"]["winner"] == winner


def test_two_dice_are_rolled_apart() -> None:
    two = f"{DIE % 'clubs, hearts'}\n  {(DIE % 'clubs, hearts').replace('die:', 'other:').replace('lucky', 'second')}"
    made = mini(two)
    pairs = set()
    for number in range(40):
        view = made.Hand(3, seed=5, number=number).view("Anna")
        pairs.add((view["lucky"], view["second"]))
    assert len(pairs) == 4


def test_a_match_ends_by_its_hands_or_by_a_total_whichever_comes_first() -> None:
    made = mini(match="until: 20, hands: 2 * players - 1")
    judged = made.RULES.match_winners
    assert judged([19, 0, 5], 4) == 0
    assert judged([19, 0, 5], 5) == 0b001
    assert judged([3, 20, 5], 1) == 0b010
    assert judged([3, 4, 4, 1], 6) == 0
    assert judged([3, 4, 4, 1], 7) == 0b0110
    assert made.RULES.goal == 20


def test_a_match_of_hands_counts_those_played_before() -> None:
    made = mini(match="hands: 3")
    assert made.RULES.goal is None
    match = made.Match(3, seed=1, hands_before=1)
    assert match.hand.state[made.HAND_NUMBER] == 2
    match.play_randomly(made.stream(1, 1))
    assert match.over and len(match.score_pad) == 2
    whole = made.Match(3, seed=1)
    whole.play_randomly(made.stream(1, 1))
    assert len(whole.score_pad) == 3
    assert made.Match.from_json(whole.to_json()).totals == whole.totals


@pytest.mark.parametrize("follow", ["must", "may"])
@pytest.mark.parametrize("equal", ["first-played-wins", "last-played-wins"])
def test_without_trumps_the_best_card_of_the_led_suit_wins(follow: str, equal: str) -> None:
    made = mini(copies="copies: 2", follow=follow, equal=equal)
    assert "TRUMPS" not in vars(made) and "trump_order" not in made.Hand(3).view("Anna")
    order = 1 if equal.startswith("first") else -1
    for number in range(60):
        hand = made.Hand(3, seed=6, number=number)
        while not hand.over:
            for _ in range(3):
                hand.play_randomly(made.stream(7, number), 1)
            played = [(seat, card) for phase, seat, card in hand.history[-3:]]
            led = made.SUIT_OF[played[0][1]]
            ranked = [
                (made.RANK_OF[card], -place * order, seat)
                for place, (seat, card) in enumerate(played)
                if made.SUIT_OF[card] == led
            ]
            assert hand.facts()["trick"]["winner"] == max(ranked)[2]


def test_numbers_in_a_mapping_that_is_one_of_two_forms_are_parameters_with_bounds() -> None:
    found = {one.path: one for one in parameters(read("papayoo").rules)}
    assert found["phases.pass.cards.3"].allowed == "1 to 60"
    assert found["phases.pass.cards.3"].unit == "cards"
    assert found["phases.pass.to"].allowed == "an expression"
    assert found["match.hands"].unit == "hands"


def test_cards_may_cost_points() -> None:
    """Each trick is worth what its cards are worth together, below nothing too."""
    made = mini(points="{6-10: -2, J: 5}")
    assert made.RULES.bounds["card_points"][1] == (-20, 10)
    for number in range(20):
        hand = made.Hand(4, seed=3, number=number)
        hand.play_randomly(made.stream(4, number))
        assert sum(hand.scores.values()) == 2 * 5 - 10 * 2
        for name, won in hand.view("Anna")["tricks_won"].items():
            assert won or hand.scores[name] == 0
