"""The mutation harness's own small parts: places of a text, functions that become mutants, and the interval of a score."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import jinja2
import pytest

sys.path.append(str(Path(__file__).parent / "mutation"))

from changes import Place, marked, plain
from mutants import function_of, switch_on
from run import texts
from score import told, wilson

from trickwright.emit import TEMPLATES

TEXT = '''def end(state: State) -> int | None:
    """Add 1 and 2, or not."""
    if state[A] >= {{ v.limit }} and cards & 3:  # more than 2
        state[B] = 7
{% if v.count == 4 %}
    return {{ 'left - 1' if v.kind != '0' else 'left' }}
{% endif %}
'''


def changes(text: str) -> list[str]:
    """Each changed form of a text, as the lines that differ."""
    places: list[Place] = []
    whole = marked("some.j2", text, places)
    assert plain(whole, places) == text
    old = text.splitlines()
    found = []
    for number in range(len(places)):
        new = plain(whole, places, number).splitlines()
        differ = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        ((before, after),) = differ
        assert old.index(before) + 1 == places[number].line
        found.append(after.strip())
    return found


def test_each_part_of_the_python_is_changed_and_nothing_else() -> None:
    assert sorted(changes(TEXT)) == sorted(
        [
            "if not state[A] >= {{ v.limit }} and cards & 3:  # more than 2",
            "if state[A] > {{ v.limit }} and cards & 3:  # more than 2",
            "if state[A] >= {{ v.limit }} or cards & 3:  # more than 2",
            "if state[A] >= {{ v.limit }} and cards | 3:  # more than 2",
            "if state[A] >= {{ v.limit }} and cards & 4:  # more than 2",
            "state[B] = 8",
            "pass",
            "return {{ 'left + 1' if v.kind != '0' else 'left' }}",
            "return {{ 'left - 2' if v.kind != '0' else 'left' }}",
        ]
    )


@pytest.mark.parametrize(
    "path",
    sorted(TEMPLATES.parent.rglob("*.j2")),
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_a_template_with_marks_is_a_template_still(path: Path) -> None:
    text, places = path.read_text("utf-8"), []
    whole = marked(path.name, text, places)
    assert plain(whole, places) == text
    jinja2.Environment().parse(whole)


def test_the_interval_is_wilsons() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_the_score_is_told_by_part_and_in_all() -> None:
    lines = told({"b": [1, 2], "a": [7, 8]}, 1000).splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["a", "7", "of", "8", "87.5%"],
        ["b", "1", "of", "2", "50.0%"],
    ]
    assert lines[2] == "10 of 1000 mutants: 8 noticed, 80.0% (95 % interval 49.0% to 94.3%)"


OWN = """
class Purse:
    def __init__(self, coins):
        self.coins = coins

    def less(self, count, *, twice=False):
        return self.coins - count * (1 + twice)

    @staticmethod
    def new():
        return Purse(5)


def sum_of(numbers, start=0):
    return sum(numbers, start)
"""
MUTATED = """
class Purse:
    @mutated(those)
    def less(self, count, *, twice=False):
        return self.coins - count * (1 + twice)

    def xǁPurseǁless__mutmut_orig(self, count, *, twice=False):
        return self.coins - count * (1 + twice)

    def xǁPurseǁless__mutmut_1(
        self, count, *, twice=True
    ):
        return self.coins - count * (1 + twice)
    @staticmethod
    def xǁPurseǁnew__mutmut_orig():
        return Purse(5)
    @staticmethod
    def xǁPurseǁnew__mutmut_1():
        return Purse(6)

those["1"] = xǁPurseǁless__mutmut_1


def x_sum_of__mutmut_1(numbers, start=0):
    some = [

    ]
    return sum(numbers, 1)

those["1"] = x_sum_of__mutmut_1
"""
MUTANTS = [
    "purses.xǁPurseǁless__mutmut_1",
    "purses.xǁPurseǁnew__mutmut_1",
    "purses.x_sum_of__mutmut_1",
]


def test_a_mutant_bears_the_name_of_its_function() -> None:
    assert list(map(function_of, MUTANTS)) == [
        "purses.Purse.less",
        "purses.Purse.new",
        "purses.sum_of",
    ]
    assert function_of("a.b.xǁ_Tableǁ__init____mutmut_12") == "a.b._Table.__init__"


def test_a_function_gets_the_code_of_its_mutant_and_no_other_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "purses.json"
    path.write_text(json.dumps({"code": MUTATED}), encoding="utf-8")
    found = texts(dict.fromkeys(MUTANTS, path), MUTANTS)
    purses = ModuleType("purses")
    exec(OWN, vars(purses))
    monkeypatch.setitem(sys.modules, "purses", purses)
    purse, sum_of = purses.Purse.new(), purses.sum_of
    seen = []
    for mutant in [None, *MUTANTS]:
        if mutant:
            switch_on(mutant, found[mutant])
        seen.append((purse.less(1), purses.Purse.new().coins, sum_of([1, 2])))
    assert seen == [(4, 5, 3), (3, 5, 3), (3, 6, 3), (3, 6, 4)]
