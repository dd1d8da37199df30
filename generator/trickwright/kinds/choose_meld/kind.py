"""Choosing melds: each player secretly names a meld not yet made and its cards; all are revealed and scored at once.

The meld is named first, then its cards one by one in rising order, so that a set is one choice whatever the order in a
player's mind. Until all have chosen nobody else learns the meld, nor how many cards are in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trickwright.expressions import Expression
from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting, Word
from trickwright.names import Name, Range, Type
from trickwright.pytext import WIDTH, in_steps, literal
from trickwright.source import Node


@dataclass(frozen=True)
class Meld:
    """A meld: how many cards it has and what it scores.

    If ``split`` is not 0, the score is the best over all ways to divide the meld into a part of so many cards and the rest;
    if ``picks_suit``, the best over all suits.
    """

    id: str
    cards: int
    score: str
    split: int
    picks_suit: bool

    @property
    def has_best(self) -> bool:
        """Whether the score is the best of several."""
        return self.split > 0 or self.picks_suit


@dataclass(frozen=True)
class ChooseMeld:
    """The melds there are, each made once by every player."""

    melds: tuple[Meld, ...]


@dataclass(frozen=True)
class Score:
    """A meld's score as lines of Python, the last one its value."""

    meld: Meld
    number: int
    steps: list[str]


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    scores: list[Score]
    count: int
    twins: int
    splits: bool
    picks: bool


class ChooseMeldKind:
    """See the module."""

    def bind(self, node: Node) -> ChooseMeld:
        """The parameters of the choice."""
        melds: Mapping[str, Mapping[str, object]] = node.plain()["melds"]
        return ChooseMeld(
            tuple(
                Meld(
                    name,
                    int(str(m["cards"])),
                    str(m["score"]),
                    int(str(m.get("split", 0))),
                    m.get("picks") == "suit",
                )
                for name, m in melds.items()
            )
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``hand``; provides each meld by its name, ``melded(player)`` and ``earned(player)``."""
        melds: tuple[Meld, ...] = phase.params.melds
        setting.function_named(phase, "hand", Type.CARDS, "kind")
        self._check_sizes(phase, setting)
        for name, offset in (("melded", "MELD"), ("kept", "KEPT")):
            code = f"state[{offset} + {{0}}]"
            setting.provide(phase, Name(name, Type.CARDS, code, phase.path, (Type.PLAYER,)), "kind")
        found = [self._score(phase, setting, meld) for meld in melds]
        for number, meld in enumerate(melds):
            named = Name(meld.id, Type.MELD, str(number + 1), phase.path)
            mark, path = phase.key_mark("melds", meld.id), phase.part("melds", meld.id)[1]
            setting.scope.add(named, mark, path, setting.report)
        scores = [score for score in found if score is not None]
        if len(scores) < len(melds) or setting.report.failed:
            return None
        bounds: dict[int, Range] = {
            count: (
                sum(min(0, score.range[count][0]) for score in scores),
                sum(max(0, score.range[count][1]) for score in scores),
            )
            for count in setting.players
        }
        code = "state[EARNED + {0}]"
        earned = Name("earned", Type.NUMBER, code, phase.path, (Type.PLAYER,), bounds)
        setting.provide(phase, earned, "kind")
        twins = setting.deck.twins
        cards = ["own-card", "already-chosen", "order", *(["twin"] if twins else []), "set"]
        splits, picks = any(m.split for m in melds), any(m.picks_suit for m in melds)
        no_suit = len(setting.deck.suits) + len(setting.deck.ranks) + 1
        suit = Field(
            "suit_picked", "trump", "suits_picked", per_player=True, initial=no_suit, lasts=True
        )
        return Declaration(
            view=View(
                [
                    Score(meld, number + 1, in_steps(score.code, WIDTH - 36))
                    for number, (meld, score) in enumerate(zip(melds, scores, strict=True))
                ],
                len(melds),
                twins,
                splits,
                picks,
            ),
            fields=(
                Field("choice", "option", "choice", per_player=True, seen_by="owner", lasts=True),
                Field(
                    "picked", "cards", "picked", per_player=True, seen_by="owner-only", lasts=True
                ),
                Field("made", "options", "made", per_player=True, lasts=True),
                Field("meld", "cards", "melds", per_player=True, apart=True, lasts=True),
                Field("melded_as", "option", "melded_as", per_player=True, lasts=True),
                Field("revealed", "cards", "revealed", per_player=True, lasts=True),
                *([Field("part", "cards", "parts", per_player=True, lasts=True)] if splits else []),
                *([suit] if picks else []),
                Field("kept", "cards", "kept", per_player=True, apart=True, lasts=True),
                Field(
                    "round_points",
                    "number",
                    "round_points",
                    per_player=True,
                    bounds=bounds,
                    lasts=True,
                ),
                Field("earned", "number", "earned", per_player=True, bounds=bounds, lasts=True),
            ),
            actions=(
                Actions("meld", "option", 0, len(melds)),
                Actions("pick", "card", len(melds), len(setting.deck)),
            ),
            clauses=tuple(map(Clause, ("named", "made", "too-few", "meld-first", *cards))),
            constants=(
                ("MELDS", str(len(melds)), "numbered from 1 in the state, from 0 as actions"),
                ("MELD_CARDS", literal([meld.cards for meld in melds]), "cards of each meld"),
            ),
            can_resume=True,
            in_order=True,
            leaves_hands=self._leaves(melds, setting),
            secret="turn",
            lie_open=("state[MELD + player]", "state[KEPT + player]"),
            shown=("state[REVEALED + player]",),
            hidden_choice=True,
            melds={meld.id: meld.cards for meld in melds},
            trump_kinds=("suit",) if picks else (),
            things={"option": tuple((Word("options", meld.id),) for meld in melds)},
            expressions=tuple(scores),
        )

    @staticmethod
    def _leaves(
        melds: tuple[Meld, ...], setting: Setting
    ) -> Literal["", "uneven", "even-after-rounds"]:
        """Melds of several sizes leave hands of several sizes, until each player has made all of them."""
        if len({meld.cards for meld in melds}) == 1:
            return ""
        rounds = setting.scope.get("round")
        times = 1 if rounds is None else max(high for _, high in rounds.range.values())
        return "even-after-rounds" if times >= len(melds) else "uneven"

    @staticmethod
    def _score(phase: Phase, setting: Setting, meld: Meld) -> Expression | None:
        """A meld's score: an expression that knows the meld and what all the others have melded with it."""
        outer = setting.scope
        inner = outer.with_name(Name("player", Type.PLAYER, "player", "the meld itself"))
        own = [*(("part", "rest") if meld.split else ()), *(("suit",) if meld.picks_suit else ())]
        for name in ("meld", "others", *own):
            inner = inner.with_name(Name(name, Type.CARDS, name, "the meld itself"))
        setting.scope = inner
        found = setting.expression(phase, meld.score, Type.NUMBER, "melds", meld.id, "score")
        setting.scope = outer
        return found

    @staticmethod
    def _check_sizes(phase: Phase, setting: Setting) -> None:
        """No meld has more cards than a hand, and a part of it has fewer than the whole."""
        hand = setting.scope.get("hand_size")
        most = min((high for _, high in hand.range.values()), default=0) if hand else 0
        for meld in phase.params.melds:
            if hand is not None and meld.cards > most:
                text, hint = f"nobody has {meld.cards} cards to meld", f"a hand has {most}"
                setting.problem(phase, text, "no-way-out", "melds", meld.id, "cards", hint=hint)
            if meld.split >= meld.cards:
                text = f"a part of {meld.split} cards is not less than all {meld.cards}"
                setting.problem(phase, text, "out-of-bounds", "melds", meld.id, "split")


KIND = ChooseMeldKind()
