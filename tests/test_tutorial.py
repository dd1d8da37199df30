"""The tutorial keeps its word: its files are written as shown, its commands run, and they say what it says."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from trickwright import Report
from trickwright.places import schema
from trickwright.schema import check
from trickwright_conformance.adapter import answers, generated_engines
from trickwright_conformance.protocol.claims import Claims
from trickwright_conformance.protocol.messages import as_node, check_answer, check_observed
from trickwright_tools.cli import main

TUTORIAL = Path(__file__).parents[1] / "conformance" / "TUTORIAL.md"

if not TUTORIAL.is_file():
    pytest.skip("an installed package has no tutorial beside its tests", allow_module_level=True)

PARTS = re.findall(
    r"(?:<!-- (file|replace the last line of): (\S+) -->\n)?```(python|console)\n(.*?)```",
    TUTORIAL.read_text(encoding="utf-8"),
    re.DOTALL,
)


def calls(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it says."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def fits(said: str, shown: list[str]) -> bool:
    """Whether a command said what is shown: ``...`` stands for any text, and a count may be another one."""
    form = "".join(
        "(.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in shown
    )
    form = re.sub(r"(?<=[ ,])\d+(?=\\ (passed|known|skipped))", r"\\d+", form)
    return re.fullmatch(form, said) is not None


def test_the_tutorial_leads_to_green_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for what, name, kind, block in PARTS:
        if what == "file":
            Path(name).write_text(block, encoding="utf-8")
        elif what:
            *kept, last = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
            assert last.lstrip().startswith("return"), last
            Path(name).write_text("".join(kept) + block, encoding="utf-8")
        else:
            assert kind == "console"
            for command, shown in calls(block):
                words = shlex.split(command.replace("python3", sys.executable))[1:]
                result = CliRunner().invoke(main, words)
                said = result.output.replace(sys.executable, "python3")
                assert fits(said, shown), said
                assert (result.exit_code == 1) == any("FAILED" in line for line in shown)
                commands += 1
    assert commands == 6


def test_what_is_shown_must_be_said() -> None:
    assert fits("a: 5 passed\nx\ny\n", ["a: 12 passed", "..."])
    assert not fits("a: 5 passed\nx\n", ["a: 12 passed"])
    assert not fits("b: 5 passed\n", ["a: 5 passed"])
    assert not fits("a: 1 passed, 3 failed\n", ["a: 1 passed, 0 failed"])


def test_the_dialogue_in_the_readme_is_one() -> None:
    text = (TUTORIAL.parent / "README.md").read_text(encoding="utf-8")
    [dialogue] = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    messages = [json.loads(part) for part in re.split(r"\n(?=\{)", dialogue.strip())]
    assert [message["id"] for message in messages] == [0, 0, 1, 1, 2, 2]
    for request, answer in zip(messages[::2], messages[1::2], strict=True):
        report = Report()
        check(as_node(request), schema(f"protocol/{request['do']}"), report)
        assert not report.problems, [problem.render() for problem in report.problems]
        assert check_answer(answer, request["do"]) == answer["answer"]
    run, observed = messages[2:4]
    check_observed(observed, run)
    claims = Claims.of(run["game"], messages[1])
    assert claims is not None and not claims.lacks(run)
    [own] = answers([json.dumps(run).encode()], generated_engines([run["game"]]))
    assert own["facts"] == observed["facts"]
    assert [step["refused"] for step in own["steps"]] == [None, "tricks.follow"]
    assert own["steps"][1]["may"] == observed["steps"][1]["may"]
