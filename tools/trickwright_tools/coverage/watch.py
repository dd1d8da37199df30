"""Watching a case: which phases it goes through, what is done, asked and refused there, and how the hand ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from trickwright import Compiled
from trickwright_conformance import Case, Side, Suite
from trickwright_conformance.asking import ask
from trickwright_conformance.observe import is_match, observe, speech
from trickwright_conformance.vocabulary import tellers

SEEN = ("phase", "outcome", "scored_by")
"""Facts that are looked at whatever a case expects."""
OF_SCORES = frozenset(("scores", "scored_by", "values", "match", "outcome"))
OF_DEAL = frozenset(("deck", "dealt", "match"))


@dataclass(frozen=True)
class Watched:
    """A case as it was played with one set of variants."""

    case: Case
    side: Side
    players: int
    of_match: bool
    """Whether it is about a match, or tells what a match is after the hand."""
    hands: bool
    """Whether a hand is dealt or played in it, and not only scores of whole hands told."""
    phases: frozenset[str]
    """Phases that it went through or stopped in, or of which it expects something."""
    given: frozenset[str]
    """Phases of which something is given or expected, such as who the partner is."""
    tried: frozenset[tuple[str, str]]
    """Phases with the verbs of what was done there and not refused."""
    refused: frozenset[str]
    asked: frozenset[str]
    """Phases in which the legal actions were asked for."""
    outcome: str
    scored_by: frozenset[str]
    rounds: bool
    """Whether a round ended in it and another began, or the last one ended the hand."""

    @property
    def expects(self) -> frozenset[str]:
        """The facts that the case expects."""
        return frozenset(self.side.expect)

    @property
    def sees_scores(self) -> bool:
        """Whether what is expected follows from the scores or the way the hand ended."""
        return bool(self.expects & OF_SCORES)


def watch(suite: Suite, compiled: Mapping[tuple[str, ...], Compiled]) -> list[Watched]:
    """All cases that pass, each with all its sets of variants."""
    seen: list[Watched] = []
    facts: dict[tuple[str, ...], dict[str, str]] = {}
    for case in suite.cases:
        for side in case.sides:
            made, engine = compiled.get(side.variants), suite.engine(side.variants)
            if made is not None and engine is not None and suite.run(case, side).passed:
                if side.variants not in facts:
                    facts[side.variants] = tellers(engine)
                seen.append(_watch(case, side, made, engine, facts[side.variants]))
    return seen


def _watch(
    case: Case, side: Side, compiled: Compiled, engine: ModuleType, told_by: Mapping[str, str]
) -> Watched:
    of_match = is_match(case.play, side.expect)
    request = dict(ask(case, side, speech(engine)).request)
    if not of_match:
        request["ask"] = list(dict.fromkeys([*request["ask"], *SEEN]))
    answer = observe(engine, request)
    facts, steps = answer["facts"], answer["steps"]
    order = [phase.id for phase in engine.RULES.phases]
    next_hand = side.expect.get("match")
    tells_next = isinstance(next_hand, Mapping) and "hand" in next_hand
    phases: set[str] = set()
    rounds = False
    if of_match:
        if tells_next and facts["match"]["hand"] is not None:
            phases |= set(order[: order.index(facts["match"]["hand"]["phase"]) + 1])
    else:
        stops = [str(case.given.get("at", order[0])), *(step["phase"] for step in steps)]
        stops = [stop for stop in [*stops, facts["phase"]] if stop in order]
        if facts["outcome"]:
            stops.append(_last_phase(compiled, facts["outcome"]))
        phases = set(_through(stops, order))
        places = [order.index(stop) for stop in stops]
        last = compiled.game.rounds
        rounds = last is not None and (
            any(after < before for before, after in pairwise(places))
            or (bool(facts["outcome"]) and stops[-1] == last.last)
        )
    if side.expect.keys() & OF_DEAL and (not of_match or tells_next):
        phases.add(order[0])
    phases |= {told_by[key] for key in side.expect if key in told_by}
    parts = {
        field.key.partition(".")[0]: one.phase.id
        for one in compiled.meaning.phases
        for field in one.adds.fields
    }
    done = [step for step in steps if not step["refused"]]
    lines = [next(iter(line.values())) for line in case.play]
    asking = [isinstance(line, Mapping) and bool({"may", "may_not"} & set(line)) for line in lines]
    return Watched(
        case=case,
        side=side,
        players=len(case.given["players"]),
        of_match=of_match or "match" in side.expect,
        hands=not of_match or tells_next,
        phases=frozenset(phases),
        given=frozenset(parts[key] for key in {*case.given, *side.expect} & set(parts)),
        tried=frozenset((step["phase"], verb) for step in done for verb in step["verbs"]),
        refused=frozenset(step["refused"] for step in steps if step["refused"]),
        asked=frozenset(step["phase"] for step, asks in zip(steps, asking, strict=False) if asks),
        outcome=facts.get("outcome") or "",
        scored_by=frozenset(facts.get("scored_by") or ()),
        rounds=rounds,
    )


def _last_phase(compiled: Compiled, outcome: str) -> str:
    """The phase in which hands end so."""
    phases = compiled.meaning.phases
    ends = [one.phase.id for one in phases if outcome in one.adds.outcomes]
    return ends[0] if ends else phases[-1].phase.id


def _through(stops: Sequence[str], order: Sequence[str]) -> Iterator[str]:
    """The phases from the first stop to the last; backwards is a way round by the end of the order."""
    for before, after in zip(stops, [*stops[1:], stops[-1]], strict=True):
        first, last = order.index(before), order.index(after)
        if first <= last:
            yield from order[first : last + 1]
        else:
            yield from (*order[first:], order[last])
