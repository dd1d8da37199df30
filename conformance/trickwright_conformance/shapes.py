"""Shapes: what a value of a case may be. A shape checks a node and reports what does not fit, at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from trickwright import limits
from trickwright.problems import Mark, Report, described, did_you_mean, nearest, shown
from trickwright.source import Node

Words = Mapping[str, Mapping[str, Collection[str]]]
"""By language: the words for each kind of thing, the usual ones first."""


@dataclass
class Sight:
    """What is in sight where a case is checked: its players, and the words of its language and of others."""

    report: Report
    players: tuple[str, ...]
    language: str
    words: Words

    def error(self, mark: Mark, path: str, text: str, code: str, hint: str = "") -> None:
        """Report a mistake; the same one is reported once."""
        self.report.error(mark, path, text, code, hint)

    def knows(self, kind: str, word: str) -> bool:
        """Whether a word means such a thing: in the case's language, in English, or as a name at the table."""
        if kind == "player":
            return word in self.players
        return any(word in self.words[name][kind] for name in {self.language, "en"})

    def known(self, kind: str) -> Iterable[str]:
        """The words for such a thing, for suggestions."""
        if kind == "player":
            return self.players
        return [word for name in (self.language, "en") for word in self.words[name][kind]]

    def language_of(self, kind: str, word: str) -> str:
        """A language in which a word means such a thing; empty if there is none."""
        found = (name for name, words in self.words.items() if word in words.get(kind, ()))
        return next(found, "")

    def wrong_type(self, node: Node, path: str, expected: str) -> None:
        """Report a value of another type than the one expected."""
        hint = ""
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            hint = f"for a word put quotes around it: '{node.value}'"
        text = f"expected {expected}, found {described(node.value)}"
        self.error(node.mark, path, text, "wrong-type", hint)

    def is_player(self, mark: Mark, path: str, name: str) -> bool:
        """Whether a name is one of the players; if not it is reported."""
        if name not in self.players:
            hint = did_you_mean(name, self.players, others="players")
            self.error(mark, path, f"there is no player '{name}'", "unknown-name", hint)
        return name in self.players


class Shape(Protocol):
    """What a value may be."""

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report all in which a value does not fit."""


@dataclass(frozen=True)
class Number:
    """A whole number within bounds."""

    least: int = -limits.CASE_NUMBER
    most: int = limits.CASE_NUMBER

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is no number, or out of bounds."""
        if isinstance(node.value, bool) or not isinstance(node.value, int):
            text = f"expected a whole number, found {described(node.value)}"
            sight.error(node.mark, path, text, "wrong-type")
        elif not self.least <= node.value <= self.most:
            text = f"expected a number from {self.least} to {self.most}, found {node.value}"
            sight.error(node.mark, path, text, "out-of-bounds")


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is neither."""
        if not isinstance(node.value, bool):
            text = f"expected true or false, found {described(node.value)}"
            sight.error(node.mark, path, text, "wrong-type")


@dataclass(frozen=True)
class Name:
    """One of the game's own names, such as the id of a phase; ``what`` it is a name of."""

    what: str
    names: tuple[str, ...]

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report a name that the game does not have."""
        if not isinstance(node.value, str):
            sight.wrong_type(node, path, f"a {self.what}")
        elif node.value not in self.names:
            text = f"there is no {self.what} '{node.value}'"
            hint = did_you_mean(node.value, self.names)
            sight.error(node.mark, path, text, "unknown-name", hint)


@dataclass(frozen=True)
class Clause:
    """A clause by which an action of the game is refused: the phase, or ``turn``, and its own id."""

    clauses: tuple[str, ...]
    game: str

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report a clause that the game does not have, with those of the same phase."""
        value = node.value
        if not isinstance(value, str):
            sight.wrong_type(node, path, "a clause")
        elif value not in self.clauses:
            text = f"there is no clause '{value}'"
            sight.error(node.mark, path, text, "unknown-name", self._hint(value))

    def _hint(self, value: str) -> str:
        phases = list(dict.fromkeys(clause.partition(".")[0] for clause in self.clauses))
        phase, _, name = value.rpartition(".")
        phase = nearest(phase, phases) or ""
        own = [
            clause.partition(".")[2] for clause in self.clauses if clause.startswith(f"{phase}.")
        ]
        if own:
            found = nearest(name, own)
            meant = found and f"{phase}.{found}"
            others = f"{phase} has: {', '.join(own)}"
        else:
            meant = next((one for one in self.clauses if one.endswith(f".{name}")), None)
            others = f"phases with clauses: {', '.join(phases)}"
        said = f"did you mean '{meant}'? {others}; " if meant else f"{others}; "
        return f"{said}all are listed by: trickwright coverage {self.game}"


@dataclass(frozen=True)
class Thing:
    """A thing of one of these kinds, in a word of the case's language or of English.

    Kinds are ``card``, ``trump``, ``player``, ``nobody``, those that phases add, such as ``bid``, and ``pass`` and other words
    for what is done without a thing.
    """

    kinds: tuple[str, ...]

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what the game has no such thing for."""
        said = _either([kind for kind in self.kinds if kind != "nobody"])
        if not isinstance(node.value, str):
            sight.wrong_type(node, path, f"a {said}")
            return
        word = plain_word(node.value)
        if any(sight.knows(kind, word) for kind in self.kinds):
            return
        code = "unknown-card" if self.kinds == ("card",) else "unknown-name"
        sight.error(node.mark, path, f"there is no {said} '{word}'", code, self._hint(word, sight))

    def _hint(self, word: str, sight: Sight) -> str:
        for kind in self.kinds:
            if language := sight.language_of(kind, word):
                return f"that is of language '{language}'; this file is in '{sight.language}'"
        if meant := nearest(word, [name for kind in self.kinds for name in sight.known(kind)]):
            return f"did you mean '{meant}'?"
        if "player" in self.kinds:
            return did_you_mean(word, sight.players, others="players")
        return f"a {self.kinds[0]} is written like {next(iter(sight.known(self.kinds[0])))}"


@dataclass(frozen=True)
class ListOf:
    """A list of values of one shape; ``or_one`` of them without brackets."""

    item: Shape
    or_one: bool = False
    least: int = 0

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is no list, and every item that does not fit."""
        if isinstance(node.value, list):
            for place, inner in enumerate(node.value):
                self.item.check(inner, f"{path}[{place}]", sight)
            if len(node.value) < self.least:
                sight.error(node.mark, path, "an empty list says nothing here", "out-of-bounds")
        elif self.or_one:
            self.item.check(node, path, sight)
        else:
            text = f"expected a list, found {described(node.value)}"
            is_one = node.value is not None and not isinstance(node.value, dict)
            hint = f"write [{shown(node.value)}]" if is_one else ""
            sight.error(node.mark, path, text, "wrong-type", hint)


@dataclass(frozen=True)
class ByPlayer:
    """A value for each player that is named."""

    item: Shape

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is no mapping, strangers, and every value that does not fit."""
        if not isinstance(node.value, dict):
            first = sight.players[0] if sight.players else "Anna"
            text = f"expected a mapping, found {described(node.value)}"
            sight.error(node.mark, path, text, "wrong-type", f"it goes by player: {{{first}: ...}}")
            return
        _not_empty(node, path, sight)
        for name, inner in node.value.items():
            if sight.is_player(node.keys[name], f"{path}.{name}", name):
                self.item.check(inner, f"{path}.{name}", sight)


@dataclass(frozen=True)
class Keys:
    """A mapping with these keys, none of which must be there."""

    shapes: Mapping[str, Shape]

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is no mapping, unknown keys, and every value that does not fit."""
        if not isinstance(node.value, dict):
            text = f"expected a mapping, found {described(node.value)}"
            hint = f"for example {{{next(iter(self.shapes), 'key')}: ...}}"
            sight.error(node.mark, path, text, "wrong-type", hint)
            return
        _not_empty(node, path, sight)
        for key, inner in node.value.items():
            where = f"{path}.{key}" if path else key
            if key in self.shapes:
                self.shapes[key].check(inner, where, sight)
            else:
                unknown_key(node.keys[key], where, key, self.shapes, sight)


@dataclass(frozen=True)
class OrNothing:
    """What may be there or not: ``null`` says that it is not."""

    shape: Shape

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what is there and does not fit."""
        if node.value is not None:
            self.shape.check(node, path, sight)


@dataclass(frozen=True)
class Line:
    """What a player does, as a line of play tells it: an action, or a mapping under whose keys actions stand."""

    things: Shape
    verbs: Mapping[str, Shape]
    """Keys under which an action may stand, with the actions that go with them."""
    clauses: Shape

    def check(self, node: Node, path: str, sight: Sight) -> None:
        """Report what says nothing, or several things at once, and every action that there is not."""
        if not isinstance(node.value, dict):
            turn(self.things).check(node, path, sight)
            return
        asked = {"may": ListOf(self.things), "may_not": ListOf(self.things, least=1)}
        known = {**self.verbs, **asked, "refused": self.clauses}
        Keys(known).check(node, path, sight)
        if not node.value.keys() <= known.keys():
            return
        done = [key for key in node.value if key in self.verbs]
        for key in done[1:]:
            text = f"'{key}' is another action, beside {done[0]}"
            sight.error(node.keys[key], f"{path}.{key}", text, "unknown-key", "write another line")
        if not done and ("refused" in node.value or not asked.keys() & node.value.keys()):
            text = "nothing is done or asked here"
            sight.error(node.mark, path, text, "missing-key", f"add one of {', '.join(self.verbs)}")


def turn(things: Shape) -> Shape:
    """What is done in a turn: one thing, or a list of things."""
    return ListOf(things, or_one=True, least=1)


def unknown_key(mark: Mark, path: str, key: str, known: Iterable[str], sight: Sight) -> None:
    """Report a key that a mapping may not have."""
    hint = did_you_mean(key, known, others="possible here")
    sight.error(mark, path, f"unknown key '{key}'", "unknown-key", hint)


def _not_empty(node: Node, path: str, sight: Sight) -> None:
    if not node.value:
        text = "an empty mapping says nothing here"
        sight.error(node.mark, path, text, "out-of-bounds", "leave it out")


def plain_word(text: str) -> str:
    """A word as it is looked up: without the sign that asks for a coloured suit."""
    return text.replace("\ufe0f", "")


def _either(words: list[str]) -> str:
    """``a, b or c``."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
