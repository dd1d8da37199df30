"""What commands that play share: their options, the designer's own figures, and how far it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from trickwright.compile import Compiled
    from trickwright_tools.playtest.own import Own
    from trickwright_tools.playtest.report import Options

HANDS, BUDGET = 10_000, 100
FILE = click.Path(path_type=Path, dir_okay=False)
F = TypeVar("F", bound=Callable[..., Any])


def playing_options(function: F) -> F:
    """Who plays, how much and where; ``options_of`` takes them."""
    for option in (
        click.option(
            "--resume",
            type=FILE,
            help="Keep what is finished in this file, and go on from it if it is there.",
        ),
        click.option(
            "--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler."
        ),
        click.option(
            "--metrics", "metrics", type=FILE, help="A YAML file with figures of your own."
        ),
        click.option(
            "--plain", is_flag=True, help="Play without numba: slower, and with the same results."
        ),
        click.option(
            "--pace",
            type=click.FloatRange(0.01, 3600),
            default=3.0,
            show_default=True,
            help="Seconds that a decision takes.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(1, 256),
            help="Processes; one for each core if not said.",
        ),
        click.option("--seed", type=click.IntRange(0, 2**62), default=0, show_default=True),
        click.option(
            "--ways",
            metavar="WAY[,WAY]...",
            help=f"How all play, or each: random, sensible, greedy, monte-carlo:{BUDGET} (hands imagined for a decision).",
        ),
        click.option("--hands", type=click.IntRange(1, 10**9), default=HANDS, show_default=True),
        click.option(
            "--players",
            type=int,
            help="How many sit at the table; the game's smallest number if not said.",
        ),
    ):
        function = option(function)
    return function


def learn_option(default: str) -> Callable[[F], F]:
    """Whether players learn each point anew; ``default`` says in words what they do if it is not said."""
    return click.option(
        "--learn",
        type=click.Choice(["anew", "once"]),
        help="Whether players learn the rules of each point anew, or play as they learned the game as it is. "
        + default,
    )


def options_of(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    playing: Mapping[str, Any],
    against: str | None = None,
    learn: str | None = None,
    skill: bool = True,
) -> Options:
    """The options of a call; ``playing`` are those of ``playing_options``, ``learn`` that of ``learn_option``."""
    from trickwright_tools.playtest.report import Options

    return Options(
        game,
        variants,
        sets,
        against,
        playing["players"],
        playing["hands"],
        playing["ways"],
        playing["seed"],
        playing["workers"] or os.cpu_count() or 1,
        playing["pace"],
        False if playing["plain"] else None,
        playing["cluster"] or "",
        playing["resume"],
        learn,
        skill,
    )


def own_figures(path: Path | None, games: list[Compiled]) -> tuple[Own, ...]:
    """The designer's own figures; ends the command with all problems if they do not go with the games."""
    from trickwright.problems import Report
    from trickwright_tools.playtest.own import checked, read_own
    from trickwright_tools.report import stop_if_failed

    if path is None:
        return ()
    report = Report()
    own = read_own(path, report)
    for compiled in games:
        checked(own, compiled.meaning, report)
    stop_if_failed(report)
    return own


@contextmanager
def told_calmly(resume: Path | None = None) -> Iterator[None]:
    """What can go wrong while playing ends the command with a line that says what it is; who breaks off is told what is kept."""
    from trickwright_tools.fast import NotInstalled
    from trickwright_tools.players.cluster import Unreachable
    from trickwright_tools.players.kept import OtherRun
    from trickwright_tools.report import CallError
    from trickwright_tools.whole_file import Unwritable

    try:
        yield
    except (NotInstalled, Unreachable, OtherRun, Unwritable) as error:
        raise CallError(str(error)) from None
    except KeyboardInterrupt:
        if resume is not None:
            text = f"what is finished is kept in {resume}; the same call goes on from there"
            click.echo(text, err=True)
        raise


def progress(what: str, done: int, total: int) -> None:
    """Say what is being done; in a terminal, how far it is."""
    if not total:
        click.echo(what, err=True)
    elif sys.stderr.isatty():
        filled = 24 * done // total
        bar = "█" * filled + "░" * (24 - filled)
        end = "\n" if done >= total else ""
        print(f"\r{bar} {done:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)
