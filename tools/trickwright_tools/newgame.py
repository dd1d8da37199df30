"""The files of a new game: a small one to begin with, or those of another game under a new name."""

from __future__ import annotations

import re
from pathlib import Path

from trickwright.compile import GameFiles
from trickwright.places import home

STARTER = Path(__file__).parent / "starter"
_SCHEMA_LINE = re.compile(r"\A# yaml-language-server:.*\n")


def starter_files(game: str, start: str = "auction") -> dict[str, str]:
    """The files of a game to begin with, by their names in its folder; ``start`` is ``auction`` or ``small``."""
    found: dict[str, str] = {}
    for path in sorted((STARTER / start).glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        found[path.name] = text.replace("GAME", game).replace("TITLE", title_of(game))
    return found


def copied_files(like: GameFiles, game: str) -> dict[str, str]:
    """The files of another game, with the new id and title; comments and order stay."""
    paths = [like.folder / "rules.yaml"]
    paths += [like.folder / f"text.{language}.yaml" for language in sorted(like.texts)]
    paths += [like.folder / "variants" / f"{variant}.yaml" for variant in sorted(like.variants)]
    found: dict[str, str] = {}
    for path in paths:
        text = _SCHEMA_LINE.sub("", path.read_text(encoding="utf-8").removeprefix("\ufeff"))
        if path.name == "rules.yaml":
            text = _renamed(text, like, game)
        elif path.parent.name == "variants":
            text = _with_key(text, "of", game)
        found[path.relative_to(like.folder).as_posix()] = text
    return found


def with_schema_lines(files: dict[str, str], folder: Path) -> dict[str, str]:
    """The files with the comment that tells editors their schema, if the folder is in a checkout's ``spec/games``."""
    if folder.resolve().parent != home() / "spec" / "games":
        return files
    schemas = {"rules": "editor/game", "text": "text", "variants": "variant"}
    found: dict[str, str] = {}
    for name, text in files.items():
        kind = re.split(r"[./]", name)[0]
        up = "../" * (2 + name.count("/"))
        line = f"# yaml-language-server: $schema={up}schema/{schemas[kind]}.schema.json\n"
        found[name] = line + text
    return found


def title_of(game: str) -> str:
    """A title made of an id: ``sheep-and-wolf`` is Sheep and wolf."""
    words = game.replace("-", " ")
    return words[0].upper() + words[1:]


def _renamed(text: str, like: GameFiles, game: str) -> str:
    """Rules with another id and title, also in the comments above the first key."""
    titles: dict[str, str] = like.rules.plain()["title"]
    title = ", ".join(f"{language}: {title_of(game)}" for language in titles)
    text = _with_key(_with_key(text, "game", game), "title", f"{{{title}}}")
    head = re.match(r"(?:#.*\n|\s*\n)*", text)
    comments = head[0] if head else ""
    renamed = comments.replace(titles["en"], title_of(game)).replace(like.id, game)
    return renamed + text[len(comments) :]


def _with_key(text: str, key: str, value: str) -> str:
    """The text with another value of a key of its top level, whatever lines the present one takes."""
    pattern = rf"^{key}[ ]*:.*\n(?:(?:[ ]+.*)?\n)*?(?=\S|\Z)"
    return re.sub(pattern, lambda _: f"{key}: {value}\n", text, count=1, flags=re.MULTILINE)
