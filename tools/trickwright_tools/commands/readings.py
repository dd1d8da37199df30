"""List what was decided where a game's rulebook leaves a question open."""

from __future__ import annotations

from collections.abc import Iterator

import click

from trickwright_tools.options import format_option, game_argument


@click.command()
@game_argument
@format_option
def command(game: str, format_: str) -> None:
    """List what was decided where GAME's rulebook is silent, contradicts itself or lost something.

    Readings of the rules come first, then those of the variants.

    \b
    trickwright readings chief-and-vice
    """
    from trickwright.paths import find
    from trickwright.text import Reading
    from trickwright_tools.layout import show, wrapped
    from trickwright_tools.report import open_compiled, open_game, show_json

    files = open_game(game, format_)

    def readings() -> Iterator[Reading]:
        yield from open_compiled(files, format_=format_).game.readings
        for name, node in files.variants.items():
            text = find(node, ("reading",))
            if text is not None:
                yield Reading(f"variant {name}", text.mark, str(text.value))

    found = list(readings())
    if format_ == "json":
        show_json(
            [
                {"path": one.path, "text": one.text, "file": one.mark.file, "line": one.mark.line}
                for one in found
            ]
        )
        return
    show(f"{files.id}: {len(found)} reading{'' if len(found) == 1 else 's'}")
    for one in found:
        show("", one.path, wrapped(one.text), f"    {one.mark.file}:{one.mark.line}")
