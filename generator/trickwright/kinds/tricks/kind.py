"""Playing tricks, with as many classes of trumps as the game has.

Each card belongs to a group, all trumps or its suit's plain cards, and each card that leads a trick or takes it over
knows the set of cards that would beat it: higher classes whole, and of its own group the higher ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.cards import worth_name
from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.source import Node


@dataclass(frozen=True)
class Tricks:
    """Who leads first, the classes of trumps from the top, whether one must follow, and which of equal cards wins."""

    leader: str
    trumps: tuple[str, ...]
    must_follow: bool
    first_wins: bool


@dataclass(frozen=True)
class TrumpClass:
    """A class of trumps: its field, its cards as Python, and the fields of the classes above it."""

    field: str
    cards: str
    above: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    leader: str
    classes: tuple[TrumpClass, ...]
    must_follow: bool
    first_wins: bool
    worth: tuple[tuple[int, str], ...]
    twins: int


_HIGHER = (
    "HIGHER_RANKS",
    "tuple(sum(CARDS_OF_RANK[rank + 1 :]) for rank in range(RANKS))",
    "cards of a higher rank, by rank",
)
_NOT_LOWER = (
    "NOT_LOWER_RANKS",
    "tuple(sum(CARDS_OF_RANK[rank:]) for rank in range(RANKS))",
    "cards of the rank or a higher one, by rank",
)


class TricksKind:
    """See the module."""

    def bind(self, node: Node) -> Tricks:
        """The parameters of the play."""
        values = node.plain()
        return Tricks(
            str(values["leader"]),
            tuple(map(str, values["trumps"])),
            values["follow"] == "must",
            values["equal_cards"] == "first-played-wins",
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``hand``; provides ``card_points(player)`` and ``tricks_won(player)``."""
        params, deck = phase.params, setting.deck
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        leader = setting.expression(phase, params.leader, Type.PLAYER, "leader")
        if leader is not None and leader.may_be_nobody:
            setting.problem(phase, f"'{params.leader}' may be nobody", "no-way-out", "leader")
        classes: list[TrumpClass] = []
        needs: set[str] = set()
        for place, text in enumerate(params.trumps):
            cards = setting.expression(phase, text, Type.CARDS, "trumps", place)
            above = tuple(made.field for made in classes)
            if cards is not None:
                names = [setting.scope.get(name) for name in cards.uses]
                needs |= {name.provided_by for name in names if name is not None}
                code = cards.code
                for field in above:
                    code = f"({code}) & ~state[{field}]"
                classes.append(TrumpClass(f"TRUMPS_{place + 1}", code, above))
        points = {count: deck.points_bounds(count) for count in setting.players}
        hand = setting.scope.get("hand_size")
        tricks = {} if hand is None else hand.range
        code = "state[POINTS_WON + {0}]"
        setting.provide(
            phase,
            Name("card_points", Type.NUMBER, code, phase.path, (Type.PLAYER,), points),
            "kind",
        )
        code = "state[TRICKS_WON + {0}]"
        setting.provide(
            phase, Name("tricks_won", Type.NUMBER, code, phase.path, (Type.PLAYER,), tricks), "kind"
        )
        code = "state[CARDS_WON + {0}]"
        setting.provide(
            phase, Name("cards_won", Type.CARDS, code, phase.path, (Type.PLAYER,)), "kind"
        )
        if leader is None or len(classes) < len(params.trumps):
            return None
        clauses = ["own-card", *(["follow", "follow-trump"] if params.must_follow else [])]
        if deck.twins:
            clauses.append("twin")
        return Declaration(
            view=View(
                leader.code,
                tuple(classes),
                params.must_follow,
                params.first_wins,
                tuple((value, worth_name(value)) for value in deck.worth),
                deck.twins,
            ),
            fields=(
                Field("points_won", "number", "card_points", per_player=True, bounds=points),
                Field("tricks_won", "number", "tricks_won", per_player=True, bounds=tricks),
                Field("cards_won", "cards", "cards_won", per_player=True, seen_by="nobody"),
                *(Field(made.field.lower(), "internal") for made in classes),
                Field("trumps", "internal"),
                Field("follow", "internal"),
                Field("beating", "internal"),
                Field("winning", "internal", initial=-1),
                Field("trick", "internal"),
                Field("in_trick", "internal"),
                Field("trick_card", "internal", size=setting.most_players),
            ),
            actions=(Actions("play", "card", 0, len(deck)),),
            clauses=tuple(Clause(clause) for clause in clauses),
            constants=(_HIGHER if params.first_wins else _NOT_LOWER,),
            outcomes={"played": None},
            equal_hands=True,
            has_facts=True,
            facts=("trick", "on_table", "trump_order"),
            facts_need=frozenset(needs),
        )


KIND = TricksKind()
