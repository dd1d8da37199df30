"""Mutants that are declared to be the same game, each with a proof, in ``conformance/equivalent/<game>.yaml``.

Such a claim is held to: the mutant must exist and must not be killed, and random play must find no difference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from trickwright import schema
from trickwright.nodes import items, listed
from trickwright.places import roots, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report
from trickwright.source import Node, read_file


@dataclass(frozen=True)
class Claim:
    """A mutant, by its id, and why it is the same game."""

    mutant: str
    path: str
    because: str
    mark: Mark


def claims_file(game: str) -> Path | None:
    """The file of a game's claims, from the nearest folder that has one."""
    files = (root / "conformance" / "equivalent" / f"{game}.yaml" for root in roots())
    return next((file for file in files if file.is_file()), None)


def read_claims(game: str, report: Report) -> dict[str, Claim]:
    """The claims about a game by mutant; none if there is no file, or, with all problems reported, if it is wrong."""
    file = claims_file(game)
    if file is None:
        return {}
    own = Report()
    node = read_file(file, shown(file), own)
    claims: dict[str, Claim] = {}
    if node is not None and not own.failed and schema.check(node, find_schema("equivalent"), own):
        named = items(node)["game"]
        if named.value != game:
            text, hint = f"the file is called '{game}'", f"write {game}, or rename the file"
            own.error(named.mark, "game", text, "wrong-name", hint)
        for place, part in enumerate(listed(items(node)["equivalent"])):
            because = str(items(part)["because"].value)
            for number, mutant in enumerate(listed(items(part)["mutants"])):
                claim = _claim(mutant, because)
                first = claims.setdefault(claim.mutant, claim)
                if first is not claim:
                    path = f"equivalent[{place}].mutants[{number}]"
                    own.error(claim.mark, path, f"{first.mark} says this already", "not-unique")
    for problem in own.problems:
        report.add(problem)
    return {} if own.failed else claims


def _claim(node: Node, because: str) -> Claim:
    parts = node.plain()
    new = parts.get("becomes")
    told = "removed" if "removed" in parts else json.dumps(new, ensure_ascii=False)
    name = f"{parts.get('variant', '')}:{parts['path']}:{told}"
    return Claim(name, parts["path"], because, node.mark)
