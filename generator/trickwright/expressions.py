"""The expression language: small, typed, checked, and turned into Python for the engine.

An expression is parsed with ``ast`` and walked through an allow-list; the Python that comes out is built from
checked parts only, so nothing that a rules file says reaches an engine in any other way.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from trickwright.names import Name, Range, Scope, Type
from trickwright.problems import Report, did_you_mean
from trickwright.source import Node
from trickwright.tables import Table

LARGEST = 10**9
"""No number of the rules language may leave plus or minus this."""

_LONGEST = 400
_DEEPEST = 30


@dataclass(frozen=True)
class Expression:
    """A checked expression: its type, the Python for it, and what is known of its value."""

    text: str
    type: Type
    code: str
    range: Mapping[int, Range] = field(default_factory=dict)
    may_be_nobody: bool = False
    at_least: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()


class _Refused(Exception):
    """An expression that is not of the language; carries what to report."""

    def __init__(self, node: ast.AST, text: str, code: str, hint: str = "") -> None:
        super().__init__(text)
        self.node, self.text, self.code, self.hint = node, text, code, hint


def parse(
    text: str,
    scope: Scope,
    tables: Mapping[str, Table],
    players: tuple[int, ...],
    at: tuple[Node, str],
    report: Report,
    wanted: tuple[Type, ...] = (),
) -> Expression | None:
    """Check an expression and translate it; None, with a problem reported, if it is not sound.

    ``at`` is the node that holds the text, and its path.
    ``wanted`` lists the types that fit where the expression stands; any if empty.
    """
    node, path = at
    try:
        tree = _tree(text)
        found = _Walk(scope, tables, players).visit(tree.body, 0)
        if (
            wanted
            and found.type not in wanted
            and not (found.type is Type.TRUMP and Type.CARDS in wanted)
        ):
            names = " or ".join(kind.value for kind in wanted)
            raise _Refused(
                tree.body,
                f"{_quote(text)} is {found.type.value}; {names} is wanted here",
                "wrong-kind",
            )
        if found.type is Type.TRUMP and Type.CARDS in wanted and Type.TRUMP not in wanted:
            found = _as_cards(found)
    except _Refused as refused:
        if refused.text:
            blank = len(text) - len(text.lstrip())
            mark = node.mark_of(getattr(refused.node, "col_offset", 0) + blank)
            report.error(mark, path, refused.text, refused.code, refused.hint)
        return None
    return Expression(
        text,
        found.type,
        found.code,
        found.range,
        found.may_be_nobody,
        found.at_least,
        found.kinds,
        frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)),
    )


def names_used(text: str) -> frozenset[str]:
    """The names that a text would use as an expression; none if it is not one."""
    try:
        tree = _tree(text)
    except _Refused:
        return frozenset()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _tree(text: str) -> ast.Expression:
    start = ast.Constant(0)
    if len(text) > _LONGEST:
        raise _Refused(
            start, f"an expression may have {_LONGEST} characters at most", "bad-expression"
        )
    if not text.isascii() or not text.isprintable():
        raise _Refused(
            start, "an expression is one line of plain letters, digits and signs", "bad-expression"
        )
    if text.count("(") + text.count("[") + text.count("{") > _DEEPEST:
        raise _Refused(start, "too many brackets in one expression", "bad-expression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _Refused(
            start, f"{_quote(text)} is not an expression", "bad-expression", "such as taken >= goal"
        ) from None


def _quote(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


_Bounds = Callable[[Range, Range], Range]


def _corners(operation: Callable[[int, int], int]) -> _Bounds:
    def bounds(a: Range, b: Range) -> Range:
        values = [operation(x, y) for x in a for y in b]
        return min(values), max(values)

    return bounds


_ARITHMETIC: dict[type[ast.operator], _Bounds] = {
    ast.Add: _corners(lambda x, y: x + y),
    ast.Sub: _corners(lambda x, y: x - y),
    ast.Mult: _corners(lambda x, y: x * y),
    ast.FloorDiv: _corners(lambda x, y: x // y),
    ast.Mod: lambda a, b: (0, b[1] - 1),
}


class _Walk:
    """Walks an expression tree; each visit gives the checked expression of a part."""

    def __init__(self, scope: Scope, tables: Mapping[str, Table], players: tuple[int, ...]) -> None:
        self._scope, self._tables, self._players = scope, tables, players

    def visit(self, node: ast.expr, depth: int) -> Expression:
        if depth > _DEEPEST:
            raise _Refused(node, "the expression is nested too deeply", "bad-expression")
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise _Refused(
                node,
                f"'{ast.unparse(node)[:40]}' is not part of the rules language",
                "bad-expression",
                "numbers, names, + - * // %, comparisons, and or not, a if c else b, table[...], name(player)",
            )
        found: Expression = method(node, depth + 1)
        if any(max(-low, high) > LARGEST for low, high in found.range.values()):
            raise _Refused(node, f"the value may pass {LARGEST}", "number-too-big")
        return found

    def _number(self, code: str, bounds: Mapping[int, Range]) -> Expression:
        return Expression(code, Type.NUMBER, code, bounds)

    def _same(self, low: int, high: int) -> dict[int, Range]:
        return {count: (low, high) for count in self._players}

    def _typed(self, node: ast.expr, wanted: Type, depth: int) -> Expression:
        found = self.visit(node, depth)
        if found.type is Type.TRUMP and wanted is Type.CARDS:
            return _as_cards(found)
        if found.type is not wanted:
            raise _Refused(
                node,
                f"'{ast.unparse(node)}' is {found.type.value}; {wanted.value} is wanted here",
                "wrong-kind",
            )
        return found

    def _constant(self, node: ast.Constant, depth: int) -> Expression:
        value = node.value
        if isinstance(value, bool):
            return Expression(str(value), Type.FLAG, str(value))
        if isinstance(value, int):
            if abs(value) > LARGEST:
                raise _Refused(node, f"{_quote(str(value))} passes {LARGEST}", "number-too-big")
            return self._number(str(value), self._same(value, value))
        raise _Refused(node, f"{ast.unparse(node)[:40]} is not a whole number", "bad-expression")

    def _name(self, node: ast.Name, depth: int) -> Expression:
        if node.id in self._tables:
            return Expression(node.id, Type.TABLE, self._tables[node.id].constant)
        name = self._known(node)
        if name.takes:
            raise _Refused(node, f"'{name.name}' needs a player: {name.name}(player)", "wrong-kind")
        return Expression(
            name.name,
            name.type,
            name.code,
            name.range,
            name.may_be_nobody,
            name.at_least,
            name.kinds,
        )

    def _known(self, node: ast.Name) -> Name:
        name = self._scope.get(node.id)
        because = self._scope.why_missing(node.id)
        if name is None and because is not None:
            text = f"'{node.id}' {because}" if because else ""
            hint = "a definition may use those above it" if "down" in because else ""
            raise _Refused(node, text, "unknown-name", hint)
        if name is None:
            known = sorted([*self._scope, *self._tables, *_FUNCTIONS])
            raise _Refused(
                node,
                f"'{node.id}' is not provided by any earlier phase",
                "unknown-name",
                did_you_mean(node.id, known, others="provided here"),
            )
        return name

    def _call(self, node: ast.Call, depth: int) -> Expression:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise _Refused(node, "only a name can be called, as in bid(player)", "bad-expression")
        builtin = _FUNCTIONS.get(node.func.id)
        if builtin is not None:
            return builtin(self, node, depth)
        name = self._known(node.func)
        if len(node.args) != len(name.takes):
            wanted = "one player" if name.takes else "nothing"
            raise _Refused(node, f"'{name.name}' takes {wanted}", "wrong-kind")
        arguments = [
            self._typed(argument, kind, depth)
            for argument, kind in zip(node.args, name.takes, strict=True)
        ]
        code = name.code.format(*(argument.code for argument in arguments))
        bounds = dict(name.range)
        for argument in arguments:
            known = argument.at_least.get(name.name)
            if known is not None:
                bounds = {count: (max(low, known), high) for count, (low, high) in bounds.items()}
            if argument.may_be_nobody:
                nothing = "NOBODY" if name.type is Type.PLAYER else "0"
                code = f"({code} if {argument.code} != NOBODY else {nothing})"
                bounds = {
                    count: (min(low, 0), max(high, 0)) for count, (low, high) in bounds.items()
                }
        return Expression(
            code, name.type, code, bounds, any(a.may_be_nobody for a in arguments), {}, name.kinds
        )

    def _unaryop(self, node: ast.UnaryOp, depth: int) -> Expression:
        if isinstance(node.op, ast.Not):
            inner = self._typed(node.operand, Type.FLAG, depth)
            return Expression("", Type.FLAG, f"(not {inner.code})")
        if isinstance(node.op, ast.USub):
            inner = self._typed(node.operand, Type.NUMBER, depth)
            bounds = {count: (-high, -low) for count, (low, high) in inner.range.items()}
            return self._number(f"(-{inner.code})", bounds)
        raise _Refused(node, "of signs before a value, only - and not are known", "bad-expression")

    def _binop(self, node: ast.BinOp, depth: int) -> Expression:
        left = self.visit(node.left, depth)
        if left.type is Type.NUMBER:
            return self._arithmetic(node, left, depth)
        if left.type in (Type.PLAYER, Type.PLAYERS):
            return self._sets(node, _as_players(left), _as_players(self.visit(node.right, depth)))
        if left.type in (Type.CARDS, Type.TRUMP):
            return self._sets(node, _as_cards(left), _as_cards(self.visit(node.right, depth)))
        text = f"'{ast.unparse(node.left)}' is {left.type.value}; a number or a set is wanted here"
        raise _Refused(node.left, text, "wrong-kind")

    def _arithmetic(self, node: ast.BinOp, left: Expression, depth: int) -> Expression:
        right = self._typed(node.right, Type.NUMBER, depth)
        bounds = _ARITHMETIC.get(type(node.op))
        if bounds is None:
            raise _Refused(
                node,
                f"'{ast.unparse(node)[:40]}' is not part of the rules language",
                "bad-expression",
                "numbers know + - * // and %",
            )
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and any(
            low < 1 for low, _ in right.range.values()
        ):
            raise _Refused(node.right, "the divisor may be less than 1", "zero-divisor")
        sign = _SIGNS[type(node.op)]
        return self._number(
            f"({left.code} {sign} {right.code})",
            {count: bounds(left.range[count], right.range[count]) for count in self._players},
        )

    def _sets(self, node: ast.BinOp, left: Expression, right: Expression) -> Expression:
        if left.type is not right.type:
            raise _Refused(
                node, f"{left.type.value} and {right.type.value} do not go together", "wrong-kind"
            )
        if isinstance(node.op, ast.BitAnd):
            return Expression("", left.type, f"({left.code} & {right.code})")
        if isinstance(node.op, ast.BitOr):
            return Expression("", left.type, f"({left.code} | {right.code})")
        if isinstance(node.op, ast.Sub):
            return Expression("", left.type, f"({left.code} & ~{right.code})")
        raise _Refused(node, "sets know & (both), | (either) and - (without)", "bad-expression")

    def _boolop(self, node: ast.BoolOp, depth: int) -> Expression:
        word = " and " if isinstance(node.op, ast.And) else " or "
        parts = [self._typed(value, Type.FLAG, depth).code for value in node.values]
        return Expression("", Type.FLAG, f"({word.join(parts)})")

    def _compare(self, node: ast.Compare, depth: int) -> Expression:
        first = self.visit(node.left, depth)
        code = first.code
        for operator, right in zip(node.ops, node.comparators, strict=True):
            sign = _COMPARISONS.get(type(operator))
            if sign is None:
                raise _Refused(node, "comparisons are == != < <= > >=", "bad-expression")
            other = self._typed(right, first.type, depth)
            if first.type not in (
                Type.NUMBER,
                Type.PLAYER,
                Type.TRUMP_KIND,
                Type.CARDS,
                Type.TRUMP,
            ):
                raise _Refused(node, f"{first.type.value} cannot be compared", "wrong-kind")
            if first.type is not Type.NUMBER and sign not in ("==", "!="):
                raise _Refused(node, f"{first.type.value} knows == and != only", "wrong-kind")
            code += f" {sign} {other.code}"
        return Expression("", Type.FLAG, f"({code})")

    def _ifexp(self, node: ast.IfExp, depth: int) -> Expression:
        condition = self._typed(node.test, Type.FLAG, depth)
        yes = self.visit(node.body, depth)
        if yes.type in (Type.ROW, Type.TABLE):
            text = f"'if' cannot choose between tables: {_quote(ast.unparse(node.body))} is one"
            raise _Refused(node.body, text, "wrong-kind", "look up in each: a[x] if c else b[x]")
        no = self._typed(node.orelse, yes.type, depth)
        bounds = {
            count: (
                min(yes.range[count][0], no.range[count][0]),
                max(yes.range[count][1], no.range[count][1]),
            )
            for count in yes.range
        }
        return Expression(
            "",
            yes.type,
            f"({yes.code} if {condition.code} else {no.code})",
            bounds,
            yes.may_be_nobody or no.may_be_nobody,
            {},
            tuple(dict.fromkeys(yes.kinds + no.kinds)),
        )

    def _attribute(self, node: ast.Attribute, depth: int) -> Expression:
        owner = self._typed(node.value, Type.TRUMP, depth)
        if node.attr != "kind":
            raise _Refused(
                node, f"a trump has no '{node.attr}'", "unknown-name", "did you mean 'kind'?"
            )
        return Expression("", Type.TRUMP_KIND, f"TRUMP_KIND[{owner.code}]", kinds=owner.kinds)

    def _subscript(self, node: ast.Subscript, depth: int) -> Expression:
        whole = self.visit(node.value, depth)
        if whole.type is Type.TABLE:
            table = self._tables[ast.unparse(node.value)]
            return (
                self._entry(node, table, depth) if table.entries else self._row(node, table, depth)
            )
        if whole.type is not Type.ROW:
            raise _Refused(node, f"{whole.type.value} has no entries", "wrong-kind")
        return self._cell(node, whole, depth)

    def _entry(self, node: ast.Subscript, table: Table, depth: int) -> Expression:
        kind = self._typed(node.slice, Type.TRUMP_KIND, depth)
        missing = [name for name in kind.kinds if name not in table.entries]
        if missing:
            raise _Refused(
                node,
                f"'{table.name}' has no entry for {', '.join(missing)}, which may be named",
                "uncovered-table",
                f"add {missing[0]}: ... to tables.{table.name}",
            )
        values = [table.entries[name] for name in kind.kinds or table.entries]
        return self._number(f"{table.constant}[{kind.code}]", self._same(min(values), max(values)))

    def _row(self, node: ast.Subscript, table: Table, depth: int) -> Expression:
        if not (isinstance(node.slice, ast.Name) and node.slice.id == "players"):
            raise _Refused(
                node, f"the rows of '{table.name}' are by number of players", "wrong-kind",
                f"write {table.name}[players]",
            )  # fmt: skip
        first = min(self._players)
        return Expression(table.name, Type.ROW, f"{table.constant}[state[PLAYERS] - {first}]")

    def _cell(self, node: ast.Subscript, whole: Expression, depth: int) -> Expression:
        table = self._tables[whole.text]
        index = self._typed(node.slice, Type.NUMBER, depth)
        bounds: dict[int, Range] = {}
        for count in self._players:
            row = table.rows.get(count, ())
            low, high = index.range[count]
            if low < 1 or high > len(row):
                wrong = low if low < 1 else high
                raise _Refused(
                    node,
                    f"'{table.name}' has no entry {wrong} for {count} players,"
                    f" but '{ast.unparse(node.slice)}' can be {wrong}",
                    "uncovered-table",
                    f"its row for {count} players has entries 1 to {len(row)}",
                )
            reached = row[low - 1 : high]
            bounds[count] = (min(reached), max(reached))
        return self._number(f"{whole.code}[{index.code} - 1]", bounds)


def _as_cards(found: Expression) -> Expression:
    if found.type is not Type.TRUMP:
        return found
    return Expression(found.text, Type.CARDS, f"TRUMP_CARDS[{found.code}]")


def _as_players(found: Expression) -> Expression:
    if found.type is not Type.PLAYER:
        return found
    alone = f"(1 << {found.code})"
    code = f"({alone} if {found.code} != NOBODY else 0)" if found.may_be_nobody else alone
    return Expression(found.text, Type.PLAYERS, code)


def _least_or_most(walk: _Walk, node: ast.Call, depth: int) -> Expression:
    assert isinstance(node.func, ast.Name)
    choose = min if node.func.id == "min" else max
    if len(node.args) < 2:
        raise _Refused(node, f"{node.func.id} takes two numbers or more", "wrong-kind")
    parts = [walk._typed(argument, Type.NUMBER, depth) for argument in node.args]
    bounds = {
        count: (
            choose(part.range[count][0] for part in parts),
            choose(part.range[count][1] for part in parts),
        )
        for count in walk._players
    }
    return walk._number(f"{node.func.id}({', '.join(part.code for part in parts)})", bounds)


def _absolute(walk: _Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 1:
        raise _Refused(node, "abs takes one number", "wrong-kind")
    inner = walk._typed(node.args[0], Type.NUMBER, depth)
    bounds = {
        count: (0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        for count, (low, high) in inner.range.items()
    }
    return walk._number(f"abs({inner.code})", bounds)


def _size(walk: _Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 1:
        raise _Refused(node, "size takes one set of cards or players", "wrong-kind")
    inner = _as_cards(walk.visit(node.args[0], depth))
    if inner.type not in (Type.CARDS, Type.PLAYERS):
        raise _Refused(node, f"{inner.type.value} has no size", "wrong-kind")
    return walk._number(f"bit_count({inner.code})", walk._same(0, 200))


def _level_reached(walk: _Walk, node: ast.Call, depth: int) -> Expression:
    if len(node.args) != 2:
        raise _Refused(node, "level_reached takes a row of a table and a number", "wrong-kind")
    row = walk._typed(node.args[0], Type.ROW, depth)
    value = walk._typed(node.args[1], Type.NUMBER, depth)
    table = walk._tables[row.text]
    for count, entries in table.rows.items():
        if list(entries) != sorted(entries):
            raise _Refused(
                node, f"the row of '{table.name}' for {count} players falls somewhere; a level"
                " is reached only in a row that rises", "falling-row",
            )  # fmt: skip
    return walk._number(
        f"level_reached({row.code}, {value.code})",
        {count: (0, len(table.rows.get(count, ()))) for count in walk._players},
    )


def _neighbour(walk: _Walk, node: ast.Call, depth: int) -> Expression:
    assert isinstance(node.func, ast.Name)
    if len(node.args) != 1:
        raise _Refused(node, f"{node.func.id} takes one player", "wrong-kind")
    inner = walk._typed(node.args[0], Type.PLAYER, depth)
    if inner.may_be_nobody:
        raise _Refused(node, "there may be nobody here to sit beside", "wrong-kind")
    step = "1" if node.func.id == "left_of" else "state[PLAYERS] - 1"
    return Expression("", Type.PLAYER, f"(({inner.code} + {step}) % state[PLAYERS])")


_FUNCTIONS: dict[str, Callable[[_Walk, ast.Call, int], Expression]] = {
    "min": _least_or_most,
    "max": _least_or_most,
    "abs": _absolute,
    "size": _size,
    "level_reached": _level_reached,
    "left_of": _neighbour,
    "right_of": _neighbour,
}

FUNCTION_NAMES = tuple(_FUNCTIONS)
"""Functions that every game may use."""

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def tidy(code: str) -> str:
    """The same Python with only the brackets it needs."""
    return ast.unparse(ast.parse(code, mode="eval"))
