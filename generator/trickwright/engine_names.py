"""Names of an engine: no two things in it have one name, and none hides a part of Python."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator

from trickwright.declare import Meaning
from trickwright.problems import Mark, Report

_LOCAL = re.compile(r"state|player|part_[0-9]+")
"""What the functions that call a definition use for themselves."""


def check_names(text: str, meaning: Meaning, report: Report) -> None:
    """Reports what the rules name so that the engine could not tell it apart."""
    given = list(_given(meaning))
    bound = list(_bound(ast.parse(text)))
    taken = {*keyword.kwlist, *dir(builtins)}
    clashes = {name for place, name in enumerate(bound) if name in taken or name in bound[:place]}
    clashes |= {name for name, is_value, *_ in given if is_value and _LOCAL.fullmatch(name)}
    for clash in sorted(clashes):
        places = [(mark, path) for name, _, mark, path in given if name == clash]
        chosen = [place for place in places if not place[1].endswith(".kind")]
        mark, path = [(meaning.game.mark, "game"), *places, *chosen][-1]
        text = f"two things in the engine would be called '{clash}'"
        report.error(mark, path, text, "taken-name", "choose another name")


def _given(meaning: Meaning) -> Iterator[tuple[str, bool, Mark, str]]:
    """Names that follow from what the rules name: name, whether it is a value's, and what gives it."""
    for declared in meaning.phases:
        phase = declared.phase
        kind = (f"{phase.path}.kind", phase.mark("kind"))
        for field in declared.adds.fields:
            path, mark = phase.naming(field.name) or kind
            yield field.name.upper(), False, mark, path
        for constant, _, _ in declared.adds.constants:
            yield constant, False, kind[1], kind[0]
    for name, table in meaning.game.tables.items():
        yield table.constant, False, table.mark, f"tables.{name}"
    scoring = meaning.game.scoring
    for name, mark in scoring.number_marks.items():
        yield name.upper(), False, mark, f"scoring.numbers.{name}"
    for definition in meaning.definitions:
        name = definition.name
        yield name, True, scoring.define_marks[name], f"scoring.define.{name}"


def _bound(module: ast.Module) -> Iterator[str]:
    """Every name that a module binds at its outer level, as often as it does."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
