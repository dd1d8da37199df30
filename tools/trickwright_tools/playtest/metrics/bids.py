"""What is bid, what each bid brings, and what is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trickwright.meaning import Meaning
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import (
    Collected,
    Line,
    Metric,
    Section,
    Told,
    capital,
    metric,
    role_of_bidder,
)

TRUMP_KINDS = ("suit", "rank", "none")


def trump_kind(frame: Frame, trump: Any) -> Any:
    """The kind of trump named in each hand, by its place in ``TRUMP_KINDS``; -1 where nothing is."""
    import numpy

    engine = frame.engine
    kinds = numpy.where(trump < engine.SUITS, 0, numpy.where(trump < engine.NO_TRUMP, 1, 2))
    return numpy.where((trump < 0) | (trump > engine.NO_TRUMP), -1, kinds)


def highest(frame: Frame) -> int:
    """The highest number that can be bid."""
    return max(d.adds.highest_bid for d in frame.measures.compiled.meaning.phases)


def classes(frame: Frame) -> list[tuple[str, str, Any, list[str]]]:
    """Ways to sort hands by what was bid and named: kind, name, number of its class in each hand, names of the classes."""
    found = []
    for column in frame.columns("bid"):
        bid = frame.told_of(column)
        found.append(("bid", column.name, bid, [str(n) for n in range(highest(frame) + 1)]))
    for column in frame.columns("trump"):
        kinds = trump_kind(frame, frame.told_of(column))
        found.append(("trump", column.name, kinds, list(TRUMP_KINDS)))
    for column in frame.columns("side"):
        side = frame.told_of(column)
        names = [str(n) for n in range(len(frame.measures.compiled.meaning.game.deck.side_names))]
        found.append(("side", column.name, side, names))
    return found


def class_word(told: Told, kind: str, name: str) -> str:
    """What a class of hands is called."""
    if kind == "bid":
        return f"Bid of {name}"
    if kind == "side":
        return capital(told.meaning.game.deck.side_names[int(name)])
    return {"suit": "A suit", "rank": "A rank", "none": "No trumps"}[name]


def class_title(told: Told, kind: str, name: str) -> str:
    """By what hands are sorted."""
    if kind == "bid":
        return "the winning bid"
    if kind == "trump" and name.endswith("_trump"):
        return f"the {told.word('role', name.removesuffix('_trump'))}'s trumps"
    return told.word("role", name)


@metric
class Bids(Metric):
    """How high the winning bid is, and what it brings."""

    order = 20

    def applies(self, meaning: Meaning) -> bool:
        """Where somebody bids highest."""
        return bool(role_of_bidder(meaning))

    def collect(self, frame: Frame) -> Collected:
        """The bid, how often each, and the bidder's score with it."""
        found: Collected = {}
        for column in frame.columns("bid"):
            bid = frame.told_of(column)
            there = (bid >= 0).astype(bid.dtype)
            found["bids", "mean"] = bid * there, there
            role = next(c for c in frame.columns("role") if c.name == column.name)
            score = (frame.scores * frame.holders(role)).sum(axis=1)
            for value in range(highest(frame) + 1):
                hit = (bid == value).astype(bid.dtype)
                found["bids", "often", str(value)] = hit, there
                found["bids", "brings", str(value)] = score * hit, hit
            found["bids", "brings", "any"] = score * there, there
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """How high, and what it is worth."""
        role = capital(told.word("role", role_of_bidder(told.meaning)))
        often = [
            Line(key, f"Bid of {key[2]}", "share")
            for key in told.keys("bids", "often")
            if told.sums[key].x
        ]
        mean = Line(("bids", "mean"), f"Mean bid of the {role}", tile="is the mean winning bid")
        text = f"What the {role} has bid in the end. Shares are of the hands that have a {role}."
        yield Section("The winning bid", text, (mean,), chart=False)
        yield Section("How often each bid wins", text, tuple(often))
        brings = [
            Line(key, "Any bid" if key[2] == "any" else f"Bid of {key[2]}", unit="points")
            for key in told.keys("bids", "brings")
            if told.sums[key].n
        ]
        text = f"Mean score of the {role} in a hand, by the bid. A bid that pays more is not thereby the better choice: those who bid high hold the better cards."
        yield Section(f"What each bid brings the {role}", text, tuple(brings))


@metric
class Named(Metric):
    """What is named as trumps or side, and what that brings the one who bid highest."""

    order = 24

    def applies(self, meaning: Meaning) -> bool:
        """Where more than one kind of trump, or a side, can be named by players."""
        return bool(role_of_bidder(meaning)) and (
            len(meaning.trump_kinds) > 1 or bool(meaning.game.deck.side_names)
        )

    def collect(self, frame: Frame) -> Collected:
        """How often each, and the bidder's score with it."""
        found: Collected = {}
        bidders = {column.name for column in frame.columns("bid")}
        role = next(c for c in frame.columns("role") if c.name in bidders)
        score = (frame.scores * frame.holders(role)).sum(axis=1)
        for kind, name, number, names in classes(frame):
            if kind == "bid":
                continue
            there = (number >= 0).astype(score.dtype)
            for value, called in enumerate(names):
                hit = (number == value).astype(score.dtype)
                found["named", "often", kind, name, called] = hit, there
                found["named", "brings", kind, name, called] = score * hit, hit
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """A table for each thing named."""
        role = capital(told.word("role", role_of_bidder(told.meaning)))
        names = dict.fromkeys((key[2], key[3]) for key in told.keys("named", "often"))
        for kind, name in names:
            keys = [key for key in told.keys("named", "often", kind, name) if told.sums[key].x]
            lines = tuple(Line(key, class_word(told, kind, key[4]), "share") for key in keys)
            title = class_title(told, kind, name)
            text = "How often each is named, of the hands in which anything is."
            yield Section(f"Choice of {title}", text, lines)
            brings = tuple(
                Line((key[0], "brings", *key[2:]), class_word(told, kind, key[4]), unit="points")
                for key in keys
            )
            text = f"Mean score of the {role} in a hand, by what is named."
            yield Section(f"What the choice of {title} brings the {role}", text, brings)
