"""Refilling: hands are filled up from the stock, by chance, and what has been melded goes back into it or stays apart.

The stock is every card in play that is in no hand and on no table, so no card can be lost or be in two places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trickwright.kinds import Declaration, Field, Phase, Setting
from trickwright.names import Type
from trickwright.source import Node


@dataclass(frozen=True)
class Refill:
    """Cards of a full hand, what becomes of the melds, and whether hands are refilled after the last round, too."""

    up_to: int
    melds: Literal["reshuffled", "kept"]
    last_round: bool


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    up_to: int
    reshuffled: bool
    last_round: bool


class RefillKind:
    """See the module."""

    def bind(self, node: Node) -> Refill:
        """The parameters of refilling."""
        values = node.plain()
        return Refill(values["up_to"], values["melds"], values["last_round"])

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``hand`` and melds; checks that there are cards enough for full hands."""
        params: Refill = phase.params
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        melded = setting.function_named(phase, "melded", Type.CARDS, "kind")
        for count in setting.players:
            cards = len(setting.deck.in_play(count))
            if params.up_to * count > cards:
                text = f"{count} players cannot have {params.up_to} cards each of {cards}"
                setting.problem(phase, text, "uneven-deal", "up_to")
                break
        if not params.last_round and setting.scope.get("round") is None:
            text, hint = "there are no rounds in this game", "add rounds:, or last_round: true"
            setting.problem(phase, text, "unknown-name", "last_round", hint=hint)
        if setting.report.failed:
            return None
        shuffles = params.melds == "reshuffled"
        return Declaration(
            view=View(params.up_to, shuffles, params.last_round),
            lacks=("state[RESTED + player]",) if shuffles else (),
            redeals=True,
            hidden_draw=True,
            constants=(("FULL_HAND", str(params.up_to), "cards of a hand after refilling"),),
            fields=(
                Field("drawn", "cards", "drawn", per_player=True, seen_by="owner", lasts=True),
                *((Field("shuffled_for", "internal", initial=-1, lasts=True),) if shuffles else ()),
                *((Field("rested", "internal", per_player=True, lasts=True),) if shuffles else ()),
            ),
            uses_chance=True,
            uses_up=frozenset({melded.provided_by}) if melded else frozenset(),
            refills_to=params.up_to,
            fills=frozenset() if shuffles else frozenset({"kept"}),
            not_last="" if params.last_round else "last_round",
            leaves_hands=self._leaves(params, setting),
            has_facts=True,
            facts=("stock", *(("shuffled_for",) if shuffles else ())),
        )

    @staticmethod
    def _leaves(params: Refill, setting: Setting) -> Literal["", "even", "as-played"]:
        """Hands are made equal if they are filled up to as many cards as anybody can have, and in the last round, too."""
        size = setting.scope.get("hand_size")
        most = max((high for _, high in size.range.values()), default=0) if size else 0
        if not params.last_round:
            return "as-played"
        return "even" if params.up_to >= most else ""


KIND = RefillKind()
