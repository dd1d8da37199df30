"""Write the engines of games."""

from __future__ import annotations

from pathlib import Path

import click

from trickwright_tools.options import change_options, games_argument


@click.command()
@games_argument
@change_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write one engine here: to a single file if PATH ends in .py, else to a folder.",
)
@click.option(
    "--check", is_flag=True, help="Write nothing; show what is out of date and exit with 1."
)
def command(
    games: tuple[str, ...],
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    out: Path | None,
    check: bool,
) -> None:
    """Write the engines of games.

    Without --out, the engines of each GAME, or of all, go to generated/: one for every variant and
    every two variants that combine. If a game has problems, nothing is written.

    \b
    trickwright generate
    trickwright generate --check
    trickwright generate chief-and-vice --set match.until=150 --out mine.py
    """
    import trickwright
    from trickwright.problems import visible
    from trickwright_tools.report import WRONG, CallError, leave, stop_if_failed, tell

    report = trickwright.Report()
    try:
        if check:
            diff = trickwright.stale(games, variants, sets, out, report=report)
            stop_if_failed(report)
            if diff:
                click.echo(diff)
                call = ["generate", *games, *(f"--variant {name}" for name in variants)]
                call += [f"--set {_quoted(text)}" for text in sets]
                call += [f"--out {_quoted(str(out))}"] if out else []
                click.echo(f"out of date; run: trickwright {' '.join(call)}", err=True)
                leave(WRONG)
            click.echo("up to date")
        else:
            written = trickwright.generate(games, variants, sets, out, report=report)
            stop_if_failed(report)
            tell(report.problems)
            for path in written or ():
                click.echo(
                    f"{'wrote' if path.exists() else 'removed'} {visible(str(_shown(path)))}"
                )
            if not written:
                click.echo("up to date")
    except trickwright.WrongCall as wrong:
        raise CallError(str(wrong)) from None
    except OSError as error:
        raise CallError(f"cannot write {error.filename}: {error.strerror}") from None


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)
