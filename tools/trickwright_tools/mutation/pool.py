"""Many mutants on all cores: one process each, which has read everything and is ended if a mutant plays without end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from trickwright_tools.mutation.mutants import Mutant
from trickwright_tools.mutation.session import Verdict

_TIMED_OUT = 75
_EVERY = 0.1
"""Seconds between two looks at the clock."""

Task = tuple[Mutant, bool]
"""A mutant, and whether it is declared to be the same game."""


class Judge(Protocol):
    """What says what becomes of a mutant. It goes to other processes, so it can be pickled."""

    def judge(self, mutant: Mutant, *, declared: bool = False) -> Verdict:
        """Judge one mutant."""


def judge_all(
    judge: Judge, tasks: Sequence[Task], jobs: int, limit: float
) -> Generator[tuple[Mutant, Verdict], None, None]:
    """Judge mutants in any order, each within ``limit`` seconds of computing time."""
    waiting = list(reversed(tasks))
    workers = [_Worker(judge, limit) for _ in range(min(jobs, len(tasks)))]
    try:
        for worker in workers:
            worker.give(waiting.pop())
        while busy := {worker.pipe: worker for worker in workers if worker.task is not None}:
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                mutant, verdict = worker.take()
                if waiting:
                    worker.give(waiting.pop())
                yield mutant, verdict
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that judges one mutant at a time."""

    def __init__(self, judge: Judge, limit: float) -> None:
        self._judge, self._limit = judge, limit
        self.task: Task | None = None
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process alone
        self._process = multiprocessing.Process(
            target=_work, args=(self._judge, theirs, self._limit), daemon=True
        )
        self._process.start()
        signal.signal(signal.SIGINT, before)
        theirs.close()

    def give(self, task: Task) -> None:
        """Give it something to do."""
        self.task = task
        self.pipe.send(task)

    def take(self) -> tuple[Mutant, Verdict]:
        """What it found; if it is gone, a new one is started in its place."""
        assert self.task is not None
        (mutant, _), self.task = self.task, None
        try:
            found = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self.pipe.close()
            self._start()
            if code == _TIMED_OUT:
                return mutant, Verdict("timed out", f"more than {self._limit:g} seconds")
            return mutant, Verdict("killed", f"its process ended with code {code}")
        if isinstance(found, BaseException):
            raise found
        return mutant, found

    def end(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()


class _Clock:
    """Ends this process when a mutant has taken too much computing time, or when nobody waits for it any more."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._until = float("inf")
        threading.Thread(target=self._watch, daemon=True).start()

    def start(self) -> None:
        self._until = time.process_time() + self._limit

    def stop(self) -> None:
        self._until = float("inf")

    def _watch(self) -> None:
        parent = multiprocessing.parent_process()
        while True:
            time.sleep(_EVERY)
            if time.process_time() > self._until:
                os._exit(_TIMED_OUT)
            if parent is not None and not parent.is_alive():
                os._exit(1)


def _work(judge: Judge, pipe: Connection[Any, Any], limit: float) -> None:
    """Judge what comes through the pipe. Whoever started this process says when it ends, also after Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where a new process does not take it over
    clock = _Clock(limit)
    with contextlib.suppress(EOFError, OSError):
        while True:
            mutant, declared = pipe.recv()
            clock.start()
            try:
                found: Any = judge.judge(mutant, declared=declared)
            except Exception as error:  # told by the process that asked
                found = RuntimeError(f"{mutant.id}: {type(error).__name__}: {error}")
            clock.stop()
            pipe.send(found)
