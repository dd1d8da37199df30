"""Playing a suite on an engine at the other end of the protocol. What breaks in one case is its trouble, and no other's."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from trickwright_conformance.asking import Asked, ask, judge
from trickwright_conformance.cases import Case, Side
from trickwright_conformance.compare import Mismatch
from trickwright_conformance.protocol.claims import KINDS, MAY, Claims, check_claims, check_skip
from trickwright_conformance.protocol.faults import Fault
from trickwright_conformance.protocol.session import Launch, Session
from trickwright_conformance.runner import Result, Suite
from trickwright_conformance.show import brief

MOST_FAULTS = 10
"""Faults after which no case is played any more: every one of them may take the whole time limit."""

Verdict = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True)
class Played:
    """How a case went on an engine with one set of variants."""

    result: Result
    verdict: Verdict
    answer: str = ""
    """The kind of answer: ``observed``, ``skipped``, ``impossible``, ``crashed``; empty if there was none."""
    fault: str = ""
    """The code of the fault, if the engine did something wrong."""
    lacks: str = ""
    """For a skipped case: what the engine lacks, such as ``phases.auction``."""
    because: str = ""
    """For a case that the engine itself skipped: why, in its own words."""
    stderr: str = ""
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The case, and its variants if it is played with several sets of them."""
        return case_name(self.result.case, self.result.side)

    @property
    def lack(self) -> str:
        """For a skipped case: what the engine lacks, and why, if it said so."""
        return f"{self.lacks}: {self.because}" if self.because else self.lacks

    @property
    def news(self) -> str:
        """What is wrong, on one line; empty if nothing is."""
        if self.result.trouble:
            return self.result.trouble
        for one in self.result.mismatches:
            said = f"{one.fact}: expected {brief(one.expected)}, got {brief(one.got)}"
            return " ".join(said.split())
        return ""


@dataclass
class EngineRun:
    """A suite played on an engine."""

    game: str
    engine: Mapping[str, str] = field(default_factory=dict)
    """Name, version and language."""
    played: list[Played] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    """What the engine did wrong outside of cases."""
    stderr: str = ""
    """What it wrote to stderr outside of cases."""

    def count(self, verdict: Verdict) -> int:
        """How many cases went so."""
        return sum(one.verdict == verdict for one in self.played)

    @property
    def lacking(self) -> dict[str, int]:
        """How many cases were skipped for want of what, most first."""
        found = Counter(one.lack for one in self.played if one.verdict == "skipped")
        return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def case_name(case: Case, side: Side) -> str:
    """The name of a case with a set of variants: its id, and the set where there are several."""
    return case.id if len(case.sides) == 1 else f"{case.id} ({side.name})"


def case_names(suite: Suite) -> list[str]:
    """The names of all cases of a suite, with each set of variants they are about."""
    return [case_name(case, side) for case in suite.cases for side in case.sides]


def game_words(suite: Suite) -> dict[str, Collection[str]]:
    """By kind of claim, all words that a game has."""
    phases: dict[str, None] = {}
    given: dict[str, None] = {}
    asks: dict[str, None] = {}
    for variants, words in suite.known.items():
        engine = suite.engine(variants)
        phases |= dict.fromkeys(phase.id for phase in engine.RULES.phases) if engine else {}
        given |= dict.fromkeys((*words.match, *words.dealt, *words.given))
        asks |= dict.fromkeys((MAY, *words.expect.shapes))
    return dict(zip(KINDS[1:], (list(suite.files.variants), phases, given, asks), strict=True))


def questions(
    suite: Suite, case_ids: Iterable[str] = (), variants: tuple[str, ...] = ()
) -> Iterator[tuple[Case, Side, Asked, dict[str, Any]]]:
    """The cases to play, all or those named, each with what it asks and with the request for it."""
    wanted = set(case_ids)
    for case in suite.cases:
        for side in case.sides:
            if (wanted and case.id not in wanted) or (variants and side.variants != variants):
                continue
            engine = suite.engine(side.variants)
            if engine is None:
                continue  # the suite's report says what is wrong with the rules
            asked = ask(case, side, suite.speech(side.variants, engine))
            request = {
                "game": suite.files.id,
                "variants": list(side.variants),
                "case": case.id,
                **asked.request,
            }
            yield case, side, asked, request


def play_engine(
    suite: Suite,
    launch: Launch,
    case_ids: Iterable[str] = (),
    variants: tuple[str, ...] = (),
) -> EngineRun:
    """Play the cases of a suite on an engine.

    If the engine does not start, or does not play the game, that is among the faults, and no case is played.
    """
    player = _Player(suite, launch)
    try:
        if player.begin():
            for case, side, asked, request in questions(suite, case_ids, variants):
                player.play(case, side, asked, request)
            player.finish()
    finally:
        player.kill()
    return player.run


class _Player:
    """Goes through the cases; starts the engine again when it has to."""

    def __init__(self, suite: Suite, launch: Launch) -> None:
        self.run = EngineRun(suite.files.id)
        self._launch = launch
        self._words = game_words(suite)
        self._session: Session | None = None
        self._claims = Claims((), ())
        self._in_a_row = self._twice = 0

    def begin(self) -> bool:
        """Start the engine and hear what it claims; whether cases can be played."""
        game = self.run.game
        try:
            started = self._open().started
            self.run.engine = dict(started["engine"])
            claims = Claims.of(game, started)
            if claims is None:
                said = ", ".join(sorted(started["games"]))
                raise Fault("not-claimed", f"the engine does not play {game}; it plays: {said}")
            check_claims(claims, self._words)
        except Fault as fault:
            self.run.faults.append(fault)
            self._note(self.kill())
            return False
        self._claims = claims
        self._note(self._open().stderr())
        return True

    def _open(self) -> Session:
        if self._session is None:
            self._session = Session(self._launch)
            self._session.start()
        return self._session

    def kill(self) -> str:
        """End the engine; what it still wrote to stderr."""
        said = "" if self._session is None else self._session.kill()
        self._session = None
        return said

    def _note(self, stderr: str) -> None:
        self.run.stderr = "\n".join(filter(None, [self.run.stderr, stderr]))

    def play(self, case: Case, side: Side, asked: Asked, request: Mapping[str, Any]) -> None:
        """Play one case."""
        lacks = self._claims.lacks(request)
        if lacks:
            self._add(Played(Result(case, side), "skipped", lacks=lacks))
            return
        if MOST_FAULTS in (self._in_a_row, self._twice):
            text = f"not played any more, after {MOST_FAULTS} faults"
            self._add_fault(case, side, Fault("gave-up", text), "", 0.0)
            return
        begun = time.perf_counter()
        try:
            answer = self._ask(request)
            played = self._judged(case, side, asked, answer)
        except Fault as fault:
            self._in_a_row += 1
            self._add_fault(case, side, fault, self.kill(), time.perf_counter() - begun)
            return
        self._in_a_row = 0
        stderr = self._open().stderr()
        self._add(played, stderr=stderr, seconds=time.perf_counter() - begun)

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request. A second answer to the one before is that one's fault, and this one is asked again."""
        try:
            return self._open().run(request)
        except Fault as fault:
            if not fault.of_previous or not self._blame_last(fault):
                raise
        self._note(self.kill())
        return self._open().run(request)

    def _blame_last(self, fault: Fault) -> bool:
        """Put a fault on the last case that the engine was asked for; whether there is one."""
        for place in range(len(self.run.played) - 1, -1, -1):
            last = self.run.played[place]
            if last.verdict != "skipped" or last.because:
                trouble = Result(last.result.case, last.result.side, trouble=str(fault))
                blamed = Played(
                    trouble, "failed", last.answer, fault.code, "", "", last.stderr, last.seconds
                )
                self.run.played[place] = blamed
                self._twice += 1
                return True
        return False

    def _judged(self, case: Case, side: Side, asked: Asked, answer: Mapping[str, Any]) -> Played:
        kind, because = str(answer["answer"]), " ".join(str(answer.get("because", "")).split())
        if kind == "skipped":
            check_skip(answer["lacks"], self._claims, self._words)
            return Played(
                Result(case, side), "skipped", kind, lacks=answer["lacks"], because=because
            )
        if kind == "observed":
            mismatches: tuple[Mismatch, ...] = tuple(judge(asked, answer))
            verdict: Verdict = "failed" if mismatches else "passed"
            return Played(Result(case, side, mismatches), verdict, kind)
        said = (
            "the engine calls the case impossible" if kind == "impossible" else "the engine broke"
        )
        trouble = f"{said}: {because}"
        return Played(Result(case, side, trouble=trouble), "failed", kind)

    def _add(self, played: Played, stderr: str = "", seconds: float = 0.0) -> None:
        fields = {**vars(played), "stderr": stderr, "seconds": seconds}
        self.run.played.append(Played(**fields))

    def _add_fault(self, case: Case, side: Side, fault: Fault, stderr: str, seconds: float) -> None:
        trouble = Result(case, side, trouble=str(fault))
        self._add(Played(trouble, "failed", fault=fault.code), stderr, seconds)

    def finish(self) -> None:
        """Tell the engine to stop, and see that it does."""
        if self._session is None:
            return
        try:
            self._session.stop()
        except Fault as fault:
            if not fault.of_previous or not self._blame_last(fault):
                self.run.faults.append(fault)
        self._note(self.kill())
