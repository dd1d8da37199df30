"""An auction in which players bid by laying cards of their hand face up; only the number laid out counts."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.source import Node


@dataclass(frozen=True)
class ShowAuction:
    """Who opens, by how many cards a bid may pass the highest, whether it must pass it, and whether a pass is final."""

    opens: str
    raise_limit: int
    must_raise: bool
    passing_is_final: bool


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    opens: str
    must_raise: bool
    passing_is_final: bool
    twins: int


class ShowAuctionKind:
    """See the module."""

    def bind(self, node: Node) -> ShowAuction:
        """The parameters of a show auction."""
        values = node.plain()
        return ShowAuction(
            str(values["opens"]),
            values["raise_limit"],
            values["must_raise"],
            values["after_pass"] == "is-out",
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides ``bid(player)``, ``laid_out(player)`` and ``laid_at(player)``."""
        params, deck = phase.params, setting.deck
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        opens = setting.expression(phase, params.opens, Type.PLAYER, "opens")
        hand = setting.scope.get("hand_size")
        sizes = {} if hand is None else hand.range
        most = max((high for _, high in sizes.values()), default=params.raise_limit)
        if params.raise_limit > most:
            text = f"no hand has more than {most} cards, so this limits nothing"
            hint = f"{most} already allows to lay out the whole hand"
            setting.never_acts(phase, text, "raise_limit", hint=hint)
        bids = Name("bid", Type.NUMBER, "state[BID + {0}]", phase.path, (Type.PLAYER,), sizes)
        laid = Name("laid_out", Type.CARDS, "state[LAID_OUT + {0}]", phase.path, (Type.PLAYER,))
        turns = {count: (0, 200) for count in setting.players}
        when = Name(
            "laid_at", Type.NUMBER, "state[LAID_AT + {0}]", phase.path, (Type.PLAYER,), turns
        )
        for name in (bids, laid, when):
            setting.provide(phase, name, "kind")
        if opens is None:
            return None
        clauses = ["own-card", "already-laid", "one-card", "order"]
        passed = (Field("out", "players", "out_of_auction"),) if params.passing_is_final else ()
        return Declaration(
            view=View(
                opens.code,
                params.must_raise,
                params.passing_is_final,
                deck.twins,
            ),
            fields=(
                Field("bid", "number", "bids", per_player=True, bounds=sizes),
                Field("laid_out", "cards", "laid_out", per_player=True),
                Field("laid_at", "order", "laid_order", per_player=True),
                Field("highest_bid", "internal"),
                Field("turn_limit", "internal"),
                Field("bid_before", "internal"),
                Field("may_lay", "internal"),
                Field("turns_with_cards", "internal"),
                Field("passes", "internal"),
                *passed,
            ),
            actions=(
                Actions("lay", "card", 0, len(deck)),
                Actions("pass", "word", len(deck), 1),
            ),
            clauses=tuple(
                Clause(clause, {"limit": str(params.raise_limit)})
                for clause in [
                    *clauses,
                    *(["twin"] if deck.twins else []),
                    *(["raise"] if params.must_raise else []),
                ]
            ),
            constants=(
                ("RAISE_LIMIT", str(params.raise_limit), "cards above the highest bid"),
                ("CLOSE_TURN", "CARDS", "the action that ends a turn; with no card laid, a pass"),
                ("CLOSING", "1 << CLOSE_TURN", "the set of that action alone"),
            ),
            closes=len(deck),
            holds=("state[LAID_OUT + player]",),
            highest_bid=most,
            can_resume=True,
        )


KIND = ShowAuctionKind()
