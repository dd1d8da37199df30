"""Laying text out on lines of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from unicodedata import east_asian_width

WIDTH = 78


def room(text: str) -> int:
    """The columns a text takes: some signs, such as coloured circles, are two wide."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(sign) in "FW" else 1 for sign in text)


def rule(title: str, line: str = "─") -> str:
    """A heading that runs across; without a title, a line."""
    return (f"{line * 2} {title} " if title else "").ljust(WIDTH, line)


def short(text: str, width: int) -> str:
    """A text that is not too wide."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def fold(
    parts: Sequence[str],
    between: str = " · ",
    first: str = "",
    indent: str = "  ",
    width: int = WIDTH,
) -> str:
    """Parts one after another, on as many lines as that takes; no part is broken."""
    lines = [first]
    fresh = True
    for part in parts:
        joined = lines[-1] + ("" if fresh else between) + part
        if not fresh and room(joined) > width:
            lines[-1] = lines[-1] + between.rstrip()
            lines.append(indent + part)
        else:
            lines[-1] = joined
        fresh = False
    return "\n".join(line.rstrip() for line in lines)


def wrap(text: str, indent: str = "  ") -> str:
    """A sentence on as many lines as it takes."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def columns(rows: Sequence[Sequence[str]], left: Sequence[bool], gap: str = "  ") -> list[str]:
    """A table, its columns as wide as they must be; ``left`` says which of them begin at the left."""
    widths = [max(room(row[place]) for row in rows) for place in range(len(left))]
    return [
        gap.join(
            cell + " " * (width - room(cell)) if at_left else " " * (width - room(cell)) + cell
            for cell, width, at_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]
