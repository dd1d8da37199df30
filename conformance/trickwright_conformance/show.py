"""Showing results: a failure tells where, rule, source, given, expected, got, and how to run it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from trickwright import GameFiles
from trickwright.paths import find, parse_path
from trickwright_conformance.runner import Result

_LONGEST = 2_000
"""Letters of a row at most: an engine may answer anything."""


def show_failure(
    result: Result,
    files: GameFiles,
    sets: Sequence[str] = (),
    *,
    again: Sequence[str] = (),
    stderr: str = "",
) -> str:
    """All that one needs to understand a failed case. ``again`` are more words of the call that plays it again."""
    case = result.case
    lines = [f"FAILED {case.id}  {case.mark}", f"  {case.title}"]
    for path in case.rules:
        node = find(files.rules, parse_path(path) or ())
        lines.append(_row("rule", path if node is None else f"{path}  ({node.mark})"))
    if case.reading:
        lines.append(_row("reading", case.reading))
    for name, heading in case.source.items():
        if name != "example":
            example = f", example {case.source['example']}" if "example" in case.source else ""
            lines.append(_row("source", f"{name}: {brief(heading)}{example}"))
    if result.side.variants:
        lines.append(_row("variants", result.side.name))
    lines.append(_row("given", brief(case.given)))
    if case.play:
        lines.append(_row("play", " · ".join(brief(line) for line in case.play)))
    if result.trouble:
        lines.append(_row("trouble", result.trouble))
    for mismatch in result.mismatches:
        lines.append(_row("expected", f"{mismatch.fact}: {brief(mismatch.expected)}"))
        lines.append(_row("got", f"{mismatch.fact}: {brief(mismatch.got)}"))
    lines += [_row("stderr", line) for line in stderr.splitlines()]
    call = ["trickwright", "test", files.id, *again, "--case", case.id]
    for value in sets:
        call += ["--set", value]
    lines.append(_row("again", shlex.join(call)))
    return "\n".join(lines)


def _row(label: str, text: str) -> str:
    more = "..." if len(text) > _LONGEST else ""
    seen = (sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text[:_LONGEST])
    return f"  {label:<9} {''.join(seen)}{more}"


def brief(value: Any) -> str:
    """A value on one line, as a case would write it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_inner(inner)}" for key, inner in value.items())
    return _inner(value)


def _inner(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_inner(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inner, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "nothing" if value is None else str(value)
