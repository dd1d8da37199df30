"""Change every rule a little, one at a time, and see whether the conformance suite notices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trickwright_tools.options import format_option, game_argument

if TYPE_CHECKING:
    from trickwright_conformance import Suite
    from trickwright_tools.mutation.mutants import Mutant
    from trickwright_tools.mutation.session import Verdict
    from trickwright_tools.mutation.store import Store

LIMIT = 30.0


@click.command("mutate")
@game_argument
@click.option(
    "--path",
    "prefixes",
    multiple=True,
    metavar="PREFIX",
    help="Change only what lies at or below this path. Repeatable.",
)
@click.option("--list", "only_list", is_flag=True, help="List the mutants and play nothing.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="Processes; as many as there are cores if not said."
)
@click.option(
    "--limit",
    type=click.FloatRange(0.1, 3600),
    default=LIMIT,
    show_default=True,
    help="Seconds of computing time for one mutant.",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the verdicts so far, instead of the one in the user's folder.",
)
@click.option("--fresh", is_flag=True, help="Believe no verdicts of an earlier run.")
@format_option
def command(
    game: str,
    prefixes: tuple[str, ...],
    only_list: bool,
    jobs: int | None,
    limit: float,
    state: Path | None,
    fresh: bool,
    format_: str,
) -> None:
    """Change every rule of GAME a little, one at a time, and see whether the conformance suite notices.

    Numbers go up and down by one; words, cards and names become others; entries and items are taken away; in expressions every
    part is changed; all of it in rules.yaml and in each variant. A mutant is killed when a case fails. One that check
    rejects, or warns of, does not count; nor is it a fault if only cases of variants tell a change of the game's own rules,
    but it is said. What survives is a rule that no case pins, and is told with its place and the
    case that would kill it. Without effect is a change that leaves the engine as it was.

    Not changed are texts, titles, sources, readings, symbols and names of phases: they say what rules are called and where they
    come from, and change no play. Of a shared deck, what it says is changed and not its name.

    A mutant that is the same game is declared, with a proof, in conformance/equivalent/GAME.yaml; a claim that does not hold
    is an error, too.

    A run that was interrupted goes on where it was, as long as rules, cases and compiler are the same. Verdicts lie in
    the user's folder for application data, or in --state.

    \b
    trickwright mutate chief-and-vice
    trickwright mutate chief-and-vice --path scoring.played
    trickwright mutate chief-and-vice --path tables --list
    """
    import os
    from time import perf_counter

    from trickwright import Report
    from trickwright_conformance import Suite
    from trickwright_tools.mutation import page
    from trickwright_tools.mutation.equivalent import read_claims
    from trickwright_tools.mutation.mutants import mutants
    from trickwright_tools.mutation.store import Store, default_file, key_of
    from trickwright_tools.report import (
        CallError,
        exit_code,
        leave,
        open_compiled,
        open_game,
        show_json,
        stop_if_failed,
        tell,
    )
    from trickwright_tools.whole_file import Unwritable

    begun = perf_counter()
    files = open_game(game, format_)
    open_compiled(files, format_=format_)
    whole = mutants(files)
    wanted = [mutant for mutant in whole if _is_below(mutant.path, prefixes)]
    if not wanted:
        raise CallError(f"nothing is changed at {' or '.join(prefixes)}; --list shows all mutants")
    if only_list:
        if format_ == "json":
            show_json([page.mutant_data(mutant) for mutant in wanted])
        else:
            for mutant in wanted:
                click.echo(f"{mutant.mark}: {page.title(mutant)}: {page.change(mutant)}")
        return
    report = Report()
    claims = read_claims(files.id, report)
    stop_if_failed(report, format_)
    suite = Suite.load(files)
    if suite.report.failed:
        tell(suite.report.problems, format_)
        leave(exit_code(suite.report.problems))
    _must_pass(suite)
    try:
        store = Store(state or default_file(files), key_of(files, limit), fresh=fresh)
        verdicts = _judged(suite, wanted, set(claims), store, jobs or os.cpu_count() or 1, limit)
    except Unwritable as error:
        raise CallError(str(error)) from None
    known = {mutant.id for mutant in whole}
    lost = [claim for claim in claims.values() if claim.mutant not in known]
    lost = [claim for claim in lost if _is_below(claim.path, prefixes)]
    run = page.Run(files, suite.cases, verdicts, claims, lost)
    if format_ == "json":
        show_json(page.as_data(run))
    else:
        click.echo(page.page(run, perf_counter() - begun))
    leave(0 if run.is_fine else 1)


def _must_pass(suite: Suite) -> None:
    """End the command if the suite fails on the rules as they are: nothing could be said of mutants then."""
    from trickwright_conformance.runner import run_suite
    from trickwright_tools.report import CallError, leave, no_cases

    if not suite.cases:
        raise CallError(no_cases(suite.files.id))
    failed = sum(not result.passed for result in run_suite(suite))
    if failed:
        told = f"{failed} of its cases fail" if failed > 1 else "one of its cases fails"
        again = f"see to that first: trickwright test {suite.files.id}"
        click.echo(f"{suite.files.id}: {told} on the rules as they are; {again}", err=True)
        leave(1)


def _judged(
    suite: Suite,
    wanted: list[Mutant],
    declared: set[str],
    store: Store,
    jobs: int,
    limit: float,
) -> dict[Mutant, Verdict]:
    """What becomes of each mutant: from the store, or found out on all cores."""
    from contextlib import closing

    from trickwright_tools.mutation.pool import judge_all
    from trickwright_tools.mutation.session import Session

    def name(mutant: Mutant) -> str:
        """What the store calls it: a claim is held to more than other mutants."""
        return f"{mutant.id} declared" if mutant.id in declared else mutant.id

    found = {mutant: store.known.get(name(mutant)) for mutant in wanted}
    open_ones = [mutant for mutant, verdict in found.items() if verdict is None]
    if open_ones:
        tasks = [(mutant, mutant.id in declared) for mutant in open_ones]
        judged = judge_all(Session(suite.files, suite), tasks, jobs, limit)
        with closing(store), closing(judged), _progress(len(wanted)) as bar:
            bar.update(len(wanted) - len(open_ones))
            for mutant, verdict in judged:
                found[mutant] = verdict
                store.add(name(mutant), verdict)
                bar.update(1)
    return {mutant: verdict for mutant, verdict in found.items() if verdict is not None}


def _progress(length: int) -> Any:
    """A bar on the terminal; nothing where nobody looks."""
    import sys

    if not sys.stderr.isatty():
        return _NoBar()
    return click.progressbar(length=length, label="mutants", file=sys.stderr)


class _NoBar:
    """Stands for the bar where there is none."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, _: int) -> None:
        """Show nothing."""


def _is_below(path: str, prefixes: tuple[str, ...]) -> bool:
    return not prefixes or any(
        path == prefix or path.startswith((f"{prefix}.", f"{prefix}[")) for prefix in prefixes
    )
