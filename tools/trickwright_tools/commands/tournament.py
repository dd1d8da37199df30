"""Let players meet each other in the same deals and rate them.

The results are the same for the same rules, seed and options, on any machine and with any number of workers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickwright_tools.options import change_options, game_argument

if TYPE_CHECKING:
    from trickwright_tools.players.tournament import Entrant, Results, Tournament

ENTER = ("random", "sensible", "greedy", "monte-carlo")
"""Who takes part if nobody is entered."""
FAST_HANDS, PLAIN_HANDS = 2400, 160
FAST_BUDGET, PLAIN_BUDGET = 100, 10
"""Hands of each pair, and imagined hands for a decision, compiled and in plain Python."""


@click.command("tournament")
@game_argument
@change_options
@click.option(
    "--players", type=int, help="How many sit at a table; the game's smallest number if not said."
)
@click.option(
    "--enter",
    "entered",
    multiple=True,
    metavar="PLAYER",
    help="random, sensible, greedy, monte-carlo:BUDGET (hands imagined for a decision) or FILE.py:ClassName, whose code"
    " is run. Repeatable; one of each way to play if not said.",
)
@click.option(
    "--hands",
    type=click.IntRange(1, 10**8),
    help=f"Hands of each pair, or as many more as make whole deals; {FAST_HANDS} if not said, in plain Python {PLAIN_HANDS}.",
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes."
)
@click.option("--seed", type=click.IntRange(0, 2**62 - 1), default=0, show_default=True)
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the results.",
)
def command(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    players: int | None,
    entered: tuple[str, ...],
    hands: int | None,
    workers: int,
    seed: int,
    json_path: Path | None,
) -> None:
    """Let players meet each other at GAME, each two in the same deals and from every seat, and rate them.

    \b
    trickwright tournament chief-and-vice --workers 2
    trickwright tournament papayoo --enter greedy --enter my_player.py:Careful

    A player of your own is a class with a method choose(view, legal, random); see trickwright_tools.players.Player. The
    file's code is run as it stands: enter only files that you trust.
    """
    import json

    from trickwright_tools.players.batches import playing_of
    from trickwright_tools.players.own import PlayerError
    from trickwright_tools.players.ratings import NoLibrary, need_library, rate
    from trickwright_tools.players.tournament import Tournament, hands_of_deal
    from trickwright_tools.players.tournament_text import as_json, page
    from trickwright_tools.report import CallError, open_compiled, open_game
    from trickwright_tools.whole_file import Unwritable, whole_file

    rules_of = game, variants, sets
    open_compiled(open_game(game), variants, sets)
    playing = playing_of(*rules_of, None)
    rules = playing.engine.RULES
    sizes = [size for size in rules.table_sizes if size - (size in rules.sits_out) > 1]
    if not sizes:
        raise CallError(f"{rules.id} is for one player here; a tournament needs two at a table")
    if players is not None and players not in sizes:
        raise CallError(
            f"a tournament of {rules.id} is for {', '.join(map(str, sizes))} players, not {players}"
        )
    members = players or sizes[0]
    players = members - (members in rules.sits_out)
    entrants = _entrants(entered or ENTER, FAST_BUDGET if playing.is_fast else PLAIN_BUDGET)
    wanted = hands or (FAST_HANDS if playing.is_fast else PLAIN_HANDS)
    deals = -(-wanted // hands_of_deal(players))
    sits_out = players < members
    told = Tournament(*rules_of, players, entrants, deals, seed, sits_out=sits_out)
    try:
        need_library()
        with ExitStack() as files:
            file = files.enter_context(whole_file(json_path)) if json_path else None
            _get_ready(told, entered, hands)
            results = _played(told, workers)
            ratings = rate(len(entrants), told.pairs, results.signs(), seed)
            if file:
                json.dump(
                    as_json(rules, sets, results, ratings), file, indent=2, ensure_ascii=False
                )
                file.write("\n")
    except (NoLibrary, PlayerError, Unwritable) as error:
        raise CallError(str(error)) from None
    click.echo(page(rules, sets, results, ratings))


def _entrants(texts: Sequence[str], budget: int) -> tuple[Entrant, ...]:
    """Those who take part, with names that tell them apart."""
    from trickwright_tools.players.own import PlayerError, Written
    from trickwright_tools.players.tournament import entrant
    from trickwright_tools.report import CallError

    try:
        found = [entrant(text, budget) for text in texts]
        for one in found:
            if isinstance(one.seat, Written):
                one.seat.make()
    except (ValueError, PlayerError) as error:
        raise CallError(
            f"--enter {error}" if isinstance(error, ValueError) else str(error)
        ) from None
    names = [one.name for one in found]
    found = [
        replace(one, name=str(one.seat))
        if names.count(one.name) > 1 and isinstance(one.seat, Written)
        else one
        for one in found
    ]
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise CallError(f"{twice} is entered twice")
    if len(found) < 2:
        raise CallError("a tournament needs two players at least: --enter another one")
    return tuple(found)


def _get_ready(told: Tournament, entered: Sequence[str], hands: int | None) -> None:
    """Compile the engine and let its players learn, before workers need both; say what takes long and what is not as always."""
    from trickwright_tools.players.batches import mind_of, playing_of
    from trickwright_tools.players.own import Written

    rules_of = told.game, told.variants, told.sets
    playing = playing_of(*rules_of, told.fast)
    name = playing.engine.RULES.id
    if playing.why_plain:
        click.echo(
            f"plain Python plays, which gives the same results but takes longer: {playing.why_plain}",
            err=True,
        )
        less = (
            [] if entered else [f"monte-carlo:{PLAIN_BUDGET} instead of monte-carlo:{FAST_BUDGET}"]
        )
        less += [] if hands else [f"{PLAIN_HANDS} hands a pair instead of {FAST_HANDS}"]
        if less:
            click.echo(f"    therefore {' and '.join(less)}", err=True)
    elif not playing.is_kept:
        click.echo(
            f"numba compiles the engine of {name} and its players, once for these rules ...",
            err=True,
        )
    if any(isinstance(one.seat, Written) for one in told.entrants):
        click.echo("hands with players of your own are played in plain Python", err=True)
    mind_of(*rules_of, told.players, told.fast)


def _played(told: Tournament, workers: int) -> Results:
    """Play the tournament; in a terminal with a bar that shows how far it is."""
    from trickwright_tools.players.tournament import Results, play

    total = told.deals * told.hands_of_deal * len(told.pairs)
    results = Results(told)
    if not sys.stderr.isatty():
        for _ in play(results, workers):
            pass
        return results
    with click.progressbar(length=total, label=f"{total:,} hands", file=sys.stderr) as bar:
        for hands in play(results, workers):
            bar.update(hands)
    return results
