"""Everything in the rules of a game that can be changed, with what the schemas say about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trickwright.overlay import find, format_path
from trickwright.places import kind_schema, schema
from trickwright.problems import Mark
from trickwright.source import Node
from trickwright_tools.schemas import Schema, inner_schema, resolved

Parts = tuple[str | int, ...]

NO_RULES = frozenset({"game", "title", "sources", "source", "reading", "kind"})
"""Keys that say what the rules are called and where they come from: to change them changes no play."""


@dataclass(frozen=True)
class Parameter:
    """A value that can be changed: ``allowed`` says in words what may stand there."""

    path: str
    value: Any
    title: str
    description: str
    unit: str
    allowed: str
    schema: Schema
    mark: Mark
    parts: Parts
    """The path in its parts; a name with a blank in it has no path to write."""

    def as_dict(self) -> dict[str, Any]:
        """The parameter as plain data, with the bounds or values that its schema gives."""
        keys = (
            "type",
            "enum",
            "const",
            "anyOf",
            "minimum",
            "maximum",
            "minItems",
            "maxItems",
            "pattern",
        )
        limits = {key: self.schema[key] for key in keys if key in self.schema}
        return {
            "path": self.path,
            "value": self.value,
            "title": self.title,
            "description": self.description,
            "unit": self.unit,
            "allowed": self.allowed,
            "schema": limits,
            "file": self.mark.file,
            "line": self.mark.line,
            "column": self.mark.column,
        }


def parameters(root: Node) -> Iterator[Parameter]:
    """The parameters of rules that fit their schemas, in the order of the file."""
    yield from _walk(root, schema("game"), (), _Words())


@dataclass(frozen=True)
class _Words:
    """Title, description and unit that hold for a value and, unless it has its own, for those in it."""

    title: str = ""
    description: str = ""
    unit: str = ""

    def within(self, own: Schema) -> _Words:
        """The words for a part with this schema."""
        unit, whole = own.get("unit", self.unit), resolved(own)
        # "a suit of one letter" tells what is allowed, and the words around it what it is for.
        title = str(own.get("title") or ("" if _is_vague(whole) else whole.get("title", "")))
        if title[:1].isupper():
            return _Words(title, str(own.get("description", "")), unit)
        return _Words(self.title, self.description, unit)


def _walk(node: Node, found: Schema, parts: Parts, words: _Words) -> Iterator[Parameter]:
    if isinstance(node.value, dict) and node.value:
        for key, child in node.value.items():
            if key in NO_RULES:
                continue
            kind = find(child, ("kind",)) if parts == ("phases",) else None
            inner = inner_schema(found, key) if kind is None else kind_schema(str(kind.value))
            outer = words.within(inner) if kind is None else _Words()
            yield from _walk(child, resolved(inner), (*parts, key), outer)
    elif isinstance(node.value, list) and any(isinstance(item.value, dict) for item in node.value):
        for place, child in enumerate(node.value):
            inner = found.get("items", {})
            yield from _walk(child, resolved(inner), (*parts, place), words.within(inner))
    else:
        path, allowed, mark = format_path(parts), _allowed(found), _set_at(node)
        yield Parameter(
            path=path,
            value=node.plain(),
            title=words.title,
            description=words.description,
            unit=words.unit,
            allowed=allowed,
            schema=found,
            mark=mark,
            parts=parts,
        )


def _set_at(node: Node) -> Mark:
    """Where a value was set; for a list of which a part was changed, where that was done."""
    items = node.value if isinstance(node.value, list) else []
    changed = [item.mark for item in items if item.mark.file != node.mark.file]
    return changed[0] if changed else node.mark


def _is_vague(found: Schema) -> bool:
    return found.get("defined") == "expression"


def _allowed(found: Schema) -> str:
    """What may stand here, in words."""
    if "enum" in found or "const" in found:
        values = found.get("enum", [found.get("const")])
        return _or([value if isinstance(value, str) else str(value) for value in values])
    if "anyOf" in found:
        return _or([_allowed(resolved(inner)) for inner in found["anyOf"]])
    if found.get("defined") == "expression":
        return "an expression"
    kind = found.get("type")
    if kind == "boolean":
        return "true or false"
    if kind == "integer":
        return _between(found, "minimum", "maximum") or "a whole number"
    if kind == "array":
        of, count = (
            _allowed(resolved(found.get("items", {}))),
            _between(found, "minItems", "maxItems"),
        )
        values = f" of {count} value{'' if count.endswith(' 1') else 's'}" if count else ""
        return f"a list{values}, each {of}"
    if kind == "object":
        return "a mapping"
    if str(found.get("title", "")).startswith(("a ", "an ")) and "defined" not in found:
        return str(found["title"])
    return {"name": "a name", "id": "an id"}.get(found.get("defined", ""), "a text")


def _between(found: Schema, least: str, most: str) -> str:
    if least in found and most in found:
        return f"{found[least]} to {found[most]}"
    return (
        f"at least {found[least]}"
        if least in found
        else f"at most {found[most]}"
        if most in found
        else ""
    )


def _or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
