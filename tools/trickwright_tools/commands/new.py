"""Begin a game: write a commented specification that already works."""

from __future__ import annotations

from pathlib import Path

import click

from trickwright_tools.options import game_argument


@click.command()
@game_argument
@click.option(
    "--like", metavar="GAME", help="Begin with a copy of this game's rules, texts and variants."
)
@click.option(
    "--small", is_flag=True, help="Begin with Whist, in some thirty lines without comments."
)
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("spec/games"),
    show_default=True,
    help="Where to make the game's folder.",
)
def command(game: str, like: str | None, small: bool, folder: Path) -> None:
    """Begin a game: write a commented specification that already passes check.

    GAME is its id: lower-case letters, digits and hyphens. Without --like it is a small trick game
    with an auction, ready to be changed. Nothing that is there already is overwritten.

    \b
    trickwright new sheep-and-wolf
    trickwright new my-chief --like chief-and-vice
    trickwright new my-whist --small
    """
    import re
    import shutil

    from trickwright import Report, check_game, places
    from trickwright_tools import newgame
    from trickwright_tools.report import CallError, open_compiled, open_game, stop_if_failed

    form = places.schema("game")["$defs"]["id"]
    if not re.fullmatch(form["pattern"], game) or len(game) > form["maxLength"]:
        raise CallError(
            f"'{game}' cannot be the id of a game\n"
            f"    at most {form['maxLength']} lower-case letters, digits and hyphens, such as sheep-and-wolf"
        )
    if small and like is not None:
        raise CallError("begin with --small or with --like, not with both")
    target = folder / game
    if target.exists():
        raise CallError(f"{target} is there already: it stays as it is")
    if like is None:
        files = newgame.starter_files(game, "small" if small else "auction")
    else:
        model = open_game(like)
        open_compiled(model)
        files = newgame.copied_files(model, game)
    try:
        _write(target, newgame.with_schema_lines(files, target))
    except OSError as error:
        raise CallError(f"cannot write {error.filename}: {error.strerror}") from None
    report = Report()
    check_game(target, report)
    if report.failed:
        shutil.rmtree(target)  # a name that cannot be used leaves nothing behind
    stop_if_failed(report)
    for name in files:
        click.echo(f"wrote {target / name}")
    # A folder in which commands run from here do not look is called by its path.
    found = places.games().get(game)
    known = found is not None and found.resolve() == target.resolve()
    called = game if known else str(target) if target.is_absolute() else f"./{target}"
    click.echo(f"\nIt passes check. Next: change {target / 'rules.yaml'}, then")
    click.echo(f"  trickwright check {called}")
    click.echo(f"  trickwright params {called}    what each value means")
    click.echo(
        f"  trickwright generate {called}{'' if known else f' --out {game}.py'}  write its engine"
    )


def _write(target: Path, files: dict[str, str]) -> None:
    """Write a new folder; if that fails, nothing of it is left."""
    import shutil

    try:
        target.mkdir(parents=True)
        for name, text in files.items():
            path = target / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise
