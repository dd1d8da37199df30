"""The way through the house: read, check schema, overlay, bind, check meaning, lay out, emit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from types import CodeType

from trickwright import limits, overlay
from trickwright.bind import bind
from trickwright.decks import deck_named, with_deck
from trickwright.declare import declare
from trickwright.emit import emit
from trickwright.engine_names import check_names
from trickwright.game_files import (
    GameFiles,
    check_modules,
    check_shape,
    combine,
    may_have,
    read_game,
    touches,
    variant_sets,
)
from trickwright.layout import Layout, lay_out
from trickwright.meaning import Meaning
from trickwright.model import Game
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node
from trickwright.words import Words, make_words, unused_words

__all__ = [
    "Compiled",
    "GameFiles",
    "check_game",
    "check_shape",
    "combine",
    "compile_game",
    "read_game",
    "variant_sets",
    "with_changes",
]


@dataclass(frozen=True)
class Compiled:
    """A game with one set of variants, checked, and its engine as text."""

    game: Game
    root: Node
    meaning: Meaning
    layout: Layout
    words: dict[str, Words]
    engine: str = field(repr=False)
    code: CodeType = field(repr=False, compare=False)
    """The engine as Python has compiled it."""


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
        if not combine(files, one, other) and not touches(
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
    root = files.rules
    if overlays:
        root = overlay.apply(root, overlays, own, files.rules_name, may_have)
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
    if len(game.deck) > limits.CARDS:
        mark = root.keys["cards"]
        report.error(
            mark, "cards", f"{len(game.deck)} cards; at most {limits.CARDS}", "too-many-cards"
        )
        return None
    meaning = declare(game, report)
    if meaning is None:
        return None
    layout = lay_out(meaning)
    words = make_words(meaning, files.texts, report)
    text = emit(meaning, layout, words, root)
    if len(text.encode()) > limits.ENGINE_BYTES:
        said = f"its engine would be larger than {limits.ENGINE_BYTES >> 10} KiB"
        report.error(game.mark, "game", said, "too-big", "fewer tables, phases or cards")
        return None
    code = compile(text, f"<{game.module}>", "exec")
    check_names(code, meaning, report)
    return Compiled(game, root, meaning, layout, words, text, code)


def check_game(folder: Path, report: Report, sets: Iterable[tuple[str, ...]] | None = None) -> None:
    """All problems of a game: of its files, and of the game with each set of variants."""
    files = read_game(folder, report)
    if files is None:
        return
    check_modules(files, report)
    base = compile_game(files, report=report)
    compiled = [
        compile_game(files, variants, report=report)
        for variants in (sets if sets is not None else variant_sets(files)[1:])
    ]
    if base is not None and None not in compiled:
        meanings = [base.meaning, *(made.meaning for made in compiled if made is not None)]
        unused_words(files.texts, meanings, report)
