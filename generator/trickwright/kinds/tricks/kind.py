"""Playing tricks, with as many classes of trumps as the game has.

Each card belongs to a group, all trumps or its suit's plain cards, and each card that leads a trick or takes it over
knows the set of cards that would beat it: higher classes whole, and of its own group the higher ranks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from trickwright.cards import Deck, points_code, worth_name
from trickwright.expressions import Expression
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
    says_equal: bool
    """Whether the rules say which of equal cards wins."""
    side: str
    """The side whose suit counts, if cards have two."""


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
    points: str
    """What a trick is worth, where that is not added up in place."""
    twins: int
    side: str
    """The number of the side whose suit counts, as Python; empty if cards have one suit."""
    suits: tuple[str, ...]

    @property
    def by_side(self) -> str:
        """What picks the tables of the side that counts."""
        return "[state[SIDE]]" if self.side else ""


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

_TRUMPS_OF_SIDE = (
    "TRUMPS_OF_SIDE",
    "tuple((*CARDS_OF_SUIT[side], *CARDS_OF_RANK, 0) for side in range(SIDES))",
    "the cards of each trump, by side",
)
_BY_SIDE = "TRUMPS_OF_SIDE[state[SIDE]]["


def _equal_in_a_suit(deck: Deck, players: Sequence[int], sides: Collection[int]) -> bool:
    """Whether a suit of one of the sides has two cards of a rank in play, so that cards can be equal whatever is trumps."""
    by_side = deck.suits_by_side()
    return any(
        _twice((by_side[side][card], deck.cards[card].rank) for card in deck.in_play(count))
        for count in players
        for side in sides
    )


def _equal_in_rank(deck: Deck, players: Sequence[int], ranks: Collection[int]) -> bool:
    """Whether one of the ranks has two cards in play, so that cards can be equal where all of a rank are trumps."""
    return any(
        _twice(rank for card in deck.in_play(count) if (rank := deck.cards[card].rank) in ranks)
        for count in players
    )


def _twice(values: Iterable[object]) -> bool:
    """Whether one of the values is there twice."""
    found = list(values)
    return len({*found}) < len(found)


class TricksKind:
    """See the module."""

    def bind(self, node: Node) -> Tricks:
        """The parameters of the play."""
        values = node.plain()
        return Tricks(
            str(values["leader"]),
            tuple(map(str, values["trumps"])),
            values["follow"] == "must",
            values.get("equal_cards") != "last-played-wins",
            "equal_cards" in values,
            str(values.get("suit_of_card", "")),
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``hand``; provides ``card_points(player)``, ``tricks_won(player)`` and ``cards_won(player)``."""
        params, deck = phase.params, setting.deck
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        leader = setting.expression(phase, params.leader, Type.PLAYER, "leader")
        if leader is not None and leader.may_be_nobody:
            setting.problem(phase, f"'{params.leader}' may be nobody", "no-way-out", "leader")
        side = self._side(phase, setting)
        classes: list[TrumpClass] = []
        counts = [
            number
            for number, name in enumerate(deck.side_names or ("",))
            if side is None or not side.kinds or name in side.kinds
        ]
        may_equal = _equal_in_a_suit(deck, setting.players, counts)
        needs: set[str] = set()
        if side is not None:
            needs |= self._provided(setting, side)
        for place, text in enumerate(params.trumps):
            cards = setting.expression(phase, text, Type.CARDS, "trumps", place)
            above = tuple(made.field for made in classes)
            if cards is not None:
                if not cards.kinds or "rank" in cards.kinds:
                    one = [n for n, rank in enumerate(deck.ranks) if text == f"rank_{rank}"]
                    ranks = one or range(len(deck.ranks))
                    may_equal = may_equal or _equal_in_rank(deck, setting.players, ranks)
                needs |= self._provided(setting, cards)
                code = cards.code.replace("TRUMP_CARDS[", _BY_SIDE) if side else cards.code
                for field in above:
                    code = f"({code}) & ~state[{field}]"
                classes.append(TrumpClass(f"TRUMPS_{place + 1}", code, above))
        if len(classes) == len(params.trumps):
            self._check_equal(phase, setting, may_equal)
        points = {count: deck.points_bounds(count) for count in setting.players}
        hand = setting.scope.get("hand_size")
        tricks = {} if hand is None else hand.range
        code = "state[POINTS_WON + {0}]"
        if deck.worth:
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
        if leader is None or len(classes) < len(params.trumps) or (deck.side_names and not side):
            return None
        clauses = ["own-card", *(["follow"] if params.must_follow else [])]
        if params.must_follow and classes:
            clauses.append("follow-trump")
        if deck.twins:
            clauses.append("twin")
        return Declaration(
            view=View(
                leader.code,
                tuple(classes),
                params.must_follow,
                params.first_wins,
                ()
                if deck.worth_is_split
                else tuple((value, worth_name(value)) for value in deck.worth),
                points_code(deck, "trick") if deck.worth_is_split else "",
                deck.twins,
                side.code if side else "",
                tuple(suit.id for suit in deck.suits) if side else (),
            ),
            fields=(
                *(
                    [Field("points_won", "number", "card_points", per_player=True, bounds=points)]
                    if deck.worth
                    else []
                ),
                Field("tricks_won", "number", "tricks_won", per_player=True, bounds=tricks),
                Field(
                    "cards_won", "cards", "cards_won", per_player=True, apart=True, seen_by="nobody"
                ),
                *(
                    [Field("voids", "cards", "voids", per_player=True)]
                    if params.must_follow
                    else []
                ),
                *(Field(made.field.lower(), "internal") for made in classes),
                *([Field("trumps", "internal")] if classes else []),
                *([Field("side", "internal")] if side else []),
                Field("follow", "internal"),
                Field("beating", "internal"),
                Field("winning", "internal", initial=-1),
                Field("trick", "internal"),
                Field("in_trick", "internal"),
                Field("trick_card", "internal", size=setting.most_players),
            ),
            actions=(Actions("play", "card", 0, len(deck), leaves_hand=True),),
            clauses=tuple(Clause(clause) for clause in clauses),
            constants=(
                _HIGHER if params.first_wins else _NOT_LOWER,
                *([_TRUMPS_OF_SIDE] if side and classes else []),
            ),
            outcomes={"played": None},
            equal_hands=True,
            lacks=("state[VOIDS + player]",) if params.must_follow else (),
            lie_open=("state[CARDS_WON + player]", "state[TRICK]"),
            has_facts=True,
            facts=(
                *("trick", "on_table"),
                *(["trump_order"] if classes else []),
                *(["suits"] if side else []),
            ),
            facts_need=frozenset(needs),
        )

    @staticmethod
    def _check_equal(phase: Phase, setting: Setting, may_equal: bool) -> None:
        """Which of equal cards wins is said where two cards can be equal, and only there."""
        if may_equal and not phase.params.says_equal:
            text = "two cards may be equal, but nothing says which of them wins"
            hint = "add equal_cards: first-played-wins, or last-played-wins"
            setting.problem(phase, text, "missing-key", "kind", hint=hint)
        if phase.params.says_equal and not may_equal:
            text = "no two cards are equal, so a change of this changes nothing"
            path = f"{phase.path}.equal_cards"
            mark = phase.key_mark("equal_cards")
            setting.report.warning(mark, path, text, "unused", "leave it out")

    @staticmethod
    def _provided(setting: Setting, expression: Expression) -> set[str]:
        """The paths of what provides the names in an expression."""
        names = [setting.scope.get(name) for name in expression.uses]
        return {name.provided_by for name in names if name is not None}

    @staticmethod
    def _side(phase: Phase, setting: Setting) -> Expression | None:
        """The side whose suit counts: needed where cards have two suits, and only there."""
        text, known = phase.params.side, setting.deck.side_names
        if known and not text:
            said = "cards have two suits, but nothing says which of them counts"
            hint = f"add suit_of_card: {known[0]}, or a side that a phase before this one provides"
            setting.problem(phase, said, "missing-key", "kind", hint=hint)
        elif text and not known:
            said = "every card has one suit, so a change of this changes nothing"
            mark = phase.key_mark("suit_of_card")
            setting.report.warning(
                mark, f"{phase.path}.suit_of_card", said, "unused", "leave it out"
            )
        elif text:
            return setting.expression(phase, text, Type.SIDE, "suit_of_card")
        return None


KIND = TricksKind()
