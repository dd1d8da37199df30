"""Python text: values of the rules as literals that no formatter would touch and nothing can escape from."""

from __future__ import annotations

import json
from collections.abc import Iterable
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


def hexadecimal(value: int) -> str:
    """A set of cards as Python."""
    return f"0x{value:X}"
