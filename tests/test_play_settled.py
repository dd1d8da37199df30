"""``trickwright play``: what a hand was about, at its end and on the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from trickwright_tools.cli import main


def said(*call: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, ["play", *call], input=typed)
    assert result.exit_code == 0
    return result.output


def test_the_end_of_a_hand_says_what_was_bid() -> None:
    output = said("chicane", "--watch", "--seed", "3", "--hands", "4", "--players", "3")
    bid = re.findall(r"contract: (\d+ \w+)\n", output)
    assert len(bid) == 4 and len(set(bid)) > 1
    assert re.findall(r"Hand \d: played out · contract (\d+ \w+) · tricks", output) == bid


@pytest.mark.parametrize(
    ("language", "rolled", "end"),
    [
        ("en", r"Papayoo: (\w+)\n", r"Round \d: played out · Papayoo (\w+)\n"),
        ("de", r"Papayoo: (\w+)\n", r"Runde \d: ausgespielt · Papayoo (\w+)\n"),
    ],
)
def test_the_end_of_a_hand_says_what_chance_has_named(language: str, rolled: str, end: str) -> None:
    output = said("papayoo", "--watch", "--seed", "3", "--hands", "3", "--lang", language)
    assert len(re.findall(end, output)) == 3
    assert re.findall(end, output) == re.findall(rolled, output)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "What can come up: Papayoo spades hearts clubs diamonds"),
        ("de", "Was fallen kann: Papayoo Pik Herz Kreuz Karo"),
    ],
)
def test_the_table_tells_what_a_die_can_show(language: str, line: str) -> None:
    typed = "table\nquit\n"
    assert line in said("papayoo", "--seed", "1", "--lang", language, typed=typed)


def test_the_table_says_nothing_of_points_that_cards_do_not_have() -> None:
    output = said("chicane", "--seed", "1", typed="table\nquit\n")
    assert "The pack: cards 36, cards each 18" in output


def test_what_is_turned_up_with_the_deal_is_told(tmp_path: Path) -> None:
    """In the small game of ``trickwright new --small`` a suit is turned up before anybody acts."""
    made = CliRunner().invoke(main, ["new", "whist", "--small", "--dir", str(tmp_path)])
    assert made.exit_code == 0, made.output
    whist = str(tmp_path / "whist")
    for seed in ("1", "2", "3"):
        lines = said(whist, "--watch", "--seed", seed, "--hands", "1").splitlines()
        start = next(place for place, line in enumerate(lines) if "trump suit" in line)
        suit = re.fullmatch(r"  trump suit: (clubs|diamonds|hearts|spades)", lines[start])
        sign = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
        assert suit is not None
        assert lines[start + 1].startswith(f"  Trumps from the top: A{sign[suit[1]]} > K")


def test_a_team_is_told_when_it_is_more_than_the_player_who_has_a_role_anyway() -> None:
    three = said("mue", "--players", "3", "--watch", "--seed", "4", "--hands", "1")
    assert "Chief: Anna" in three and "Trumps: red" in three
    assert "Chief's team: " not in three
    typed = "pass\n" * 4 + "1\n" * 3
    four = [
        said("mue", "--seed", str(seed), "--hands", "1", "--players", "4", typed=typed)
        for seed in range(1, 6)
    ]
    assert any(re.search(r"Chief: (\w+) .*Chief's team: .*\b\1\b", one) for one in four)


def test_who_is_out_of_the_auction_is_told_while_it_lasts() -> None:
    told = 0
    for seed in range(6):
        answers = "pass\n" + "1\n" * 4
        output = said(
            "chicane", "--players", "4", "--seed", str(seed), "--hands", "1", typed=answers
        )
        bidding, play = output.split("── Game play")
        told += bidding.count("out of the auction: ")
        assert "contract: " in play and "out of the auction" not in play
    assert told > 0
