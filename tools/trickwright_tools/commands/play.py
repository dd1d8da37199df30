"""Play a game in the terminal against players who choose by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trickwright_tools.options import change_options, game_argument

if TYPE_CHECKING:
    from types import ModuleType

MOST_WATCHED = 200


@click.command()
@game_argument
@change_options
@click.option("--players", type=int, help="How many play; the game's smallest number if not said.")
@click.option("--name", help="Your name at the table.")
@click.option("--seat", type=click.IntRange(1), help="Your seat; the first if not said.")
@click.option(
    "--lang",
    default="en",
    show_default=True,
    help="A language that the game has texts in, such as de.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Play the match with this number again; else a new one is drawn and said.",
)
@click.option("--hands", type=click.IntRange(1), help="Stop after so many hands.")
@click.option(
    "--opponents",
    type=click.Choice(["steady", "random"]),
    default="steady",
    show_default=True,
    help="random: all legal actions equally likely. steady: the same, but a turn that can be ended is ended half of the time.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    help="Write the match as it was played to this file, for: trickwright replay FILE",
)
@click.option("--watch", is_flag=True, help="Sit at no seat; see all hands played by chance.")
def command(
    game: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    players: int | None,
    name: str | None,
    seat: int | None,
    lang: str,
    seed: int | None,
    hands: int | None,
    opponents: str,
    save: str | None,
    watch: bool,
) -> None:
    """Play GAME in the terminal against players who choose by chance, in any language that the game has texts in.

    At the table, ? tells what can be typed. With --watch nobody is asked, and at most 200 hands are played unless --hands
    says how many.

    \b
    trickwright play chief-and-vice
    trickwright play chief-and-vice --lang de --name Eva --players 5
    trickwright play chief-and-vice --watch --hands 1 --seed 7
    trickwright play papayoo --save papayoo.json
    """
    import random

    from trickwright.memory import load_engine
    from trickwright.problems import visible
    from trickwright_tools.report import CallError, open_compiled, open_game
    from trickwright_tools.terminal.session import Session
    from trickwright_tools.terminal.voice import Voice

    if watch and (name is not None or seat is not None):
        raise CallError("--watch has no person at the table: leave out --name and --seat")
    files = open_game(game)
    engine = load_engine(open_compiled(files, variants, sets))
    rules = engine.RULES
    if lang not in rules.words:
        known = ", ".join(rules.words)
        raise CallError(f"--lang: {rules.id} has no words in '{visible(lang)}'; there is {known}")
    names, person = _seats(engine, players, name, (seat or 1) - 1)
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
    if save is not None:
        from trickwright_tools.replaying import check_place

        check_place(save)
    match = engine.Match(names, seed)
    voice = Voice(rules, match.hand.table, lang)
    title = rules.title.get(lang) or rules.title.get("en", rules.id)
    click.echo(f"{title} · --seed {seed}")
    if voice.falls_back:
        click.echo(f"The table has no words of its own in '{lang}', so they are English.")
    Session(
        match=match,
        voice=voice,
        person=None if watch else person,
        style=opponents,
        most_hands=hands or (MOST_WATCHED if watch else None),
        read=lambda: _read(f"{person}> "),
        say=click.echo,
        make=type(match.hand.legal_actions()[0]),
    ).play()
    if save is not None:
        from trickwright_tools.replaying import save_match

        save_match(match, files, variants, sets, save)
        click.echo(f"saved to {save}; again: trickwright replay {save}")


def _seats(
    engine: ModuleType, players: int | None, name: str | None, seat: int
) -> tuple[Sequence[str], str]:
    """The names round the table, and the person's own."""
    from trickwright_tools.report import CallError

    rules = engine.RULES
    count = players or rules.players[0]
    try:
        names = list(engine.Match(count).players)
        if seat >= count:
            raise CallError(f"there is no seat {seat + 1} with {count} players")
        if name is not None:
            name = " ".join(name.split())
            _check_name(name, [words.names.get("nobody", "") for words in rules.words.values()])
            for place, other in enumerate(names):
                if other.casefold() == name.casefold():
                    names[place] = names[seat]
            names[seat] = name
        return engine.Match(names).players, names[seat]
    except ValueError as error:
        raise CallError(str(error)) from None


def _check_name(name: str, taken: Sequence[str]) -> None:
    """A name must not be mistaken for something else at the table."""
    if not name.isprintable() or ":" in name:
        raise ValueError("a name has neither a colon nor signs that cannot be shown")
    if name.casefold() in taken or name.isdecimal():
        raise ValueError(f"'{name}' would be mistaken for something else at the table")


def _read(prompt: str) -> str:
    """A line from the person; what cannot be read as text is an empty line."""
    import contextlib

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (lines can be edited and called back)
    try:
        return input(prompt)
    except UnicodeDecodeError:
        return ""
