"""Fuzzing in the normal run: inputs that showed a fault, and others of their kind, are fine, some new damage, and fuzzers that do find what is wrong."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

FOLDER = Path(__file__).parent / "fuzz"
sys.path.insert(0, str(FOLDER))

import damage  # noqa: E402
import harness  # noqa: E402
import targets  # noqa: E402

NAMES = sorted(targets.TARGETS)
SECONDS = 20.0
"""Against an input that never ends; how long one takes is not tested here."""
KEPT = [(name, kept["why"], kept["text"]) for name in NAMES for kept in harness.kept(name)]


def fine(name: str, text: str) -> str:
    """What came of an input, which is no fault."""
    said, trace = harness.fault(targets.TARGETS[name].run, text, SECONDS)
    assert not trace, trace
    return said


@pytest.mark.parametrize(("name", "why", "text"), KEPT, ids=[f"{k[0]}: {k[1]}" for k in KEPT])
def test_an_input_that_showed_a_fault_or_is_of_its_kind_is_fine(
    name: str, why: str, text: str
) -> None:
    assert fine(name, text)


def test_inputs_are_kept() -> None:
    assert len(KEPT) >= 8
    assert {path.stem for path in harness.CORPUS.glob("*.jsonl")} <= set(NAMES)
    assert {path.stem for path in FOLDER.glob("fuzz_*.py")} == {f"fuzz_{name}" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_damaged_inputs_show_no_fault(name: str) -> None:
    seeds = targets.seeds(name)
    slow = name in ("compiling", "cases", "overlays", "positions")

    @settings(max_examples=25 if slow else 100, deadline=None, database=None, derandomize=True)
    @given(text=st.sampled_from(seeds), chance=st.randoms(use_true_random=True))
    def tried(text: str, chance: random.Random) -> None:
        fine(name, damage.damaged(text, seeds, chance))

    tried()


@pytest.mark.parametrize("name", ["reading", "expressions", "messages"])
def test_any_text_shows_no_fault(name: str) -> None:
    @settings(max_examples=100, deadline=None, database=None, derandomize=True)
    @given(text=st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
    def tried(text: str) -> None:
        fine(name, text)

    tried()


@pytest.mark.parametrize("name", NAMES)
def test_real_inputs_are_taken_so_that_damage_starts_from_what_works(name: str) -> None:
    seeds = targets.seeds(name)
    found = {fine(name, text) for text in seeds[:: max(1, len(seeds) // 12)]}
    assert found - {"refused", "not JSON"}, found


# Do the fuzzers find faults? Plant some.


def broken_reader(text: str) -> str:
    """A reader that forgets that keys may repeat."""
    said = targets.reading(text)
    names = [line.split(":")[0] for line in text.splitlines() if line[:1].isalpha()]
    assert len(names) == len(set(names)), "planted"
    return said


def broken_walk(text: str) -> str:
    """An expression walker that breaks where a name is looked up by itself."""
    said = targets.expressions(text)
    assert said != "refused" or "[players]" not in text, "planted"
    return said


def endless(text: str) -> str:
    """A reader that does not come to an end for a number with many digits."""
    while "9" * 400 in text:
        pass
    return "read"


@pytest.mark.parametrize(
    ("name", "broken", "said"),
    [
        ("reading", broken_reader, "AssertionError"),
        ("expressions", broken_walk, "AssertionError"),
        ("transcripts", endless, "Hangs"),
    ],
)
def test_a_planted_fault_is_found(name: str, broken: Callable[[str], str], said: str) -> None:
    for number, text in harness.inputs(name, 0):
        found, trace = harness.fault(broken, text, 1.0)
        if trace:
            assert found.startswith(said), trace
            return
        assert number < 5_000, "not found"


def test_the_same_number_is_the_same_input() -> None:
    for name in NAMES:
        one, other = harness.inputs(name, 7), harness.inputs(name, 7)
        assert [next(one) for _ in range(5)] == [next(other) for _ in range(5)]


def test_a_fuzzer_runs_by_its_path(tmp_path: Path) -> None:
    call = [sys.executable, str(FOLDER / "fuzz_expressions.py"), "--inputs", "50", "--out", str(tmp_path)]  # fmt: skip
    told = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.startswith("expressions: 50 inputs from 0, 0 kinds of fault, {")
    assert not list(tmp_path.iterdir())


def test_a_fault_is_kept_with_its_input(tmp_path: Path) -> None:
    harness._log(tmp_path, "reading", "a\ud800", "Traceback\nValueError: planted")
    (path,) = tmp_path.iterdir()
    kept = json.loads(path.read_text())
    assert (kept["text"], kept["why"]) == ("a\ud800", "ValueError: planted")
