"""Engines against naive second implementations, on random hands, step by step."""

from __future__ import annotations

from collections import Counter

import pytest

import oracle
import papayoo_oracle
from conftest import engine


@pytest.mark.parametrize("players", [4, 5, 6])
@pytest.mark.parametrize("variants", [(), ("no-stalemate",), ("no-stalemate", "to-100")])
def test_the_engine_plays_as_the_rulebook_read_naively(
    variants: tuple[str, ...], players: int
) -> None:
    made = engine("chief-and-vice", variants)
    free = "no-stalemate" in variants
    ends = Counter(oracle.play(made, players, seed, free) for seed in range(120))
    assert ends["played"] > 20
    assert (ends["stalemate"] > 0) != free


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("variants", [(), ("shifting-pass",)])
def test_papayoo_is_played_as_the_rulebook_read_naively(
    variants: tuple[str, ...], players: int
) -> None:
    made = engine("papayoo", variants)
    hands = [papayoo_oracle.play(made, players, seed, bool(variants)) for seed in range(24)]
    assert len({tuple(scores.values()) for scores in hands}) > 20
