"""Emit measures: functions that tell, of a hand that is over, who was what, what was bid and named, and what each rule paid.

They go behind an engine's text, so that they are as fast as the game. What they tell of a hand is a row of whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trickwright.compile import Compiled
from trickwright.emit import emit, environment
from trickwright.expressions import Expression, tidy
from trickwright.meaning import Ending, Meaning
from trickwright.names import Scope, Type
from trickwright.pytext import in_steps
from trickwright.typed import as_players

NOT_SAID = -1
"""What a row has for a bid, a trump or a side in a hand in which there is none."""


@dataclass(frozen=True)
class Column:
    """A number, or one for each seat, in the row of a hand.

    ``kind`` is ``role`` (the seats that have it, one bit each), ``bid`` (the highest bid, of a named role), ``trump``, ``side``,
    ``value``, ``acted`` (whether a scoring rule did), ``paid`` (what it paid each seat) or ``own`` (an expression given for
    the occasion). What belongs to one way to end a hand has it as its ``outcome``.
    """

    kind: str
    name: str
    outcome: str
    at: int
    size: int = 1


@dataclass(frozen=True)
class Line:
    """A number that is put into the row: at which place, and the lines of Python, the last one its value."""

    at: int
    steps: list[str]


@dataclass(frozen=True)
class RuleLine:
    """A scoring rule: where the row says whether it acted and what it paid, and its Python."""

    id: str
    acted: int
    paid: int
    who: str
    when: str
    points: list[str]


@dataclass(frozen=True)
class EndingLines:
    """All that is told of a hand that ended in one way."""

    outcome: str
    lines: list[Line]
    rules: list[RuleLine]


@dataclass(frozen=True)
class Measured:
    """An engine's text with its measures, and what the numbers of a row are."""

    text: str
    columns: tuple[Column, ...]
    size: int


class _Row:
    """The columns so far, each by what it tells."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.columns: dict[tuple[str, str, str], Column] = {}
        self.size = 0

    def at(self, kind: str, name: str, outcome: str = "") -> int:
        key = kind, name, outcome
        if key not in self.columns:
            size = self.seats if kind == "paid" else 1
            self.columns[key] = Column(kind, name, outcome, self.size, size)
            self.size += size
        return self.columns[key].at


def emit_measures(
    compiled: Compiled, own: Mapping[str, Mapping[str, Expression]] | None = None
) -> Measured:
    """An engine with its measures; ``own`` are more expressions by their names, each by the ways to end a hand it has a meaning for."""
    own = own or {}
    meaning = compiled.meaning
    row = _Row(meaning.game.table_sizes[-1])
    endings = [_ending(ending, meaning, row, own) for ending in meaning.endings]
    absent = [c.at for c in row.columns.values() if c.kind in ("bid", "trump", "side")]
    template = environment().get_template("measures.py.j2")
    told = template.render(endings=endings, absent=absent).rstrip("\n")
    text = _engine(
        compiled, [found for by_outcome in own.values() for found in by_outcome.values()]
    )
    return Measured(f"{text}\n\n{told}\n", tuple(row.columns.values()), max(1, row.size))


def _engine(compiled: Compiled, own: list[Expression]) -> str:
    """The engine, with the helpers that expressions of the occasion need."""
    if not own:
        return compiled.engine
    first, *others = compiled.meaning.phases
    adds = replace(first.adds, expressions=(*first.adds.expressions, *own))
    meaning = replace(compiled.meaning, phases=(replace(first, adds=adds), *others))
    return emit(meaning, compiled.layout, compiled.words, compiled.root)


def _ending(
    ending: Ending, meaning: Meaning, row: _Row, own: Mapping[str, Mapping[str, Expression]]
) -> EndingLines:
    outcome, scope = ending.outcome, ending.scope
    lines = [Line(row.at("role", name), [code]) for name, code in roles(scope)]
    bid = highest_bid(meaning, scope)
    if bid is not None:
        lines.append(Line(row.at("bid", bid[0]), [bid[1]]))
    for name in scope.listed():
        found = scope.get(name)
        if found is not None and not found.takes and found.type in (Type.TRUMP, Type.SIDE):
            kind = "trump" if found.type is Type.TRUMP else "side"
            lines.append(Line(row.at(kind, name), [found.code]))
    lines += [Line(row.at("value", name, outcome), [f"{name}(state)"]) for name in ending.values]
    for name, by_outcome in own.items():
        if outcome in by_outcome:
            code = by_outcome[outcome].code
            flag = by_outcome[outcome].type is Type.FLAG
            steps = [f"int({tidy(code)})"] if flag else in_steps(code, 80)
            lines.append(Line(row.at("own", name, outcome), steps))
    rules = [
        RuleLine(
            checked.rule.id,
            row.at("acted", checked.rule.id, outcome),
            row.at("paid", checked.rule.id, outcome),
            tidy(as_players(checked.who).code),
            tidy(checked.when.code) if checked.when else "",
            in_steps(checked.points.code, 80),
        )
        for checked in ending.rules
    ]
    return EndingLines(outcome, lines, rules)


def roles(scope: Scope) -> list[tuple[str, str]]:
    """The names of players and sets of players, but for those that any hand has, and the Python of each as a set."""
    found = []
    for name in scope.listed():
        known = scope.get(name)
        if (
            known is not None
            and not known.takes
            and known.type in (Type.PLAYER, Type.PLAYERS)
            and name not in ("everyone", "dealer", "player")
        ):
            whole = Expression(name, known.type, known.code, may_be_nobody=known.may_be_nobody)
            found.append((name, tidy(as_players(whole).code)))
    return found


def highest_bid(meaning: Meaning, scope: Scope) -> tuple[str, str] | None:
    """The role of who has bid highest, and the Python of that bid; None where there is no such role."""
    for declared in meaning.phases:
        role, bid = scope.get(declared.adds.highest_bidder), scope.get("bid")
        if role is not None and bid is not None and bid.type is Type.NUMBER:
            return role.name, bid.code.format(role.code) if bid.takes else bid.code
    return None
