"""Limits: they stand in one place and on the page for rule authors, what is at one is taken, and what is beyond is refused."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import trickwright
from conftest import compiled
from trickwright import Report, compile_game, limits, read_game
from trickwright.pages import limits_table
from trickwright.places import home, schema
from trickwright.problems import CODES
from trickwright.source import read_text
from trickwright_conformance import shapes
from trickwright_conformance.protocol import messages

BASE = Path(__file__).parent / "errors" / "base"
CODE = Path(trickwright.__file__).parent


def problems(text: str) -> list[str]:
    report = Report()
    read_text(text, "f", report)
    return [problem.code for problem in report.problems]


AT: dict[str, Any] = {
    "FILE_BYTES": lambda n: "#" * (n - 6) + "\na: b\n",
    "FILE_DEPTH": lambda n: "[" * n + "]" * n,
    "ITEMS": lambda n: "- 1\n" * n,
    "KEY_LETTERS": lambda n: "k" * n + ": 1",
    "TEXT_LETTERS": lambda n: "a: " + "x" * n,
    "NUMBER": lambda n: f"a: {n}",
    "FILE_VALUES": lambda n: ("- [" + "1," * 997 + "1]\n") * 10 + "- 1\n" * (n - 1 - 9990),
}
"""A file that is just at a limit."""


@pytest.mark.parametrize("name", AT)
def test_a_file_may_go_to_each_limit_and_not_beyond(name: str) -> None:
    value = getattr(limits, name)
    assert problems(AT[name](value)) == []
    assert problems(AT[name](value + 1)) == ["too-big"]


def mini(folder: Path) -> Path:
    shutil.copytree(BASE, folder / "base")
    return folder / "base"


def variants(folder: Path, count: int) -> None:
    """So many variants that all combine with each other."""
    for number in range(count):
        text = f"variant: v{number}\nof: base\ntitle: {{en: V}}\nsource: {{book: Scoring}}\nwhy: It counts.\n"
        text += f"add: {{scoring.numbers.n{number}: 1}}\n"
        (folder / "variants" / f"v{number}.yaml").write_text(text)


@pytest.mark.parametrize(
    ("count", "said"), [(18, ""), (20, "combine to 2"), (41, "more than 40 files")]
)
def test_variants_and_what_they_combine_to_are_limited(
    tmp_path: Path, count: int, said: str
) -> None:
    folder = mini(tmp_path)
    variants(folder, count)
    report = Report()
    files = read_game(folder, report)
    assert [problem.code for problem in report.problems] == ["too-big"] * bool(said) * (1 + (count > 40))  # fmt: skip
    assert (files is None) == bool(said)
    if said:
        assert any(said in problem.text for problem in report.problems)


def test_the_size_of_an_engine_is_limited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = read_game(mini(tmp_path), Report())
    assert files is not None
    made = compile_game(files)
    assert made is not None
    for size, fits in ((len(made.engine.encode()), True), (len(made.engine.encode()) - 1, False)):
        monkeypatch.setattr(limits, "ENGINE_BYTES", size)
        report = Report()
        assert (compile_game(files, report=report) is not None) == fits
        assert [problem.code for problem in report.problems] == ["too-big"] * (not fits)


def test_the_python_of_an_expression_is_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = read_game(mini(tmp_path), Report())
    assert files is not None
    monkeypatch.setattr(limits, "EXPRESSION_CODE", 30)
    report = Report()
    assert compile_game(files, report=report) is None
    assert {problem.code for problem in report.problems} == {"bad-expression"}
    assert "too long in the engine" in report.problems[0].text


def test_the_games_are_far_from_the_limits() -> None:
    for path in (home() / "spec").rglob("*.yaml"):
        assert path.stat().st_size * 4 < limits.FILE_BYTES
    for game in ("mue", "indian-chief"):
        assert len(compiled(game).engine) * 4 < limits.ENGINE_BYTES


def test_the_page_for_rule_authors_lists_the_limits_there_are() -> None:
    page = (home() / "spec" / "README.md").read_text(encoding="utf-8")
    assert page.endswith(f"<!-- made from the limits in the code -->\n{limits_table()}")
    assert {limit.code for limit in limits.LIMITS if limit.code} <= set(CODES)
    own = {name for name, value in vars(limits).items() if name.isupper() and type(value) is int}
    own.remove("SCHEMA_DEPTH")  # the schemas are our own
    listed = {limit.value for limit in limits.LIMITS}
    assert all(getattr(limits, name) in listed for name in own)


def numbers_of(path: Path) -> dict[str, int]:
    """The numbers that a module names, by name."""
    found: dict[str, int] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [name.id for name in ast.walk(targets[0]) if isinstance(name, ast.Name)]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            parts = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
            for name, value in zip(names, values, strict=False):
                if all(isinstance(part, parts) for part in ast.walk(value)):
                    found[name] = eval(compile(ast.Expression(value), "", "eval"))
    return {name: value for name, value in found.items() if type(value) is int}


def test_no_other_module_has_a_limit_of_its_own() -> None:
    modules = [path for path in CODE.rglob("*.py") if path.parent.name != "runtime"]
    modules.remove(CODE / "limits.py")
    modules += [Path(messages.__file__), Path(shapes.__file__)]
    found = {
        f"{path.name}: {name}"
        for path in modules
        for name in numbers_of(path)
        if re.search("MAX|MOST|LARGEST|DEEPEST|LONGEST|GUESSED|LIMIT", name)
    }
    assert found == {"generate.py: MOST_DIFF_LINES"}, "so much is shown of our own files"


def test_the_runtime_has_the_limits_that_are_said_of_it() -> None:
    found: dict[str, int] = {}
    for path in (CODE / "templates" / "runtime").glob("*.py"):
        found |= {n: v for n, v in numbers_of(path).items() if re.match("MOST_|JSON_", n)}
    assert found == limits.OF_RUNTIME


def test_every_number_of_a_schema_is_bounded() -> None:
    files = [*(home() / "spec" / "schema").glob("*.schema.json"), *(home() / "spec" / "schema" / "kinds").glob("*.json")]  # fmt: skip
    loose: list[str] = []

    def walk(part: Any, path: str) -> None:
        if isinstance(part, dict):
            types = part.get("type")
            if "integer" in ([types] if isinstance(types, str) else types or []):
                free = part.get("title") == "Expression"  # such a number has its limit as one
                if not free and not ({"maximum", "enum", "const"} & part.keys()):
                    loose.append(path)
            for key, inner in part.items():
                walk(inner, f"{path}.{key}")
        elif isinstance(part, list):
            for place, inner in enumerate(part):
                walk(inner, f"{path}[{place}]")

    for path in files:
        walk(json.loads(path.read_text(encoding="utf-8")), path.name)
    assert loose == ["deck.schema.json.properties.named.additionalProperties.items", "game.schema.json.properties.cards.properties.named.additionalProperties.items"]  # fmt: skip
    assert schema("deck")["properties"]["named"]["maxProperties"] == 120, "those name a rank"
