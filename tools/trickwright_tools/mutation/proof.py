"""Random play against a claim: two engines are given the same hands and must agree at every step."""

from __future__ import annotations

import random
from types import ModuleType
from typing import TYPE_CHECKING

from trickwright_tools.simulation import OUTCOME, PHASE

if TYPE_CHECKING:
    from trickwright.templates.runtime import Phase, Rules, State

MATCHES = 300
"""Totals of matches that are compared for each number of players."""
_MOST = 10_000
"""Decisions of a hand; more are a difference of their own."""


def difference(one: ModuleType, other: ModuleType, hands: int) -> str:
    """The first difference between two engines in so many hands for each number of players; empty if there is none."""
    a: Rules = one.RULES
    b: Rules = other.RULES
    if a.table_sizes != b.table_sizes or a.first_dealer != b.first_dealer:
        return "the numbers of players or the first dealer differ"
    for players in a.table_sizes:
        for seed in range(hands):
            if said := _hands_differ(a, b, players, seed):
                return f"{players} players, seed {seed}: {said}"
        if said := _matches_differ(a, b, players):
            return f"{players} players: {said}"
    return ""


class _Side:
    """A hand on one of the engines."""

    def __init__(self, rules: Rules, players: int, seed: int) -> None:
        seats, deals = rules.at_table(players, seed % players)
        self.rules, self.seats = rules, len(seats)
        self.state: State = [0] * rules.size
        rules.new_hand(self.state, self.seats, deals, seed + 1)
        rules.deal(self.state, rules.stream(seed, 0))

    @property
    def phase(self) -> Phase | None:
        """The phase that waits for a decision; None when the hand is over."""
        number = self.state[PHASE]
        return self.rules.phases[number] if number < len(self.rules.phases) else None

    def legal(self) -> int:
        """The legal actions, a bit each."""
        assert self.phase is not None and self.phase.legal is not None
        return self.phase.legal(self.state)

    def apply(self, action: int) -> None:
        """Do an action."""
        assert self.phase is not None and self.phase.apply is not None
        self.phase.apply(self.state, action)

    def end(self) -> tuple[str, list[int]]:
        """How the hand ended, and its scores."""
        rules = self.rules
        scores = list(self.state[rules.score : rules.score + self.seats])
        return rules.outcomes[self.state[OUTCOME]], scores


def _hands_differ(a: Rules, b: Rules, players: int, seed: int) -> str:
    """Play a hand on both at random; the first difference."""
    chance = random.Random(f"{players} {seed}")
    one, other = _Side(a, players, seed), _Side(b, players, seed)
    for number in range(1, _MOST):
        ids = [side.phase.id if side.phase else "over" for side in (one, other)]
        if ids[0] != ids[1]:
            return f"decision {number}: {ids[0]}, but {ids[1]}"
        if one.phase is None:
            ends = one.end(), other.end()
            return "" if ends[0] == ends[1] else f"{ends[0]}, but {ends[1]}"
        legal = one.legal()
        if legal != other.legal():
            return f"decision {number} ({ids[0]}): other actions are legal"
        action = chance.choice([bit for bit in range(legal.bit_length()) if legal >> bit & 1])
        one.apply(action)
        other.apply(action)
    return f"the hand does not end within {_MOST} decisions"


def _matches_differ(a: Rules, b: Rules, players: int) -> str:
    """Compare who wins at many totals, after many numbers of hands, and who deals next."""
    chance = random.Random(players)
    for _ in range(MATCHES):
        most = chance.choice((10, 100, 250, 1200))
        totals = [chance.randint(-most // 4, most) for _ in range(players)]
        hands, dealer = chance.randint(1, 4 * players), chance.randrange(players)
        if a.match_winners(totals, hands) != b.match_winners(totals, hands):
            return f"totals {totals} after {hands} hands"
        if a.next_dealer(dealer, players) != b.next_dealer(dealer, players):
            return f"who deals after seat {dealer + 1}"
    return ""
