"""Play many hands or matches by chance and say what came of them.

The results are the same for the same rules, seed and options, on any machine.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import click

from trickwright_tools.options import change_options, game_argument

HANDS = 10_000
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("simulate")
@game_argument
@change_options
@click.option("--players", type=int, help="How many play; the game's smallest number if not said.")
@click.option("--hands", type=click.IntRange(1, 10**9), help=f"Hands to play; {HANDS} if not said.")
@click.option("--matches", type=click.IntRange(1, 10**9), help="Matches to play, instead of hands.")
@click.option(
    "--max-hands",
    type=click.IntRange(1, 10**9),
    default=1000,
    show_default=True,
    help="Cut a match off after so many hands.",
)
@click.option(
    "--style",
    type=click.Choice(["random", "steady"]),
    default="random",
    show_default=True,
    help="random: all legal actions equally likely. steady: a turn that may be closed is, half of the time.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("--csv", "csv_path", type=FILE, help="Write a line for each hand.")
@click.option("--json", "json_path", type=FILE, help="Write the results.")
def command(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    players: int | None,
    hands: int | None,
    matches: int | None,
    max_hands: int,
    style: str,
    seed: int,
    csv_path: Path | None,
    json_path: Path | None,
) -> None:
    """Play many hands or matches of GAME by chance and say what came of them.

    \b
    trickwright simulate chief-and-vice --hands 100000 --csv hands.csv
    trickwright simulate chief-and-vice --style steady --matches 500 --variant to-100
    """
    import json

    from trickwright.memory import load_engine
    from trickwright_tools.report import CallError, open_compiled, open_game
    from trickwright_tools.simulation import Plan, Summary, run
    from trickwright_tools.simulation_text import Rows, page, with_progress
    from trickwright_tools.whole_file import Unwritable, same_file, whole_file

    if hands is not None and matches is not None:
        raise CallError("give --hands or --matches, not both")
    if csv_path and json_path and same_file(csv_path, json_path):
        raise CallError("--csv and --json name the same file")
    engine = load_engine(open_compiled(open_game(game), variants, sets))
    rules = engine.RULES
    if players is not None and players not in rules.table_sizes:
        counts = ", ".join(map(str, rules.table_sizes))
        raise CallError(f"{rules.id} is for {counts} players, not {players}")
    plan = Plan(
        players=players or rules.players[0],
        seed=seed,
        style=style,
        hands=None if matches else hands or HANDS,
        matches=matches,
        max_hands=max_hands,
    )
    summary = Summary(rules, plan)
    try:
        with ExitStack() as files:
            rows = Rows(files.enter_context(whole_file(csv_path)), summary) if csv_path else None
            told = files.enter_context(whole_file(json_path)) if json_path else None
            begun = perf_counter()
            for result in with_progress(run(engine, plan), plan):
                summary.add(result)
                if rows:
                    rows.add(result)
            seconds = perf_counter() - begun
            if told:
                json.dump(summary.as_json(), told, indent=2)
                told.write("\n")
    except Unwritable as error:
        raise CallError(str(error)) from None
    click.echo(page(summary, seconds, sets))
