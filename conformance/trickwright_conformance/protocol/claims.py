"""Claims: what an engine said at the start that it can do, and what a case needs of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trickwright.problems import did_you_mean
from trickwright_conformance.protocol.faults import Fault

MAY = "may"
"""The word among ``asks`` for the legal actions in lines of play."""

KINDS = ("players", "variants", "phases", "given", "asks")
"""Of what there are claims."""


@dataclass(frozen=True)
class Claims:
    """What an engine can do of one game; None stands for all that the game has."""

    players: Collection[int]
    variants: Collection[str]
    phases: Collection[str] | None = None
    given: Collection[str] | None = None
    asks: Collection[str] | None = None

    @classmethod
    def of(cls, game: str, started: Mapping[str, Any]) -> Claims | None:
        """The claims for a game in an answer to ``start``; None if the engine does not play it."""
        claimed = started["games"].get(game)
        return None if claimed is None else cls(**claimed)

    def has(self, need: str) -> bool:
        """Whether something, such as ``phases.tricks``, is claimed."""
        kind, _, word = need.partition(".")
        if kind == "players":
            return word in map(str, self.players)
        claimed: Collection[str] | None = getattr(self, kind)
        return claimed is None or word in claimed

    def lacks(self, request: Mapping[str, Any]) -> str:
        """The first thing that a request needs and that is not claimed; empty if there is none."""
        return next((need for need in needs(request) if not self.has(need)), "")


def needs(request: Mapping[str, Any]) -> Iterator[str]:
    """What a request needs of an engine, as far as that can be seen from the request alone.

    Play may lead on to phases that the engine lacks; then it says so itself.
    """
    given = request["given"]
    yield f"players.{len(given['players'])}"
    for variant in request["variants"]:
        yield f"variants.{variant}"
    if "at" in given:
        yield f"phases.{given['at']}"
    for key in given:
        if key not in ("players", "at"):
            yield f"given.{key}"
    if any(line.get("may") for line in request["play"]):
        yield f"asks.{MAY}"
    for fact in request["ask"]:
        yield f"asks.{fact}"


def check_claims(claims: Claims, words: Mapping[str, Collection[str]]) -> None:
    """Raise Fault if something is claimed that the game does not have. ``words`` has the game's, by kind of claim."""
    found = []
    for kind in KINDS[1:]:
        for word in getattr(claims, kind) or ():
            if word not in words[kind]:
                hint = did_you_mean(word, words[kind], others="the game has")
                found.append(f"{kind}: there is no '{word}' ({hint or 'the game has none'})")
    if found:
        raise Fault(
            "wrong-claim", f"the engine claims what the game does not have: {'; '.join(found)}"
        )


def check_skip(lacks: str, claims: Claims, words: Mapping[str, Collection[str]]) -> None:
    """Raise Fault unless an engine may skip a case because it ``lacks`` this."""
    kind, _, word = lacks.partition(".")
    if kind == "games":
        raise Fault("skipped-claimed", f"skipped for want of {lacks}, which the engine claims")
    known = words.get(kind)
    if known is not None and word not in known:
        hint = did_you_mean(word, known, others=f"{kind} are")
        raise Fault("bad-message", f"skipped: lacks: there is no {lacks} ({hint})")
    if claims.has(lacks):
        raise Fault("skipped-claimed", f"skipped for want of {lacks}, which the engine claims")
