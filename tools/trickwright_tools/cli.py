"""The command ``trickwright``: finds its subcommands in a folder and loads the one that is called.

Each module in ``commands/`` is a subcommand: its file registers it, the first line of its docstring is its line in the
overview, and its click command is called ``command``. Nothing heavy is imported before a command runs.

Exit codes: 0 fine, 1 the thing checked is wrong, 2 the call is wrong.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import click

COMMANDS = Path(__file__).parent / "commands"
_FIRST_LINE = re.compile(r'\A(?:#.*\n)*r?"""(.*?)(?:"""|\n|\Z)')
_STOPPED = 130
_NOBODY_READS = 141
_NOT_WRITTEN = 2


class LazyGroup(click.Group):
    """A group whose subcommands are modules in a folder, imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all subcommands."""
        modules = (path.stem for path in COMMANDS.glob("[a-z]*.py"))
        return sorted(module.replace("_", "-") for module in modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"trickwright_tools.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand called; a wrong name gets the nearest right one as a hint."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            import difflib

            found = difflib.get_close_matches(args[0], known, n=1)
            hint = f"\nDid you mean '{found[0]}'?" if found else ""
            raise click.UsageError(f"There is no command '{args[0]}'.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview of subcommands, read from their files without importing them."""
        rows = [(name, _summary(name)) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand. If nobody reads its output any more, it just ends, as programs in a pipe do."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            # Python would complain again when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(_NOBODY_READS)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line. Wrong calls and Ctrl-C end it with a message instead of a traceback."""
        run: Any = super().main
        if not kwargs.pop("standalone_mode", True):
            return run(*args, standalone_mode=False, **kwargs)
        _print_anything()
        try:
            code = run(*args, standalone_mode=False, **kwargs)
        except click.ClickException as error:
            from trickwright.problems import visible

            # It quotes the call, parts of which may come from a stranger, too.
            vars(error)["message"] = "\n".join(map(visible, error.message.split("\n")))
            error.show()
            code = error.exit_code
        except OSError as error:  # such as a full disk behind standard output
            _last_words(f"trickwright: {error.strerror or error}")
            code = _NOT_WRITTEN
        except (click.Abort, KeyboardInterrupt):
            click.echo("stopped", err=True)
            code = _STOPPED
        sys.exit(code if isinstance(code, int) else 0)


def _last_words(text: str) -> None:
    """Say something where standard output may be what failed; then keep Python from trying again."""
    with contextlib.suppress(OSError):
        click.echo(text, err=True)
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _summary(name: str) -> str:
    """The first line of a command's docstring."""
    with (COMMANDS / f"{name.replace('-', '_')}.py").open(encoding="utf-8") as file:
        found = _FIRST_LINE.match(file.read(1000))
    return found[1].strip() if found else ""


def _print_anything() -> None:
    """Let a terminal that lacks a character, such as ♣, show a substitute instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Show the version and end."""
    if not wanted or ctx.resilient_parsing:
        return
    from importlib import metadata

    try:
        number = metadata.version("trickwright")
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        number = "of this checkout, not installed"
    click.echo(f"trickwright {number}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit codes: 0 fine, 1 the thing checked is wrong, 2 the call is wrong.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Rules of card games, written once as data, become engines, tests and a table to play at.

    \b
    trickwright check chief-and-vice
    trickwright params chief-and-vice goal
    trickwright diff chief-and-vice --variant to-100
    """
