"""The lint of cases: all that they say of a game is there in the game, before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trickwright.nodes import items
from trickwright.problems import Report, described
from trickwright.source import Node
from trickwright_conformance.cases import Case, Side
from trickwright_conformance.observe import HAND, is_match
from trickwright_conformance.shapes import Shape, Sight, unknown_key
from trickwright_conformance.vocabulary import SCORES, Vocabulary


def lint(cases: Iterable[Case], known: Mapping[tuple[str, ...], Vocabulary]) -> Report:
    """All that cases say and their game does not know, with each set of variants that they are about."""
    report = Report()
    for case in cases:
        players = _players(case, report)
        for side in case.sides if players else ():
            words = known.get(side.variants)
            if words is not None:
                _Case(case, side, words, Sight(report, players, case.language, words.words)).check()
    return report


def _players(case: Case, report: Report) -> tuple[str, ...]:
    """The players of a case; none, and a problem reported, if they are not a list of different names."""
    written = case.given_nodes.get("players")
    if written is None:
        hint = "for example players: [Anna, Ben, Carla, Dan]"
        report.error(case.mark, f"{case.path}.given", "missing key 'players'", "missing-key", hint)
        return ()
    value = written.node.value
    if not isinstance(value, list):
        text = f"expected a list of names, found {described(value)}"
        report.error(written.node.mark, written.path, text, "wrong-type", "write [Anna, Ben, ...]")
        return ()
    if not value:
        report.error(written.node.mark, written.path, "nobody plays", "out-of-bounds")
    names: dict[str, str] = {}
    for place, node in enumerate(value):
        path = f"{written.path}[{place}]"
        if not isinstance(node.value, str):
            text = f"expected a name, found {described(node.value)}"
            report.error(node.mark, path, text, "wrong-type")
        elif names.setdefault(node.value.casefold(), node.value) is not node.value:
            text = f"the name '{node.value}' is there already"
            report.error(node.mark, path, text, "not-unique", "capitals make no difference")
    return tuple(names.values()) if len(names) == len(value) else ()


class _Case:
    """A case with one set of variants."""

    def __init__(self, case: Case, side: Side, words: Vocabulary, sight: Sight) -> None:
        self.case, self.side, self.words, self.sight = case, side, words, sight
        self.is_match = is_match(case.play, side.expect)

    def check(self) -> None:
        """Report all that the game does not know."""
        self._names()
        self._given()
        for place, node in enumerate(self.case.play_nodes):
            self._line(node, f"{self.case.path}.play[{place}]")
        self._expect()

    def _names(self) -> None:
        """No player is called like something of the game: it could not be told what is meant."""
        written = self.case.given_nodes["players"]
        kinds = {kind for words in self.words.words.values() for kind in words}
        nodes = written.node.value if isinstance(written.node.value, list) else []
        for place, name in enumerate(self.sight.players):
            taken = name == HAND or any(self.sight.language_of(kind, name) for kind in kinds)
            if taken:
                text = f"'{name}' means something else in the game"
                path = f"{written.path}[{place}]"
                self.sight.error(nodes[place].mark, path, text, "taken-name", "choose another name")

    def _expect(self) -> None:
        node, path = self.side.node, self.side.path
        for key in items(node) if self.is_match else ():
            if node is not None and key in self.words.expect.shapes and key != "match":
                text, hint = f"a match has no '{key}'", "write it inside match, or in another case"
                self.sight.error(node.keys[key], f"{path}.{key}", text, "unknown-key", hint)
        if node is not None:
            self.words.expect.check(node, path, self.sight)

    def _given(self) -> None:
        given = self.case.given_nodes
        known: Mapping[str, Shape] = self.words.given
        why = ""
        if self.is_match:
            known, why = self.words.match, "a match has no"
        elif "seed" in given:
            known, why = self.words.dealt, "the cards are dealt by the seed, so there can be no"
        elif "at" not in given:
            text = "nothing says where play begins"
            hint = "add at: with a phase, or seed: with a number"
            path = f"{self.case.path}.given"
            self.sight.error(self.case.mark, path, text, "missing-key", hint)
        for key, written in given.items():
            if key in known:
                if key != "players":
                    known[key].check(written.node, written.path, self.sight)
            elif key in self.words.given or key in self.words.dealt:
                text = f"{why} '{key}'"
                self.sight.error(
                    written.mark, written.path, text, "unknown-key", f"leave out {key}"
                )
            else:
                every = {**self.words.dealt, **self.words.given}
                unknown_key(written.mark, written.path, key, every, self.sight)

    def _line(self, node: Node, place: str) -> None:
        for player, what in items(node).items():
            path = f"{place}.{player}"
            if player == HAND:
                SCORES.check(what, path, self.sight)
            elif self.sight.is_player(node.keys[player], path, player):
                if self.is_match:
                    text = "a match is played in whole hands"
                    hint = f"write {HAND}: {{{player}: ...}}"
                    self.sight.error(node.keys[player], path, text, "unknown-key", hint)
                else:
                    self.words.line.check(what, path, self.sight)
