"""Text on a terminal: wrapped to its width, never wider than reads well."""

from __future__ import annotations

import shutil
import textwrap

import click

WIDEST = 100
INDENT = "    "


def width() -> int:
    """Columns to fill."""
    return max(40, min(WIDEST, shutil.get_terminal_size().columns))


def wrapped(text: str, indent: str = INDENT, more: str = "") -> str:
    """Text in lines that fit, each indented; those after the first by ``more`` besides."""
    return textwrap.fill(
        " ".join(text.split()),
        width(),
        initial_indent=indent,
        subsequent_indent=indent + more,
        break_long_words=False,
        break_on_hyphens=False,
    )


def two_sides(left: str, right: str) -> str:
    """Two texts on one line, the second at its end; on two lines if there is no room."""
    room = width() - len(left) - len(right)
    if room >= 2:
        return f"{left}{' ' * room}{right}"
    return f"{wrapped(left, '', INDENT)}\n{' ' * (width() - len(right))}{right}"


def show(*lines: str) -> None:
    """Print lines."""
    click.echo("\n".join(lines))
