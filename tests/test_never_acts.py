"""Values that can never make a difference are told of, and their neighbours that can are not."""

from __future__ import annotations

import pytest

from conftest import read
from trickwright import Report, compile_game

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
    ],
)
def test_a_value_that_never_acts_is_told_of(sets: tuple[str, ...], path: str) -> None:
    assert warnings("mue", *sets) == ([path] if path else [])
