"""Many hands or matches played by chance, and what came of them.

A hand is played on the engine's integers. Hand ``h`` of match ``m`` draws from the stream ``m << 32 | h`` of the seed, so
it is the same hand whatever is played before it and however many follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from trickwright_tools.estimates import Running, wilson
from trickwright_tools.styles import STYLES, Style

if TYPE_CHECKING:
    from trickwright.templates.runtime import Field, Random, Rules, State

PHASE, OUTCOME = 2, 4
"""Places in the state that all engines share."""
NOBODY = -1
MOST_HANDS = 1 << 32
"""Hands of a match that have a stream each."""

Play = Callable[["State", "Random"], int]
"""Plays a hand to its end; gives the number of decisions."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: so many hands, or so many matches of at most ``max_hands`` each."""

    players: int
    seed: int
    style: str
    hands: int | None
    matches: int | None
    max_hands: int


@dataclass(frozen=True)
class Result:
    """One hand: where it was, how it ended, and in a match the totals after it."""

    match: int
    hand: int
    dealer: int
    outcome: int
    scores: tuple[int, ...]
    decisions: int
    roles: tuple[int, ...]
    totals: tuple[int, ...]
    winners: int
    last: bool


def run(engine: ModuleType, plan: Plan) -> Iterator[Result]:
    """Play the plan, hand by hand."""
    rules: Rules = engine.RULES
    play: Play = engine.play_at_random if plan.style == "random" else player(rules, plan.style)
    in_matches = plan.matches is not None
    places = [part.offset for part in role_fields(rules)]
    for match in range(plan.matches or 1):
        dealer = rules.first_dealer
        totals = [0] * plan.players
        for hand in range(plan.max_hands if in_matches else plan.hands or 0):
            state = [0] * rules.size
            seats, deals = rules.at_table(plan.players, dealer)
            rules.new_hand(state, len(seats), deals, hand + 1)
            random = rules.stream(plan.seed, match << 32 | hand)
            rules.deal(state, random)
            decisions = play(state, random)
            found = {seat: state[rules.score + place] for place, seat in enumerate(seats)}
            scores = tuple(found.get(seat, 0) for seat in range(plan.players))
            winners = 0
            if in_matches:
                totals = [total + score for total, score in zip(totals, scores, strict=True)]
                winners = rules.match_winners(totals, hand + 1)
            yield Result(
                match,
                hand,
                dealer,
                state[OUTCOME],
                scores,
                decisions,
                tuple(NOBODY if state[at] == NOBODY else seats[state[at]] for at in places),
                tuple(totals) if in_matches else (),
                winners,
                bool(winners) or hand + 1 == plan.max_hands,
            )
            if winners:
                break
            dealer = rules.next_dealer(dealer, plan.players)


def player(rules: Rules, style: str) -> Play:
    """A function that plays a hand to its end in a style."""
    choose: Style = STYLES[style]
    phases = rules.phases

    def play(state: State, random: Random) -> int:
        decisions = 0
        while state[PHASE] != len(phases):
            phase = phases[state[PHASE]]
            assert phase.legal is not None and phase.apply is not None
            phase.apply(state, choose(rules, phase, random, phase.legal(state)))
            decisions += 1
        return decisions

    return play


def role_fields(rules: Rules) -> list[Field]:
    """The parts of a hand that name one player each, such as who leads it."""
    return [part for part in rules.fields if part.type == "player" and not part.per_player]


@dataclass
class Summary:
    """What came of a run, taken in hand by hand; of constant size."""

    rules: Rules
    plan: Plan
    decisions: int = 0
    hands: int = 0
    outcomes: list[int] = field(default_factory=list)
    scores: list[Running] = field(default_factory=list)
    roles: dict[str, list[int]] = field(default_factory=dict)
    lengths: Running = field(default_factory=Running)
    wins: list[int] = field(default_factory=list)
    matches: int = 0
    shared: int = 0
    unfinished: int = 0

    def __post_init__(self) -> None:
        seats = range(self.plan.players)
        self.outcomes = [0] * len(self.rules.outcomes)
        self.scores = [Running() for _ in seats]
        self.wins = [0 for _ in seats]
        self.roles = {part.key: [0] * (len(seats) + 1) for part in role_fields(self.rules)}

    def add(self, result: Result) -> None:
        """Take in one hand."""
        self.hands += 1
        self.decisions += result.decisions
        self.outcomes[result.outcome] += 1
        for running, score in zip(self.scores, result.scores, strict=True):
            running.add(score)
        for counts, seat in zip(self.roles.values(), result.roles, strict=True):
            counts[seat] += 1  # nobody, which is -1, has the last place
        if self.plan.matches is not None and result.last:
            self._end_match(result)

    def _end_match(self, result: Result) -> None:
        self.matches += 1
        if not result.winners:
            self.unfinished += 1
            return
        self.lengths.add(result.hand + 1)
        self.shared += result.winners.bit_count() > 1
        for seat in range(self.plan.players):
            self.wins[seat] += result.winners >> seat & 1

    @property
    def finished(self) -> int:
        """Matches that somebody has won."""
        return self.matches - self.unfinished

    def endings(self) -> list[tuple[str, int]]:
        """The ways a hand can end, in the order of the rules, and how many did."""
        return [
            (name, count)
            for name, count in zip(self.rules.outcomes, self.outcomes, strict=True)
            if name or count
        ]

    def as_json(self) -> dict[str, Any]:
        """The run and its results as plain values; nothing in it depends on the machine or the time."""
        rules, plan = self.rules, self.plan
        told: dict[str, Any] = {
            "game": rules.id,
            "variants": list(rules.variants),
            "rules": rules.digest,
            "players": plan.players,
            "style": plan.style,
            "seed": plan.seed,
            "hands": self.hands,
            "decisions": self.decisions,
            "outcomes": {
                name: {"hands": count, **_share(count, self.hands)}
                for name, count in self.endings()
            },
            "scores": [{"seat": seat, **_told(one)} for seat, one in enumerate(self.scores, 1)],
            "roles": {
                key: {"by_seat": counts[:NOBODY], "nobody": counts[NOBODY]}
                for key, counts in self.roles.items()
            },
        }
        if plan.matches is not None:
            told["matches"] = {
                "played": self.matches,
                "finished": self.finished,
                "unfinished": self.unfinished,
                "max_hands": plan.max_hands,
                "shared": self.shared,
                "hands_of_finished": _told(self.lengths),
                "winners": [
                    {"seat": seat, "matches": wins, **_share(wins, self.finished)}
                    for seat, wins in enumerate(self.wins, 1)
                ],
            }
        return told


def _share(hits: int, count: int) -> dict[str, Any]:
    low, high = wilson(hits, count)
    share = round(hits / count, 6) if count else None
    return {"share": share, "interval": [round(low, 6), round(high, 6)]}


def _told(running: Running) -> dict[str, Any]:
    if not running.count:
        return {"count": 0}
    half = running.half_width
    return {
        "count": running.count,
        "sum": running.total,
        "mean": round(running.mean, 6),
        "half_width": None if half is None else round(half, 6),
        "min": running.least,
        "max": running.most,
    }
