"""A pytest plugin that plays mutants: the collected tests judge each of them, in a forked process of its own."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import pkgutil
import random
import resource
import select
import shutil
import signal
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state as mutmut_state

SECONDS_OF_A_JUDGE = 6
"""Computing time of a test, at most; slower ones do not judge."""
SECONDS_MORE = 5
"""Computing time that a mutant may take beyond five times that of its test."""
PATIENCE = 300
"""Seconds after which a mutant that waits for something is given up."""
MEMORY = 4 << 30
"""Bytes a mutant may fill."""
SEEN = ("noticed", "timed out", "broke down")
"""What happens to a mutant that is found out."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Play the mutants of the settings instead of the tests."""
    settings = json.loads(Path("settings.json").read_text("utf-8"))
    _warm_up()
    _Play(session, settings).run()
    return True


def pytest_configure(config: pytest.Config) -> None:
    """No test reports: a failure is what is wanted here."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)


def _warm_up() -> None:
    """Do once what every mutant would do again and what none of them changes: imports, templates, checks of schemas."""
    import jinja2
    from jsonschema import Draft202012Validator, validators

    import trickwright.kinds
    from trickwright import Report, compile_game, read_game
    from trickwright.places import games

    for kind in pkgutil.iter_modules(trickwright.kinds.__path__):
        importlib.import_module(f"trickwright.kinds.{kind.name}.kind")

    compiled: dict[tuple[Any, ...], Any] = {}
    compile_template: Any = jinja2.Environment.compile

    def once(self: Any, source: Any, *rest: Any, **named: Any) -> Any:
        key = (source, *rest, *sorted(named.items())) if isinstance(source, str) else (id(source),)
        if key not in compiled:
            compiled[key] = compile_template(self, source, *rest, **named)
        return compiled[key]

    jinja2.Environment.compile = once  # type: ignore[method-assign]

    sound: set[str] = set()
    extend: Any = validators.extend

    def extend_once(*rest: Any, **named: Any) -> Any:
        made = extend(*rest, **named)
        check = made.check_schema

        def check_once(schema: Any, *more: Any) -> None:
            text = json.dumps(schema, sort_keys=True)
            if text not in sound:
                check(schema, *more)
                sound.add(text)

        made.check_schema = check_once
        return made

    validators.extend = extend_once
    assert Draft202012Validator is not None
    for folder in games().values():
        report = Report()
        files = read_game(folder, report)
        assert files is not None
        compile_game(files, (), (), report)
    _forget()


def _forget() -> None:
    """Empty every memory of the compiler and of the tests, so that a mutant meets none of it."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper) and str(thing.__module__).startswith(
            ("trickwright", "conftest", "suites", "test_")
        ):
            thing.cache_clear()
    from trickwright import schema

    schema._validators.clear()


class _Play:
    """The tests with what each reaches, and the mutants' fates."""

    def __init__(self, session: pytest.Session, settings: dict[str, Any]) -> None:
        self.items = {item.nodeid: item for item in session.items}
        self.names: list[str] = settings["names"]
        self.jobs: int = settings["jobs"]
        self.budget: float = settings["budget"]
        self.keys: dict[str, str] = settings["keys"]
        self.judges = _Kept(Path(settings["judges"]), settings["compiler"])
        """Of each test: what it reaches and how long it takes; or that it cannot judge."""
        self.fates = _Kept(Path(settings["state"]), settings["compiler"])
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)
        """Which tests have noticed mutants, by module and by function."""
        self.reaching: dict[str, list[str]] = defaultdict(list)

    def run(self) -> None:
        """Try out the tests, then play the mutants; both go on where an earlier run has stopped."""
        gc.collect()
        gc.freeze()
        key = {name: self.keys[name.partition("::")[0]] for name in self.items}
        new = [name for name in self.items if self.judges.get(name).get("key") != key[name]]
        for name, told, code in self._each(new, self._try_out):
            if told:
                self.judges.put(name, {"key": key[name], **json.loads(told)})
            else:
                slow = code in (-signal.SIGPROF, -signal.SIGALRM)
                self.judges.put(name, {"key": key[name], "slow" if slow else "fails": True})
        self.judges.keep()
        able = {name for name in self.items if "reached" in self.judges.get(name)}
        failing = [name for name in self.items if "fails" in self.judges.get(name)]
        print(f"{len(able)} of {len(self.items)} tests judge; these fail here: {failing}", flush=True)
        for name in able:
            for function in self.judges.get(name)["reached"]:
                self.reaching[function].append(name)
        for name, fate in self.fates.all().items():
            self._learn(name, fate)
        judging = "".join(sorted({self.keys[name.partition("::")[0]] for name in able}))
        todo = [
            name
            for name in self.names
            if self.fates.get(name).get("fate") not in SEEN
            and self.fates.get(name).get("judging") != judging
        ]
        for name, told, code in self._each(todo, self._judge):
            fate = self._fate(name, told, code)
            self._learn(name, fate)
            self.fates.put(name, fate if fate["fate"] in SEEN else {**fate, "judging": judging})
        self.fates.keep()

    def _each(
        self, names: list[str], work: Callable[[str, int], None]
    ) -> Iterator[tuple[str, str, int]]:
        """Do something for each name in a process of its own; what that has said, and its exit code."""
        todo, running, done, began = list(names), dict[int, tuple[int, str, str]](), 0, time.time()
        while todo or running:
            while todo and len(running) < self.jobs:
                name, folder = todo.pop(0), tempfile.mkdtemp(prefix="mutant-")
                pipe, end = os.pipe()
                pid = os.fork()
                if not pid:
                    os.close(pipe)
                    _shut_in(folder)
                    try:
                        work(name, end)
                    finally:
                        os._exit(0)
                os.close(end)
                running[pipe] = (pid, name, folder)
            for pipe in select.select(list(running), [], [], 5)[0]:
                pid, name, folder = running.pop(pipe)
                told = _read_all(pipe).decode()
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                shutil.rmtree(folder, ignore_errors=True)
                done += 1
                if done % 20 == 0:
                    print(f"{done} of {len(names)}, {time.time() - began:.0f} s", flush=True)
                yield name, told, code

    def _try_out(self, name: str, end: int) -> None:
        """Run a test without a mutant, see what it reaches and how long it takes."""
        set_mutant_under_test("stats")
        _limit(SECONDS_OF_A_JUDGE)
        began = time.process_time()
        if _passes(self.items[name]):
            seconds = time.process_time() - began
            told = {"seconds": round(seconds, 2), "reached": sorted(mutmut_state()._stats)}
            _write_all(end, json.dumps(told).encode())

    def _judge(self, name: str, end: int) -> None:
        """Run the tests that reach a mutant, until one notices."""
        set_mutant_under_test(name)
        spent = 0.0
        for judge in self._order(name):
            seconds = self.judges.get(judge)["seconds"]
            spent += seconds
            if spent > self.budget:
                break
            _limit(seconds * 5 + SECONDS_MORE)
            if not _passes(self.items[judge]):
                _write_all(end, judge.encode())
                return

    def _order(self, name: str) -> list[str]:
        """The tests that reach the mutant, those first that have noticed its like, then any that a quick one has as good a chance as."""
        function = _function(name)
        near, far = self.noticed[function], self.noticed[_module(name)]
        by_chance = random.Random(name)
        weight = {
            judge: self.judges.get(judge)["seconds"] * by_chance.random()
            for judge in self.reaching[function]
        }
        return sorted(weight, key=lambda judge: (-near[judge], -min(far[judge], 3), weight[judge]))

    def _fate(self, name: str, told: str, code: int) -> dict[str, Any]:
        if told:
            return {"fate": "noticed", "by": told}
        if code == 0:
            return {"fate": "survived" if self.reaching[_function(name)] else "unseen"}
        limits = (-signal.SIGALRM, -signal.SIGPROF)
        return {"fate": "timed out" if code in limits else "broke down", "code": code}

    def _learn(self, name: str, fate: dict[str, Any]) -> None:
        if fate["fate"] == "noticed":
            self.noticed[_function(name)][fate["by"]] += 1
            self.noticed[_module(name)][fate["by"]] += 1


class _Kept:
    """A mapping in a file, as long as its key is the same; kept every few entries."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path, key
        read = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        self._all: dict[str, dict[str, Any]] = read.get("all", {}) if read.get("key") == key else {}
        self._new = 0

    def all(self) -> dict[str, dict[str, Any]]:
        return self._all

    def get(self, name: str) -> dict[str, Any]:
        return self._all.get(name, {})

    def put(self, name: str, value: dict[str, Any]) -> None:
        self._all[name] = value
        self._new += 1
        if self._new % 20 == 0:
            self.keep()

    def keep(self) -> None:
        """Write the file, whole or not at all."""
        beside = self._path.with_name(self._path.name + ".tmp")
        text = json.dumps({"key": self._key, "all": self._all})
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, self._path)


def _function(mutant: str) -> str:
    return mutant.rpartition("__mutmut_")[0]


def _module(mutant: str) -> str:
    return mutant.rpartition(".")[0]


def _shut_in(folder: str) -> None:
    """Be silent, write nowhere but into a folder of one's own, and fill no more than the memory allowed."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = folder
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(PATIENCE)


def _limit(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)


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
