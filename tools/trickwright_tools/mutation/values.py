"""What values of rules are changed into, as their schemas allow it.

Numbers go up and down by one; words become each other word that is allowed there; yes becomes no; cards, suits and ranks become
their neighbours; names become other names of their type; a range gives each of its members a value of its own. Items of lists
and entries of mappings are taken away, lists of words and numbers get one more, and lists whose order matters are put into
another one. Expressions are changed by ``expressions``.

Not changed are texts, titles, sources, readings and symbols, for they change no play; and the ids by which the parts of the
rules call each other, for ``check`` holds these together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from trickwright.expressions import Site
from trickwright.names import OF_CARDS, Name
from trickwright.nodes import items, listed
from trickwright.overlay import Parts
from trickwright.source import Node
from trickwright_tools.mutation.expressions import rewritten
from trickwright_tools.parameters import NO_RULES
from trickwright_tools.schemas import Schema, inner_schema, resolved, schema_at


class _Removed:
    """Stands for the new value of what is taken away."""

    def __repr__(self) -> str:
        return "REMOVED"

    def __reduce__(self) -> str:
        return "REMOVED"


REMOVED: Final = _Removed()
_WORDS = frozenset({"symbol", "letter"})
"""Keys of suits that say how they are written."""
_RANGE = re.compile(r"([0-9A-Za-z]{1,2})-([0-9A-Za-z]{1,2})")


@dataclass(frozen=True)
class Change:
    """An old and a new value, and what kind of change it is, in a word such as ``number`` or ``comparison``."""

    old: Any = field(compare=False)
    new: Any
    how: str = field(compare=False)


@dataclass(frozen=True)
class Pools:
    """What texts of the rules can stand for, so that another of the same sort can take their place."""

    sites: Mapping[str, list[Site]]
    rows: tuple[tuple[str, ...], ...]
    """Cards, ranks and phases, each in order: a text becomes its neighbours."""
    names: Mapping[str, Name]
    ranks: tuple[str, ...]

    @classmethod
    def of(cls, rules: Node, sites: dict[str, list[Site]], cards: list[str]) -> Pools:
        """The pools of rules, from the places of their expressions and the cards of their deck."""
        deck = items(items(rules)["cards"])
        ranks = tuple(str(rank.value) for rank in listed(deck["ranks"]))
        phases = tuple(items(items(rules)["phases"]))
        names: dict[str, Name] = {}
        for site in (site for found in sites.values() for site in found):
            names |= {n: name for n in site.scope if (name := site.scope.get(n)) is not None}
        return cls(sites, (tuple(cards), ranks, phases), names, ranks)

    def others(self, text: str) -> Iterator[str]:
        """What may stand instead of a text."""
        for row in self.rows:
            if text in row:
                at = row.index(text)
                yield from row[max(at - 1, 0) : at]
                yield from row[at + 1 : at + 2]
        own = self.names.get(text)
        for name, other in self.names.items() if own is not None else ():
            if name != text and own is not None and _alike(own, other):
                yield name


def _alike(one: Name, other: Name) -> bool:
    """Whether a name could stand for another: of one type, and of the cards of one kind."""
    if one.type is not other.type or one.takes != other.takes:
        return False
    of_cards = OF_CARDS in (one.provided_by, other.provided_by)
    return not of_cards or (one.provided_by == other.provided_by and one.kinds == other.kinds)


def changes(
    node: Node, parts: Parts, found: Schema, pools: Pools
) -> Iterator[tuple[Parts, Change]]:
    """The changes of a value and of all in it, each with its path."""
    if isinstance(node.value, dict):
        yield from _of_mapping(node, parts, found, pools)
    elif isinstance(node.value, list):
        yield from _of_list(node, parts, found, pools)
    else:
        old = node.value
        for new, how in _of_scalar(node, parts, found, pools):
            yield parts, Change(old, new, how)


def _of_mapping(
    node: Node, parts: Parts, found: Schema, pools: Pools
) -> Iterator[tuple[Parts, Change]]:
    rules = items(node)
    forms = [resolved(form) for form in found.get("anyOf", ())]
    whole = next((form for form in forms if form.get("type") == "object"), found)
    required = whole.get("required", ())
    for key, child in rules.items():
        if key in NO_RULES or key in _WORDS:
            continue
        inner = resolved(inner_schema(whole, key))
        if parts == ("phases",):
            inner = schema_at(Node(node.mark, {"phases": node}), (*parts, key))
        if key not in required:
            yield (*parts, key), Change(child.plain(), REMOVED, "removed")
        yield from changes(child, (*parts, key), inner, pools)
        for split in _split(rules, key, child, inner, pools):
            yield parts, Change(node.plain(), split, "range")
    if whole.get("ordered"):
        for order in _swapped(list(rules)):
            yield parts, Change(node.plain(), {key: rules[key].plain() for key in order}, "order")


def _split(
    rules: Mapping[str, Node], key: str, child: Node, inner: Schema, pools: Pools
) -> Iterator[dict[str, Any]]:
    """The mapping with another value for one member of a range, such as ``2-4: 1, 5: 2, 6-10: 1``."""
    ends = _ends(key, pools)
    if ends is None:
        return
    low, high = ends
    ranks = pools.ranks
    for at in range(low, high + 1):
        for new in _numbers(1 if child.value == "face" else child.value, inner):
            before, after = _range(ranks, low, at - 1), _range(ranks, at + 1, high)
            pieces = {before: child.plain(), ranks[at]: new, after: child.plain()}
            pieces.pop("", None)
            told: dict[str, Any] = {}
            for name, value in rules.items():
                told |= pieces if name == key else {name: value.plain()}
            yield told


def _ends(text: str, pools: Pools) -> tuple[int, int] | None:
    """The ranks at the ends of a range; None if the text is none."""
    match = _RANGE.fullmatch(text)
    if match is None or match[1] not in pools.ranks or match[2] not in pools.ranks:
        return None
    return pools.ranks.index(match[1]), pools.ranks.index(match[2])


def _range(ranks: tuple[str, ...], low: int, high: int) -> str:
    return "" if low > high else ranks[low] if low == high else f"{ranks[low]}-{ranks[high]}"


def _of_list(
    node: Node, parts: Parts, found: Schema, pools: Pools
) -> Iterator[tuple[Parts, Change]]:
    inner = resolved(found.get("items", {}))
    whole = node.plain()
    for place, child in enumerate(listed(node)):
        yield (*parts, place), Change(child.plain(), REMOVED, "item")
        if parts != ("cards", "ranks"):  # what ranks are called is a word; their order is a rule
            yield from changes(child, (*parts, place), inner, pools)
    missing = [value for value in inner.get("enum", ()) if value not in whole]
    if inner.get("type") == "integer" and not found.get("minItems", 0) > 1 and parts[0] != "tables":
        missing += _near(whole, inner)
    for value in missing:
        yield (
            parts,
            Change(whole, sorted([*whole, value]) if _rising(whole) else [*whole, value], "added"),
        )
    if found.get("ordered"):
        for order in _swapped(whole):
            yield parts, Change(whole, order, "order")


def _near(numbers: list[int], inner: Schema) -> list[int]:
    """Numbers right below and above those of a list."""
    ends = [min(numbers) - 1, max(numbers) + 1] if numbers else []
    return [end for end in ends if _fits(end, inner)]


def _rising(values: list[Any]) -> bool:
    return all(type(value) is int for value in values) and values == sorted(values)


def _swapped(values: list[Any]) -> Iterator[list[Any]]:
    """The list with each two neighbours changed for each other."""
    for at in range(len(values) - 1):
        yield [*values[:at], values[at + 1], values[at], *values[at + 2 :]]


def _of_scalar(node: Node, parts: Parts, found: Schema, pools: Pools) -> Iterator[tuple[Any, str]]:
    value = node.value
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    if found.get("defined") == "expression":
        for text, how in rewritten(str(value), pools.sites.get(path.removeprefix("."), [])):
            yield (int(text) if re.fullmatch(r"-?[0-9]+", text) else text), how
        return
    forms = [resolved(form) for form in found.get("anyOf", ())] or [found]
    for form in forms:
        allowed = form.get("enum", [form["const"]] if "const" in form else [])
        yield from ((other, "word") for other in allowed if other != value)
        if form.get("type") == "boolean":
            yield not value, "yes or no"
        if form.get("type") == "integer":
            # Where a word may stand instead of a number, the least number is as good as any.
            start = value if type(value) is int else form.get("minimum", 0) - 1
            yield from ((new, "number") for new in _numbers(start, form))
    types = found.get("type")
    if isinstance(types, list) and str(value) in pools.ranks:
        others = pools.others(str(value))
        yield from ((int(other) if other.isdigit() else other, "rank") for other in others)
    elif isinstance(value, str) and "enum" not in found and "const" not in found:
        yield from ((other, "name") for other in dict.fromkeys(pools.others(value)))
        yield from ((text, "range") for text in _moved(value, pools))


def _moved(text: str, pools: Pools) -> Iterator[str]:
    """A range with each of its ends a rank lower and higher."""
    ends = _ends(text, pools)
    if ends is not None:
        low, high = ends
        for one, other in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
            if 0 <= one < other < len(pools.ranks):
                yield _range(pools.ranks, one, other)


def _numbers(value: Any, found: Schema) -> Iterator[int]:
    """The numbers on both sides of a number, as far as they are allowed."""
    for form in [resolved(form) for form in found.get("anyOf", ())] or [found]:
        if form.get("type") == "integer" and type(value) is int:
            yield from (new for new in (value - 1, value + 1) if _fits(new, form))


def _fits(number: int, found: Schema) -> bool:
    low, high = found.get("minimum", number), found.get("maximum", number)
    return bool(low <= number <= high)
