"""Functions of the rules language about sets of cards: ranks they share, suits, and poker hands."""

from __future__ import annotations

import ast

from trickwright.functions import function
from trickwright.names import OF_CARDS, Type
from trickwright.poker import POKER_CLASSES
from trickwright.typed import Expression, Refused, written
from trickwright.walk import Walk

CARD_HELPERS = ("same_ranks", "different_ranks", "longest_suit", "poker_class")
"""Functions that an engine has only if its rules use them."""


def _one_set(walk: Walk, node: ast.Call, depth: int) -> Expression:
    """The only argument of a function, a set of cards."""
    assert isinstance(node.func, ast.Name)
    if len(node.args) != 1:
        raise Refused(node, f"{node.func.id} takes one set of cards", "wrong-kind")
    return walk.typed(node.args[0], Type.CARDS, depth)


@function("same_ranks")
def _same_ranks(walk: Walk, node: ast.Call, depth: int) -> Expression:
    """All cards of the deck that have a rank of one of these."""
    return Expression("", Type.CARDS, f"same_ranks({_one_set(walk, node, depth).code})")


@function("different_ranks", "longest_suit")
def _counts(walk: Walk, node: ast.Call, depth: int) -> Expression:
    """How many ranks there are among these cards, or how many cards are of the suit with most of them."""
    assert isinstance(node.func, ast.Name)
    inner = _one_set(walk, node, depth)
    return walk.number(f"{node.func.id}({inner.code})", walk.same(0, 200))


@function("poker_class")
def _poker_class(walk: Walk, node: ast.Call, depth: int) -> Expression:
    """The best class of five cards; the rank named second stands at both ends of a straight."""
    if len(node.args) not in (1, 2):
        text = "poker_class takes five cards, and perhaps the rank that is both high and low"
        raise Refused(node, text, "wrong-kind")
    cards = walk.typed(node.args[0], Type.CARDS, depth)
    ranks = [
        name.code
        for name in map(walk.scope.get, walk.scope)
        if name is not None and name.provided_by == OF_CARDS and name.kinds == ("rank",)
    ]
    both = "0"
    if len(node.args) == 2:
        end = walk.typed(node.args[1], Type.TRUMP, depth)
        place = ranks.index(end.code) if end.code in ranks else -1
        if place not in (0, len(ranks) - 1) or len(ranks) < 5:
            text = f"'{written(node.args[1])}' is neither the lowest nor the highest rank"
            raise Refused(node.args[1], text, "wrong-kind")
        low = 0b1111 if place else 0b1111 << len(ranks) - 4
        both = f"{low | 1 << place:#x}"
    code = f"poker_class({cards.code}, {both})"
    return Expression("", Type.POKER_CLASS, code, kinds=POKER_CLASSES)
