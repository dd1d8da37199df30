"""Looking into tables: entries by trump, rows by number of players, and the cells of rows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from trickwright.cards import TRUMP_KINDS
from trickwright.names import Range, Type
from trickwright.poker import POKER_CLASSES
from trickwright.tables import Table
from trickwright.typed import Expression, Refused, written

if TYPE_CHECKING:
    from trickwright.walk import Walk


def entry(walk: Walk, node: ast.Subscript, table: Table, depth: int) -> Expression:
    """The entry of a table by trump, for a kind of trump or for a trump itself."""
    kind = walk.visit(node.slice, depth)
    if table.by_poker_class:
        return _entry_of_class(walk, node, table, kind)
    if kind.type is Type.TRUMP:
        return _entry_of_trump(walk, node, table, kind)
    if kind.type is not Type.TRUMP_KIND:
        said = f"'{written(node.slice)}' is {kind.type.value}"
        raise Refused(node.slice, f"{said}; a trump or its kind is wanted here", "wrong-kind")
    if table.by_single_trump:
        whole = ast.unparse(node.slice).removesuffix(".kind")
        raise Refused(
            node,
            f"'{table.name}' has entries for single trumps, so a kind is not enough",
            "wrong-kind",
            f"write {table.name}[{whole}]",
        )
    missing = [name for name in kind.kinds if name not in table.entries]
    if missing:
        raise Refused(
            node,
            f"'{table.name}' has no entry for {', '.join(missing)}, which may be named",
            "uncovered-table",
            f"add {missing[0]}: ... to tables.{table.name}",
        )
    values = [table.entries[name] for name in kind.kinds or table.entries]
    return walk.number(f"{table.constant}[{kind.code}]", walk.same(min(values), max(values)))


def _entry_of_class(walk: Walk, node: ast.Subscript, table: Table, hand: Expression) -> Expression:
    """The entry for a class of poker hands; there must be one for each."""
    if hand.type is not Type.POKER_CLASS:
        said = f"'{written(node.slice)}' is {hand.type.value}"
        raise Refused(node.slice, f"{said}; {Type.POKER_CLASS.value} is wanted here", "wrong-kind")
    for name in POKER_CLASSES:
        if name not in table.entries:
            text = f"'{table.name}' has no entry for {name}"
            hint = f"add {name}: ... to tables.{table.name}"
            raise Refused(node, text, "uncovered-table", hint)
    values = [table.entries[name] for name in POKER_CLASSES]
    return walk.number(f"{table.constant}[{hand.code}]", walk.same(min(values), max(values)))


def _entry_of_trump(walk: Walk, node: ast.Subscript, table: Table, trump: Expression) -> Expression:
    """The entry for a trump itself, or for its kind where it has none of its own."""
    values: list[int] = []
    for name, kind in walk.scope.trumps():
        if kind not in (trump.kinds or TRUMP_KINDS):
            continue
        entry = table.entry(name, kind)
        if entry is None:
            either = name if name == kind else f"{name} or {kind}"
            raise Refused(
                node,
                f"'{table.name}' has no entry for {name}, which may be named",
                "uncovered-table",
                f"add {either}: ... to tables.{table.name}",
            )
        values.append(entry)
    at = trump.code if table.by_single_trump else f"TRUMP_KIND[{trump.code}]"
    return walk.number(f"{table.constant}[{at}]", walk.same(min(values), max(values)))


def row(walk: Walk, node: ast.Subscript, table: Table) -> Expression:
    """The row of a table for the number of players."""
    if not (isinstance(node.slice, ast.Name) and node.slice.id == "players"):
        raise Refused(
            node, f"the rows of '{table.name}' are by number of players", "wrong-kind",
            f"write {table.name}[players]",
        )  # fmt: skip
    first = min(walk.players)
    return Expression(table.name, Type.ROW, f"{table.constant}[state[PLAYERS] - {first}]")


def cell(walk: Walk, node: ast.Subscript, whole: Expression, depth: int) -> Expression:
    """A cell of a row; every number that may be looked up must have one."""
    table = walk.tables[whole.text]
    index = walk.typed(node.slice, Type.NUMBER, depth)
    bounds: dict[int, Range] = {}
    for count in walk.players:
        row = table.rows.get(count, ())
        low, high = index.range[count]
        if low < 1 or high > len(row):
            wrong = low if low < 1 else high
            raise Refused(
                node,
                f"'{table.name}' has no entry {wrong} for {count} players,"
                f" but '{written(node.slice)}' can be {wrong}",
                "uncovered-table",
                f"its row for {count} players has entries 1 to {len(row)}",
            )
        reached = row[low - 1 : high]
        walk.reads[table.name, count] = max(high, walk.reads.get((table.name, count), 0))
        bounds[count] = (min(reached), max(reached))
    return walk.number(f"{whole.code}[{index.code} - 1]", bounds)
