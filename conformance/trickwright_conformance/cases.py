"""Cases: read from YAML, checked for form, and bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trickwright import GameFiles, schema
from trickwright.overlay import find, parse_path
from trickwright.places import roots, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node, read_file


@dataclass(frozen=True)
class Side:
    """What must be so with one set of variants."""

    variants: tuple[str, ...]
    expect: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The set of variants in words."""
        return " + ".join(self.variants) or "base"


@dataclass(frozen=True)
class Case:
    """One example of a rulebook: where play begins, what is done, and what must come of it."""

    id: str
    title: str
    mark: Mark
    rules: tuple[str, ...]
    source: Mapping[str, Any]
    reading: str
    language: str
    given: Mapping[str, Any]
    play: tuple[Mapping[str, Any], ...]
    sides: tuple[Side, ...]


def case_files(game: str) -> list[Path]:
    """The files of a game's cases, from the nearest folder that has some."""
    for root in roots():
        found = sorted((root / "conformance" / "cases" / game).glob("*.yaml"))
        if found:
            return found
    return []


def read_suite(files: GameFiles, report: Report, skipped: dict[str, str]) -> list[Case]:
    """All cases of a game that are sound; what is wrong with the others is reported.

    A case for a number of players that the rules do not have any more is ``skipped``, with that reason.
    """
    cases: list[Case] = []
    for path in case_files(files.id):
        own = Report()
        node = read_file(path, shown(path), own)
        if node is not None and not own.failed and schema.check(node, find_schema("case"), own):
            cases += _bind(node, files, own, skipped)
        for problem in own.problems:
            report.add(problem)
    ids: dict[str, Case] = {}
    for case in cases:
        first = ids.setdefault(case.id, case)
        if first is not case:
            text = f"the id '{case.id}' is taken by {first.mark}"
            report.error(case.mark, "", text, "not-unique", "ids are unique in a suite")
    return cases


def _bind(node: Node, files: GameFiles, report: Report, skipped: dict[str, str]) -> Iterator[Case]:
    top = _items(node)
    if top["suite"].value != files.id:
        report.error(
            top["suite"].mark, "suite", f"the folder is of '{files.id}'", "wrong-name", files.id
        )
    base = top["base"].plain() if "base" in top else {}
    language = str(top["language"].value) if "language" in top else "en"
    listed = top["cases"].value
    counts = _items(files.rules)["players"].plain()
    for part in listed if isinstance(listed, list) else []:
        case = _items(part)
        given = {**base, **(case["given"].plain() if "given" in case else {})}
        players = given.get("players", ())
        if isinstance(players, list) and len(players) not in counts:
            skipped[str(case["id"].value)] = f"the game is not for {len(players)} players"
            continue
        _check(part, files, report)
        yield Case(
            id=str(case["id"].value),
            title=str(case["title"].value),
            mark=part.mark,
            rules=tuple(case["rules"].plain()),
            source=case["source"].plain() if "source" in case else {},
            reading=str(case["reading"].value) if "reading" in case else "",
            language=language,
            given=given,
            play=tuple(case["play"].plain()) if "play" in case else (),
            sides=_sides(case),
        )


def _items(node: Node) -> dict[str, Node]:
    return node.value if isinstance(node.value, dict) else {}


def _sides(case: dict[str, Node]) -> tuple[Side, ...]:
    if "side_by_side" in case:
        return tuple(
            Side(_variant_names(name), expect.plain())
            for name, expect in _items(case["side_by_side"]).items()
        )
    variants = tuple(sorted(case["variants"].plain())) if "variants" in case else ()
    return (Side(variants, case["expect"].plain() if "expect" in case else {}),)


def _variant_names(name: str) -> tuple[str, ...]:
    return () if name == "base" else tuple(sorted(part.strip() for part in name.split("+")))


def _check(part: Node, files: GameFiles, report: Report) -> None:
    """The lint of one case: what it cites exists, and it says what it expects in one way."""
    case = _items(part)
    for place, path in enumerate(case["rules"].plain()):
        parts = parse_path(path)
        if parts is None or find(files.rules, parts) is None:
            mark = (find(case["rules"], (place,)) or part).mark
            hint = "paths with [0] need quotes in a flow list" if "[" in path else ""
            report.error(
                mark, f"rules[{place}]", f"no path '{path}' in the rules", "unknown-path", hint
            )
    sources = _items(_items(files.rules)["sources"])
    for name, heading in _items(case["source"]).items() if "source" in case else ():
        if name == "example":
            continue
        mark = case["source"].keys[name]
        if name not in sources:
            text = f"there is no source '{name}'"
            report.error(mark, "source", text, "unknown-source", did_you_mean(name, sources))
            continue
        sections = _items(sources[name])["sections"].plain()
        cited = heading.plain() if isinstance(heading.value, list) else [heading.value]
        for one in cited:
            if one not in sections:
                text = f"'{one}' is not a section of '{name}'"
                report.error(
                    mark, "source", text, "unknown-source", did_you_mean(str(one), sections)
                )
    if ("source" in case) == ("reading" in case):
        text = "a case has either a source or a reading"
        report.error(part.mark, "", text, "missing-key", "source: {en: The auction}")
    if ("expect" in case) == ("side_by_side" in case):
        text = "a case has either expect or side_by_side"
        report.error(part.mark, "", text, "missing-key", "expect: {...}")
    if "side_by_side" in case and "variants" in case:
        report.error(
            case["variants"].mark, "variants", "side_by_side names its variants", "unknown-key"
        )
    for side in _sides(case):
        for name in side.variants:
            if name not in files.variants:
                report.error(
                    part.mark,
                    "",
                    f"there is no variant '{name}'",
                    "unknown-variant",
                    did_you_mean(name, files.variants),
                )
