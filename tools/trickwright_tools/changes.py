"""What differs between two sets of rules: paths, old and new values, and who set them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trickwright.compile import GameFiles
from trickwright.paths import find, format_path, parse_path
from trickwright.problems import Mark
from trickwright.source import Node

Parts = tuple[str | int, ...]
SHORT = 200
"""Characters of a value that are shown."""


@dataclass(frozen=True)
class Change:
    """One difference. ``old`` or ``new`` is None if the rules before or after have nothing at the path."""

    path: str
    old: Node | None
    new: Node | None
    mark: Mark

    @property
    def text(self) -> str:
        """The change on one line."""
        if self.new is None:
            was = (
                ""
                if self.old is None or isinstance(self.old.value, dict)
                else f"{written(self.old.plain())}, "
            )
            return f"{self.path}: {was}taken out"
        old = "" if self.old is None else f"{written(self.old.plain())} -> "
        return f"{self.path}: {old}{written(self.new.plain())}"

    def as_dict(self) -> dict[str, Any]:
        """The change as plain data; a path that is not there has no ``old`` or no ``new``."""
        sides = (("old", self.old), ("new", self.new))
        values = {name: node.plain() for name, node in sides if node is not None}
        place = {"file": self.mark.file, "line": self.mark.line, "column": self.mark.column}
        return {"path": self.path, **values, **place}


def changes(files: GameFiles, root: Node, variants: Sequence[str]) -> list[Change]:
    """The differences between a game's own rules and the rules with variants and values laid over them."""
    removed = {path: mark for name in variants for path, mark in _removed(files.variants[name])}
    return list(_differ(files.rules, root, (), removed))


def _removed(variant: Node) -> Iterator[tuple[str, Mark]]:
    """The paths that a variant takes out, with the places that say so."""
    listed = find(variant, ("remove",))
    for item in listed.value if listed is not None and isinstance(listed.value, list) else ():
        yield format_path(parse_path(str(item.value)) or (str(item.value),)), item.mark


def _differ(old: Node, new: Node, parts: Parts, removed: dict[str, Mark]) -> Iterator[Change]:
    if isinstance(old.value, dict) and isinstance(new.value, dict):
        for key in dict.fromkeys([*old.value, *new.value]):
            before, after = old.value.get(key), new.value.get(key)
            at = (*parts, key)
            if before is not None and after is not None:
                yield from _differ(before, after, at, removed)
            else:
                path = format_path(at)
                mark = after.mark if after is not None else removed.get(path, new.mark)
                yield Change(path, before, after, mark)
    elif _same_length(old, new):
        assert isinstance(old.value, list) and isinstance(new.value, list)
        for place, (before, after) in enumerate(zip(old.value, new.value, strict=True)):
            yield from _differ(before, after, (*parts, place), removed)
    elif repr(old.plain()) != repr(new.plain()):
        path = format_path(parts)
        inside = [mark for gone, mark in removed.items() if gone.startswith(f"{path}[")]
        yield Change(path, old, new, inside[0] if inside else new.mark)


def _same_length(old: Node, new: Node) -> bool:
    return (
        isinstance(old.value, list)
        and isinstance(new.value, list)
        and len(old.value) == len(new.value)
    )


def written(value: Any, most: int = SHORT) -> str:
    """A value as its author would write it on one line, cut if it is very long."""
    text = _written(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return value if isinstance(value, str) else json.dumps(value)
