"""List the variants of a game and what each changes."""

from __future__ import annotations

from typing import Any

import click

from trickwright_tools.options import format_option, game_argument


@click.command()
@game_argument
@format_option
def command(game: str, format_: str) -> None:
    """List the variants of GAME: what each is for, what it changes, and which can be played together.

    \b
    trickwright variants chief-and-vice
    """
    from trickwright.compile import combine
    from trickwright_tools.changes import changes
    from trickwright_tools.layout import show, wrapped
    from trickwright_tools.report import open_compiled, open_game, show_json

    files = open_game(game, format_)
    found: list[dict[str, Any]] = []
    if format_ == "text" and not files.variants:
        show(f"{files.id} has no variants")
    for name, node in files.variants.items():
        root = open_compiled(files, (name,), format_=format_).root
        values = node.plain()
        differences = changes(files, root, (name,))
        others = [other for other in files.variants if other != name]
        together = [other for other in others if combine(files, name, other)]
        found.append(
            {
                "id": name,
                "title": values["title"],
                "why": values["why"],
                "changes": [change.as_dict() for change in differences],
                "reading": values.get("reading", ""),
                "combines_with": together,
                "file": node.mark.file,
            }
        )
        if format_ == "json":
            continue
        show(*([""] if len(found) > 1 else []), f"{name}: {values['title']['en']}")
        show(wrapped(values["why"]))
        show(*(wrapped(change.text, "    ", "    ") for change in differences))
        if "reading" in values:
            show(wrapped(f"Reading: {values['reading']}"))
        show(wrapped(f"Combines with {', '.join(together) or 'no other variant'}."))
        show(f"    {node.mark.file}")
    if format_ == "json":
        show_json(found)
