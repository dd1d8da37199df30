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
from trickwright import limits
from trickwright.names import Scope, Type
from trickwright.problems import Report
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.typed import Expression, Refused, as_cards, quote
from trickwright.walk import FUNCTIONS, Walk

__all__ = [
    "FUNCTION_NAMES",
    "Expression",
    "Site",
    "names_used",
    "noting_reads",
    "noting_sites",
    "parse",
    "tidy",
]

_ODD_NUMBER = re.compile(r"(?<![\w.])(?:0\d|\d+[A-Za-z_])\w*")

_PAIRS = {"(": ")", "[": "]", "{": "}"}

FUNCTION_NAMES = tuple(FUNCTIONS)
"""Functions that every game may use."""

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


_READS: ContextVar[dict[tuple[str, int], int] | None] = ContextVar("reads", default=None)


@contextmanager
def noting_reads() -> Iterator[dict[tuple[str, int], int]]:
    """While it lasts, the last entry that matters of each row is noted, by table and number of players."""
    reads: dict[tuple[str, int], int] = {}
    token = _READS.set(reads)
    try:
        yield reads
    finally:
        _READS.reset(token)


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
        walk = Walk(scope, tables, players)
        found = walk.visit(tree.body, 0)
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
    for part, said in () if report.failed else walk.idle:  # what is wrong may hold wrong bounds
        mark = node.mark_of(part.col_offset + len(text) - len(text.lstrip()))
        report.warning(mark, path, said, "never-acts")
    reads = _READS.get()
    if reads is not None:
        levels = [
            ((table, n), end) for table, ends in walk.levels.values() for n, end in ends.items()
        ]
        for row, end in [*walk.reads.items(), *levels]:
            reads[row] = max(end, reads.get(row, 0))
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
    if len(text) > limits.EXPRESSION_LETTERS:
        raise Refused(
            start,
            f"an expression may have {limits.EXPRESSION_LETTERS} characters at most",
            "bad-expression",
        )
    if not text.isascii() or not text.isprintable():
        raise Refused(
            start, "an expression is one line of plain letters, digits and signs", "bad-expression"
        )
    if "#" in text:
        raise Refused(start, "an expression has no comments", "bad-expression")
    if odd := _ODD_NUMBER.search(text.strip()):
        start.col_offset = odd.start()
        said = f"{quote(odd[0])} is no plain number"
        raise Refused(start, said, "bad-expression", "write it in digits alone, such as 12")
    if text.count("(") + text.count("[") + text.count("{") > limits.EXPRESSION_DEPTH:
        raise Refused(start, "too many brackets in one expression", "bad-expression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        if (bracket := _without_partner(text.strip())) is not None:
            start.col_offset = bracket
            sign = text.strip()[bracket]
            said = f"the bracket '{sign}' is not {'closed' if sign in _PAIRS else 'opened'} in {quote(text)}"
            raise Refused(
                start, said, "bad-expression", "brackets come in pairs: ( ) [ ]"
            ) from None
        hint = "such as taken >= goal"
        if re.search(r"[^=<>!]=[^=]", text):
            hint = "to compare two values write =="
        said = f"{quote(text)} is not an expression"
        raise Refused(start, said, "bad-expression", hint) from None


def _without_partner(text: str) -> int | None:
    """Where the first bracket stands that nothing closes, or that closes nothing; None if all are in pairs."""
    opened: list[int] = []
    for place, sign in enumerate(text):
        if sign in _PAIRS:
            opened.append(place)
        elif sign in _PAIRS.values():
            if not opened:
                return place
            if _PAIRS[text[opened[-1]]] != sign:
                return opened[-1]
            opened.pop()
    return opened[-1] if opened else None


@lru_cache(_KEPT)
def tidy(code: str) -> str:
    """The same Python with only the brackets it needs."""
    return ast.unparse(ast.parse(code, mode="eval"))
