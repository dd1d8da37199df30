"""Running a suite: each case, with each set of variants it is about, on an engine made from today's rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType

from trickwright import Compiled, GameFiles, Report, compile_game
from trickwright.memory import load_engine
from trickwright.paths import parse_path, split_setting
from trickwright.places import home
from trickwright.source import Node
from trickwright_conformance.asking import ask, judge
from trickwright_conformance.cases import Case, Side, case_files, read_suite
from trickwright_conformance.compare import Mismatch
from trickwright_conformance.lint import lint
from trickwright_conformance.observe import CannotRun, Speech, observe, speech, told
from trickwright_conformance.rulebook import Rulebook, read_rulebook
from trickwright_conformance.vocabulary import Vocabulary, vocabulary


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


@dataclass(frozen=True)
class _Made:
    """A game with changes: its rules and its engine, or what is wrong with them."""

    compiled: Compiled | None
    engine: ModuleType | None
    report: Report


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
    known: dict[tuple[str, ...], Vocabulary] = field(default_factory=dict)
    """What cases may say with each set of variants that they are about."""
    rulebook: Rulebook | None = None
    """What the rulebook says, with the cases that pin it; None if nothing is written of it, or it was not asked for."""
    _made: dict[tuple[tuple[str, ...], tuple[str, ...]], _Made] = field(default_factory=dict)
    _sets: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    _speech: dict[tuple[str, ...], Speech] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        files: GameFiles,
        sets: Sequence[str] = (),
        chosen: tuple[str, ...] = (),
        *,
        with_rulebook: bool = False,
    ) -> Suite:
        """The suite of a game; problems of its files are in ``report``.

        The statements of the rulebook are read only ``with_rulebook``: they take a tenth of the time that all cases take.
        """
        suite = cls(files, [], tuple(sets), chosen)
        suite.cases = read_suite(files, suite.report, suite.skipped)
        # A case that cannot be read would be missed in the rulebook once more.
        if with_rulebook and not suite.report.failed and _are_of_one_place(files):
            cited = {case.id: case.headings for case in suite.cases}
            cited |= {name: {} for name in suite.skipped}
            suite.rulebook = read_rulebook(files, cited, suite.report)
        suite._lint()
        return suite

    def _lint(self) -> None:
        """Report what cases say and the game, without single values, does not know; rules that are wrong say nothing."""
        for variants in dict.fromkeys(side.variants for case in self.cases for side in case.sides):
            made = self._make(variants, ())
            if made.compiled is not None and made.engine is not None:
                self.known[variants] = vocabulary(made.compiled, made.engine)
        for problem in lint(self.cases, self.known).problems:
            self.report.add(problem)

    def engine(self, variants: tuple[str, ...]) -> ModuleType | None:
        """The engine for a set of variants; None, and problems reported, if the rules are wrong."""
        if variants not in self._sets:
            self._sets[variants] = self._sets_beside(variants)
        made = self._make(variants, self._sets[variants])
        for problem in made.report.problems:
            self.report.add(problem)
        return made.engine

    def _make(self, variants: tuple[str, ...], sets: tuple[str, ...]) -> _Made:
        if (variants, sets) not in self._made:
            report = Report()
            compiled = compile_game(self.files, variants, sets, report)
            engine = None if compiled is None else load_engine(compiled)
            self._made[variants, sets] = _Made(compiled, engine, report)
        return self._made[variants, sets]

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
            own = parse_path(split_setting(text)[0].strip()) or ()
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
        return run_case(case, side, engine, self.speech(chosen, engine))

    def speech(self, variants: tuple[str, ...], engine: ModuleType) -> Speech:
        """How cases speak of the game with a set of variants, whose engine this is."""
        if variants not in self._speech:
            self._speech[variants] = speech(engine)
        return self._speech[variants]


def _are_of_one_place(files: GameFiles) -> bool:
    """Whether a game's rulebook speaks of the cases that are found, and not of others that stand nearer to where one works."""
    found = case_files(files.id)
    places = ((files.folder / "../../..").resolve(), home().resolve())
    return bool(found) and found[0].resolve().parents[3] in places


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
        if not side.variants and _can_sit_down(suite, case, variants)
    ]
    return [result for result in results if not result.passed]


def _can_sit_down(suite: Suite, case: Case, variants: tuple[str, ...]) -> bool:
    """Whether the game is for the players of a case also with the variants."""
    engine, players = suite.engine(variants), case.given.get("players")
    return engine is None or not isinstance(players, list) or len(players) in engine.RULES.players


def run_case(case: Case, side: Side, engine: ModuleType, said: Speech) -> Result:
    """Play one case on an engine and compare. Whatever goes wrong is the case's trouble, and no other's."""
    try:
        return Result(case, side, tuple(_mismatches(case, side, engine, said)))
    except CannotRun as trouble:
        return Result(case, side, trouble=str(trouble))
    except Exception as error:  # what an engine does wrong is news, and so are the other cases
        return Result(case, side, trouble=f"the engine broke: {told(error)}")


def _mismatches(case: Case, side: Side, engine: ModuleType, said: Speech) -> Iterator[Mismatch]:
    asked = ask(case, side, said)
    yield from judge(asked, observe(engine, asked.request))
