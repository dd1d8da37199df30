"""Pages for rule authors that are made from the schemas, so that they cannot say anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trickwright.kinds import kind_names
from trickwright.limits import LIMITS, of_schemas
from trickwright.places import schema

_HEAD = """\
# Kinds of phase

<!-- Made from spec/schema/kinds by: trickwright generate -->

A phase has a `kind`, a `source`, perhaps a `reading`, and the parameters of its kind. Those in **bold** must be given.
"""
_OWN = ("kind", "source", "reading")
_TYPES = {"integer": "whole number", "string": "text", "boolean": "true or false"}


def kinds_page() -> str:
    """All kinds with their parameters, as Markdown."""
    return _HEAD + "".join(_kind(name) for name in kind_names())


def limits_table() -> str:
    """All limits that a rule author could meet, as a table in Markdown."""
    rows = [(limit.of, limit.value, limit.unit, limit.why) for limit in LIMITS]
    rows += [("a game", value, of, why) for of, value, why in of_schemas()]
    lines = [
        f"| {of} | {value:,}{f' {unit}' if unit else ''} | {why} |" for of, value, unit, why in rows
    ]
    return "\n".join(["| of | at most | because |", "|---|---|---|", *lines]) + "\n"


def _kind(name: str) -> str:
    whole = schema(f"kinds/{name}")
    rows = "".join(
        f"| {key} | {values} | {meaning} |\n"
        for key, values, meaning in _rows(whole, "")
        if key.strip("*`") not in _OWN
    )
    head = f"\n## {name}: {whole['title'].lower()}\n\n{whole['description']}\n\n"
    return head + "| parameter | values | meaning |\n|---|---|---|\n" + rows


def _rows(node: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    """A row for each parameter, those inside others with their path."""
    for key, inner in node.get("properties", {}).items():
        here = f"`{path}{key}`"
        shown = f"**{here}**" if key in node.get("required", ()) else here
        title, more = inner.get("title", ""), inner.get("description", "")
        meaning = f"{title}. {more}" if more else title
        yield shown, _values(inner), meaning.replace("|", "\\|").replace("\n", " ")
        yield from _rows(inner, f"{path}{key}.")
        free = inner.get("additionalProperties")
        if isinstance(free, dict) and "properties" in free:
            yield from _rows(free, f"{path}{key}.NAME.")


def _values(node: Mapping[str, Any]) -> str:
    """The values that a parameter may have, in a few words."""
    if "anyOf" in node:
        return " or ".join(dict.fromkeys(filter(None, map(_values, node["anyOf"]))))
    if "enum" in node or "const" in node:
        return ", ".join(f"`{value}`" for value in node.get("enum", [node.get("const")]))
    reference = str(node.get("$ref", "")).rpartition("/")[2]
    if reference:
        return "expression" if reference == "expression" else "name"
    kind = node.get("type")
    if kind == "array":
        return f"list of: {_values(node.get('items', {})) or 'values'}"
    if kind == "object":
        return "mapping"
    bounds = [str(node[key]) for key in ("minimum", "maximum") if key in node]
    unit = f" {node['unit']}" if "unit" in node else ""
    return _TYPES.get(str(kind), "") + (f" {' to '.join(bounds)}{unit}" if bounds else "")
