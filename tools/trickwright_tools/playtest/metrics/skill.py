"""Skill against luck: one strong player among weak ones, every deal played once with the strong one in each seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import hypot, sqrt

from trickwright_tools.estimates import Z
from trickwright_tools.playtest.measures import Frame
from trickwright_tools.playtest.metrics import Collected, Line, Metric, Section, Told, metric
from trickwright_tools.playtest.ratios import ENOUGH, NOTHING, Estimate, Ratio


@metric
class Skill(Metric):
    """How far the strong player is ahead, and the share of the variance of results that follows from who plays.

    What is looked at are deviations of scores from the mean of their hand and table. If the strong player is ``a`` above it in
    the mean, each of the others is ``a / (players - 1)`` below, so who plays explains a variance of ``a² / (players - 1)``.
    What a seat gets in two plays of the same deal with other seatings varies together by what the deal explains.
    """

    order = 80
    unit = "deal"

    def collect(self, frame: Frame) -> Collected:
        """For each deal: sums of deviations of the strong, of all squared, and of products of plays of one deal."""
        import numpy

        players = frame.players
        scores = frame.scores
        off = scores * players - scores.sum(axis=1)[:, None]
        if frame.measures.compiled.meaning.game.match.winner == "lowest":
            off = -off
        off = off.reshape(-1, players, players)  # deals, plays, seats
        plays = numpy.arange(players)
        ahead = off[:, plays, -plays % players].sum(axis=1)
        squares = (off * off).sum(axis=(1, 2))
        products = (off.sum(axis=1) ** 2).sum(axis=1) - squares
        ones = numpy.ones(len(off), numpy.int64)
        return {
            ("skill", "ahead"): (ahead, ones * players * (players - 1)),
            ("skill", "share"): (ahead, squares),
            ("skill", "deal"): (products, squares * (players - 1)),
        }

    def tell(self, told: Told) -> Iterable[Section]:
        """Points, shares of the variance, and hands until skill outweighs luck."""
        if ("skill", "ahead") not in told.sums:
            return
        deals, players = told.sums["skill", "ahead"].behind, told.players

        def share(ratio: Ratio) -> Estimate:
            return explained(ratio, deals, players)

        def dealt(ratio: Ratio) -> Estimate:
            return of_the_deal(ratio, share(told.sums["skill", "share"]), players)

        def hands(ratio: Ratio) -> Estimate:
            return hands_needed(share(ratio))

        lines = (
            Line(("skill", "ahead"), "The strong player is ahead of the others by", unit="points"),
            Line(
                ("skill", "share"),
                "Share of skill in one hand",
                "share",
                special=share,
                tile="of what varies in a hand is skill",
            ),
            Line(
                ("skill", "deal"),
                "Share of the cards dealt in one hand",
                "share",
                special=dealt,
            ),
            Line(
                ("skill", "share"),
                "Hands until skill counts as much as luck",
                special=hands,
                called="skill.hands",
            ),
        )
        strong, weak = told.skill
        text = (
            f"One {strong} player among {weak} ones; every deal is played {players} times, once with the strong one in each seat. "
            "Results are how far scores are from the mean of their hand. The share of skill is the part of their variance that "
            "follows from who is strong; the share of the cards, the part that comes back when the same deal is played with other "
            "seatings; the rest is what the others happen to do. Over several hands skill adds up and luck evens out."
        )
        yield Section("Skill and luck", text, lines, chart=False)


def explained(ratio: Ratio, deals: int, players: int) -> Estimate:
    """The share of the variance that follows from who plays; ``ratio`` has deviations of the strong over squares."""
    if ratio.n == 0 or deals < 2:
        return NOTHING
    mean, square = ratio.x / deals, ratio.n / deals
    of_mean = (ratio.xx - deals * mean**2) / (deals - 1) / deals
    of_square = (ratio.nn - deals * square**2) / (deals - 1) / deals
    together = (ratio.xn - deals * mean * square) / (deals - 1) / deals
    by_mean = 2 * mean / ((players - 1) * square)
    by_square = -(mean**2) / ((players - 1) * square**2)
    value = (mean**2 - of_mean) / ((players - 1) * square)
    spread = by_mean**2 * of_mean + by_square**2 * of_square + 2 * by_mean * by_square * together
    half = Z * sqrt(max(0.0, spread))
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Estimate(max(0.0, value), low, high, deals, deals >= ENOUGH)


def of_the_deal(ratio: Ratio, skill: Estimate, players: int) -> Estimate:
    """The share of the variance that the deal explains; ``ratio`` has products of plays of one deal over squares.

    In two plays of a deal a seat is held by the strong player once at most, which makes results a little more unlike: that is
    put right.
    """
    found = ratio.mean()
    if found.value is None or found.low is None or skill.value is None:
        return found
    if skill.low is None or skill.high is None:
        return found
    half = hypot(found.value - found.low, (skill.high - skill.low) / 2 / (players - 1))
    value = found.value + skill.value / (players - 1)
    return replace(found, value=value, low=value - half, high=value + half)


def hands_needed(share: Estimate) -> Estimate:
    """After how many hands the variance by skill is as large as that by luck."""
    if not share.value or not share.low or not share.high:
        return Estimate(None, None, None, share.behind, False)
    value, low, high = ((1 - part) / part for part in (share.value, share.high, share.low))
    return Estimate(value, low, high, share.behind, share.enough)
