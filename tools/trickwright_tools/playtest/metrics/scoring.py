"""Which scoring rules act, with which bids and trumps, and whom they pay what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from trickwright.meaning import CheckedRule, Meaning
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import (
    Collected,
    Line,
    Metric,
    Section,
    Told,
    by_role,
    capital,
    metric,
)
from trickwright_tools.playtest.metrics.bids import class_title, class_word, classes

_OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def opposite(condition: str) -> str:
    """The condition that holds where this one does not, if it is a plain comparison; else empty."""
    tree = ast.parse(condition.strip(), mode="eval").body
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return ""
    tree.ops = [_OPPOSITE[type(tree.ops[0])]()] if type(tree.ops[0]) in _OPPOSITE else []
    return ast.unparse(tree) if tree.ops else ""


def conditions(rules: Iterable[CheckedRule]) -> list[tuple[str, str]]:
    """The conditions under which rules act, with the id of the first rule: each once, and without those that say the opposite."""
    found: dict[str, str] = {}
    for rule in rules:
        text = ast.unparse(ast.parse(rule.rule.when.strip(), mode="eval")) if rule.rule.when else ""
        if text and text not in found and opposite(text) not in found:
            found[text] = rule.rule.id
    return [(rule, condition) for condition, rule in found.items()]


def in_words(told: Told, condition: str) -> str:
    """A condition with the game's words for the values in it."""
    for sign, said in ((">=", "≥"), ("<=", "≤"), ("==", "="), ("!=", "≠")):
        condition = condition.replace(sign, said)
    return re.sub(r"[a-z_][a-z_0-9]*", lambda found: told.word("value", found[0]), condition)


def ended(title: str, told: Told, outcome: str, among: Iterable[bool]) -> str:
    """A title with the way in which hands ended, if there are several of those that it is told for."""
    return f"{title}: {told.word('outcome', outcome)}" if sum(among) > 1 else title


@metric
class Acting(Metric):
    """How often rules with a condition act, with each bid and with what is named."""

    order = 26

    def applies(self, meaning: Meaning) -> bool:
        """Where a rule has a condition."""
        return any(rule.when for ending in meaning.endings for rule in ending.rules)

    def collect(self, frame: Frame) -> Collected:
        """For each condition the hands in which it held, of those that ended so, in all and by class."""
        found: Collected = {}
        for ending in frame.measures.compiled.meaning.endings:
            ended = frame.ended(ending.outcome).astype(frame.ones.dtype)
            for rule, _ in conditions(ending.rules):
                column = next(
                    c
                    for c in frame.columns("acted")
                    if (c.outcome, c.name) == (ending.outcome, rule)
                )
                acted = frame.told_of(column)
                found["acting", ending.outcome, rule, "all"] = acted, ended
                for kind, name, number, names in classes(frame):
                    if kind == "trump" and not self._chosen(frame, name):
                        continue
                    for value, called in enumerate(names):
                        hit = ended * (number == value)
                        found["acting", ending.outcome, rule, kind, name, called] = acted * hit, hit
        return found

    @staticmethod
    def _chosen(frame: Frame, name: str) -> bool:
        """Whether a trump is of several kinds, so that sorting by them tells something."""
        scopes = (ending.scope for ending in frame.measures.compiled.meaning.endings)
        return any(len(found.kinds) > 1 for scope in scopes if (found := scope.get(name)))

    def tell(self, told: Told) -> Iterable[Section]:
        """A table of all conditions, and one for each condition and way to sort hands."""
        for ending in told.meaning.endings:
            found = [
                (rule, in_words(told, condition)) for rule, condition in conditions(ending.rules)
            ]
            keys = [("acting", ending.outcome, rule, "all") for rule, _ in found]
            lines = tuple(
                Line(
                    key,
                    f"{capital(key[2].replace('_', ' '))}: {condition}",
                    "share",
                    tile=f"{key[2].replace('_', ' ')}: {condition}",
                )
                for key, (_, condition) in zip(keys, found, strict=True)
            )
            if not lines:
                continue
            ways = len(told.meaning.endings) > 1
            of = (
                f"hands that end as “{told.word('outcome', ending.outcome)}”"
                if ways
                else "all hands"
            )
            title = "How often scoring rules act"
            having = (bool(conditions(one.rules)) for one in told.meaning.endings)
            title = ended(title, told, ending.outcome, having)
            yield Section(title, f"The share of {of}.", lines)
            for rule, condition in found:
                start = ("acting", ending.outcome, rule)
                sorts = dict.fromkeys(key[3:5] for key in told.keys(*start) if len(key) > 4)
                for kind, name in sorts:
                    by = tuple(
                        Line(key, class_word(told, kind, key[5]), "share")
                        for key in told.keys(*start, kind, name)
                        if told.sums[key].n
                    )
                    title = f"{capital(rule.replace('_', ' '))}, by {class_title(told, kind, name)}"
                    having = (any(rule == r.rule.id for r in e.rules) for e in told.meaning.endings)
                    title = ended(title, told, ending.outcome, having)
                    yield Section(title, f"How often “{condition}” holds.", by)


@metric
class Values(Metric):
    """The values that the scoring works with."""

    order = 28

    def applies(self, meaning: Meaning) -> bool:
        """Where the rules name any."""
        return any(ending.values for ending in meaning.endings)

    def collect(self, frame: Frame) -> Collected:
        """Each value in the hands that ended in a way in which it has one."""
        found: Collected = {}
        for column in frame.columns("value"):
            there = frame.ended(column.outcome).astype(frame.ones.dtype)
            found["values", column.outcome, column.name] = frame.told_of(column) * there, there
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """A table for each way to end a hand."""
        for ending in told.meaning.endings:
            lines = tuple(
                Line(("values", ending.outcome, name), capital(told.word("value", name)))
                for name in ending.values
            )
            having = (bool(one.values) for one in told.meaning.endings)
            title = ended("Values of the scoring", told, ending.outcome, having)
            text = f"Mean over the hands that end as “{told.word('outcome', ending.outcome)}”."
            if lines:
                yield Section(title, text, lines, chart=False)


@metric
class Paying(Metric):
    """What each rule pays each role."""

    order = 34

    def collect(self, frame: Frame) -> Collected:
        """For each rule and role: what the rule paid those who have it, and how many they are, in hands that ended so."""
        found: Collected = {}
        roles = [(c.name, frame.holders(c)) for c in frame.columns("role")]
        for column in frame.columns("paid"):
            paid = frame.told_by_seat(column)
            ended = frame.ended(column.outcome).astype(paid.dtype)
            start = "paying", column.outcome, column.name
            found[*start, ""] = paid.sum(axis=1), ended * frame.players
            for name, holders in roles:
                held = holders * ended[:, None]
                found[*start, name] = (paid * held).sum(axis=1), held.sum(axis=1)
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """A table for each way to end a hand."""
        for ending in told.meaning.endings:
            keys = [
                key
                for rule in ending.rules
                for key in by_role(
                    told, told.keys("paying", ending.outcome, rule.rule.id), first=""
                )
                if told.sums[key].xx
            ]
            if len(ending.rules) < 2 or not keys:
                continue
            lines = tuple(
                Line(
                    key,
                    f"{capital(key[2].replace('_', ' '))}: {told.word('role', key[3]) if key[3] else 'each player'}",
                    unit="points",
                    called="" if key[3] else ".".join((*key[:3], "each_player")),
                )
                for key in keys
            )
            word = told.word("outcome", ending.outcome)
            having = (len(one.rules) > 1 for one in told.meaning.endings)
            title = ended("Where points come from", told, ending.outcome, having)
            text = f"What each scoring rule brings one player of each role in the mean of all hands that end as “{word}”, with those in which the rule does not act."
            yield Section(title, text, lines)
