"""Dealing: the cards in play are shuffled and go round evenly, one at a time."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.cards import points_code
from trickwright.kinds import Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.pytext import literal
from trickwright.source import Node


@dataclass(frozen=True)
class Deal:
    """``cards`` is how many each player gets: a number, or None for all there are."""

    cards: int | None
    left_over: str
    """What becomes of the rest, empty if the rules do not say."""


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    points: str
    """Card points of the cards dealt, as Python."""
    missing: str
    """The cards taken out, as Python. Of what is one pack only, copies are not."""


_DECKS = (
    "tuple(\n"
    "    tuple(1 << card for card in range(CARDS) if not out >> card & 1) + (0,) * bit_count(out)\n"
    "    for out in WITHOUT\n"
    ")"
)


class DealKind:
    """See the module."""

    def bind(self, node: Node) -> Deal:
        """The parameters of a deal."""
        values = node.plain()
        cards = values["cards"]
        return Deal(None if cards == "all" else cards, values.get("left_over", ""))

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides ``hand(player)``; checks that every number of players deals evenly."""
        deck, params = setting.deck, phase.params
        sizes: list[int] = []
        acts = False
        span = range(min(setting.players), setting.most_players + 1)
        for count in span:
            cards = deck.in_play(count) if count in setting.players else ()
            share = len(cards) // count if params.cards is None else params.cards
            rest = len(cards) - share * count
            if count in setting.players and (rest < 0 or share == 0):
                setting.problem(
                    phase,
                    f"{count} players cannot get {max(share, 1)} cards each from {len(cards)}",
                    "uneven-deal",
                    "cards",
                )
            elif rest and params.left_over == "set-aside":
                acts = True
            elif rest and (params.cards is None or params.left_over == "none"):
                acts = True
                setting.problem(
                    phase,
                    f"{len(cards)} cards do not go evenly to {count} players: {rest} left over",
                    "uneven-deal",
                    "cards",
                    hint=f"take cards out in cards.without.{count}, or say left_over: set-aside",
                )
            sizes.append(share)
        if params.left_over and not acts and not setting.report.failed:
            node, path = phase.part("left_over")
            text = "no cards are left over, so a change of this changes nothing"
            setting.report.warning(node.mark, path, text, "unused", "leave it out")
        first = min(setting.players)
        bounds = {count: (0, sizes[count - first]) for count in setting.players}
        code = "state[HAND + {0}]"
        setting.provide(phase, Name("hand", Type.CARDS, code, phase.path, (Type.PLAYER,)), "kind")
        setting.provide(
            phase,
            Name(
                "hand_size",
                Type.NUMBER,
                "bit_count(state[HAND + {0}])",
                phase.path,
                (Type.PLAYER,),
                bounds,
            ),
        )
        return Declaration(
            view=View(
                points_code(deck, "dealt"),
                "out & ~(TWINS if SINGLE_PACK[row] else 0)" if deck.single_pack else "out",
            ),
            constants=(
                ("DECKS", _DECKS, "the cards in play one by one, by number of players, then zeros"),
                ("IN_PLAY", "tuple(CARDS - bit_count(cards) for cards in WITHOUT)", ""),
                *(
                    [
                        (
                            "SINGLE_PACK",
                            literal([count in deck.single_pack for count in span]),
                            "whether there is one pack only, by number of players",
                        )
                    ]
                    if deck.single_pack
                    else []
                ),
                ("HAND_SIZE", literal(sizes), "cards of a player, by number of players"),
            ),
            fields=(
                Field("hand", "cards", "hands", per_player=True, seen_by="owner", apart=True),
                Field("stock", "internal", seen_by="nobody", of_deck=True),
            ),
            has_facts=True,
            facts=("deck",),
        )


KIND = DealKind()
