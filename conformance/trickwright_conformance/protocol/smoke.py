"""Smoke: a few requests with known answers, which tell a broken adapter from a broken engine.

The requests are the smallest of the suite that the engine claims to understand, and two that no engine can play.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from trickwright_conformance.asking import Asked, judge
from trickwright_conformance.observe import HAND
from trickwright_conformance.protocol.claims import MAY, Claims, check_claims, check_skip
from trickwright_conformance.protocol.faults import Fault
from trickwright_conformance.protocol.play import game_words, questions
from trickwright_conformance.protocol.session import Launch, Session
from trickwright_conformance.runner import Suite
from trickwright_conformance.show import brief

STRANGER = "Nobody-We-Know"
"""A player who sits at no table."""

NO_GAME = "no-game-of-this-name"

Where = Literal["adapter", "engine"]


@dataclass(frozen=True)
class Check:
    """One thing that was tried."""

    name: str
    where: Where
    """What is broken if it fails."""
    state: Literal["passed", "failed", "not asked"]
    text: str = ""
    stderr: str = ""


@dataclass
class SmokeReport:
    """What came of all checks."""

    game: str = ""
    engine: Mapping[str, str] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    def broken(self, where: Where) -> bool:
        """Whether a check failed that is about the adapter, or about the engine."""
        return any(check.state == "failed" and check.where == where for check in self.checks)

    @property
    def fine(self) -> bool:
        """Whether nothing failed."""
        return not self.broken("adapter") and not self.broken("engine")

    @property
    def verdict(self) -> str:
        """What is broken, in a sentence."""
        if self.broken("adapter"):
            return "the adapter is broken: put that right first, the engine has not been judged"
        if self.broken("engine"):
            return "the adapter works; the engine gives wrong answers"
        if not any(check.where == "engine" and check.state == "passed" for check in self.checks):
            return "the adapter works; the engine claims too little to be judged"
        return "the adapter works, and the engine gives the right answers"


def smoke(launch: Launch, choose: Callable[[Mapping[str, Any]], Suite]) -> SmokeReport:
    """Start an engine and try it. ``choose`` takes its answer to ``start`` and gives the suite of a game it plays.

    ``choose`` may raise Fault if there is no such game.
    """
    smoker = _Smoker(launch)
    try:
        suite = smoker.begin(choose)
        if suite is not None:
            smoker.try_all(suite)
            smoker.finish()
    finally:
        smoker.kill()
    return smoker.report


class _Smoker:
    """Goes through the checks; starts the engine again after a fault."""

    def __init__(self, launch: Launch) -> None:
        self.report = SmokeReport()
        self._launch = launch
        self._session: Session | None = None
        self._claims = Claims((), ())
        self._words: Mapping[str, Any] = {}

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

    def _add(self, name: str, where: Where, trouble: str, stderr: str) -> None:
        state: Literal["passed", "failed"] = "failed" if trouble else "passed"
        self.report.checks.append(Check(name, where, state, trouble, stderr))

    def begin(self, choose: Callable[[Mapping[str, Any]], Suite]) -> Suite | None:
        """Start the engine; the suite of the game to try, or None if it cannot be tried."""
        name = "starts, says who it is, and what it can do"
        try:
            started = self._open().started
            self.report.engine = dict(started["engine"])
            suite = choose(started)
            self.report.game = suite.files.id
            self._words = game_words(suite)
            claims = Claims.of(suite.files.id, started)
            assert claims is not None
            check_claims(claims, self._words)
        except Fault as fault:
            self._add(name, "adapter", str(fault), self.kill())
            return None
        self._claims = claims
        self._add(name, "adapter", "", self._open().stderr())
        return suite

    def try_all(self, suite: Suite) -> None:
        """Every check but starting and stopping."""
        every = [(asked, request) for _, _, asked, request in questions(suite)]
        able = [pair for pair in every if not self._claims.lacks(pair[1])]
        able.sort(key=lambda pair: len(json.dumps(pair[1])))
        plain = [pair for pair in able if not _refused(pair[0])]
        plain.sort(key=lambda pair: not pair[0].lines)  # rather one in which something is played
        self._known("plays a case", plain)
        self._known("refuses what is not allowed", [pair for pair in able if _refused(pair[0])])
        self._known(
            "tells what is allowed",
            [pair for pair in plain if any(line.get("may") is not None for line in pair[0].lines)],
        )
        for _, request in able[:1]:
            self._impossible(
                {**request, "case": "smoke.impossible", **self._with_a_stranger(request)}
            )
        for _, request in (able or every)[:1]:
            self._unknown_game({**request, "case": "smoke.unknown-game", "game": NO_GAME})
        self._known("plays on after that", plain)

    def _known(self, name: str, pairs: list[tuple[Asked, dict[str, Any]]]) -> None:
        """Ask for the first of some cases, whose answer is known."""
        if not pairs:
            text = "the engine claims too little for any such case"
            self.report.checks.append(Check(name, "engine", "not asked", text))
            return
        asked, request = pairs[0]
        name = f"{name}: {request['case']}"
        try:
            answer = self._open().run(request)
            kind = answer["answer"]
            if kind == "skipped":
                check_skip(answer["lacks"], self._claims, self._words)
                self.report.checks.append(Check(name, "engine", "not asked", answer["because"]))
                return
            trouble = "; ".join(_wrong(asked, answer)) if kind == "observed" else f"{kind}: "
            trouble += "" if kind == "observed" else str(answer["because"])
            self._add(name, "engine", trouble, self._open().stderr())
        except Fault as fault:
            self._add(name, "adapter", str(fault), self.kill())

    def _impossible(self, request: Mapping[str, Any]) -> None:
        name = f"says that a case with a player who is not there is impossible ({STRANGER})"
        self._answered(name, request, "impossible", "")

    def _with_a_stranger(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The play of a request, begun by somebody who does not sit at the table."""
        lines = request["play"]
        if any(HAND in line for line in lines) or set(request["ask"]) == {"match"}:
            return {"play": [{HAND: {STRANGER: 1}}, *lines]}
        line = {"player": STRANGER, "does": None, "may": self._claims.has(f"asks.{MAY}")}
        return {"play": [line, *lines]}

    def _unknown_game(self, request: Mapping[str, Any]) -> None:
        name = f"skips a game that it does not play ({NO_GAME})"
        self._answered(name, request, "skipped", f"games.{NO_GAME}")

    def _answered(self, name: str, request: Mapping[str, Any], kind: str, lacks: str) -> None:
        """Ask for what can only be answered in one way."""
        try:
            answer = self._open().run(request)
        except Fault as fault:
            self._add(name, "adapter", str(fault), self.kill())
            return
        trouble = ""
        if answer["answer"] != kind:
            because = f": {answer['because']}" if "because" in answer else ""
            trouble = f"it must answer '{kind}', and answered '{answer['answer']}'{because}"
        elif lacks and answer["lacks"] != lacks:
            trouble = f"it lacks {lacks}, and named {answer['lacks']}"
        self._add(name, "adapter", trouble, self._open().stderr())

    def finish(self) -> None:
        """Tell the engine to stop, and see that it does."""
        name = "stops when it is told to"
        try:
            self._open().stop()
            self._add(name, "adapter", "", "")
        except Fault as fault:
            self._add(name, "adapter", str(fault), self.kill())


def _refused(asked: Asked) -> bool:
    return any(line.get("refused") for line in asked.lines)


def _wrong(asked: Asked, answer: Mapping[str, Any]) -> Iterator[str]:
    for one in judge(asked, answer):
        yield f"{one.fact}: expected {brief(one.expected)}, got {brief(one.got)}"
