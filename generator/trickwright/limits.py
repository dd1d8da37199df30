"""Limits: how large anything that a stranger writes may be, each with its reason. They stand here, or in a schema.

Those of one value (how many suits, how long a title) are in the schemas, where editors see them. ``LIMITS`` lists all that an
author could meet; a page for them is made from it. An engine runs without this package, so the runtime that all engines share
has numbers of its own: ``OF_RUNTIME`` says what they must be, and a test holds them to it.
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
BIDS: Final = 60
CASE_NUMBER: Final = 10**6

SAVED_LETTERS: Final = 1 << 24
SAVED_DEPTH: Final = 20
TRANSCRIPT_BYTES: Final = 10_000_000
LINE_BYTES: Final = 1 << 20
LINE_DEPTH: Final = 20
LINE_DIGITS: Final = 15

MESSAGE_LETTERS: Final = 1_000
GUESSED_PATHS: Final = 3_000
SCHEMA_DEPTH: Final = 12
"""References and alternatives that are followed in a schema; they are our own, but a circle in them comes to an end."""

OF_RUNTIME: Final = {
    "JSON_LETTERS": SAVED_LETTERS,
    "JSON_DEPTH": SAVED_DEPTH,
    "MOST_PROBLEMS": 50,  # that are told of one input
    "MOST_LETTERS": 500,  # of a message
    "MOST_POINTS": 10**15,  # of a player in a hand, and before the first hand of a match
    "MOST_NAMED": 12,  # things that a message lists
    "MOST_TRIES": 10_000,  # deals that are drawn before it is said that none fits
}
"""The limits of the runtime, by name."""


@dataclass(frozen=True)
class Limit:
    """How large something may be: the value, what it counts, why it ends there, and the problem beyond it.

    The code is empty if what is beyond is left out, or refused by an engine or a runner in words of its own.
    """

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
    yield Limit("an auction", BIDS, "different bids", "a set of them is a number of 64 bits", "out-of-bounds")  # fmt: skip
    yield Limit("a number of a case", CASE_NUMBER, "", "no score comes near it", "out-of-bounds")
    yield Limit("a saved hand or match", SAVED_LETTERS, "characters", "it is held in memory as a whole", "")  # fmt: skip
    yield Limit("a saved hand or match", SAVED_DEPTH, "levels", "no engine writes deeper ones", "")
    yield Limit("a transcript to replay", TRANSCRIPT_BYTES, "bytes", "no match takes more", "")
    yield Limit("a line of the protocol", LINE_BYTES, "bytes", "it is held in memory as a whole", "")  # fmt: skip
    yield Limit("a line of the protocol", LINE_DEPTH, "levels", "what is nested is walked by recursion", "")  # fmt: skip
    yield Limit("a number of the protocol", LINE_DIGITS, "digits", "every language reads them alike", "")  # fmt: skip
    yield Limit("a message", MESSAGE_LETTERS, "characters", "people read it; what is longer is cut", "")  # fmt: skip
    yield Limit("a suggestion", GUESSED_PATHS, "paths compared", "enough for any rules, and still quick", "")  # fmt: skip


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
