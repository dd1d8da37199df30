"""A session: an engine is started, asked, and stopped. Every fault has a name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trickwright_conformance.protocol.faults import Fault
from trickwright_conformance.protocol.messages import (
    PROTOCOL,
    check_answer,
    check_observed,
    decode,
    encode,
    quoted,
)
from trickwright_conformance.protocol.process import EngineProcess

TIME_LIMIT = 10.0
"""Seconds for a case, if nothing else is said."""

START_LIMIT = 30.0
"""Seconds to start in, at least: an interpreter or a virtual machine may take a while."""

STOP_LIMIT = 5.0
"""Seconds in which an engine that was told to stop must have ended."""


@dataclass(frozen=True)
class Launch:
    """How an engine is started: its command, split as a shell would, without one."""

    command: str
    time_limit: float = TIME_LIMIT
    start_limit: float = START_LIMIT
    stop_limit: float = STOP_LIMIT

    def argv(self) -> list[str]:
        """The words of the command. Raises Fault if there are none."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise Fault("no-start", f"the command cannot be split: {error}") from None
        if not words:
            raise Fault("no-start", "the command is empty")
        return words


@dataclass
class Session:
    """An engine that is running. After a Fault nothing more can be asked of it: end it."""

    launch: Launch
    started: Mapping[str, Any] = field(default_factory=dict)
    """The answer to ``start``."""
    _process: EngineProcess | None = None
    _last: int = -1

    def start(self) -> Mapping[str, Any]:
        """Start the engine and ask it who it is."""
        self._process = EngineProcess(self.launch.argv())
        limit = max(self.launch.start_limit, self.launch.time_limit)
        self.started = self._ask({"do": "start", "protocol": PROTOCOL}, limit)
        return self.started

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask for a case. The answer is one of those that go with ``run``, in form and complete."""
        answer = self._ask({"do": "run", **request}, self.launch.time_limit)
        if answer["answer"] == "observed":
            check_observed(answer, request)
        return answer

    def stop(self) -> None:
        """Tell the engine to end. Raises Fault if it does not answer, or does not end."""
        process = self._running()
        limit = self.launch.stop_limit
        self._ask({"do": "stop"}, limit)
        self._process = None
        if not process.end(limit):
            said = f"it answered 'stop', but was still running {limit:g} s later"
            raise Fault("not-stopped", said)

    def stderr(self) -> str:
        """What was written to stderr since the last call."""
        return "" if self._process is None else self._process.take_stderr()

    def kill(self) -> str:
        """End the engine whatever it does; what it had still written to stderr."""
        if self._process is None:
            return ""
        self._process.end()
        said = self._process.take_stderr()
        self._process = None
        return said

    def _running(self) -> EngineProcess:
        if self._process is None:
            raise Fault("ended", "the engine is not running")
        return self._process

    def _ask(self, message: Mapping[str, Any], limit: float) -> dict[str, Any]:
        process = self._running()
        do, own = str(message["do"]), self._last + 1
        if do != "start" and (more := process.unread()):
            said = f"the engine wrote more than its answer: {quoted(more)}"
            raise Fault("answered-twice", said, of_previous=True)
        process.send(encode({"do": do, "id": own, **message}))
        try:
            answer = decode(process.line(limit))
        except Fault as fault:
            if do == "stop" and fault.code in ("timed-out", "ended", "closed-output"):
                raise Fault("not-stopped", f"'stop' was not answered: {fault.text}") from None
            raise
        self._check_number(answer, own)
        if do == "start":
            _check_version(answer)
        check_answer(answer, do)
        self._last = own
        return answer

    def _check_number(self, answer: Mapping[str, Any], own: int) -> None:
        number = answer.get("id")
        if number == own or type(number) is not int:
            return
        if number == self._last:
            said = f"the engine answered request {number} twice"
            raise Fault("answered-twice", said, of_previous=True)
        raise Fault("wrong-id", f"request {own} was answered with the id {number}")


def _check_version(answer: Mapping[str, Any]) -> None:
    version = answer.get("protocol")
    if type(version) is int and version != PROTOCOL:
        said = f"the engine speaks version {version} of the protocol, this is version {PROTOCOL}"
        raise Fault("wrong-version", said)
