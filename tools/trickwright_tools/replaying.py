"""Transcripts against today's rules: read as what a stranger wrote, replayed, and held against what was written down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from trickwright import GameFiles
from trickwright.limits import TRANSCRIPT_BYTES
from trickwright_tools.report import CallError
from trickwright_tools.shares import Share, Shares, is_share
from trickwright_tools.whole_file import Unwritable, check_writable, whole_file


@dataclass(frozen=True)
class OtherShare:
    """A scoring rule that gave other points then than it gives today, each by player; None if it did not act."""

    rule: str
    then: Mapping[str, int] | None
    now: Mapping[str, int] | None


@dataclass(frozen=True)
class Difference:
    """The first point at which a hand is not what its transcript tells.

    ``action`` counts the actions from 1; that after the last stands for the end of the hand. ``clause`` forbids the action
    today; else ``then`` and ``now`` are how the hand ended, each with outcome, scores and the scoring rules that acted, and
    ``others`` are those of them that gave other points, if that can be told.
    """

    action: int
    text: str
    clause: str = ""
    then: Mapping[str, Any] = field(default_factory=dict)
    now: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[OtherShare, ...] = ()


@dataclass(frozen=True)
class Replayed:
    """A hand of a transcript, played as far as today's rules let it."""

    told: Mapping[str, Any]
    hand: Any
    difference: Difference | None


def check_place(path: str) -> None:
    """CallError if no transcript can be written there: to be known before a match and not after it."""
    try:
        check_writable(Path(path))
    except Unwritable as error:
        raise CallError(str(error)) from None


def save_match(
    match: Any, files: GameFiles, variants: Sequence[str], sets: Sequence[str], path: str
) -> None:
    """Write the transcript of a match, with the single values that its rules were changed by, and what each scoring rule gave."""
    told = match.transcript() | ({"set": list(sets)} if sets else {})
    shares = Shares(files, variants, sets)
    told["hands"] = [
        {**hand, "ended": {**hand["ended"], "points": shares.of(hand)}} if "ended" in hand else hand
        for hand in told["hands"]
    ]
    try:
        with whole_file(Path(path)) as file:
            file.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    except Unwritable as error:
        raise CallError(str(error)) from None


def read_transcript(path: str) -> dict[str, Any]:
    """A transcript from a file; CallError if it cannot be read or has not the outer form of one."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(TRANSCRIPT_BYTES + 1)
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > TRANSCRIPT_BYTES:
        raise CallError(
            f"{path} is larger than {TRANSCRIPT_BYTES // 1_000_000} MB: no transcript is"
        )
    try:
        told = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CallError(f"{path} is not a transcript: not JSON: {error}") from None
    problems = list(_problems(told))
    if problems:
        raise CallError(f"{path} is not a transcript: {'; '.join(problems)}")
    kept: dict[str, Any] = told
    return kept


def _problems(told: Any) -> Sequence[str]:
    """What is wrong with the form of a transcript, as far as it says which rules it is of."""
    if not isinstance(told, Mapping):
        return ["it is no JSON object"]
    problems = []
    if not isinstance(told.get("game"), str):
        problems.append("'game' is missing or no name")
    for key in ("variants", "set"):
        names = told.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            problems.append(f"'{key}' is no list of texts")
    hands = told.get("hands", [told])
    if not isinstance(hands, list) or not hands:
        problems.append("'hands' is no list of hands")
        hands = []
    for number, hand in enumerate(hands, 1):
        if not isinstance(hand, Mapping):
            problems.append(f"hand {number} is no JSON object")
        elif not _texts(hand.get("actions")) or not _texts(hand.get("players")):
            problems.append(f"hand {number} has no list of players, or none of actions")
    return problems


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def hands_told(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The hands of a transcript of a match, or the one hand it is of."""
    hands: list[Mapping[str, Any]] = told.get("hands", [told])
    return hands


def replay(engine: ModuleType, told: Mapping[str, Any]) -> Replayed:
    """Play a hand of a transcript by the engine's rules, up to the first difference; CallError if it cannot begin."""
    rules = engine.RULES
    try:
        hand = engine.Hand.replay(
            {**told, "rules": rules.digest, "variants": list(rules.variants), "actions": []}
        )
    except (ValueError, TypeError, OverflowError) as error:
        raise CallError(f"the hand cannot begin by these rules: {error}") from None
    make = type(hand.legal_actions()[0]) if hand.legal_actions() else None
    for number, line in enumerate(told["actions"], 1):
        name, _, said = line.partition(": ")
        verb, _, what = said.partition(" ")
        try:
            assert make is not None or hand.over
            refusal = hand.why_not(make(verb, what), name) if make else None
            if refusal is None and make is not None:
                hand.apply(make(verb, what), name)
                continue
        except ValueError as error:
            return Replayed(told, hand, Difference(number, f"means nothing today: {error}"))
        if refusal is None:
            return Replayed(told, hand, Difference(number, "comes after the end of the hand"))
        section = f' ("{refusal.section}")' if refusal.section else ""
        text = f"is refused today by {refusal.clause}: {refusal.sentence}{section}"
        return Replayed(told, hand, Difference(number, text, refusal.clause))
    return Replayed(told, hand, _at_the_end(hand, told))


def _at_the_end(hand: Any, told: Mapping[str, Any]) -> Difference | None:
    then = told.get("ended")
    if not isinstance(then, Mapping):
        return None
    number = len(told["actions"]) + 1
    if not hand.over:
        return Difference(number, "the hand was over here, and is not today", then=then)
    now = hand.transcript()["ended"]
    if all(then.get(key) == value for key, value in now.items()):
        return None
    what = "ends" if then.get("outcome") != now["outcome"] else "scores"
    return Difference(number, f"the hand {what} otherwise today", then=then, now=now)


def with_shares(
    found: Replayed, files: GameFiles, today: Shares, told: Mapping[str, Any]
) -> Replayed:
    """What came of a replay, and if the hand scores otherwise the rules that give other points today, if that can be told.

    What a rule gave then stands in the transcript, or follows from the transcript's own variants and values if the rules are
    otherwise what they were.
    """
    difference = found.difference
    if difference is None or not difference.now:
        return found
    then, now = _recorded(found, files, told), today.of(found.hand.transcript())
    if then is None or now is None:
        return found
    others = tuple(
        OtherShare(rule, then.get(rule), now.get(rule))
        for rule in dict.fromkeys((*then, *now))
        if then.get(rule) != now.get(rule)
    )
    return replace(found, difference=replace(difference, others=others))


def _recorded(found: Replayed, files: GameFiles, told: Mapping[str, Any]) -> Share | None:
    assert found.difference is not None
    share = found.difference.then.get("points")
    if is_share(share):
        return {str(rule): dict(points) for rule, points in share.items()}
    own = Shares(files, told.get("variants", ()), told.get("set", ()))
    if own.digest() != told.get("rules"):
        return None
    try:
        return own.of(found.told)
    except (ValueError, TypeError, OverflowError):
        return None  # damaged
