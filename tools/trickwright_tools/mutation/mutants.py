"""Mutants: the rules of a game, or one of its variants, with one thing changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trickwright import GameFiles
from trickwright.compile import compile_game
from trickwright.expressions import Site, noting_sites
from trickwright.nodes import items, listed
from trickwright.overlay import Parts, find, format_path, parse_path
from trickwright.problems import Mark
from trickwright.source import Node
from trickwright_tools.mutation.values import REMOVED, Change, Pools, changes
from trickwright_tools.schemas import schema_at

_OF_VARIANTS = ("set", "add")


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change of a game: of its own rules, or of one of its variants."""

    variant: str
    """The variant whose file is changed; empty for the rules themselves."""
    path: str
    """The path in the rules that is changed, or that the variant touches."""
    change: Change
    mark: Mark
    place: Parts = field(repr=False)
    """Where in its file the changed node is."""

    @property
    def id(self) -> str:
        """What names this mutant, and no other of its game."""
        new = self.change.new
        told = "removed" if new is REMOVED else json.dumps(new, ensure_ascii=False)
        return f"{self.variant}:{self.path}:{told}"

    def applied(self, files: GameFiles) -> GameFiles:
        """The files of the game with the change made in memory."""
        if not self.variant:
            return replace(files, rules=_changed(files.rules, self.place, self.change.new))
        node = _changed(files.variants[self.variant], self.place, self.change.new)
        return replace(files, variants=files.variants | {self.variant: node})


def mutants(files: GameFiles) -> list[Mutant]:
    """All mutants of a game whose files are sound: of its rules, then of its variants, each in the order of its file."""
    found = list(_of_rules(files))
    for name in files.variants:
        found += _of_variant(files, name)
    return list({mutant.id: mutant for mutant in reversed(found)}.values())[::-1]


def _of_rules(files: GameFiles) -> Iterator[Mutant]:
    pools = Pools.of(files.rules, *_sites(files, ()))
    for parts, change in changes(files.rules, (), schema_at(files.rules, ()), pools):
        yield Mutant("", format_path(parts), change, _mark(files.rules, parts), parts)


def _of_variant(files: GameFiles, name: str) -> Iterator[Mutant]:
    node = files.variants[name]
    pools = Pools.of(files.rules, *_sites(files, (name,)))
    for section in _OF_VARIANTS:
        entries = items(items(node).get(section))
        for key, value in entries.items():
            at, outer = parse_path(key) or (), (section, key)
            yield Mutant(
                name,
                format_path(at),
                Change(value.plain(), REMOVED, "entry"),
                items(node)[section].keys[key],
                outer,
            )
            for parts, change in changes(value, at, schema_at(files.rules, at), pools):
                place = (*outer, *parts[len(at) :])
                yield Mutant(name, format_path(parts), change, _mark(node, place), place)
    for place_in_list, item in enumerate(listed(items(node).get("remove", Node(node.mark, None)))):
        change = Change(str(item.value), REMOVED, "entry")
        yield Mutant(name, str(item.value), change, item.mark, ("remove", place_in_list))


def _sites(files: GameFiles, variants: tuple[str, ...]) -> tuple[dict[str, list[Site]], list[str]]:
    """The places of all expressions by path, and every card of the deck."""
    with noting_sites() as noted:
        compiled = compile_game(files, variants)
    sites: dict[str, list[Site]] = {}
    for site in noted:
        sites.setdefault(site.at[1], []).append(site)
    cards = [] if compiled is None else list(compiled.words["en"].cards)
    return sites, cards


def _mark(root: Node, parts: Parts) -> Mark:
    """Where a value stands; for an entry of a mapping that is a mapping itself, its key."""
    parent, node = find(root, parts[:-1]), find(root, parts)
    if parent is not None and node is not None and isinstance(node.value, dict | list):
        return parent.keys.get(str(parts[-1]), node.mark)
    return root.mark if node is None else node.mark


def _changed(root: Node, parts: Sequence[str | int], new: Any) -> Node:
    """The tree with another value at a path, or without it; what is not on the way is shared with the old tree."""
    if not parts:
        return _node(new, root.mark)
    first, rest = parts[0], parts[1:]
    children: Any = root.value.copy() if isinstance(root.value, dict | list) else {}
    keys = dict(root.keys)
    if rest or new is not REMOVED:
        children[first] = _changed(children[first], rest, new)
    else:
        del children[first]
        keys.pop(str(first), None)
    return Node(root.mark, children, keys)


def _node(value: Any, mark: Mark) -> Node:
    """Plain data as a tree that stands at one place."""
    if isinstance(value, dict):
        nodes = {key: _node(inner, mark) for key, inner in value.items()}
        return Node(mark, nodes, dict.fromkeys(nodes, mark))
    if isinstance(value, list):
        return Node(mark, [_node(inner, mark) for inner in value])
    return Node(mark, value)
