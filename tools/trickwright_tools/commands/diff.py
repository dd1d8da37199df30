"""Show what variants and single values change in a game's rules."""

from __future__ import annotations

import click

from trickwright_tools.options import change_options, format_option, game_argument


@click.command()
@game_argument
@change_options
@click.option(
    "--code", is_flag=True, help="Show the unified diff of the two generated engines instead."
)
@format_option
def command(
    game: str, variants: tuple[str, ...], sets: tuple[str, ...], code: bool, format_: str
) -> None:
    """Show what variants and single values change in GAME's rules, and where each change is written.

    \b
    trickwright diff chief-and-vice --variant no-stalemate
    trickwright diff chief-and-vice --set match.until=150 --code
    """
    from trickwright.standalone import without_markers
    from trickwright_tools.changes import changes
    from trickwright_tools.layout import show, wrapped
    from trickwright_tools.report import CallError, open_compiled, open_game, show_json

    if not variants and not sets:
        raise CallError("nothing to compare with: add --variant or --set")
    if code and format_ == "json":
        raise CallError("--code is for people: leave out --format json")
    files = open_game(game, format_)
    base = open_compiled(files, format_=format_)
    other = open_compiled(files, variants, sets, format_)
    if code:
        names = [f"{base.game.module}.py", f"{other.game.module}.py"]
        if names[0] == names[1]:
            names[1] = f"{other.game.module}_with_set.py"
        _show_code(without_markers(base.engine), without_markers(other.engine), names)
        return
    found = changes(files, other.root, tuple(dict.fromkeys(variants)))
    if format_ == "json":
        show_json([change.as_dict() for change in found])
        return
    with_what = ", ".join([*dict.fromkeys(variants), *sets])
    counted = "1 difference" if len(found) == 1 else f"{len(found)} differences"
    show(f"{files.id} with {with_what}: {counted}")
    for change in found:
        place = str(change.mark).rsplit(":", 1)[0]
        if change.mark.file.startswith("--"):
            place = change.mark.file
        show("", wrapped(change.text, "", "    "), f"    {place}")


def _show_code(base: str, other: str, names: list[str]) -> None:
    import difflib

    lines = difflib.unified_diff(
        base.splitlines(), other.splitlines(), names[0], names[1], lineterm=""
    )
    text = "\n".join(lines)
    click.echo(text or "the engines are the same")
