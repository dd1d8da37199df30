"""The conformance cases of every game as test items, each with each set of variants it is about."""

from __future__ import annotations

from functools import cache

import pytest

from conftest import read
from trickwright.places import games
from trickwright_conformance import Suite
from trickwright_conformance.show import show_failure


@cache
def suite(game: str) -> Suite:
    loaded = Suite.load(read(game))
    assert not loaded.report.problems, [problem.render() for problem in loaded.report.problems]
    return loaded


ITEMS = [
    pytest.param(game, place, side, id=f"{game}:{case.id}:{case.sides[side].name}")
    for game in games()
    for place, case in enumerate(suite(game).cases)
    for side in range(len(case.sides))
]


@pytest.mark.parametrize(("game", "place", "side"), ITEMS)
def test_case(game: str, place: int, side: int) -> None:
    loaded = suite(game)
    case = loaded.cases[place]
    result = loaded.run(case, case.sides[side])
    assert result.passed, show_failure(result, loaded.files)
