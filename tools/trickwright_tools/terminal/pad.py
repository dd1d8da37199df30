"""The score pad, and how a hand ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickwright_tools.terminal.page import WIDTH, fold, short
from trickwright_tools.terminal.voice import Voice


def score_pad(
    hands: Sequence[Mapping[str, int]],
    endings: Sequence[str],
    totals: Mapping[str, int],
    voice: Voice,
) -> str:
    """All hands so far, one line each, and the totals."""
    digits = len(str(len(hands)))
    labels = [
        f"{number:>{digits}} {voice.outcome(ending)}" for number, ending in enumerate(endings, 1)
    ]
    first = max(map(len, [*labels, voice.ui("score_pad"), voice.title("total")]))
    numbers = [str(score) for row in (*hands, totals) for score in row.values()]
    width = max(max(map(len, numbers)), *(len(name) for name in totals)) + 2
    width = max(max(map(len, numbers)) + 2, min(width, (WIDTH - first) // len(totals)))

    def line(label: str, cells: Sequence[object]) -> str:
        return label.ljust(first) + "".join(f"{cell:>{width}}" for cell in cells)

    head = line(voice.ui("score_pad"), [short(name, width - 1) for name in totals])
    rows = [line(label, list(scores.values())) for label, scores in zip(labels, hands, strict=True)]
    return "\n".join(
        [head, *rows, "─" * len(head), line(voice.title("total"), list(totals.values()))]
    )


def hand_end(
    number: int,
    outcome: str,
    settled: Sequence[tuple[str, str]],
    values: Mapping[str, int],
    voice: Voice,
) -> str:
    """How a hand ended, what it was about, and the values its scores follow from."""
    head = f"{voice.ui('hand', number=number)}: {voice.outcome(outcome)}"
    told = [f"{title} {what}" for title, what in settled]
    told += [f"{voice.value(name)} {value}" for name, value in values.items()]
    return fold([head, *told], first="")
