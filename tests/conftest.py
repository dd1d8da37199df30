"""What tests share: games, read and compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from trickwright import Compiled, GameFiles, Report, compile_game, read_game
from trickwright.memory import load_engine
from trickwright.places import games

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")  # a busy machine must not make a test fail


@cache
def read(game: str) -> GameFiles:
    """The files of a game, without problems."""
    report = Report()
    files = read_game(games()[game], report)
    assert files is not None and not report.problems, [p.render() for p in report.problems]
    return files


@cache
def compiled(game: str, variants: tuple[str, ...] = (), sets: tuple[str, ...] = ()) -> Compiled:
    """A game with changes, compiled; errors fail the test."""
    report = Report()
    made = compile_game(read(game), variants, sets, report)
    assert made is not None, [problem.render() for problem in report.problems]
    return made


@cache
def engine(game: str, variants: tuple[str, ...] = (), sets: tuple[str, ...] = ()) -> ModuleType:
    """An engine in memory."""
    return load_engine(compiled(game, variants, sets))


@pytest.fixture(scope="session")
def chief() -> ModuleType:
    """Chief and Vice, the base game."""
    return engine("chief-and-vice")


@pytest.fixture(autouse=True)
def _stays_in_its_folder() -> Iterator[None]:
    """No test leaves the next one in another folder."""
    before = Path.cwd()
    yield
    assert Path.cwd() == before, "a test must give back the working folder"


@pytest.fixture(scope="module")
def quick_players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Engines go into a folder of the tests, and players learn from few hands, only for the module that asks for it."""
    from trickwright_tools.players import minds
    from trickwright_tools.players.batches import mind_of, playing_of

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(minds, "CARD_HANDS", 300)
        patch.setattr(minds, "CLASS_HANDS", 100)
        patch.setattr(minds, "LIMIT_HANDS", 12)
        mind_of.cache_clear()
        playing_of.cache_clear()
        yield
    mind_of.cache_clear()
    playing_of.cache_clear()
