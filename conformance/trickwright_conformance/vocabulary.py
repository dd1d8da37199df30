"""The vocabulary of cases: every key, name and word that a game's engine understands, taken from the engine itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from trickwright import Compiled
from trickwright_conformance.observe import DOES, verb_key
from trickwright_conformance.shapes import (
    ByPlayer,
    Clause,
    Flag,
    Keys,
    Line,
    ListOf,
    Name,
    Number,
    OrNothing,
    Shape,
    Thing,
    Words,
    turn,
)

SEEN_HANDS = 30
"""Hands played at random, at most, to see every fact once."""

PLAYER = Thing(("player",))
SOMEBODY = Thing(("player", "nobody"))
CARDS = ListOf(Thing(("card",)))
TRUMP = Thing(("trump",))
SCORES = ByPlayer(Number())
MATCH: dict[str, Shape] = {
    "over": Flag(),
    "winners": ListOf(PLAYER),
    "totals": SCORES,
    "dealer": PLAYER,
    "sits_out": SOMEBODY,
}
DEALT = Keys(dict.fromkeys(("cards", "different"), Number(0)) | {"each": ByPlayer(Number(0))})


@dataclass(frozen=True)
class Vocabulary:
    """What cases may say of a game with one set of variants."""

    given: Mapping[str, Shape]
    """Keys of a position."""
    dealt: Mapping[str, Shape]
    """Keys with which the cards are dealt."""
    match: Mapping[str, Shape]
    """Keys of a match."""
    expect: Keys
    line: Line
    words: Words
    """By language: the words for each kind of thing."""


def vocabulary(compiled: Compiled, engine: ModuleType) -> Vocabulary:
    """The vocabulary of a game, from its engine, and from a few hands of it for the facts that phases tell."""
    rules = engine.RULES
    fields = _fields(compiled, rules)
    match: dict[str, Shape] = {
        "players": ListOf(PLAYER),
        "dealer": PLAYER,
        "totals": SCORES,
        "hand_number": Number(1),
    }
    phases = [phase.id for phase in rules.phases if phase.begin is not None]
    position: dict[str, Shape] = {"at": Name("phase", tuple(phases)), "to_move": PLAYER}
    outcomes = tuple(outcome for outcome in rules.outcomes if outcome)
    facts: dict[str, Shape] = {
        "phase": Name("phase", (*(phase.id for phase in rules.phases), "over")),
        "dealer": PLAYER,
        "to_move": SOMEBODY,
        "outcome": OrNothing(Name("outcome", outcomes)),
        "scores": SCORES,
        "values": Keys({name: Number() for names in rules.values.values() for name in names}),
        "scored_by": ListOf(Name("rule of the scoring", tuple(line.id for line in rules.lines))),
        "dealt": DEALT,
        "seats": ListOf(Number(1)),
        **fields,
        **_told_by_phases(engine),
    }
    next_hand = Keys({"players": ListOf(PLAYER), **facts})
    facts["match"] = Keys({**MATCH, "hand": next_hand})
    return Vocabulary(
        given={**match, **position, **fields},
        dealt={**match, "seed": Number(-(10**9), 10**9)},
        match=match,
        expect=Keys(facts),
        line=_line(rules, compiled.game.id),
        words={language: _words(compiled, rules, language) for language in compiled.words},
    )


def _fields(compiled: Compiled, rules: Any) -> dict[str, Shape]:
    """The parts of a hand's state: keys of a position and of what is expected, those with a dot inside others."""
    counts = compiled.game.players
    bounds = [compiled.game.deck.points_bounds(count) for count in counts]
    bounds += [pair for own in rules.bounds.values() for pair in own]
    number = Number(
        min(least for least, _ in bounds), max(len(compiled.game.deck), *(m for _, m in bounds))
    )
    shapes: dict[str, Shape] = {
        "cards": CARDS,
        "number": number,
        "player": SOMEBODY,
        "players": ListOf(PLAYER),
        "order": ListOf(PLAYER),
        "trump": OrNothing(TRUMP),
        **{kind: OrNothing(Thing((kind,))) for kind in _things(rules)},
        "options": ListOf(Thing(("option",))),
    }
    made: dict[str, Shape] = {}
    inside: dict[str, dict[str, Shape]] = {}
    for part in rules.fields:
        shape = shapes[part.type]
        shape = ByPlayer(shape) if part.per_player and part.type != "order" else shape
        outer, _, inner = part.key.partition(".")
        if inner:
            inside.setdefault(outer, {})[inner] = shape
        else:
            made[outer] = shape
    return made | {outer: Keys(shapes) for outer, shapes in inside.items()}


def _things(rules: Any) -> tuple[str, ...]:
    """The types of thing that the game's phases add to those of every game, such as bids."""
    return tuple(rules.words["en"].things)


def _line(rules: Any, game: str) -> Line:
    """What stands in a line of play: with each verb the things it is done to, and the words of the same phase."""
    verbs: dict[str, list[str]] = {}
    for phase in rules.phases:
        words = [run.verb for run in phase.actions if run.type == "word"]
        for run in phase.actions:
            key = verb_key(rules, run.verb)
            own = [run.verb] if run.type == "word" else [run.type, *words]
            verbs[key] = [*verbs.get(key, ()), *own]
    kinds = tuple(dict.fromkeys(kind for own in verbs.values() for kind in own))
    done = {key: tuple(dict.fromkeys(own)) for key, own in verbs.items()} | {DOES: kinds}
    clauses = [key.removeprefix("clause.") for key in rules.words["en"].names if "clause." in key]
    return Line(
        Thing(kinds),
        {key: turn(Thing(own)) for key, own in done.items()},
        Clause(tuple(sorted(clauses)), game),
    )


def _words(compiled: Compiled, rules: Any, language: str) -> dict[str, Collection[str]]:
    """The words of one language for each kind of thing."""
    words = compiled.words[language]
    runs = [run for phase in rules.phases for run in phase.actions]
    return {
        "card": dict.fromkeys((*words.cards, *words.codes, *words.faces)),
        "trump": dict.fromkeys(way for ways in words.trumps for way in ways),
        **{
            kind: dict.fromkeys(way for ways in things for way in ways)
            for kind, things in words.things.items()
        },
        "nobody": dict.fromkeys(("nobody", words.names.get("nobody", "nobody"))),
        **{
            run.verb: dict.fromkeys((run.verb, words.names.get(f"verb.{run.verb}", run.verb)))
            for run in runs
            if run.type == "word"
        },
    }


def _told_by_phases(engine: ModuleType) -> dict[str, Shape]:
    """What phases tell of a hand beyond its state, as seen in hands played at random."""
    told: dict[str, Any] = {}
    for _, facts in _seen(engine):
        for key, value in facts.items():
            outer, _, inner = key.partition(".")
            _merge(told, {outer: {inner: value} if inner else value})
    return {key: _shape(value) for key, value in told.items()}


def tellers(engine: ModuleType) -> dict[str, str]:
    """The phase that tells each fact that is no part of a hand's state, as seen in hands played at random."""
    return {key.partition(".")[0]: phase for phase, facts in _seen(engine) for key in facts}


def _seen(engine: ModuleType) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The ids of phases and what they tell when they begin, after their first action, and at the end of hands.

    Hands are played until one has gone through all phases.
    """
    rules = engine.RULES
    order = {phase.id: place for place, phase in enumerate(rules.phases)}
    telling = [phase for phase in rules.phases if phase.facts is not None]
    for seed in range(SEEN_HANDS):
        hand = engine.Hand(seed=seed)
        random = rules.stream(seed, 0)
        looks: list[str] = []
        while not looks or looks[-1] != "over":
            if looks.count(hand.phase) < 2:
                place = order.get(hand.phase, len(order))
                yield from ((p.id, p.facts(hand.state)) for p in telling if place >= p.facts_from)
            looks.append(hand.phase)
            hand.play_randomly(random, 1)
        if rules.phases[-1].id in looks:
            return


def _merge(told: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Add facts to those told before; what is there wins over what is not."""
    for key, value in facts.items():
        if isinstance(value, Mapping):
            if told.get(key) is None:
                told[key] = {}
            _merge(told[key], value)
        elif told.get(key) is None:
            told[key] = value


def _shape(value: Any) -> Shape:
    """The shape of values like one that was seen; its class says what it holds."""
    if isinstance(value, Mapping):
        return OrNothing(Keys({key: _shape(inner) for key, inner in value.items()}))
    if isinstance(value, bool):
        return Flag()
    if isinstance(value, list):
        return ListOf(_shape(value[0]) if value else CARDS)
    if kind := getattr(value, "type", ""):
        return OrNothing(Thing((kind,)))
    shapes: dict[str, Shape] = {
        "CardSet": CARDS,
        "CardRow": CARDS,
        "Seat": SOMEBODY,
        "Seats": ListOf(PLAYER),
        "Order": ListOf(PLAYER),
        "Trump": OrNothing(TRUMP),
    }
    return shapes.get(type(value).__name__, OrNothing(Number()))
