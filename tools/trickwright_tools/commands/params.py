"""List everything in a game's rules that can be changed."""

from __future__ import annotations

import click

from trickwright_tools.options import change_options, format_option, game_argument


@click.command()
@game_argument
@click.argument("text", required=False, default="")
@change_options
@format_option
def command(
    game: str, text: str, variants: tuple[str, ...], sets: tuple[str, ...], format_: str
) -> None:
    """List everything in GAME's rules that can be changed: its path and value, what it means, what is allowed, and its line.

    With TEXT, only what has it in its path or title. With --variant or --set, the values are those
    after the change, and what has changed is marked with * and the value it had.

    \b
    trickwright params chief-and-vice
    trickwright params chief-and-vice auction
    trickwright params chief-and-vice bonus --variant to-100
    """
    from trickwright.problems import visible
    from trickwright_tools.changes import written
    from trickwright_tools.layout import show, two_sides, wrapped
    from trickwright_tools.parameters import Parameter, parameters
    from trickwright_tools.report import open_compiled, open_game, show_json

    files = open_game(game, format_)
    root = open_compiled(files, variants, sets, format_).root
    before = {parameter.path: parameter for parameter in parameters(files.rules)}
    whole = list(parameters(root))
    wanted = text.casefold()
    found = [one for one in whole if wanted in f"{one.path}\n{one.title}".casefold()]

    def old(parameter: Parameter) -> list[object]:
        """The value before the change, in a list; none if it is the same."""
        base = before.get(parameter.path)
        if base is None or repr(base.value) == repr(parameter.value):
            return []
        return [base.value]

    if format_ == "json":
        changed = (old(one) for one in found)
        show_json(
            [
                one.as_dict() | ({"was": was[0]} if was else {})
                for one, was in zip(found, changed, strict=True)
            ]
        )
        return
    own = files.rules.mark.file
    counted = "1 value" if len(found) == 1 else f"{len(found)} values"
    which = f"{counted} with '{visible(text)}'" if text else f"{counted} that can be changed"
    show(f"{files.id}: {which}; lines are of {own}")
    section = ""
    for one in found:
        if section != (
            section := ".".join(one.path.split(".")[: 2 if one.path.startswith("phases.") else 1])
        ):
            show("")
        mark, was = one.mark, old(one)
        is_new = one.path not in before
        star = "* " if was or is_new else ""
        place = f"line {mark.line}" if mark.file == own else f"{mark.file}:{mark.line}"
        if mark.file.startswith("--"):
            place = mark.file
        show(two_sides(f"{star}{one.path} = {written(one.value)}", place))
        if was:
            show(wrapped(f"was {written(was[0])}"))
        tells_unit = one.unit and one.allowed[-1:].isdigit() and one.unit != one.title.casefold()
        show(wrapped(f"{one.title}: {one.allowed}{f' ({one.unit})' if tells_unit else ''}"))
        if one.description:
            show(wrapped(one.description))
