"""Auctions of rising bids through hands with names: words, numbers, transcripts, refusals, views; and other rules of them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import engine, read
from suites import CASE, project
from trickwright import GameFiles, Report, compile_game
from trickwright.decks import with_deck
from trickwright.memory import load_engine
from trickwright.source import read_text
from trickwright_conformance import Suite, run_suite

GAME = "chicane"
HELD = {"Anna": ["Betrayal"], "Ben": ["Sea"], "Carla": ["End"]}


@pytest.fixture(scope="module")
def nil() -> ModuleType:
    """The game with nil bids."""
    return engine(GAME, ("nil",))


def bidding(made: ModuleType, *bids: str, players: int = 3) -> Any:
    hand = made.Hand(players, seed=1)
    for bid in bids:
        hand.apply(hand.parse(bid))
    return hand


@pytest.mark.parametrize("said", ["3 top", "bid 3 top", "bids 3  TOP", " 3 Top "])
def test_a_bid_is_said_in_words(nil: ModuleType, said: str) -> None:
    hand = bidding(nil, said)
    assert hand.view("Anna")["contract"] == "3 top"
    assert str(hand.action(5)) == "bid 3 top" and hand.number_of(nil.Bid("3 top")) == 5


def test_bids_are_numbered_from_the_lowest_up(nil: ModuleType) -> None:
    hand = nil.Hand(2)
    said = [str(action) for action in hand.legal_actions()]
    assert said[:3] == ["bid 1 bottom", "bid 1 top", "bid 2 bottom"]
    assert said[-3:] == ["bid 18 top", "bid nil bottom", "bid nil top"]
    assert [hand.number_of(action) for action in hand.legal_actions()] == list(range(38))


@pytest.mark.parametrize("said", ["3", "top", "0 top", "19 top", "3 side", "nil", "top 3"])
def test_what_is_no_bid_is_refused_with_its_words(nil: ModuleType, said: str) -> None:
    with pytest.raises(ValueError, match=f"there is no (bid|card) called '{said}'"):
        nil.Hand(3).parse(said)


def test_a_refusal_tells_the_clause_and_changes_nothing(nil: ModuleType) -> None:
    hand = bidding(nil, "4 top")
    before = list(hand.state)
    with pytest.raises(ValueError, match=r"Carla may not bid 4 bottom: a bid must be higher"):
        hand.apply(nil.Bid("4 bottom"))
    assert hand.why_not(nil.Bid("13 bottom")).clause == "auction.most"
    assert hand.why_not(nil.Play("Betrayal")).clause == "turn.not-now"
    assert hand.why_not(nil.Pass()) is None
    assert hand.state == before


def test_bids_are_saved_undone_and_given_as_a_position(nil: ModuleType) -> None:
    hand = bidding(nil, "2 bottom", "4 top", "nil bottom", "pass")
    again = nil.Hand.from_json(hand.to_json())
    assert again.state == hand.state and again.history == hand.history
    given = {"players": 3, "at": "auction", "to_move": "Carla", "out_of_auction": ["Ben"],
             "bids": {"Ben": "2 bottom", "Carla": "4 top", "Anna": "nil bottom"}}  # fmt: skip
    position = nil.Hand.from_position(given)
    for key in ("bids", "bidder", "contract", "out_of_auction", "to_move"):
        assert position.view("Anna")[key] == hand.view("Anna")[key]
    assert position.legal_actions() == hand.legal_actions()
    hand.undo(2)
    assert hand.view("Anna")["contract"] == "4 top"


def test_a_view_says_nothing_where_there_is_no_bid(nil: ModuleType) -> None:
    seen = bidding(nil, "2 bottom").view("Anna")
    assert seen["bids"] == {"Anna": None, "Ben": "2 bottom", "Carla": None}
    assert nil.Hand(3).view("Anna")["contract"] is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"at": "tricks", "hands": HELD},
            "must say who is 'bidder'; .* must say what is 'contract'",
        ),
        ({"bids": {"Ben": "2 left"}}, "bids: there is no bid called '2 left'"),
        ({"contract": 3}, "contract: there is no bid called '3'"),
        ({"bids": "2 top"}, "'bids' goes by player"),
    ],
)
def test_positions_with_bids_that_are_none_are_refused(
    nil: ModuleType, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        nil.Hand.from_position({"players": 3, "at": "auction", **change})


@pytest.mark.parametrize("said", ["Betrayal", "8§⌘", "8YK", "8yk", "play betrayal"])
def test_a_card_with_a_name_can_be_called_by_its_face(nil: ModuleType, said: str) -> None:
    given = {"players": 2, "at": "tricks", "bidder": "Anna", "contract": "1 top"}
    hand = nil.Hand.from_position({**given, "hands": {"Anna": ["Betrayal"], "Ben": ["Sea"]}})
    assert hand.parse(said) == nil.Play("Betrayal")


@pytest.mark.parametrize(("contract", "suit"), [("1 top", "wyrms"), ("nil bottom", "knots")])
def test_a_view_names_the_suit_that_counts(nil: ModuleType, contract: str, suit: str) -> None:
    hands = {"Anna": ["Betrayal"], "Ben": ["Sea"]}
    given = {"players": 2, "at": "tricks", "bidder": "Anna", "contract": contract, "hands": hands}
    suits = nil.Hand.from_position(given).view("Ben")["suits"]
    assert [name for name, cards in suits.items() if "Betrayal" in cards] == [suit]
    assert sum(map(len, suits.values())) == 36


def free() -> ModuleType:
    """The game in which nobody must bid: a hand that nobody bids scores nothing."""
    files = read(GAME)
    text = (files.folder / "rules.yaml").read_text(encoding="utf-8")
    text = text.replace("first_must_bid: true", "first_must_bid: false")
    text = text.replace("  played:\n", "  nobody-bid: {}\n  played:\n", 1)
    report = Report()
    root = read_text(text, "free/rules.yaml", report)
    assert root is not None
    rules = with_deck(root, files.folder, report)
    assert rules is not None
    made = compile_game(GameFiles(files.folder, rules, {}, {}), report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    return load_engine(made)


def test_a_hand_that_nobody_bids_is_over() -> None:
    made = free()
    hand = bidding(made, "pass", "pass")
    assert hand.to_move == "Anna", "the last one, too, is asked as long as there is no bid"
    other = hand.clone()
    hand.apply(made.Pass())
    assert hand.over and hand.outcome == "nobody-bid" and set(hand.scores.values()) == {0}
    other.apply(made.Bid("1 bottom"))
    assert other.phase == "tricks" and other.to_move == "Anna"


def test_with_numbers_that_end_early_the_bids_do_so_too() -> None:
    made = engine(GAME, (), ("phases.auction.lowest=2", "phases.auction.highest=3"))
    said = [str(action) for action in made.Hand(4).legal_actions()]
    assert said == ["bid 2 bottom", "bid 2 top", "bid 3 bottom", "bid 3 top"]
    made = engine(GAME, (), ("phases.auction.sides=[top]", "phases.auction.highest=2"))
    hand = bidding(made, "1 top", "2 top")
    assert [str(action) for action in hand.legal_actions()] == ["pass"]


@pytest.mark.parametrize(("contract", "winner"), [("1 top", "Ben"), ("1 bottom", "Anna")])
def test_a_suit_of_trumps_is_that_of_the_side_that_counts(contract: str, winner: str) -> None:
    tricks = (
        "phases.tricks={kind: tricks, source: {en: Game play}, leader: bidder, suit_of_card: side,"
        " trumps: [wyrms], follow: must, equal_cards: first-played-wins}"
    )
    made = engine(GAME, (), (tricks,))
    given = {"players": 2, "at": "tricks", "bidder": "Anna", "contract": contract}
    hand = made.Hand.from_position({**given, "hands": {"Anna": ["CM"], "Ben": ["Betrayal"]}})
    order = hand.view("Anna")["trump_order"]
    assert (["Betrayal"] in order) == (winner == "Ben") and ["Calamity"] in order
    for card in ("CM", "Betrayal"):
        hand.apply(hand.parse(card))
    assert hand.view("Anna")["trick"]["winner"] == winner


HEAD = f"suite: {GAME}\nbase: {{players: [Anna, Ben, Carla]}}\ncases:\n"


def suite_of(case: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """A suite of the game that has just this case."""
    project(folder, monkeypatch, HEAD + case, GAME)
    return Suite.load(read(GAME))


MISSAID = {
    "given.contract": "{contract: 3 up, at: tricks}, expect: {phase: x}",
    "given.bids.Anna": "{bids: {Anna: 3}, at: auction}, expect: {phase: auction}",
    "play[0].Ben": "{at: auction}, play: [{Ben: 10 tops}], expect: {phase: auction}",
    "play[0].Ben.may[1]": "{at: auction}, play: [{Ben: {may: [1 top, nil top]}}], expect: {phase: auction}",
    "play[0].Ben.plays": "{at: auction}, play: [{Ben: {plays: 3 top}}], expect: {phase: auction}",
    "given.hands.Anna[0]": "{at: auction, hands: {Anna: [Betrayel]}}, expect: {phase: auction}",
    "expect.suits.moonz": "{at: tricks, bidder: Anna, contract: 1 top}, expect: {suits: {moonz: [AM]}}",
    "expect.contract": "{at: auction}, expect: {contract: nobody}",
}


@pytest.mark.parametrize("path", MISSAID)
def test_cases_may_say_only_bids_and_cards_that_there_are(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_of(f"{CASE}, given: {MISSAID[path]}}}\n", tmp_path, monkeypatch)
    assert f"cases[0].{path}" in {problem.path for problem in suite.report.problems}


@pytest.mark.parametrize("card", ["Betrayal", "8§⌘", "8YK"])
def test_cases_may_name_a_card_by_name_face_or_code_and_say_that_there_is_no_bid(
    card: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = f"{{at: auction, hands: {{Anna: [{card}]}}, bids: {{Anna: null}}}}"
    play = (
        "play: [{Ben: {may_not: [pass], bids: 2 top}}, {Carla: {may_not: [2 bottom], does: pass}}]"
    )
    expect = f"{{hands: {{Anna: [{card}]}}, contract: 2 top, bids: {{Anna: null, Ben: 2 top}}}}"
    text = f"{CASE}, given: {given}, {play}, expect: {expect}}}\n"
    suite = suite_of(text, tmp_path, monkeypatch)
    assert suite.report.problems == []
    assert [result.passed for result in run_suite(suite)] == [True]
