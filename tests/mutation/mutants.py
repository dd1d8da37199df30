"""A pytest plugin that plays mutants: the collected tests judge each of them, in a forked process of its own."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state as mutmut_state

SECONDS_MORE = 20
"""What a mutant may take beyond the time that its tests take without it."""
MEMORY = 4 << 30
"""Bytes a mutant may fill."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Play the mutants of the settings instead of the tests."""
    settings = json.loads(Path("settings.json").read_text("utf-8"))
    _Play(session, settings).run()
    return True


def pytest_configure(config: pytest.Config) -> None:
    """No test reports: a failure is what is wanted here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)


class _Play:
    """The tests with what each reaches, and the mutants' fates."""

    def __init__(self, session: pytest.Session, settings: dict[str, Any]) -> None:
        self.items = list(session.items)
        self.names: list[str] = settings["names"]
        self.jobs: int = settings["jobs"]
        self.budget: float = settings["budget"]
        self.path = Path(settings["state"])
        self.fates: dict[str, dict[str, Any]] = (
            json.loads(self.path.read_text("utf-8")) if self.path.is_file() else {}
        )
        self.reached: dict[int, set[str]] = {}
        self.seconds: dict[int, float] = {}
        self.noticed: dict[str, Counter[int]] = defaultdict(Counter)
        """Which tests have noticed mutants, by module and by function."""

    def run(self) -> None:
        for place in range(len(self.items)):
            self._try_out(place)
        print(f"{len(self.reached)} of {len(self.items)} tests judge, {sum(self.seconds.values()):.0f} s", flush=True)
        todo = [name for name in self.names if name not in self.fates]
        running: dict[int, tuple[int, str]] = {}
        while todo or running:
            while todo and len(running) < self.jobs:
                name = todo.pop(0)
                order = self._order(name)
                if not order:
                    self.fates[name] = {"fate": "unseen"}
                    continue
                pid, pipe = self._fork(name, order)
                running[pipe] = (pid, name)
            ready = select.select(list(running), [], [], 5)[0] if running else []
            for pipe in ready:
                pid, name = running.pop(pipe)
                self._end(name, pid, pipe)
            if len(self.fates) % 20 == 0 or not todo:
                self._keep()
        self._keep()

    def _try_out(self, place: int) -> None:
        """Run a test without a mutant, in a process of its own, and see what it reaches and how long it takes."""
        pipe, end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(pipe)
            set_mutant_under_test("stats")
            began = time.perf_counter()
            good = _passes(self.items[place])
            told = {"seconds": time.perf_counter() - began, "reached": sorted(mutmut_state()._stats)}
            os.write(end, b"") if not good else _write_all(end, json.dumps(told).encode())
            os._exit(0)
        os.close(end)
        told_text = _read_all(pipe)
        os.waitpid(pid, 0)
        if told_text:
            told = json.loads(told_text)
            self.reached[place], self.seconds[place] = set(told["reached"]), told["seconds"]
        else:
            print(f"does not pass here, so it cannot judge: {self.items[place].nodeid}", flush=True)

    def _order(self, name: str) -> list[int]:
        """The tests that reach the mutant, those first that have noticed its like, then the quickest."""
        function = name.rpartition("__mutmut_")[0]
        module = function.rpartition(".")[0]
        near, far = self.noticed[function], self.noticed[module]
        able = [place for place, reached in self.reached.items() if function in reached]
        return sorted(able, key=lambda p: (-near[p], -min(far[p], 3), self.seconds[p]))

    def _fork(self, name: str, order: list[int]) -> tuple[int, int]:
        pipe, end = os.pipe()
        pid = os.fork()
        if pid:
            os.close(end)
            return pid, pipe
        os.close(pipe)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        set_mutant_under_test(name)
        spent = 0.0
        for place in order:
            spent += self.seconds[place]
            if spent > self.budget:
                break
            signal.setitimer(signal.ITIMER_REAL, self.seconds[place] * 10 + SECONDS_MORE)
            if not _passes(self.items[place]):
                os.write(end, str(place).encode())
                os._exit(1)
        os._exit(0)

    def _end(self, name: str, pid: int, pipe: int) -> None:
        told = _read_all(pipe).decode()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        function = name.rpartition("__mutmut_")[0]
        if told:
            place = int(told)
            self.noticed[function][place] += 1
            self.noticed[function.rpartition(".")[0]][place] += 1
            self.fates[name] = {"fate": "noticed", "by": self.items[place].nodeid}
        elif code == 0:
            self.fates[name] = {"fate": "survived"}
        else:
            how = "timed out" if code == -signal.SIGALRM else "broke down"
            self.fates[name] = {"fate": how, "code": code}

    def _keep(self) -> None:
        beside = self.path.with_name(self.path.name + ".tmp")
        beside.write_text(json.dumps(self.fates, indent=0), encoding="utf-8")
        os.replace(beside, self.path)
        counts = Counter(fate["fate"] for fate in self.fates.values())
        print(f"{len(self.fates)} of {len(self.names)}: {dict(counts)}", flush=True)


def _passes(item: pytest.Item) -> bool:
    """Run one test with its fixtures; whether it passes or is skipped."""
    from _pytest.runner import runtestprotocol

    try:
        return all(report.outcome != "failed" for report in runtestprotocol(item, log=False))
    except BaseException:
        return False


def _write_all(end: int, data: bytes) -> None:
    while data:
        data = data[os.write(end, data) :]


def _read_all(pipe: int) -> bytes:
    data = b""
    while chunk := os.read(pipe, 1 << 16):
        data += chunk
    os.close(pipe)
    return data
