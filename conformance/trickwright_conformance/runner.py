"""Running a suite: each case, with each set of variants it is about, on an engine made from today's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from trickwright import GameFiles, Report, compile_game
from trickwright.memory import load_engine
from trickwright.overlay import parse_path
from trickwright.source import Node
from trickwright_conformance.cases import Case, Side, read_suite
from trickwright_conformance.compare import Mismatch, compare, same_list
from trickwright_conformance.observe import (
    VERBS,
    CannotRun,
    canonical_words,
    observe,
    translate,
)

Engines = Callable[[tuple[str, ...]], ModuleType]


@dataclass(frozen=True)
class Result:
    """How a case went with one set of variants."""

    case: Case
    side: Side
    mismatches: tuple[Mismatch, ...] = ()
    trouble: str = ""
    """Why the case could not be played to its end."""

    @property
    def passed(self) -> bool:
        """Whether all was as expected."""
        return not self.mismatches and not self.trouble


@dataclass
class Suite:
    """A game's cases, and engines for the sets of variants they need, made once each."""

    files: GameFiles
    cases: list[Case]
    sets: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    """Variants named in the call, over which single values win."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Cases that cannot be played with these rules, with the reason."""
    left_out: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    """Single values that a set of variants changes itself, so that its cases are played without them."""
    report: Report = field(default_factory=Report)
    _engines: dict[tuple[str, ...], ModuleType | None] = field(default_factory=dict)
    _words: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)

    @classmethod
    def load(
        cls, files: GameFiles, sets: Sequence[str] = (), chosen: tuple[str, ...] = ()
    ) -> Suite:
        """The suite of a game; problems of its files are in ``report``."""
        suite = cls(files, [], tuple(sets), chosen)
        suite.cases = read_suite(files, suite.report, suite.skipped)
        return suite

    def engine(self, variants: tuple[str, ...]) -> ModuleType | None:
        """The engine for a set of variants; None, and problems reported, if the rules are wrong."""
        if variants not in self._engines:
            sets = self._sets_beside(variants)
            compiled = compile_game(self.files, variants, sets, self.report)
            self._engines[variants] = None if compiled is None else load_engine(compiled)
        return self._engines[variants]

    def _sets_beside(self, variants: tuple[str, ...]) -> tuple[str, ...]:
        """The single values that leave a case's own variants what they are: what these change stays theirs."""
        if not variants or variants == self.chosen:
            return self.sets
        changed = [
            parts
            for name in variants
            if name in self.files.variants
            for key in ("set", "remove")
            for path in _keys(self.files.variants[name], key)
            if (parts := parse_path(path))
        ]
        kept = []
        for text in self.sets:
            own = parse_path(text.partition("=")[0].strip()) or ()
            if any(own[: len(p)] == p[: len(own)] for p in changed):
                self.left_out.setdefault(variants, []).append(text)
            else:
                kept.append(text)
        return tuple(kept)

    def run(self, case: Case, side: Side, variants: tuple[str, ...] | None = None) -> Result:
        """Play a case with its own set of variants, or with another."""
        chosen = side.variants if variants is None else variants
        engine = self.engine(chosen)
        if engine is None:
            return Result(case, side, trouble="the rules are wrong, so there is no engine")
        if chosen not in self._words:
            self._words[chosen] = canonical_words(engine)
        return run_case(case, side, engine, self._words[chosen])


def _keys(node: Node, key: str) -> list[str]:
    part = node.value.get(key) if isinstance(node.value, dict) else None
    return [] if part is None else [str(name) for name in part.plain()]


def run_suite(
    suite: Suite, case_ids: Iterable[str] = (), variants: tuple[str, ...] = ()
) -> list[Result]:
    """Play the cases; all, or those named, and with variants those that are about just these."""
    wanted = set(case_ids)
    return [
        suite.run(case, side)
        for case in suite.cases
        for side in case.sides
        if (not wanted or case.id in wanted) and (not variants or side.variants == variants)
    ]


def reads_differently(suite: Suite, variants: tuple[str, ...]) -> list[Result]:
    """Cases of the base game that come out otherwise when they are played with variants."""
    results = [
        suite.run(case, side, variants)
        for case in suite.cases
        if not any(side.variants == variants for side in case.sides)
        for side in case.sides
        if not side.variants
    ]
    return [result for result in results if not result.passed]


def run_case(case: Case, side: Side, engine: ModuleType, words: Mapping[str, str]) -> Result:
    """Play one case on an engine and compare."""
    lines = [translate(_line(line), words) for line in case.play]
    request = {
        "given": translate(case.given, words),
        "play": [
            {"hand": line["hand"]}
            if "hand" in line
            else {"player": line["player"], "does": _said(line), "may": line["asks"]}
            for line in lines
        ],
        "ask": list(side.expect),
    }
    try:
        seen = observe(engine, request)
    except CannotRun as trouble:
        return Result(case, side, trouble=str(trouble))
    mismatches: list[Mismatch] = []
    for number, (line, step) in enumerate(zip(lines, seen["steps"], strict=False)):
        mismatches += _compare_step(f"play[{number}] {line['player']}", line, step)
    mismatches += compare(translate(side.expect, words), seen["facts"])
    return Result(case, side, tuple(mismatches))


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of play in one form."""
    ((player, what),) = line.items()
    if player == "hand":
        return {"hand": what}
    if not isinstance(what, Mapping):
        return {"player": player, "does": what, "asks": False, "refused": None}
    verbs = [verb for verb in VERBS if verb in what]
    return {
        "player": player,
        "does": what[verbs[0]] if verbs else None,
        "verb": verbs[0] if verbs and verbs[0] != "does" else "",
        "asks": "may" in what or "may_not" in what,
        "may": what.get("may"),
        "may_not": what.get("may_not"),
        "refused": what.get("refused"),
    }


def _said(line: Mapping[str, Any]) -> Any:
    """The action with its verb, if the line gave one that a thing goes with."""
    does, verb = line["does"], line.get("verb", "")
    if not verb or does is None or does == "pass":
        return does
    return [f"{verb} {thing}" for thing in does] if isinstance(does, list) else f"{verb} {does}"


def _compare_step(
    where: str, line: Mapping[str, Any], step: Mapping[str, Any]
) -> Iterable[Mismatch]:
    may = line.get("may")
    if may is not None and not same_list(may, step["may"], in_order=False):
        yield Mismatch(f"{where} may", may, step["may"])
    for action in line.get("may_not") or ():
        if action in step["may"]:
            yield Mismatch(f"{where} may not", action, step["may"])
    if step["refused"] != line["refused"]:
        got = f"{step['refused']} ({step['because']})" if step["refused"] else "allowed"
        yield Mismatch(f"{where} {line['does']}", line["refused"] or "allowed", got)
