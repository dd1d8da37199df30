"""The expression language: small, typed, checked, and turned into Python for the engine.

An expression is parsed with ``ast`` and walked through an allow-list; the Python that comes out is built from
checked parts only, so nothing that a rules file says reaches an engine in any other way.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

import trickwright.card_functions
import trickwright.functions  # noqa: F401  (these two register the functions)
from trickwright.names import Scope, Type
from trickwright.problems import Report
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.typed import DEEPEST, LARGEST, Expression, Refused, as_cards, quote
from trickwright.walk import FUNCTIONS, Walk

__all__ = [
    "FUNCTION_NAMES",
    "LARGEST",
    "Expression",
    "Site",
    "names_used",
    "noting_sites",
    "parse",
    "tidy",
]

FUNCTION_NAMES = tuple(FUNCTIONS)
"""Functions that every game may use."""

_LONGEST = 400
_KEPT = 1000
"""Expressions whose trees and texts are kept: those of some games, for sets of variants have most in common."""


@dataclass(frozen=True)
class Site:
    """A place of the rules at which an expression stands: its text, and all that one may write there."""

    text: str
    scope: Scope
    tables: Mapping[str, Table]
    players: tuple[int, ...]
    at: tuple[Node, str]
    wanted: tuple[Type, ...]

    def takes(self, text: str) -> bool:
        """Whether another expression would be sound here."""
        found = parse(text, self.scope, self.tables, self.players, self.at, Report(), self.wanted)
        return found is not None


_NOTED: ContextVar[list[Site] | None] = ContextVar("noted", default=None)


@contextmanager
def noting_sites() -> Iterator[list[Site]]:
    """While it lasts, the place of every expression that is checked is put into the list."""
    sites: list[Site] = []
    token = _NOTED.set(sites)
    try:
        yield sites
    finally:
        _NOTED.reset(token)


def parse(
    text: str,
    scope: Scope,
    tables: Mapping[str, Table],
    players: tuple[int, ...],
    at: tuple[Node, str],
    report: Report,
    wanted: tuple[Type, ...] = (),
) -> Expression | None:
    """Check an expression and translate it; None, with a problem reported, if it is not sound.

    ``at`` is the node that holds the text, and its path.
    ``wanted`` lists the types that fit where the expression stands; any if empty.
    """
    node, path = at
    noted = _NOTED.get()
    if noted is not None:
        noted.append(Site(text, scope.copy(), tables, players, at, wanted))
    try:
        tree = _tree(text)
        found = Walk(scope, tables, players).visit(tree.body, 0)
        if (
            wanted
            and found.type not in wanted
            and not (found.type is Type.TRUMP and Type.CARDS in wanted)
        ):
            names = " or ".join(kind.value for kind in wanted)
            raise Refused(
                tree.body,
                f"{quote(text)} is {found.type.value}; {names} is wanted here",
                "wrong-kind",
            )
        if found.type is Type.TRUMP and Type.CARDS in wanted and Type.TRUMP not in wanted:
            found = as_cards(found)
    except Refused as refused:
        if refused.text:
            blank = len(text) - len(text.lstrip())
            mark = node.mark_of(getattr(refused.node, "col_offset", 0) + blank)
            mark, at_path = refused.place or (mark, path)
            report.error(mark, at_path, refused.text, refused.code, refused.hint)
        return None
    return Expression(
        text,
        found.type,
        found.code,
        found.range,
        found.may_be_nobody,
        found.at_least,
        found.kinds,
        frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)),
    )


@lru_cache(_KEPT)
def names_used(text: str) -> frozenset[str]:
    """The names that a text would use as an expression; none if it is not one."""
    try:
        tree = _tree(text)
    except Refused:
        return frozenset()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@lru_cache(_KEPT)
def _tree(text: str) -> ast.Expression:
    start = ast.Constant(0)
    if len(text) > _LONGEST:
        raise Refused(
            start, f"an expression may have {_LONGEST} characters at most", "bad-expression"
        )
    if not text.isascii() or not text.isprintable():
        raise Refused(
            start, "an expression is one line of plain letters, digits and signs", "bad-expression"
        )
    if text.count("(") + text.count("[") + text.count("{") > DEEPEST:
        raise Refused(start, "too many brackets in one expression", "bad-expression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        hint = "such as taken >= goal"
        if re.search(r"[^=<>!]=[^=]", text):
            hint = "to compare two values write =="
        said = f"{quote(text)} is not an expression"
        raise Refused(start, said, "bad-expression", hint) from None


@lru_cache(_KEPT)
def tidy(code: str) -> str:
    """The same Python with only the brackets it needs."""
    return ast.unparse(ast.parse(code, mode="eval"))
