"""``trickwright play``: what a hand was about, at its end and on the table."""

from __future__ import annotations

import re

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
        ("en", r"Papayoo: (\w+)\n", r"Hand \d: played out · Papayoo (\w+)\n"),
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
