"""A playtest from the options of a call to what is told."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trickwright.emit import digest
from trickwright_tools.players.playing import WAYS
from trickwright_tools.playtest.own import Own
from trickwright_tools.report import CallError

if TYPE_CHECKING:
    from trickwright.compile import Compiled
    from trickwright_tools.players.batches import Table
    from trickwright_tools.players.kept import Kept
    from trickwright_tools.playtest.run import Progress
    from trickwright_tools.playtest.telling import Part

BUDGET, MOST_BUDGET = 100, 100_000
LARGEST_FAST = 61
"""Cards of a deck that numba can do with."""


@dataclass(frozen=True)
class Options:
    """What a call asks for; ``game`` as ``find_game`` takes it."""

    game: str
    variants: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    against: str | None = None
    players: int | None = None
    hands: int = 10_000
    ways: str | None = None
    seed: int = 0
    workers: int = 1
    pace: float = 3.0
    fast: bool | None = None
    cluster: str = ""
    resume: Path | None = None
    learn: str | None = None
    skill: bool = True
    """Whether to tell skill from luck, in hands of their own."""

    @property
    def learned(self) -> tuple[str, ...] | None:
        """With which values the players of all points learned the game; None if each point is learned anew."""
        return self.sets if self.learn == "once" else None


def made(
    options: Options,
    compiled: Compiled,
    base: Compiled | None,
    own: tuple[Own, ...],
    progress: Progress,
) -> tuple[Mapping[str, Any], list[Part]]:
    """Play and tell: what the report is about, and its tables. CallError if the options do not go with the game."""
    if base is not None and digest(base.root) == digest(compiled.root):
        raise CallError(f"--against {options.against}: these are the same rules")
    seated = seat(options, compiled, base, progress)
    from trickwright.memory import load_engine
    from trickwright_tools.playtest.metrics import Told
    from trickwright_tools.playtest.naming import flags_of
    from trickwright_tools.playtest.run import Plan, play, prepare
    from trickwright_tools.playtest.telling import parts, sums_of_both

    table, other = seated.table, seated.other
    weak = _weak(table.ways[0]) if base is None and options.skill else ""
    for one in (table, other):
        if one is not None and not options.cluster:
            prepare(one, own)
    kept = kept_by(options, [found for found in (compiled, base) if found], seated, own, weak)
    plan = Plan(table, options.hands, other, weak, own, options.workers, options.cluster, kept)
    sums = play(plan, progress)
    flags = flags_of(own, compiled)
    both = sums_of_both(sums)
    told, told_base = (
        None
        if found is None
        else Told(
            found.meaning,
            load_engine(found).RULES,
            both,
            options.pace,
            seats,
            (table.ways[0], weak),
            own,
            flags,
        )
        for found, seats in ((compiled, table), (base, other or table))
    )
    assert told is not None
    return about_of(options, compiled, base, table, sums.hands), parts(told, told_base, sums)


@dataclass(frozen=True)
class Seated:
    """The table of a playtest, and that of the game to compare with."""

    table: Table
    other: Table | None


def seat(options: Options, compiled: Compiled, base: Compiled | None, progress: Progress) -> Seated:
    """Who plays, and how. CallError if the options do not go with the game, or what is needed is not installed."""
    if find_spec("numpy") is None:
        raise CallError("numpy is not installed: pip install 'trickwright[playtest]'")
    if options.cluster and find_spec("distributed") is None:
        raise CallError("Dask is not installed: pip install 'trickwright[cluster]'")
    from trickwright_tools.players.batches import Table
    from trickwright_tools.players.cluster import address_of

    try:
        if options.cluster:
            address_of(options.cluster)
    except ValueError as error:
        raise CallError(f"--cluster: {error}") from None

    players = _players(options, [found for found in (compiled, base) if found])
    can_be_fast = (
        find_spec("numba") is not None
        and compiled.game.deck
        and len(compiled.game.deck) <= LARGEST_FAST
    )
    is_fast = bool(can_be_fast) if options.fast is None else options.fast
    ways, budgets = _ways(options.ways, players, is_fast)
    if options.ways is None and not is_fast:
        why = (
            "numba is not installed"
            if find_spec("numba") is None
            else "the deck is too large for numba"
        )
        progress(f"{why}, so {ways[0]} players play instead of monte-carlo ones", 0, 0)
    compiling = "compiling the game and its players (kept for the next time)"
    progress(compiling if is_fast else "the players learn the game", 0, 0)

    def table(found: Compiled, variants: tuple[str, ...], sets: tuple[str, ...]) -> Table:
        return Table(
            options.game,
            variants,
            sets,
            ways,
            budgets,
            options.seed,
            fast=options.fast,
            sits_out=players in found.game.match.sits_out,
        )

    other = None if base is None else table(base, base.game.variants, ())
    return Seated(table(compiled, options.variants, options.sets), other)


def kept_by(
    options: Options, games: list[Compiled], seated: Seated, own: tuple[Own, ...], what: object
) -> Kept | None:
    """The file that keeps what is finished of a run, if there is to be one; ``what`` is all else that the run depends on."""
    if options.resume is None:
        return None
    from trickwright_tools.players.kept import Kept, code_that_plays, key_of_values

    tables = [{**asdict(one), "fast": None} for one in (seated.table, seated.other) if one]
    figures = [(one.name, one.expression) for one in own]
    rules = [digest(one.root) for one in games]
    return Kept(options.resume, key_of_values([code_that_plays(), rules, tables, figures, what]))


def _players(options: Options, games: list[Compiled]) -> int:
    """How many sit at the table: as many as all games are for."""
    possible = [
        count
        for count in games[0].game.table_sizes
        if all(count in g.game.table_sizes for g in games)
    ]
    if options.players is None and possible:
        return possible[0]
    if options.players not in possible:
        counts = ", ".join(map(str, possible)) or "no"
        of = games[0].game.id + (" in both forms" if len(games) > 1 else "")
        raise CallError(f"{of} is for {counts} players, not {options.players}")
    return options.players


def _ways(text: str | None, players: int, is_fast: bool) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """How each seat plays, and the hands it imagines for a decision."""
    usual = "monte-carlo" if is_fast else "sensible"
    given = (usual if text is None else text).split(",")
    ways, budgets = [], []
    for one in given:
        way, _, budget = one.strip().partition(":")
        if way not in WAYS or (budget and way != "monte-carlo"):
            raise CallError(f"--ways: there is no way to play '{one}'; there are {', '.join(WAYS)}")
        if budget and not (
            budget.isascii() and budget.isdigit() and 0 < int(budget) <= MOST_BUDGET
        ):
            raise CallError(
                f"--ways: '{budget}' hands to imagine; write a number from 1 to {MOST_BUDGET}"
            )
        ways.append(way)
        budgets.append(int(budget or BUDGET) if way == "monte-carlo" else 0)
    if len(ways) == 1:
        return tuple(ways * players), tuple(budgets * players)
    if len(ways) != players:
        raise CallError(
            f"--ways: {len(ways)} ways for {players} players; give one, or one for each"
        )
    return tuple(ways), tuple(budgets)


def _weak(strong: str) -> str:
    """Who plays against the strong player when skill is told from luck."""
    return (
        "sensible"
        if strong in ("greedy", "monte-carlo")
        else "random"
        if strong == "sensible"
        else ""
    )


def about_of(
    options: Options,
    compiled: Compiled,
    base: Compiled | None,
    table: Table,
    hands: int,
    words: Sequence[str] = (),
) -> dict[str, Any]:
    """What the report is about, in plain values and in words; ``words`` are what its call has besides the options."""
    from trickwright_tools.playtest.metrics import capital

    game, ways, budgets = compiled.game, table.ways, table.budgets
    changed = ", ".join([*game.variants, *options.sets])
    against = "the base game" if options.against == "base" else options.against
    called = changed or "the base game"
    kinds = dict.fromkeys(
        f"{way} players" + (f" ({budget} imagined hands a decision)" if budget else "")
        for way, budget in zip(ways, budgets, strict=True)
    )
    wins = "highest" if game.match.winner == "highest" else "lowest"
    what = f"{capital(called)}, {len(ways)} players"
    what += ", of whom the dealer sits out" if table.sits_out else ""
    return {
        "game": game.id,
        "title": game.title["en"],
        "variants": list(game.variants),
        "sets": list(options.sets),
        "rules": digest(compiled.root),
        "against": options.against,
        "against_rules": digest(base.root) if base else None,
        "players": len(ways),
        "ways": [f"{way}:{n}" if n else way for way, n in zip(ways, budgets, strict=True)],
        "seed": options.seed,
        "hands": hands,
        "pace": options.pace,
        "called": called,
        "against_called": against,
        "what": f"{what}, compared with {against}." if base else f"{what}.",
        "how": f"{hands:,} hands by {' and '.join(kinds)}, seed {options.seed}. The {wins} total wins a match.",
        "command": _command(options, words),
    }


def _command(options: Options, more: Sequence[str]) -> str:
    """The call that gives the same report."""
    words = ["trickwright", "playtest", options.game, *more]
    for name, value in (
        *(("--variant", variant) for variant in options.variants),
        *(("--set", one) for one in options.sets),
        ("--against", options.against),
        ("--players", options.players),
        ("--hands", options.hands if options.hands != Options.hands else None),
        ("--ways", options.ways),
        ("--learn", options.learn),
        ("--seed", options.seed or None),
        ("--pace", f"{options.pace:g}" if options.pace != Options.pace else None),
    ):
        if value is not None:
            words += [name, str(value)]
    words += [] if options.skill else ["--no-skill"]
    return shlex.join(words)
