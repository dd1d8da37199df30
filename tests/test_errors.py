"""Problems, each from a bad file of ``errors`` whose first lines are comments with the message it must give.

Such a line may end with ``...`` where a list of other names follows.

``<code>.yaml`` are the rules of a game; ``<code>.variant.yaml``, ``<code>.text.yaml`` and ``<code>.set``, which has one
``--set`` a line, are laid over the game in ``errors/base``, which is fine. ``<code>.case.yaml`` are conformance cases of that
game, or of the other one that they name. ``<code>.known.yaml`` are known failures of an engine;
``<code>.rulebook.yaml`` is the rulebook of that game, with the cases in ``errors/rulebook-cases``. A word between tells two
files apart.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from trickwright import Problem, Report, check_game, compile_game, read_game
from trickwright.limits import FILE_BYTES
from trickwright.places import find_game, games
from trickwright.problems import CODES
from trickwright.source import read_file
from trickwright_conformance import Suite
from trickwright_conformance.protocol.known import read_known

FOLDER = Path(__file__).parent / "errors"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())

ELSEWHERE = {
    "no-file": "there is no file to keep",
    "unknown-game": "about a name on the command line",
}
"""Codes without a file here, and why; each has a test below."""


def header(path: Path) -> list[str]:
    """What a file must give: the comments at its top, without the sign."""
    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    said: list[str] = []
    for line in lines:
        if not line.startswith("# "):
            break
        said.append(line.removeprefix("# "))
    return said


def problems_of(path: Path, folder: Path) -> tuple[list[Problem], Path]:
    """All problems that a bad file gives, tried out in an empty folder, and the file that they are in."""
    report = Report()
    kind = path.name.removesuffix(path.suffix).partition(".")[2].rpartition(".")[2]
    if kind == "case":
        return problems_of_cases(path, folder)
    if kind == "known":
        read_known(path, "base", ["auction.gift", "match.at-20"], report)
        return report.problems, path
    if kind == "rulebook":
        return problems_of_a_rulebook(path, folder)
    if path.suffix == ".yaml" and kind not in ("variant", "text"):
        placed = folder / "mini" / "rules.yaml"
        placed.parent.mkdir()
        shutil.copyfile(path, placed)
        check_game(placed.parent, report)
        return report.problems, placed
    base = folder / "base"
    shutil.copytree(FOLDER / "base", base)
    if path.suffix == ".set":
        files = read_game(base, report)
        assert files is not None
        lines = path.read_text(encoding="utf-8").splitlines()
        sets = [line for line in lines if not line.startswith("#")]
        compile_game(files, (), sets, report)
        return report.problems, path
    name = re.search(
        r"^(?:variant|language): ([\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert name is not None
    placed = base / ("variants" if kind == "variant" else ".")
    placed /= f"{name[1]}.yaml" if kind == "variant" else f"text.{name[1]}.yaml"
    shutil.copyfile(path, placed)
    check_game(base, report)
    return report.problems, placed


def problems_of_cases(path: Path, folder: Path) -> tuple[list[Problem], Path]:
    """All problems of a bad file of cases; the working folder is where its game and its suite are."""
    text = path.read_text(encoding="utf-8")
    game = next(name for name in ("chief-and-vice", "base") if f"suite: {name}" in text)
    home = folder / "spec" / "games" / game
    own = shutil.ignore_patterns(
        "rulebook.yaml"
    )  # it names the cases of the game, which are not here
    shutil.copytree(FOLDER / "base" if game == "base" else games()[game], home, ignore=own)
    placed = folder / "conformance" / "cases" / game / "bad.yaml"
    placed.parent.mkdir(parents=True)
    shutil.copyfile(path, placed)
    report = Report()
    files = read_game(home, report)
    assert files is not None and not report.problems
    suite = Suite.load(files)
    assert not suite.skipped
    return suite.report.problems, placed


def problems_of_a_rulebook(path: Path, folder: Path) -> tuple[list[Problem], Path]:
    """All problems of a bad rulebook of the base game; the working folder is where that and its cases are."""
    home = folder / "spec" / "games" / "base"
    shutil.copytree(FOLDER / "base", home)
    shutil.copytree(FOLDER / "rulebook-cases", folder / "conformance" / "cases" / "base")
    placed = home / "rulebook.yaml"
    shutil.copyfile(path, placed)
    report = Report()
    files = read_game(home, report)
    assert files is not None and not report.problems
    return Suite.load(files, with_rulebook=True).report.problems, placed


def shortened(line: str, like: str) -> str:
    """The line, cut where the one that it should be like ends with ``...``."""
    shown = like.removesuffix("...")
    return like if shown != like and line.startswith(shown) else line


def code_of(path: Path) -> str:
    return path.name.partition(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_bad_file_gives_just_the_problems_at_its_top(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    problems, _ = problems_of(path, tmp_path)
    lines = [line for problem in problems for line in problem.render().splitlines()]
    said = [re.sub(r"^\S*?:(?=\d+:\d+: )", "", line) for line in lines]
    wanted = header(path)
    if len(said) == len(wanted):
        said = [shortened(line, like) for line, like in zip(said, wanted, strict=True)]
    assert said == wanted
    assert problems[0].code == code_of(path)


MARKED = {
    "bad-expression.part.yaml": "[short][0]",
    "falling-row.yaml": "1",
    "no-way-out.nothing-laid.yaml": "laid_out}",
    "no-way-out.yaml": "[suit], from",
    "overlay-conflict.twice.variant.yaml": "match: {",
    "unknown-name.attribute.yaml": "chief_trump.kin]",
    "unknown-name.no-bids.yaml": "rank-bidders",
    "unknown-rank.copies.yaml": "7-11: 2",
    "unknown-rank.yaml": "7-1O",
    "wrong-kind.choice-of-tables.yaml": "goal if",
}
"""What is marked where a message quotes something else, too."""

INSIDE_A_WORD = {"odd-character", "not-utf8"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_problem_stands_where_its_cause_does(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    problems, placed = problems_of(path, tmp_path)
    text = placed.read_bytes().decode("utf-8", "replace")
    lines = text.splitlines()
    if path.suffix == ".set":
        lines = [line for line in lines if not line.startswith("# ")]
    for problem in problems:
        assert 1 <= problem.mark.line <= len(lines)
        line = lines[problem.mark.line - 1]
        assert 1 <= problem.mark.column <= len(line) + 1
        before, marked = line[: problem.mark.column - 1], line[problem.mark.column - 1 :]
        assert not marked.startswith(" "), "a mark is never in front of a blank"
        if problem.code not in INSIDE_A_WORD:
            assert not re.search(r"\w$", before) or not re.match(r"\w", marked), "a whole word"
        quoted = re.match(r"[^']*'([^']+)'", problem.text)
        if path.name in MARKED:
            assert marked.startswith(MARKED[path.name])
        elif path.suffix != ".set" and quoted and quoted[1] in line.partition("#")[0]:
            assert marked.lstrip("'\"[").startswith(quoted[1]), "what is quoted is what is marked"


def test_every_code_has_a_file() -> None:
    assert {code_of(path) for path in FILES} | set(ELSEWHERE) == set(CODES)
    assert not {code_of(path) for path in FILES} & set(ELSEWHERE)


def test_the_base_game_is_fine() -> None:
    report = Report()
    check_game(FOLDER / "base", report)
    assert not report.problems, [problem.render() for problem in report.problems]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    report = Report()
    assert read_file(tmp_path / "rules.yaml", "mini/rules.yaml", report) is None
    (problem,) = report.problems
    assert problem.code == "no-file"
    assert problem.render().startswith("mini/rules.yaml:1:1: cannot be read: No such file")


def test_a_game_that_is_not_there_is_named_with_the_nearest_one() -> None:
    report = Report()
    assert find_game("chief-and-vise", report) is None
    (problem,) = report.problems
    assert problem.code == "unknown-game"
    assert problem.text == "there is no game 'chief-and-vise'"
    assert problem.hint.startswith("did you mean 'chief-and-vice'?")


def test_a_file_is_too_big_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_bytes(b"# " + b"x" * FILE_BYTES)
    report = Report()
    assert read_file(path, "rules.yaml", report) is None
    assert [problem.code for problem in report.problems] == ["too-big"]
