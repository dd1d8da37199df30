"""An engine with its players, as plain Python or compiled by numba: the same functions, and the same results bit for bit."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trickwright.compile import Compiled
from trickwright.emit_players import emit_players
from trickwright.runtime_files import runtime_files
from trickwright_tools.fast import NotInstalled, in_a_file, in_numba

WAYS = ("random", "sensible", "greedy", "monte-carlo")
"""Ways to play, by their numbers in the engine; each should beat those before it."""
ENTRY_POINTS = ("_play_table", "_learn_cards", "_sample_hands", "_learn_limits")
MOST_DECISIONS = 4095
"""Decisions of a hand that a log has room for."""


@dataclass(frozen=True)
class Playing:
    """The functions of an engine and its players, and how to make the arrays that they take."""

    engine: types.ModuleType
    functions: dict[str, Callable[..., Any]]
    is_fast: bool
    why_plain: str = ""
    """Why numba did not compile them; empty if it did, or was not to."""

    def function(self, name: str) -> Callable[..., Any]:
        """One of the functions, also one that an entry point only calls."""
        found: Callable[..., Any] = self.functions.get(name) or getattr(self.engine, name)
        return found

    @property
    def is_kept(self) -> bool:
        """Whether an earlier run left what numba compiled."""
        if not self.is_fast:
            return False
        made: Any = self.functions[ENTRY_POINTS[0]]
        return any(Path(made.stats.cache_path).glob(f"*.{ENTRY_POINTS[0]}-*.nbi"))

    def row(self, size: int) -> Any:
        """So many zeros."""
        if not self.is_fast:
            return [0] * size
        import numpy

        return numpy.zeros(size, numpy.int64)

    def rows(self, count: int, size: int) -> Any:
        """So many rows of zeros."""
        if not self.is_fast:
            return [[0] * size for _ in range(count)]
        import numpy

        return numpy.zeros((count, size), numpy.int64)

    def numbers(self, values: Sequence[int]) -> Any:
        """These numbers as an array."""
        made = self.row(len(values))
        made[:] = values
        return made

    def work(self) -> tuple[Any, ...]:
        """What the functions need besides: states, sums by action, what is known of the seats, two streams, another state."""
        engine = self.engine
        sizes = [engine.SIZE, engine._MIND_SIZE, engine.SIZE, engine.SIZE, engine.SIZE]
        sizes += [engine._ACTIONS, engine._ROOM, 2, 2, engine.SIZE]
        return tuple(self.row(size) for size in sizes)


def with_players(compiled: Compiled, *, fast: bool | None = None) -> Playing:
    """An engine with players. ``fast`` says whether numba compiles them; if it is None, wherever numba can.

    NotInstalled if that is asked for and numba is missing, ValueError if the deck is too large for it.
    """
    text = f"{compiled.engine}\n\n{emit_players(compiled.meaning)}"
    engine = in_a_file(text, runtime_files(), compiled.game.module)
    why_plain = ""
    if fast is None or fast:
        try:
            return Playing(engine, in_numba(engine, ENTRY_POINTS), True)
        except (NotInstalled, ValueError) as error:
            if fast:
                raise
            why_plain = str(error)
    functions = {name: getattr(engine, name) for name in ENTRY_POINTS}
    return Playing(engine, functions, False, why_plain)
