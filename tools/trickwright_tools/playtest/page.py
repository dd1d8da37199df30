"""The playtest as one page for the browser that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from trickwright_tools.playtest.lines import in_words, line_plot, written
from trickwright_tools.playtest.plots import mark, scale_of
from trickwright_tools.playtest.ratios import Estimate
from trickwright_tools.playtest.squares import shade
from trickwright_tools.playtest.telling import Figure, Part


def page(about: Mapping[str, Any], told: Sequence[Part]) -> str:
    """The page."""
    environment = Environment(
        loader=PackageLoader("trickwright_tools.playtest", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tiles = [
        (figure, part)
        for part in told
        for figure in part.figures
        if figure.line.tile and figure.estimate.value is not None
    ]
    differences = []
    for part in told:
        found = [figure for figure in part.figures if figure.differs]
        if found:
            differences.append((max(found, key=_clearness), part, len(found) - 1))
    template = environment.get_template("playtest.html.j2")
    return template.render(
        about=about,
        parts=told,
        tiles=tiles,
        differences=differences,
        compared=about["against"] is not None,
        anchor=anchor,
        digits_of=digits_of,
        number=number,
        interval=interval,
        signed=signed,
        scale_of=scale_of,
        mark=mark,
        line_plot=line_plot,
        in_words=in_words,
        written=written,
        shade=shade,
        with_interval=with_interval,
    )


def _clearness(figure: Figure) -> float:
    """How many half-widths of its interval a difference is away from 0."""
    found = figure.difference
    if found is None or found.value is None or found.low is None or found.high is None:
        return 0.0
    half = (found.high - found.low) / 2
    return abs(found.value) / half if half else float("inf")


def anchor(title: str) -> str:
    """The place of a section on the page."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def digits_of(figures: Sequence[Figure], *, of_differences: bool = False) -> int:
    """Decimals that say something in most of the figures, by the width of their intervals."""
    widths = sorted(
        (found.high - found.low) * (100 if figure.line.kind == "share" else 1)
        for figure in figures
        for found in ([figure.difference] if of_differences else [figure.estimate, figure.base])
        if found and found.enough and found.low is not None and found.high is not None
    )
    if not widths:
        return 1
    width = widths[len(widths) // 2]
    return 0 if width >= 20 else 1 if width >= 0.3 else 2


def _value(figure: Figure, value: float, digits: int) -> str:
    share = figure.line.kind == "share"
    text = f"{100 * value if share else value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def number(figure: Figure, estimate: Estimate, digits: int) -> str:
    """A figure's value with its unit; a dash if there is none."""
    if estimate.value is None:
        return "–"
    sign = "%" if figure.line.kind == "share" else ""
    return f"{_value(figure, estimate.value, digits)}{sign}"


def signed(figure: Figure, estimate: Estimate, digits: int) -> str:
    """A difference: with its sign, shares in percentage points."""
    if estimate.value is None:
        return "–"
    text = _value(figure, estimate.value, digits)
    return text if estimate.value < 0 or not float(text.replace(",", "")) else f"+{text}"


def interval(figure: Figure, estimate: Estimate, digits: int) -> str:
    """The interval in words; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (_value(figure, value, digits) for value in (estimate.low, estimate.high))
    return f"{low} to {high}"


def with_interval(figure: Figure, estimate: Estimate) -> str:
    """A figure's value and its interval in words."""
    digits = digits_of([figure])
    held = interval(figure, estimate, digits)
    return number(figure, estimate, digits) + (f" (95% interval {held})" if held else "")
