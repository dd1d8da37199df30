"""Have players with sense play many hands and write a report of what the rules do to play.

The figures are the same for the same rules, seed and options, with any number of workers.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trickwright_tools.options import change_options, game_argument
from trickwright_tools.playtest.call import FILE, learn_option, playing_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trickwright.compile import Compiled, GameFiles
    from trickwright.problems import Problem
    from trickwright_tools.playtest.own import Own
    from trickwright_tools.playtest.report import Options
    from trickwright_tools.playtest.telling import Part


@click.command("playtest")
@game_argument
@change_options
@click.option(
    "--against",
    metavar="base|V",
    help="Compare with the base game or a variant, on the same deals.",
)
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="PATH=VALUES",
    help="Compare values on the same deals: LOW..HIGH, LOW..HIGH/STEP or A,B,C. Repeatable, for all combinations.",
)
@click.option(
    "--show",
    multiple=True,
    metavar="METRIC",
    help="Of a sweep, tell this figure instead of the main ones. Repeatable.",
)
@click.option(
    "--sensitivity",
    metavar="METRIC",
    help="How far this figure moves when each number of the rules is moved by one.",
)
@click.option(
    "--path",
    "prefixes",
    multiple=True,
    metavar="PREFIX",
    help="Of a sensitivity, move only numbers at or below this path. Repeatable.",
)
@learn_option("For a --sweep anew, for a --sensitivity once, if not said.")
@click.option(
    "--no-skill",
    is_flag=True,
    help="Leave out what is skill and what is luck, for which half as many hands again are played.",
)
@click.option("--list-metrics", is_flag=True, help="List the names of all figures.")
@playing_options
@click.option("--out", type=FILE, help="The page; playtest-GAME.html if not said.")
@click.option("--json", "json_path", type=FILE, help="The figures; beside the page if not said.")
def command(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    against: str | None,
    sweeps: tuple[str, ...],
    show: tuple[str, ...],
    sensitivity: str | None,
    prefixes: tuple[str, ...],
    learn: str | None,
    no_skill: bool,
    list_metrics: bool,
    out: Path | None,
    json_path: Path | None,
    **playing: Any,
) -> None:
    """Have players with sense play GAME and write a report of what the rules do to play.

    With --sweep or --sensitivity every point is compiled and played anew, on the same deals; values that check refuses are
    left out and listed.

    \b
    trickwright playtest chief-and-vice
    trickwright playtest chief-and-vice --variant no-stalemate --against base
    trickwright playtest chief-and-vice --sweep 'tables.team_goal.4[0]=20..30'
    trickwright playtest chief-and-vice --sensitivity outcomes.stalemate
    """
    import json

    from trickwright_tools.playtest.call import options_of, own_figures, progress, told_calmly
    from trickwright_tools.playtest.page import page
    from trickwright_tools.playtest.report import made
    from trickwright_tools.playtest.telling import as_json
    from trickwright_tools.report import CallError, open_compiled, open_game
    from trickwright_tools.whole_file import same_file, whole_file

    asked = [
        name
        for name, value in (
            ("--against", against),
            ("--sweep", sweeps),
            ("--sensitivity", sensitivity),
            ("--list-metrics", list_metrics),
        )
        if value
    ]
    if len(asked) > 1:
        raise CallError(f"give {' or '.join(asked)}, not both")
    if show and not sweeps:
        raise CallError("--show is for a --sweep")
    if prefixes and not sensitivity:
        raise CallError("--path is for a --sensitivity")
    if learn and not (sweeps or sensitivity):
        raise CallError("--learn is for a --sweep or a --sensitivity")
    if no_skill and asked:
        raise CallError(f"--no-skill is for a playtest without {asked[0]}")
    files = open_game(game)
    compiled = open_compiled(files, variants, sets)
    base = None
    if against is not None and against not in ("base", *files.variants):
        names = ", ".join(["base", *files.variants])
        raise CallError(f"--against: {game} has no variant '{against}'; there are {names}")
    if against is not None:
        base = open_compiled(files, () if against == "base" else (against,))
    own = own_figures(playing["metrics"], [found for found in (base, compiled) if found])
    options = options_of(game, variants, sets, playing, against, learn, not no_skill)
    if list_metrics:
        _list(options, compiled, own)
        return
    out = out or Path(f"playtest-{compiled.game.id}.html")
    json_path = json_path or out.with_suffix(".json")
    if same_file(json_path, out):
        raise CallError("--out and --json name the same file")
    with told_calmly(options.resume), ExitStack() as opened:
        html = opened.enter_context(whole_file(out))
        data = opened.enter_context(whole_file(json_path))
        told: Mapping[str, Any]
        if sweeps:
            about, parts, told = _swept(files, options, compiled, own, sweeps, show)
        elif sensitivity:
            about, parts, told = _moved(files, options, compiled, own, sensitivity, prefixes)
        else:
            about, parts = made(options, compiled, base, own, progress)
            told = as_json(about, parts)
        html.write(page(about, parts))
        json.dump(told, data, indent=1, ensure_ascii=False)
        data.write("\n")
    click.echo(f"{out}\n{json_path}")


def _list(options: Options, compiled: Compiled, own: tuple[Own, ...]) -> None:
    """Print the names of all figures with what they are."""
    from trickwright_tools.layout import show
    from trickwright_tools.playtest.naming import figures
    from trickwright_tools.playtest.report import seat

    seated = seat(options, compiled, None, lambda *_: None)
    title = ""
    for one in figures(seated.table, compiled, own, options.pace).values():
        if one.title != title:
            show("", one.title)
            title = one.title
        show(f"  {one.name}  {one.line.label}")


Made = tuple["Mapping[str, Any]", "list[Part]", "Mapping[str, Any]"]


def _swept(
    files: GameFiles,
    options: Options,
    compiled: Compiled,
    own: tuple[Own, ...],
    sweeps: tuple[str, ...],
    show: tuple[str, ...],
) -> Made:
    """The report of a sweep: what it is about, its tables, and all of it as plain values."""
    from trickwright_tools.playtest import sweep
    from trickwright_tools.playtest.call import progress
    from trickwright_tools.playtest.points import fitting, grid
    from trickwright_tools.playtest.report import seat
    from trickwright_tools.report import exit_code, leave, tell

    options = replace(options, learn=options.learn or "anew")
    wanted = grid(sweeps)
    points, left_out, problems = fitting(files, options.variants, options.sets, wanted)
    if not points:
        tell([_of_sweep(problem) for problem in problems])
        leave(exit_code(problems))
    seated = seat(options, compiled, None, progress)
    shown = sweep.chosen(show, options, seated, compiled, own)
    found = sweep.swept(options, seated, compiled, points, left_out, shown, own, progress)
    words = [word for text in sweeps for word in ("--sweep", text)]
    words += [word for name in show for word in ("--show", name)]
    about = sweep.about(options, seated, compiled, words, f"{len(points)} points of a sweep")
    return about, sweep.parts(found, options.learn or ""), sweep.as_json(about, found)


def _of_sweep(problem: Problem) -> Problem:
    """The same problem, said of the option that was given."""
    mark = problem.mark
    return replace(problem, mark=replace(mark, file="--sweep")) if mark.file == "--set" else problem


def _moved(
    files: GameFiles,
    options: Options,
    compiled: Compiled,
    own: tuple[Own, ...],
    metric: str,
    prefixes: tuple[str, ...],
) -> Made:
    """The report of a sensitivity, as that of a sweep."""
    from trickwright_tools.playtest import sensitivity, sweep
    from trickwright_tools.playtest.call import progress
    from trickwright_tools.playtest.report import seat

    options = replace(options, learn=options.learn or "once")
    seated = seat(options, compiled, None, progress)
    (named,) = sweep.chosen((metric,), options, seated, compiled, own)
    found = sensitivity.sensitivity(
        files, options, seated, compiled, named, prefixes, own, progress
    )
    words = ["--sensitivity", metric, *(word for one in prefixes for word in ("--path", one))]
    what = f"which numbers move “{named.label}”"
    about = {**sweep.about(options, seated, compiled, words, what), "against": None}
    return about, sensitivity.parts(found, options.learn or ""), sensitivity.as_json(about, found)
