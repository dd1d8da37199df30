"""Damage: inputs that are nearly right, made from real ones by changing bytes, words or parts of their trees."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import yaml

TEXTS = (
    "", " ", "a", "é", "♣", "2♣", "A", "nobody", "none", "pass", "source", "reading", "en", "xx", "null", "true", "1", "-1",
    "class", "self", "__class__", "__import__('os')", "a.b", "a[0]", "tables.team_goal.4[0]", "..", "/etc/passwd", "con",
    '"', "'", '"""', "'''", "\\", "\\N{BULLET}", "{", "}", "{{ x }}", "{% raw %}", "{# #}", "{0}", "%s", "%(x)s", "${x}", "#",
    "\n", "\r", "\x00", "\x0b", "\x1b[31m", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\ufe0f", "\u0301", "ﬁ", "ℌ", "а",
    "\ud800", "\U0001f0a1", "\U000e0041", "x" * 41, "x" * 201, "x" * 1001, "x" * 5000,
    "9**9**9", "9" * 400, "1 if True else 2", "min(1)", "max()", "players // 0", "-" * 50 + "1", "(" * 40, "bid(bid(chief))",
    "1:30", "0x1F", "1e400", "2-10", "10-2", "1-1", "A-A", "-", "2-", "-2", "99999999-2", "2026-01-01", ".inf", "~", "<<",
)  # fmt: skip
"""Texts that have broken readers, compilers and terminals, and some that are nearly right."""

NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 9, 10, 41, 61, 62, 63, 100, 255, 10**6, 10**9, 10**9 + 1, -(10**9), 1 << 31, 1 << 63, 10**18,
    10**40, 0.0, 1.0, -0.5, 1e-9, 1e300, float("inf"), float("nan"), True, False, None,
)  # fmt: skip

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_SIGNS = "{}[]()\"'`:,-.#&*!|>%@?=<\\/ \n\r\t~^$0123456789aZé♣\u200b\u202e\x00"


def _bytes(text: str, others: Sequence[str], chance: random.Random) -> str:
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.choice((1, 1, 1, 2, 16))):
        place = chance.randrange(len(raw) + 1)
        match chance.randrange(4):
            case 0:
                raw[place:place] = bytes([chance.randrange(256)])
            case 1 if place < len(raw):
                raw[place] ^= 1 << chance.randrange(8)
            case 2:
                del raw[place : place + chance.choice((1, 1, 2, 8, 64))]
            case _:
                raw[place:place] = raw[place : place + chance.choice((1, 4, 32))]
    return raw.decode("utf-8", chance.choice(("replace", "ignore")))


def _signs(text: str, others: Sequence[str], chance: random.Random) -> str:
    for _ in range(chance.choice((1, 1, 2, 3))):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(_SIGNS) + text[place + chance.randrange(2) :]
    return text


def _words(text: str, others: Sequence[str], chance: random.Random) -> str:
    parts = _WORD.findall(text) or [""]
    known = _WORD.findall(chance.choice(others)) or [""]
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        place = chance.randrange(len(parts))
        match chance.randrange(6):
            case 0:
                parts[place] = chance.choice(known)
            case 1:
                parts[place] = chance.choice(TEXTS)
            case 2:
                parts[place] = str(chance.choice(NUMBERS))
            case 3:
                parts[place] = ""
            case 4:
                other = chance.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
            case _:
                parts[place] *= chance.choice((2, 3, 30))
    return "".join(parts)


def _lines(text: str, others: Sequence[str], chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    place = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[place : place + chance.choice((1, 2, 8))]
        case 1:
            lines.insert(place, chance.choice(lines))
        case 2:
            lines.insert(place, chance.choice(chance.choice(others).splitlines(True) or ["\n"]))
        case 3:
            lines[place] = " " * chance.randrange(6) + lines[place].lstrip()
        case _:
            other = chance.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


def _splice(text: str, others: Sequence[str], chance: random.Random) -> str:
    other = chance.choice(others)
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other) + 1) :]


def _tree(text: str, others: Sequence[str], chance: random.Random) -> str:
    """The text as a tree, some of whose parts are lost, doubled, swapped, renamed, wrapped or replaced."""
    try:
        root, other = _loaded(text), _loaded(chance.choice(others))
    except (ValueError, yaml.YAMLError, RecursionError):
        return _words(text, others, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_places(root))
        if not places:
            break
        inside, key = chance.choice(places)
        donor, donor_key = chance.choice(list(_places(other)) or [({0: None}, 0)])
        match chance.randrange(8):
            case 0:
                del inside[key]
            case 1:
                inside[key] = copy.deepcopy(donor[donor_key])  # else it might come to hold itself
            case 2:
                inside[key] = chance.choice(TEXTS)
            case 3:
                inside[key] = chance.choice(NUMBERS)
            case 4:
                inside[key] = chance.choice(([], {}, [inside[key]], {"a": inside[key]}))
            case 5 if isinstance(inside, dict):
                name = chance.choice((*TEXTS, str(donor_key), str(key) + "x"))
                inside[name] = inside[key] if chance.random() < 0.5 else inside.pop(key)
            case 6 if isinstance(inside[key], list):
                inside[key] = inside[key] * chance.choice((2, 3, 50))
            case _:
                value = inside[key]
                inside[key] = _nearly(value, chance)
    return json.dumps(root, ensure_ascii=chance.random() < 0.2)


def _nearly(value: Any, chance: random.Random) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + chance.choice((-2, -1, 1, 2, 10, 1000))
    if isinstance(value, str):
        return _words(value, [value or "a"], chance)
    return str(value)


def _loaded(text: str) -> Any:
    try:
        root = json.loads(text)
    except ValueError:
        root = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(root, dict | list):
        raise ValueError("no tree")
    return json.loads(json.dumps(root, default=str, skipkeys=True))  # no part stands twice in it


def _places(value: Any, depth: int = 0) -> Any:
    """Every container below a value, with each key or index it has."""
    if depth < 40 and isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key], depth + 1)


WAYS: tuple[Callable[[str, Sequence[str], random.Random], str], ...] = (
    _tree, _tree, _tree, _words, _words, _signs, _lines, _bytes, _splice,
)  # fmt: skip


def damaged(text: str, others: Sequence[str], chance: random.Random) -> str:
    """The text with some damage; ``others`` are texts of the same sort, parts of which may come in."""
    for _ in range(chance.choice((1, 1, 1, 1, 1, 2))):
        is_json = text.startswith("{") and chance.random() < 0.6  # damaged letters mostly break it
        text = _tree(text, others, chance) if is_json else chance.choice(WAYS)(text, others, chance)
    return text[:400_000]
