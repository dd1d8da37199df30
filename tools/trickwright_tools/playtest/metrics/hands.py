"""How hands end, and what the places at the table earn."""

from __future__ import annotations

from collections.abc import Iterable

from trickwright.meaning import Meaning
from trickwright_tools.playtest.measures import DEALER, OUTCOME, Frame
from trickwright_tools.playtest.metrics import (
    Collected,
    Line,
    Metric,
    Section,
    Told,
    by_role,
    capital,
    metric,
)
from trickwright_tools.playtest.ratios import Key, Ratio


@metric
class Outcomes(Metric):
    """How often hands end in each way."""

    order = 10

    def applies(self, meaning: Meaning) -> bool:
        """Where there is more than one way."""
        return len(meaning.endings) > 1

    def collect(self, frame: Frame) -> Collected:
        """For each way: one for each hand that ended so."""
        ended = frame.state(OUTCOME)
        return {
            ("outcomes", name): ((ended == number).astype(ended.dtype), frame.ones)
            for number, name in enumerate(frame.engine.RULES.outcomes)
            if name
        }

    def tell(self, told: Told) -> Iterable[Section]:
        """One table."""
        lines = [
            Line(
                key,
                capital(told.word("outcome", key[1])),
                "share",
                tile=f"end as “{told.word('outcome', key[1])}”",
            )
            for ending in told.meaning.endings
            for key in told.keys("outcomes", ending.outcome)
        ]
        yield Section("How hands end", "The share of all hands that end in each way.", tuple(lines))


@metric
class Roles(Metric):
    """What each role earns in a hand."""

    order = 30

    def collect(self, frame: Frame) -> Collected:
        """For each role: the scores of those who have it, and how many they are."""
        found: Collected = {}
        scores, somebody = frame.scores, 0 * frame.ones
        for column in frame.columns("role"):
            holders = frame.holders(column)
            count = holders.sum(axis=1)
            somebody |= frame.told_of(column)
            found["roles", "earns", column.name] = ((scores * holders).sum(axis=1), count)
            found["roles", "there", column.name] = ((count > 0).astype(count.dtype), frame.ones)
        if found:
            import numpy

            others = 1 - (somebody[:, None] >> numpy.arange(frame.players)[None, :] & 1)
            others *= (somebody > 0)[:, None]
            found["roles", "earns", ""] = ((scores * others).sum(axis=1), others.sum(axis=1))
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """What roles earn, and how often somebody has each."""
        earns = [
            Line(key, capital(told.word("role", key[2])), unit="points")
            if key[2]
            else Line(key, "All others", unit="points", called="roles.earns.all_others")
            for key in by_role(told, told.keys("roles", "earns"), last="")
            if told.sums[key].n
        ]
        if not earns:
            return
        text = "Mean score of a hand for one player who has the role. A player may have several: a member of a team and its leader."
        yield Section("What each role earns", text, tuple(earns))
        alike: dict[Ratio, list[Key]] = {}
        for key in by_role(told, told.keys("roles", "there")):
            if 0 < told.sums[key].x < told.sums[key].n:
                alike.setdefault(told.sums[key], []).append(key)
        there = [
            Line(keys[0], capital(", ".join(told.word("role", key[2]) for key in keys)), "share")
            for keys in alike.values()
        ]
        if there:
            text = "The share of all hands in which somebody has the role."
            yield Section("How often there is such a role", text, tuple(there))


@metric
class Seats(Metric):
    """Whether it matters where one sits from the dealer."""

    order = 60

    def applies(self, meaning: Meaning) -> bool:
        """Where the deal goes round."""
        return meaning.game.match.deal_passes != "stays"

    def collect(self, frame: Frame) -> Collected:
        """For each place from the dealer: how far its player is above the mean of those who play, times their number.

        A dealer who sits out has no place; the left neighbour has the dealer's part then.
        """
        import numpy

        scores, players, sits_out = frame.scores, frame.players, int(frame.table.sits_out)
        total, rows = scores.sum(axis=1), numpy.arange(frame.hands)
        return {
            ("seats", str(place + sits_out)): (
                scores[rows, (frame.state(DEALER) + place) % players] * players - total,
                frame.ones * players,
            )
            for place in range(players)
        }

    def tell(self, told: Told) -> Iterable[Section]:
        """One table, from the dealer to the left."""
        called = {0: "Dealer", 1: "1st to the left", 2: "2nd to the left", 3: "3rd to the left"}
        lines = [
            Line(key, called.get(int(key[1]), f"{key[1]}th to the left"), unit="points")
            for key in told.keys("seats")
        ]
        less = told.meaning.game.match.winner == "lowest"
        text = "How far the player at each place from the dealer is above the mean of the table in a hand. An interval that holds 0 says that no advantage is seen."
        text += " Here it is better to be below." if less else ""
        text += (
            " The dealer sits out, and the mean is that of those who play."
            if told.table.sits_out
            else ""
        )
        yield Section("Places from the dealer", text, tuple(lines))


@metric
class Spread(Metric):
    """How much a hand brings, and how widely that varies."""

    order = 65

    def collect(self, frame: Frame) -> Collected:
        """All scores, the best, and the worst of each hand."""
        scores = frame.scores
        return {
            ("spread", "all"): (scores.sum(axis=1), frame.ones * frame.players),
            ("spread", "most"): (scores.max(axis=1), frame.ones),
            ("spread", "least"): (scores.min(axis=1), frame.ones),
        }

    def tell(self, told: Told) -> Iterable[Section]:
        """One table."""
        words = {
            "most": "Highest of the table",
            "all": "Mean of the table",
            "least": "Lowest of the table",
        }
        lines = [Line(("spread", name), word, unit="points") for name, word in words.items()]
        yield Section("Scores of a hand", "Mean scores of a hand.", tuple(lines))
