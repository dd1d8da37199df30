"""The files of a game: found, read, held against their schemas, and against each other's names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from trickwright import limits, paths, schema
from trickwright.citations import check_citations
from trickwright.decks import with_deck
from trickwright.kinds import kind_names
from trickwright.model import module_name
from trickwright.places import games, kind_schema, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node, read_file

DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)),
}
"""Names that no file may have on Windows, whatever its ending."""


@dataclass(frozen=True)
class GameFiles:
    """The files of a game as trees: its rules, its variants and its texts, each fitting its schema."""

    folder: Path
    rules: Node
    variants: dict[str, Node]
    texts: dict[str, Node]

    @property
    def id(self) -> str:
        """The game's id: the name of its folder."""
        return self.folder.name

    @property
    def rules_name(self) -> str:
        """The rules file as messages name it."""
        return f"{self.folder.name}/rules.yaml"


def read_game(folder: Path, report: Report) -> GameFiles | None:
    """All files of a game; None if the rules file cannot be used. Problems of all files are reported."""
    rules = _read(folder / "rules.yaml", "game", report)
    if rules is not None:
        _same_name(rules, "game", folder.name, "the folder", report)
        if keyword.iskeyword(folder.name.replace("-", "_")):
            text = f"'{folder.name}' is a word of Python and cannot name an engine"
            report.error(rules.mark, "game", text, "taken-name", "choose another name")
    variants: dict[str, Node] = {}
    for path in _listed(folder / "variants", "*", report):
        node = _read(path, "variant", report)
        if node is not None:
            same = _same_name(node, "variant", path.stem, "the file", report)
            if _same_name(node, "of", folder.name, "the folder", report) and same:
                variants[path.stem] = node
    texts: dict[str, Node] = {}
    for path in _listed(folder, "text.*", report):
        language = path.name.removeprefix("text.").removesuffix(".yaml")
        if not re.fullmatch(r"[a-z]{2}", language):
            text = f"'{language}' is no language code of two letters"
            report.error(Mark(shown(path), 1, 1), "", text, "wrong-name", "call it text.en.yaml")
            continue
        node = _read(path, "text", report)
        if node is not None and _same_name(node, "language", language, "the file", report):
            texts[language] = node
    _check_combinations(variants, report)
    rules = None if rules is None else with_deck(rules, folder, report)
    if rules is None:
        return None
    for node in variants.values():
        check_citations(node, rules, report)
    files = GameFiles(folder, rules, variants, texts)
    count = len(variant_sets(files))
    if count > limits.ENGINES:
        text = f"its variants combine to {count} engines, and {limits.ENGINES} at most"
        hint = "say excludes: where two are not meant to be played together"
        report.error(rules.mark, "game", text, "too-big", hint)
        return None
    return files


def _listed(folder: Path, pattern: str, report: Report) -> list[Path]:
    """The YAML files of a folder; one whose name ends otherwise, so that nothing would read it, is a problem."""
    for path in sorted(folder.glob(f"{pattern}.yml")):
        text = "files here end in .yaml; nothing reads this one"
        report.error(Mark(shown(path), 1, 1), "", text, "wrong-name", f"rename it {path.stem}.yaml")
    found = sorted(folder.glob(f"{pattern}.yaml"))
    if len(found) > limits.VARIANTS:
        text = f"more than {limits.VARIANTS} files"
        report.error(Mark(shown(folder), 1, 1), "", text, "too-big", "take some away")
    return found[: limits.VARIANTS]


def _read(path: Path, kind: str, report: Report) -> Node | None:
    own, shape = Report(), Report()
    node = read_file(path, shown(path), own)
    if node is not None:
        if kind == "game":
            check_shape(node, shape)
        else:
            schema.check(node, find_schema(kind), shape)
    misread = {problem.mark for problem in own.problems}
    for problem in shape.problems:
        if problem.mark not in misread:
            own.add(problem)
    for problem in own.problems:
        report.add(problem)
    return None if own.failed else node


def check_shape(node: Node, report: Report) -> bool:
    """Check a rules tree against the schemas of games and of the kinds of its phases."""
    fits = schema.check(node, find_schema("game"), report)
    phases = node.value.get("phases") if isinstance(node.value, dict) else None
    for name, phase in (phases.value if phases and isinstance(phases.value, dict) else {}).items():
        kind = phase.value.get("kind") if isinstance(phase.value, dict) else None
        if kind is None or not isinstance(kind.value, str):
            continue
        if kind.value not in kind_names():
            report.error(
                kind.mark,
                f"phases.{name}.kind",
                f"there is no kind of phase '{kind.value}'",
                "unknown-kind",
                did_you_mean(kind.value, kind_names(), others="kinds"),
            )
            fits = False
        else:
            fits &= schema.check(phase, kind_schema(kind.value), report, f"phases.{name}")
    return fits


def may_have(node: Node, parts: paths.Parts) -> bool:
    """Whether the schemas name a key, given by its path, that a rules tree may leave out."""
    kind = paths.find(node, (*parts[:2], "kind")) if parts[0] == "phases" else None
    if kind is not None and kind.value in kind_names():
        return schema.names_key(kind_schema(str(kind.value)), parts[2:])
    return schema.names_key(find_schema("game"), parts)


def _same_name(node: Node, key: str, name: str, what: str, report: Report) -> bool:
    given = node.value[key] if isinstance(node.value, dict) else node
    if name in DEVICES and key in ("game", "variant"):
        text = f"'{name}' is a device on some systems and cannot name a file"
        report.error(given.mark, key, text, "taken-name", "choose another name")
    if given.value != name:
        report.error(
            given.mark,
            key,
            f"'{given.value}' is not what {what} is called",
            "wrong-name",
            f"write {name}, or rename {what}",
        )
        return False
    return True


def _list(node: Node, key: str) -> list[str]:
    part = node.value.get(key) if isinstance(node.value, dict) else None
    return [] if part is None else list(part.plain())


def _changes(node: Node) -> Iterator[tuple[paths.Parts, Mark]]:
    """The paths that a variant touches, and where it names them."""
    for key in ("set", "add", "remove"):
        part = paths.find(node, [key])
        named = [] if part is None else list(part.keys.items())
        if part is not None and isinstance(part.value, list):
            named = [(str(item.value), item.mark) for item in part.value]
        for text, mark in named:
            if path := paths.parse_path(text):
                yield path, mark


def _touching(one: Node, other: Node) -> Iterator[tuple[paths.Parts, Mark]]:
    """The changes of the second variant to what the first one changes, too."""
    for path, mark in _changes(other):
        for before, _ in _changes(one):
            if path[: len(before)] == before or before[: len(path)] == path:
                yield path, mark
                break


def touches(one: Node, other: Node) -> bool:
    """Whether two variants change the same part of the rules."""
    return any(_touching(one, other))


def combine(files: GameFiles, one: str, other: str) -> bool:
    """Whether two variants may be played together."""
    a, b = files.variants[one], files.variants[other]
    if other in _list(a, "excludes") or one in _list(b, "excludes"):
        return False
    return (
        not touches(a, b) or other in _list(a, "combines_with") or one in _list(b, "combines_with")
    )


def _check_combinations(variants: dict[str, Node], report: Report) -> None:
    """Variants that touch the same path say whether they combine; those they name exist."""
    for name, node in variants.items():
        for key in ("combines_with", "excludes"):
            for place, other in enumerate(_list(node, key)):
                if other not in variants or other == name:
                    assert isinstance(node.value, dict)
                    at = paths.find(node, (key, place)) or node
                    report.error(
                        at.mark,
                        f"{key}[{place}]",
                        f"there is no other variant '{other}'",
                        "unknown-variant",
                        did_you_mean(other, [v for v in variants if v != name], others="variants"),
                    )
    for one, other in combinations(variants, 2):
        a, b = variants[one], variants[other]
        said = {other} & {*_list(a, "combines_with"), *_list(a, "excludes")} or {one} & {
            *_list(b, "combines_with"),
            *_list(b, "excludes"),
        }
        path, mark = next(_touching(a, b), ((), b.mark))
        if path and not said:
            report.error(
                mark,
                paths.format_path(path),
                f"'{one}' touches the same part of the rules, and neither says whether they combine",
                "overlay-conflict",
                f"add excludes: [{one}] or combines_with: [{one}]",
            )


def variant_sets(files: GameFiles) -> list[tuple[str, ...]]:
    """The sets for which engines are kept: none, each variant, and each two that combine."""
    names = sorted(files.variants)
    pairs = [pair for pair in combinations(names, 2) if combine(files, *pair)]
    return [(), *((name,) for name in names), *pairs]


def check_modules(files: GameFiles, report: Report) -> None:
    """Report if another game of the project has an engine whose module is called as one of this game's."""
    own = {module_name(files.id, variants) for variants in variant_sets(files)}
    for name, folder in games().items():
        first, second = module_name(files.id) + "_", module_name(name) + "_"
        if name == files.id or not (first.startswith(second) or second.startswith(first)):
            continue
        other = read_game(folder, Report())
        if other is None:
            continue
        taken = own & {module_name(name, variants) for variants in variant_sets(other)}
        if taken:
            text = f"its module would be called '{min(taken)}', as one of {name}"
            report.error(files.rules.mark, "game", text, "taken-name", "rename one of the two")
