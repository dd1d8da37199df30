"""Mutants declared to be the same game: each exists, passes check, is killed by no case, and plays like the original."""

from __future__ import annotations

from functools import cache

import pytest

from conftest import read
from trickwright import Report
from trickwright.places import games
from trickwright_conformance import Suite
from trickwright_tools.mutation.equivalent import claims_file, read_claims
from trickwright_tools.mutation.mutants import Mutant, mutants
from trickwright_tools.mutation.session import Session, Verdict

GAMES = [game for game in games() if claims_file(game) is not None]


@cache
def session(game: str) -> Session:
    """A session of a game, and with it its engines as they should be."""
    files = read(game)
    return Session(files, Suite.load(files))


@cache
def by_id(game: str) -> dict[str, Mutant]:
    """The mutants of a game."""
    return {mutant.id: mutant for mutant in mutants(read(game))}


def declared(game: str) -> list[str]:
    """The ids of the mutants that are declared to be the same game."""
    report = Report()
    claims = read_claims(game, report)
    assert not report.problems
    return list(claims)


CLAIMS = [(game, name) for game in GAMES for name in declared(game)]


@pytest.mark.parametrize(("game", "name"), CLAIMS, ids=[f"{g}-{n}" for g, n in CLAIMS])
def test_a_declared_mutant_is_the_same_game(game: str, name: str) -> None:
    assert session(game).judge(by_id(game)[name], declared=True) == Verdict("equivalent")
