"""A pytest plugin that plays mutants: the collected tests judge each of them, in a forked process of its own."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import pkgutil
import random
import signal
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from forks import Kept, each, limit_computing, write_all
from hypothesis import HealthCheck, settings
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state as mutmut_state

SECONDS_OF_A_JUDGE = 6
"""Computing time of a test, at most; slower ones do not judge."""
SECONDS_MORE = 5
"""Computing time that a mutant may take beyond five times that of its test."""
SEEN = ("noticed", "timed out", "broke down")
"""What happens to a mutant that is found out."""
CONTROLS = 5
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
        self.judges = Kept(Path(settings["judges"]), settings["compiler"])
        """Of each test: what it reaches and how long it takes; or that it cannot judge."""
        self.fates = Kept(Path(settings["state"]), settings["compiler"])
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)
        """Which tests have noticed mutants, by module and by function."""
        self.reaching: dict[str, list[str]] = defaultdict(list)

    def run(self) -> None:
        """Try out the tests, then play the mutants; both go on where an earlier run has stopped."""
        gc.collect()
        gc.freeze()
        key = {name: self.keys[name.partition("::")[0]] for name in self.items}
        new = [name for name in self.items if self.judges.get(name).get("key") != key[name]]
        for name, told, code in each(new, self._try_out, self.jobs):
            if told:
                self.judges.put(name, {"key": key[name], **json.loads(told)})
            elif code != -signal.SIGALRM:
                slow = code == -signal.SIGPROF
                self.judges.put(name, {"key": key[name], "slow" if slow else "fails": True})
        self.judges.keep()
        able = {name for name in self.items if "reached" in self.judges.get(name)}
        failing = [name for name in self.items if "fails" in self.judges.get(name)]
        print(
            f"{len(able)} of {len(self.items)} tests judge; these fail here: {failing}", flush=True
        )
        for name in able:
            for function in self.judges.get(name)["reached"]:
                self.reaching[function].append(name)
        for name, fate in self.fates.all().items():
            self._learn(name, fate)
        judging = "".join(sorted({self.keys[name.partition("::")[0]] for name in able}))
        todo = [name for name in self.names if not self._known(name, judging)]
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

    def _try_out(self, name: str, end: int) -> None:
        """Run a test without a mutant, see what it reaches and how long it takes."""
        set_mutant_under_test("stats")
        limit_computing(SECONDS_OF_A_JUDGE)
        began = time.process_time()
        if _passes(self.items[name]):
            seconds = time.process_time() - began
            told = {"seconds": round(seconds, 2), "reached": sorted(mutmut_state()._stats)}
            write_all(end, json.dumps(told).encode())

    def _judge(self, name: str, end: int) -> None:
        """Run the tests that reach a mutant, until one notices."""
        set_mutant_under_test(name)
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
        if code == -signal.SIGALRM:
            return {"fate": "given up"}
        return {"fate": "timed out" if code == -signal.SIGPROF else "broke down", "code": code}

    def _learn(self, name: str, fate: dict[str, Any]) -> None:
        if fate["fate"] == "noticed":
            self.noticed[_function(name)][fate["by"]] += 1
            self.noticed[_module(name)][fate["by"]] += 1


def _function(mutant: str) -> str:
    return mutant.rpartition("__mutmut_")[0]


def _module(mutant: str) -> str:
    return mutant.rpartition(".")[0]


def _passes(item: pytest.Item) -> bool:
    """Run one test with its fixtures; whether it passes or is skipped."""
    from _pytest.runner import runtestprotocol

    try:
        return all(report.outcome != "failed" for report in runtestprotocol(item, log=False))
    except BaseException:
        return False
