"""At the table: bids whose names begin with a number, which is not a place in a list."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from conftest import engine
from trickwright_tools.cli import main
from trickwright_tools.terminal.asking import Asker, NotUnderstood
from trickwright_tools.terminal.voice import Voice


def answered(*typed: str, options: tuple[str, ...] = ("--players", "2")) -> list[str]:
    """What is said to each answer of the first turn, after a bid of 6 bottom (with two players)."""
    call = ["play", "chicane", "--seed", "1", "--hands", "1", *options]
    result = CliRunner().invoke(main, call, input="".join(f"{line}\n" for line in typed))
    assert "Traceback" not in result.output and result.exit_code == 0, result.output
    return [part.strip() for part in result.output.split("Anna> ")][1:-1]


def test_bids_are_listed_without_numbers_before_them() -> None:
    (listed, _), _ = answered("?", "pad"), None
    assert re.match(r"bid  6 top, 7 bottom, 7 top, 8 bottom", listed)
    assert "1)" not in listed and "or   pass" in listed
    assert "the number in front of it" not in listed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("20 top", "There is no “20 top” here; 6 top to 18 top can be chosen."),
        ("0 top", "There is no “0 top” here; 6 top to 18 top can be chosen."),
        ("bid 0 top", "There is no “0 top” here; 6 top to 18 top can be chosen."),
        ("26", "There is no “26” here; 6 top to 18 top can be chosen."),
        ("top", "There is no “top” here; 6 top to 18 top can be chosen."),
        ("why 20 top", "There is no “20 top” here; 6 top to 18 top can be chosen."),
        ("7", "“7” does not say enough: 7 bottom or 7 top?"),
        ("6", "“6” does not say enough: 6 top?"),
        ("1", "“1” does not say enough: 1 bottom or 1 top?"),
        ("3 top", "3 top is not possible: a bid must be higher than the one before"),
    ],
)
def test_what_is_no_bid_is_refused_with_what_there_is(typed: str, said: str) -> None:
    (answer,) = answered(typed)
    assert " ".join(answer.split()).startswith(said)


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [
        ("en", "nil", "“nil” does not say enough: nil bottom or nil top?"),
        (
            "de",
            "nullspiel",
            "„nullspiel“ sagt noch nicht genug: Nullspiel unten oder Nullspiel oben?",
        ),
        ("de", "nil", "„nil“ sagt noch nicht genug: Nullspiel unten oder Nullspiel oben?"),
    ],
)
def test_a_special_bid_without_its_side_suggests_both(language: str, typed: str, said: str) -> None:
    options = ("--variant", "nil", "--players", "3", "--lang", language)
    assert answered(typed, options=options) == [said]


def test_where_only_a_pass_is_left_a_number_is_still_no_place_in_the_list() -> None:
    position = {
        "at": "auction",
        "players": ["Anna", "Ben"],
        "to_move": "Anna",
        "bids": {"Ben": "18 top"},
    }
    hand = engine("chicane").Hand.from_position(position)
    asker = Asker(hand, Voice(hand.rules, hand.table, "en"))
    assert asker.listed().split() == ["pass"]
    with pytest.raises(NotUnderstood, match="“1” does not say enough: 1 bottom or 1 top"):
        asker.read("1")
    assert [str(action) for action in asker.read("pass")] == ["pass"]


def test_own_bids_are_told_as_those_of_others_are() -> None:
    (told,) = answered("11 top")
    assert re.match(r"Anna bids 11 top · Ben (bids 1\d \w+|passes)\n", told)


def test_own_cards_laid_out_are_told_too_but_not_what_is_passed_on_in_secret() -> None:
    call = ["play", "chief-and-vice", "--seed", "8", "--hands", "1"]
    said = CliRunner().invoke(main, call, input="A♥\n").output
    assert "  Anna lays A♥ · Ben " in said
    call = ["play", "papayoo", "--seed", "3", "--players", "4"]
    said = CliRunner().invoke(main, call, input="1 2 3 4 5\n").output
    assert "Anna gives" not in said and "You gave: " in said
