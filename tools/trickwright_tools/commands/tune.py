"""Find the number in the rules that brings a figure of the playtest to a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trickwright_tools.options import change_options, game_argument
from trickwright_tools.playtest.call import FILE, learn_option, playing_options

if TYPE_CHECKING:
    from trickwright_tools.playtest.ratios import Estimate
    from trickwright_tools.playtest.tuning import Tuned

ABOUT = ("game", "variants", "sets", "rules", "players", "ways", "seed", "hands", "pace")
"""What is written of the run."""


@click.command("tune")
@game_argument
@click.argument("goal", metavar="METRIC=TARGET")
@click.argument("span", metavar="PATH=LOW..HIGH")
@change_options
@learn_option("Anew if not said.")
@playing_options
@click.option("--json", "json_path", type=FILE, help="Write what was found.")
def command(
    game: str,
    goal: str,
    span: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    learn: str | None,
    json_path: Path | None,
    **playing: Any,
) -> None:
    """Find the whole number at PATH, from LOW to HIGH, that brings METRIC to TARGET when GAME is played.

    All numbers are tried on the same deals. With --learn once players keep to what they learned of the game as it is, which makes
    for a smoother search; what players would make of the number found is then left out. The figures are those of the playtest;
    playtest GAME --list-metrics shows their names. Exit code 1: the target is out of reach.

    \b
    trickwright tune chief-and-vice roles.earns.chief=20 scoring.numbers.bonus_per_card=5..20
    trickwright tune chief-and-vice matches.hands=8 match.until=100..300 --ways sensible
    """
    import json

    from trickwright.compile import compile_game
    from trickwright.problems import Report
    from trickwright_tools.layout import show
    from trickwright_tools.playtest.call import options_of, own_figures, progress, told_calmly
    from trickwright_tools.playtest.report import about_of, seat
    from trickwright_tools.playtest.sweep import chosen
    from trickwright_tools.playtest.tuning import fits, goal_of, span_of, tuned
    from trickwright_tools.report import WRONG, leave, open_compiled, open_game, stop_if_failed
    from trickwright_tools.whole_file import check_writable, whole_file

    wanted, within = goal_of(goal), span_of(span)
    files = open_game(game)
    compiled = open_compiled(files, variants, sets)
    for end in (within.low, within.high):
        report = Report()  # what an end is warned of is not what the user wrote
        compile_game(files, variants, (*sets, f"{within.path}={end}"), report)
        stop_if_failed(report)
    own = own_figures(playing["metrics"], [compiled])
    options = options_of(game, variants, sets, playing, learn=learn or "anew")
    seated = seat(options, compiled, None, progress)
    (named,) = chosen((wanted.name,), options, seated, compiled, own)
    fits(wanted, named)
    with told_calmly(options.resume):
        if json_path is not None:
            check_writable(json_path)
        found = tuned(files, options, seated, compiled, named, wanted, within, own, progress)
        if json_path is not None:
            with whole_file(json_path) as file:
                about = about_of(options, compiled, None, seated.table, options.hands)
                told = (
                    {key: about[key] for key in ABOUT} | {"learn": options.learn} | found.as_json()
                )
                json.dump(told, file, indent=1, ensure_ascii=False)
                file.write("\n")
    show(*_told(found))
    if found.verdict == "out-of-reach":
        leave(WRONG)


def _told(found: Tuned) -> list[str]:
    """What was found, in words, and a line for each number tried."""
    from trickwright_tools.playtest.telling import COUNTED

    path, goal = found.span.path, _number(found, found.goal.value)
    value = _number(found, found.estimate.value)
    verdict = {
        "reached": f"{path}={found.number} brings it to {value}: the interval holds the target, {goal}",
        "between": f"no whole number brings it to {goal}; {path}={found.number} comes nearest with {value}",
        "out-of-reach": f"{goal} is out of reach from {found.span.low} to {found.span.high}; "
        f"{path}={found.number} comes nearest with {value}",
    }[found.verdict]
    lines = [f"{found.named.name}, {found.named.label}", verdict, ""]
    counted = COUNTED[found.named.unit]
    for number, one in found.tried.items():
        star = "*" if number == found.number else "=" if found.holds(number) else " "
        lines.append(
            f"{star} {number:>8}  {_number(found, one.value):>10}  {_interval(found, one):<24}  {one.behind:,} {counted}"
        )
    lines += ["", "* found; = its interval holds the target, too"]
    return lines


def _number(found: Tuned, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.1f}%" if found.named.line.kind == "share" else f"{value:,.2f}"


def _interval(found: Tuned, one: Estimate) -> str:
    return f"({_number(found, one.low)} to {_number(found, one.high)})"
