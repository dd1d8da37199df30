"""Names of an engine: no two things in it have one name, and none hides a part of Python."""

from __future__ import annotations

import builtins
import dis
import keyword
import re
from collections.abc import Iterator
from types import CodeType

from trickwright.meaning import Meaning
from trickwright.problems import Mark, Report

_LOCAL = re.compile(r"state|player|part_[0-9]+")
"""What the functions that call a definition use for themselves."""
SOMETIMES = {"points_of"}
"""Functions that no rule can call by name, and that an engine has only if an expression needs them, be it one that is put behind
the engine of rules that do without."""


def check_names(engine: CodeType, meaning: Meaning, report: Report) -> None:
    """Reports what the rules name so that the engine could not tell it apart."""
    taken = {*keyword.kwlist, *dir(builtins)}
    named = {definition.name for definition in meaning.definitions}
    clashes = {name for name in named if name in SOMETIMES or _LOCAL.fullmatch(name)}
    for name in _bound(engine):
        if name in taken:
            clashes.add(name)
        taken.add(name)
    given = list(_given(meaning)) if clashes else []
    for clash in sorted(clashes):
        places = [(mark, path) for name, mark, path in given if name == clash]
        chosen = [place for place in places if not place[1].endswith(".kind")]
        mark, path = [(meaning.game.mark, "game"), *places, *chosen][-1]
        text = f"two things in the engine would be called '{clash}'"
        report.error(mark, path, text, "taken-name", "choose another name")


def _given(meaning: Meaning) -> Iterator[tuple[str, Mark, str]]:
    """Names that follow from what the rules name: name, and what gives it."""
    for declared in meaning.phases:
        phase = declared.phase
        kind = (f"{phase.path}.kind", phase.mark("kind"))
        for field in declared.adds.fields:
            path, mark = phase.naming(field.name) or kind
            yield field.name.upper(), mark, path
        for constant, _, _ in declared.adds.constants:
            yield constant, kind[1], kind[0]
    for name, table in meaning.game.tables.items():
        yield table.constant, table.mark, f"tables.{name}"
    scoring = meaning.game.scoring
    for name, mark in scoring.number_marks.items():
        yield name.upper(), mark, f"scoring.numbers.{name}"
    for definition in meaning.definitions:
        name = definition.name
        yield name, scoring.define_marks[name], f"scoring.define.{name}"


def _bound(engine: CodeType) -> Iterator[str]:
    """Every name that a module binds at its outer level, as often as it does."""
    for step in dis.get_instructions(engine):
        if step.opname == "STORE_NAME" and not step.argval.startswith("__"):
            yield step.argval
