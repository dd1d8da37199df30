"""Stealing: who has made one meld may take a card from a meld on the table and leave their own in its place.

Thieves act in the order of their cards' ranks as they were revealed. Those of equal rank each name a card, or decline, in
the order of seats; if two of them name the same card, none of them steals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Type
from trickwright.source import Node


@dataclass(frozen=True)
class Steal:
    """The meld whose makers steal, which rank goes first, from where, and whether also in the last round."""

    by: str
    first: Literal["lowest", "highest"]
    source: Literal["others", "kept"]
    last_round: bool


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    by: str
    best: str
    from_others: bool
    last_round: bool
    seats: int
    cards: int
    twins: int


class StealKind:
    """See the module."""

    def bind(self, node: Node) -> Steal:
        """The parameters of stealing."""
        values = node.plain()
        return Steal(values["by"], values["first"], values["from"], values["last_round"])

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires melds, and the one whose makers steal to be a single card."""
        params: Steal = phase.params
        node, path = phase.part("by")
        by = setting.scope.need_typed(params.by, Type.MELD, node.mark, path, setting.report)
        if not params.last_round and setting.scope.get("round") is None:
            text, hint = "there are no rounds in this game", "add rounds:, or last_round: true"
            setting.problem(phase, text, "unknown-name", "last_round", hint=hint)
        if by is None or setting.report.failed:
            return None
        deck, others = setting.deck, params.source == "others"
        seats = setting.most_players if others else 0
        steal = Actions("steal", "card", seats, len(deck))
        decline = Actions("decline", "word", seats + len(deck), 1)
        rob = (Actions("rob", "player", 0, seats),) if others else ()
        clauses = ["player-first", "self", "nothing", "decided"] if others else []
        return Declaration(
            view=View(
                by.code,
                "min" if params.first == "lowest" else "max",
                others,
                params.last_round,
                seats,
                len(deck),
                deck.twins,
            ),
            fields=(
                Field("thief_rank", "internal", per_player=True, lasts=True),
                Field("asked", "internal", per_player=True, lasts=True),
                Field("target", "cards", "target", per_player=True, lasts=True),
                *((Field("robbed", "internal", initial=-1, lasts=True),) if others else ()),
                *(
                    (Field("taken", "cards", "taken", per_player=True, lasts=True),)
                    if others
                    else ()
                ),
            ),
            actions=(*rob, steal, decline),
            clauses=tuple(map(Clause, [*clauses, "there", *(["twin"] if deck.twins else [])])),
            in_order=True,
            waits_for={} if others else {"kept": ("from", "from: others, or keep the melds")},
            not_last="" if params.last_round else "last_round",
            holds=("state[TAKEN + player]",) if others else (),
            leaves_hands="uneven",
        )


KIND = StealKind()
