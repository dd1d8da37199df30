"""Suites for tests: cases written into an empty folder, played with engines that are compiled once."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import conftest
from trickwright import Compiled, GameFiles, Report, compile_game
from trickwright.places import games
from trickwright_conformance import Result, Suite, runner
from trickwright_conformance.show import brief

GAME = "chief-and-vice"
BASE = Path(__file__).parent / "errors" / "base"

HEAD = "suite: chief-and-vice\nbase: {players: [Anna, Ben, Carla, Dan]}\ncases:\n"
CASE = "  - {id: a.case, title: a case of the game, rules: [players], source: {en: Setup}"

NO_CASES = """\
trickwright: there are no cases in conformance/cases/base: conformance/README.md tells how to write them, and
    trickwright play base --save FILE, then trickwright replay FILE --to-case, makes one of what was played
"""


def project(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, game: str = GAME) -> None:
    """Make the folder one with a game and one file of cases, and work there."""
    home = folder / "spec" / "games" / game
    if not home.exists():
        own = shutil.ignore_patterns(
            "rulebook.yaml"
        )  # it names the cases of the game, which are not here
        shutil.copytree(BASE if game == "base" else games()[game], home, ignore=own)
    cases = folder / "conformance" / "cases" / game / "some.yaml"
    cases.parent.mkdir(parents=True, exist_ok=True)
    cases.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)


@cache
def _made(variants: tuple[str, ...], sets: tuple[str, ...]) -> tuple[Compiled | None, Report]:
    report = Report()
    return compile_game(conftest.read(GAME), variants, sets, report), report


def _compiled(
    _: GameFiles, variants: Iterable[str], sets: Iterable[str], report: Report
) -> Compiled | None:
    compiled, problems = _made(tuple(variants), tuple(sets))
    for problem in problems.problems:
        report.add(problem)
    return compiled


def load(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Suite:
    """A suite of Chief and Vice that has just this file."""

    project(folder, monkeypatch, text)
    monkeypatch.setattr(runner, "compile_game", _compiled)
    return Suite.load(conftest.read(GAME))


def told(result: Result) -> list[str]:
    """What was not as expected, each on a line: fact, expected, got."""
    lines = [f"{m.fact}: {brief(m.expected)} | {brief(m.got)}" for m in result.mismatches]
    return [*lines, *([f"trouble: {result.trouble}"] if result.trouble else [])]


def rendered(suite: Suite) -> list[str]:
    """The problems of a suite."""
    return [problem.render() for problem in suite.report.problems]
