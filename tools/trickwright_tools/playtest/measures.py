"""What came of the hands of a chunk, as arrays with a row for each hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from trickwright.compile import Compiled, compile_game
from trickwright.emit_measures import Column, emit_measures
from trickwright.game_files import read_game
from trickwright.places import find_game
from trickwright.problems import Report
from trickwright.runtime_files import runtime_files
from trickwright_tools.fast import NotInstalled, in_a_file, in_numba
from trickwright_tools.players.batches import Chunk, Table
from trickwright_tools.playtest.own import Own, checked

DEALER, OUTCOME = 1, 4


@dataclass(frozen=True)
class Measures:
    """A game's measures: what each number of a row is, and the function that fills the rows."""

    compiled: Compiled
    columns: tuple[Column, ...]
    size: int
    fill: Any
    is_fast: bool


@cache
def compiled_of(game: str, variants: tuple[str, ...], sets: tuple[str, ...]) -> Compiled:
    """A game with changes; ValueError with the problems if the rules have any."""
    report = Report()
    folder = find_game(game, report)
    files = read_game(folder, report) if folder else None
    compiled = compile_game(files, variants, sets, report) if files else None
    if compiled is None:
        raise ValueError("\n".join(problem.render() for problem in report.problems))
    return compiled


@cache
def measures_of(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    fast: bool | None,
    own: tuple[Own, ...],
) -> Measures:
    """The measures of a game, made once in each process."""
    compiled = compiled_of(game, variants, sets)
    measured = emit_measures(compiled, checked(own, compiled.meaning, Report()))
    engine = in_a_file(measured.text, runtime_files(), f"{compiled.game.module}_measures")
    fill, is_fast = engine._measure, False
    if fast is None or fast:
        try:
            fill, is_fast = in_numba(engine, ("_measure",))["_measure"], True
        except (NotInstalled, ValueError):
            if fast:
                raise
    return Measures(compiled, measured.columns, measured.size, fill, is_fast)


@dataclass(frozen=True)
class Frame:
    """The hands of a chunk with what came of them."""

    chunk: Chunk
    measures: Measures
    told: Any
    kept: dict[Any, Any] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """Who played."""
        return self.chunk.table

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return len(self.chunk.finals)

    @property
    def players(self) -> int:
        """How many played."""
        return self.chunk.table.players

    @property
    def engine(self) -> Any:
        """The engine that was played on."""
        return self.chunk.playing.engine

    @property
    def ones(self) -> Any:
        """A one for each hand."""
        import numpy

        return numpy.ones(self.hands, numpy.int64)

    def state(self, place: int, rows: str = "finals") -> Any:
        """A part of the state of all hands: at their end, or when the first decision was due (``openings``)."""
        key = rows, place
        if key not in self.kept:
            self.kept[key] = _column(getattr(self.chunk, rows), place)
        return self.kept[key]

    def seats(self, place: int) -> Any:
        """A part of the state that each seat has: a row for each hand, a column for each seat."""
        import numpy

        return numpy.stack([self.state(place + seat) for seat in range(self.players)], axis=1)

    @property
    def scores(self) -> Any:
        """The score of each hand and seat."""
        return self.seats(self.engine.SCORE)

    def ended(self, outcome: str) -> Any:
        """Which hands ended in a way."""
        return self.state(OUTCOME) == self.engine.RULES.outcomes.index(outcome)

    def columns(self, kind: str) -> list[Column]:
        """What is told of a kind."""
        return [column for column in self.measures.columns if column.kind == kind]

    def told_of(self, column: Column, seat: int = 0) -> Any:
        """What is told, for each hand."""
        key = "told", column.at + seat
        if key not in self.kept:
            self.kept[key] = _column(self.told, column.at + seat)
        return self.kept[key]

    def told_by_seat(self, column: Column) -> Any:
        """What is told of each seat: a row for each hand."""
        import numpy

        return numpy.stack([self.told_of(column, seat) for seat in range(self.players)], axis=1)

    def holders(self, column: Column) -> Any:
        """Which seats have a role, as zeros and ones: a row for each hand."""
        import numpy

        return self.told_of(column)[:, None] >> numpy.arange(self.players)[None, :] & 1


def _column(rows: Any, place: int) -> Any:
    import numpy

    if isinstance(rows, list):
        values = [row[place] for row in rows]
        large = any(abs(value) >= 1 << 63 for value in values)
        return numpy.array(values, object if large else numpy.int64)
    return rows[:, place]


def frame_of(chunk: Chunk, own: tuple[Own, ...] = ()) -> Frame:
    """A chunk with what came of its hands."""
    table = chunk.table
    measures = measures_of(table.game, table.variants, table.sets, table.fast, own)
    if measures.is_fast:
        import numpy

        told: Any = numpy.zeros((len(chunk.finals), measures.size), numpy.int64)
    else:
        told = [[0] * measures.size for _ in chunk.finals]
    measures.fill(chunk.finals, told)
    return Frame(chunk, measures, told)
