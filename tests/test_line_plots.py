"""Line plots of a sweep: every interval within the plot, round ticks with room for their words, and the same in words."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import compiled
from trickwright_tools.cli import main

pytest.importorskip("numpy", reason="numpy is not installed: the extra 'playtest' is optional")

from trickwright_tools.playtest.lines import GAP, LETTER, NARROW, in_words, line_plot
from trickwright_tools.playtest.metrics import Line
from trickwright_tools.playtest.page import with_interval
from trickwright_tools.playtest.points import Course, course_of, grid
from trickwright_tools.playtest.ratios import Estimate
from trickwright_tools.playtest.squares import Grid, grid_of, shade
from trickwright_tools.playtest.telling import Figure

pytestmark = pytest.mark.usefixtures("quick_players")
BASE = Estimate(5.0, 4.5, 5.5, 90, True)


def over(*ends: tuple[float, float, float], kind: Any = "mean") -> list[Figure]:
    """A figure at several values: low end, value and high end of each."""
    return [
        Figure(Line(("a",), "a", kind), Estimate(value, low, high, 90, True), BASE)
        for low, value, high in ends
    ]


def words(ticks: Any) -> list[str]:
    return [tick.text for tick in ticks]


@pytest.mark.parametrize(
    ("texts", "called", "values", "as_is"),
    [
        (["match.until=100..300/100"], "until", (100, 200, 300), 200),
        (["match.until=300, 100"], "until", (300, 100), 200),
        (["tables.team_goal.4[0]=-1..1"], "team_goal.4[0]", (-1, 0, 1), 30),
        (["match.nowhere=1,2.5"], "nowhere", (1, 2.5), None),
        (["auction.opens=dealer,first"], None, (), None),
        (["match.until=100,many"], None, (), None),
        (["match.until=100"], None, (), None),
        (["match.until=100,100.0"], None, (), None),
        (["match.until=100..101", "match.hands=1..2"], None, (), None),
    ],
)
def test_values_of_one_number_are_a_course(
    texts: list[str], called: str | None, values: tuple[float, ...], as_is: float | None
) -> None:
    found = course_of(grid(texts), compiled("chief-and-vice").root)
    assert found == (None if called is None else Course(called, values, as_is))


def test_every_interval_is_within_the_plot() -> None:
    drawn = line_plot(Course("x", (9, 3, 6), 5), over((7, 8, 9), (1, 2, 3), (4, 5.0, 6)))
    assert drawn is not None and drawn.as_is is not None
    # In the order of the number, whatever the order of the points; percent from the top, the axis being from 0 to 10.
    assert words(drawn.left) == ["0", "2", "4", "6", "8", "10"]
    assert [(dot.high, dot.y, dot.low) for dot in drawn.dots] == [
        (70, 80, 90),
        (40, 50, 60),
        (10, 20, 30),
    ]
    places = [dot.x or 0 for dot in drawn.dots]
    assert places == sorted(places) and 0 not in places and 100 not in places
    assert words(drawn.below) == ["3", "4", "5", "6", "7", "8", "9"]
    assert drawn.as_is.x == pytest.approx(drawn.below[2].at) and drawn.as_is.y == 50
    assert drawn.lines == (" ".join(f"{dot.x},{dot.y}" for dot in drawn.dots),)


@pytest.mark.parametrize(
    ("as_is", "places", "at"),
    [
        (15, (3.7, 96.3), 50),
        (0, (50, 96.3), 3.7),
        (30, (3.7, 50), 96.3),
        (31, (3.7, 96.3), None),
        (-1, (3.7, 96.3), None),
    ],
)
def test_rules_far_off_do_not_squeeze_the_points(
    as_is: float, places: tuple[float, float], at: float | None
) -> None:
    drawn = line_plot(Course("x", (10, 20), as_is), over((1, 2, 3), (1, 2, 3)))
    assert drawn is not None and drawn.as_is is not None
    assert [dot.x for dot in drawn.dots] == pytest.approx(places, abs=0.05)
    assert drawn.as_is.x == (None if at is None else pytest.approx(at, abs=0.05))
    assert drawn.as_is.y == 20  # of an axis from 1 to 6


@pytest.mark.parametrize(
    "values",
    [
        (0, 1),
        (20, 30),
        (-300, 300),
        (0, 99),
        (1, 2.5),
        (0.001, 0.002),
        (999_999_000, 999_999_999),
        (-999_999_999, 999_999_999),
    ],
)
def test_ticks_are_round_and_have_room_on_a_phone(values: tuple[float, float]) -> None:
    low, high = values
    drawn = line_plot(Course("x", values, None), over((low, low, low), (high, high, high)))
    assert drawn is not None
    written = [float(text.replace("−", "-").replace(",", "")) for text in words(drawn.below)]
    assert len(written) > 1 and low <= written[0] and written[-1] <= high
    pixels = NARROW - LETTER * drawn.room
    for one, two in pairwise(drawn.below):
        taken = LETTER * (len(one.text) + len(two.text)) / 2
        assert (two.at - one.at) / 100 * pixels >= taken + GAP / 2, words(drawn.below)
    upright = [float(text.replace("−", "-").replace(",", "")) for text in words(drawn.left)]
    assert 3 <= len(upright) <= 7 and upright[0] <= min(low, 4.5) and upright[-1] >= max(high, 5.5)
    gaps = {round(two - one, 9) for one, two in pairwise(upright)}
    assert len(gaps) == 1 and f"{gaps.pop():e}"[0] in "125"


def test_shares_are_in_percent_and_whole_numbers_have_no_ticks_between_them() -> None:
    figures = [
        replace(one, base=None) for one in over((0.0, 0.02, 0.04), (0.9, 1.0, 1.0), kind="share")
    ]
    drawn = line_plot(Course("x", (1, 2), None), figures)
    assert drawn is not None and drawn.as_is is None
    assert words(drawn.left) == ["0%", "20%", "40%", "60%", "80%", "100%"]
    assert words(drawn.below) == ["1", "2"]


def test_a_figure_that_is_the_same_everywhere_has_a_plot() -> None:
    figures = [replace(one, base=None) for one in over((3, 3, 3), (3, 3, 3))]
    drawn = line_plot(Course("x", (1, 2), None), figures)
    assert drawn is not None and {dot.y for dot in drawn.dots} == {50}


def test_the_line_is_broken_where_there_is_too_little_to_tell() -> None:
    figures = over((1, 2, 3), (1, 2, 3), (1, 2, 900), (4, 5, 6))
    few = Estimate(2.0, 1.0, 900.0, 3, False)
    figures[2] = replace(figures[2], estimate=few)
    course = Course("x", (1, 2, 3, 4), None)
    drawn = line_plot(course, figures)
    assert drawn is not None
    assert [dot.alone for dot in drawn.dots] == [False, False, True]
    assert [len(line.split()) for line in drawn.lines] == [2, 1]
    assert words(drawn.left)[-1] == "6" and words(drawn.below) == ["1", "2", "3", "4"]
    figures[:2] = [replace(one, estimate=few) for one in figures[:2]]
    assert line_plot(course, figures) is None


def test_the_plot_is_told_in_words() -> None:
    said = in_words(
        Course("goal", (3, 1, 2), 4), over((4, 5, 6), (1, 2, 3), (8, 9, 10)), with_interval
    )
    assert said == (
        "Over goal: 2.0 (95% interval 1.0 to 3.0) at 1, 5.0 (95% interval 4.0 to 6.0) at 3; "
        "lowest 2.0 (95% interval 1.0 to 3.0) at 1, highest 9.0 (95% interval 8.0 to 10.0) at 2. "
        "The rules as they stand, at 4: 5.0 (95% interval 4.5 to 5.5). The table below has all values."
    )


def swept(tmp_path: Path, *words: str) -> str:
    """The page of a sweep."""
    out = tmp_path / "report.html"
    call = ["playtest", "papayoo", "--hands", "40", "--ways", "random", "--plain", "--workers", "1"]
    result = CliRunner().invoke(main, [*call, *words, "--out", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["figures"]
    return out.read_text(encoding="utf-8")


def test_a_sweep_of_one_number_has_a_plot_for_each_figure(tmp_path: Path) -> None:
    shown = ("--show", "spread.all", "--show", "choices.forced.all")
    html = swept(tmp_path, "--sweep", "scoring.numbers.papayoo_points=20..60/20", *shown)
    drawn = [
        ET.fromstring(one)[0] for one in re.findall(r'<div class="drawn".*?</div>', html, re.DOTALL)
    ]
    assert len(drawn) == 2
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    for svg in drawn:
        title, words = svg.find("title"), svg.find("desc")
        assert title is not None and words is not None
        assert (svg.get("aria-labelledby"), svg.get("aria-describedby")) == (
            title.get("id"),
            words.get("id"),
        )
        assert len(svg.findall("circle[@class='dot']")) == 3
        assert len(svg.findall("circle[@class='ring']")) == 1
        assert len(svg.findall("line[@class='as-is']")) == 2
        band, line = svg.findall(".//polygon")[0], svg.findall(".//polyline")[0]
        assert len((band.get("points") or "").split()) == 6
        assert len((line.get("points") or "").split()) == 3
    assert "with papayoo_points = 40" in html and "papayoo_points = 60" in html
    assert "<ul" not in html.partition("What differs")[0]
    assert 'class="only"' not in html and 'class="tested"' not in html


def test_a_sweep_of_other_values_has_bars(tmp_path: Path) -> None:
    sweeps = ("--sweep", "scoring.numbers.papayoo_points=20,60", "--sweep", "match.hands=2,3")
    html = swept(tmp_path, *sweeps, "--show", "spread.all")
    table = html.partition('<div class="squares"')[2].partition("</div>")[0]
    assert re.findall(r"<th scope=.(?:col|row).>(.*?)</th>", table) == ["2", "3", "20", "60"]
    # 210 points lie in the other cards, for three players.
    cells = [float(cell) for cell in re.findall(r"</i>(.*?)</td>", table)]
    assert cells == [pytest.approx(value, abs=0.06) for value in (76.7, 76.7, 90, 90)]
    assert re.findall(r"opacity: ([\d.]+)", table) == ["0.0", "0.0", "1.0", "1.0"]
    assert "down: papayoo_points; across: hands" in html.lower()
    assert "<polyline" not in html and 'class="tested"' in html and "The pale bar" in html


def test_a_grid_knows_its_points_and_those_that_were_left_out() -> None:
    found = grid_of(grid(["a.x=1,2", "b.y=3..4"])[:3])
    assert found == Grid("x", "y", (("1", "3"), ("1", "4"), ("2", "3")))
    figures = over((1, 2, 3), (1, 3, 3), (1, 6, 6))
    assert found is not None and (found.rows, found.columns) == (["1", "2"], ["3", "4"])
    assert found.figure(figures, "2", "3") is figures[2]
    assert found.figure(figures, "2", "4") is None
    assert [shade(one, figures) for one in figures] == [0, 0.25, 1]
    assert shade(figures[0], figures[:1]) == 0
    for other in (["a.x=1,2"], ["a.x=1", "b=1", "c=1"]):
        assert grid_of(grid(other)) is None
