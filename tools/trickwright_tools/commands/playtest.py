"""Have players with sense play many hands and write a report of what the rules do to play.

The figures are the same for the same rules, seed and options, with any number of workers.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickwright_tools.options import change_options, game_argument

if TYPE_CHECKING:
    from trickwright.compile import Compiled
    from trickwright_tools.playtest.own import Own

HANDS, BUDGET = 10_000, 100
MOST_BUDGET = 100_000
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("playtest")
@game_argument
@change_options
@click.option(
    "--against",
    metavar="base|V",
    help="Compare with the base game or a variant, on the same deals.",
)
@click.option("--players", type=int, help="How many play; the game's smallest number if not said.")
@click.option("--hands", type=click.IntRange(1, 10**9), default=HANDS, show_default=True)
@click.option(
    "--ways",
    metavar="WAY[,WAY]...",
    help=f"How all play, or each: random, sensible, greedy, monte-carlo:{BUDGET} (hands imagined for a decision).",
)
@click.option("--seed", type=click.IntRange(0, 2**62), default=0, show_default=True)
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes; one for each core if not said."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.01, 3600),
    default=3.0,
    show_default=True,
    help="Seconds that a decision takes.",
)
@click.option(
    "--plain", is_flag=True, help="Play without numba: slower, and with the same results."
)
@click.option("--metrics", "metrics", type=FILE, help="A YAML file with figures of your own.")
@click.option("--out", type=FILE, help="The page; playtest-GAME.html if not said.")
@click.option("--json", "json_path", type=FILE, help="The figures; beside the page if not said.")
def command(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    against: str | None,
    players: int | None,
    hands: int,
    ways: str | None,
    seed: int,
    workers: int | None,
    pace: float,
    plain: bool,
    metrics: Path | None,
    out: Path | None,
    json_path: Path | None,
) -> None:
    """Have players with sense play GAME and write a report of what the rules do to play.

    \b
    trickwright playtest chief-and-vice
    trickwright playtest chief-and-vice --variant no-stalemate --against base
    """
    import json
    import os

    from trickwright_tools.playtest.page import page
    from trickwright_tools.playtest.report import Options, made
    from trickwright_tools.playtest.telling import as_json
    from trickwright_tools.report import CallError, open_compiled, open_game
    from trickwright_tools.whole_file import Unwritable, whole_file

    files = open_game(game)
    compiled = open_compiled(files, variants, sets)
    base = None
    if against is not None:
        base = open_compiled(files, () if against == "base" else (against,))
    own = _own_figures(metrics, [found for found in (base, compiled) if found is not None])
    out = out or Path(f"playtest-{compiled.game.id}.html")
    json_path = json_path or out.with_suffix(".json")
    if json_path.resolve() == out.resolve():
        raise CallError("--out and --json name the same file")
    options = Options(
        game,
        variants,
        sets,
        against,
        players,
        hands,
        ways,
        seed,
        workers or os.cpu_count() or 1,
        pace,
        False if plain else None,
    )
    try:
        with ExitStack() as opened:
            html = opened.enter_context(whole_file(out))
            data = opened.enter_context(whole_file(json_path))
            about, told = made(options, compiled, base, own, _progress)
            html.write(page(about, told))
            json.dump(as_json(about, told), data, indent=1, ensure_ascii=False)
            data.write("\n")
    except Unwritable as error:
        raise CallError(str(error)) from None
    click.echo(f"{out}\n{json_path}")


def _own_figures(path: Path | None, games: list[Compiled]) -> tuple[Own, ...]:
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


def _progress(what: str, done: int, total: int) -> None:
    """Say what is being done; in a terminal, how far it is."""
    import sys

    if not total:
        click.echo(what, err=True)
    elif sys.stderr.isatty():
        filled = 24 * done // total
        bar = "█" * filled + "░" * (24 - filled)
        end = "\n" if done >= total else ""
        print(f"\r{bar} {done:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)
