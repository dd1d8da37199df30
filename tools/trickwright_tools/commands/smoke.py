"""Try an engine of your own with a few requests: is its adapter broken, or the engine?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from trickwright_tools.options import format_option


@click.command(name="smoke")
@click.argument("game", required=False)
@click.option("--engine", required=True, metavar="COMMAND", help="The command that starts it.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 3600),
    metavar="S",
    help="Seconds that the engine may take for a request; 10 if left out.",
)
@format_option
def command(game: str | None, engine: str, time_limit: float | None, format_: str) -> None:
    """Try an engine of your own with a few requests: is its adapter broken, or the engine?

    The engine is started and asked over lines of JSON: who it is, a small case, an action that it must refuse, and two requests
    that cannot be played. Without GAME it is a game that the engine claims to play.

    \b
    trickwright smoke --engine 'node my-adapter.js'
    trickwright smoke chief-and-vice --engine ./adapter --time-limit 2
    """
    from trickwright.places import games
    from trickwright_conformance import Suite
    from trickwright_conformance.protocol.faults import Fault
    from trickwright_conformance.protocol.session import TIME_LIMIT, Launch
    from trickwright_conformance.protocol.smoke import smoke
    from trickwright_tools.report import leave, open_game, show_json, stop_if_failed

    asked_for = open_game(game, format_) if game is not None else None

    def choose(started: Mapping[str, Any]) -> Suite:
        claimed = started["games"]
        if asked_for is None:
            name = next((name for name in claimed if name in games()), None)
        else:
            name = asked_for.id if asked_for.id in claimed else None
        if name is None:
            wanted = asked_for.id if asked_for is not None else "any game that is known here"
            said = f"the engine does not play {wanted}; it plays: {', '.join(claimed)}"
            raise Fault("not-claimed", said)
        suite = Suite.load(asked_for or open_game(name, format_))
        stop_if_failed(suite.report, format_)
        return suite

    report = smoke(Launch(engine, TIME_LIMIT if time_limit is None else time_limit), choose)
    if format_ == "json":
        show_json(
            {
                "engine": dict(report.engine),
                "game": report.game,
                "verdict": report.verdict,
                "fine": report.fine,
                "checks": [vars(check) for check in report.checks],
            }
        )
    else:
        who = report.engine
        if who:
            click.echo(f"{who['name']} {who['version']} ({who['language']}), {report.game}")
        signs = {"passed": "ok    ", "failed": "FAILED", "not asked": "-     "}
        for check in report.checks:
            click.echo(f"{signs[check.state]}  {check.name}")
            if check.text:
                click.echo(f"        {check.text}")
            for line in check.stderr.splitlines():
                click.echo(f"        stderr  {line}")
        click.echo(report.verdict)
    leave(0 if report.fine else 1)
