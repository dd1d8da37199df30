"""Cases: read from YAML, checked for form, and bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trickwright import GameFiles, schema
from trickwright.nodes import items
from trickwright.places import roots, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node, read_file
from trickwright_conformance.citations import check_citations, variant_names


@dataclass(frozen=True)
class Side:
    """What must be so with one set of variants."""

    variants: tuple[str, ...]
    expect: Mapping[str, Any]
    node: Node | None = field(repr=False, compare=False)
    """Where ``expect`` was written."""
    path: str = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The set of variants in words."""
        return " + ".join(self.variants) or "base"


@dataclass(frozen=True)
class Written:
    """A value of ``given``, where its key was written, and its path in the file."""

    node: Node
    mark: Mark
    path: str


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
    id_mark: Mark
    path: str
    """Where in its file the case stands, such as ``cases[3]``."""
    given_nodes: Mapping[str, Written] = field(repr=False, compare=False)
    play_nodes: tuple[Node, ...] = field(repr=False, compare=False)

    @property
    def headings(self) -> dict[str, list[Any]]:
        """The headings that the case cites, by source."""
        return {
            name: cited if isinstance(cited, list) else [cited]
            for name, cited in self.source.items()
            if name != "example"
        }


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
            hint = "ids are unique in a suite"
            report.error(case.id_mark, f"{case.path}.id", text, "not-unique", hint)
    return cases


def _counts(files: GameFiles, variants: Sequence[str]) -> list[int]:
    """Numbers of players that the game is for with a set of variants."""
    counts: list[int] = items(files.rules)["players"].plain()
    for name in variants:
        changes = items(files.variants[name]).get("set") if name in files.variants else None
        if changes is not None and "players" in items(changes):
            counts = items(changes)["players"].plain()
    return counts


def _bind(node: Node, files: GameFiles, report: Report, skipped: dict[str, str]) -> Iterator[Case]:
    top = items(node)
    if top["suite"].value != files.id:
        text, hint = f"the folder is of '{files.id}'", f"write {files.id}, or move the file"
        report.error(top["suite"].mark, "suite", text, "wrong-name", hint)
    language = str(top["language"].value) if "language" in top else "en"
    if language not in {"en", *files.texts}:
        text = f"'{files.id}' has no words of language '{language}'"
        hint = did_you_mean(language, sorted({"en", *files.texts}), others="languages")
        report.error(top["language"].mark, "language", text, "unknown-value", hint)
        language = "en"
    listed = top["cases"].value
    base = _keys(top.get("base"), "base")
    for place, part in enumerate(listed if isinstance(listed, list) else []):
        case, path = items(part), f"cases[{place}]"
        given = base | _keys(case.get("given"), f"{path}.given")
        players = given["players"].node.value if "players" in given else None
        chosen = case["variants"].plain() if "variants" in case else ()
        counts = _counts(files, chosen)
        if isinstance(players, list) and players and len(players) not in counts:
            skipped[str(case["id"].value)] = f"the game is not for {len(players)} players"
            continue
        check_citations(part, path, files, report)
        play = case["play"].value if "play" in case else []
        yield Case(
            id=str(case["id"].value),
            title=str(case["title"].value),
            mark=part.mark,
            rules=tuple(case["rules"].plain()),
            source=case["source"].plain() if "source" in case else {},
            reading=str(case["reading"].value) if "reading" in case else "",
            language=language,
            given={key: written.node.plain() for key, written in given.items()},
            play=tuple(case["play"].plain()) if "play" in case else (),
            sides=_sides(case, path),
            id_mark=case["id"].mark,
            path=path,
            given_nodes=given,
            play_nodes=tuple(play) if isinstance(play, list) else (),
        )


def _keys(node: Node | None, path: str) -> dict[str, Written]:
    if node is None:
        return {}
    return {
        key: Written(inner, node.keys[key], f"{path}.{key}") for key, inner in items(node).items()
    }


def _sides(case: dict[str, Node], path: str) -> tuple[Side, ...]:
    if "side_by_side" in case:
        return tuple(
            Side(variant_names(name), expect.plain(), expect, f"{path}.side_by_side.{name}")
            for name, expect in items(case["side_by_side"]).items()
        )
    variants = tuple(sorted(case["variants"].plain())) if "variants" in case else ()
    expect = case.get("expect")
    return (Side(variants, {} if expect is None else expect.plain(), expect, f"{path}.expect"),)
