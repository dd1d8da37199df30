"""A match: hands played one after another, with running totals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .hand import Hand
from .table import seat_names
from .transcript import check_transcript, read_json
from .values import NAMES, Action, BadInput, Random, check_stream

MOST_POINTS = 10**15  # of one player in a hand, and before the first hand; sums stay in 64 bits
UNCOUNTED = (
    "the present hand is over, but its scores are not in the totals:"
    " match.end_hand(match.hand.scores, match.hand.transcript()) adds them"
)


@dataclass
class Match:
    """Hands played one after another, with running totals, until somebody has won.

    ``apply`` acts in the present hand; when that is over its scores are in ``totals``, and ``deal`` begins the next one. Who
    plays a hand by itself, such as with ``match.hand.apply``, adds its scores with ``end_hand``.
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
        problems = _points_problems(self.totals, self.players, "totals")
        if type(self.dealer) is not int or not 0 <= self.dealer < len(self.players):
            problems.append(f"there is no seat {self.dealer!r} to deal from")
        if type(self.hands_before) is not int or self.hands_before < 0:
            problems.append("hands_before is a whole number, 0 or more")
        if problems:
            raise BadInput(problems)
        self.totals = {name: self.totals.get(name, 0) for name in self.players}
        self._begun: dict[str, Any] = {}
        if any(self.totals.values()):
            self._begun["totals"] = dict(self.totals)
        if self.dealer != rules.first_dealer:
            self._begun["dealer"] = self.players[self.dealer]
        if self.hands_before:
            self._begun["hands_before"] = self.hands_before
        self._counted: Hand | None = None
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
        """Act in the present hand; IllegalAction, and nothing changed, if a rule forbids it.

        BadInput if ``end_hand`` has told its scores already.
        """
        if self._counted is self.hand and not self.hand.over:
            raise BadInput(["the present hand's scores are in the totals; deal() begins the next"])
        self.hand.apply(action, player)
        if self.hand.over:
            self.end_hand(self.hand.scores, self.hand.transcript())

    def end_hand(self, scores: Mapping[str, int], transcript: dict[str, Any] | None = None) -> None:
        """Add the present hand's scores, by player's name, to the totals; the deal passes.

        Players who are not named score 0. BadInput with all that is wrong, and nothing changed, if the scores are not whole
        numbers of players at this table, or if the match is over. Without its transcript a hand is written down as its scores
        alone.
        """
        assert not isinstance(self.players, int) and self.dealer is not None
        if self.over:
            raise BadInput(["the match is over"])
        problems = _points_problems(scores, self.players, "scores")
        if transcript is not None and not isinstance(transcript, dict):
            problems.append("a hand's transcript is what hand.transcript() gives")
        if problems:
            raise BadInput(problems)
        for name in self.totals:
            self.totals[name] += scores.get(name, 0)
        self.score_pad.append({name: scores.get(name, 0) for name in self.totals})
        self.finished.append(
            {"scores": dict(self.score_pad[-1])} if transcript is None else transcript
        )
        self._counted = self.hand
        self.dealer = self.hand_class.rules.next_dealer(self.dealer, len(self.totals))

    def deal(self) -> Hand:
        """Begin the next hand.

        BadInput if the match is over, if the present hand is not, or if its scores are not yet in the totals.
        """
        if self.over:
            raise BadInput(["the match is over"])
        if self._counted is not self.hand:
            raise BadInput([UNCOUNTED if self.hand.over else "the present hand is not over"])
        self.hand = self._new_hand()
        return self.hand

    def play_randomly(self, random: Random, hands: int = 10**9) -> None:
        """Play on at random until the match is over or so many hands more are finished.

        ``random`` is a stream of the engine, such as ``stream(7, 0)``.
        """
        check_stream(random)
        while not self.over and hands > 0:
            if self._counted is self.hand or self.hand.over:
                self.deal()
            self.hand.play_randomly(random)
            self.end_hand(self.hand.scores, self.hand.transcript())
            hands -= 1

    def transcript(self) -> dict[str, Any]:
        """How the match began, the hands finished and the present one. BadInput if that is over and not in the totals."""
        if self.hand.over and self._counted is not self.hand:
            raise BadInput([UNCOUNTED])
        present = [] if self._counted is self.hand else [self.hand.transcript()]
        return {
            "format": 1,
            "game": self.hand_class.rules.id,
            "variants": list(self.hand_class.rules.variants),
            "rules": self.hand_class.rules.digest,
            "players": list(self.totals),
            "seed": self.seed,
            **self._begun,
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
        names = transcript["players"]
        if "dealer" in transcript and transcript["dealer"] not in names:
            raise BadInput([f"there is no player called '{transcript['dealer']}' to deal"])
        match = cls(
            tuple(names),
            transcript["seed"],
            transcript.get("totals", {}),
            names.index(transcript["dealer"]) if "dealer" in transcript else None,
            hands_before=transcript.get("hands_before", 0),
        )
        for told in transcript["hands"]:
            if match.over:
                raise BadInput(["a hand follows after the end of the match"])
            expected = match.deal() if match._counted is match.hand else match.hand
            if isinstance(told, Mapping) and set(told) == {"scores"}:
                match.end_hand(told["scores"])
                continue
            hand = cls.hand_class.replay(told)
            if _beginning(hand) != _beginning(expected):
                raise BadInput([f"hand {len(match.score_pad) + 1} is not the one this match deals"])
            match.hand = hand
            if hand.over:
                match.end_hand(hand.scores, hand.transcript())
        return match


def _points_problems(points: object, players: Sequence[str], what: str) -> list[str]:
    """What is wrong with points by player's name."""
    if not isinstance(points, Mapping):
        return [f"{what} are whole numbers by player's name"]
    problems = []
    for name, value in points.items():
        if name not in players:
            known = ", ".join(players)
            problems.append(f"{what}: there is no player called '{name}', only {known}")
        if type(value) is not int:
            problems.append(f"{what}: {value!r} for '{name}' is not a whole number")
        elif abs(value) > MOST_POINTS:
            problems.append(f"{what}: the number for '{name}' is beyond {MOST_POINTS}")
    return problems


def _beginning(hand: Hand) -> dict[str, Any]:
    """What a hand's transcript tells of before its first action."""
    return {key: told for key, told in hand.transcript().items() if key not in ("actions", "ended")}
