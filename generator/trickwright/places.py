"""Where games and schemas are: in the folder one works in, in a checkout, or in the installed package."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from trickwright.kinds import kind_names
from trickwright.problems import Mark, Report, did_you_mean

_PACKAGE = Path(__file__).resolve().parent


@cache
def home() -> Path:
    """The folder that holds ``spec`` and ``conformance``: the checkout's, or the installed package's data."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parents[1]


def roots() -> tuple[Path, ...]:
    """Folders in which ``spec`` and ``conformance`` are looked for, nearest first."""
    try:
        here = Path.cwd()
    except OSError:  # the folder one works in is gone
        return (home(),)
    return (here, home()) if here != home() and (here / "spec" / "games").is_dir() else (home(),)


def games() -> dict[str, Path]:
    """The folder of every game that can be found, by id."""
    found: dict[str, Path] = {}
    for root in reversed(roots()):
        for rules in sorted((root / "spec" / "games").glob("*/rules.yaml")):
            found[rules.parent.name] = rules.parent
    return dict(sorted(found.items()))


def _named(folder: Path) -> Path:
    """A folder told by where one stands, as ``.`` and ``..`` are, told by its own name: what it holds must say the same."""
    whole = folder.resolve()
    return Path(os.path.relpath(whole.parent)) / whole.name


def find_game(name: str, report: Report) -> Path | None:
    """The folder of a game, given by its id or by the path of its folder or rules file."""
    path = Path(name)
    is_path = "/" in name or name.startswith(".") or name == "rules.yaml"
    if path.name == "rules.yaml":
        path = path.parent
    if is_path and (path / "rules.yaml").is_file():
        return path if path.name not in ("", "..") else _named(path)
    known = games()
    if name not in known:
        report.error(
            Mark(name, 1, 1),
            "",
            f"there is no game '{name}'",
            "unknown-game",
            did_you_mean(name, known, others="games"),
        )
        return None
    return known[name]


def shown(path: Path) -> str:
    """A path as messages show it: from the folder one works in, or from the project's, if it is inside."""
    try:
        full = path.resolve()
        bases = (Path.cwd(), home())
    except (OSError, RuntimeError):  # links in a circle, or the folder one works in is gone
        return path.as_posix()
    for base in bases:
        if full.is_relative_to(base):
            return full.relative_to(base).as_posix()
    return full.as_posix()


@cache
def schema(name: str) -> dict[str, Any]:
    """A schema by its name, such as ``game`` or ``variant``."""
    path = home() / "spec" / "schema" / f"{name}.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@cache
def kind_schema(kind: str) -> dict[str, Any]:
    """The schema of a kind of phase, with the definitions that all schemas share."""
    return {**schema(f"kinds/{kind}"), "$defs": schema("game")["$defs"]}


def editor_schema() -> dict[str, Any]:
    """One schema of rules files for editors, with the parameters of every kind in it."""
    whole: dict[str, Any] = json.loads(json.dumps(schema("game")))
    phase = whole["properties"]["phases"]["additionalProperties"]
    phase["properties"]["kind"]["enum"] = list(kind_names())
    phase["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": {key: value for key, value in schema(f"kinds/{kind}").items() if key[0] != "$"},
        }
        for kind in kind_names()
    ]
    return whole
