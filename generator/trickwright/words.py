"""Words: the names of everything a player sees, by language, from a game's text files and the kinds' own prose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from trickwright.declare import Meaning
from trickwright.kinds import FOLDER
from trickwright.model import Game
from trickwright.problems import Report, did_you_mean
from trickwright.source import Node

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COMMON = Path(__file__).parent / "templates" / "words.yaml"


@dataclass(frozen=True)
class Words:
    """One language: card names by number, the ways to say each trump, and other names by key."""

    cards: tuple[str, ...]
    codes: dict[str, int]
    trumps: tuple[tuple[str, ...], ...]
    names: dict[str, str]


@cache
def _prose(path: Path) -> dict[str, Any]:
    """The words that come with the generator: trusted files of its own package."""
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    return loaded


def make_words(meaning: Meaning, texts: Mapping[str, Node], report: Report) -> dict[str, Words]:
    """Words for every language that has a text file, and for English in any case."""
    for node in texts.values():
        _check(meaning, node, report)
    return {
        language: _language(meaning, language, texts.get(language))
        for language in sorted({"en", *texts})
    }


def _wanted(meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Section and key of every name that a text file should give."""
    game = meaning.game
    yield from (("suits", suit.id) for suit in game.deck.suits)
    yield from (("ranks", rank) for rank in game.deck.ranks)
    yield from (("phases", declared.phase.id) for declared in meaning.phases)
    yield from (("outcomes", ending.outcome) for ending in meaning.endings)
    yield from (("values", definition.name) for definition in meaning.definitions)
    for declared in meaning.phases:
        for field in declared.adds.fields:
            if field.type in ("player", "players") and field.key:
                yield "names", field.key


def _check(meaning: Meaning, node: Node, report: Report) -> None:
    """Names must be given for all that is there; for what only some variants have they may be."""
    sections = node.value if isinstance(node.value, dict) else {}
    for section, key in _wanted(meaning):
        part = sections.get(section)
        given = part.value if part is not None and isinstance(part.value, dict) else {}
        if key not in given:
            report.error(
                node.mark if part is None else part.mark,
                f"{section}.{key}",
                f"there is no word for '{key}'",
                "missing-text",
                did_you_mean(key, list(given)) if given else f"add {section}: {{{key}: ...}}",
            )
    for section in ("suits", "ranks"):
        part = sections.get(section)
        known = {key for where, key in _wanted(meaning) if where == section}
        for key in part.value if part is not None and isinstance(part.value, dict) else ():
            if key not in known:
                assert part is not None
                report.error(
                    part.keys[key],
                    f"{section}.{key}",
                    f"the game has no '{key}' among its {section}",
                    "unknown-name",
                    did_you_mean(key, sorted(known)),
                )


def _language(meaning: Meaning, language: str, node: Node | None) -> Words:
    game = meaning.game
    text: dict[str, Any] = {} if node is None else node.plain()
    common = _prose(_COMMON)
    shared = common.get(language, common["en"])
    ranks = {rank: _rank(rank, text.get("ranks", {}).get(rank)) for rank in game.deck.ranks}
    suits = {suit.id: text.get("suits", {}).get(suit.id, suit.id) for suit in game.deck.suits}
    none = text.get("no_trumps", shared["no_trumps"])
    names = {f"clause.{key}": sentence for key, sentence in shared["clauses"].items()}
    names["nobody"] = shared["nobody"]
    names |= {f"ui.{key}": word for key, word in shared["ui"].items()}
    for section in ("names", "phases", "outcomes", "values"):
        prefix = {"names": "role", "phases": "phase", "outcomes": "outcome", "values": "value"}
        for key, word in text.get(section, {}).items():
            names[f"{prefix[section]}.{key}"] = word
    for declared in meaning.phases:
        prose = _prose(FOLDER / declared.phase.kind.replace("-", "_") / "text.yaml")
        said = prose.get(language, prose["en"])
        for verb, word in said.get("verbs", {}).items():
            names[f"verb.{verb}"] = word
        for clause in declared.adds.clauses:
            sentence = said["clauses"][clause.id].format(**clause.fill)
            names[f"clause.{declared.phase.id}.{clause.id}"] = sentence
    return Words(
        tuple(ranks[rank][0] + suit.symbol for suit in game.deck.suits for rank in game.deck.ranks),
        _codes(game, {rank: words[0] for rank, words in ranks.items()}),
        (
            *(_ways(suits[suit.id], suit.id, suit.symbol) for suit in game.deck.suits),
            *(
                _ways(many, one, rank, letter, f"{letter}s")
                for rank, (letter, one, many) in ranks.items()
            ),
            _ways(none, "none"),
        ),
        names,
    )


def _rank(rank: str, given: Any) -> tuple[str, str, str]:
    """Letter on the cards, name of one, name of many."""
    if not isinstance(given, dict):
        return rank, rank, rank
    return given.get("letter", rank), given["one"], given["many"]


def _ways(*ways: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ways))


def _codes(game: Game, letters: Mapping[str, str]) -> dict[str, int]:
    size = len(game.deck.ranks)
    return {
        letters[rank] + suit.letter: place * size + number
        for place, suit in enumerate(game.deck.suits)
        for number, rank in enumerate(game.deck.ranks)
    }
