"""Acceleration: compiled by numba, the same functions give the same results, bit for bit."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import compiled
from trickwright.runtime_files import runtime_files
from trickwright_tools import fast

numba = pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")

RUNTIME = runtime_files()
SETS: list[tuple[str, tuple[str, ...]]] = [
    ("chief-and-vice", ()),
    ("chief-and-vice", ("no-stalemate", "to-100")),
    ("papayoo", ("shifting-pass",)),
    ("chicane", ()),
    ("chicane", ("nil",)),
]


@pytest.fixture(scope="module", params=SETS, ids=lambda made: "+".join((made[0], *made[1])))
def pair(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, Any]:
    """An engine in a file, and the same compiled."""
    made = compiled(*request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        module = fast.in_a_file(made.engine, RUNTIME, made.game.module)
    return module, fast.accelerate(module)


@pytest.mark.parametrize("seed", [0, 1, 2**40 + 7])
def test_hands_are_the_same_compiled_and_plain(pair: tuple[ModuleType, Any], seed: int) -> None:
    plain, compiled_engine = pair
    hands = 1200 // len(plain.RULES.players)
    for players in plain.RULES.players:
        slow = [[0] * (2 + players) for _ in range(hands)]
        quick = compiled_engine.results(hands, players)
        one = plain.play_hands([0] * plain.SIZE, [0, 0], seed, 3, players, slow)
        other = compiled_engine.play_hands(
            compiled_engine.state(), compiled_engine.random(), seed, 3, players, quick
        )
        assert quick.tolist() == slow
        assert one == other


def test_states_are_the_same_at_every_step(pair: tuple[ModuleType, Any]) -> None:
    plain, compiled_engine = pair
    for number in range(40):
        hand = plain.Hand(4, seed=2, number=number)
        state, random = compiled_engine.state(), compiled_engine.random()
        state[:] = hand.state
        compiled_engine.seed_random(random, 9, number)
        ours = plain.stream(9, number)
        while not hand.over:
            legal = plain.legal(hand.state)
            assert compiled_engine.legal(state) == legal
            action = plain.pick(ours, legal)
            assert compiled_engine.pick(random, legal) == action
            plain.apply(hand.state, action)
            compiled_engine.apply(state, action)
            assert state.tolist() == hand.state


def test_random_words_of_the_twin_are_those_of_the_engine(pair: tuple[ModuleType, Any]) -> None:
    plain, compiled_engine = pair
    for seed in (0, 1, 1234567, 2**62 + 11):
        made, ours = compiled_engine.random(), [0, 0]
        compiled_engine.seed_random(made, seed, seed % 1000)
        plain.seed_random(ours, seed, seed % 1000)
        for _ in range(200):
            assert compiled_engine.functions["next_word"](made) == plain.next_word(ours)
            assert int(made[0]) % 2**64 == ours[0]


def test_bit_twins_agree_with_python(pair: tuple[ModuleType, Any]) -> None:
    functions = pair[1].functions
    for value in [0, 1, 2, 3, 2**51, 2**52 - 1, 2**61, 2**62 - 1, 0xF0F0F0F0F0]:
        assert functions["bit_count"](value) == value.bit_count()
        assert functions["bit_length"](value) == value.bit_length()


def test_a_pick_without_a_loop_is_that_of_the_engine(pair: tuple[ModuleType, Any]) -> None:
    engine, compiled_engine = pair
    plain, made = engine.stream(7, 8), compiled_engine.random()
    compiled_engine.seed_random(made, 7, 8)
    shuffled = random.Random(5)
    for count in range(1, 62):
        actions = sum(1 << place for place in shuffled.sample(range(62), count))
        for _ in range(20):
            assert compiled_engine.pick(made, actions) == engine.pick(plain, actions)


@pytest.mark.parametrize("processor", ["generic", "znver1"])
def test_code_for_another_processor_picks_as_any_can(processor: str) -> None:
    text = "from trickwright_tools.fast_twins import TWINS; print(sorted(TWINS))"
    environment = {**os.environ, "NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    call = [sys.executable, "-c", text]
    found = subprocess.run(call, capture_output=True, text=True, env=environment, check=False)
    assert found.stdout == "['_set_to', 'bit_count', 'bit_length', 'next_word', 'seed_random']\n"


def test_without_numba_the_message_says_how_to_get_it(
    chief: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(fast.NotInstalled, match=r"pip install 'trickwright\[fast\]'"):
        fast.accelerate(chief)


def test_engines_of_one_text_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = compiled("chief-and-vice", ("to-100",))
    one = fast.in_a_file(made.engine, RUNTIME, made.game.module)
    other = fast.in_a_file(made.engine, RUNTIME, made.game.module)
    assert one is other and one.MATCH_UNTIL == 100
    assert Path(str(one.__file__)).is_relative_to(tmp_path)
