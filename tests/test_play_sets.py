"""At the table: sets of cards that are chosen in secret, and what chance brings."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from conftest import engine
from trickwright_tools.cli import main

GAME = "papayoo"


def play(*options: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, ["play", GAME, "--seed", "3", *options], input=typed)
    assert "Traceback" not in result.output and result.exit_code == 0, result.output
    return result.output


def own_cards(said: str, heading: str) -> list[str]:
    """The cards of the last line that begins so, and of those it goes on with."""
    found = re.findall(rf"^{heading}: (.*(?:\n    .*)*)", said, re.MULTILINE)
    return found[-1].split()


def test_a_set_is_asked_for_as_a_whole() -> None:
    said = play("--players", "4")
    hand = own_cards(said, "Your hand")
    assert "Choose 5 cards, all at once:" in said
    offered = re.findall(r"\d+\) (\S+)", said)
    assert offered == hand and len(hand) == 15, "also cards that can only come last in a set"


def test_cards_given_leave_the_hand_and_others_come() -> None:
    before = own_cards(play("--players", "4"), "Your hand")
    said = play("--players", "4", typed="2, 4 6 8 1\n")
    given, received = own_cards(said, "You gave"), own_cards(said, "You received")
    assert set(given) == {before[place - 1] for place in (2, 4, 6, 8, 1)}
    assert set(own_cards(said, "Your hand")) == {*before, *received} - {*given}
    assert len(received) == 5


@pytest.mark.parametrize("typed", ["1", "1 2 3 4", "1 2 3 4 5 6"])
def test_too_few_or_too_many_cards_are_asked_for_again(typed: str) -> None:
    said = play("--players", "4", typed=f"{typed}\n")
    assert said.count("Choose 5 cards, all at once:") == 2
    assert "You gave" not in said


def test_why_tells_of_a_part_of_a_set() -> None:
    hand = own_cards(play("--players", "4"), "Your hand")
    others = engine(GAME).RULES.words["en"].cards
    foreign = next(card for card in others if card not in hand)
    said = play("--players", "4", typed=f"why {hand[-1]}\nwhy {foreign}\nwhy {hand[0]} {hand[0]}\n")
    assert f"{hand[-1]} is possible." in said
    assert f"{foreign} is not possible: the card is not in the player's hand" in said
    assert f"{hand[0]} is not possible: the card is among those chosen already" in said
    assert said.count("is possible.") == 1


def test_others_cards_are_counted_not_shown() -> None:
    said = play("--players", "3")
    assert "Ben gives 5 cards · Carla gives 5 cards" in said
    assert "Ben schiebt 5 Karten · Carla schiebt 5 Karten" in play("--players", "3", "--lang", "de")


def test_who_only_watches_sees_what_is_passed() -> None:
    said = play("--players", "3", "--watch", "--hands", "1", "--lang", "de")
    passed = re.search(r"Ben schiebt ((?:\S+ ){5})· Carla", said)
    assert passed is not None
    ben = re.search(r"^  Ben (.*)\n(?:    (.*)\n)?", said, re.MULTILINE)
    assert ben is not None and set(passed[1].split()) <= set(
        " ".join(filter(None, ben.groups())).split()
    )
    assert re.search(r"^  Papayoo: (Pik|Herz|Kreuz|Karo)$", said, re.MULTILINE)


def test_the_die_is_told_when_it_is_rolled_and_not_before() -> None:
    before = play("--players", "3")
    after = play("--players", "3", typed="1 2 3 4 5\n")
    assert "Papayoo:" not in before
    assert re.search(r"^Papayoo: (spades|hearts|clubs|diamonds)$", after, re.MULTILINE)


def test_a_match_ends_after_its_rounds_and_the_lowest_total_wins() -> None:
    said = play("--players", "3", "--watch")
    assert len(re.findall(r"══ Round", said)) == 3
    totals = [int(total) for total in re.findall(r"^total(.*)$", said, re.MULTILINE)[0].split()]
    assert sum(totals) == 750
    assert f"wins the match with {min(totals)}." in said


def test_a_position_with_too_few_cards_to_choose_from_is_refused() -> None:
    made = engine(GAME)
    position = {"players": ["Anna", "Ben", "Carla"], "at": "pass", "hands": {"Ben": ["1♠", "2♠"]}}
    with pytest.raises(ValueError, match="Ben has nothing legal to do"):
        made.Hand.from_position(position)
