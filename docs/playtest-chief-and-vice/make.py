"""The plots and tables of the playtest of Chief and Vice, from the figures beside this file; needs matplotlib."""

from __future__ import annotations

import json
import re
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
    """The figures at one table, by name: of the base game, of no-stalemate, and of matches to 100."""

    def __init__(self, players: int) -> None:
        self.games = {
            name: _figures(f"{name}-{players}") for name in ("base", "no-stalemate", "to-100")
        }
        if not self.games["base"]:  # it was played beside the variant, on the same deals
            compared = self.games["no-stalemate"].items()
            self.games["base"] = {key: figure["against"] for key, figure in compared}

    def __call__(self, key: str, game: str) -> Found | None:
        """A figure of a game; None if there is none or too few hands."""
        found = self.games[game].get(key)
        if not found or not found["enough"] or found["value"] is None:
            return None
        return Found(found["value"], found["low"], found["high"], found["behind"])


def _figures(name: str) -> dict[str, dict[str, Any]]:
    path = HERE / f"{name}.json"
    if not path.is_file():
        return {}
    data = json.loads(path.read_text(encoding="utf-8"))
    return {figure["key"]: figure for part in data["sections"] for figure in part["figures"]}


GAMES = {"base": "base game", "no-stalemate": "no stalemate"}


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
    stem: str, heading: str, unit: str, scale: float, results: dict[int, Results]
) -> Callable[[], plt.Figure]:
    """Two panels, of the base game and of no-stalemate: a figure by the Chief's bid, a line for each table."""

    def make() -> plt.Figure:
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, sharex=True)
        for axes, (game, title) in zip(panels, GAMES.items(), strict=True):
            for number, players in enumerate(TABLES):
                found = [results[players](f"{stem}.{bid}", game) for bid in BIDS]
                scaled = [
                    one and Found(one.value * scale, one.low * scale, one.high * scale, one.behind)
                    for one in found
                ]
                places = [bid + 0.12 * (number - 1) for bid in BIDS]
                how = {"color": COLOURS[players], "marker": "o", "label": f"{players} players"}
                draw_points(axes, places, scaled, **how)
            axes.set_title(title, fontsize=10)
            axes.set_xlabel("cards laid out by the Chief")
            axes.set_xticks([1, 3, 5, 7, 9, 11])
            axes.grid(alpha=0.3)
        panels[0].set_ylabel(unit)
        panels[0].legend(fontsize=8)
        figure.suptitle(heading, fontsize=11)
        return figure

    return make


def rows_by_table(
    keys: dict[str, str], heading: str, unit: str, scale: float, results: dict[int, Results]
) -> Callable[[], plt.Figure]:
    """Two panels, of the base game and of no-stalemate: figures side by side, a colour for each table."""

    def make() -> plt.Figure:
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
        for axes, (game, title) in zip(panels, GAMES.items(), strict=True):
            for number, players in enumerate(TABLES):
                found = [results[players](key, game) for key in keys]
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
            axes.set_title(title, fontsize=10)
            axes.set_xticks(range(len(keys)), list(keys.values()))
            axes.axhline(0, color="black", lw=0.6)
            axes.grid(alpha=0.3, axis="y")
        panels[0].set_ylabel(unit)
        panels[0].legend(fontsize=8)
        figure.suptitle(heading, fontsize=11)
        return figure

    return make


def lengths(results: dict[int, Results]) -> Callable[[], plt.Figure]:
    """How many hands a match lasts: to 200 points, without stalemates, and to 100."""

    def make() -> plt.Figure:
        figure, axes = plt.subplots(figsize=(9, 3.2))
        kinds = {"base": "to 200", "no-stalemate": "no stalemate", "to-100": "to 100"}
        for number, players in enumerate(TABLES):
            places = [place + 0.27 * (number - 1) for place in range(len(kinds))]
            found = [results[players]("matches.hands", game) for game in kinds]
            shown = [(p, f) for p, f in zip(places, found, strict=True) if f is not None]
            bars = axes.bar(
                [place for place, _ in shown],
                [one.value for _, one in shown],
                width=0.25,
                color=COLOURS[players],
                label=f"{players} players",
            )
            axes.bar_label(bars, fmt="%.1f", fontsize=8)
        axes.set_xticks(range(len(kinds)), list(kinds.values()))
        axes.margins(y=0.15)
        axes.set_ylabel("hands")
        axes.legend(fontsize=8)
        figure.suptitle("How many hands a match lasts", fontsize=11)
        return figure

    return make


ROWS = (
    ("Nobody bids, % of hands", "outcomes.nobody-bid"),
    ("Stalemate, % of hands", "outcomes.stalemate"),
    ("Cards laid out by the Chief", "bids.mean"),
    ("Goal reached, % of hands with a Chief", "acting.played.made.all"),
    ("Chief, points a hand", "roles.earns.chief"),
    ("Partner", "roles.earns.partner"),
    ("Vice", "roles.earns.vice"),
    ("Opponents, the Vice among them", "roles.earns.opponents"),
    ("Mean of the table", "spread.all"),
    ("Best of the table", "spread.most"),
    ("Worst of the table", "spread.least"),
    ("Hands in a match", "matches.hands"),
    ("Decisions in a match, of all players", "matches.decisions"),
    ("Changes of the lead in a match", "matches.changes"),
    ("Played when the winner takes the lead for good, %", "matches.decided"),
)


def cell(found: Found | None, is_share: bool, digits: int = 1) -> str:
    """A figure and half its interval."""
    if found is None:
        return "–"
    times = 100 if is_share else 1
    half = times * (found.high - found.low) / 2
    if half < 0.05:
        digits += 1
    return f"{times * found.value:.{digits}f} ± {half:.{digits}f}"


def table_of_games(results: dict[int, Results], games: Sequence[str]) -> str:
    """The main figures of these games, a column for each number of players."""
    named = [f"{GAMES.get(game, game)}, {players}" for game in games for players in TABLES]
    lines = ["| | " + " | ".join(named) + " |", "|---|" + "--:|" * len(named)]
    for label, key in ROWS:
        cells = [
            cell(results[players](key, game), "%" in label) for game in games for players in TABLES
        ]
        if any(one != "–" for one in cells):
            lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_by_bid(results: dict[int, Results], game: str) -> str:
    """By the Chief's bid: how often it wins, how often the goal is reached, and what the Chief scores."""
    lines = [
        "| cards | "
        + " | ".join(f"{p} players: % of Chiefs | made, % | points" for p in TABLES)
        + " |",
        "|--:|" + "--:|--:|--:|" * len(TABLES),
    ]
    for bid in BIDS:
        cells = []
        for players in TABLES:
            at = results[players]
            cells += [
                cell(at(f"bids.often.{bid}", game), True),
                cell(at(f"acting.played.made.bid.chief.{bid}", game), True),
                cell(at(f"bids.brings.{bid}", game), False),
            ]
        if any(one not in ("–", "0.00 ± 0.00") for one in cells):
            lines.append(f"| {bid} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write_tables(path: Path, tables: dict[str, str]) -> None:
    """Put each table between the marks that name it in a text."""
    text = path.read_text(encoding="utf-8")
    for name, table in tables.items():
        pattern = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = pattern.subn(
            lambda marks, table=table: f"{marks[1]}{table}\n{marks[2]}", text
        )
        assert found == 1, f"no place for the table {name}"
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Make all plots and tables."""
    results = {players: Results(players) for players in TABLES}
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
        "lengths": lengths(results),
    }
    plt.rcParams.update({"svg.hashsalt": "trickwright", "svg.fonttype": "none", "font.size": 9})
    for name, make in plots.items():
        figure = make()
        figure.tight_layout()
        figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)
    tables = {
        "base": table_of_games(results, ["base"]),
        "no-stalemate": table_of_games(results, ["no-stalemate"]),
        "bids": table_by_bid(results, "base"),
    }
    write_tables(HERE.with_suffix(".md"), tables)


if __name__ == "__main__":
    main()
