"""A pytest plugin that plays mutants: the collected tests judge each of them, in a forked process of its own."""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import json
import pkgutil
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
from forks import Kept, each, limit_computing, write_all
from hypothesis import HealthCheck, settings

SECONDS_OF_A_JUDGE = 4
"""Computing time of a test, at most; slower ones do not judge."""
SECONDS_MORE = 10
"""Computing time that a mutant may take beyond five times that of its test, which may have found games read already."""
SEEN = ("noticed", "timed out", "broke down")
"""What happens to a mutant that is found out."""
RUNTIME = "trickwright.templates.runtime"
RUNTIMES = ("trickwright_in_memory._runtime", "trickwright_games._runtime")
"""Where it is imported from."""
CONTROLS = 2
"""Functions that are judged unchanged: whatever notices those is no judge."""


def pytest_collection() -> None:
    """Examples made by chance are the same for each mutant, whatever the clock says and an earlier mutant has met."""
    settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")


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
    from trickwright.memory import load_engine
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
        made = compile_game(files, (), (), report)
        assert made is not None
        load_engine(made)
    importlib.import_module("trickwright_games._runtime")
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
        self.texts: dict[str, str] = settings["mutants"]
        self.jobs: int = settings["jobs"]
        self.budget: float = settings["budget"]
        self.keys: dict[str, str] = settings["keys"]
        self.judges = Kept(Path(settings["judges"]), settings["compiler"])
        """Of each test: what it reaches and how long it takes; or that it cannot judge."""
        self.fates = Kept(Path(settings["state"]), settings["compiler"])
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)
        """Which tests have noticed mutants, by module and by function."""
        self.reaching: dict[str, list[str]] = defaultdict(list)
        self.new: set[str] = set()

    def run(self) -> None:
        """Try out the tests, then play the mutants; both go on where an earlier run has stopped."""
        gc.collect()
        gc.freeze()
        key = {name: self.keys[_file(name)] for name in self.items}
        self.new = {name for name in self.items if self.judges.get(name).get("key") != key[name]}
        for _, told, _ in each(sorted(set(map(_file, self.new))), self._try_out, self.jobs):
            for line in told.splitlines():
                name, found = json.loads(line)
                self.judges.put(name, {"key": key[name], **found})
        self.judges.keep()
        able = {name for name in self.items if self.judges.get(name).get("reached")}
        failing = [name for name in self.items if "reached" not in self.judges.get(name)]
        print(
            f"{len(able)} of {len(self.items)} tests judge; these fail here, or are slow: {failing}",
            flush=True,
        )
        for name in able:
            for function in self.judges.get(name)["reached"]:
                self.reaching[function].append(name)
        for name, fate in self.fates.all().items():
            self._learn(name, fate)
        judges = repr((self.budget, sorted((name, key[name]) for name in able)))
        judging = hashlib.sha256(judges.encode()).hexdigest()[:16]
        todo = [name for name in self.texts if not self._known(name, judging)]
        self._control()
        for name, told, code in each(todo, self._judge, self.jobs):
            fate = self._fate(name, told, code)
            self._learn(name, fate)
            self.fates.put(name, {**fate, "judging": judging})
        self.fates.keep()

    def _known(self, name: str, judging: str) -> bool:
        """Whether a mutant's fate is known: it was found out, or the same tests have all let it live."""
        fate = self.fates.get(name)
        if fate.get("fate") in SEEN:
            return True
        return fate.get("fate") in ("survived", "unseen") and fate["judging"] == judging

    def _control(self) -> None:
        """Judge functions that nothing has changed; a harness that finds fault with one of them is wrong."""
        names = sorted(self.reaching)
        chosen = random.Random(0).sample(names, min(CONTROLS, len(names)))
        for name, told, code in each(
            [f"{name}__mutmut_0" for name in chosen], self._judge, self.jobs
        ):
            fate = self._fate(name, told, code)
            assert fate["fate"] == "survived", f"nothing is changed in {name}, and yet: {fate}"

    def _try_out(self, file: str, end: int) -> None:
        """Run the tests of a file without a mutant, see what each reaches and how long it takes.

        What is remembered from one test to the next is not reached again: a mutant has fewer judges than it could have.
        """
        signal.signal(signal.SIGPROF, _stop)
        for name, item in self.items.items():
            if name not in self.new or _file(name) != file:
                continue
            began = time.process_time()
            with _reached() as reached:
                limit_computing(SECONDS_OF_A_JUDGE)
                passes = _passes(item)
                limit_computing(0)
            seconds = round(time.process_time() - began, 2)
            found = {"seconds": seconds, "reached": sorted(reached)} if passes else {}
            write_all(end, f"{json.dumps([name, found])}\n".encode())

    def _judge(self, name: str, end: int) -> None:
        """Run the tests that reach a mutant, until one notices."""
        if name in self.texts:
            switch_on(name, self.texts[name])
        spent = 0.0
        for judge in self._order(name):
            seconds = self.judges.get(judge)["seconds"]
            spent += seconds
            if spent > self.budget:
                break
            limit_computing(seconds * 5 + SECONDS_MORE)
            if not _passes(self.items[judge]):
                write_all(end, judge.encode())
                return

    def _order(self, name: str) -> list[str]:
        """The tests that reach the mutant: those first that have noticed its like, then the others, quick ones rather early."""
        function = function_of(name)
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
            return {"fate": "survived" if self.reaching[function_of(name)] else "unseen"}
        assert code < 0, f"{name} cannot be judged"
        fates = {signal.SIGALRM: "given up", signal.SIGPROF: "timed out"}
        return {"fate": fates.get(signal.Signals(-code), "broke down"), "code": code}

    def _learn(self, name: str, fate: dict[str, Any]) -> None:
        if fate["fate"] == "noticed":
            self.noticed[function_of(name)][fate["by"]] += 1
            self.noticed[_module(name)][fate["by"]] += 1


def _file(test: str) -> str:
    return test.partition("::")[0]


def function_of(mutant: str) -> str:
    """The name of the function that a mutant is made of, with its class and module."""
    module, _, name = mutant.rpartition("__mutmut_")[0].rpartition(".")
    return f"{module}.{name.removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')}"


def switch_on(mutant: str, text: str) -> None:
    """Give a function the code of its mutant, which stands in the text, in a class if the function does.

    The runtime is there more than once: in its folder, for engines in memory, and beside those in ``generated/``.
    """
    path = mutant.rpartition(".")[0]
    *within, name = function_of(mutant)[len(path) + 1 :].split(".")
    for package in RUNTIMES if path.startswith(RUNTIME) else (RUNTIME,):
        old: Any = importlib.import_module(path.replace(RUNTIME, package))
        space = {**vars(old)}
        exec(compile(f"from __future__ import annotations\n{text}", f"<{mutant}>", "exec"), space)
        new: Any = SimpleNamespace(**space)
        for part in within:
            old, new = getattr(old, part), getattr(new, part)
        old, new = vars(old)[name], vars(new)[mutant.rpartition(".")[2]]
        old, new = (getattr(function, "__func__", function) for function in (old, new))
        for part in ("__code__", "__defaults__", "__kwdefaults__"):
            setattr(old, part, getattr(new, part))


@contextmanager
def _reached() -> Iterator[set[str]]:
    """The functions of the compiler that are called meanwhile."""
    reached: set[str] = set()

    def see(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            module = frame.f_globals.get("__name__", "")
            for package in RUNTIMES:
                module = module.replace(package, RUNTIME)
            if module.startswith("trickwright."):
                reached.add(f"{module}.{frame.f_code.co_qualname}")

    sys.setprofile(see)
    try:
        yield reached
    finally:
        sys.setprofile(None)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt  # an exception would make hypothesis look for a smaller one


def _module(mutant: str) -> str:
    return mutant.rpartition(".")[0]


def _passes(item: pytest.Item) -> bool:
    """Run one test with its fixtures; whether it passes or is skipped."""
    from _pytest.runner import runtestprotocol

    try:
        return all(report.outcome != "failed" for report in runtestprotocol(item, log=False))
    except BaseException:
        return False
