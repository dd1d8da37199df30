"""What tricks bring, and what is passed on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trickwright.meaning import Meaning
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import Collected, Line, Metric, Section, Told, metric


def has_kind(meaning: Meaning, kind: str) -> bool:
    """Whether the game has a phase of a kind."""
    return any(declared.phase.kind == kind for declared in meaning.phases)


@metric
class Tricks(Metric):
    """What a player scores by the tricks won."""

    order = 40

    def applies(self, meaning: Meaning) -> bool:
        """Where tricks are played."""
        return has_kind(meaning, "tricks")

    def collect(self, frame: Frame) -> Collected:
        """The scores of those who won so many tricks, and how many they are."""
        won, scores = frame.seats(frame.engine.TRICKS_WON), frame.scores
        played = (won.sum(axis=1) > 0)[:, None]
        found: Collected = {}
        for tricks in range(int(won.max()) + 1):
            hit = ((won == tricks) & played).astype(scores.dtype)
            found["tricks", "brings", str(tricks)] = (scores * hit).sum(axis=1), hit.sum(axis=1)
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """One table."""
        lines = [
            Line(key, "1 trick" if key[2] == "1" else f"{key[2]} tricks", unit="points")
            for key in told.keys("tricks", "brings")
            if told.sums[key].n
        ]
        text = "Mean score of a player in a hand, by the number of tricks won."
        yield Section("What tricks bring", text, tuple(lines))


@metric
class Passing(Metric):
    """Which cards are passed on: how many points lie in them."""

    order = 42

    def applies(self, meaning: Meaning) -> bool:
        """Where cards that are worth points are passed on."""
        return has_kind(meaning, "pass-cards") and bool(meaning.game.deck.worth)

    def collect(self, frame: Frame) -> Collected:
        """Card points and cards that were passed on and that were kept, at the beginning of the hand."""
        passed = frame.seats(frame.engine.PASSED)
        import numpy

        held = numpy.stack(
            [frame.state(frame.engine.HAND + seat, "openings") for seat in range(frame.players)],
            axis=1,
        )
        kept = held & ~passed
        scores = frame.scores
        low = worth(frame, passed) * frame.players <= worth(frame, passed).sum(axis=1)[:, None]
        found: Collected = {}
        for name, cards in (("passed", passed), ("kept", kept)):
            found["passing", name] = (
                worth(frame, cards).sum(axis=1),
                count(frame, cards).sum(axis=1),
            )
        for name, which in (("few", low), ("many", ~low)):
            hit = which.astype(scores.dtype)
            found["passing", name] = (scores * hit).sum(axis=1), hit.sum(axis=1)
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """Two tables."""
        lines = (
            Line(("passing", "passed"), "In a card passed on", unit="points"),
            Line(("passing", "kept"), "In a card kept", unit="points"),
        )
        text = "Mean card points in the cards that players pass on, and in those that they keep."
        yield Section("What is passed on", text, lines)
        lines = (
            Line(("passing", "many"), "More points than the mean of the table", unit="points"),
            Line(("passing", "few"), "No more than that", unit="points"),
        )
        text = "Mean score of a player in a hand, by the card points in what they passed on."
        yield Section("What passing brings", text, lines)


def worth(frame: Frame, cards: Any) -> Any:
    """The card points of sets of cards."""
    deck = frame.measures.compiled.meaning.game.deck
    return sum(points * ones(cards, mask) for points, mask in deck.worth.items())


def count(frame: Frame, cards: Any) -> Any:
    """How many cards are in sets of cards."""
    return ones(cards, (1 << frame.engine.CARDS) - 1)


def ones(cards: Any, mask: int) -> Any:
    """How many of the cards of a mask are in sets of cards."""
    import numpy

    found = numpy.zeros(cards.shape, numpy.int64)
    for card in range(mask.bit_length()):
        if mask >> card & 1:
            found += (cards >> card & 1).astype(numpy.int64)
    return found
