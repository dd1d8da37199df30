"""No game stands in the compiler: its name, roles, variants, suits and cards are found nowhere in the code of ``generator/``.

Examples in docstrings and comments are left out; templates are held to it whole, but for their docstrings.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

import trickwright
from conftest import compiled, read
from trickwright.places import games

FOLDER = Path(trickwright.__file__).parent
FILES = sorted(
    path
    for path in FOLDER.rglob("*")
    if path.suffix in (".py", ".j2", ".yaml") and "_data" not in path.parts
)
GENERAL = {"none", "hand", "tied", "suit", "rank", "team", "partner", "sides", "top", "bottom"}
"""Words that the field uses for what every such game has."""


def words_of_games() -> set[str]:
    """What would betray a game: ids, titles, variants, roles, suits, cards with names."""
    found: set[str] = set()
    for game in games():
        made = compiled(game)
        found |= {game, game.replace("-", "_"), *made.game.title.values(), *read(game).variants}
        found |= {suit.id for suit in made.game.deck.suits}
        found |= {card.name for card in made.game.deck.cards if card.name}
        for declared in made.meaning.phases:
            prose = declared.phase.node.plain()
            for field in declared.adds.fields:
                if field.type in ("player", "players") and field.key in str(prose):
                    found.add(field.key)
    return {word for word in found if len(word) > 2 and word.casefold() not in GENERAL}


def code_of(path: Path) -> str:
    """A file without its comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".j2":
        return re.sub(r'"""(.*?)"""|\{#.*?#\}', "", text, flags=re.DOTALL)
    if path.suffix == ".yaml":
        return re.sub(r"(?m)#.*$", "", text)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[line] = "\n"
    kept = io.StringIO("".join(lines))
    return " ".join(
        token.string
        for token in tokenize.generate_tokens(kept.readline)
        if token.type != tokenize.COMMENT
    )


WORDS = words_of_games()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_no_game_in_the_compiler(path: Path) -> None:
    code = code_of(path)
    found = {word for word in WORDS if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code)}
    assert not found
    assert not re.findall(r"(?:[2-9JQKA]|10)[♣♦♥♠]", code)


def test_the_words_looked_for_are_those_of_the_games() -> None:
    assert {"chief-and-vice", "chief", "vice", "hearts", "no-stalemate"} <= WORDS
    assert len(FILES) > 40
