"""Judging mutants: a game's suite is played on each until the first case fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from trickwright import Compiled, GameFiles, Report, compile_game, read_game, schema
from trickwright.compile import variant_sets
from trickwright.emit import digest
from trickwright.game_files import check_shape
from trickwright.memory import load_engine, unload_engine
from trickwright.nodes import items
from trickwright.paths import Parts, parse_path
from trickwright.places import kind_schema
from trickwright.places import schema as find_schema
from trickwright_conformance.cases import Case, Side
from trickwright_conformance.observe import speech
from trickwright_conformance.runner import Suite, run_case
from trickwright_tools.mutation.mutants import Mutant
from trickwright_tools.mutation.proof import difference
from trickwright_tools.mutation.values import REMOVED
from trickwright_tools.schemas import schema_at

Outcome = Literal[
    "killed",
    "killed in variants",  # a change of the game's own rules, which no case without variants tells
    "timed out",
    "rejected",
    "warned",  # check takes the rules, with a warning that was not there before, and no case fails
    "no effect",
    "survived",
    "equivalent",
    "differs",
    "broken",
]
Variants = tuple[str, ...]
HANDS = 300
"""Random hands in which a mutant must be the same game as the original, if it is said to be; spread over numbers of players."""


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant, and by what: a case, what ``check`` says, or the difference from what it is said to equal."""

    outcome: Outcome
    by: str = ""


@dataclass(frozen=True)
class _Original:
    """The engine of a set of variants as it should be: its text, and what check says of it."""

    text: str
    warnings: frozenset[tuple[str, str]]


class Session:
    """A game with its suite and the engines as they should be; judges one mutant after another."""

    def __init__(self, files: GameFiles, suite: Suite) -> None:
        self.files, self.suite = files, suite
        asked = [side.variants for case in suite.cases for side in case.sides]
        self.sets: list[Variants] = list(dict.fromkeys([*variant_sets(files), *sorted(asked)]))
        self._originals = {variants: self._original(variants) for variants in self.sets}
        self._sides = [(case, side) for case in suite.cases for side in case.sides]
        self._cited = {
            case.id: tuple(parse_path(path) or () for path in case.rules) for case in suite.cases
        }

    @classmethod
    def load(cls, folder: Path) -> Session:
        """A session of a game whose files and suite are sound, read anew."""
        files = read_game(folder, Report())
        assert files is not None
        return cls(files, Suite.load(files))

    def __reduce__(self) -> tuple[Any, ...]:
        return Session.load, (self.files.folder,)

    def judge(self, mutant: Mutant, *, declared: bool = False) -> Verdict:
        """Compile the mutant and play the suite, the cases that cite its path first, until one fails.

        If the first to fail is about a variant, and the change is not, those without variants are played on until one fails.
        One that is ``declared`` to be the same game, and that no case kills, is held against the original in random hands.
        """
        try:
            return self._judge(mutant, declared)
        except (
            Exception
        ) as error:  # a fault of the compiler, which is news, and so are the other mutants
            return Verdict("broken", f"{type(error).__name__}: {error}")

    def _judge(self, mutant: Mutant, declared: bool) -> Verdict:
        files = mutant.applied(self.files)
        said = _misfit(mutant, files)
        if said:
            return Verdict("rejected", said)
        trial = _Trial(self, files)
        try:
            in_variant: Verdict | None = None
            for case, side in self._in_order(mutant):
                if in_variant is not None and side.variants:
                    continue
                verdict = trial.play(case, side)
                if verdict is None:
                    continue
                if verdict.outcome != "killed" or mutant.variant or not side.variants:
                    return verdict
                in_variant = Verdict("killed in variants", verdict.by)
            if in_variant is not None:
                return in_variant
            for variants in self._concerned(mutant):
                if not trial.make(variants):
                    return Verdict("rejected", trial.rejected)
            if trial.warned:
                return Verdict("warned", trial.warned)
            if declared:
                said = trial.differs()
                return Verdict("differs", said) if said else Verdict("equivalent")
            return Verdict("survived" if trial.changed else "no effect")
        finally:
            trial.close()

    def _concerned(self, mutant: Mutant) -> list[Variants]:
        """The sets of variants in which the mutant may make a difference."""
        return [s for s in self.sets if not mutant.variant or mutant.variant in s]

    def _in_order(self, mutant: Mutant) -> list[tuple[Case, Side]]:
        """The cases that the mutant concerns: those that cite the path go first, and then those of the base rules."""
        parts, sets = parse_path(mutant.path) or (), self._concerned(mutant)
        near = {case: _nearness(cited, parts) for case, cited in self._cited.items()}
        concerned = [pair for pair in self._sides if pair[1].variants in sets]
        return sorted(concerned, key=lambda pair: (-near[pair[0].id], sets.index(pair[1].variants)))

    def _original(self, variants: Variants) -> _Original:
        report = Report()
        compiled = compile_game(self.files, variants, report=report)
        assert compiled is not None
        return _Original(_text(compiled), _warnings(report))


class _Trial:
    """A mutant on trial: its engines, made when a case asks for them."""

    def __init__(self, session: Session, files: GameFiles) -> None:
        self.session, self.files = session, files
        self.changed = False
        """Whether any engine made so far differs from what it should be."""
        self.rejected = self.warned = ""
        self._engines: dict[Variants, ModuleType | None] = {}
        self._texts: dict[Variants, str] = {}

    def make(self, variants: Variants) -> bool:
        """Make the engine for a set of variants; False if check rejects the rules."""
        if variants in self._texts:
            return True
        report = Report()
        compiled = compile_game(self.files, variants, report=report)
        if compiled is None:
            first = next(p for p in report.problems if p.severity == "error")
            self.rejected = f"{first.path}: {first.text} [{first.code}]"
            return False
        original = self.session._originals[variants]
        text = self._texts[variants] = _text(compiled)
        for path, said in sorted(_warnings(report) - original.warnings):
            self.warned = self.warned or f"{path}: {said}"
        self._engines[variants] = None
        if text != original.text:
            self.changed = True
            self._engines[variants] = load_engine(compiled)
        return True

    def play(self, case: Case, side: Side) -> Verdict | None:
        """Play a case; a verdict if that settles the matter."""
        if not self.make(side.variants):
            return Verdict("rejected", self.rejected)
        engine = self._engines[side.variants]
        if engine is None:
            return None
        result = run_case(case, side, engine, speech(engine))
        return None if result.passed else Verdict("killed", case.id)

    def differs(self) -> str:
        """A difference between the engines and what they should be, if random play finds one."""
        changed = {v: engine for v, engine in self._engines.items() if engine is not None}
        for variants, engine in changed.items():
            compiled = compile_game(self.session.files, variants)
            assert compiled is not None
            original = load_engine(compiled)
            hands = -(-HANDS // (len(changed) * len(engine.RULES.table_sizes)))
            said = difference(original, engine, hands)
            if said:
                return f"{' + '.join(variants) or 'base'}, {said}"
        return ""

    def close(self) -> None:
        """Let go of the engines."""
        for engine in self._engines.values():
            if engine is not None:
                unload_engine(engine)


def _text(compiled: Compiled) -> str:
    """The engine without the fingerprint of its rules, which differs with every change of them."""
    return compiled.engine.replace(digest(compiled.root), "")


def _warnings(report: Report) -> frozenset[tuple[str, str]]:
    return frozenset((p.path, p.text) for p in report.problems if p.severity == "warning")


def _nearness(cited: Iterable[Parts], parts: Parts) -> int:
    """How near the rules that a case cites are to a path."""
    best = 0
    for own in cited:
        shared = 0
        while shared < min(len(own), len(parts)) and own[shared] == parts[shared]:
            shared += 1
        best = max(best, 100 + shared if shared == min(len(own), len(parts)) else shared)
    return best


@cache
def _section(key: str) -> dict[str, Any]:
    """The schema of one key of the rules."""
    whole = find_schema("game")
    return {**whole["properties"][key], "$defs": whole["$defs"]}


def _misfit(mutant: Mutant, files: GameFiles) -> str:
    """What the schema says against a mutant; empty if it fits."""
    report, place = Report(), mutant.place
    if mutant.variant:
        schema.check(files.variants[mutant.variant], find_schema("variant"), report)
    elif len(place) == 1:
        check_shape(files.rules, report)
    elif (
        mutant.change.new is not REMOVED
        and schema_at(files.rules, place).get("defined") == "expression"
    ):
        return ""  # any text or number is of the right type
    elif place[0] == "phases" and len(place) > 2:
        name = str(place[1])
        phase = items(items(files.rules)["phases"])[name]
        kind = str(items(phase)["kind"].value)
        schema.check(phase, kind_schema(kind), report, f"phases.{name}")
    else:
        schema.check(
            items(files.rules)[str(place[0])], _section(str(place[0])), report, str(place[0])
        )
    return next((f"{p.path}: {p.text} [{p.code}]" for p in report.problems), "")
