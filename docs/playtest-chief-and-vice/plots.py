"""The plots of the playtest of Chief and Vice, from the figures beside this file.

pip install matplotlib
python docs/playtest-chief-and-vice/plots.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

HERE = Path(__file__).parent
TABLES = (4, 5, 6)
COLOURS = {4: "#1b6ca8", 5: "#c1571b", 6: "#4c8c4a"}
BIDS = range(1, 14)


@dataclass(frozen=True)
class Found:
    """A figure: its value, its 95 % interval, and how many hands or matches are behind it."""

    value: float
    low: float
    high: float
    behind: int


class Results:
    """The figures of one playtest, by name."""

    def __init__(self, name: str) -> None:
        self.data: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
        self.figures = {f["key"]: f for part in self.data["sections"] for f in part["figures"]}

    def __call__(self, key: str, base: bool = False) -> Found | None:
        """A figure of the game that was tested, or of the one it is compared with; None if there is none or too few hands."""
        found = self.figures.get(key)
        found = found and (found.get("against") if base else found)
        if not found or not found["enough"] or found["value"] is None:
            return None
        return Found(found["value"], found["low"], found["high"], found["behind"])


def draw_points(
    axes: Axes, places: Sequence[float], found: Sequence[Found | None], **how: Any
) -> None:
    """Values with their intervals; what has too few hands behind it is left out."""
    shown = [(place, one) for place, one in zip(places, found, strict=True) if one is not None]
    if not shown:
        return
    values = [one.value for _, one in shown]
    errors = [[one.value - one.low for _, one in shown], [one.high - one.value for _, one in shown]]
    axes.errorbar(
        [place for place, _ in shown], values, yerr=errors, capsize=2, markersize=4, **how
    )


def by_bid(
    stem: str, title: str, unit: str, scale: float, results: dict[int, Results]
) -> Callable[[], plt.Figure]:
    """Two panels, of the base game and of no-stalemate: a figure by the Chief's bid, a line for each table."""

    def make() -> plt.Figure:
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, sharex=True)
        for axes, base in zip(panels, (True, False), strict=True):
            for number, players in enumerate(TABLES):
                found = [results[players](f"{stem}.{bid}", base) for bid in BIDS]
                scaled = [
                    one and Found(one.value * scale, one.low * scale, one.high * scale, one.behind)
                    for one in found
                ]
                places = [bid + 0.12 * (number - 1) for bid in BIDS]
                how = {"color": COLOURS[players], "marker": "o", "label": f"{players} players"}
                draw_points(axes, places, scaled, **how)
            axes.set_title("base game" if base else "no stalemate", fontsize=10)
            axes.set_xlabel("cards laid out by the Chief")
            axes.set_xticks([1, 3, 5, 7, 9, 11])
            axes.grid(alpha=0.3)
        panels[0].set_ylabel(unit)
        panels[0].legend(fontsize=8)
        figure.suptitle(title, fontsize=11)
        return figure

    return make


def rows_by_table(
    keys: dict[str, str], title: str, unit: str, scale: float, results: dict[int, Results]
) -> Callable[[], plt.Figure]:
    """Two panels, of the base game and of no-stalemate: figures side by side, a colour for each table."""

    def make() -> plt.Figure:
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
        for axes, base in zip(panels, (True, False), strict=True):
            for number, players in enumerate(TABLES):
                found = [results[players](key, base) for key in keys]
                places = [place + 0.27 * (number - 1) for place in range(len(keys))]
                shown = [(p, f) for p, f in zip(places, found, strict=True) if f is not None]
                axes.bar(
                    [place for place, _ in shown],
                    [one.value * scale for _, one in shown],
                    width=0.25,
                    yerr=[
                        [(one.value - one.low) * scale for _, one in shown],
                        [(one.high - one.value) * scale for _, one in shown],
                    ],
                    color=COLOURS[players],
                    label=f"{players} players",
                    error_kw={"lw": 1, "capsize": 2},
                )
            axes.set_title("base game" if base else "no stalemate", fontsize=10)
            axes.set_xticks(range(len(keys)), list(keys.values()))
            axes.axhline(0, color="black", lw=0.6)
            axes.grid(alpha=0.3, axis="y")
        panels[0].set_ylabel(unit)
        panels[0].legend(fontsize=8)
        figure.suptitle(title, fontsize=11)
        return figure

    return make


def lengths(results: dict[int, Results], short: dict[int, Results]) -> Callable[[], plt.Figure]:
    """How many hands a match lasts: to 200 points, without stalemates, and to 100."""

    def make() -> plt.Figure:
        figure, axes = plt.subplots(figsize=(9, 3.2))
        kinds = [
            ("to 200", lambda players: results[players]("matches.hands", True)),
            ("no stalemate", lambda players: results[players]("matches.hands")),
            (
                "to 100",
                lambda players: short[players]("matches.hands") if players in short else None,
            ),
        ]
        for number, players in enumerate(TABLES):
            places = [place + 0.27 * (number - 1) for place in range(len(kinds))]
            found = [of(players) for _, of in kinds]
            shown = [(p, f) for p, f in zip(places, found, strict=True) if f is not None]
            bars = axes.bar(
                [place for place, _ in shown],
                [one.value for _, one in shown],
                width=0.25,
                color=COLOURS[players],
                label=f"{players} players",
            )
            axes.bar_label(bars, fmt="%.1f", fontsize=8)
        axes.set_xticks(range(len(kinds)), [name for name, _ in kinds])
        axes.set_ylabel("hands")
        axes.legend(fontsize=8)
        figure.suptitle("How many hands a match lasts", fontsize=11)
        return figure

    return make


def main() -> None:
    """Make all plots."""
    results = {players: Results(f"no-stalemate-{players}") for players in TABLES}
    short = {
        players: Results(f"to-100-{players}")
        for players in TABLES
        if (HERE / f"to-100-{players}.json").is_file()
    }
    outcomes = {"outcomes.nobody-bid": "nobody bid", "outcomes.stalemate": "stalemate"}
    outcomes["outcomes.played"] = "played"
    roles = {f"roles.earns.{role}": role for role in ("chief", "partner", "vice", "opponents")}
    trumps = {"rank": "a rank", "suit": "a suit", "none": "none"}
    named = {f"named.often.trump.chief_trump.{key}": text for key, text in trumps.items()}
    made = {f"acting.played.made.trump.chief_trump.{key}": text for key, text in trumps.items()}
    brings = {f"named.brings.trump.chief_trump.{key}": text for key, text in trumps.items()}
    plots = {
        "endings": rows_by_table(outcomes, "How hands end", "% of hands", 100, results),
        "bids": by_bid("bids.often", "How often each bid wins", "% of Chiefs", 100, results),
        "made": by_bid(
            "acting.played.made.bid.chief",
            "How often the goal is reached",
            "% of hands",
            100,
            results,
        ),
        "brings": by_bid(
            "bids.brings", "What the Chief scores, by the bid", "points a hand", 1, results
        ),
        "roles": rows_by_table(roles, "What each role earns", "points a hand", 1, results),
        "named": rows_by_table(named, "What Chiefs name as trumps", "% of Chiefs", 100, results),
        "trump-made": rows_by_table(made, "Goals reached, by trumps", "% of hands", 100, results),
        "trump-brings": rows_by_table(
            brings, "What the Chief scores, by trumps", "points a hand", 1, results
        ),
        "lengths": lengths(results, short),
    }
    plt.rcParams.update({"svg.hashsalt": "trickwright", "svg.fonttype": "none", "font.size": 9})
    for name, make in plots.items():
        figure = make()
        figure.tight_layout()
        figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
