"""What ``trickwright generate --check`` does, as tests: the engines come out as they stand in ``generated/``."""

from __future__ import annotations

import pytest

from trickwright import Report, compile_game, read_game
from trickwright.generate import stale
from trickwright.places import games, home
from trickwright.standalone import without_markers

SETS = [
    (game, tuple(path.stem for path in sorted((folder / "variants").glob("*.yaml")))[:count])
    for game, folder in sorted(games().items())
    for count in (0, 1)
]


@pytest.mark.parametrize(("game", "variants"), SETS)
def test_the_engine_comes_out_as_it_stands(game: str, variants: tuple[str, ...]) -> None:
    report = Report()
    files = read_game(games()[game], report)
    assert files is not None
    made = compile_game(files, variants, (), report)
    assert made is not None and not report.problems
    module = home() / "generated" / "trickwright_games" / f"{made.game.module}.py"
    assert without_markers(made.engine) == module.read_text("utf-8")


def test_nothing_is_stale() -> None:
    assert stale(["chicane"], report=Report()) == ""
