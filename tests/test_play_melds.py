"""At the table: melds chosen in secret, rounds, and thieves."""

from __future__ import annotations

import re
from pathlib import Path

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
    assert "Round 7 · Choosing melds" in said
    assert re.search(r"^Anna ends with -?\d+\.$", said, re.MULTILINE) and "wins" not in said


def watched(*options: str) -> str:
    return play("--watch", *options)


def test_who_watches_sees_what_is_drawn_and_what_is_left() -> None:
    said = watched("--players", "2")
    drawn = re.findall(r"(?:Anna|Ben) draws ((?:\S+[♣♦♥♠] ?)+)", said)
    assert len(drawn) >= 6 and said.count("36 cards in the stock") == 6, "52 less 2 hands of 8"


def test_who_plays_sees_own_cards_drawn_and_counts_those_of_others() -> None:
    said = play("--players", "2", typed="Poor Man\n1 2 3\n")
    assert re.search(r"Anna draws (\d*[\dAJQK]+[♣♦♥♠] ?){3}", said)
    assert re.search(r"Ben draws (one card|\d cards)", said), "not which"


def test_a_shuffle_in_the_middle_is_told() -> None:
    told = [watched("--players", "8", "--seed", str(seed)) for seed in range(8)]
    assert any(re.search(r"the melds are shuffled in for\s+(Greta|Hugo)", said) for said in told)


def test_the_parts_and_the_suit_that_counted_are_told() -> None:
    told = "".join(watched("--players", "4", "--seed", str(seed)) for seed in range(1, 9))
    flat = " ".join(told.split())
    for name, points in re.findall(r"(\w+): Indian Chief ([^+]+\+ \S+ \S+), \d+", flat):
        part, rest = points.split(" + ")
        assert len(part.split()) == 5 and len(rest.split()) == 2, name
    doctors = re.findall(r"Doctor ((?:\S+ ){5}\S+?)(?: \((\w+)\))?, (\d+)", flat)
    assert any(int(points) for _, _, points in doctors), "one scores"
    for cards, suit, points in doctors:
        assert bool(suit) == (points != "0")
        if suit:
            sign = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}[suit]
            assert cards.count(sign) * 10 == int(points)


def test_a_game_without_a_dealer_names_none() -> None:
    assert "deals" not in watched("--players", "2")
    other = CliRunner().invoke(main, ["play", "papayoo", "--watch", "--hands", "1"]).output
    assert "Anna deals" in other


def test_melds_are_shown_whole_though_their_cards_were_stolen_before() -> None:
    typed = "Thief\n1\n1\n1\nLawyer\n1 2 3 4\nIndian Chief\n1 2 3 4 5 6 7\n"
    said = play("--players", "4", typed=typed)
    assert "steal  1) K♥" in said and "Anna: Lawyer 2♦ 3♦ 5♦ K♥, 0" in said
    row = next(line for line in said.splitlines() if "Thief, Lawyer   " in line)
    assert row.startswith("Anna (you)") and row.split("   ")[-1].strip() == "5♦ 3♦ 2♦ K♥"


def test_cards_drawn_are_told_once_and_then_are_part_of_the_hand() -> None:
    said = play("--variant", "solo", typed="Beggar Man\n1 2\nThief\n1\n")
    assert said.count("Anna draws") == 1 and "Drawn" not in said


def test_the_pad_has_the_melds_of_a_hand_as_soon_as_they_are_scored() -> None:
    before = play("--players", "3", typed="pad\n")
    assert "No hand is over yet." in before and "Melds made" not in before
    typed = "Poor Man\n1 2 3\npad\nRich Man\n1 2 3 4 5\npad\n"
    said = play("--players", "3", typed=typed)
    earned = {
        (name, meld): points
        for name, meld, points in re.findall(
            r"  (\w+): ([A-Z]\w+(?: [A-Z][a-z]+)?) .*, (-?\d+)\n", said
        )
    }
    assert len(earned) == 6
    pad = said.split("Melds made")[-1].splitlines()
    assert pad[0].split() == ["Anna", "Ben", "Carla"]
    lines = dict(zip(MELDS, pad[1:8], strict=True))
    for meld, line in lines.items():
        made = [earned[name, meld] for name in pad[0].split() if (name, meld) in earned]
        assert line.startswith(meld) and line.removeprefix(meld).split() == made
    totals = [
        str(sum(int(points) for (who, _), points in earned.items() if who == name))
        for name in pad[0].split()
    ]
    assert pad[9].split() == ["total", *totals]


def test_a_meld_named_can_be_taken_back_until_its_cards_are_chosen() -> None:
    said = play("--players", "3", typed="Doctor\nback\nPoor Man\nundo\nPoor Man\n1 2 3\nback\n")
    assert said.count("1) Thief  2) Beggar Man") == 4, "at first, twice again, and in round 2"
    assert said.count("Choose 3 cards, all at once:") == 2
    assert re.search(r"Anna: Poor Man (\S+ ){3}", said) and "Anna: Doctor" not in said
    assert said.count("There is nothing here that can be taken back.") == 1, "in the next round"


def test_what_was_taken_back_is_not_in_the_transcript(tmp_path: Path) -> None:
    kept = tmp_path / "match.json"
    typed = "Doctor\nback\n" + whole_game()
    play("--players", "3", "--seat", "3", "--save", str(kept), typed=typed)
    plain = tmp_path / "plain.json"
    play("--players", "3", "--seat", "3", "--save", str(plain), typed=whole_game())
    assert kept.read_text() == plain.read_text()


def test_a_victim_named_can_be_taken_back_until_a_card_is_named() -> None:
    typed = "Thief\n1\n1\nzurück\n2\n"
    said = play("--players", "3", "--lang", "de", typed=typed)
    assert said.count("bestehlen  1) Ben  2) Carla") == 2
    assert "stehlen  1) " in said.split("bestehlen  1) Ben")[-1]


def test_back_is_helped_with_only_where_it_does_something() -> None:
    assert "takes back" not in play("--players", "3", typed="?\n")
    assert "takes back what you have named for this turn" in play(
        "--players", "3", typed="Doctor\n?\n"
    )
