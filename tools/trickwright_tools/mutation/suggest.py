"""What case would kill a mutant, in words: from its path, its kind of change, and how the old and the new value differ."""

from __future__ import annotations

import ast

from trickwright.overlay import parse_path
from trickwright.source import Node
from trickwright_tools.changes import written
from trickwright_tools.mutation.mutants import Mutant
from trickwright_tools.mutation.values import REMOVED
from trickwright_tools.schemas import schema_at

_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Eq: "=", ast.NotEq: "<>", ast.GtE: "=>", ast.Gt: ">",
}  # fmt: skip
_TOLD = {"<": "{} is less than {}", "=": "{} and {} are equal", ">": "{} is more than {}"}
_EXPRESSIONS = {
    "name", "number", "function", "part", "operator", "sign", "condition", "branch", "comparison",
}  # fmt: skip


def suggestion(mutant: Mutant, rules: Node) -> str:
    """The case that would tell the mutant from the rules."""
    variants = f", variants: [{mutant.variant}]" if mutant.variant else ""
    parts = parse_path(mutant.path) or ()
    found = schema_at(rules, parts)
    title, is_expression = str(found.get("title", "")), found.get("defined") == "expression"
    about = f" ({title[0].lower()}{title[1:]})" if title not in ("", "Expression") else ""
    when = _when(mutant, is_expression=is_expression)
    return f"a case with rules: [{mutant.path}]{variants}{about} {when}"


def _when(mutant: Mutant, *, is_expression: bool) -> str:
    old, new, how = mutant.change.old, mutant.change.new, mutant.change.how
    if how == "entry":
        return f"that comes out as '{mutant.variant}' says, and otherwise without this change"
    if new is REMOVED:
        return f"that comes out otherwise without {written(old, 60)}"
    if how == "one more or less":
        return f"that tells {written(old, 60)} exactly"
    if how in _EXPRESSIONS and isinstance(old, str) and is_expression:
        return f"in which {_expressions(old, str(new))}"
    if how == "added":
        more = [item for item in new if item not in old]
        return f"in which {written(more[0])} must not be possible"
    if how == "order":
        one, other = next((a, b) for a, b in zip(old, new, strict=True) if a != b)
        return f"in which it matters that {written(one)} stands before {written(other)}"
    if how == "range" and isinstance(old, dict):
        differing = [key for key in new if old.get(key) != new[key]]
        return f"in which {' or '.join(differing)} counts by itself"
    if how == "number":
        return f"in which {written(old)} is just reached or just allowed, and {written(new)} would be wrong"
    return f"that is played otherwise with {written(old)} than with {written(new)}"


def _expressions(old: str, new: str) -> str:
    """When two expressions come to something else."""
    one, other = ast.parse(old.strip(), mode="eval").body, ast.parse(new.strip(), mode="eval").body
    one, other = _apart(one, other)
    if (
        isinstance(one, ast.Compare)
        and isinstance(other, ast.Compare)
        and ast.dump(one.left) == ast.dump(other.left)
        and type(one.ops[0]) is not type(other.ops[0])
    ):
        signs = {*_RELATIONS[type(one.ops[0])]} ^ {*_RELATIONS[type(other.ops[0])]}
        left, right = ast.unparse(one.left), ast.unparse(one.comparators[0])
        return " or ".join(_TOLD[sign].format(left, right) for sign in sorted(signs))
    differ = "do not say the same" if _is_condition(one) else "differ"
    return f"{ast.unparse(one)} and {ast.unparse(other)} {differ}"


def _is_condition(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare | ast.BoolOp)


def _apart(one: ast.expr, other: ast.expr) -> tuple[ast.expr, ast.expr]:
    """The smallest parts in which two expressions differ; what is called stays with what it is called with."""
    while type(one) is type(other):
        pairs = list(zip(ast.iter_child_nodes(one), ast.iter_child_nodes(other), strict=False))
        if len(pairs) != len(list(ast.iter_child_nodes(other))):
            break
        differing = [(a, b) for a, b in pairs if ast.dump(a) != ast.dump(b)]
        if len(differing) != 1:
            break
        a, b = differing[0]
        is_called = isinstance(one, ast.Call) and one.func is a
        is_limit = isinstance(one, ast.Compare) and isinstance(a, ast.Constant)
        if is_called or is_limit or not isinstance(a, ast.expr) or not isinstance(b, ast.expr):
            break
        one, other = a, b
    return one, other
