"""Names of players and measures: rules may use any of them, and nothing is another thing than it was."""

from __future__ import annotations

import dis
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import compiled
from trickwright import engine_names
from trickwright.compile import Compiled
from trickwright.emit_measures import emit_measures
from trickwright.emit_players import emit_players
from trickwright.functions import FUNCTIONS
from trickwright.places import games
from trickwright.problems import Mark, Report
from trickwright.runtime_files import runtime_files
from trickwright_tools.fast import in_a_file, in_numba
from trickwright_tools.players.batches import Table, play_chunk, playing_of
from trickwright_tools.playtest.measures import compiled_of, frame_of
from trickwright_tools.playtest.own import Own, checked

pytestmark = pytest.mark.usefixtures("quick_players")

GAMES = ["chief-and-vice", "mue", "papayoo", "chicane", "indian-chief"]
TAKEN = {
    # of a table, a phase with its role, and numbers, which an engine has in capitals
    "team_goal": "views",
    "partner": "room",
    "bonus_per_card": "tries",
    "bonus_cap": "mind_size",
    "lost_per_card": "mind_limit",
    "gained_per_card": "daring",
    "tied_per_card": "monte_carlo",
    # of values
    "goal": "imagine",
    "taken": "told",
    "shortfall": "measure_hands",
    "bonus": "tricks_sense",
    "paid_cards": "set_to",
}
"""Names that the rules of Chief and Vice choose, and others for the same, which players and measures could have, too."""


def bound(text: str) -> Iterator[str]:
    """What a module's text binds at its outer level, as often as it does."""
    for step in dis.get_instructions(compile(text, "<text>", "exec")):
        if step.opname in ("STORE_NAME", "STORE_GLOBAL"):
            yield step.argval


def behind(made: Compiled) -> Iterator[str]:
    """The texts that are put behind an engine."""
    yield emit_players(made.meaning)
    text = emit_measures(made).text
    assert text.startswith(made.engine)
    yield text.removeprefix(made.engine)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_put_behind_an_engine_has_names_that_rules_cannot_choose(game: str) -> None:
    for text in behind(compiled(game)):
        names = {*bound(text)} - {"__annotations__"}
        assert names
        assert {name for name in names if not name.startswith("_")} == set()
        assert names.isdisjoint(bound(compiled(game).engine))


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Chief and Vice with other names for the same things: where the game lies."""
    folder = tmp_path_factory.mktemp("games") / "chief-and-vice"
    shutil.copytree(games()["chief-and-vice"], folder)
    shutil.rmtree(folder / "variants")
    names = re.compile(rf"(?<!\w)(?<!\w-)({'|'.join(TAKEN)})(?![\w-])")
    for path in folder.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(names.sub(lambda found: TAKEN[found[1]], text), encoding="utf-8")
    return str(folder)


def measured(game: str, fast: bool) -> tuple[Any, ...]:
    """What came of some hands: their ends, their logs, and what is told of them."""
    ways = ("sensible", "monte-carlo", "greedy", "random")
    table = Table(game, (), (), ways, (0, 4, 0, 0), seed=5, in_matches=True, fast=fast)
    chunk = play_chunk(table, 0, 12)
    frame = frame_of(chunk)
    return tuple(
        [[int(value) for value in row] for row in rows]
        for rows in (chunk.finals, chunk.logs, chunk.ends, frame.told)
    )


@pytest.mark.parametrize("fast", [False, True], ids=["plain", "compiled"])
def test_rules_may_use_the_names_of_players_and_measures(renamed: str, fast: bool) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    if fast:
        pytest.importorskip("numba", reason="numba is not installed: 'fast' is optional")
    engine = playing_of(renamed, (), (), False).engine
    assert engine.VIEWS[0][0] == 30 and engine.TRIES == 10 and engine.MIND_SIZE == 100
    assert {"imagine", "told", "measure_hands", "tricks_sense", "set_to"} <= {*dir(engine)}
    assert measured(renamed, fast) == measured("chief-and-vice", fast)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_figure_of_ones_own_needs_has_a_name_that_rules_cannot_choose(game: str) -> None:
    made, report = compiled(game), Report()
    text = "longest_suit(all_cards) + different_ranks(same_ranks(all_cards)) + points(all_cards)"
    own = (Own("figure", "A figure", text, Mark("own.yaml", 1, 1), None, "expression"),)
    measured = emit_measures(made, checked(own, made.meaning, report))
    assert not report.problems
    added = {*bound(measured.text)} - {*bound(emit_measures(made).text)}
    assert "longest_suit" in added
    taken = {*FUNCTIONS, *engine_names.SOMETIMES}
    assert {name for name in added if not name.startswith("_")} <= taken


def test_what_numba_replaces_is_no_name_that_rules_can_choose() -> None:
    pytest.importorskip("numba", reason="numba is not installed: 'fast' is optional")
    from trickwright_tools.fast_twins import TWINS

    for game in GAMES:
        always = {*bound(compiled(game).engine)}
        assert {name for name in TWINS if name not in always and not name.startswith("_")} == set()


def test_a_value_called_as_something_that_numba_replaces_stays_what_it_is(renamed: str) -> None:
    pytest.importorskip("numba", reason="numba is not installed: 'fast' is optional")
    import numpy

    made = compiled_of(renamed, (), ())
    module = in_a_file(made.engine, runtime_files(), made.game.module)
    state = list(module.START)
    state[module.PLAYERS], state[module.CHIEF_TRUMP] = 4, module.NO_TRUMP
    state[module.CHIEF], state[module.BID] = 0, 3
    compiled_value = in_numba(module, ("set_to",))["set_to"]
    assert compiled_value(numpy.array(state, numpy.int64)) == module.set_to(state) == 3 + 3
