"""Transcripts: the outer form of what hands and matches write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .rules import Rules
from .values import BadInput

JSON_LETTERS, JSON_DEPTH = 1 << 24, 20  # of a saved hand or match


def check_transcript(rules: Rules, data: Any) -> None:
    """BadInput with all that is wrong with the outer form of a transcript."""
    if not isinstance(data, Mapping):
        raise BadInput(["a transcript is a JSON object"])
    problems = []
    for key, wanted in (("game", rules.id), ("variants", list(rules.variants)), ("format", 1)):
        if data.get(key) != wanted:
            problems.append(f"{key} is {data.get(key)!r}, not {wanted!r}")
    if data.get("rules") != rules.digest:
        problems.append("the rules have changed since it was written")
    for key, kinds in (("players", list), ("actions", list), ("dealer", str)):
        if not isinstance(data.get(key), kinds):
            problems.append(f"{key} is missing or not of its kind")
    kept: tuple[str, ...] = ("number", "chance") if "deal" in data else ("seed", "number")
    if "position" in data:
        kept = ("chance",) if "chance" in data else ()
    for key in kept:
        value = data.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 63:
            problems.append(f"{key} is missing or not a whole number that fits")
    if problems:
        raise BadInput(problems)


def read_json(text: str) -> Any:
    """What a text says as JSON; BadInput if it is none, or too long or too deeply nested to be a saved hand or match."""
    if len(text) > JSON_LETTERS:
        raise BadInput([f"longer than {JSON_LETTERS} characters"])
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput([f"not JSON: {error}"]) from None
    level = [found]
    for _ in range(JSON_DEPTH):
        level = [
            inner
            for part in level
            if isinstance(part, dict | list)
            for inner in (part.values() if isinstance(part, dict) else part)
        ]
    if level:
        raise BadInput([f"nested deeper than {JSON_DEPTH} levels"])
    return found
