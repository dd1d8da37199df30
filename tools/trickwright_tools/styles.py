"""Styles of play that know nothing but the rules: which legal action a player takes by chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trickwright.templates.runtime import Phase, Random, Rules

Style = Callable[["Rules", "Phase", "Random", int], int]
"""Takes the rules, the phase, random numbers and the legal actions as bits; gives one of them."""

_TWO = 0b11


def uniform(rules: Rules, phase: Phase, random: Random, legal: int) -> int:
    """Any legal action, all equally likely."""
    return rules.pick(random, legal)


def steady(rules: Rules, phase: Phase, random: Random, legal: int) -> int:
    """Where a turn can be closed, close it half of the time; otherwise any other legal action."""
    closing = 1 << phase.closes if phase.closes >= 0 else 0
    if not legal & closing or legal == closing:
        return rules.pick(random, legal)
    return phase.closes if rules.pick(random, _TWO) else rules.pick(random, legal & ~closing)


STYLES: dict[str, Style] = {"random": uniform, "steady": steady}
"""By the names that the command line knows them by."""
