"""The matrix: several reports of engines on one page, which needs nothing but itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trickwright import places, schema
from trickwright.problems import Report
from trickwright_conformance.protocol.messages import as_node, said

SIGNS = {"passed": "✓", "failed": "✗", "skipped": "–", "known": "!", "stale": "?", "absent": ""}
"""What stands in a cell for each state."""

MEANINGS = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped: not claimed",
    "known": "a known failure",
    "stale": "passes, though listed as a failure",
}


class NoReport(ValueError):
    """A file is no report of an engine; the message says which and why."""


@dataclass(frozen=True)
class Cell:
    """A case on an engine."""

    state: str
    why: str = ""

    @property
    def sign(self) -> str:
        """The sign of the state."""
        return SIGNS[self.state]


@dataclass
class Line:
    """A case on all engines."""

    name: str
    title: str
    cells: list[Cell]

    @property
    def news(self) -> list[tuple[int, str]]:
        """What is wrong, with the number of the engine from 1."""
        return [
            (number, cell.why)
            for number, cell in enumerate(self.cells, 1)
            if cell.state in ("failed", "known", "stale")
        ]


@dataclass
class Topic:
    """Cases whose names begin alike."""

    name: str
    lines: list[Line] = field(default_factory=list)

    def tally(self, number: int) -> tuple[int, int]:
        """On an engine: how many cases passed, and how many were played."""
        states = [line.cells[number].state for line in self.lines]
        played = sum(state not in ("skipped", "absent") for state in states)
        return states.count("passed"), played

    @property
    def wrong(self) -> bool:
        """Whether anything failed that was not known."""
        return any(cell.state in ("failed", "stale") for line in self.lines for cell in line.cells)


@dataclass
class Table:
    """A game: its engines and topics."""

    game: str
    reports: list[Mapping[str, Any]]
    topics: list[Topic]


def read_report(path: Path) -> dict[str, Any]:
    """A report that ``trickwright test --engine --format json`` printed. Raises NoReport if it is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NoReport(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise NoReport(f"{path} is no JSON; make it with --format json") from None
    report = Report()
    try:
        schema.check(as_node(value), places.schema("protocol/report"), report)
    except RecursionError:
        raise NoReport(f"{path} is nested too deep") from None
    if report.failed:
        text = said(report.problems[0])
        raise NoReport(f"{path} is no report of 'trickwright test GAME --engine': {text}")
    found: dict[str, Any] = value
    return found


def tables(reports: Iterable[Mapping[str, Any]]) -> list[Table]:
    """The reports by game, in the order of the call; cases in the order of the suite."""
    by_game: dict[str, list[Mapping[str, Any]]] = {}
    for report in reports:
        by_game.setdefault(report["game"], []).append(report)
    return [_table(game, own) for game, own in by_game.items()]


def _table(game: str, reports: list[Mapping[str, Any]]) -> Table:
    titles: dict[str, str] = {}
    cells: list[dict[str, Cell]] = []
    for report in reports:
        titles |= {case["name"]: case["title"] for case in report["cases"]}
        cells.append({case["name"]: Cell(case["state"], _why(case)) for case in report["cases"]})
    topics: dict[str, Topic] = {}
    for name, title in titles.items():
        row = [own.get(name, Cell("absent")) for own in cells]
        start = name.partition(".")[0]
        topics.setdefault(start, Topic(start)).lines.append(Line(name, title, row))
    return Table(game, reports, list(topics.values()))


def _why(case: Mapping[str, Any]) -> str:
    if case["state"] == "skipped":
        return f"lacks {case['lacks']}"
    lines = [case["trouble"]] if case["trouble"] else []
    lines += [
        f"{m['fact']}: expected {_brief(m['expected'])}, got {_brief(m['got'])}"
        for m in case["mismatches"]
    ]
    if case["known"]:
        lines.append(f"known: {case['known']}")
    return "; ".join(lines)


def _brief(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def page(reports: Sequence[Mapping[str, Any]]) -> str:
    """The page as HTML: no script, nothing from elsewhere, and every text of a report escaped."""
    import jinja2

    text = (Path(__file__).parent / "matrix.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(text)
    return template.render(tables=tables(reports), signs=SIGNS, meanings=MEANINGS) + "\n"
