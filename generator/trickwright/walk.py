"""Walking an expression: each part is looked up in an allow-list, typed, bounded, and turned into Python."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from trickwright import limits, lookup
from trickwright.names import Name, Range, Scope, Type
from trickwright.problems import did_you_mean
from trickwright.tables import Table
from trickwright.typed import Expression, Refused, as_cards, as_players, quote, written

CHOSEN_NUMBERS = "scoring.numbers"
"""What provides the numbers that rules give names to."""

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


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _settled(sign: str, a: int, b: int, c: int, d: int) -> bool | None:
    """How a comparison of a number from a to b with one from c to d must come out; None if it may come out either way."""
    if sign in (">", "<="):
        swapped = _settled("<" if sign == ">" else ">=", c, d, a, b)
        return swapped
    if sign in ("<", ">="):
        less = True if b < c else False if a >= d else None
        return less if sign == "<" or less is None else not less
    same = True if a == b == c == d else False if b < c or d < a else None
    return same if sign == "==" or same is None else not same


def _width(kinds: tuple[str, ...]) -> bool:
    """Whether trumps of these kinds may be cards of several suits; such come last."""
    return "rank" in kinds


FUNCTIONS: dict[str, Callable[[Walk, ast.Call, int], Expression]] = {}
"""Functions that every game may use, by name."""


class Walk:
    """Walks an expression tree; each visit gives the checked expression of a part."""

    def __init__(self, scope: Scope, tables: Mapping[str, Table], players: tuple[int, ...]) -> None:
        self.scope, self.tables, self.players = scope, tables, players
        self.idle: list[tuple[ast.expr, str]] = []
        """Parts that can never make a difference, each with why."""
        self.reads: dict[tuple[str, int], int] = {}
        """How far rows of tables are read: the last entry that can matter, by table and number of players."""
        self.levels: dict[int, tuple[str, dict[int, int]]] = {}
        """The same of each level_reached, by the identity of its node; what is around it may need less of the row."""

    def visit(self, node: ast.expr, depth: int) -> Expression:
        """The checked expression of a part. Raises Refused."""
        if depth > limits.EXPRESSION_DEPTH:
            raise Refused(node, "the expression is nested too deeply", "bad-expression")
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Refused(
                node,
                f"'{written(node)}' is not part of the rules language",
                "bad-expression",
                "numbers, names, + - * // %, comparisons, and or not, a if c else b, table[...], name(player)",
            )
        found: Expression = method(node, depth + 1)
        if any(max(-low, high) > limits.NUMBER for low, high in found.range.values()):
            raise Refused(node, f"the value may pass {limits.NUMBER}", "number-too-big")
        if len(found.code) > limits.EXPRESSION_CODE:
            raise Refused(
                node,
                "the expression would become too long in the engine",
                "bad-expression",
                "give parts of it a name under define",
            )
        return found

    def number(self, code: str, bounds: Mapping[int, Range]) -> Expression:
        """A number with the Python for it and its bounds."""
        return Expression(code, Type.NUMBER, code, bounds)

    def same(self, low: int, high: int) -> dict[int, Range]:
        """Bounds that do not depend on the number of players."""
        return {count: (low, high) for count in self.players}

    def typed(self, node: ast.expr, wanted: Type, depth: int) -> Expression:
        """The checked expression of a part that must be of a type."""
        found = self.visit(node, depth)
        if found.type is Type.TRUMP and wanted is Type.CARDS:
            return as_cards(found)
        if found.type is not wanted:
            raise Refused(
                node,
                f"'{written(node)}' is {found.type.value}; {wanted.value} is wanted here",
                "wrong-kind",
            )
        return found

    def _constant(self, node: ast.Constant, depth: int) -> Expression:
        value = node.value
        if isinstance(value, bool):
            return Expression(str(value), Type.FLAG, str(value))
        if isinstance(value, int):
            if abs(value) > limits.NUMBER:
                raise Refused(node, f"{quote(str(value))} passes {limits.NUMBER}", "number-too-big")
            return self.number(str(value), self.same(value, value))
        raise Refused(node, f"{written(node)} is not a whole number", "bad-expression")

    def _name(self, node: ast.Name, depth: int) -> Expression:
        if node.id in self.tables:
            return Expression(node.id, Type.TABLE, self.tables[node.id].constant)
        if node.id in FUNCTIONS and node.id not in self.scope:
            text = f"'{node.id}' is a function, and needs brackets: {node.id}(...)"
            raise Refused(node, text, "wrong-kind", self._wanted_by(node.id, depth))
        name = self._known(node)
        if name.takes:
            raise Refused(node, f"'{name.name}' needs a player: {name.name}(player)", "wrong-kind")
        return Expression(
            name.name,
            name.type,
            name.code,
            name.range,
            name.may_be_nobody,
            name.at_least,
            name.kinds,
        )

    def _wanted_by(self, function: str, depth: int) -> str:
        """What a function takes, in the words with which it refuses to be given nothing."""
        try:
            FUNCTIONS[function](self, ast.Call(ast.Name(function), [], []), depth)
        except Refused as refused:
            return refused.text
        return ""

    def _known(self, node: ast.Name) -> Name:
        name = self.scope.get(node.id)
        missing = self.scope.why_missing(node.id)
        if name is None and missing is not None:
            because, hint = missing
            text = f"'{node.id}' {because}" if because else ""
            raise Refused(node, text, "unknown-name", hint)
        if name is None:
            known = sorted([*self.scope.listed(), *self.tables, *FUNCTIONS])
            raise Refused(
                node,
                f"'{node.id}' is not provided by any earlier phase",
                "unknown-name",
                did_you_mean(node.id, known, others="provided here", also=self.scope),
            )
        return name

    def _call(self, node: ast.Call, depth: int) -> Expression:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise Refused(node, "only a name can be called, as in bid(player)", "bad-expression")
        builtin = FUNCTIONS.get(node.func.id)
        if builtin is not None:
            return builtin(self, node, depth)
        name = self._known(node.func)
        if len(node.args) != len(name.takes):
            wanted = "one player" if name.takes else "nothing"
            raise Refused(node, f"'{name.name}' takes {wanted}", "wrong-kind")
        arguments = [
            self.typed(argument, kind, depth)
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
            inner = self.typed(node.operand, Type.FLAG, depth)
            return Expression("", Type.FLAG, f"(not {inner.code})")
        if isinstance(node.op, ast.USub):
            inner = self.typed(node.operand, Type.NUMBER, depth)
            bounds = {count: (-high, -low) for count, (low, high) in inner.range.items()}
            return self.number(f"(-{inner.code})", bounds)
        raise Refused(node, "of signs before a value, only - and not are known", "bad-expression")

    def _binop(self, node: ast.BinOp, depth: int) -> Expression:
        left = self.visit(node.left, depth)
        if left.type is Type.NUMBER:
            return self._arithmetic(node, left, depth)
        if left.type in (Type.PLAYER, Type.PLAYERS):
            return self._sets(node, as_players(left), as_players(self.visit(node.right, depth)))
        if left.type in (Type.CARDS, Type.TRUMP):
            return self._sets(node, as_cards(left), as_cards(self.visit(node.right, depth)))
        text = f"'{written(node.left)}' is {left.type.value}; a number or a set is wanted here"
        raise Refused(node.left, text, "wrong-kind")

    def _arithmetic(self, node: ast.BinOp, left: Expression, depth: int) -> Expression:
        right = self.typed(node.right, Type.NUMBER, depth)
        bounds = _ARITHMETIC.get(type(node.op))
        if bounds is None:
            raise Refused(
                node,
                f"'{written(node)}' is not part of the rules language",
                "bad-expression",
                "numbers know + - * // and %",
            )
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and any(
            low < 1 for low, _ in right.range.values()
        ):
            raise Refused(node.right, "the divisor may be less than 1", "zero-divisor")
        sign = _SIGNS[type(node.op)]
        return self.number(
            f"({left.code} {sign} {right.code})",
            {count: bounds(left.range[count], right.range[count]) for count in self.players},
        )

    def _sets(self, node: ast.BinOp, left: Expression, right: Expression) -> Expression:
        if left.type is not right.type:
            raise Refused(
                node, f"{left.type.value} and {right.type.value} do not go together", "wrong-kind"
            )
        if isinstance(node.op, ast.BitAnd):
            # What is in both is a part of either: of one suit if one of them is.
            kinds = min(
                (found for found in (left.kinds, right.kinds) if found), key=_width, default=()
            )
            return Expression("", left.type, f"({left.code} & {right.code})", kinds=kinds)
        if isinstance(node.op, ast.BitOr):
            return Expression("", left.type, f"({left.code} | {right.code})")
        if isinstance(node.op, ast.Sub):
            return Expression("", left.type, f"({left.code} & ~{right.code})", kinds=left.kinds)
        raise Refused(node, "sets know & (both), | (either) and - (without)", "bad-expression")

    def _boolop(self, node: ast.BoolOp, depth: int) -> Expression:
        word = " and " if isinstance(node.op, ast.And) else " or "
        parts = [self.typed(value, Type.FLAG, depth).code for value in node.values]
        return Expression("", Type.FLAG, f"({word.join(parts)})")

    def _compare(self, node: ast.Compare, depth: int) -> Expression:
        first = left = self.visit(node.left, depth)
        left_node = node.left
        code = first.code
        for operator, right in zip(node.ops, node.comparators, strict=True):
            sign = _COMPARISONS.get(type(operator))
            if sign is None:
                raise Refused(node, "comparisons are == != < <= > >=", "bad-expression")
            other = self.typed(right, first.type, depth)
            if first.type not in (
                Type.NUMBER,
                Type.PLAYER,
                Type.TRUMP_KIND,
                Type.CARDS,
                Type.TRUMP,
                Type.MELD,
                Type.POKER_CLASS,
                Type.SIDE,
            ):
                raise Refused(node, f"{first.type.value} cannot be compared", "wrong-kind")
            if first.type is not Type.NUMBER and sign not in ("==", "!="):
                raise Refused(node, f"{first.type.value} knows == and != only", "wrong-kind")
            code += f" {sign} {other.code}"
            self._note_settled(node, left_node, left, sign, right, other)
            left_node, left = right, other
        return Expression("", Type.FLAG, f"({code})")

    def _note_settled(
        self,
        node: ast.Compare,
        left_node: ast.expr,
        left: Expression,
        sign: str,
        right_node: ast.expr,
        right: Expression,
    ) -> None:
        """Note a comparison that comes out the same whatever happens.

        Two numbers that the rules give names to are compared to let people choose: their values settle it, and may.
        """
        answer: bool | None = None
        if ast.dump(left_node) == ast.dump(right_node):
            answer = sign in ("==", "<=", ">=")
        elif left.type is Type.NUMBER:
            ends = [(*left.range[count], *right.range[count]) for count in self.players]
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            known = [self.scope.get(name) for name in names]
            if known and all(name and name.provided_by == CHOSEN_NUMBERS for name in known):
                return
            found = {_settled(sign, *four) for four in ends}
            answer = found.pop() if len(found) == 1 else None
        if answer is not None:
            said = quote(f"{written(left_node)} {sign} {written(right_node)}")
            text = f"{said} is {'always' if answer else 'never'} true, so it changes nothing"
            self.idle.append((left_node, text))

    def _ifexp(self, node: ast.IfExp, depth: int) -> Expression:
        condition = self.typed(node.test, Type.FLAG, depth)
        yes = self.visit(node.body, depth)
        if yes.type in (Type.ROW, Type.TABLE):
            text = f"'if' cannot choose between tables: {quote(written(node.body))} is one"
            raise Refused(node.body, text, "wrong-kind", "look up in each: a[x] if c else b[x]")
        no = self.typed(node.orelse, yes.type, depth)
        bounds = {
            count: (
                min(yes.range[count][0], no.range[count][0]),
                max(yes.range[count][1], no.range[count][1]),
            )
            for count in yes.range
            if count in no.range
        }
        return Expression(
            "",
            yes.type,
            f"({yes.code} if {condition.code} else {no.code})",
            bounds,
            yes.may_be_nobody or no.may_be_nobody,
            {},
            tuple(dict.fromkeys(yes.kinds + no.kinds)) if yes.kinds and no.kinds else (),
        )

    def _attribute(self, node: ast.Attribute, depth: int) -> Expression:
        owner = self.typed(node.value, Type.TRUMP, depth)
        if node.attr != "kind":
            raise Refused(
                node, f"a trump has no '{node.attr}'", "unknown-name", "did you mean 'kind'?"
            )
        return Expression("", Type.TRUMP_KIND, f"TRUMP_KIND[{owner.code}]", kinds=owner.kinds)

    def _subscript(self, node: ast.Subscript, depth: int) -> Expression:
        whole = self.visit(node.value, depth)
        if whole.type is Type.TABLE:
            table = self.tables[ast.unparse(node.value)]
            return (
                lookup.entry(self, node, table, depth)
                if table.entries
                else lookup.row(self, node, table)
            )
        if whole.type is not Type.ROW:
            raise Refused(node, f"{whole.type.value} has no entries", "wrong-kind")
        return lookup.cell(self, node, whole, depth)
