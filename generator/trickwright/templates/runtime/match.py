"""A match: hands played one after another, with running totals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .hand import Hand
from .table import seat_names
from .transcript import check_transcript, read_json
from .values import NAMES, Action, BadInput, Random


@dataclass
class Match:
    """Hands played one after another, with running totals, until somebody has won.

    ``apply`` acts in the present hand; when that is over its scores are in ``totals``, and ``deal`` begins the next one.
    """

    hand_class: ClassVar[type[Hand]]
    players: int | Sequence[str] = 0
    seed: int = 0
    totals: dict[str, int] = field(default_factory=dict)
    dealer: int | None = None
    score_pad: list[dict[str, int]] = field(default_factory=list)
    finished: list[dict[str, Any]] = field(default_factory=list)
    hands_before: int = 0

    def __post_init__(self) -> None:
        rules = self.hand_class.rules
        self.players = seat_names(rules, self.players or rules.players[0], rules.table_sizes)
        if self.dealer is None:
            self.dealer = rules.first_dealer
        strange = set(self.totals) - set(self.players) if isinstance(self.totals, dict) else {"?"}
        if strange or not all(type(total) is int for total in self.totals.values()):
            raise BadInput(["totals are whole numbers by player's name"])
        self.totals = {name: self.totals.get(name, 0) for name in self.players}
        self.hand = self._new_hand()

    def _new_hand(self) -> Hand:
        assert not isinstance(self.players, int) and self.dealer is not None
        seats, dealer = self.hand_class.rules.at_table(len(self.players), self.dealer)
        names = tuple(self.players[seat] for seat in seats)
        return self.hand_class(names, dealer=dealer, seed=self.seed, number=self.hands_played)

    @property
    def sits_out(self) -> str | None:
        """Who has no part in the hand that ``dealer`` deals; None if all play."""
        assert not isinstance(self.players, int) and self.dealer is not None
        seats, _ = self.hand_class.rules.at_table(len(self.players), self.dealer)
        return self.players[self.dealer] if self.dealer not in seats else None

    @property
    def hands_played(self) -> int:
        """The hands that are over, those before this table's first one included."""
        return self.hands_before + len(self.score_pad)

    @property
    def winners(self) -> list[str]:
        """Who has won; nobody while the match goes on."""
        bits = self.hand_class.rules.match_winners(list(self.totals.values()), self.hands_played)
        return [name for seat, name in enumerate(self.totals) if bits >> seat & 1]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.winners)

    def apply(self, action: Action | Sequence[Action], player: str | None = None) -> None:
        """Act in the present hand; IllegalAction, and nothing changed, if a rule forbids it."""
        self.hand.apply(action, player)
        if self.hand.over:
            self.end_hand(self.hand.scores, self.hand.transcript())

    def end_hand(self, scores: Mapping[str, int], transcript: dict[str, Any] | None = None) -> None:
        """Add a hand's scores to the totals; the deal passes."""
        assert self.dealer is not None
        for name in self.totals:
            self.totals[name] += scores.get(name, 0)
        self.score_pad.append({name: scores.get(name, 0) for name in self.totals})
        if transcript is not None:
            self.finished.append(transcript)
        self.dealer = self.hand_class.rules.next_dealer(self.dealer, len(self.totals))

    def deal(self) -> Hand:
        """Begin the next hand. BadInput if the present one is not over, or the match is."""
        if self.over:
            raise BadInput(["the match is over"])
        if len(self.finished) < len(self.score_pad) or self.hand.over:
            self.hand = self._new_hand()
            return self.hand
        raise BadInput(["the present hand is not over"])

    def play_randomly(self, random: Random, hands: int = 10**9) -> None:
        """Play on at random until the match is over or so many hands more are finished."""
        while not self.over and hands > 0:
            if self.hand.over:
                self.deal()
            self.hand.play_randomly(random)
            self.end_hand(self.hand.scores, self.hand.transcript())
            hands -= 1

    def transcript(self) -> dict[str, Any]:
        """The hands finished and the present one."""
        present = [] if self.hand.over else [self.hand.transcript()]
        return {
            "format": 1,
            "game": self.hand_class.rules.id,
            "variants": list(self.hand_class.rules.variants),
            "rules": self.hand_class.rules.digest,
            "players": list(self.totals),
            "seed": self.seed,
            "hands": [*self.finished, *present],
        }

    def to_json(self) -> str:
        """The transcript as text; ``from_json`` makes the same match of it."""
        return json.dumps(self.transcript(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Match:
        """The match that ``to_json`` told of; BadInput if the text is not one of these rules."""
        return cls.replay(read_json(text))

    @classmethod
    def replay(cls, transcript: Any) -> Match:
        """Play a match's transcript again, hand by hand."""
        rules = cls.hand_class.rules
        if not isinstance(transcript, Mapping) or not isinstance(transcript.get("hands"), list):
            raise BadInput(["not the transcript of a match: it has no list of hands"])
        head = {"actions": [], "dealer": NAMES[0], "number": 0, **transcript}
        check_transcript(rules, {key: head[key] for key in head if key != "hands"})
        match = cls(tuple(transcript["players"]), transcript["seed"])
        for told in transcript["hands"]:
            if match.over:
                raise BadInput(["a hand follows after the end of the match"])
            hand = cls.hand_class.replay(told)
            expected = match.hand if not match.hand.over else match.deal()
            if _beginning(hand) != _beginning(expected):
                raise BadInput([f"hand {len(match.score_pad) + 1} is not the one this match deals"])
            match.hand = hand
            if hand.over:
                match.end_hand(hand.scores, hand.transcript())
        return match


def _beginning(hand: Hand) -> dict[str, Any]:
    """What a hand's transcript tells of before its first action."""
    return {key: told for key, told in hand.transcript().items() if key not in ("actions", "ended")}
