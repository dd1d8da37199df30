"""Hands that a player cannot tell from the one they are in: another deal, other secret choices, the same public past."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .deals import below, bits, deal_unseen
from .rules import Phase, Rules
from .values import NOBODY, PHASE, TO_MOVE, BadInput, CardRow, CardSet, Random, State

IMAGINED = 1 << 41  # the stream that what is imagined is drawn from; no deal uses it
MOST_TRIES = 10_000  # draws before it is said that nothing fits


def imagine(hand: Any, viewer: int, random: Random) -> Any:
    """See ``Hand.determinize``."""
    if hand.rules.redeals:
        return _from_now_on(hand, viewer, random)
    wanted = hand.view(hand.players[viewer])
    for _ in range(MOST_TRIES):
        made = _from_the_deal(hand, viewer, random)
        if made is not None and made.view(made.players[viewer]) == wanted:
            return made
    raise BadInput([f"no deal fits what {hand.players[viewer]} knows"])


def _hands_now(hand: Any, viewer: int, played: list[int], random: Random) -> list[int]:
    whole = "position" not in hand._start or hand.rules.redeals
    return deal_unseen(hand.table, hand.state, viewer, played, whole, random)


def _from_now_on(hand: Any, viewer: int, random: Random) -> Any:
    """A copy whose state is drawn anew where the viewer does not see it; what came before is not drawn."""
    rules, made = hand.rules, hand.clone()
    seats = range(len(hand.players))
    hands = _hands_now(hand, viewer, [0 for _ in seats], random)
    made.state[rules.hands : rules.hands + len(hands)] = hands
    if rules.chance != NOBODY:
        made.state[rules.chance] = below(rules, random, 1 << 60)
    for phase in rules.phases:
        for seat in seats:
            if phase.redraw is not None and seat != viewer:
                phase.redraw(made.state, seat, random)
    phase = None if hand.over else rules.phases[hand.state[PHASE]]
    if phase is not None and phase.imagine is not None:
        for seat in seats:
            if seat != viewer:
                phase.imagine(made.state, seat, random)
        made.history = _told_anew(hand, phase, viewer, made.state)
    made._start = {"state": tuple(made.state), "done": len(made.history)}
    return made


def _told_anew(hand: Any, phase: Phase, viewer: int, state: State) -> list[tuple[int, int, int]]:
    """The actions so far, with those of others that are still hidden as they have been drawn anew."""
    assert phase.chosen is not None
    history: list[tuple[int, int, int]] = hand.history
    hidden = [len(phase.chosen(hand.state, seat)) for seat in range(len(hand.players))]
    begun = len(history)
    while begun and history[begun - 1][0] == state[PHASE] and hidden[history[begun - 1][1]]:
        begun -= 1
        hidden[history[begun][1]] -= 1
    told = history[:begun]
    for seat in dict.fromkeys(seat for _, seat, _ in history[begun:]):
        if seat == viewer:
            told += [entry for entry in history[begun:] if entry[1] == seat]
        else:
            told += [(state[PHASE], seat, local) for local in phase.chosen(state, seat)]
    return told


def _from_the_deal(hand: Any, viewer: int, random: Random) -> Any:
    """Another deal from which the public actions are played again; None if one of them is not legal there."""
    rules = hand.rules
    played = _played(hand)
    state = list(hand.state)
    for seat, cards in enumerate(_hands_now(hand, viewer, played, random)):
        state[rules.hands + seat] = cards | played[seat]
    scripts = _choices(hand, viewer, state, random)
    made = hand._begun_anew(_start(hand, viewer, state, scripts), _chance(hand, random))
    for number, seat, local in hand.history:
        if made.over or (made.state[PHASE], made.state[TO_MOVE]) != (number, seat):
            return None
        phase = rules.phases[number]
        script = scripts.get(number, {}).get(seat)
        local = made._twin_now(local if script is None else script.pop(0), phase)
        if phase.legal is None or phase.apply is None or not phase.legal(made.state) >> local & 1:
            return None
        made.history.append((number, seat, local))
        phase.apply(made.state, local)
    return made


def _played(hand: Any) -> list[int]:
    """The cards of each player that left the hand openly since play began here."""
    played = [0 for _ in hand.players]
    for number, seat, local in hand.history:
        for run in hand.rules.phases[number].actions:
            if run.leaves_hand and run.first <= local < run.first + run.count:
                played[seat] |= 1 << local - run.first
    return played


def _choices(
    hand: Any, viewer: int, state: State, random: Random
) -> dict[int, dict[int, list[int]]]:
    """What others chose in secret, drawn anew, by phase and seat; ``state`` gets the hands that they chose from."""
    found: dict[int, dict[int, list[int]]] = {}
    acted = {number for number, _, _ in hand.history}
    for number in range(len(hand.rules.phases) - 1, -1, -1):
        phase = hand.rules.phases[number]
        if phase.imagine is None or phase.chosen is None:
            continue
        others = [seat for seat in range(len(hand.players)) if seat != viewer]
        if number == hand.state[PHASE]:
            for seat in others:
                phase.imagine(state, seat, random)
        elif number not in acted:
            continue
        elif phase.take_back is not None:
            phase.take_back(state, viewer, random)
        found[number] = {seat: phase.chosen(state, seat) for seat in others}
    return found


def _start(
    hand: Any,
    viewer: int,
    state: State,
    scripts: Mapping[int, dict[int, list[int]]],
) -> dict[str, Any] | list[int]:
    """How the other hand begins: with these cards dealt, or with a position like this hand's own.

    What others had chosen in secret when a position began is no action any more, and taken off the scripts.
    """
    if "position" not in hand._start:
        return state[hand.rules.hands : hand.rules.hands + len(hand.players)]
    position = dict(hand._start["position"])
    given = position.get("hands")
    if isinstance(given, Mapping):
        own = hand.players[viewer]
        position["hands"] = {
            name: given.get(name, [])
            if name == own
            else hand.table.say(CardSet(state[hand.rules.hands + seat]))
            for seat, name in enumerate(hand.players)
        }
    for part in hand.rules.fields:
        given = position.get(part.key)
        if part.key == "hands" or not part.seen_by.startswith("owner") or part.type != "cards":
            continue
        if isinstance(given, Mapping):
            chosen = dict(given)
            for name, cards in given.items():
                seat = hand.table.number("player", name)
                if seat != viewer:
                    first = list(bits(state[part.offset + seat]))[: len(cards)]
                    chosen[name] = hand.table.say(CardRow(first))
                    for script in scripts.values():
                        del script[seat][: len(cards)]
            position[part.key] = chosen
    return position


def _chance(hand: Any, random: Random) -> int:
    """The random word of what chance will bring: another one, unless all of it has come already."""
    rules: Rules = hand.rules
    if rules.chance == NOBODY:
        return 0
    if not any(phase.uses_chance for phase in rules.phases[hand.state[PHASE] :]):
        return int(hand.state[rules.chance])
    return below(rules, random, 1 << 60)
