"""The suite on an engine of somebody: what ``trickwright test --engine`` and ``smoke`` say of it."""

from __future__ import annotations

from pathlib import Path

import click

from trickwright import GameFiles, Report
from trickwright_conformance import Suite
from trickwright_conformance.protocol.known import Known, known_text, read_known
from trickwright_conformance.protocol.play import EngineRun, case_names, play_engine, questions
from trickwright_conformance.protocol.reports import junit, rows_of_run, run_data
from trickwright_conformance.protocol.session import Launch
from trickwright_conformance.protocol.verdict import Verdicts
from trickwright_conformance.show import show_failure
from trickwright_tools.report import CallError, leave, show_json, stop_if_failed, tell_skipped
from trickwright_tools.whole_file import Unwritable, whole_file

MOST_STDERR = 20
"""Cases whose words on stderr are shown although nothing is wrong."""


def play_on_engine(
    suite: Suite,
    launch: Launch,
    *,
    case_ids: tuple[str, ...] = (),
    variants: tuple[str, ...] = (),
    known_failures: Path | None = None,
    update: bool = False,
    junit_file: Path | None = None,
    format_: str = "text",
) -> None:
    """Play the suite on an engine, tell how it went, and end the command."""
    known = _known(suite, known_failures, update, format_)
    if next(questions(suite, case_ids, variants), None) is None:
        raise CallError("no case is about this")
    run = play_engine(suite, launch, case_ids, variants)
    stop_if_failed(suite.report, format_)
    verdicts = Verdicts(run, known.reasons)
    if junit_file is not None:
        faults = [str(fault) for fault in run.faults]
        write(junit_file, junit(_name(run), rows_of_run(run, verdicts), faults))
    updated = update and known_failures is not None and not run.faults and bool(run.played)
    if updated and known_failures is not None:
        anew = verdicts.anew()
        write(known_failures, known_text(run.game, anew, known.others))
        verdicts = Verdicts(run, anew)
    if format_ == "json":
        show_json(run_data(run, verdicts, suite.skipped))
    else:
        _show(verdicts, suite, launch)
        if updated:
            click.echo(f"  {known_failures} is written anew")
    leave(0 if verdicts.fine else 1)


def _known(suite: Suite, path: Path | None, update: bool, format_: str) -> Known:
    """The failures that are known; the command ends if the file is wrong. One to be written need not be there."""
    if path is None or (update and not path.exists()):
        return Known()
    report = Report()
    known = read_known(path, suite.files.id, case_names(suite), report)
    if update and all(problem.code == "unknown-case" for problem in report.problems):
        return known  # what there is no more is left out when the file is written
    stop_if_failed(report, format_)
    return known


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    try:
        with whole_file(path) as file:
            file.write(text)
    except Unwritable as error:
        raise CallError(str(error)) from None


def _name(run: EngineRun) -> str:
    """The engine and the game in words."""
    who = run.engine
    return f"{who['name']} {who['version']} ({who['language']}), {run.game}" if who else run.game


def _show(verdicts: Verdicts, suite: Suite, launch: Launch) -> None:
    run = verdicts.run
    again = ("--engine", launch.command)
    for one in verdicts.those("failed"):
        click.echo(show_failure(one.result, suite.files, again=again, stderr=one.stderr) + "\n")
    for one in verdicts.those("stale"):
        click.echo(f"PASSED {one.name}  {one.result.case.mark}")
        click.echo(f"  it is listed as a known failure: {verdicts.reasons[one.name]}\n")
    for one in verdicts.listed_and_skipped:
        click.echo(f"SKIPPED {one.name}  {one.result.case.mark}")
        click.echo(f"  it is listed as a known failure: {verdicts.reasons[one.name]}\n")
    _show_stderr(verdicts)
    for fault in run.faults:
        click.echo(f"FAULT {fault}")
    if not run.played:
        click.echo(f"{_name(run)}: no case was played")
        return
    counts = [f"{run.count('passed')} passed", f"{len(verdicts.those('failed'))} failed"]
    if known := len(verdicts.those("known")):
        counts.append(f"{known} known {'failure' if known == 1 else 'failures'}")
    if skipped := run.count("skipped"):
        counts.append(f"{skipped} skipped")
    click.echo(f"{_name(run)}: {', '.join(counts)}")
    for lacks, count in run.lacking.items():
        click.echo(f"  {count} skipped: the engine lacks {lacks}")
    tell_skipped(suite.skipped)
    if not verdicts.played:
        click.echo("  no case was played: an engine that skips everything has shown nothing")
    if verdicts.those("stale") or verdicts.listed_and_skipped:
        click.echo("  the known failures are not as listed; --update writes the list anew")


def _show_stderr(verdicts: Verdicts) -> None:
    """What the engine wrote to stderr, beside the case it came with; with failures it is shown already."""
    run = verdicts.run
    said = [one for one in run.played if one.stderr and verdicts.state(one) != "failed"]
    if run.stderr:
        click.echo("stderr outside of cases")
        click.echo(_indented(run.stderr))
    for one in said[:MOST_STDERR]:
        click.echo(f"stderr with {one.name}")
        click.echo(_indented(one.stderr))
    if len(said) > MOST_STDERR:
        click.echo(f"... and stderr with {len(said) - MOST_STDERR} more cases")
    if said or run.stderr:
        click.echo("")


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def check_options(
    files: GameFiles,
    sets: tuple[str, ...],
    known_failures: Path | None,
    update: bool,
    part: bool,
) -> None:
    """End the command if options do not go together. ``part`` says that only some cases are asked for."""
    if sets:
        raise CallError(
            f"--set changes the rules of {files.id}, and an engine of its own plays its own rules: "
            "leave --set or --engine out"
        )
    if update and known_failures is None:
        raise CallError("--update needs --known-failures FILE, the file to write")
    if update and part:
        raise CallError("--update writes the whole file: leave --case and --variant out")
