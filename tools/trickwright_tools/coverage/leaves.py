"""The values of rules one by one, with their paths, and which of those that are cited hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trickwright.overlay import find, parse_path
from trickwright.source import Node
from trickwright_tools.coverage.reach import Parts
from trickwright_tools.parameters import parameters

NO_RULES = frozenset(("title", "sources", "source", "reading", "why"))
"""Keys that say what things are called or where they come from."""


def leaves(root: Node, parts: Parts = ()) -> Iterator[tuple[Parts, Node]]:
    """The values that are rules, with their paths; every entry of a list is one of its own."""
    if parts:
        yield from _inner(root, parts)
        return
    for parameter in parameters(root):
        node = find(root, parameter.parts)
        if node is not None:
            yield from _inner(node, parameter.parts)


def _inner(node: Node, parts: Parts) -> Iterator[tuple[Parts, Node]]:
    if isinstance(node.value, dict) and node.value:
        for key, child in node.value.items():
            if key not in NO_RULES:
                yield from _inner(child, (*parts, key))
    elif isinstance(node.value, list) and node.value:
        for place, child in enumerate(node.value):
            yield from _inner(child, (*parts, place))
    else:
        yield parts, node


def begins(parts: Parts, whole: Parts) -> bool:
    """Whether a path lies at or below another."""
    return parts[: len(whole)] == whole


def nearest(parts: Parts, cited: Iterable[str]) -> Parts | None:
    """Of the paths that a case cites the longest that holds the rule; None if there is none."""
    holding = [path for text in cited if begins(parts, path := parse_path(text) or (text,))]
    return max(holding, key=len, default=None)
