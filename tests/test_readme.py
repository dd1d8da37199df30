"""The README keeps its word: its Python runs, its commands exist, its answers are those one gets."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from trickwright_tools.cli import main

README = Path(__file__).parents[1] / "README.md"

if not README.is_file():
    pytest.skip("an installed package has no README beside its tests", allow_module_level=True)

TEXT = README.read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [
    line.partition("   #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("trickwright ")
]


def test_the_first_example_in_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PYTHON[0], "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert said.startswith("Anna [")
    assert "turn.not-yours" in said


def test_the_example_with_numba_runs() -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")
    names: dict[str, object] = {}
    exec(compile(PYTHON[1].replace("100_000", "50"), "README.md", "exec"), names)
    results = names["results"]
    assert results.shape == (50, 6)  # type: ignore[attr-defined]
    assert (results[:, 1] > 4).all()  # type: ignore[index]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shown_runs(command: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code in (0, 1), result.output
    assert "Traceback" not in result.output


def test_the_counts_shown_for_a_changed_goal_are_right() -> None:
    shown = re.search(r"chief-and-vice: (\d+) passed, (\d+) failed\n```", TEXT)
    assert shown is not None
    words = ["test", "chief-and-vice", "--set", "tables.team_goal.4[2]=35"]
    result = CliRunner().invoke(main, words)
    assert result.output.strip().endswith(shown[0].removesuffix("\n```"))


def test_every_command_is_in_the_table() -> None:
    for name in main.list_commands(None):  # type: ignore[arg-type,attr-defined]
        assert re.search(rf"\b{name} (GAME|\[GAME\]|REPORT)", TEXT), name
