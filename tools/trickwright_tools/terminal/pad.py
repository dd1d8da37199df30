"""The score pad, and how a hand ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickwright_tools.terminal.page import WIDTH, fold, short
from trickwright_tools.terminal.voice import Voice


def sheet(melds: Mapping[str, Mapping[str, int]], voice: Voice) -> str:
    """What each player's melds of this hand have scored so far, a line for each meld there is; empty before there are any."""
    if not melds:
        return ""
    names = voice.table.players
    ways = voice.rules.words[voice.language].things.get("option", ())
    cells = [
        [ways_of[0], *(str(melds.get(name, {}).get(ways_of[0], "")) for name in names)]
        for ways_of in ways
    ]
    totals = [str(sum(melds.get(name, {}).values())) for name in names]
    label = max(len(row[0]) for row in (*cells, [voice.title("total")], [voice.title("made")]))
    width = max(4, min(16, (WIDTH - label) // len(names)))
    rows = [[voice.heading("made"), *(short(name, width - 2) for name in names)], *cells]
    rows += [[voice.title("total"), *totals]]
    lines = [row[0].ljust(label) + "".join(cell.rjust(width) for cell in row[1:]) for row in rows]
    lines = [line.rstrip() for line in lines]
    return "\n".join([*lines[:-1], "─" * len(lines[0]), lines[-1]])


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
    head = f"{voice.hand(number)}: {voice.outcome(outcome)}"
    told = [f"{title} {what}" for title, what in settled]
    told += [f"{voice.value(name)} {value}" for name, value in values.items()]
    return fold([head, *told], first="")
