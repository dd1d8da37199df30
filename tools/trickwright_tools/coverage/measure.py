"""Measuring: every rule, clause and statement with the cases that pin it, and every case with what it pins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trickwright import Compiled, GameFiles, Report, compile_game
from trickwright.overlay import find, format_path, parse_path
from trickwright.problems import Mark
from trickwright.source import Node
from trickwright_conformance import Case, Suite
from trickwright_tools.changes import Change, changes, written
from trickwright_tools.coverage.found import Coverage, CoveredCase
from trickwright_tools.coverage.leaves import NO_RULES, begins, leaves, nearest
from trickwright_tools.coverage.reach import Parts, reaches
from trickwright_tools.coverage.rows import Pin, Row, once
from trickwright_tools.coverage.watch import Watched, watch

_CHECKED = {"at_most": "held when the rules are checked; nothing is played by it"}
"""Keys that bind the author of the rules and not the players."""
_TWINS = "identical cards are called alike, so no case can ask for the second one first"
_ORDER = "a line of play is a whole turn, which is put in order before it is played"


def cover(files: GameFiles, suite: Suite, variants: Sequence[str] = ()) -> Coverage:
    """The coverage of a game by its suite; with ``variants`` of what these change, else of everything.

    The game and its suite must be sound. A case that fails pins nothing.
    """
    measure = _Measure(files, suite)
    chosen = tuple(variants) or tuple(files.variants)
    rows = [] if variants else [*measure.base(), *measure.statements()]
    for name in chosen:
        rows += measure.variant(name)
    if not variants:
        rows += measure.citations()
    cases = tuple(measure.cases(frozenset(variants)))
    title = find(files.rules, ("title", "en"))
    named = files.id if title is None else str(title.value)
    return Coverage(files.id, named, chosen, tuple(rows), cases, suite.rulebook is not None)


class _Measure:
    """A game, its cases as they were played, and the rows that come of both."""

    def __init__(self, files: GameFiles, suite: Suite) -> None:
        self.files, self.suite = files, suite
        sets = {side.variants for case in suite.cases for side in case.sides}
        sets |= {(), *((name,) for name in files.variants)}
        made = {names: compile_game(files, names, report=Report()) for names in sets}
        self.made: dict[tuple[str, ...], Compiled] = {
            names: compiled for names, compiled in made.items() if compiled is not None
        }
        self.seen = watch(suite, self.made)
        self.played: dict[str, list[Watched]] = {}
        for one in self.seen:
            self.played.setdefault(one.case.id, []).append(one)

    def base(self) -> Iterator[Row]:
        """What the rules without variants say."""
        seen = [one for one in self.seen if not one.side.variants]
        root, rules = self.made[()].root, self._rules(())
        for parts, node in leaves(root):
            text = written(node.plain())
            yield self._rule(parts, text, node.mark, seen, (), root)
        yield from self._clauses(rules, _clauses(rules), seen, ())
        for line in rules.lines:
            yield self._acts(line.outcome, line.id, seen, ())
        for outcome in filter(None, rules.outcomes):
            yield self._ends(outcome, seen, ())
        for phase in rules.phases:
            yield self._phase(phase.id, seen, ())
        for phase in rules.phases:
            for verb in dict.fromkeys(run.verb for run in phase.actions):
                yield self._action(phase.id, verb, seen, ())
        for count in rules.table_sizes:
            yield self._players(count, seen, ())

    def variant(self, name: str) -> Iterator[Row]:
        """What a variant changes."""
        own = (name,)
        compiled = self.made[own]
        seen = [one for one in self.seen if name in one.side.variants]
        before, after = self._rules(()), self._rules(own)
        changed = changes(self.files, compiled.root, own)
        paths: list[Parts] = []
        for change in changed:
            parts = parse_path(change.path) or (change.path,)
            paths.append(parts)
            yield from self._change(change, parts, seen, own, compiled.root)
        phases = [str(parts[1]) for parts in paths if parts[0] == "phases"]
        known = set(_clauses(before))
        clauses = [
            clause
            for clause in _clauses(after)
            if clause not in known or clause.partition(".")[0] in phases
        ]
        yield from self._clauses(after, clauses, seen, own)
        lines = {(line.outcome, line.id) for line in before.lines}
        touched = {parts[1:3] for parts in paths if parts[0] == "scoring"}
        for line in after.lines:
            at = (line.outcome, line.id)
            if at not in lines or at in touched:
                yield self._acts(line.outcome, line.id, seen, own)
        for outcome in after.outcomes:
            if outcome and outcome not in before.outcomes:
                yield self._ends(outcome, seen, own)
        for phase in dict.fromkeys(phases):
            yield self._phase(phase, seen, own)
        for count in sorted({*after.table_sizes} - {*before.table_sizes}):
            yield self._players(count, seen, own)

    def statements(self) -> Iterator[Row]:
        """What the rulebook says."""
        book = self.suite.rulebook
        for statement in () if book is None else book.statements:
            how = f"as {statement.same_as}" if statement.same_as else "named by the statement"
            pins = tuple(Pin(case, how) for case in statement.cases if case in self.played)
            place = _place(statement.mark)
            why = statement.no_rule
            yield Row("statement", statement.id, statement.says, place, pins, (), why, bool(why))

    def citations(self) -> Iterator[Row]:
        """What each case says it pins."""
        for case in self.suite.cases:
            for path, reached in self._cited(case):
                pins = (Pin(case.id, "comes to it"),) if reached else ()
                why = "" if reached else "the case never comes to where this rule acts"
                if case.id not in self.played:
                    why = "the case fails"
                name = f"{case.id}: {path}"
                yield Row("citation", name, case.title, _place(case.mark), pins, (), why)

    def cases(self, variants: frozenset[str]) -> Iterator[CoveredCase]:
        """Every case with what it pins; with ``variants`` those that are about one of them."""
        book = self.suite.rulebook
        for case in self.suite.cases:
            if variants and not any(variants & set(side.variants) for side in case.sides):
                continue
            played = self.played.get(case.id, [])
            named = {
                statement.id: section.headings
                for section in (() if book is None else book.sections)
                for statement in section.statements
                if case.id in statement.cases and not statement.same_as
            }
            there = {pair for headings in named.values() for pair in headings.items()}
            unnamed = tuple(
                str(heading)
                for text in (() if book is None else book.texts)
                for heading in case.headings.get(text, ())
                if (text, heading) not in there
            )
            acts = sorted({line for one in played for line in one.scored_by})
            acts += sorted({one.outcome for one in played if one.outcome})
            yield CoveredCase(
                id=case.id,
                title=case.title,
                place=_place(case.mark),
                variants=tuple(side.name for side in case.sides),
                rules=tuple(self._cited(case)),
                statements=tuple(named),
                clauses=tuple(sorted({clause for one in played for clause in one.refused})),
                acts=tuple(acts),
                unnamed=unnamed,
                passed=len(played) == len(case.sides),
            )

    def _cited(self, case: Case) -> Iterator[tuple[str, bool]]:
        """The paths that a case cites, and whether it comes to them with one of its sets of variants."""
        for path in case.rules:
            parts = parse_path(path) or (path,)
            yield path, any(self._comes(parts, one) for one in self.played.get(case.id, ()))

    def _comes(self, parts: Parts, seen: Watched) -> bool:
        """Whether a case comes to a path: to one of the rules it has now, or to one that its variants take out."""
        root = self.made[seen.side.variants].root
        if find(root, parts) is None:
            return True
        return reaches(parts, seen, root)

    def _rule(
        self,
        parts: Parts,
        text: str,
        mark: Mark,
        seen: Iterable[Watched],
        variants: tuple[str, ...],
        root: Node,
    ) -> Row:
        pins: list[tuple[int, str, str]] = []
        missed: list[tuple[int, str, str]] = []
        for one in seen:
            near = nearest(parts, one.case.rules)
            if near is None:
                continue
            how = "cites it" if near == parts else f"cites {format_path(near)}"
            (pins if reaches(parts, one, root) else missed).append((-len(near), one.case.id, how))
        why = ""
        if not pins:
            names = ", ".join(dict.fromkeys(case for _, case, _ in missed))
            why = f"cited by {names}, which never come to it" if names else "no case cites it"
        path = format_path(parts)
        found = once(Pin(case, how) for _, case, how in sorted(pins, key=lambda pin: pin[0]))
        needs_none = not found and parts[-1] in _CHECKED
        why = _CHECKED[str(parts[-1])] if needs_none else why
        return Row("rule", path, text, _place(mark), found, variants, why, needs_none)

    def _change(
        self,
        change: Change,
        parts: Parts,
        seen: Sequence[Watched],
        own: tuple[str, ...],
        root: Node,
    ) -> Iterator[Row]:
        if parts[-1] in NO_RULES:
            return
        if change.new is None:
            pins = [
                Pin(one.case.id, "plays without it")
                for one in seen
                if any(begins(parse_path(path) or (), parts) for path in one.case.rules)
                or nearest(parts, one.case.rules) is not None
            ]
            why = "" if pins else "no case with the variant cites it"
            text, place = "taken out", _place(change.mark)
            yield Row("rule", change.path, text, place, once(pins), own, why)
            return
        for inner, node in leaves(change.new, parts):
            text = written(node.plain())
            if change.old is not None and inner == parts:
                text = f"{written(change.old.plain())} -> {text}"
            yield self._rule(inner, text, node.mark, seen, own, root)

    def _rules(self, variants: tuple[str, ...]) -> Any:
        engine = self.suite.engine(variants)
        assert engine is not None
        return engine.RULES

    def _clauses(
        self, rules: Any, clauses: Iterable[str], seen: Sequence[Watched], variants: tuple[str, ...]
    ) -> Iterator[Row]:
        closing = {phase.id for phase in rules.phases if phase.closes >= 0}
        for clause in clauses:
            pins = once(Pin(one.case.id, "is refused") for one in seen if clause in one.refused)
            phase, _, own = clause.partition(".")
            unsaid = (
                _TWINS if own == "twin" else _ORDER if own == "order" and phase in closing else ""
            )
            why = "" if pins else unsaid or "no case is refused by it"
            text = rules.named(f"clause.{clause}")
            needs_none = not pins and bool(unsaid)
            yield Row("clause", clause, text, "", pins, variants, why, needs_none)

    def _acts(
        self, outcome: str, line: str, seen: Iterable[Watched], variants: tuple[str, ...]
    ) -> Row:
        pins = once(
            Pin(one.case.id, "it acts")
            for one in seen
            if one.outcome == outcome and line in one.scored_by and one.sees_scores
        )
        path = ("scoring", outcome, line)
        node = find(self._root(variants), path)
        place = "" if node is None else _place(node.mark)
        why = "" if pins else "it acts in no case that expects scores"
        return Row("scoring", f"{outcome}.{line}", "", place, pins, variants, why)

    def _root(self, variants: tuple[str, ...]) -> Node:
        return self.made[variants].root

    def _ends(self, outcome: str, seen: Iterable[Watched], variants: tuple[str, ...]) -> Row:
        pins = once(
            Pin(one.case.id, "ends so")
            for one in seen
            if one.outcome == outcome and one.sees_scores
        )
        why = "" if pins else "no case ends so"
        return Row("outcome", outcome, "", "", pins, variants, why)

    def _phase(self, phase: str, seen: Iterable[Watched], variants: tuple[str, ...]) -> Row:
        pins = once(Pin(one.case.id, "comes to it") for one in seen if phase in one.phases)
        node = find(self._root(variants), ("phases", phase))
        place = "" if node is None else _place(node.mark)
        why = "" if pins else "no case comes to it"
        kind = find(self._root(variants), ("phases", phase, "kind"))
        return Row(
            "phase", phase, "" if kind is None else str(kind.value), place, pins, variants, why
        )

    def _action(
        self, phase: str, verb: str, seen: Iterable[Watched], variants: tuple[str, ...]
    ) -> Row:
        pins = once(Pin(one.case.id, "is done") for one in seen if (phase, verb) in one.tried)
        why = "" if pins else "it is done in no case"
        return Row("action", f"{phase}.{verb}", "", "", pins, variants, why)

    def _players(self, count: int, seen: Iterable[Watched], variants: tuple[str, ...]) -> Row:
        pins = once(Pin(one.case.id, "so many play") for one in seen if one.players == count)
        why = "" if pins else "so many play in no case"
        return Row("players", str(count), "", "", pins, variants, why)


def _clauses(rules: Any) -> list[str]:
    """The ids of all clauses of a game, those that every phase has among them."""
    names = rules.words["en"].names
    return [key.removeprefix("clause.") for key in names if key.startswith("clause.")]


def _place(mark: Mark) -> str:
    return f"{mark.file}:{mark.line}"
