"""What expressions of rules are changed into: each part, one at a time, as long as the whole is still sound where it stands."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterable, Iterator, Sequence

from trickwright.expressions import FUNCTION_NAMES, Site
from trickwright.names import OF_CARDS, Name, Type

Alternatives = Iterator[tuple[ast.expr, str]]

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.GtE: (ast.Gt, ast.Lt, ast.Eq),
    ast.Gt: (ast.GtE, ast.LtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.Eq),
    ast.Lt: (ast.LtE, ast.GtE, ast.NotEq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
}
_OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.BitAnd, ast.BitOr),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.BitAnd: (ast.BitOr, ast.Sub),
    ast.BitOr: (ast.BitAnd, ast.Sub),
}
_ALIKE = ({Type.PLAYER, Type.PLAYERS}, {Type.TRUMP, Type.CARDS})
"""Types of which one can stand for the other."""


def rewritten(text: str, sites: Sequence[Site]) -> list[tuple[str, str]]:
    """Every changed form of an expression that is sound at one of its sites, and what kind of change it is."""
    tree = _parse(text)
    if tree is None or not sites:
        return []
    found: dict[str, str] = {}
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.expr) and number:
            for other, how in _alternatives(node, sites, is_called=_is_called(tree, node)):
                found.setdefault(_unparsed(tree, number, other), how)
    body = tree.body
    if not isinstance(body, ast.Constant):
        one = ast.Constant(1)
        for operator in (ast.Add(), ast.Sub()):
            found.setdefault(ast.unparse(ast.BinOp(body, operator, one)), "one more or less")
    found.pop(ast.unparse(tree), None)
    return [(new, how) for new, how in found.items() if any(site.takes(new) for site in sites)]


def _parse(text: str) -> ast.Expression | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return None


def _unparsed(tree: ast.Expression, number: int, other: ast.expr) -> str:
    """The text of the tree with another node in the place of the one with this number."""
    whole = copy.deepcopy(tree)
    target = list(ast.walk(whole))[number]

    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return other if node is target else self.generic_visit(node)

    return ast.unparse(Swap().visit(whole))


def _is_called(tree: ast.AST, node: ast.AST) -> bool:
    return any(isinstance(call, ast.Call) and call.func is node for call in ast.walk(tree))


def _alternatives(node: ast.expr, sites: Sequence[Site], *, is_called: bool) -> Alternatives:
    if is_called and isinstance(node, ast.Name):
        yield from _functions(node, sites)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Name):
        yield from _names(node, sites)
    elif isinstance(node, ast.Call):
        yield from ((argument, "part") for argument in node.args)
    elif isinstance(node, ast.BinOp):
        for operator in _OPERATORS.get(type(node.op), ()):
            yield ast.BinOp(node.left, operator(), node.right), "operator"
        yield node.left, "part"
        yield node.right, "part"
    elif isinstance(node, ast.UnaryOp):
        yield node.operand, "sign" if isinstance(node.op, ast.USub) else "condition"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for comparison in _COMPARISONS.get(type(node.ops[0]), ()):
            yield ast.Compare(node.left, [comparison()], node.comparators), "comparison"
    elif isinstance(node, ast.BoolOp):
        yield from _conditions(node)
    elif isinstance(node, ast.IfExp):
        yield node.body, "branch"
        yield node.orelse, "branch"
        yield ast.IfExp(node.test, node.orelse, node.body), "branch"


def _constants(node: ast.Constant) -> Alternatives:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value), "condition"
    elif isinstance(node.value, int):
        yield ast.Constant(node.value - 1), "number"
        yield ast.Constant(node.value + 1), "number"


def _conditions(node: ast.BoolOp) -> Alternatives:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield ast.BoolOp(other, node.values), "condition"
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield (rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)), "condition"


def _names(node: ast.Name, sites: Sequence[Site]) -> Alternatives:
    """Other values of the type; a yes/no also turns into its opposite."""
    own = _known(node.id, sites)
    if own is None and any(node.id in site.tables for site in sites):
        tables = dict.fromkeys(name for site in sites for name in site.tables)
        yield from ((ast.Name(name), "name") for name in tables if name != node.id)
    if own is not None and own.type is Type.FLAG:
        yield ast.UnaryOp(ast.Not(), node), "condition"
    if own is not None:
        yield from ((ast.Name(name), "name") for name in _alike(own, sites))


def _functions(node: ast.Name, sites: Sequence[Site]) -> Alternatives:
    """Other functions that could be called so: those of the language, or those of the phases."""
    if node.id in FUNCTION_NAMES:
        yield from ((ast.Name(name), "function") for name in FUNCTION_NAMES if name != node.id)
        return
    own = _known(node.id, sites)
    if own is not None:
        yield from ((ast.Name(name), "function") for name in _alike(own, sites))


def _known(name: str, sites: Iterable[Site]) -> Name | None:
    return next((found for site in sites if (found := site.scope.get(name)) is not None), None)


def _alike(own: Name, sites: Sequence[Site]) -> Iterator[str]:
    """Names of the same sort, as far as one of the sites knows them; of cards those of the same kind."""
    types = next((alike for alike in _ALIKE if own.type in alike), {own.type})
    for name in dict.fromkeys(name for site in sites for name in site.scope):
        other = _known(name, sites)
        if other is None or name == own.name or other.takes != own.takes:
            continue
        of_cards = OF_CARDS in (own.provided_by, other.provided_by)
        if of_cards and (other.provided_by, other.kinds) != (own.provided_by, own.kinds):
            continue
        if other.type in types and not _same_number(own, other):
            yield name


def _same_number(one: Name, other: Name) -> bool:
    """Whether two names are of one number that never changes: then one is as good as the other."""
    fixed = all(low == high for low, high in one.range.values())
    return one.type is Type.NUMBER and fixed and one.range == other.range
