"""Limits: how large anything in a stranger's file may be, each with its reason. They stand here, or in a schema, and nowhere else.

Those of one value (how many suits, how long a title) are in the schemas, where editors see them. ``LIMITS`` lists all that a
rule author could meet; a page for them is made from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

FILE_BYTES: Final = 1 << 20
FILE_DEPTH: Final = 20
FILE_VALUES: Final = 10_000
ITEMS: Final = 1_000
KEY_LETTERS: Final = 200
TEXT_LETTERS: Final = 4_000
NUMBER: Final = 10**9
ODD_CHARACTERS: Final = 20

EXPRESSION_LETTERS: Final = 400
EXPRESSION_DEPTH: Final = 30
EXPRESSION_CODE: Final = 4_000

CARDS: Final = 240
VARIANTS: Final = 40
ENGINES: Final = 200
ENGINE_BYTES: Final = 1 << 20
CHANGES_BY_HAND: Final = 60


@dataclass(frozen=True)
class Limit:
    """How large something may be: the value, what it counts, why it ends there, and the problem beyond it."""

    of: str
    value: int
    unit: str
    why: str
    code: str


def _own() -> Iterator[Limit]:
    yield Limit("a file", FILE_BYTES, "bytes", "it is held in memory as a whole", "too-big")
    yield Limit("a file", FILE_VALUES, "values", "each takes memory and a check", "too-big")
    yield Limit("a file", FILE_DEPTH, "levels", "what is nested is walked by recursion", "too-big")
    yield Limit("a list or mapping", ITEMS, "entries", "each gets its own message", "too-big")
    yield Limit("a key", KEY_LETTERS, "characters", "messages quote it", "too-big")
    yield Limit("a text", TEXT_LETTERS, "characters", "nobody writes longer ones in rules", "too-big")  # fmt: skip
    yield Limit("a number", NUMBER, "", "sums and products stay in 64 bits", "too-big")
    yield Limit("odd characters", ODD_CHARACTERS, "messages", "such a file is no text at all", "odd-character")  # fmt: skip
    yield Limit("an expression", EXPRESSION_LETTERS, "characters", "people read it on one line", "bad-expression")  # fmt: skip
    yield Limit("an expression", EXPRESSION_DEPTH, "brackets, and levels", "it is walked by recursion", "bad-expression")  # fmt: skip
    yield Limit("an expression", EXPRESSION_CODE, "characters of Python", "parts that may be nobody stand in it twice", "bad-expression")  # fmt: skip
    yield Limit("what an expression may grow to", NUMBER, "", "engines count in 64 bits", "number-too-big")  # fmt: skip
    yield Limit("a deck", CARDS, "cards", "tables of an engine grow with its square", "too-many-cards")  # fmt: skip
    yield Limit("a game", VARIANTS, "variants, and languages", "each is a file that is read", "too-big")  # fmt: skip
    yield Limit("a game", ENGINES, "engines", "every two variants that combine make one", "too-big")
    yield Limit("an engine", ENGINE_BYTES, "bytes", "it is read by people and compiled by Python", "too-big")  # fmt: skip
    yield Limit("a call", CHANGES_BY_HAND, "times --set", "as many as a variant may have", "too-big")  # fmt: skip


LIMITS: Final = tuple(_own())
"""All limits that are no schema's."""

_OF_SCHEMA = (
    ("players at a table", "game", "players.items.maximum", "10 names are known, and tables grow with it"),
    ("suits", "game", "cards.suits.maxProperties", "a card is told by suit and rank in 62 bits"),
    ("ranks", "game", "cards.ranks.maxItems", "as above"),
    ("copies of a card", "game", "cards.copies.anyOf.0.maximum", "as above"),
    ("cards with names of their own", "game", "cards.named.maxProperties", "as above"),
    ("phases", "game", "phases.maxProperties", "each adds to the state of a hand"),
    ("rounds of a hand", "game", "rounds.times.maximum", "a hand must come to an end"),
    ("tables", "game", "tables.maxProperties", "nobody could follow more"),
    ("entries of a row", "game", "tables.additionalProperties.patternProperties.^[1-9][0-9]*$.maxItems", "one for each bid"),
    ("named values", "game", "scoring.define.maxProperties", "each is a function of the engine"),
    ("changes of a variant", "variant", "set.maxProperties", "each is laid over the rules"),
)  # fmt: skip


def of_schemas() -> Iterator[tuple[str, int, str]]:
    """The limits that a rule author is most likely to meet in the schemas: of what, the value, and why."""
    from trickwright.places import schema

    for of, name, path, why in _OF_SCHEMA:
        part: Any = schema(name)["properties"]
        keys = path.split(".")
        for depth, key in enumerate(keys):
            part = part[int(key)] if isinstance(part, list) else part[key]
            # Between the key of a property and what it may hold stands 'properties', unless a keyword follows.
            if depth + 1 < len(keys) and isinstance(part, dict) and keys[depth + 1] not in part:
                part = part["properties"]
        yield of, part, why
