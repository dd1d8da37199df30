"""The engine of Chief and Vice against a naive second implementation, on random hands, step by step."""

from __future__ import annotations

from collections import Counter

import pytest

import oracle
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
