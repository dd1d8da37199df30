"""What can never make a difference, seen over a whole game: entries nobody reaches, totals nobody comes to, and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickwright.meaning import Declared, Ending
from trickwright.model import Game
from trickwright.nodes import items
from trickwright.problems import Report

_CODE = "never-acts"


def check_rows(game: Game, reads: Mapping[tuple[str, int], int], report: Report) -> None:
    """Warn of entries at the end of a row that no number looked up can reach. Rows nobody uses are told of elsewhere."""
    for name, table in game.tables.items():
        for count, row in table.rows.items():
            last = reads.get((name, count))
            if last is None or last >= len(row):
                continue
            mark, path = table.entry_marks[count][last], f"tables.{name}.{count}[{last}]"
            most = f"entry {last} is the last that can matter" if last else "no entry can matter"
            text = f"with {count} players {most}, so this changes nothing"
            hint = f"leave out what is behind entry {last}" if last else ""
            report.warning(mark, path, text, _CODE, hint)


def check_goal(game: Game, endings: Sequence[Ending], report: Report) -> None:
    """Warn of a total that ends the match and that nobody can come to, because no hand gives points."""
    goal = game.match.until
    if goal is None:
        return
    for count in game.players:
        most = [
            sum(max(0, rule.points.range[count][1]) for rule in ending.rules) for ending in endings
        ]
        if max(most, default=0) > 0:
            continue
        mark = items(game.match.node)["until"].mark
        text = (
            f"with {count} players no hand gives anybody points above 0, so no total reaches {goal}"
        )
        hint = "say hands: and a number of hands, or give points"
        report.warning(mark, "match.until", text, _CODE, hint)
        return


def check_phases(phases: Sequence[Declared], report: Report) -> None:
    """Warn of phases that wait for what no phase brings about."""
    filled = {name for declared in phases for name in declared.adds.fills}
    for declared in phases:
        for name, (key, hint) in declared.adds.waits_for.items():
            if name not in filled:
                node, path = declared.phase.part(key)
                text = f"there are never cards that are {name}, so nothing is ever done here"
                report.warning(node.mark, path, text, _CODE, hint)
