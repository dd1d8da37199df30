"""Work in forked processes, a few at a time, each with limits; and a file in which its results are kept."""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PATIENCE = 1800
"""Seconds after which a process that waits for something is given up."""
MEMORY = 4 << 30
"""Bytes a process may fill."""


def each(
    names: list[str], work: Callable[[str, int], None], jobs: int
) -> Iterator[tuple[str, str, int]]:
    """Do something for each name in a process of its own, to which goes a pipe; what is said in it, and the exit code."""
    todo, done, began = list(names), 0, time.time()
    running: dict[int, tuple[int, str, str, list[bytes]]] = {}
    while todo or running:
        while todo and len(running) < jobs:
            name, folder = todo.pop(0), tempfile.mkdtemp(prefix="mutant-")
            pipe, end = os.pipe()
            pid = os.fork()
            if not pid:
                code = 1
                try:
                    os.close(pipe)
                    _shut_in(folder)
                    work(name, end)
                    code = 0
                finally:
                    os._exit(code)
            os.close(end)
            running[pipe] = (pid, name, folder, [])
        for pipe in select.select(list(running), [], [], 5)[0]:
            said = running[pipe][-1]
            if chunk := os.read(pipe, 1 << 16):
                said.append(chunk)
                continue
            pid, name, folder, said = running.pop(pipe)
            os.close(pipe)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            shutil.rmtree(folder, ignore_errors=True)
            done += 1
            if done % 20 == 0:
                print(f"{done} of {len(names)}, {time.time() - began:.0f} s", flush=True)
            yield name, b"".join(said).decode(), code


def limit_computing(seconds: float) -> None:
    """End this process after so many more seconds of computing."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def write_all(end: int, data: bytes) -> None:
    """Write into a pipe, however much it is."""
    while data:
        data = data[os.write(end, data) :]


class Kept:
    """A mapping in a file, as long as its key is the same; written every few entries, whole or not at all."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path, key
        read = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        self._all: dict[str, dict[str, Any]] = read.get("all", {}) if read.get("key") == key else {}
        self._new = 0

    def all(self) -> dict[str, dict[str, Any]]:
        """All entries."""
        return self._all

    def get(self, name: str) -> dict[str, Any]:
        """An entry; an empty one if there is none."""
        return self._all.get(name, {})

    def put(self, name: str, value: dict[str, Any]) -> None:
        """Add an entry, or change it."""
        self._all[name] = value
        self._new += 1
        if self._new % 20 == 0:
            self.keep()

    def keep(self) -> None:
        """Write the file."""
        beside = self._path.with_name(self._path.name + ".tmp")
        beside.write_text(json.dumps({"key": self._key, "all": self._all}), encoding="utf-8")
        os.replace(beside, self._path)


def _shut_in(folder: str) -> None:
    """Be silent, write nowhere but into a folder of one's own, and fill no more than the memory allowed."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = folder
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(PATIENCE)
