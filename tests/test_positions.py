"""Positions given from outside: what the rules exclude is refused, whichever way it comes in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import engine
from test_kinds import DIE, mini

THREE = {"Anna": ["8♦"], "Ben": ["7♦"], "Carla": ["7♣"]}
DICE = {"players": 3, "at": "tricks", "hands": THREE}
BIDS: dict[str, Any] = {"players": 4, "at": "auction"}
NAMES = ["Anna", "Ben", "Carla", "Dan", "Eva", "Finn", "Greta", "Hugo"]
ROLES: dict[str, Any] = {"at": "partner", "players": 4, "chief": "Dan", "vice": "Anna"}


def seven(card: str) -> dict[str, Any]:
    """A position of seven players, the first of whom holds a card."""
    held = [card, "2♠", "3♠", "4♠", "5♠", "6♠", "7♠"]
    hands = {name: [own] for name, own in zip(NAMES, held, strict=False)}
    return {"players": NAMES[:7], "at": "tricks", "hands": hands}


@pytest.mark.parametrize(
    ("game", "variants", "position", "said"),
    [
        (
            "papayoo",
            (),
            DICE | {"papayoo_suit": "Payoo"},
            "papayoo_suit: it cannot be Payoo, only spades, hearts, clubs, diamonds",
        ),
        (
            "papayoo",
            ("shifting-pass",),
            DICE | {"papayoo_suit": "7", "at": "pass"},
            "papayoo_suit: it cannot be 7, only spades, hearts, clubs, diamonds",
        ),
        ("papayoo", (), seven("1♣"), "hands: with 7 players 1♣ is not in the deck"),
        (
            "papayoo",
            (),
            seven("9♠") | {"cards_won": {"Ben": ["1♠"]}},
            "cards_won: with 7 players 1♠ is not in the deck",
        ),
        (
            "chicane",
            (),
            BIDS | {"bids": {"Ben": "10 bottom"}},
            "bids: it cannot be 10 bottom, only 1 bottom, 1 top, ..., 9 top",
        ),
        (
            "chicane",
            ("nil",),
            BIDS | {"contract": "18 top", "bidder": "Ben"},
            "contract: it cannot be 18 top, only 1 bottom, 1 top, ..., nil top",
        ),
        (
            "chief-and-vice",
            (),
            ROLES | {"trumps": {"vice": "no trumps"}},
            "trumps.vice: it cannot be no trumps, only clubs, .*, A(ces)?$",
        ),
        (
            "chief-and-vice",
            (),
            ROLES | {"trumps": {"vice": "hearts", "chief": "hearts"}},
            "trumps.chief: it cannot be hearts, as 'trumps.vice' is",
        ),
        ("chief-and-vice", (), ROLES | {"vice": "Dan"}, "vice: it cannot be Dan, as 'chief' is"),
        (
            "chief-and-vice",
            (),
            ROLES | {"partner": "Anna", "at": "tricks"},
            "partner: it cannot be Anna, as 'vice' is",
        ),
    ],
)
def test_what_the_rules_exclude_is_refused(
    game: str, variants: tuple[str, ...], position: dict[str, Any], said: str
) -> None:
    made = engine(game, variants)
    said = said.replace("...,", r"\.\.\.,")
    with pytest.raises(ValueError, match=said):
        made.Hand.from_position(position)
    start = made.Hand(position["players"]).transcript()
    told = {**start, "position": position, "actions": []}
    with pytest.raises(ValueError, match=said):
        made.Hand.from_json(json.dumps(told))


@pytest.mark.parametrize("suit", ["spades", "hearts", "clubs", "diamonds"])
def test_what_the_die_can_show_may_be_given(suit: str) -> None:
    hand = engine("papayoo").Hand.from_position(DICE | {"papayoo_suit": suit})
    assert hand.view("Anna")["papayoo_suit"] == suit


@pytest.mark.parametrize(("bid", "players"), [("9 top", 4), ("12 top", 3), ("18 top", 2)])
def test_the_highest_bid_may_be_given(bid: str, players: int) -> None:
    made = engine("chicane")
    hand = made.Hand.from_position({"players": players, "at": "auction", "bids": {"Ben": bid}})
    assert hand.view("Anna")["contract"] == bid


def test_a_card_that_is_out_for_others_may_be_given() -> None:
    position = {"players": 3, "at": "tricks", "hands": {**THREE, "Anna": ["1♦"]}}
    assert engine("papayoo").Hand.from_position(position).view("Anna")["hands"]["Anna"] == ["1♦"]


def test_two_namers_may_both_name_nothing() -> None:
    hand = engine("chief-and-vice").Hand.from_position(ROLES | {"vice": "nobody", "trumps": {}})
    assert hand.view("Anna")["trumps"] == {"chief": None, "vice": None}


def test_every_die_tells_what_it_can_show() -> None:
    second = DIE.replace("die:", "draw:").replace("lucky", "bad") % "rank_6, rank_6, hearts"
    made = mini(f"{DIE % 'clubs, hearts'}\n  {second}")
    for seed in range(3):
        shown = made.Hand(3, seed=seed).view("Anna")["can_show"]
        assert shown == {"lucky": ["clubs", "hearts"], "bad": ["6", "6", "hearts"]}
    with pytest.raises(ValueError, match="bad: it cannot be clubs, only hearts, 6"):
        made.Hand.from_position({"players": 3, "at": "tricks", "bad": "clubs"})
