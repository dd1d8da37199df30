"""The rules of comparing: each is told apart from the one next to it."""

from __future__ import annotations

from typing import Any

import pytest

from trickwright_conformance.compare import IN_ORDER, Mismatch, compare, same_list

COMPARED: list[tuple[Any, Any, list[Mismatch]]] = [
    ({"a": 1}, {}, [Mismatch("a", 1, None)]),
    ({"a": None}, {}, [Mismatch("a", None, None)]),
    ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, []),
    ({"a": {"b": 1}}, {"a": {"c": 1}}, [Mismatch("a.b", 1, None)]),
    ({"a": {"b": 1}}, {"a": [1]}, [Mismatch("a", {"b": 1}, [1])]),
    ({"a": True}, {"a": 1}, [Mismatch("a", True, 1)]),
    ({"a": 0}, {"a": False}, [Mismatch("a", 0, False)]),
    ({"a": [True]}, {"a": [1]}, [Mismatch("a", [True], [1])]),
    ({"a": 1}, {"a": "1"}, [Mismatch("a", 1, "1")]),
    ({"a": [1]}, {"a": ["1"]}, [Mismatch("a", [1], ["1"])]),
    ({"a": [None]}, {"a": ["None"]}, [Mismatch("a", [None], ["None"])]),
    ({"laid_order": [1]}, {"laid_order": [True]}, [Mismatch("laid_order", [1], [True])]),
    ({"a": [1]}, {"a": 1}, [Mismatch("a", [1], 1)]),
    ({"a": 1}, {"a": [1]}, [Mismatch("a", 1, [1])]),
    ({"a": ["x", "y"]}, {"a": ["y", "x"]}, []),
    (
        {"a": ["x", "x", "y"]},
        {"a": ["y", "y", "x"]},
        [Mismatch("a", ["x", "x", "y"], ["y", "y", "x"])],
    ),
    ({"trick": {"cards": ["x", "y"]}}, {"trick": {"cards": ["x", "y"]}}, []),
    ({"cards": ["x", "y"]}, {"cards": ["y", "x"]}, []),
    (
        {"laid_order": ["x"]},
        {"laid_order": ["x", "y"]},
        [Mismatch("laid_order", ["x"], ["x", "y"])],
    ),
    ({"a": 1, "b": 2}, {"a": 3, "b": 4}, [Mismatch("a", 1, 3), Mismatch("b", 2, 4)]),
]


@pytest.mark.parametrize(("expected", "got", "mismatches"), COMPARED)
def test_comparing(expected: Any, got: Any, mismatches: list[Mismatch]) -> None:
    assert list(compare(expected, got)) == mismatches


def test_lists_in_order_hold_sets() -> None:
    assert same_list([["x", "y"], ["z"]], [["y", "x"], ["z"]], in_order=True)
    assert not same_list([["z"], ["x", "y"]], [["x", "y"], ["z"]], in_order=True)
    assert not same_list([["x", "y"], "z"], [["x"], "z"], in_order=True)
    assert not same_list([["x"]], ["x"], in_order=True)


def test_the_facts_in_order_are_those_that_the_engine_gives_in_order(chief: Any) -> None:
    """A row of cards, an order of players, or groups; all else is a set."""
    ordered = set()

    def look(value: Any, path: str) -> None:
        if type(value).__name__ in ("CardRow", "Order") or isinstance(value, list):
            ordered.add(path)
        for key, inner in value.items() if isinstance(value, dict) else ():
            look(inner, f"{path}.{key}".lstrip("."))

    for seed in range(20):
        hand, random = chief.Hand(seed=seed), chief.RULES.stream(seed, 0)
        while not hand.over:
            hand.play_randomly(random, 1)
            look({key: fact for key, fact in hand.facts().items() if key != "scored_by"}, "")
    assert ordered == IN_ORDER
