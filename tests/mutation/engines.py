"""Mutation testing of the engines: change the templates one place at a time and see whether a conformance case notices.

    python tests/mutation/engines.py --sample 300 --jobs 2 --seed 1

Every operator, constant and statement of Python in the text of ``*.j2`` is a place; the runtime is in ``run.py``. The
engines of all sets of variants that cases ask for are made once, with marks around the places; a mutant is these texts with one
place changed, and all cases of the games in which that makes a difference judge it, until one fails; then the tests that play engines.
Python that the compiler makes from expressions of the rules is not changed here: ``trickwright mutate`` changes the rules themselves.

What nothing notices is played against the right engine, in random hands: the same engine, it seems, or not. A place that was
changed is named with its template and line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import jinja2
import pytest
from changes import BEGIN, CLOSE, Place, marked, plain
from forks import Kept, each, limit_computing, write_all
from score import fingerprint, told

import trickwright.compile
from trickwright import Compiled, Report, compile_game, read_game
from trickwright.emit import TEMPLATES
from trickwright.memory import _PACKAGE, load_engine
from trickwright.places import games
from trickwright_conformance import Suite
from trickwright_conformance.observe import speech
from trickwright_conformance.runner import run_case
from trickwright_tools.mutation.proof import difference

SECONDS = 60
"""Computing time a mutant may take for the cases, and for the hands of the comparison."""
SECONDS_OF_TESTS = 120
"""The same for each file of tests."""
CONTROL = "-1"
HANDS = 5
"""Random hands with each number of players in which a survivor is compared with the right engine."""
TESTS = [
    f"tests/test_{topic}.py"
    for topic in ("bids", "options", "rounds", "melding", "decks", "hand", "engine")
]
"""The tests that play engines; not those that hold the text of engines against what it was."""


class _Marking(jinja2.FileSystemLoader):
    """Loads templates with marks around their places."""

    places: ClassVar[list[Place]] = []
    texts: ClassVar[dict[str, str]] = {}
    """The engines without marks, and with them."""
    changed: ClassVar[int] = -1
    """The place that engines made from now on are changed at."""
    known: ClassVar[dict[str, str]] = {}

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        text, name, is_fresh = super().get_source(environment, template)
        if template not in self.known:
            self.known[template] = marked(template, text, self.places)
        return self.known[template], name, is_fresh


@dataclass
class Judge:
    """The cases of a game with one set of variants, and the engine as it should be."""

    game: str
    variants: tuple[str, ...]
    compiled: Compiled
    marked: str
    right: ModuleType
    sides: list[tuple[Any, Any]]


def judges(only: str) -> tuple[list[Judge], list[Place]]:
    """All engines that cases ask for, with marks, and the places in them."""
    jinja2.FileSystemLoader = _Marking  # type: ignore[misc]
    places = _Marking.places

    emit = trickwright.compile.emit

    def emit_marked(*given: Any) -> str:
        whole = emit(*given)
        text = plain(whole, places, _Marking.changed)
        _Marking.texts[text] = whole
        return text

    trickwright.compile.emit = emit_marked
    found = []
    for game, folder in games().items():
        if only not in game:
            continue
        files = read_game(folder, Report())
        assert files is not None
        suite = Suite.load(files)
        for variants in dict.fromkeys(side.variants for case in suite.cases for side in case.sides):
            made = compile_game(files, variants)
            assert made is not None
            sides = [(c, s) for c in suite.cases for s in c.sides if s.variants == variants]
            marked_text = _Marking.texts[made.engine]
            found.append(Judge(game, variants, made, marked_text, load_engine(made), sides))
    return found, places


def mutated(judge: Judge, places: list[Place], number: int) -> ModuleType:
    """The engine with one place changed."""
    name = f"{_PACKAGE}.mutant_{judge.compiled.game.module}"
    module = ModuleType(name)
    module.__package__ = _PACKAGE
    sys.modules[name] = module
    exec(compile(plain(judge.marked, places, number), name, "exec"), module.__dict__)
    return module


def main() -> None:
    """Mark, draw, play, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=300, help="how many mutants; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--only", default="", help="only places whose template or line contains this"
    )
    parser.add_argument("--game", default="", help="only games whose name contains this")
    parser.add_argument("--list", action="store_true", help="list the places and play nothing")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mutants")
    options = parser.parse_args()
    engines, places = judges(options.game)
    numbers = [n for n, place in enumerate(places) if options.only in str(place)]
    if options.sample and options.sample < len(numbers):
        numbers = random.Random(options.seed).sample(numbers, options.sample)
    if options.list:
        print("\n".join(str(places[number]) for number in numbers))
        return
    options.work.mkdir(parents=True, exist_ok=True)
    key = fingerprint(
        [
            *TEMPLATES.parents[1].rglob("*.*"),
            *Path("conformance/cases").rglob("*.yaml"),
            *map(Path, TESTS),
        ]
    )
    kept = Kept(options.work / "engines.json", key)
    play = _Play(engines, places)
    known = [str(n) for n in numbers if kept.get(str(n)).get("fate") not in (None, "given up")]
    for name in known:
        play.learn(name, kept.get(name))
    todo = [str(n) for n in numbers if str(n) not in known]
    if kept.get(CONTROL).get("fate") != "survived":  # what nothing has changed
        todo.insert(0, CONTROL)
    for name, said, code in each(todo, play.judge, options.jobs):
        fate = _fate(said, code)
        assert name != CONTROL or fate["fate"] == "survived", f"nothing is changed, and yet: {fate}"
        play.learn(name, fate)
        kept.put(name, fate)
    kept.keep()
    fates = {number: kept.get(str(number)) for number in numbers if str(number) in kept.all()}
    counts: dict[str, list[int]] = {}
    for number, fate in sorted(fates.items()):
        unnoticed = fate["fate"] in ("survived", "given up")
        if unnoticed:
            print(
                f"{fate['fate']}: {places[number]} ({fate.get('differs', 'not compared to the end')})"
            )
        count = counts.setdefault(places[number].template, [0, 0])
        count[0] += not unnoticed
        count[1] += 1
    for what in (
        Counter(fate["fate"] for fate in fates.values()),
        Counter(
            fate["by"] if "/" in fate["by"] else "cases" for fate in fates.values() if "by" in fate
        ),
    ):
        print(", ".join(f"{key} {count}" for key, count in what.most_common()))
    print(told(counts, len(places)))


def _fate(said: str, code: int) -> dict[str, Any]:
    """What became of a mutant; one that was given up for want of time on the clock was not noticed."""
    fate = {key: value for line in said.splitlines() for key, value in json.loads(line).items()}
    if code == -signal.SIGALRM and "differs" not in fate:
        return {"fate": "given up"}
    return fate or {"fate": "timed out" if code == -signal.SIGPROF else "broke down"}


class _Play:
    """The cases as judges of a place."""

    def __init__(self, engines: list[Judge], places: list[Place]) -> None:
        self.engines, self.places = engines, places
        self.noticed: dict[str, Counter[str]] = defaultdict(Counter)

    def judge(self, name: str, end: int) -> None:
        """Play the cases until one fails; say what became of the mutant."""
        limit_computing(SECONDS)
        for fate in self._fates(int(name)):
            write_all(end, f"{json.dumps(fate)}\n".encode())
            if fate.get("fate") in ("noticed", "no engine"):
                break

    def learn(self, name: str, fate: dict[str, Any]) -> None:
        """Remember which cases notice what of a template."""
        if "by" in fate and name != CONTROL:
            self.noticed[self.places[int(name)].template][fate["by"]] += 1

    def _fates(self, number: int) -> Iterator[dict[str, Any]]:
        mark = f"{BEGIN}{number}{CLOSE}"
        concerned = [e for e in self.engines if mark in e.marked]
        near = self.noticed[self.places[number].template if number >= 0 else ""]
        sides = [(near[case.id], e, case, side) for e in concerned for case, side in e.sides]
        sides.sort(key=lambda known: (-known[0], bool(known[1].variants)))
        made: dict[int, ModuleType] = {}
        for _, engine, case, side in sides:
            if id(engine) not in made:
                try:
                    made[id(engine)] = mutated(engine, self.places, number)
                except Exception as error:
                    yield {"fate": "no engine", "why": str(error)}
            result = run_case(case, side, made[id(engine)], speech(engine.right))
            if not result.passed:
                yield {"fate": "noticed", "by": case.id}
        _Marking.changed = number
        for file in sorted(TESTS, key=lambda file: -near[file]):
            yield {"fate": "timed out"}  # until it is not
            limit_computing(SECONDS_OF_TESTS)
            if pytest.main(["-x", "-q", "-p", "no:cacheprovider", file]) != pytest.ExitCode.OK:
                yield {"fate": "noticed", "by": file}
        _Marking.changed = -1
        yield {"fate": "survived"}
        limit_computing(SECONDS)
        said = "" if concerned else "in no engine"
        for engine in concerned:
            try:
                said = said or difference(engine.right, made[id(engine)], HANDS)
            except Exception as error:
                said = str(error)
        yield {"differs": said or "no difference in random play"}


if __name__ == "__main__":
    main()
