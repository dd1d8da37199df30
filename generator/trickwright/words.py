"""Words: the names of everything a player sees, by language, from a game's text files and the kinds' own prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from trickwright.bind_cards import plain_symbol
from trickwright.kinds import FOLDER, Field, Word
from trickwright.meaning import Meaning
from trickwright.paths import find, format_path, parse_path
from trickwright.problems import Report, did_you_mean, nearest
from trickwright.source import Node

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COMMON = Path(__file__).parent / "templates" / "words.yaml"


@dataclass(frozen=True)
class Words:
    """One language: card names by number, the ways to say each trump, and other names by key."""

    cards: tuple[str, ...]
    letters: tuple[str, ...]
    codes: dict[str, int]
    trumps: tuple[tuple[str, ...], ...]
    names: dict[str, str]
    faces: tuple[str, ...]
    things: dict[str, tuple[tuple[str, ...], ...]]
    """The ways to say each thing of the types that phases add, such as bids."""


@cache
def _prose(path: Path) -> dict[str, Any]:
    """The words that come with the generator: trusted files of its own package."""
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    return loaded


def _kind_prose(kind: str, language: str) -> dict[str, Any]:
    """A kind's own words in a language, English where it has none."""
    prose = _prose(FOLDER / kind.replace("-", "_") / "text.yaml")
    words: dict[str, Any] = prose.get(language, prose["en"])
    return words


def make_words(meaning: Meaning, texts: Mapping[str, Node], report: Report) -> dict[str, Words]:
    """Words for every language that has a text file, and for English in any case."""
    for node in texts.values():
        _check(meaning, node, report)
    made = {
        language: _language(meaning, language, texts.get(language))
        for language in sorted({"en", *texts})
    }
    _check_ambiguous(meaning, texts, made, report)
    return made


def _wanted(meaning: Meaning, language: str) -> Iterator[tuple[str, str]]:
    """Section and key of every name that a text file should give; names of cards are English in the rules."""
    game = meaning.game
    yield from (("suits", suit.id) for suit in game.deck.suits)
    if "rank" in meaning.trump_kinds:
        yield from (("ranks", rank) for rank in game.deck.ranks)
    if language != "en":
        yield from (("cards", card.name) for card in game.deck.cards if card.name)
    yield from (("phases", declared.phase.id) for declared in meaning.phases)
    yield from (("outcomes", ending.outcome) for ending in meaning.endings)
    yield from (("values", definition.name) for definition in meaning.definitions)
    for word in _thing_words(meaning):
        yield word.section, word.key
    for declared in meaning.phases:
        own = _kind_prose(declared.phase.kind, "en").get("names", {})
        for field in declared.adds.fields:
            if _has_a_name(field) and field.key not in own:
                yield "names", field.key


def _thing_words(meaning: Meaning) -> dict[Word, None]:
    """The words that the things of phases are called by, each once."""
    things = (things for declared in meaning.phases for things in declared.adds.things.values())
    parts = (part for names in things for name in names for part in name)
    return dict.fromkeys(part for part in parts if isinstance(part, Word))


def _has_a_name(field: Field) -> bool:
    """Whether a game says what the field is called: a role, a team, or what chance has named."""
    return field.key != "" and (
        field.type in ("player", "players") or (field.type == "trump" and "." not in field.key)
    )


def _check(meaning: Meaning, node: Node, report: Report) -> None:
    """Names must be given for all that is there; for what only some variants have they may be."""
    sections = node.value if isinstance(node.value, dict) else {}
    language = str(sections["language"].value)
    wanted: dict[str, set[str]] = {}
    for section, key in _wanted(meaning, language):
        wanted.setdefault(section, set()).add(key)
    for section, key in _wanted(meaning, language):
        part = sections.get(section)
        given = part.value if part is not None and isinstance(part.value, dict) else {}
        if key not in given:
            report.error(
                node.mark if part is None else part.mark,
                format_path((section, key)),
                f"there is no word for '{key}'",
                "missing-text",
                _misspelt(key, given, wanted.get(section, set()))
                or f"add {section}: {{{key}: ...}}",
            )
    if "none" in meaning.trump_kinds and "no_trumps" not in sections:
        text, hint = "there is no word for the choice of no trumps", "add no_trumps: ..."
        report.error(node.mark, "no_trumps", text, "missing-text", hint)
    deck = meaning.game.deck
    for section, known in (
        ("suits", {suit.id for suit in deck.suits}),
        ("ranks", {*deck.ranks}),
        ("cards", {card.name for card in deck.cards if card.name}),
    ):
        part = sections.get(section)
        for key in part.value if part is not None and isinstance(part.value, dict) else ():
            if key not in known:
                assert part is not None
                report.error(
                    part.keys[key],
                    format_path((section, key)),
                    f"the game has no '{key}' among its {section}",
                    "unknown-name",
                    did_you_mean(key, sorted(known)),
                )


def _misspelt(key: str, given: Iterable[str], wanted: set[str]) -> str:
    """The hint that a word is given under a key like the one wanted; empty if none is."""
    meant = nearest(key, [other for other in given if other not in wanted])
    return f"did you mean '{key}' where it says '{meant}'?" if meant else ""


def _check_ambiguous(
    meaning: Meaning, texts: Mapping[str, Node], made: Mapping[str, Words], report: Report
) -> None:
    """No word, in whatever language, means two cards, two trumps or two bids, and no letter two ranks."""
    game = meaning.game
    ranks = [f"ranks.{rank}" for rank in game.deck.ranks]
    trumps = [*(f"suits.{suit.id}" for suit in game.deck.suits), *ranks, "no_trumps"]
    met: dict[tuple[str, str], str] = {}
    told: set[tuple[str, str]] = set()

    def check(language: str, what: str, word: str, path: str) -> None:
        before = met.setdefault((what, word.casefold()), path)
        node = texts.get(language)
        if before == path or node is None or (before, path) in told:
            return
        told.add((before, path))
        mark = (find(node, parse_path(path) or ()) or node).mark
        for changed, other in ((path, before), (before, path)):
            own = find(node, [*(parse_path(changed) or ()), "letter"])
            if own is not None and str(own.value).casefold() == word.casefold():
                path, before, mark = f"{changed}.letter", other, own.mark
                break
        report.error(
            mark, path, f"'{word}' is a {what} for {before} already", "not-unique", "choose another"
        )

    for language in [*(lang for lang in made if lang not in texts), *texts]:
        for path, letter in zip(ranks, made[language].letters, strict=True):
            check(language, "letter", letter, path)
        spoken = made[language]
        for card, called, face in zip(game.deck.cards, spoken.cards, spoken.faces, strict=False):
            for way in (called, face):  # with faces, cards have names of their own
                check(language, "name", way, format_path(("cards", card.name)))
        for path, ways in zip(trumps, made[language].trumps, strict=True):
            for way in ways:
                check(language, "word", way, path)
        for declared in meaning.phases:
            for kind, names in declared.adds.things.items():
                for name, ways in zip(names, made[language].things[kind], strict=True):
                    words = [part for part in name if isinstance(part, Word)]
                    for way in ways if words else ():
                        check(language, kind, way, f"{words[0].section}.{words[0].key}")


def unused_words(texts: Mapping[str, Node], meanings: Sequence[Meaning], report: Report) -> None:
    """Warns of names that no set of variants has a use for."""
    wanted = {pair for meaning in meanings for pair in _wanted(meaning, "en")}
    for meaning in meanings:
        fields = [field for declared in meaning.phases for field in declared.adds.fields]
        wanted |= {("names", field.key) for field in fields if _has_a_name(field)}
    for node in texts.values():
        for section in ("names", "phases", "outcomes", "values", "sides", "bids", "options"):
            part = find(node, [section])
            for key, mark in part.keys.items() if part is not None else ():
                if (section, key) not in wanted:
                    known = sorted(k for s, k in wanted if s == section)
                    hint = did_you_mean(key, known, others="used")
                    text = "nothing uses this, so a change of it changes nothing"
                    report.warning(mark, f"{section}.{key}", text, "unused", hint)


def _language(meaning: Meaning, language: str, node: Node | None) -> Words:
    game = meaning.game
    text: dict[str, Any] = {} if node is None else node.plain()
    common = _prose(_COMMON)
    shared = common.get(language, common["en"])
    ranks = {rank: _rank(rank, text.get("ranks", {}).get(rank)) for rank in game.deck.ranks}
    suits = {suit.id: text.get("suits", {}).get(suit.id, suit.id) for suit in game.deck.suits}
    letters = tuple(letter for letter, _, _ in ranks.values())
    none = text.get("no_trumps", shared["no_trumps"])
    none = none if isinstance(none, list) else [none]
    cards = {card: " ".join(name.split()) for card, name in text.get("cards", {}).items()}
    names = {f"clause.{key}": sentence for key, sentence in shared["clauses"].items()}
    names["nobody"] = shared["nobody"]
    names |= {f"ui.{key}": word for key, word in shared["ui"].items()}
    for section in ("names", "phases", "outcomes", "values"):
        prefix = {"names": "role", "phases": "phase", "outcomes": "outcome", "values": "value"}
        for key, word in text.get(section, {}).items():
            names[f"{prefix[section]}.{key}"] = word
    for key, word in text.get("hand", {}).items():
        names[f"hand.{key}"] = word
    for declared in meaning.phases:
        said = _kind_prose(declared.phase.kind, language)
        for key, word in said.get("names", {}).items():
            names.setdefault(f"role.{key}", word)
        for verb, word in said.get("verbs", {}).items():
            names[f"verb.{verb}"] = word
        for clause in declared.adds.clauses:
            sentence = said["clauses"][clause.id].format(**clause.fill)
            names[f"clause.{declared.phase.id}.{clause.id}"] = sentence
    return Words(
        tuple(game.deck.name(card, letters, cards) for card in game.deck.cards),
        letters,
        game.deck.codes(letters),
        (
            *(_ways(suits[suit.id], suit.id, suit.symbol) for suit in game.deck.suits),
            *(
                _ways(many, one, rank, letter, f"{letter}s", *_also(text, rank))
                for rank, (letter, one, many) in ranks.items()
            ),
            _ways(*none, "none"),
        ),
        names,
        game.deck.faces(letters),
        {
            kind: tuple(_ways(_said(name, text), _said(name, {})) for name in called)
            for declared in meaning.phases
            for kind, called in declared.adds.things.items()
        },
    )


def _said(name: tuple[str | Word, ...], text: Mapping[str, Any]) -> str:
    """The name of a thing with the words of a text file; where it gives none, with its keys."""
    return " ".join(
        text.get(part.section, {}).get(part.key, part.key) if isinstance(part, Word) else part
        for part in name
    )


def _also(text: dict[str, Any], rank: str) -> list[str]:
    """Other words for a rank."""
    given = text.get("ranks", {}).get(rank)
    return list(given.get("also", ())) if isinstance(given, dict) else []


def _rank(rank: str, given: Any) -> tuple[str, str, str]:
    """Letter on the cards, name of one, name of many."""
    if not isinstance(given, dict):
        return rank, rank, rank
    return given.get("letter", rank), given["one"], given["many"]


def _ways(*ways: str) -> tuple[str, ...]:
    """Words for one thing, as they are looked up: with single spaces."""
    return tuple(dict.fromkeys(plain_symbol(" ".join(way.split())) for way in ways))
