"""The files of a game: what is named otherwise than it should be, or is too much of something, is told at its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trickwright import Report, limits, read_game

BASE = Path(__file__).parent / "errors" / "base"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small game without problems, as a path from where one works."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(BASE, Path("base"))
    shutil.rmtree("base/variants")
    Path("base/variants").mkdir()
    return Path("base")


def told(folder: Path) -> list[str]:
    """All problems as they are shown."""
    report = Report()
    read_game(folder, report)
    return [problem.render() for problem in report.problems]


def test_files_that_nothing_would_read(folder: Path) -> None:
    (folder / "text.en.yml").write_text("language: en\n", encoding="utf-8")
    (folder / "variants" / "short.yml").write_text("variant: short\n", encoding="utf-8")
    said = "1:1: files here end in .yaml; nothing reads this one [wrong-name]\n    rename it"
    assert sorted(told(folder), reverse=True) == [
        f"base/variants/short.yml:{said} short.yaml",
        f"base/text.en.yml:{said} text.en.yaml",
    ]


def test_too_many_variants(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "VARIANTS", 1)
    for name in ("short", "tall"):
        text = (
            f"variant: {name}\nof: base\ntitle: {{en: {name}}}\nsource: {{book: Scoring}}\n"
            f"why: It is {name}.\nset: {{match.until: {len(name)}}}\n"
        )
        (folder / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    said = "more than 1 files [too-big]\n    take some away"
    assert told(folder) == [f"base/variants:1:1: {said}"]


@pytest.mark.parametrize("language", ["english", "e1", "EN"])
def test_a_text_file_of_no_language(folder: Path, language: str) -> None:
    (folder / f"text.{language}.yaml").write_text("language: en\n", encoding="utf-8")
    said = f"'{language}' is no language code of two letters [wrong-name]\n    call it text.en.yaml"
    assert told(folder) == [f"base/text.{language}.yaml:1:1: {said}"]


def test_a_text_file_that_says_another_language(folder: Path) -> None:
    text = (Path(__file__).parent / "errors" / "unused.word.text.yaml").read_text(encoding="utf-8")
    (folder / "text.de.yaml").write_text(text, encoding="utf-8")
    said = "language: 'en' is not what the file is called [wrong-name]\n    write de, or rename the file"
    assert told(folder) == [f"base/text.de.yaml:3:11: {said}"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("class", "'class' is a word of Python and cannot name an engine"),
        ("con", "'con' is a device on some systems and cannot name a file"),
    ],
)
def test_a_folder_whose_name_cannot_be_that_of_an_engine(
    folder: Path, name: str, said: str
) -> None:
    rules = folder / "rules.yaml"
    text = rules.read_text(encoding="utf-8").replace("game: base", f"game: {name}")
    rules.write_text(text, encoding="utf-8")
    folder.rename(name)
    place = 1 if name == "class" else 7
    assert told(Path(name)) == [
        f"{name}/rules.yaml:2:{place}: game: {said} [taken-name]\n    choose another name"
    ]


def test_a_file_may_be_a_link_but_not_one_to_itself_or_to_what_is_no_file(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = folder / "text.en.yaml"
    outside = tmp_path_factory.mktemp("outside") / "words.yaml"
    text.rename(outside)
    try:
        text.symlink_to(outside)
    except OSError:
        pytest.skip("no links here")
    assert told(folder) == []
    for target, said in (
        (text.resolve().parent, "it is no file"),
        (folder.absolute() / "text.en.yaml", "Too many levels of symbolic links"),
    ):
        text.unlink()
        text.symlink_to(target)
        (problem,) = told(folder)
        assert problem.endswith(f":1:1: cannot be read: {said} [no-file]")
