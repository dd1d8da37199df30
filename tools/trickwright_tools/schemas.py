"""Finding the way through the schemas of rules: what may stand at a key, and what a definition says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trickwright.nodes import items
from trickwright.overlay import find
from trickwright.places import kind_schema, schema
from trickwright.source import Node

Schema = dict[str, Any]


def inner_schema(found: Schema, key: str) -> Schema:
    """The schema of what stands at a key of a mapping, also where a mapping is one of several forms."""
    forms = (resolved(form) for form in found.get("anyOf", ()))
    found = next((form for form in forms if form.get("type") == "object"), found)
    named: Schema | None = found.get("properties", {}).get(key)
    if named is not None:
        return named
    for pattern, inner in found.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return dict(inner)
    others = found.get("additionalProperties", {})
    return others if isinstance(others, dict) else {}


def resolved(found: Schema) -> Schema:
    """A schema with the definition it refers to; its own words go before those of the definition."""
    while "$ref" in found:
        name = found["$ref"].rsplit("/", 1)[-1]
        own = {key: value for key, value in found.items() if key != "$ref"}
        found = {**schema("game")["$defs"][name], **own, "defined": name}
    return found


def schema_at(rules: Node, parts: Sequence[str | int]) -> Schema:
    """The resolved schema of what stands, or may stand, at a path of rules; empty if nothing is said of it."""
    found = schema("game")
    for depth, part in enumerate(parts):
        if depth == 1 and parts[0] == "phases":
            kind = items(find(rules, parts[:2])).get("kind")
            found = {} if kind is None else kind_schema(str(kind.value))
        else:
            found = found.get("items", {}) if isinstance(part, int) else inner_schema(found, part)
        found = resolved(found)
    return found
