"""How commands open games, tell problems and end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import click

from trickwright.compile import Compiled, GameFiles, compile_game, read_game
from trickwright.places import find_game
from trickwright.problems import Problem, Report, summary, to_json

MOST_SHOWN = 100
"""Problems that are printed; nobody reads more at a time."""

FINE, WRONG, WRONG_CALL = 0, 1, 2
"""Exit codes: all is well; the thing checked is wrong; the call is wrong."""


class CallError(click.ClickException):
    """A call that cannot be followed; shown in one calm line, with exit code 2."""

    exit_code = WRONG_CALL

    def show(self, file: Any = None) -> None:
        """Print the message to stderr."""
        click.echo(f"trickwright: {self.message}", err=True)


def no_cases(game: str) -> str:
    """That a game has no cases, and how one comes to some."""
    return (
        f"there are no cases in conformance/cases/{game}: conformance/README.md tells how to write them, and\n"
        f"    trickwright play {game} --save FILE, then trickwright replay FILE --to-case, makes one of what was played"
    )


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    click.get_current_context().exit(code)


def tell(problems: Sequence[Problem], format_: str = "text", *, err: bool = True) -> None:
    """Print problems and their number, or a JSON list of them."""
    if format_ == "json":
        click.echo(to_json(problems), err=err)
        return
    # What is wrong with the call is no place in a file.
    of_files = [problem for problem in problems if not _is_of_call(problem)]
    for problem in problems:
        if problem not in of_files:
            click.echo(f"trickwright: {_without_place(problem)}", err=True)
    if of_files:
        lines = [problem.render() for problem in of_files[:MOST_SHOWN]]
        if len(of_files) > MOST_SHOWN:
            lines.append(f"... and {len(of_files) - MOST_SHOWN} more, which --format json lists")
        click.echo("\n".join([*lines, summary(of_files)]), err=err)


def _is_of_call(problem: Problem) -> bool:
    return problem.code == "unknown-game" or problem.mark.file.startswith("--")


def _without_place(problem: Problem) -> str:
    """A problem of an argument: which one, what is wrong, and the hint."""
    option = problem.mark.file if problem.mark.file.startswith("--") else ""
    place = " ".join(filter(None, [option, problem.path]))
    path = f"{place}: " if place else ""
    warning = "warning: " if problem.severity == "warning" else ""
    text = f"{warning}{path}{problem.text} [{problem.code}]"
    return f"{text}\n    {problem.hint}" if problem.hint else text


def exit_code(problems: Iterable[Problem], *, chosen: bool = True) -> int:
    """What problems mean for the exit code.

    A wrong GAME, ``--variant`` or ``--set`` is a wrong call, and so are variants that conflict,
    if they were ``chosen`` by the call.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    for problem in errors:
        if _is_of_call(problem) or (chosen and problem.code == "overlay-conflict"):
            return WRONG_CALL
    return WRONG if errors else FINE


def stop_if_failed(report: Report, format_: str = "text") -> None:
    """Tell all problems and end the command if one of them is an error."""
    if report.failed:
        tell(report.problems, format_)
        leave(exit_code(report.problems))


def open_game(name: str, format_: str = "text") -> GameFiles:
    """The files of a game; ends the command with all problems if they cannot be used."""
    report = Report()
    folder = find_game(name, report)
    files = None if folder is None else read_game(folder, report)
    stop_if_failed(report, format_)
    assert files is not None
    return files


def open_compiled(
    files: GameFiles, variants: Sequence[str] = (), sets: Sequence[str] = (), format_: str = "text"
) -> Compiled:
    """A game compiled with changes; ends the command with all problems if there are any.

    Warnings go to stderr and stop nothing.
    """
    report = Report()
    compiled = compile_game(files, variants, sets, report)
    stop_if_failed(report, format_)
    if report.problems and format_ == "text":
        tell(report.problems)
    assert compiled is not None
    return compiled


def show_json(value: Any) -> None:
    """Print data for programs."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def tell_skipped(skipped: Mapping[str, str]) -> None:
    """Print how many cases were skipped for each reason."""
    reasons = list(skipped.values())
    for reason in sorted(set(reasons)):
        count = reasons.count(reason)
        click.echo(f"  {count} {'case' if count == 1 else 'cases'} skipped: {reason}")
