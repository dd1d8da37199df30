"""What the rules mean: phases with what they add, expressions checked, and all ways a hand can end."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.expressions import Expression
from trickwright.kinds import Declaration, Phase
from trickwright.model import Game, ScoringRule
from trickwright.names import Scope


@dataclass(frozen=True)
class Declared:
    """A phase with what it adds to the game."""

    phase: Phase
    adds: Declaration


@dataclass(frozen=True)
class Definition:
    """A named value of the scoring."""

    name: str
    value: Expression


@dataclass(frozen=True)
class CheckedRule:
    """A scoring rule whose expressions are checked."""

    rule: ScoringRule
    who: Expression
    when: Expression | None
    points: Expression


@dataclass(frozen=True)
class Ending:
    """A way for a hand to end, and what is scored then. ``values`` are the definitions that have a meaning there."""

    outcome: str
    rules: tuple[CheckedRule, ...]
    values: tuple[str, ...]
    scope: Scope
    """All names that have a meaning then."""


@dataclass(frozen=True)
class Meaning:
    """A game whose names, types and tables all agree."""

    game: Game
    phases: tuple[Declared, ...]
    definitions: tuple[Definition, ...]
    endings: tuple[Ending, ...]
    match_hands: Expression | None
    """Number of hands of a match, if that is what ends it."""

    @property
    def uses_chance(self) -> bool:
        """Whether something happens by chance after the deal."""
        return any(declared.adds.uses_chance for declared in self.phases)

    @property
    def trump_kinds(self) -> frozenset[str]:
        """The kinds of trump that somebody or something names in this game."""
        return frozenset(kind for declared in self.phases for kind in declared.adds.trump_kinds)
