"""Play the conformance suite of a game on an engine made from today's rules, or on one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from trickwright_tools.options import change_options, format_option, game_argument

_LISTED = 6
"""Cases that are listed where one is looked for that is not there."""


@click.command(name="test")
@game_argument
@click.option("--case", "case_ids", multiple=True, metavar="ID", help="Only this case. Repeatable.")
@click.option(
    "--engine",
    metavar="COMMAND",
    help="Play on the engine that this command starts; see conformance/README.md.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 3600),
    metavar="S",
    help="Seconds that an engine may take for a case; 10 if left out.",
)
@click.option(
    "--known-failures",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Cases that the engine is known to fail: just these must fail.",
)
@click.option("--update", is_flag=True, help="Write the file of known failures anew.")
@click.option(
    "--junit",
    "junit_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a report in JUnit XML, too.",
)
@change_options
@format_option
def command(
    game: str,
    engine: str | None,
    time_limit: float | None,
    known_failures: Path | None,
    update: bool,
    junit_file: Path | None,
    case_ids: tuple[str, ...],
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    format_: str,
) -> None:
    """Play the conformance suite of a game on an engine made from today's rules, or on one of your own.

    Nothing is written: the engine is made in memory. Before anything is played the cases are checked against the game: names,
    words, keys, types. With --variant, the cases of that set of variants are played, and
    those of the base game that come out otherwise are listed. With --set, all cases are played on the changed rules.

    With --engine the cases are played on an engine in any language, which is started and asked over lines of JSON. What it does
    not claim is skipped. With --known-failures a listed case that passes is as wrong as one that fails and is not listed.

    \b
    trickwright test chief-and-vice
    trickwright test chief-and-vice --case tricks.follow-suit
    trickwright test chief-and-vice --set match.until=150
    trickwright test chief-and-vice --engine 'node my-adapter.js'
    trickwright test chief-and-vice --engine ./adapter --known-failures known.yaml
    """
    from trickwright_conformance.runner import Suite, reads_differently, run_suite
    from trickwright_tools.report import (
        CallError,
        exit_code,
        leave,
        no_cases,
        open_game,
        show_json,
        tell,
    )

    files = open_game(game, format_)
    chosen = tuple(sorted(set(variants)))
    suite = Suite.load(files, sets, chosen)
    if suite.report.failed or suite.engine(chosen) is None:
        tell(suite.report.problems, format_)
        leave(exit_code(suite.report.problems))
    if not suite.cases:
        raise CallError(no_cases(files.id))
    _check_ids(case_ids, [case.id for case in suite.cases])
    if engine is not None:
        from trickwright_conformance.protocol.session import TIME_LIMIT, Launch
        from trickwright_tools.engine_test import check_options, play_on_engine

        check_options(files, sets, known_failures, update, part=bool(case_ids or chosen))
        play_on_engine(
            suite,
            Launch(engine, TIME_LIMIT if time_limit is None else time_limit),
            case_ids=case_ids,
            variants=chosen,
            known_failures=known_failures,
            update=update,
            junit_file=junit_file,
            format_=format_,
        )
    if known_failures is not None or update or time_limit is not None:
        raise CallError("--known-failures, --update and --time-limit go with --engine")
    results = run_suite(suite, case_ids, chosen)
    differing = reads_differently(suite, chosen) if chosen and not case_ids else []
    if suite.report.failed:
        tell(suite.report.problems, format_)
        leave(exit_code(suite.report.problems))
    if not results and not differing:
        raise CallError("no case is about this")
    if junit_file is not None:
        from trickwright_conformance.protocol.reports import junit, rows_of_results
        from trickwright_tools.engine_test import write

        write(junit_file, junit(files.id, rows_of_results(results)))
    if format_ == "json":
        left_out = [
            {"variants": list(variants), "set": texts} for variants, texts in suite.left_out.items()
        ]
        notes = {"skipped": suite.skipped, "left_out": left_out}
        show_json({**_as_data(results, differing), **notes})
    else:
        _show(results, differing, chosen, files, sets)
        _show_left_out(suite)
    leave(0 if all(result.passed for result in results) else 1)


def _check_ids(wanted: tuple[str, ...], known: list[str]) -> None:
    from trickwright_tools.report import CallError

    for case_id in wanted:
        if case_id not in known:
            raise CallError(f"there is no case '{case_id}'; {_nearest_cases(case_id, known)}")


def _nearest_cases(case_id: str, known: list[str]) -> str:
    """The case that is meant, or those of its topic that are most like it; else all topics."""
    from difflib import get_close_matches

    from trickwright.problems import nearest

    if meant := nearest(case_id, known):
        return f"did you mean '{meant}'?"
    topics = list(dict.fromkeys(name.partition(".")[0] for name in known))
    topic = nearest(case_id.partition(".")[0], topics)
    if topic is None:
        return f"there are cases about: {', '.join(topics)}"
    own = [name for name in known if name.partition(".")[0] == topic]
    return f"the nearest are: {', '.join(get_close_matches(case_id, own, n=_LISTED, cutoff=0.0))}"


def _show(
    results: list[Any],
    differing: list[Any],
    chosen: tuple[str, ...],
    files: Any,
    sets: tuple[str, ...],
) -> None:
    from trickwright_conformance.show import show_failure

    failed = [result for result in results if not result.passed]
    for result in failed:
        click.echo(show_failure(result, files, sets) + "\n")
    if differing:
        count = len(differing)
        noun = "case reads" if count == 1 else "cases read"
        click.echo(f"{count} base {noun} differently with {' + '.join(chosen)}:")
        for result in differing:
            click.echo(f"  {result.case.id}  {result.case.title}")
            for mismatch in result.mismatches[:2]:
                from trickwright_conformance.show import brief

                click.echo(
                    f"    {mismatch.fact}: {brief(mismatch.expected)} -> {brief(mismatch.got)}"
                )
            if result.trouble:
                click.echo(f"    {result.trouble}")
        click.echo("")
    name = f"{files.id} with {' + '.join(chosen)}" if chosen else files.id
    passed = len(results) - len(failed)
    click.echo(f"{name}: {passed} passed, {len(failed)} failed")


def _show_left_out(suite: Any) -> None:
    """What was not played, and why."""
    from trickwright_tools.report import tell_skipped

    tell_skipped(suite.skipped)
    for variants, texts in suite.left_out.items():
        name = " + ".join(variants)
        click.echo(
            f"  cases of {name} were played without {', '.join(texts)}: {name} changes it itself"
        )


def _as_data(results: list[Any], differing: list[Any]) -> dict[str, Any]:
    from trickwright_conformance.protocol.reports import result_data

    return {
        "passed": sum(result.passed for result in results),
        "failed": sum(not result.passed for result in results),
        "cases": [result_data(result) for result in results],
        "reads_differently": [result_data(result) for result in differing],
    }
