"""Observing: a case is played on an engine, and facts come back. Knows nothing of what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

VERBS = ("lays", "names", "chooses", "plays", "bids", "passes", "does")
"""Keys of a line of play under which the action stands."""


class CannotRun(Exception):
    """A case that an engine cannot begin or go on with; the text says why."""


def canonical_words(engine: ModuleType) -> dict[str, str]:
    """Every word of every language, and every way to write a card, to the word that cases use inside."""
    rules = engine.RULES
    english = rules.words["en"]
    found: dict[str, str] = {}
    for words in rules.words.values():
        found |= dict(zip(words.cards, english.cards, strict=True))
        found |= dict(zip(words.faces, english.cards if words.faces else (), strict=True))
        for ways, first in zip(words.trumps, english.trumps, strict=True):
            found |= {way: first[0] for way in ways if way not in found}
        for kind, things in words.things.items():
            for ways, first in zip(things, english.things[kind], strict=True):
                found |= {way: first[0] for way in ways if way not in found}
        found[words.names.get("nobody", "nobody")] = "nobody"
        for phase in rules.phases:
            for run in phase.actions:
                if run.type == "word":
                    found[words.names.get(f"verb.{run.verb}", run.verb)] = run.verb
    found |= {
        code: english.cards[card] for code, card in rules.card_codes.items() if code not in found
    }
    return found


def translate(value: Any, words: Mapping[str, str]) -> Any:
    """The value with every word in its canonical form."""
    if isinstance(value, str):
        plain = value.replace("\ufe0f", "")
        return words.get(plain, plain)
    if isinstance(value, Mapping):
        return {key: translate(inner, words) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [translate(inner, words) for inner in value]
    return value


def observe(engine: ModuleType, request: Mapping[str, Any]) -> dict[str, Any]:
    """Play a request and tell what is so.

    The request has ``given``, ``play`` (lines with ``player``, ``does``, and ``may`` if the legal actions are asked for) and
    ``ask``, the facts wanted. The answer has ``steps``, one for each line, with ``refused`` (a clause or None) and ``may``, and
    ``facts``. Raises CannotRun if the position or an action makes no sense.
    """
    try:
        if any("hand" in line for line in request["play"]) or set(request["ask"]) == {"match"}:
            return _observe_match(engine, request)
        return _observe_hand(engine, request)
    except ValueError as error:
        raise CannotRun(str(error)) from None


def _observe_hand(engine: ModuleType, request: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(request["given"])
    totals = given.pop("totals", None)
    if "seed" in given:
        players = given.get("players", engine.RULES.players[0])
        hand = engine.Hand(players, dealer=given.get("dealer"), seed=given["seed"])
    else:
        hand = engine.Hand.from_position(given)
    dealt = _dealt(hand) if "dealt" in request["ask"] else None
    steps = [_step(hand, line) for line in request["play"]]
    facts = {**hand.table.say(hand.facts()), "dealt": dealt}
    if totals is not None or "match" in request["ask"]:
        match = engine.Match(hand.players, totals=totals or {}, dealer=hand.state[1])
        if hand.over:
            match.end_hand(hand.scores)
        facts["match"] = _match_facts(match)
    return {"steps": steps, "facts": {key: facts.get(key) for key in request["ask"]}}


def _dealt(hand: Any) -> dict[str, Any]:
    """What is on the hands when play begins: how many different cards, and how many each player has."""
    hands = hand.table.say(hand.facts())["hands"]
    cards = [card for cards in hands.values() for card in cards]
    return {
        "cards": len(cards),
        "different": len(set(cards)),
        "each": {name: len(cards) for name, cards in hands.items()},
    }


def _step(hand: Any, line: Mapping[str, Any]) -> dict[str, Any]:
    """Do one line of play; an action that is refused changes nothing."""
    player = line["player"]
    if player not in hand.players:
        raise CannotRun(f"there is no player '{player}'")
    seen: dict[str, Any] = {"refused": None}
    if line.get("may"):
        own = hand.to_move == player
        seen["may"] = [action.what or action.verb for action in hand.legal_actions()] if own else []
    if line["does"] is None:
        return seen
    refusal = _do(hand, player, line["does"])
    if refusal is not None:
        seen["refused"] = refusal.clause
        seen["because"] = refusal.sentence
    return seen


def _do(hand: Any, player: str, does: Any) -> Any:
    """Do one turn as a whole; the refusal if a part of it is refused, and then nothing has changed."""
    things = does if isinstance(does, list) else [does]
    trial = hand.clone()
    for action in hand.turn([str(thing) for thing in things]):
        refusal = trial.why_not(action, player)
        if refusal is not None:
            return refusal
        trial.apply(action, player)
    hand.state, hand.history = trial.state, trial.history
    return None


def _observe_match(engine: ModuleType, request: Mapping[str, Any]) -> dict[str, Any]:
    given = request["given"]
    players: Sequence[str] = given["players"]
    unknown = set(given) - {"players", "dealer", "totals"}
    if unknown:
        raise CannotRun(f"a match is not given {', '.join(sorted(unknown))}")
    dealer = given.get("dealer", players[engine.RULES.first_dealer])
    if dealer not in players:
        raise CannotRun(f"there is no player '{dealer}'")
    match = engine.Match(
        tuple(players),
        totals=dict(given.get("totals", {})),
        dealer=None if dealer is None else players.index(dealer),
    )
    for line in request["play"]:
        if "hand" not in line:
            raise CannotRun("a match is played with lines of whole hands")
        strangers = set(line["hand"]) - set(players)
        if strangers:
            raise CannotRun(f"there is no player '{', '.join(sorted(strangers))}'")
        if match.over:
            raise CannotRun("the match is over before the last hand")
        match.end_hand(line["hand"])
    return {"steps": [], "facts": {"match": _match_facts(match)}}


def _match_facts(match: Any) -> dict[str, Any]:
    return {
        "over": match.over,
        "winners": match.winners,
        "totals": dict(match.totals),
        "dealer": list(match.totals)[match.dealer],
    }
