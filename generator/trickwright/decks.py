"""Decks that games share: ``cards: {deck: NAME}`` takes over what ``spec/decks/NAME.yaml`` says of the cards.

The parts of the deck come into the tree of the rules with their places in the deck's file, so that problems, variants and
``--set`` know them as they know any other part of the rules.
"""

from __future__ import annotations

from pathlib import Path

from trickwright import schema
from trickwright.nodes import items
from trickwright.places import roots, shown
from trickwright.places import schema as find_schema
from trickwright.problems import Report, did_you_mean
from trickwright.source import Node, read_file

PARTS = ("suits", "ranks", "sides", "named", "copies")
"""What a deck may say of the cards."""


def decks(game: Path) -> dict[str, Path]:
    """The file of every deck that a game in a folder can name, by id; those that lie nearest to it win."""
    found: dict[str, Path] = {}
    folders = [root / "spec" / "decks" for root in reversed(roots())]
    for folder in (*folders, game.resolve().parent.parent / "decks"):
        found |= {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    return dict(sorted(found.items()))


def deck_named(rules: Node) -> str:
    """The deck that rules name; empty if they have cards of their own."""
    named = items(items(rules).get("cards")).get("deck")
    return "" if named is None else str(named.value)


def with_deck(rules: Node, game: Path, report: Report) -> Node | None:
    """The rules with the parts of the deck they name, if any; what they say themselves goes before it.

    Parts that come from another deck are dropped. None, with all problems reported, if the deck cannot be had.
    """
    cards, name = items(rules).get("cards"), deck_named(rules)
    if cards is None or not name:
        return rules
    known = decks(game)
    here = cards.keys["deck"].file
    if name not in known:
        text, hint = f"there is no deck '{name}'", did_you_mean(name, list(known), others="decks")
        report.error(items(cards)["deck"].mark, "cards.deck", text, "unknown-deck", hint)
        return None
    deck = read_deck(known[name], report)
    if deck is None:
        return None
    own = {key: node for key, node in items(cards).items() if cards.keys[key].file == here}
    parts = {key: node for key, node in items(deck).items() if key in PARTS and key not in own}
    keys = {key: cards.keys[key] for key in own} | {key: deck.keys[key] for key in parts}
    whole = Node(cards.mark, {**own, **parts}, keys)
    return Node(rules.mark, {**items(rules), "cards": whole}, rules.keys)


def read_deck(path: Path, report: Report) -> Node | None:
    """The tree of a deck's file, which fits its schema and is called as the file; None otherwise."""
    own = Report()
    node = read_file(path, shown(path), own)
    if node is not None and not own.failed and schema.check(node, find_schema("deck"), own):
        name = items(node)["deck"]
        if name.value != path.stem:
            text = f"'{name.value}' is not what the file is called"
            own.error(
                name.mark, "deck", text, "wrong-name", f"write {path.stem}, or rename the file"
            )
    for problem in own.problems:
        report.add(problem)
    return None if own.failed else node
