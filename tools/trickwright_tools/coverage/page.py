"""Coverage as one page for the browser that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from trickwright_tools.coverage.found import KINDS, Coverage
from trickwright_tools.coverage.rows import Row
from trickwright_tools.coverage.text import name


def page(found: Coverage) -> str:
    """The page: what is empty, every kind of row with its cases, and every case with what it pins."""
    environment = Environment(
        loader=PackageLoader("trickwright_tools.coverage", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    kinds = [
        (kind, title, counts[kind], _grouped([row for row in found.rows if row.kind == kind]))
        for counts in [found.counts()]
        for kind, title in KINDS.items()
        if kind in counts
    ]
    template = environment.get_template("coverage.html.j2")
    return template.render(found=found, kinds=kinds, name=name, anchor=anchor)


def anchor(case: str) -> str:
    """The place of a case on the page."""
    return f"case-{case}"


def _grouped(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Rows side by side that belong to one part of the rules, one section or one variant."""
    return [(part, list(own)) for part, own in groupby(rows, _part)]


def _part(row: Row) -> str:
    if row.variants:
        return " + ".join(row.variants)
    if row.kind in ("outcome", "phase", "players"):
        return ""
    if row.kind == "citation":
        return row.place.rpartition(":")[0].rpartition("/")[2]
    parts = row.id.split(".")
    return ".".join(parts[:2]) if parts[0] == "phases" else parts[0].partition("[")[0]
