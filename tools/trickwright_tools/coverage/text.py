"""Coverage as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from trickwright_tools.coverage.found import KINDS, Coverage
from trickwright_tools.coverage.rows import Row
from trickwright_tools.layout import wrapped

MOST_CASES = 3
"""Cases of a row that are named; the others are counted."""


def table(found: Coverage) -> str:
    """The rows of each kind with their cases, then the empty ones, then how many there are."""
    return "\n".join(_lines(found))


def _lines(found: Coverage) -> Iterator[str]:
    for kind, title in KINDS.items():
        rows = [row for row in found.rows if row.kind == kind]
        # Citations are told case by case in the other formats; here only those that are wrong.
        if rows and kind != "citation":
            yield f"{title}:"
            yield from map(_row, rows)
            yield ""
    if not found.has_rulebook:
        yield f"there is no rulebook.yaml of {found.game}, so nothing is known of its statements\n"
    failed = [case.id for case in found.cases if not case.passed]
    if failed:
        yield f"fail, and so pin nothing: {', '.join(failed)}\n"
    unnamed = [case for case in found.cases if case.unnamed]
    if unnamed:
        yield "cases that cite a section of the rulebook none of whose statements names them:"
        yield from (f"  {case.id}: {', '.join(case.unnamed)}" for case in unnamed)
        yield ""
    if found.empty:
        yield "empty:"
        for row in found.empty:
            yield f"  {name(row)}  {row.place}".rstrip()
            yield wrapped(row.why)
        yield ""
    for kind, (count, empty) in found.counts().items():
        yield f"  {count:>5} {KINDS[kind]}{f', {empty} empty' if empty else ''}"
    yield f"{found.game}: {len(found.rows)} rows, {len(found.empty) or 'none'} empty"


def name(row: Row) -> str:
    """What a row is about, with the variants that it belongs to."""
    return f"{row.id} ({' + '.join(row.variants)})" if row.variants else row.id


def _row(row: Row) -> str:
    sign = {"pinned": " ", "empty": "!", "no-rule": "-"}[row.state]
    cases = ", ".join(pin.case for pin in row.pins[:MOST_CASES])
    more = len(row.pins) - MOST_CASES
    told = f"{cases} and {more} more" if more > 0 else cases or row.why
    said = f" = {row.text}" if row.kind == "rule" else f": {row.text}" if row.text else ""
    return f"{sign} {name(row)}{said}\n{wrapped(told)}"
