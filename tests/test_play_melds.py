"""At the table: melds chosen in secret, rounds, and thieves."""

from __future__ import annotations

import re

from click.testing import CliRunner

from trickwright_tools.cli import main

MELDS = ("Thief", "Beggar Man", "Poor Man", "Lawyer", "Rich Man", "Doctor", "Indian Chief")


def play(*options: str, typed: str = "") -> str:
    call = ["play", "indian-chief", "--seed", "5", *options]
    result = CliRunner().invoke(main, call, input=typed)
    assert "Traceback" not in result.output and result.exit_code == 0, result.output
    return result.output


def whole_game() -> str:
    """Answers for a game in which the melds are made in order of their size."""
    lines = []
    for size, meld in enumerate(MELDS, 1):
        lines += [meld, " ".join(map(str, range(1, size + 1)))]
        lines += ["decline"] if meld == "Thief" else []
    return "\n".join(lines) + "\n"


def test_a_meld_is_asked_for_and_then_its_cards() -> None:
    said = play("--players", "3", typed="Poor Man\n1 2\n")
    assert "1) Thief  2) Beggar Man" in said
    assert said.count("Choose 3 cards, all at once:") == 2, "asked, and told with too few"


def test_what_others_choose_is_told_when_all_have_chosen() -> None:
    options = ("--players", "3", "--seat", "3")
    before = play(*options)
    assert "Anna melds · Ben melds" in before
    assert not re.search(r"(Anna|Ben)( melds|:) (Thief|.* Man|Lawyer|Doctor|Indian)", before)
    after = play(*options, typed="Thief\n1\n")
    assert re.search(r"Anna: (Thief|\w+ Man|Lawyer|Doctor|Indian Chief) ", after)
    assert re.search(r"Carla: Thief \S+, \d+", after)


def test_a_whole_game_is_seven_rounds() -> None:
    said = play("--players", "3", "--seat", "3", typed=whole_game())
    assert [f"Round {n} · Choosing melds" in said for n in range(1, 9)] == [True] * 7 + [False]
    assert "rob  1) Anna  2) Ben" in said and "declines 1 cards" not in said
    assert "Hand 1: played out" in said and "wins the match with" in said


def test_a_player_alone_plays_round_after_round() -> None:
    said = play("--variant", "solo", typed=whole_game())
    assert "Round 7 · Choosing melds" in said and "wins the match with" in said
