"""What a simulation says: its results as a page of text, its hands as CSV, its progress."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import TextIO

from trickwright_tools.estimates import Running, wilson
from trickwright_tools.simulation import Plan, Result, Summary

LABEL = 18


def _row(label: str, *cells: str, width: int = 9) -> str:
    return f"  {label:<{LABEL}}" + "".join(f"{cell:>{width}}" for cell in cells)


def _head(label: str, *cells: str, width: int = 9) -> str:
    return f"{label:<{LABEL + 2}}" + "".join(f"{cell:>{width}}" for cell in cells)


def _share(hits: int, count: int) -> tuple[str, str]:
    low, high = wilson(hits, count)
    share = f"{hits / count:.1%}" if count else "-"
    return share, f"{100 * low:.1f} to {100 * high:.1f}%"


def _spread(running: Running) -> list[str]:
    half = running.half_width
    return [
        f"{running.mean:.2f}",
        "-" if half is None else f"{half:.2f}",
        f"{running.least:,}",
        f"{running.most:,}",
    ]


def page(summary: Summary, seconds: float, changes: Iterable[str] = ()) -> str:
    """The results as text of at most 80 columns for up to six players."""
    rules, plan = summary.rules, summary.plan
    lines = [
        f"{rules.title.get('en', rules.id)}: {plan.players} players, {plan.style} play, seed {plan.seed}"
    ]
    wide = max(8, len(f"{summary.hands:,}") + 1)
    changed = [*rules.variants, *changes]
    if changed:
        lines.append(f"with {', '.join(changed)}")
    rate = summary.decisions / seconds if seconds else 0.0
    lines += [
        "",
        _row("hands", f"{summary.hands:,}", width=wide + 1),
        _row("decisions per hand", f"{summary.decisions / summary.hands:.1f}", width=wide + 1),
        _row("decisions/s", f"{rate:,.0f}", width=wide + 1),
        "",
        _head("How hands ended", "hands", "share", width=wide + 1) + f"{'95% interval':>19}",
    ]
    for name, count in summary.endings():
        share, interval = _share(count, summary.hands)
        word = rules.named(f"outcome.{name}")
        lines.append(_row(word, f"{count:,}", share, width=wide + 1) + f"{interval:>19}")
    lines += ["", _head("Score per hand", "mean", "± 95%", "least", "most")]
    lines += [_row(f"seat {seat}", *_spread(one)) for seat, one in enumerate(summary.scores, 1)]
    if summary.roles:
        seats = [f"seat {seat}" for seat in range(1, plan.players + 1)]
        lines += ["", _head("Hands as", *seats, "nobody", width=wide)]
        for key, counts in summary.roles.items():
            cells = [f"{count:,}" for count in counts]
            lines.append(_row(rules.named(f"role.{key}"), *cells, width=wide))
    if plan.matches is not None:
        lines += ["", *_matches(summary)]
    return "\n".join(lines)


def _matches(summary: Summary) -> list[str]:
    plan = summary.plan
    lines = [
        "Matches",
        _row("finished", f"{summary.finished:,}"),
        _row("unfinished", f"{summary.unfinished:,}"),
    ]
    if summary.unfinished:
        lines[-1] += f"   cut off after {plan.max_hands:,} hands; nobody had won"
    if not summary.finished:
        return lines
    if summary.shared:
        lines.append(_row("shared wins", f"{summary.shared:,}"))
    lines += [
        "",
        _head("Finished matches", "mean", "± 95%", "least", "most"),
        _row("hands", *_spread(summary.lengths)),
        "",
        _head("Won by", "matches", "share") + f"{'95% interval':>19}",
    ]
    for seat, wins in enumerate(summary.wins, 1):
        share, interval = _share(wins, summary.finished)
        lines.append(_row(f"seat {seat}", f"{wins:,}", share) + f"{interval:>19}")
    return lines


class Rows:
    """One line of CSV for each hand; seats, hands and matches count from 1."""

    def __init__(self, file: TextIO, summary: Summary) -> None:
        self.matches = summary.plan.matches is not None
        self.outcomes = summary.rules.outcomes
        self.writer = csv.writer(file, lineterminator="\n")
        seats = range(1, summary.plan.players + 1)
        head = ["hand", "dealer", "outcome", *(f"score_{seat}" for seat in seats), "decisions"]
        if self.matches:
            head = ["match", *head, *(f"total_{seat}" for seat in seats)]
        self.writer.writerow(head)

    def add(self, result: Result) -> None:
        """Write one hand."""
        row: list[object] = [result.hand + 1, result.dealer + 1, self.outcomes[result.outcome]]
        row += [*result.scores, result.decisions]
        if self.matches:
            row = [result.match + 1, *row, *result.totals]
        self.writer.writerow(row)


def with_progress(results: Iterable[Result], plan: Plan) -> Iterator[Result]:
    """Pass the hands on; in a terminal, say from the second second on how far it is."""
    if not sys.stderr.isatty():
        yield from results
        return
    begun = perf_counter()
    due, shown, matches = begun + 1, False, 0
    try:
        for hands, result in enumerate(results, 1):
            yield result
            matches += result.last
            now = perf_counter()
            if now >= due:
                due, shown = now + 0.2, True
                if plan.matches is None:
                    said = f"{hands:,} of {plan.hands:,} hands"
                else:
                    said = f"{matches:,} of {plan.matches:,} matches, {hands:,} hands"
                print(f"\r{said:<60}", end="", file=sys.stderr, flush=True)
    finally:
        if shown:
            print(f"\r{'':60}\r", end="", file=sys.stderr, flush=True)
