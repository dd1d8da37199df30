"""Mutation testing of the engines: change the templates one place at a time and see whether a conformance case notices.

    python tests/mutation/engines.py --sample 300 --jobs 2 --seed 1

Every operator, constant and statement of Python in the text of ``*.j2`` is a place; the runtime is in ``run.py``. The
engines of all sets of variants that cases ask for are made once, with marks around the places; a mutant is these texts with one
place changed, and all cases of the games in which that makes a difference judge it, until one fails. Python that the compiler
makes from expressions of the rules is not changed here: ``trickwright mutate`` changes the rules themselves.

What no case notices is played against the right engine, in random hands: the same engine, it seems, or not.
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
"""Computing time a mutant may take, above that of the cases."""
HANDS = 5
"""Random hands with each number of players in which a survivor is compared with the right engine."""


class _Marking(jinja2.FileSystemLoader):
    """Loads templates with marks around their places."""

    places: ClassVar[list[Place]] = []
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
    right: ModuleType
    sides: list[tuple[Any, Any]]


def judges(only: str) -> tuple[list[Judge], list[Place]]:
    """All engines that cases ask for, with marks, and the places in them."""
    jinja2.FileSystemLoader = _Marking  # type: ignore[misc]
    places = _Marking.places

    def compile_marked(text: str, *rest: Any) -> Any:
        return compile(plain(text, places), *rest)

    trickwright.compile.compile = compile_marked  # type: ignore[attr-defined]
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
            found.append(Judge(game, variants, made, load_engine(made), sides))
    return found, places


def mutated(judge: Judge, places: list[Place], number: int) -> ModuleType:
    """The engine with one place changed."""
    name = f"{_PACKAGE}.mutant_{judge.compiled.game.module}"
    module = ModuleType(name)
    module.__package__ = _PACKAGE
    sys.modules[name] = module
    exec(compile(plain(judge.compiled.engine, places, number), name, "exec"), module.__dict__)
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
        [*TEMPLATES.parents[1].rglob("*.*"), *Path("conformance/cases").rglob("*.yaml")]
    )
    kept = Kept(options.work / "engines.json", key)
    play = _Play(engines, places)
    todo = [str(n) for n in numbers if kept.get(str(n)).get("fate") in (None, "given up")]
    for name, said, code in each(todo, play.judge, options.jobs):
        fate = _fate(said, code)
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
        if fate["fate"] != "unused":
            count = counts.setdefault(places[number].template, [0, 0])
            count[0] += not unnoticed
            count[1] += 1
    print(dict(Counter(fate["fate"] for fate in fates.values())))
    print(told(counts, len(places)))


def _fate(said: str, code: int) -> dict[str, Any]:
    """What became of a mutant; one that was given up for want of time on the clock was not noticed."""
    if said:
        return {key: value for line in said.splitlines() for key, value in json.loads(line).items()}
    if code == -signal.SIGALRM:
        return {"fate": "given up"}
    return {"fate": "timed out" if code == -signal.SIGPROF else "broke down"}


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
            if fate.get("fate") != "survived":
                break

    def learn(self, name: str, fate: dict[str, Any]) -> None:
        """Remember which cases notice what of a template."""
        if "by" in fate:
            self.noticed[self.places[int(name)].template][fate["by"]] += 1

    def _fates(self, number: int) -> Iterator[dict[str, Any]]:
        mark = f"{BEGIN}{number}{CLOSE}"
        concerned = [e for e in self.engines if mark in e.compiled.engine]
        if not concerned:
            yield {"fate": "unused"}
        near = self.noticed[self.places[number].template]
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
        yield {"fate": "survived"}
        limit_computing(SECONDS)
        said = ""
        for engine in concerned:
            try:
                said = said or difference(engine.right, made[id(engine)], HANDS)
            except Exception as error:
                said = str(error)
        yield {"differs": said or "no difference in random play"}


if __name__ == "__main__":
    main()
