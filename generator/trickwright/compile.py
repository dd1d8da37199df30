"""The way through the house: read, check schema, overlay, bind, check meaning, lay out, emit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from trickwright import overlay, schema
from trickwright.bind import bind, check_citations
from trickwright.decks import deck_named, with_deck
from trickwright.declare import Meaning, declare
from trickwright.emit import emit
from trickwright.engine_names import check_names
from trickwright.kinds import kind_names
from trickwright.layout import Layout, lay_out
from trickwright.model import Game
from trickwright.places import kind_schema, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node, read_file
from trickwright.words import Words, make_words, unused_words

MOST_CARDS = 61
"""Cards of a deck, so that a set of them and one action more fit in the 62 bits an engine uses."""


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


@dataclass(frozen=True)
class Compiled:
    """A game with one set of variants, checked, and its engine as text."""

    game: Game
    root: Node
    meaning: Meaning
    layout: Layout
    words: dict[str, Words]
    engine: str = field(repr=False)


def read_game(folder: Path, report: Report) -> GameFiles | None:
    """All files of a game; None if the rules file cannot be used. Problems of all files are reported."""
    rules = _read(folder / "rules.yaml", "game", report)
    if rules is not None:
        _same_name(rules, "game", folder.name, "the folder", report)
    variants: dict[str, Node] = {}
    for path in sorted((folder / "variants").glob("*.yaml")):
        node = _read(path, "variant", report)
        if node is not None:
            _same_name(node, "variant", path.stem, "the file", report)
            _same_name(node, "of", folder.name, "the folder", report)
            variants[path.stem] = node
    texts: dict[str, Node] = {}
    for path in sorted(folder.glob("text.*.yaml")):
        node = _read(path, "text", report)
        if node is not None:
            language = path.name.split(".")[1]
            _same_name(node, "language", language, "the file", report)
            texts[language] = node
    _check_combinations(variants, report)
    rules = None if rules is None else with_deck(rules, folder, report)
    if rules is None:
        return None
    for node in variants.values():
        check_citations(node, rules, report)
    return GameFiles(folder, rules, variants, texts)


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


def _same_name(node: Node, key: str, name: str, what: str, report: Report) -> None:
    given = node.value[key] if isinstance(node.value, dict) else node
    if given.value != name:
        report.error(
            given.mark,
            key,
            f"'{given.value}' is not what {what} is called",
            "wrong-name",
            f"write {name}, or rename {what}",
        )


def _list(node: Node, key: str) -> list[str]:
    part = node.value.get(key) if isinstance(node.value, dict) else None
    return [] if part is None else list(part.plain())


def _changes(node: Node) -> Iterator[tuple[overlay.Parts, Mark]]:
    """The paths that a variant touches, and where it names them."""
    for key in ("set", "add", "remove"):
        part = overlay.find(node, [key])
        named = [] if part is None else list(part.keys.items())
        if part is not None and isinstance(part.value, list):
            named = [(str(item.value), item.mark) for item in part.value]
        for text, mark in named:
            if path := overlay.parse_path(text):
                yield path, mark


def _touching(one: Node, other: Node) -> Iterator[tuple[overlay.Parts, Mark]]:
    """The changes of the second variant to what the first one changes, too."""
    for path, mark in _changes(other):
        for before, _ in _changes(one):
            if path[: len(before)] == before or before[: len(path)] == path:
                yield path, mark
                break


def _touches(one: Node, other: Node) -> bool:
    """Whether two variants change the same part of the rules."""
    return any(_touching(one, other))


def combine(files: GameFiles, one: str, other: str) -> bool:
    """Whether two variants may be played together."""
    a, b = files.variants[one], files.variants[other]
    if other in _list(a, "excludes") or one in _list(b, "excludes"):
        return False
    return (
        not _touches(a, b) or other in _list(a, "combines_with") or one in _list(b, "combines_with")
    )


def _check_combinations(variants: dict[str, Node], report: Report) -> None:
    """Variants that touch the same path say whether they combine; those they name exist."""
    for name, node in variants.items():
        for key in ("combines_with", "excludes"):
            for place, other in enumerate(_list(node, key)):
                if other not in variants or other == name:
                    assert isinstance(node.value, dict)
                    at = overlay.find(node, (key, place)) or node
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
                overlay.format_path(path),
                f"'{one}' touches the same part of the rules, and neither says whether they combine",
                "overlay-conflict",
                f"add excludes: [{one}] or combines_with: [{one}]",
            )


def variant_sets(files: GameFiles) -> list[tuple[str, ...]]:
    """The sets for which engines are kept: none, each variant, and each two that combine."""
    names = sorted(files.variants)
    pairs = [pair for pair in combinations(names, 2) if combine(files, *pair)]
    return [(), *((name,) for name in names), *pairs]


def with_changes(
    files: GameFiles, variants: Sequence[str], sets: Sequence[str], report: Report
) -> Node | None:
    """The rules with variants and single values laid over them, fitting the schema; else None."""
    own = Report()
    overlays: list[overlay.Overlay] = []
    for name in dict.fromkeys(variants):
        if name not in files.variants:
            own.error(
                Mark("--variant", 1, 1),
                "",
                f"'{files.id}' has no variant '{name}'",
                "unknown-variant",
                did_you_mean(name, files.variants, others="variants"),
            )
            continue
        overlays.append(overlay.overlay_from_variant(files.variants[name], own))
    chosen = [name for name in dict.fromkeys(variants) if name in files.variants]
    for one, other in combinations(chosen, 2):
        if not combine(files, one, other) and not _touches(
            files.variants[one], files.variants[other]
        ):
            own.error(
                Mark("--variant", 1, 1),
                "",
                f"'{one}' and '{other}' do not combine",
                "overlay-conflict",
            )
    by_hand = overlay.overlay_from_set(sets, own)
    if by_hand is not None:
        overlays.append(by_hand)
    root = overlay.apply(files.rules, overlays, own, files.rules_name) if overlays else files.rules
    if overlays:
        check_shape(root, own)
    if not own.failed and deck_named(root) != deck_named(files.rules):
        root = with_deck(root, files.folder, own) or root
    for problem in own.problems:
        report.add(problem)
    return None if own.failed else root


def compile_game(
    files: GameFiles,
    variants: Sequence[str] = (),
    sets: Sequence[str] = (),
    report: Report | None = None,
) -> Compiled | None:
    """An engine for a game with variants and single values; None if something is wrong, with all problems reported."""
    own = Report()
    compiled = _compile(files, variants, sets, own)
    if report is not None:
        for problem in own.problems:
            report.add(problem)
    return None if own.failed else compiled


def _compile(
    files: GameFiles, variants: Sequence[str], sets: Sequence[str], report: Report
) -> Compiled | None:
    root = with_changes(files, variants, sets, report)
    if root is None:
        return None
    game = bind(root, tuple(sorted(set(variants))), bool(sets), report)
    if game is None or report.failed:
        return None
    if len(game.deck) > MOST_CARDS:
        mark = root.keys["cards"]
        report.error(
            mark, "cards", f"{len(game.deck)} cards; at most {MOST_CARDS}", "too-many-cards"
        )
        return None
    meaning = declare(game, report)
    if meaning is None:
        return None
    layout = lay_out(meaning)
    words = make_words(meaning, files.texts, report)
    text = emit(meaning, layout, words, root, Report())
    check_names(text, meaning, report)
    return Compiled(game, root, meaning, layout, words, text)


def check_game(folder: Path, report: Report, sets: Iterable[tuple[str, ...]] | None = None) -> None:
    """All problems of a game: of its files, and of the game with each set of variants."""
    files = read_game(folder, report)
    if files is None:
        return
    base = compile_game(files, report=report)
    if base is None:
        return
    compiled = [
        compile_game(files, variants, report=report)
        for variants in (sets if sets is not None else variant_sets(files)[1:])
    ]
    meanings = [base.meaning, *(made.meaning for made in compiled if made is not None)]
    if None not in compiled:
        unused_words(files.texts, meanings, report)
