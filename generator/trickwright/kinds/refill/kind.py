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
        setting.function_named(phase, "melded", Type.CARDS, "kind")
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
        return Declaration(
            view=View(params.up_to, params.melds == "reshuffled", params.last_round),
            fields=(Field("rested", "internal", per_player=True),)
            if params.melds == "reshuffled"
            else (),
            lacks=("state[RESTED + player]",) if params.melds == "reshuffled" else (),
            redeals=True,
            constants=(("FULL_HAND", str(params.up_to), "cards of a hand after refilling"),),
            uses_chance=True,
            has_facts=True,
            facts=("stock",),
        )


KIND = RefillKind()
