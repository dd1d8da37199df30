"""The runtime that all engines share: its modules, kept as a package beside engines, or joined into one text."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter

from trickwright.emit import TEMPLATES
from trickwright.standalone import join

PACKAGE = "_runtime"
"""What engines call the package."""


def runtime_files() -> dict[str, str]:
    """The text of each module of the runtime, by the name of its file."""
    folder = TEMPLATES / "runtime"
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


def runtime_text() -> str:
    """The runtime as one module: each of its modules stands below those that it takes names from."""
    files = runtime_files()
    head = files.pop("__init__.py")
    needs = {name: _needs(text) for name, text in files.items()}
    return join(head, [files[name] for name in TopologicalSorter(needs).static_order()])


def _needs(text: str) -> list[str]:
    """The files beside it that a module imports from."""
    return sorted(
        f"{node.module}.py"
        for node in ast.parse(text).body
        if isinstance(node, ast.ImportFrom) and node.level
    )
