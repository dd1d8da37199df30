"""A round-robin: each two of the entrants meet in the same deals, and each sits once in every seat among the others.

At a table two entrants meet twice in every deal: one of the first among the second, and one of the second among the first; each time
the deal is played from every seat. So neither cards nor seats favour anybody, and a deal is one observation, however often
it is played. At a table for two both are the same, and a deal is played twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from trickwright_tools.estimates import Running
from trickwright_tools.players.batches import Table, mind_of, play_chunk, playing_of
from trickwright_tools.players.by_name import Seat, play_by_name
from trickwright_tools.players.cluster import here, in_processes
from trickwright_tools.players.own import Written
from trickwright_tools.players.playing import WAYS

THINKS = WAYS[-1]
"""The way to play that has a budget."""
MOST_DEALS = 50
"""Deals of a task, at most; tasks of a twentieth of the deals tell how far it is."""


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a name for the table of results, and a way to play with its budget or a player that somebody wrote."""

    name: str
    seat: Seat


def entrant(text: str, budget: int) -> Entrant:
    """An entrant from words such as ``greedy``, ``monte-carlo:50`` or ``my_player.py:Careful``; ValueError if it is none.

    ``budget`` is that of who does not say one.
    """
    head, _, tail = text.rpartition(":") if ":" in text else (text, "", "")
    if head == THINKS:
        number = int(tail) if tail.isascii() and tail.isdigit() and len(tail) < 10 else 0
        number = number if ":" in text else budget
        if number < 1:
            raise ValueError(f"{text}: a budget is a whole number from 1 on, such as {THINKS}:50")
        return Entrant(f"{THINKS}:{number}", (THINKS, number))
    if head in WAYS:
        if ":" in text:
            raise ValueError(f"{text}: only {THINKS} has a budget")
        return Entrant(head, (head, 0))
    if head.endswith(".py") and tail.isidentifier():
        return Entrant(tail, Written(head, tail))
    raise ValueError(
        f"{text}: neither {', '.join(WAYS[:-1])}, {THINKS}:BUDGET nor FILE.py:ClassName"
    )


@dataclass(frozen=True)
class Tournament:
    """What is played: a game with its changes, how many play a hand, who takes part, and so many deals for each pair.

    Where ``sits_out`` there is one more at the table, who deals and has no part in the hand.
    """

    game: str
    variants: tuple[str, ...]
    sets: tuple[str, ...]
    players: int
    entrants: tuple[Entrant, ...]
    deals: int
    seed: int = 0
    fast: bool | None = None
    sits_out: bool = False

    @property
    def members(self) -> int:
        """How many sit at the table."""
        return self.players + self.sits_out

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each two of the entrants, by number."""
        return list(combinations(range(len(self.entrants)), 2))

    @property
    def hands_of_deal(self) -> int:
        """How often each pair plays a deal."""
        return hands_of_deal(self.players)

    @property
    def deals_of_task(self) -> int:
        """Deals of each task but the last ones of each pair."""
        return max(1, min(MOST_DEALS, self.deals // 20))

    def tasks(self) -> Iterator[tuple[int, int]]:
        """The deals of each pair, in parts: the number of each and how many deals it has. One pair comes after the other."""
        size = self.deals_of_task
        number = 0
        for first in range(0, self.deals, size):
            for _ in self.pairs:
                yield number, min(size, self.deals - first)
                number += 1

    def place(self, number: int) -> tuple[int, int]:
        """The pair of a task and its first deal."""
        part, pair = divmod(number, len(self.pairs))
        return pair, part * self.deals_of_task


def hands_of_deal(players: int) -> int:
    """How often a pair plays a deal at a table of this size."""
    return players if players == 2 else 2 * players


def leads(tournament: Tournament, task: int, count: int) -> list[int]:
    """By how much the first of a pair was ahead of the second, for each deal, summed over hands and over the others in each."""
    number, first = tournament.place(task)
    one, other = (tournament.entrants[place].seat for place in tournament.pairs[number])
    found = _alone(tournament, one, other, first, count)
    if tournament.players > 2:
        again = _alone(tournament, other, one, first, count)
        found = [mine - yours for mine, yours in zip(found, again, strict=True)]
    return found


def _alone(at: Tournament, one: Seat, other: Seat, first: int, count: int) -> list[int]:
    """By how much one was ahead of the others, who all play the same, for each deal; summed over all seats."""
    each = at.players
    seats = (one, *[other] * (each - 1))
    rows: Any = range(first * each, (first + count) * each)
    playing = playing_of(at.game, at.variants, at.sets, at.fast)
    if any(isinstance(seat, Written) for seat in seats):
        mind = mind_of(at.game, at.variants, at.sets, each, at.fast)
        rows = (play_by_name(playing, mind, seats, at.seed, each, row) for row in rows)
    else:
        ways = tuple(str(seat[0]) for seat in seats if not isinstance(seat, Written))
        budgets = tuple(int(seat[1]) for seat in seats if not isinstance(seat, Written))
        table = Table(
            at.game, at.variants, at.sets, ways, budgets, seed=at.seed, each=each, fast=at.fast
        )
        finals = play_chunk(table, first * each, count * each).finals
        rows = finals.tolist() if playing.is_fast else finals
    found = [0] * count
    for place, row in enumerate(rows):
        found[place // each] += playing.engine._ahead_by(row, -place % each)
    return found


class Results:
    """What came of a tournament: of each pair the leads by deal, in the order of the deals."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.leads = [array("q", [0]) * tournament.deals for _ in tournament.pairs]

    def signs(self) -> list[list[int]]:
        """Of each pair, who won each deal: 1 the first, -1 the second, 0 neither."""
        return [[(lead > 0) - (lead < 0) for lead in row] for row in self.leads]

    def lead(self, pair: int) -> tuple[float, float | None]:
        """By how many points a hand the first of a pair is ahead of one of the second, and half of the 95 % interval."""
        told, found = self.tournament, Running()
        for lead in self.leads[pair]:
            found.add(lead)
        scale = told.hands_of_deal * (told.players - 1)
        half = found.half_width
        return found.mean / scale, None if half is None else half / scale


def play(results: Results, workers: int = 1) -> Iterator[int]:
    """Play a tournament and fill in its results; gives the hands that each task took. The same for any number of workers.

    PlayerError if a player that somebody wrote fails.
    """
    tournament = results.tournament
    work = partial(leads, tournament)
    tasks = tournament.tasks()
    made = here(tasks, work) if workers == 1 else in_processes(tasks, work, workers)
    for task, found in made:
        pair, first = tournament.place(task)
        results.leads[pair][first : first + len(found)] = array("q", found)
        yield len(found) * tournament.hands_of_deal
