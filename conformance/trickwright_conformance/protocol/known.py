"""The file of known failures, which lies beside an adapter: it is strict both ways."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trickwright import places, schema
from trickwright.nodes import items
from trickwright.problems import Report, did_you_mean
from trickwright.source import read_file

HEADING = """\
# Cases that this engine is known to fail, by game, each with the reason. Both ways count: a case that fails and is not listed
# here fails the run, and so does one that is listed and passes. trickwright test GAME --engine ... --update writes it anew.
"""


@dataclass(frozen=True)
class Known:
    """Reasons by the name of a case, for one game, and the other games' as they are."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_known(path: Path, game: str, cases: Iterable[str], report: Report) -> Known:
    """The known failures of a game; what is wrong with the file, or no case of the suite, is reported."""
    shown = places.shown(path)
    node = read_file(path, shown, report)
    if node is None or not schema.check(node, places.schema("protocol/known-failures"), report):
        return Known()
    of_game = items(node).get(game)
    cases = list(cases)
    for name in items(of_game):
        if of_game is not None and name not in cases:
            hint = did_you_mean(name, cases, others="cases")
            text = f"the suite of {game} has no case '{name}'"
            report.error(of_game.keys[name], f"{game}.{name}", text, "unknown-case", hint)
    known: dict[str, Any] = node.plain()
    return Known(known.pop(game, {}), known)


def known_text(game: str, reasons: Mapping[str, str], others: Mapping[str, Any]) -> str:
    """The whole file, games and cases in order of their names."""
    lines = [HEADING]
    found = {**others, game: reasons}
    for name in sorted(found):
        if not found[name]:
            continue
        lines.append(f"{name}:\n")
        lines += [
            f"  {_scalar(case)}: {_scalar(why)}\n" for case, why in sorted(found[name].items())
        ]
    return "".join(lines) if len(lines) > 1 else f"{HEADING}{{}}\n"


def _scalar(text: str) -> str:
    """A text in quotes that YAML reads as just this text."""
    return json.dumps(text, ensure_ascii=False)
