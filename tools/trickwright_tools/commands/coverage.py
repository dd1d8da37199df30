"""Show what each rule and each sentence of the rulebook is pinned by."""

from __future__ import annotations

from pathlib import Path

import click

from trickwright_tools.options import game_argument

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("coverage")
@game_argument
@click.option(
    "--variant",
    "-v",
    "variants",
    multiple=True,
    metavar="V",
    help="Only what this variant changes. Repeatable.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "html"]),
    default="table",
    show_default=True,
    help="A table to read here, data, or a page for the browser.",
)
@click.option("--out", "out", type=FILE, help="Write a file instead of printing.")
def command(game: str, variants: tuple[str, ...], format_: str, out: Path | None) -> None:
    """Show what each rule of GAME and each sentence of its rulebook is pinned by.

    Every value of the rules and of each variant, every reason to refuse an action, every rule of the scoring, way to
    end, phase, action and number of players, and every statement of rulebook.yaml has a row with the cases that pin it. A case pins
    a value if it cites it and its play comes to it; the others are observed. Every path that a case cites has a
    row, too, so that no case claims more than it does. The exit code is 1 if a row is empty.

    \b
    trickwright coverage chief-and-vice
    trickwright coverage chief-and-vice --variant no-stalemate
    trickwright coverage chief-and-vice --format html --out coverage.html
    """
    import json

    from trickwright_conformance import Suite
    from trickwright_tools.coverage import cover
    from trickwright_tools.coverage.page import page
    from trickwright_tools.coverage.text import table
    from trickwright_tools.report import CallError, exit_code, leave, no_cases, open_game, tell
    from trickwright_tools.whole_file import Unwritable, whole_file

    problems_as = "json" if format_ == "json" else "text"
    files = open_game(game, problems_as)
    chosen = tuple(dict.fromkeys(variants))
    for name in chosen:
        if name not in files.variants:
            from trickwright.problems import did_you_mean

            hint = did_you_mean(name, files.variants, others="variants")
            raise CallError(f"'{files.id}' has no variant '{name}'" + (f"; {hint}" if hint else ""))
    suite = Suite.load(files, with_rulebook=True)
    made = [suite.engine(names) for names in ((), *((name,) for name in files.variants))]
    if suite.report.failed or None in made:
        tell(suite.report.problems, problems_as)
        leave(exit_code(suite.report.problems))
    if not suite.cases:
        raise CallError(no_cases(files.id))
    found = cover(files, suite, chosen)
    if format_ == "json":
        text = json.dumps(found.as_dict(), ensure_ascii=False, indent=2)
    else:
        text = page(found) if format_ == "html" else table(found)
    if out is None:
        click.echo(text)
    else:
        try:
            with whole_file(out) as file:
                file.write(text.rstrip("\n") + "\n")
        except Unwritable as error:
            raise CallError(str(error)) from None
        click.echo(f"{out}: {summary(len(found.rows), len(found.empty))}")
    leave(1 if found.empty else 0)


def summary(rows: int, empty: int) -> str:
    """How many rows there are, and how many of them are empty."""
    return f"{rows} rows, {empty} empty"
