"""Functions of the rules language: a closed list, each with its check, its bounds and its Python."""

from __future__ import annotations

import ast
from collections.abc import Callable

from trickwright import limits
from trickwright.names import Type
from trickwright.typed import Expression, Refused, as_cards, quote, written
from trickwright.walk import FUNCTIONS, Walk

_Function = Callable[[Walk, ast.Call, int], Expression]


def function(*names: str) -> Callable[[_Function], _Function]:
    """Registers a function of the language under its names."""

    def register(check: _Function) -> _Function:
        for name in names:
            FUNCTIONS[name] = check
        return check

    return register


@function("min", "max")
def _least_or_most(walk: Walk, node: ast.Call, depth: int) -> Expression:
    assert isinstance(node.func, ast.Name)
    choose = min if node.func.id == "min" else max
    if len(node.args) < 2:
        raise Refused(node, f"{node.func.id} takes two numbers or more", "wrong-kind")
    parts = [walk.typed(argument, Type.NUMBER, depth) for argument in node.args]
    for part, argument in zip(parts, node.args, strict=True):
        others = [other for other in parts if other is not part]
        if any(_is_always_taken(other, part, choose, walk.players) for other in others):
            said = f"{quote(written(argument))} is never what is taken here, so it changes nothing"
            walk.idle.append((argument, said))
    if choose is max:
        _read_levels(walk, node, parts)
    bounds = {
        count: (
            choose(part.range[count][0] for part in parts),
            choose(part.range[count][1] for part in parts),
        )
        for count in walk.players
    }
    return walk.number(f"{node.func.id}({', '.join(part.code for part in parts)})", bounds)


def _read_levels(walk: Walk, node: ast.Call, parts: list[Expression]) -> None:
    """Of the row in ``max(low, n - level_reached(row, value))`` no entry matters whose level n is not above low."""
    for argument, part in zip(node.args, parts, strict=True):
        level = id(argument.right) if isinstance(argument, ast.BinOp) else 0
        if not isinstance(argument, ast.BinOp) or not isinstance(argument.op, ast.Sub):
            continue
        if level not in walk.levels:
            continue
        needed = walk.levels[level][1]
        for count in needed:
            low = max(other.range[count][0] for other in parts if other is not part)
            # the difference is greatest, n itself, where the level is 0
            needed[count] = max(0, min(needed[count], part.range[count][1] - low))


def _is_always_taken(
    one: Expression, other: Expression, choose: Callable[..., int], players: tuple[int, ...]
) -> bool:
    """Whether of two numbers the first is the least (or most), whatever they are, and not just by being equal."""
    ends = [(*one.range[count], *other.range[count]) for count in players]
    if choose is min:
        return all(high <= low for _, high, low, _ in ends) and any(a < d for a, _, _, d in ends)
    return all(low >= high for low, _, _, high in ends) and any(b > c for _, b, c, _ in ends)


@function("abs")
def _absolute(walk: Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 1:
        raise Refused(node, "abs takes one number", "wrong-kind")
    inner = walk.typed(node.args[0], Type.NUMBER, depth)
    bounds = {
        count: (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        for count, (low, high) in inner.range.items()
    }
    return walk.number(f"abs({inner.code})", bounds)


@function("size")
def _size(walk: Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 1:
        raise Refused(node, "size takes one set of cards or players", "wrong-kind")
    inner = as_cards(walk.visit(node.args[0], depth))
    if inner.type not in (Type.CARDS, Type.PLAYERS):
        raise Refused(node, f"{inner.type.value} has no size", "wrong-kind")
    return walk.number(f"bit_count({inner.code})", walk.same(0, 200))


@function("level_reached")
def _level_reached(walk: Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 2:
        raise Refused(node, "level_reached takes a row of a table and a number", "wrong-kind")
    row = walk.typed(node.args[0], Type.ROW, depth)
    value = walk.typed(node.args[1], Type.NUMBER, depth)
    table = walk.tables[row.text]
    for count, entries in table.rows.items():
        falls = [n for n in range(1, len(entries)) if entries[n] < entries[n - 1]]
        if falls:
            at = falls[0]
            text = f"{entries[at]} is less than the {entries[at - 1]} before it, but a level is reached here"
            hint = f"only in a row that rises; make it {entries[at - 1]} or more"
            place = (table.entry_marks[count][at], f"tables.{table.name}.{count}[{at}]")
            raise Refused(node, text, "falling-row", hint, place)
    lengths = {count: len(table.rows.get(count, ())) for count in walk.players}
    walk.levels[id(node)] = table.name, lengths
    return walk.number(
        f"level_reached({row.code}, {value.code})",
        {count: (0, len(table.rows.get(count, ()))) for count in walk.players},
    )


@function("left_of", "right_of")
def _neighbour(walk: Walk, node: ast.Call, depth: int) -> Expression:
    assert isinstance(node.func, ast.Name)
    if len(node.args) != 1:
        raise Refused(node, f"{node.func.id} takes one player", "wrong-kind")
    inner = walk.typed(node.args[0], Type.PLAYER, depth)
    if inner.may_be_nobody:
        raise Refused(node, "there may be nobody here to sit beside", "wrong-kind")
    step = "1" if node.func.id == "left_of" else "state[PLAYERS] - 1"
    return Expression("", Type.PLAYER, f"(({inner.code} + {step}) % state[PLAYERS])")


@function("points")
def _points(walk: Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 1:
        raise Refused(node, "points takes one set of cards", "wrong-kind")
    inner = walk.typed(node.args[0], Type.CARDS, depth)
    known = walk.scope.get("all_cards")
    bounds = walk.same(-limits.NUMBER // 10, limits.NUMBER // 10) if known is None else known.range
    return walk.number(f"points_of({inner.code})", bounds)
