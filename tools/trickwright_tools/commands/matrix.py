"""Show reports of several engines side by side, as one page of HTML."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="matrix")
@click.argument(
    "reports", nargs=-1, required=True, metavar="REPORT...", type=click.Path(path_type=Path)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("matrix.html"),
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
def command(reports: tuple[Path, ...], out: Path) -> None:
    """Show reports of several engines side by side, as one page of HTML.

    A REPORT is what 'trickwright test GAME --engine COMMAND --format json' prints. The page needs no network and no script.

    \b
    trickwright test chief-and-vice --engine ./mine --format json > mine.json
    trickwright test chief-and-vice --engine ./other --format json > other.json
    trickwright matrix mine.json other.json --out matrix.html
    """
    from trickwright_conformance.protocol.matrix import NoReport, page, read_report
    from trickwright_tools.engine_test import write
    from trickwright_tools.report import CallError

    try:
        read = [read_report(path) for path in reports]
    except NoReport as error:
        raise CallError(str(error)) from None
    write(out, page(read))
    click.echo(f"{out}: {len(read)} {'report' if len(read) == 1 else 'reports'}")
