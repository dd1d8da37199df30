"""Options of the language that Chief and Vice leaves as they are: each is tried on its rules, with other values."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from conftest import compiled, engine, read
from trickwright import Report, compile_game

GAME = "chief-and-vice"
PLAYERS = ["Anna", "Ben", "Carla", "Dan"]
MUST_RAISE = ("phases.auction.must_raise=true",)
IS_OUT = ("phases.auction.after_pass=is-out",)


def made(*sets: str) -> ModuleType:
    return engine(GAME, (), sets)


def auction(module: ModuleType, hands: dict[str, list[str]], **given: Any) -> Any:
    position = {"players": PLAYERS, "at": "auction", "hands": hands, **given}
    return module.Hand.from_position(position)


def bids(hand: Any) -> dict[str, int]:
    found: dict[str, int] = hand.facts()["bids"]
    return found


HANDS = {
    "Anna": ["2♣", "3♣", "4♣"],
    "Ben": ["2♦", "3♦", "4♦"],
    "Carla": ["2♥", "3♥", "4♥"],
    "Dan": ["2♠", "3♠", "4♠"],
}


def test_a_bid_that_must_raise_is_open_only_with_cards_enough() -> None:
    hand = auction(made(*MUST_RAISE), HANDS)
    hand.apply(hand.turn(["2♣"]))
    assert {str(action) for action in hand.legal_actions()} == {"lay 2♦", "lay 3♦", "pass"}
    refusal = hand.why_not(hand.parse("4♦"))
    assert refusal.clause == "auction.raise", "one card is not enough, and none is above it"
    hand.apply(hand.parse("2♦"))
    assert {str(action) for action in hand.legal_actions()} == {"lay 3♦", "lay 4♦"}
    assert hand.why_not(hand.parse("pass")).clause == "auction.raise"
    hand.apply(hand.parse("4♦"))
    assert [str(action) for action in hand.legal_actions()] == ["pass"]
    hand.apply(hand.parse("pass"))
    assert bids(hand) == {"Anna": 1, "Ben": 2, "Carla": 0, "Dan": 0}


def test_with_too_few_cards_to_raise_one_can_only_pass() -> None:
    hand = auction(made(*MUST_RAISE), {**HANDS, "Ben": ["2♦"]})
    hand.apply(hand.turn(["2♣"]))
    assert [str(action) for action in hand.legal_actions()] == ["pass"]


def test_with_a_higher_limit_a_bid_may_pass_the_highest_by_more() -> None:
    hand = auction(made("phases.auction.raise_limit=2"), HANDS)
    hand.apply(hand.turn(["2♣", "3♣"]))
    refusal = hand.why_not(hand.parse("pass"))
    assert refusal is None and bids(hand)["Anna"] == 2


def test_a_pass_that_is_final_puts_a_player_out() -> None:
    hand = auction(made(*IS_OUT), HANDS)
    hand.apply(hand.turn(["pass"]))
    hand.apply(hand.turn(["2♦"]))
    hand.apply(hand.turn(["2♥"]))
    hand.apply(hand.turn(["pass"]))
    assert hand.to_move == "Ben", "Anna is out"
    hand.apply(hand.turn(["pass"]))
    assert (hand.phase, hand.to_move) == ("auction", "Carla"), "tied, the last one in is asked"
    hand.apply(hand.turn(["3♥"]))
    assert hand.phase == "trumps" and hand.table.say(hand.facts())["chief"] == "Carla"


def test_the_last_one_in_may_let_a_tie_stand() -> None:
    hand = auction(made(*IS_OUT), HANDS)
    for turn in (["2♣"], ["2♦"], ["pass"], ["pass"], ["pass"], ["pass"]):
        hand.apply(hand.turn(turn))
    assert hand.outcome == "stalemate"


def test_the_auction_ends_when_the_last_one_in_is_alone_ahead() -> None:
    hand = auction(made(*IS_OUT), HANDS)
    for turn in (["2♣"], ["pass"], ["pass"], ["pass"]):
        assert hand.phase == "auction"
        hand.apply(hand.turn(turn))
    assert hand.phase == "trumps"


def test_one_who_could_still_pass_the_leader_is_asked() -> None:
    hand = auction(made(*IS_OUT), HANDS)
    for turn in (["2♣"], ["2♦", "3♦"], ["2♥"], ["pass"], ["pass"], ["pass"]):
        hand.apply(hand.turn(turn))
    assert (hand.phase, hand.to_move) == ("auction", "Carla")


def test_all_may_pass_finally() -> None:
    hand = auction(made(*IS_OUT), HANDS)
    for _ in PLAYERS:
        hand.apply(hand.turn(["pass"]))
    assert hand.outcome == "nobody-bid"


def test_an_auction_resumed_knows_who_laid_last() -> None:
    hand = auction(
        made(), HANDS, laid_out={"Ben": ["2♦"], "Dan": ["2♠"]}, laid_order=["Dan", "Ben"]
    )
    hand.apply(hand.turn(["2♣"]))
    assert hand.table.say(hand.facts())["laid_order"] == ["Dan", "Ben", "Anna"]


TRICK = {
    "players": PLAYERS,
    "at": "tricks",
    "chief": "Dan",
    "partner": "Carla",
    "bids": {"Dan": 1},
    "trumps": {"chief": "Kings"},
    "hands": {
        "Anna": ["K♣", "2♦"],
        "Ben": ["3♠", "2♥"],
        "Carla": ["K♠", "5♦"],
        "Dan": ["K♦", "4♠"],
    },
}


@pytest.mark.parametrize(("which", "winner"), [("first", "Dan"), ("last", "Carla")])
def test_which_of_equal_cards_wins(which: str, winner: str) -> None:
    hand = made(f"phases.tricks.equal_cards={which}-played-wins").Hand.from_position(TRICK)
    for card in ("K♦", "K♣", "3♠", "K♠"):
        hand.apply(hand.parse(card))
    facts = hand.table.say(hand.facts())
    assert facts["trick"]["winner"] == winner
    assert facts["tricks_won"][winner] == 1


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_key_that_the_rules_may_leave_out_can_be_set(which: str) -> None:
    files = read("papayoo")
    sets = ["phases.tricks.trumps=[rank_7]", f"phases.tricks.equal_cards={which}-played-wins"]
    report = Report()
    compiled = compile_game(files, (), sets, report)
    assert compiled is not None
    assert not report.problems


def test_where_one_need_not_follow_any_card_may_be_played() -> None:
    hand = made("phases.tricks.follow=may").Hand.from_position(TRICK)
    hand.apply(hand.parse("4♠"))
    hand.apply(hand.parse("2♦"))
    assert {action.what for action in hand.legal_actions()} == {"3♠", "2♥"}
    assert hand.why_not(hand.parse("2♥")) is None


@pytest.mark.parametrize(
    ("sets", "totals", "winners"),
    [
        (("match.winner=lowest",), [200, 150, 10, 20], ["Carla"]),
        (("match.tied=shared",), [200, 200, 10, 20], ["Anna", "Ben"]),
        (("match.winner=lowest", "match.tied=shared"), [210, 5, 5, 20], ["Ben", "Carla"]),
        ((), [200, 200, 10, 20], []),
    ],
)
def test_who_wins_a_match(sets: tuple[str, ...], totals: list[int], winners: list[str]) -> None:
    match = made(*sets).Match(tuple(PLAYERS), totals=dict(zip(PLAYERS, totals, strict=True)))
    assert match.winners == winners


@pytest.mark.parametrize(
    ("passes", "dealers"),
    [("left", [0, 1, 2, 3, 0]), ("right", [0, 3, 2, 1, 0]), ("stays", [0, 0, 0, 0, 0])],
)
def test_where_the_deal_goes(passes: str, dealers: list[int]) -> None:
    match = made(f"match.deal_passes={passes}").Match(tuple(PLAYERS))
    found = []
    for _ in dealers:
        found.append(match.dealer)
        match.end_hand({})
    assert found == dealers


def test_the_first_dealer_may_sit_anywhere_that_every_table_has() -> None:
    assert made("match.first_dealer=4").Match(6).dealer == 3
    report = Report()
    assert compile_game(read(GAME), (), ("match.first_dealer=5",), report) is None
    assert [problem.code for problem in report.problems] == ["bad-players"]


def test_with_nobody_second_in_a_tie_there_is_no_vice() -> None:
    position = {"players": PLAYERS, "at": "roles", "bids": {"Anna": 2, "Ben": 1, "Carla": 1}}
    position["laid_out"] = {"Anna": ["A♣", "K♣"], "Ben": ["A♦"], "Carla": ["2♦"]}
    hand = made("phases.roles.second.tied=nobody").Hand.from_position(position)
    assert hand.table.say(hand.facts())["vice"] == "nobody"
    hand = made().Hand.from_position(position)
    assert hand.table.say(hand.facts())["vice"] == "Ben"


def test_a_deal_of_fewer_cards_leaves_the_rest_aside() -> None:
    module = made("phases.deal.cards=5")
    hand = module.Hand(4, seed=2)
    sizes = {cards.bit_count() for cards in hand.facts()["hands"].values()}
    assert sizes == {5}
    hand.play_randomly(module.stream(1, 1))
    assert hand.over


def test_what_a_bid_pays_is_as_the_numbers_say() -> None:
    numbers = ("scoring.numbers.bonus_per_card=7", "scoring.numbers.bonus_cap=20")
    position = {**TRICK, "hands": {"Anna": ["A♣"], "Ben": ["A♦"], "Carla": ["A♥"], "Dan": ["A♠"]}}
    position["card_points"] = {"Dan": 30}
    hand = made(*numbers).Hand.from_position(position)
    for card in ("A♠", "A♣", "A♦", "A♥"):
        hand.apply(hand.parse(card))
    assert hand.scores["Dan"] == 50  # 30 + min(20, 7 × (1 + 2))
    assert hand.scores["Carla"] == 20


def test_every_single_option_shows_in_the_code() -> None:
    base = compiled(GAME).engine
    for sets in (MUST_RAISE, IS_OUT, ("phases.tricks.follow=may",), ("match.tied=shared",)):
        assert compiled(GAME, (), sets).engine != base
