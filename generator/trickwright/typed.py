"""Checked expressions: what is known of each, and how one is refused."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from trickwright.names import Range, Type
from trickwright.problems import Mark


@dataclass(frozen=True)
class Expression:
    """A checked expression: its type, the Python for it, and what is known of its value.

    ``kinds`` are the kinds a trump may be of; of a set of cards, those of the trumps it is the cards of, or some of them.
    """

    text: str
    type: Type
    code: str
    range: Mapping[int, Range] = field(default_factory=dict)
    may_be_nobody: bool = False
    at_least: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()


class Refused(Exception):
    """An expression that is not of the language; carries what to report."""

    def __init__(
        self,
        node: ast.AST,
        text: str,
        code: str,
        hint: str = "",
        place: tuple[Mark, str] | None = None,
    ) -> None:
        super().__init__(text)
        self.node, self.text, self.code, self.hint = node, text, code, hint
        self.place = place
        """Mark and path of what is wrong, if it is not the expression itself."""


def as_cards(found: Expression) -> Expression:
    if found.type is not Type.TRUMP:
        return found
    return Expression(found.text, Type.CARDS, f"TRUMP_CARDS[{found.code}]", kinds=found.kinds)


def as_players(found: Expression) -> Expression:
    if found.type is not Type.PLAYER:
        return found
    alone = f"(1 << {found.code})"
    code = f"({alone} if {found.code} != NOBODY else 0)" if found.may_be_nobody else alone
    return Expression(found.text, Type.PLAYERS, code)


def written(node: ast.AST) -> str:
    """A part of an expression as a message quotes it; parts deeply inside each other are not told one by one."""
    try:
        text = ast.unparse(node)
    except RecursionError:
        return "..."
    return text if len(text) <= 80 else f"{text[:77]}..."


def quote(text: str) -> str:
    """A text as messages show it."""
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"
