"""Arguments and options that commands share. Nothing here imports the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def game_argument(function: F) -> F:
    """One game: its id, or the path of its folder or rules file."""
    return click.argument("game")(function)


def games_argument(function: F) -> F:
    """Any number of games; none stands for all."""
    return click.argument("games", nargs=-1, metavar="[GAME]...")(function)


def change_options(function: F) -> F:
    """``--variant`` and ``--set``: what is laid over the rules, as ``variants`` and ``sets``."""
    for option in (
        click.option(
            "--set",
            "sets",
            multiple=True,
            metavar="PATH=VALUE",
            help="Change one value, for example match.until=150. Repeatable.",
        ),
        click.option(
            "--variant",
            "-v",
            "variants",
            multiple=True,
            metavar="V",
            help="Play this variant. Repeatable.",
        ),
    ):
        function = option(function)
    return function


def format_option(function: F) -> F:
    """``--format``: for people or for programs, as ``format_``."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="For people or for programs.",
    )(function)
