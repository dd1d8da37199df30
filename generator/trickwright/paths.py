"""Paths into rules, such as ``tables.team_goal.4[0]``: read, written, and followed to what stands there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from trickwright.problems import Mark
from trickwright.source import Node

_PLAIN = r"[\w-]+"
_QUOTED = r'"(?:[^"\\]|\\.)*"|\'[^\']*\''
_PLACE = r"0|[1-9][0-9]{0,5}"
_PART = re.compile(rf"({_PLAIN})|\[(?:({_QUOTED})|({_PLACE}))\]")
_PATH = re.compile(rf"(?:{_PLAIN}|\[(?:{_QUOTED})\])(?:\.{_PLAIN}|\[(?:{_QUOTED}|{_PLACE})\])*")
_SETTING = re.compile(rf"((?:[^=\"']|{_QUOTED})*)=(.*)", re.DOTALL)
Parts = tuple[str | int, ...]


def parse_path(text: str) -> Parts | None:
    """``tables.team_goal.4[0]`` as ``("tables", "team_goal", "4", 0)``; None if it is no path.

    A key that is more than one word stands in quotes: ``cards.named["Chance Meeting"]``.
    """
    if not _PATH.fullmatch(text):
        return None
    found = _PART.findall(text)
    try:
        return tuple(key or (_unquoted(quoted) if quoted else int(at)) for key, quoted, at in found)
    except ValueError:
        return None


def _unquoted(text: str) -> str:
    """A key in quotes: as JSON has it, or between single quotes as it is."""
    return text[1:-1] if text.startswith("'") else str(json.loads(text))


def format_path(parts: Sequence[str | int]) -> str:
    """The parts as a path again, with keys in quotes where they need them."""
    return "".join(map(_format_part, parts)).removeprefix(".")


def _format_part(part: str | int) -> str:
    if isinstance(part, str) and re.fullmatch(_PLAIN, part):
        return f".{part}"
    return f"[{json.dumps(part, ensure_ascii=False)}]"


def join_paths(path: str, inner: str) -> str:
    """The path of what stands at ``inner`` below ``path``."""
    dot = "." if path and inner and not inner.startswith("[") else ""
    return f"{path}{dot}{inner}"


def split_setting(text: str) -> tuple[str, str, str]:
    """Path, equals sign and value of ``PATH=VALUE``; a key in quotes may have an equals sign of its own."""
    whole = _SETTING.fullmatch(text)
    path, equals, value = (whole[1], "=", whole[2]) if whole else text.partition("=")
    return path, equals, value


def find(root: Node, parts: Sequence[str | int]) -> Node | None:
    """The node at a path; None if there is none."""
    node: Node | None = root
    for part in parts:
        if node is not None:
            node = child_of(node, part)
    return node


def all_paths(root: Node) -> list[str]:
    """The path of every node below the root, in the order of the file."""
    return [format_path(parts) for parts, _ in walk(root)]


def origins(root: Node) -> dict[str, Mark]:
    """For every value that is no mapping or list, or an empty one: the place that set it."""
    return {format_path(parts): node.mark for parts, node in walk(root) if not children(node)}


def child_of(node: Node, part: str | int) -> Node | None:
    """What stands at a key or a place of a node; None if nothing does."""
    if isinstance(node.value, dict) and isinstance(part, str):
        return node.value.get(part)
    if isinstance(node.value, list) and isinstance(part, int) and 0 <= part < len(node.value):
        return node.value[part]
    return None


def children(node: Node) -> list[tuple[str | int, Node]]:
    """What stands in a mapping or a list, with its key or place; nothing in other values."""
    if isinstance(node.value, dict):
        return list(node.value.items())
    return list(enumerate(node.value)) if isinstance(node.value, list) else []


def walk(node: Node, parts: Parts = ()) -> Iterator[tuple[Parts, Node]]:
    """Everything below a node, each with its path, in the order of the file."""
    for part, child in children(node):
        yield (*parts, part), child
        yield from walk(child, (*parts, part))
