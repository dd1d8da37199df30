"""Values that can never make a difference are told of, and their neighbours that can are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import engine, read
from trickwright import Report, compile_game, read_game
from trickwright_tools.cli import main

ALWAYS_DIFFER = "phases.trumps.order.vice.may=[suit]"


def warnings(game: str, *sets: str) -> list[str]:
    report = Report()
    assert compile_game(read(game), sets=sets, report=report) is not None
    return [problem.path for problem in report.problems if problem.code == "never-acts"]


@pytest.mark.parametrize(
    ("sets", "path"),
    [
        # the largest hand, of four players, has 15 cards
        (("phases.auction.raise_limit=16",), "phases.auction.raise_limit"),
        (("phases.auction.raise_limit=15",), ""),
        # 10 × (15 + 3) is the largest bonus
        (("scoring.numbers.bonus_cap=180",), "scoring.define.bonus"),
        (("scoring.numbers.bonus_cap=179",), ""),
        (("scoring.define.shortfall=max(-1, bid(chief))",), "scoring.define.shortfall"),
        (("scoring.define.shortfall=max(2, bid(chief))",), ""),
        (("scoring.define.shortfall=max(bid(chief), bid(chief))",), ""),
        (("phases.partner.except=[vice, chief]",), "phases.partner.except[1]"),
        (
            (ALWAYS_DIFFER, "phases.trumps.order.chief.may=[rank, none]"),
            "phases.trumps.order.chief.differs_from",
        ),
        ((ALWAYS_DIFFER, "phases.trumps.order.chief.may=[suit, none]"), ""),
        # a bid of four players is 15 at most, and a level above the bid is no less short of it
        (("tables.team_goal.4=ROW, 60]",), "tables.team_goal.4[15]"),
        (
            (
                "tables.team_goal.4=ROW, 60]",
                "scoring.define.shortfall=bid(chief) - level_reached(team_goal[players], taken)",
            ),
            "",
        ),
        (("scoring.played.made.when=taken >= 0",), "scoring.played.made.when"),
        (("scoring.played.made.when=0 > taken",), "scoring.played.made.when"),
        (("scoring.played.made.when=taken >= 1",), ""),
        (("scoring.played.made.when=bid(chief) != 16",), "scoring.played.made.when"),
        (("scoring.played.made.when=bid(chief) != 15",), ""),
        (("scoring.played.made.when=players <= 6",), "scoring.played.made.when"),
        (("scoring.played.made.when=players <= 5",), ""),
        (("scoring.played.made.when=chief == chief",), "scoring.played.made.when"),
        (("scoring.played.made.when=chief == dealer",), ""),
        (("scoring.played.made.when=goal >= taken >= goal",), ""),
        # numbers with names are there to be changed
        (("scoring.played.made.when=bonus_cap >= 100 and taken >= goal",), ""),
    ],
)
def test_a_value_that_never_acts_is_told_of(sets: tuple[str, ...], path: str) -> None:
    row = "[30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58"
    sets = tuple(text.replace("ROW", row) for text in sets)
    assert warnings("mue", *sets) == ([path] if path else [])


@pytest.mark.parametrize(
    ("game", "sets", "path"),
    [
        ("indian-chief", ("phases.steal.from=kept",), "phases.steal.from"),
        ("papayoo", ("phases.die.of=[hearts, hearts]",), "phases.die.of"),
        ("papayoo", ("phases.die.of=[hearts, hearts, spades]",), ""),
        ("papayoo", ("phases.pass.to=0",), "phases.pass.to"),
        ("papayoo", ("phases.pass.to=hand_number % players",), ""),
        ("indian-chief", ("rounds.times=8",), "rounds.times"),
        ("indian-chief", ("rounds.times=6",), ""),
        # with hands of 6 somebody may be left with a meld of 7, and be passed over in a round
        ("indian-chief", ("rounds.times=8", "phases.refill.up_to=6"), ""),
    ],
)
def test_so_it_is_in_other_games(game: str, sets: tuple[str, ...], path: str) -> None:
    assert warnings(game, *sets) == ([path] if path else [])


def test_with_one_round_what_is_not_done_after_the_last_never_is() -> None:
    paths = ["phases.steal.last_round", "phases.refill.last_round"]
    assert warnings("indian-chief", "rounds.times=1") == paths
    also = ("rounds.times=1", "phases.steal.last_round=true")
    assert warnings("indian-chief", *also) == paths[1:]


@pytest.mark.parametrize(
    ("points", "path"),
    [
        ("-tricks_won(player)", "match.until"),
        ("0", "match.until"),
        ("max(0, tricks_won(player) - 20)", "match.until"),
        ("1 - tricks_won(player)", ""),
    ],
)
def test_a_total_that_no_hand_leads_to(tmp_path: Path, points: str, path: str) -> None:
    made = CliRunner().invoke(main, ["new", "whist", "--small", "--dir", str(tmp_path)])
    assert made.exit_code == 0
    report = Report()
    files = read_game(tmp_path / "whist", report)
    assert files is not None
    sets = (f"scoring.played.odd-tricks.points={points}", "scoring.numbers.book=1")
    assert compile_game(files, sets=sets, report=report) is not None
    found = [p.path for p in report.problems if p.path == "match.until"]
    assert found == ([path] if path else [])


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (
            ("phases.refill.up_to=6",),
            "a player may come to have 6 cards and only melds of 7 or more to make",
        ),
        (("phases.refill.up_to=6", "rounds.times=6"), ""),
        (("phases.refill.up_to=7",), ""),
        (
            ("phases.refill.up_to=1",),
            "a player may come to have 1 cards and only melds of 2 or more to make",
        ),
        # 28 cards for each of 2 players
        (
            ("phases.refill.melds=kept", "players=[2]", "cards.single_pack=[2]"),
            "with 2 players all melds take 56 cards, and there are 52",
        ),
        (("phases.refill.melds=kept", "players=[2]", "cards.single_pack=[]"), ""),
        (
            ("phases.refill.melds=kept", "players=[8]", "cards.single_pack=[]"),
            "with 8 players all melds take 224 cards, and there are 104",
        ),
    ],
)
def test_hands_that_are_too_small_for_what_is_left_to_meld(
    sets: tuple[str, ...], said: str
) -> None:
    report = Report()
    assert compile_game(read("indian-chief"), sets=sets, report=report) is not None
    found = [problem.text for problem in report.problems if problem.code == "no-way-out"]
    assert found == ([said] if said else [])


@pytest.mark.parametrize("up_to", [1, 6])
def test_such_hands_there_are(up_to: int) -> None:
    made = engine("indian-chief", (), (f"phases.refill.up_to={up_to}",))
    fewer = 0
    for number in range(40):
        hand = made.Hand(3, seed=1, number=number)
        hand.play_randomly(made.stream(2, number))
        fewer += any(hand.state[made.MADE + seat] != 0b1111111 for seat in range(3))
    assert fewer > 0
