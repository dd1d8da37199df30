"""Python text: values of the rules as literals that no formatter would touch and nothing can escape from."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

WIDTH = 100
"""Longest line of an engine, where it can be helped."""


def text_literal(text: str) -> str:
    """A text as a Python literal in double quotes, safe whatever it holds."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else ascii(text)


def literal(values: Iterable[Any], before: int = 0) -> str:
    """A tuple as Python, on one line if it fits behind ``before`` characters, else one entry a line."""
    items = [str(value) for value in values]
    line = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if before + len(line) <= WIDTH:
        return line
    return "(\n" + "".join(f"    {item},\n" for item in items) + ")"


def indent(text: str) -> str:
    """The lines after the first moved in by one step."""
    return text.replace("\n", "\n    ")


def texts(values: Iterable[str], before: int = 0) -> str:
    """A tuple of texts as Python."""
    return literal(map(text_literal, values), before)


def grid(values: Sequence[int], columns: int = 20) -> str:
    """A long tuple of small numbers in rows; it tells formatters to leave it so."""
    return f"{rows(values, columns)}  # fmt: skip"


def rows(values: Sequence[int], columns: int = 20) -> str:
    """A long tuple of small numbers in rows."""
    parts = [values[at : at + columns] for at in range(0, len(values), columns)]
    lines = "".join(f"    {', '.join(map(str, part))},\n" for part in parts)
    return f"(\n{lines})"


def mapping(values: Mapping[str, str], before: int = 0) -> str:
    """A dictionary of texts as Python, on one line if it fits with a comma behind ``before`` spaces."""
    items = [f"{text_literal(key)}: {text_literal(value)}" for key, value in values.items()]
    line = "{" + ", ".join(items) + "}"
    if before + len(line) < WIDTH:
        return line
    pad = " " * before
    return "{\n" + "".join(f"{pad}    {item},\n" for item in items) + pad + "}"


def hexadecimal(value: int) -> str:
    """A set of cards as Python."""
    return f"0x{value:X}"


def in_steps(code: str, width: int) -> list[str]:
    """An expression as lines, none longer than ``width``: parts that get a name first, the whole last.

    What a condition may leave aside stays where it is: without it there may be no value.
    """
    return list(_in_steps(code, width))


@lru_cache(1000)
def _in_steps(code: str, width: int) -> tuple[str, ...]:
    tree = ast.parse(code, mode="eval")
    lines: list[str] = []
    while len(ast.unparse(tree)) > width:
        name = f"part_{len(lines) + 1}"
        longest = _longest_part(tree, width - len(name) - 3)
        if longest is None:
            break
        lines.append(f"{name} = {ast.unparse(longest)}")
        tree = _Replace(longest, name).visit(tree)
    return (*lines, ast.unparse(tree))


def _longest_part(tree: ast.Expression, width: int) -> ast.expr | None:
    """The longest part of an expression that fits the width, but is not the whole."""
    parts = [
        node
        for node in _always(tree.body)
        if isinstance(
            node, ast.BinOp | ast.BoolOp | ast.Compare | ast.Call | ast.IfExp | ast.Subscript
        )
        and node is not tree.body
    ]
    fitting = [node for node in parts if 8 < len(ast.unparse(node)) <= width]
    return max(fitting, key=lambda node: len(ast.unparse(node)), default=None)


def _always(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are worked out whatever its conditions say."""
    yield node
    inner = [node.test] if isinstance(node, ast.IfExp) else list(ast.iter_child_nodes(node))
    for part in inner:
        yield from _always(part)


class _Replace(ast.NodeTransformer):
    """Puts a name in the place of a part."""

    def __init__(self, part: ast.expr, name: str) -> None:
        self._part, self._name = part, name

    def visit(self, node: ast.AST) -> Any:
        if node is self._part:
            return ast.Name(self._name, ast.Load())
        return self.generic_visit(node)
