"""How long matches last, who wins them, and when that is decided."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import Collected, Line, Metric, Section, Told, metric
from trickwright_tools.playtest.metrics.choices import log_of

LENGTHS = (*range(1, 21), 21, 26, 31, 41, 51, 76, 101, 1 << 30)
"""Numbers of hands with which the classes begin into which matches are sorted."""


@metric
class Matches(Metric):
    """Length, winners, changes of the lead and the hand that decides."""

    order = 5
    unit = "match"

    def collect(self, frame: Frame) -> Collected:
        """A number for each match that came to its end."""
        import numpy

        ends = numpy.asarray(frame.chunk.ends, numpy.int64).reshape(frame.hands, -1)
        _, real = log_of(frame)
        decisions = real.sum(axis=1)
        last = numpy.flatnonzero(ends[:, 0])
        first = numpy.concatenate(([0], last[:-1] + 1)) if len(last) else last
        lengths = last - first + 1
        ones = numpy.ones(len(last), numpy.int64)
        lowest = frame.measures.compiled.meaning.game.match.winner == "lowest"
        leads = _leaders(-ends[:, 1:] if lowest else ends[:, 1:])
        changes, settled, margins = [], [], []
        for start, end in zip(first.tolist(), last.tolist(), strict=True):
            lead = leads[start : end + 1]
            sole = [seat for seat in lead if seat >= 0]
            changes.append(sum(a != b for a, b in pairwise(sole)))
            settled.append(_settled(lead))
            totals = sorted(ends[end, 1:].tolist(), reverse=not lowest)
            margins.append(abs(totals[0] - totals[1]) if len(totals) > 1 else 0)
        decided = numpy.array(settled, numpy.int64)
        known = decided > 0
        found: Collected = {
            ("matches", "hands"): (lengths, ones),
            ("matches", "decisions"): (_sums(decisions, first, last), ones),
            ("matches", "changes"): (numpy.array(changes, numpy.int64), ones),
            ("matches", "decided"): (decided * known, lengths * known),
            ("matches", "margin"): (numpy.array(margins, numpy.int64), ones),
            ("matches", "shared"): (
                ((ends[last, 0] & (ends[last, 0] - 1)) != 0).astype(numpy.int64),
                ones,
            ),
        }
        for seat in range(frame.table.members):
            won = ends[last, 0] >> seat & 1
            found["matches", "won", str(seat + 1)] = won, ones
        for least, most in pairwise(LENGTHS):
            hit = ((lengths >= least) & (lengths < most)).astype(numpy.int64)
            found["matches", "length", str(least)] = hit, ones
        return found

    def tell(self, told: Told) -> Iterable[Section]:
        """Length first, then who wins and when."""
        hands = told.sums.get(("matches", "hands"))
        if hands is None or not hands.n:
            return
        pace = told.pace
        several = hands.x > hands.n
        lines = [
            Line(("matches", "hands"), "Hands", tile="hands a match" if several else ""),
            Line(
                ("matches", "decisions"),
                "Minutes",
                scale=pace / 60,
                tile="minutes a match",
                called="matches.minutes",
            ),
            Line(("matches", "decisions"), "Decisions of all players"),
        ]
        text = f"Minutes are decisions at {pace:g} seconds each, the pace of this report; shuffling, dealing and writing down are not counted."
        yield Section(
            "How long a match lasts", text, tuple(lines[0 if several else 1 :]), chart=False
        )
        if several:
            of = [
                Line(key, _length(int(key[2])), "share")
                for key in told.keys("matches", "length")
                if told.sums[key].x
            ]
            if len(of) > 1:
                text = "The share of matches by their number of hands."
                yield Section("Lengths of matches", text, tuple(of))
        won = [
            Line(
                key,
                f"Seat {key[2]}" + (" (deals first)" if self._deals(told, key[2]) else ""),
                "share",
            )
            for key in told.keys("matches", "won")
        ]
        text = f"The share of matches that each seat wins. Without any advantage each would win {1 / told.table.members:.1%}"
        text += (
            ", and a little more where wins are shared."
            if told.sums["matches", "shared"].x
            else "."
        )
        yield Section("Who wins the match", text, tuple(won))
        close = [
            Line(("matches", "margin"), "Points between first and second at the end", unit="points")
        ]
        if told.sums["matches", "shared"].x:
            close.append(Line(("matches", "shared"), "Matches won by several", "share"))
        if several:
            close[:0] = [
                Line(("matches", "changes"), "Changes of the lead in a match"),
                Line(
                    ("matches", "decided"),
                    "Played when the winner takes the lead for good",
                    "share",
                    tile="of a match played when its winner leads for good",
                ),
            ]
        text = "The lead changes when somebody else than before is alone ahead. The share of a match that is played before its winner leads to the end says how late it is decided; matches with several winners are left out of it."
        yield Section("How close matches are", text if several else "", tuple(close), chart=False)

    @staticmethod
    def _deals(told: Told, seat: str) -> bool:
        match = told.meaning.game.match
        return match.deal_passes != "stays" and int(seat) == match.first_dealer


def _length(least: int) -> str:
    """The numbers of hands of a class."""
    most = LENGTHS[LENGTHS.index(least) + 1] - 1
    if most == least:
        return f"{least} hands" if least > 1 else "1 hand"
    return f"{least} to {most} hands" if most < 1 << 20 else f"{least} hands and more"


def _leaders(totals: Any) -> list[int]:
    """Who alone is ahead after each hand, the highest number being best; -1 where nobody is."""
    best = totals.max(axis=1)
    alone = (totals == best[:, None]).sum(axis=1) == 1
    return [
        int(seat) if one else -1 for seat, one in zip(totals.argmax(axis=1), alone, strict=True)
    ]


def _settled(lead: list[int]) -> int:
    """After how many hands the winner led to the end; 0 if nobody is alone ahead in the end."""
    winner, place = lead[-1], len(lead)
    if winner < 0:
        return 0
    while place > 1 and lead[place - 2] == winner:
        place -= 1
    return place


def _sums(values: Any, first: Any, last: Any) -> Any:
    """The sum over the hands of each match."""
    import numpy

    upto = numpy.concatenate(([0], numpy.cumsum(values)))
    return upto[last + 1] - upto[first]
