"""Messages: one JSON object on a line. What an engine writes is read as what a stranger wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from trickwright import limits, places, schema
from trickwright.problems import Mark, Problem, Report, did_you_mean
from trickwright.source import Node
from trickwright_conformance.protocol.faults import Fault

PROTOCOL: Final = 1
"""The version of the protocol that is spoken here."""

MAX_LINE: Final = limits.LINE_BYTES
"""Bytes of a line at most."""

MAX_DEPTH: Final = limits.LINE_DEPTH
"""Lists and mappings inside each other at most."""

MAX_DIGITS: Final = limits.LINE_DIGITS
"""Digits of a number at most: what every language reads alike."""

ANSWERS: Final = {
    "start": ("started",),
    "run": ("observed", "skipped", "impossible", "crashed"),
    "stop": ("stopped",),
}
"""The answers that go with each request."""

_SHORT = 60
_ODD = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff"
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"  # these break lines or turn the direction
)


class _NotAllowedError(ValueError):
    """JSON that some readers would take and others not."""


def encode(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """The object on a line. Raises Fault if there is none, or if it is larger or deeper than messages may be."""
    shown = quoted(line)
    if len(line) > MAX_LINE + 1:
        raise Fault("too-long", f"a line has more than {MAX_LINE} bytes: {shown}")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"byte {error.start + 1} of the line is not UTF-8: {shown}"
        raise Fault("not-json", said) from None
    if not text.strip():
        raise Fault("not-json", "an empty line is no message")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_number,
            parse_int=_whole,
            parse_float=_decimal,
        )
    except _NotAllowedError as error:
        raise Fault("not-json", f"{error}: {shown}") from None
    except RecursionError:
        raise Fault("not-json", _too_deep(shown)) from None
    except ValueError as error:
        said = str(getattr(error, "msg", error))
        at = f", at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        raise Fault("not-json", f"this is no JSON ({said}{at}): {shown}") from None
    if not isinstance(value, dict):
        raise Fault("not-json", f"a message is a JSON object, this is none: {shown}")
    for part, depth in _parts(value):
        if depth > MAX_DEPTH:
            raise Fault("not-json", _too_deep(shown))
        if isinstance(part, str) and (odd := _ODD.search(part)):
            name = f"U+{ord(odd[0]):04X}"
            raise Fault("not-json", f"the character {name} is not allowed: {shown}")
    return value


def _too_deep(shown: str) -> str:
    return f"nested deeper than {MAX_DEPTH} levels: {shown}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotAllowedError(f"the key {quoted(twice.encode('utf-8', 'replace'))} is there twice")
    return made


def _no_number(name: str) -> Any:
    raise _NotAllowedError(f"{name} is no number in JSON")


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise _NotAllowedError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _decimal(text: str) -> Any:
    """Whole numbers may be written ``3.0``, as some languages do; others there are none in the games."""
    value = float(text)
    if value != value // 1 or abs(value) >= 10**MAX_DIGITS:
        raise _NotAllowedError(f"{text[:_SHORT]} is no whole number")
    return int(value)


def _parts(root: Any) -> Iterator[tuple[Any, int]]:
    """Every value and key in a value, and how deep it stands."""
    waiting = [(root, 1)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if depth > MAX_DEPTH:
            return
        if isinstance(value, dict):
            waiting += [(inner, depth + 1) for pair in value.items() for inner in pair]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]


def check_answer(message: dict[str, Any], do: str) -> str:
    """What a message is, if it is an answer to such a request, and in form; else raises Fault."""
    names = [name for several in ANSWERS.values() for name in several]
    name = message.get("answer")
    if name not in names:
        found = "has no 'answer'" if name is None else f"is called {json.dumps(name)[:_SHORT]}"
        hint = did_you_mean(str(name)[:_SHORT], names, others="answers")
        raise Fault("bad-message", f"the answer {found} ({hint})")
    if name not in ANSWERS[do]:
        wanted = " or ".join(ANSWERS[do])
        raise Fault("bad-message", f"'{do}' is answered with {wanted}, not with {name}")
    _check_form(message, str(name))
    return str(name)


def check_request(message: dict[str, Any]) -> str:
    """What a message asks for, if it is a request and in form; else raises Fault."""
    name = message.get("do")
    if name not in [*ANSWERS]:  # it may be a list, which no mapping can be asked for
        found = "has no 'do'" if name is None else f"asks for {json.dumps(name)[:_SHORT]}"
        hint = did_you_mean(str(name)[:_SHORT], list(ANSWERS), others="requests")
        raise Fault("bad-message", f"the request {found} ({hint})")
    _check_form(message, str(name))
    return str(name)


def _check_form(message: dict[str, Any], name: str) -> None:
    report = Report()
    schema.check(as_node(message), places.schema(f"protocol/{name}"), report)
    if report.failed:
        raise Fault("bad-message", f"{name}: {'; '.join(map(said, report.problems))}")


def check_observed(message: Mapping[str, Any], request: Mapping[str, Any]) -> None:
    """Raise Fault if what was observed is not what was asked for: a step for each line, and every fact."""
    found: list[str] = []
    steps = message["steps"]
    lines = [line for line in request["play"] if "player" in line]
    if len(steps) != len(lines):
        found.append(f"steps: {len(lines)} lines of play, and {len(steps)} steps")
    for number, (line, step) in enumerate(zip(lines, steps, strict=False)):
        if line["may"] and "may" not in step:
            found.append(f"steps[{number}]: missing 'may', which was asked for")
    facts = message["facts"]
    for fact in request["ask"]:
        if fact not in facts:
            found.append(f"facts: missing '{fact}', which was asked for; null says there is none")
    for fact in facts:
        if fact not in request["ask"]:
            found.append(f"facts.{fact}: was not asked for")
    if found:
        raise Fault("bad-message", f"observed: {'; '.join(found)}")


_NOWHERE = Mark("answer", 1, 1)


def as_node(value: Any) -> Node:
    """Plain data as the checker of schemas takes it."""
    if isinstance(value, dict):
        return Node(
            _NOWHERE,
            {key: as_node(inner) for key, inner in value.items()},
            dict.fromkeys(value, _NOWHERE),
        )
    return Node(_NOWHERE, [as_node(inner) for inner in value] if isinstance(value, list) else value)


def said(problem: Problem) -> str:
    """A problem of a message, whose place is a path in it."""
    path = f"{problem.path}: " if problem.path else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{path}{problem.text}{hint}"


def quoted(data: bytes) -> str:
    """The beginning of some bytes as a text that can be shown on one line."""
    text = data[: 4 * _SHORT].decode("utf-8", "replace")
    more = "..." if len(text) > _SHORT or len(data) > 4 * _SHORT else ""
    return f"'{' '.join(plain(text[:_SHORT]).split())}{more}'"


def plain(text: str) -> str:
    """A text without signs that could move a terminal's cursor or turn its direction."""
    return _ODD.sub(
        lambda odd: f"\\x{ord(odd[0]):02x}" if odd[0] < "\x80" else f"\\u{ord(odd[0]):04x}", text
    )
