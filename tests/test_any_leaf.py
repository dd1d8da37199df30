"""Any text of any file of a game, put in the place of a hostile one: refused, or the engine does just the same as before."""

from __future__ import annotations

import ast
import copy
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from test_hostile_text import tree
from trickwright import GameFiles, Report, compile_game, read_game
from trickwright.decks import with_deck
from trickwright.places import games, home
from trickwright.problems import CODES, Mark, Problem, visible
from trickwright.source import check_characters, read_text
from trickwright_tools.cli import main

BASE = Path(__file__).parent / "errors" / "base"
HOSTILE = (
    '"""); import os #', "''' + f'{1/0}' + '''", "\\", '\\"', "\\N{BULLET}\\x41", "{{ 7 * 7 }}{% raw %}{# #}", "{0.__class__}%s%(x)s${x}",
    "a\nimport os", "a\r\nimport os", "a\x0bimport os", "a\x85import os", "a\u2028import os", "*/ --> ]]> # </runtime>", "# fmt: off # type: ignore",
    "\u202ecba", "a\u200bb", "\x1b]0;x\x07", "sсоrе", "ﬁnd ＿＿class＿＿", "../../x", "/etc/passwd", "a\x00b", "C:\\con", "x" * 199, "x" * 5000,
)  # fmt: skip


@cache
def files_of(game: str) -> GameFiles:
    report = Report()
    files = read_game(BASE if game == "base" else games()[game], report)
    assert files is not None and not report.problems
    return files


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every text, and of every key with None at its end."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key, None)
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    elif isinstance(value, str):
        yield path


def replaced(value: Any, path: tuple[Any, ...], text: str) -> Any:
    """A copy with a text in the place of a leaf, or of a key."""
    whole = inner = copy.deepcopy(value)
    is_key = path[-1] is None
    *way, last = path[:-1] if is_key else path
    for key in way:
        inner = inner[key]
    if is_key:
        pairs = [(text if key == last else key, part) for key, part in inner.items()]
        inner.clear()
        inner.update(pairs)
    else:
        inner[last] = text
    return whole


def compiled_with(game: str, kind: str, plain: Any, report: Report) -> str | None:
    """The engine of a game one of whose files is this; None if it is refused."""
    files = files_of(game)
    node = tree(plain, kind, report)
    if node is None or report.failed:
        return None
    if kind == "text":
        changed = GameFiles(files.folder, files.rules, {}, {**files.texts, "en": node})
    else:
        rules = with_deck(node, files.folder, report)
        if rules is None:
            return None
        changed = GameFiles(files.folder, rules, {}, files.texts)
    made = compile_game(changed, report=report)
    return None if made is None else made.engine


class _Texts(ast.NodeTransformer):
    """One text in the place of each: how many other words there are for a thing follows from the words."""

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        self.generic_visit(node)
        texts = [isinstance(e, ast.Constant) and isinstance(e.value, str) for e in node.elts]
        return ast.Constant("") if texts and all(texts) else node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant("") if isinstance(node.value, str) else node


def blank(engine: str) -> str:
    """What an engine does, without its texts."""
    return ast.dump(_Texts().visit(ast.parse(engine)))


@cache
def shape(game: str) -> str:
    made = compile_game(GameFiles(files_of(game).folder, files_of(game).rules, {}, files_of(game).texts))  # fmt: skip
    assert made is not None
    return blank(made.engine)


def kinds_of(game: str) -> list[tuple[str, Any]]:
    files = files_of(game)
    return [("game", files.rules.plain()), ("text", files.texts["en"].plain())]


def check_leaf(game: str, kind: str, plain: Any, path: tuple[Any, ...], text: str) -> bool:
    report = Report()
    engine = compiled_with(game, kind, replaced(plain, path, text), report)
    for problem in report.problems:
        assert len(problem.render().splitlines()) <= 2
        assert problem.render().replace("\n", "").isprintable(), ascii(problem.render())
    if engine is None:
        assert report.failed
        return False
    assert blank(engine) == shape(game), (path, text)
    return True


def test_no_leaf_of_the_small_game_lets_anything_out() -> None:
    accepted = 0
    for kind, plain in kinds_of("base"):
        for place, path in enumerate(leaves(plain)):
            accepted += check_leaf("base", kind, plain, path, HOSTILE[place % len(HOSTILE)])
    assert accepted > 4


@pytest.mark.parametrize("game", sorted(games()))
def test_no_leaf_of_a_game_lets_anything_out(game: str) -> None:
    tried = 0
    for kind, plain in kinds_of(game):
        for place, path in enumerate(leaves(plain)):
            if place % 13:
                continue
            tried += 1
            check_leaf(game, kind, plain, path, HOSTILE[place // 13 % len(HOSTILE)])
    assert tried > 9


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("game", sorted(games()))
def test_no_leaf_of_any_game_lets_anything_out(game: str, text: str) -> None:
    for kind, plain in kinds_of(game):
        for path in leaves(plain):
            check_leaf(game, kind, plain, path, text)


def test_decks_and_variants_are_held_to_the_same() -> None:
    for path in [*(home() / "spec" / "decks").glob("*.yaml"), *(home() / "spec").rglob("variants/*.yaml")]:  # fmt: skip
        kind = "deck" if path.parent.name == "decks" else "variant"
        node = read_text(path.read_text(encoding="utf-8"), path.name, Report())
        assert node is not None
        plain = node.plain()
        for place, leaf in enumerate(leaves(plain)):
            report = Report()
            tree(replaced(plain, leaf, HOSTILE[place % len(HOSTILE)]), kind, report)
            for problem in report.problems:
                assert problem.render().replace("\n", "").isprintable()


# What cannot be seen


def test_every_character_that_cannot_be_seen_is_refused() -> None:
    let_through = []
    for code in (*range(0x3000), *range(0xD7F0, 0xE010), *range(0xF900, 0x20000), *range(0xE0000, 0xE1000)):  # fmt: skip
        letter = chr(code)
        unseen = unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        unseen |= letter in "\u115f\u1160\u3164\uffa0\u034f\u2800"
        if unseen and letter not in "\n\r":
            report = Report()
            check_characters(letter, report, Mark("f", 1, 1))
            if [problem.code for problem in report.problems] != ["odd-character"]:
                let_through.append(hex(code))
    assert not let_through


@pytest.mark.parametrize("text", ["♣\ufe0f", "Übermut", "é", "e\u0301", "日本語", "עברית", "a b", "🂡", "a\u00a0b"])  # fmt: skip
def test_what_people_write_is_taken(text: str) -> None:
    report = Report()
    assert check_characters(text, report, Mark("f", 1, 1)) == text
    assert not report.problems


@pytest.mark.parametrize(("text", "shown"), [("a\x1b[31mb", "a\\x1b[31mb"), ("\u202e", "\\u202e"), ("a\nb", "a\\nb"), ("♣ é", "♣ é")])  # fmt: skip
def test_messages_show_what_cannot_be_seen(text: str, shown: str) -> None:
    assert visible(text) == shown
    code = next(iter(CODES))
    problem = Problem(Mark(text, 1, 1), text, text, code, text)
    assert problem.render() == f"{shown}:1:1: {shown}: {shown} [{code}]\n    {shown}"


ESC = "\x1b[31mred\x07\u202e"


@pytest.mark.parametrize(
    "call",
    [
        [ESC],
        ["check", ESC],
        ["generate", ESC],
        ["generate", "chief-and-vice", "--out", f"{ESC}/x.py"],
        ["generate", "chief-and-vice", "--variant", ESC, "--out", "x.py"],
        ["generate", "chief-and-vice", "--set", f"{ESC}=1", "--out", "x.py"],
        ["generate", "chief-and-vice", "--set", f"match.until={ESC}", "--out", "x.py"],
        ["test", "chief-and-vice", "--case", ESC],
        ["params", "chief-and-vice", ESC],
        ["diff", "chief-and-vice", "--variant", ESC],
        ["new", ESC],
        ["play", "chief-and-vice", "--watch", "--lang", ESC],
        ["check", f"--{ESC}"],
    ],
    ids=lambda call: " ".join(call[:3]).replace(ESC, "ESC"),
)
def test_nothing_of_a_call_reaches_the_terminal_raw(
    call: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, call)
    assert result.exit_code in (1, 2) or call[0] == "params", result.output
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.output), ascii(result.output)
    assert not list(tmp_path.iterdir())
