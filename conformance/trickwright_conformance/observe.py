"""Observing: a case is played on an engine, and facts come back. Knows nothing of what is expected."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

HAND = "hand"
"""The key of a line of play that gives the scores of a whole hand."""

DOES = "does"
"""The key of a line of play under which any action may stand; the phase tells what is done to it."""


class CannotRun(Exception):
    """A case that an engine cannot begin or go on with; the text says why."""


@dataclass(frozen=True)
class Speech:
    """How cases speak of a game.

    ``words`` has every word of every language, and every way to write a card, with the word that stands for it inside;
    ``verbs`` the keys under which actions stand; ``alone`` the actions that are done to nothing, such as ``pass``.
    """

    words: Mapping[str, str]
    verbs: tuple[str, ...]
    alone: frozenset[str]


def speech(engine: ModuleType) -> Speech:
    """How cases speak of the engine's game."""
    rules = engine.RULES
    english = rules.words["en"]
    runs = [run for phase in rules.phases for run in phase.actions]
    verbs = [verb_key(rules, run.verb) for run in runs]
    alone = frozenset(run.verb for run in runs if run.type == "word")
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
        found |= {words.names.get(f"verb.{verb}", verb): verb for verb in alone}
    found |= {
        code: english.cards[card] for code, card in rules.card_codes.items() if code not in found
    }
    return Speech(found, (*dict.fromkeys(verbs), DOES), alone)


def verb_key(rules: Any, verb: str) -> str:
    """The key under which what a verb is done to stands in a line of play: ``plays`` for ``play``."""
    return str(rules.words["en"].names.get(f"verb.{verb}", verb))


def is_match(play: Iterable[Mapping[str, Any]], asked: Iterable[str]) -> bool:
    """Whether a case is about a match: it has lines of whole hands, or asks for nothing but the match."""
    return any(HAND in line for line in play) or set(asked) == {"match"}


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
    ``ask``, the facts wanted. The answer has ``steps``, one for each line, with the ``phase`` and the ``verbs`` of what was tried
    there, ``refused`` (a clause or None) and ``may``, and ``facts``. Raises CannotRun if the position or an action makes no sense.
    """
    try:
        if is_match(request["play"], request["ask"]):
            return _observe_match(engine, request)
        return _observe_hand(engine, request)
    except ValueError as error:
        if not isinstance(error, _bad_input(engine)):
            raise
        raise CannotRun(str(error)) from None


def told(error: Exception) -> str:
    """What went wrong and where, on one line: ``IndexError: list index out of range (runtime.py:210, in _write)``."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{text} ({Path(place.filename).name}:{place.lineno}, in {place.name})"


def _bad_input(engine: ModuleType) -> type[ValueError]:
    """What an engine raises for a position or an action that makes no sense; anything else it raises is a fault of its own."""
    base: type[ValueError] = sys.modules[engine.Hand.__mro__[1].__module__].BadInput
    return base


def _observe_hand(engine: ModuleType, request: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(request["given"])
    totals = given.pop("totals", None)
    before = _hands_before(given)
    if "seed" in given:
        players = given.get("players", engine.RULES.players[0])
        dealer, seed = given.get("dealer"), given["seed"]
        hand = engine.Hand(players, dealer=dealer, seed=seed, number=before)
    else:
        hand = engine.Hand.from_position(given)
    dealt = _dealt(hand) if "dealt" in request["ask"] else None
    steps = [_step(hand, line) for line in request["play"]]
    if steps and "to_move" not in request["ask"]:
        _check_last_turn(hand, request["play"][-1], steps[-1])
    seats = list(engine.RULES.players)
    facts = {**hand.table.say(hand.facts()), "dealt": dealt, "seats": seats}
    if totals is not None or "match" in request["ask"]:
        match = engine.Match(
            hand.players, totals=totals or {}, dealer=hand.state[1], hands_before=before
        )
        if hand.over:
            match.end_hand(hand.scores)
        facts["match"] = _match_facts(match)
    return {"steps": steps, "facts": {key: facts.get(key) for key in request["ask"]}}


def _hands_before(given: Mapping[str, Any]) -> int:
    """How many hands of the match are over where play begins."""
    number = given.get("hand_number", 1)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise CannotRun("'hand_number' counts the hands of a match from 1")
    return number - 1


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
    seen: dict[str, Any] = {"refused": None, "phase": hand.phase, "verbs": []}
    if line.get("may"):
        own = hand.to_move == player
        seen["may"] = [action.what or action.verb for action in hand.legal_actions()] if own else []
    if line["does"] is None:
        return seen
    does = line["does"] if isinstance(line["does"], list) else [line["does"]]
    actions = hand.turn([str(thing) for thing in does])
    seen["verbs"] = list(dict.fromkeys(action.verb for action in actions))
    refusal = _do(hand, player, actions)
    if refusal is not None:
        seen["refused"] = refusal.clause
        seen["because"] = refusal.sentence
    return seen


def _check_last_turn(hand: Any, line: Mapping[str, Any], step: Mapping[str, Any]) -> None:
    """A list is a whole turn: one after which the player still has to choose from the same set is most likely a slip."""
    phase = next((one for one in hand.rules.phases if one.id == step["phase"]), None)
    if not isinstance(line["does"], list) or step["refused"] is not None or hand.over:
        return
    if phase is None or not phase.in_order or hand.phase != phase.id:
        return
    # Where a set begins with another action than it goes on with, a new one may begin with the same player.
    first = phase.actions[0].verb if len(phase.actions) > 1 else ""
    begins = any(action.verb == first for action in hand.legal_actions())
    if hand.to_move == line["player"] and not begins:
        player, count = line["player"], len(line["does"])
        raise CannotRun(
            f"the list of {count} is not the whole turn of {player}: complete it, "
            f"or expect to_move: {player} if it is to stay begun"
        )


def _do(hand: Any, player: str, actions: Sequence[Any]) -> Any:
    """Do one turn as a whole; the refusal if a part of it is refused, and then nothing has changed."""
    trial = hand.clone()
    for action in actions:
        refusal = trial.why_not(action, player)
        if refusal is not None:
            return refusal
        trial.apply(action, player)
    hand.state, hand.history = trial.state, trial.history
    return None


def _observe_match(engine: ModuleType, request: Mapping[str, Any]) -> dict[str, Any]:
    given = request["given"]
    players = given.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise CannotRun("the players of a match are a list of names")
    unknown = set(given) - {"players", "dealer", "totals", "hand_number"}
    if unknown:
        raise CannotRun(f"a match is not given {', '.join(sorted(unknown))}")
    dealer = given.get("dealer")
    if dealer is not None and dealer not in players:
        raise CannotRun(f"there is no player '{dealer}'")
    match = engine.Match(
        tuple(players),
        totals=given.get("totals", {}),
        dealer=None if dealer is None else players.index(dealer),
        hands_before=_hands_before(given),
    )
    for line in request["play"]:
        if HAND not in line:
            raise CannotRun("a match is played with lines of whole hands")
        strangers = set(line[HAND]) - set(players)
        if strangers:
            raise CannotRun(f"there is no player '{', '.join(sorted(strangers))}'")
        if match.over:
            raise CannotRun("the match is over before the last hand")
        match.end_hand(line[HAND])
    return {"steps": [], "facts": {"match": _match_facts(match)}}


def _match_facts(match: Any) -> dict[str, Any]:
    """What is so after the last hand; ``dealer``, ``sits_out`` and ``hand`` are about the next one."""
    hand = match.deal() if match.score_pad and not match.over else match.hand
    return {
        "over": match.over,
        "winners": match.winners,
        "totals": dict(match.totals),
        "dealer": list(match.totals)[match.dealer],
        "sits_out": match.sits_out or "nobody",
        "hand": None
        if match.over
        else hand.table.say(hand.facts()) | {"players": list(hand.players)},
    }
