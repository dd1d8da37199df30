"""Layout: every part of a hand's state gets its place in one flat list of ints."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trickwright.kinds import Field
from trickwright.meaning import Meaning

CORE = ("players", "dealer", "phase", "to_move", "outcome", "hand_number")
"""The parts that every game has, in this order from 0."""

CHANCE = (
    Field("chance_seed", "internal", seen_by="nobody"),
    Field("chance_events", "internal", seen_by="nobody"),
)
"""What decides all that happens by chance after the deal: a random word, and how often it has been asked."""

ROUND = Field("round", "number", "round", initial=1)
"""Which round of the hand it is, from 1, in games that have rounds."""


@dataclass(frozen=True)
class Placed:
    """A field with its offset and its number of ints."""

    field: Field
    offset: int
    size: int
    phase: int
    """Number of the phase that it belongs to; -1 for what every game has."""

    @property
    def constant(self) -> str:
        """Name of the offset in an engine."""
        return self.field.name.upper()


@dataclass(frozen=True)
class Layout:
    """All fields of a game's state and its length."""

    fields: tuple[Placed, ...]
    size: int

    def start(self) -> list[int]:
        """The state before the deal."""
        state = [0] * self.size
        for placed in self.fields:
            for place in range(placed.offset, placed.offset + placed.size):
                state[place] = placed.field.initial
        return state


def lay_out(meaning: Meaning) -> Layout:
    """Core fields first, then those of each phase in order of play, then the scores."""
    game = meaning.game
    fields = [(Field(name, "internal"), -1) for name in CORE]
    for number, declared in enumerate(meaning.phases):
        fields += [(field, number) for field in declared.adds.fields]
    if meaning.uses_chance:
        fields += [(field, -1) for field in CHANCE]
    if game.rounds is not None:
        bounds = dict.fromkeys(game.players, (1, game.rounds.times))
        fields.append((replace(ROUND, bounds=bounds), -1))
    fields.append((Field("score", "number", "", per_player=True), -1))
    placed: list[Placed] = []
    offset = 0
    for field, phase in fields:
        size = len(game.deck) if field.of_deck else field.size
        size = max(game.players) if field.per_player else size
        placed.append(Placed(field, offset, size, phase))
        offset += size
    return Layout(tuple(placed), offset)
