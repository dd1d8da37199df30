"""A designer's own figures: expressions of the rules language, worked out at the end of each hand.

A file of them looks like this; ``kind`` is ``mean`` if not said, and ``share`` for a yes/no:

    metrics:
      - name: short_goals
        title: Goals missed by one card
        expression: shortfall == 1
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trickwright.expressions import Expression, parse
from trickwright.meaning import Meaning
from trickwright.names import Type
from trickwright.nodes import items, listed
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report
from trickwright.schema import check
from trickwright.source import Node, read_file


@dataclass(frozen=True)
class Own:
    """A figure of the designer's: its name, its title, its expression, and where that stands in which file."""

    name: str
    title: str
    expression: str
    mark: Mark
    indent: int | None
    path: str

    @property
    def node(self) -> Node:
        """The expression as it stands in its file."""
        return Node(self.mark, self.expression, indent=self.indent)


def read_own(path: Path, report: Report) -> tuple[Own, ...]:
    """The figures that a file asks for; problems are reported."""
    root = read_file(path, str(path), report)
    if root is None or not check(root, find_schema("metrics"), report):
        return ()
    found: list[Own] = []
    for number, node in enumerate(listed(items(root)["metrics"])):
        parts = items(node)
        name, expression = str(parts["name"].value), parts["expression"]
        where = f"metrics[{number}]"
        if any(name == other.name for other in found):
            text = f"the name '{name}' is taken by another figure"
            report.error(
                parts["name"].mark, f"{where}.name", text, "taken-name", "choose another name"
            )
        title = str(parts["title"].value) if "title" in parts else name.replace("_", " ")
        mark, indent = expression.mark, expression.indent
        place = f"{where}.expression"
        found.append(Own(name, title, str(expression.value), mark, indent, place))
    return tuple(found)


def checked(
    own: tuple[Own, ...], meaning: Meaning, report: Report
) -> dict[str, dict[str, Expression]]:
    """Each figure's expression by the ways to end a hand in which all its names have a meaning.

    If there is none, what is wrong in the way that comes nearest is reported.
    """
    found: dict[str, dict[str, Expression]] = {}
    for one in own:
        by_outcome: dict[str, Expression] = {}
        reports: list[Report] = []
        for ending in meaning.endings:
            trial, at = Report(), (one.node, one.path)
            game = meaning.game
            wanted = (Type.NUMBER, Type.FLAG)
            made = parse(one.expression, ending.scope, game.tables, game.players, at, trial, wanted)
            if made is not None:
                by_outcome[ending.outcome] = made
            reports.append(trial)
        if not by_outcome:
            # The last way is a hand played out, in which most names have a meaning.
            for problem in reports[-1].problems:
                report.add(problem)
        found[one.name] = by_outcome
    return found
