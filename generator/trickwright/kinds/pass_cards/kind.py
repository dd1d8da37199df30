"""Passing cards: each player secretly chooses some of their own, and when all have chosen, all change hands at once.

A set is chosen card by card in rising order, so that it is one choice whatever the order in a player's mind; it is complete
with its last card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.pytext import literal
from trickwright.source import Node


@dataclass(frozen=True)
class PassCards:
    """How many cards, by number of players or for all alike, and how many seats to the left they go."""

    cards: int | Mapping[str, int]
    to: str


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    to: str
    may_skip: bool
    twins: int


class PassCardsKind:
    """See the module."""

    def bind(self, node: Node) -> PassCards:
        """The parameters of the pass."""
        values = node.plain()
        return PassCards(values["cards"], str(values["to"]))

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``hand``; provides ``passed(player)`` and ``received(player)``."""
        deck = setting.deck
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        counts = self._counts(phase, setting)
        to = setting.expression(phase, phase.params.to, Type.NUMBER, "to")
        for players, (low, high) in (to.range if to else {}).items():
            if low < 0 or high >= players:
                wrong = low if low < 0 else high
                said = "is" if low == high else "may be"
                text = f"this {said} {wrong}, but with {players} players cards go 0 to {players - 1} seats to the left"
                setting.problem(
                    phase,
                    text,
                    "out-of-bounds",
                    "to",
                    hint=_counted_on(phase.params.to, low == high),
                )
                break
        if to is not None and all(ends == (0, 0) for ends in to.range.values()):
            text = "cards go 0 seats to the left, so nobody ever passes any"
            setting.never_acts(phase, text, "to", hint="for example 1, or leave out the phase")
        for name, offset in (("passed", "PASSED"), ("received", "RECEIVED")):
            code = f"state[{offset} + {{0}}]"
            provided = Name(name, Type.CARDS, code, phase.path, (Type.PLAYER,))
            setting.provide(phase, provided, "kind")
        if to is None or setting.report.failed:
            return None
        clauses = ["own-card", "already-chosen", "order", *(["twin"] if deck.twins else []), "set"]
        return Declaration(
            view=View(to.code, any(low == 0 for low, _ in to.range.values()), deck.twins),
            fields=(
                Field("passed", "cards", "passed", per_player=True, seen_by="owner"),
                Field("received", "cards", "received", per_player=True, seen_by="owner"),
                Field("giver", "internal", per_player=True, initial=-1),
            ),
            actions=(Actions("give", "card", 0, len(deck)),),
            clauses=tuple(Clause(clause) for clause in clauses),
            constants=(
                (
                    "CARDS_TO_PASS",
                    literal(counts.get(count, 0) for count in setting.rows),
                    "cards that each player passes on, by number of players",
                ),
            ),
            can_resume=True,
            in_order=True,
            secret="always",
            holds=("state[RECEIVED + player] if state[GIVER + player] == viewer else 0",),
            hidden_choice=True,
            take_back=True,
        )

    @staticmethod
    def _counts(phase: Phase, setting: Setting) -> dict[int, int]:
        """Cards to pass by number of players, each checked against the size of a hand."""
        given = phase.params.cards
        if isinstance(given, int):
            counts = dict.fromkeys(setting.players, given)
        else:
            counts = {int(count): number for count, number in given.items()}
        for count in counts:
            if count not in setting.players:
                path = phase.part("cards", str(count))[1]
                hint = f"players: {', '.join(map(str, setting.players))}"
                mark, text = (
                    phase.key_mark("cards", str(count)),
                    f"the game is not for {count} players",
                )
                setting.report.error(mark, path, text, "bad-players", hint)
        hand = setting.scope.get("hand_size")
        for count in setting.players:
            if count not in counts:
                text, hint = f"no number of cards for {count} players", f"add {count}: 1"
                setting.problem(phase, text, "uncovered-table", "cards", hint=hint)
            elif hand is not None and counts[count] > hand.range[count][1]:
                text = f"with {count} players nobody has {counts[count]} cards to pass on"
                keys = ("cards",) if isinstance(given, int) else ("cards", str(count))
                hint = f"a hand has {hand.range[count][1]}"
                setting.problem(phase, text, "no-way-out", *keys, hint=hint)
        return counts


def _counted_on(text: str, settled: bool) -> str:
    """The hint how to write how far cards go: a number, or what counts on, but round the table."""
    if settled:
        return "for example 1, or hand_number % players"
    inner = text if text.isidentifier() else f"({text})"
    return f"write {inner} % players to count on round the table"


KIND = PassCardsKind()
