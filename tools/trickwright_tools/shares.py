"""What each scoring rule gave in a hand: found by playing the hand again by the same rules with that one giving nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, TypeGuard

from trickwright import GameFiles, compile_game
from trickwright.memory import load_engine

Share = dict[str, dict[str, int]]
"""By scoring rule that acted: the points it gave, by player; players who got nothing are left out."""


class Shares:
    """Finds the shares of scoring rules in hands of a game with variants and single values."""

    def __init__(self, files: GameFiles, variants: Sequence[str], sets: Sequence[str]) -> None:
        self._files, self._variants, self._sets = files, tuple(variants), tuple(sets)
        self._made = cache(self._make)

    def of(self, hand: Mapping[str, Any]) -> Share | None:
        """The shares in a hand that was played to its end, told as a transcript; None if they cannot be told.

        Raises ValueError if the hand cannot be played by these rules.
        """
        engine = self._made("")
        if engine is None:
            return None
        found: Share = {}
        whole = _played(engine, hand)
        for line in whole.lines():
            other = self._made(f"scoring.{line.outcome}.{line.id}.points")
            if other is None:
                return None
            rest = _played(other, hand).scores
            points = {name: score - rest[name] for name, score in whole.scores.items()}
            found[line.id] = {name: own for name, own in points.items() if own}
        return found

    def digest(self) -> str:
        """The fingerprint of the rules; empty if there are none with these variants and values."""
        engine = self._made("")
        return "" if engine is None else str(engine.RULES.digest)

    def _make(self, path: str) -> ModuleType | None:
        """The engine; with a path, the one in which that rule gives nothing, whatever else was said of its points."""
        sets = [
            value for value in self._sets if not path or value.partition("=")[0].strip() != path
        ]
        sets += [f"{path}=0"] if path else []
        made = compile_game(self._files, self._variants, sets)
        return None if made is None else load_engine(made)


def _played(engine: ModuleType, told: Mapping[str, Any]) -> Any:
    """The hand of a transcript by the rules of an engine, to its end."""
    rules = engine.RULES
    hand = engine.Hand.replay({**told, "rules": rules.digest, "variants": list(rules.variants)})
    if not hand.over:
        raise ValueError("the hand is not over")
    return hand


def is_share(value: Any) -> TypeGuard[Mapping[str, Mapping[str, int]]]:
    """Whether a value of a transcript has the form of shares."""
    return isinstance(value, Mapping) and all(
        isinstance(points, Mapping) and all(type(own) is int for own in points.values())
        for points in value.values()
    )
