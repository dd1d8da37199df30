"""Where rules come from: the sources that a game lists, and what cites them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trickwright.model import Source
from trickwright.nodes import items
from trickwright.paths import format_path, walk
from trickwright.problems import Report, did_you_mean
from trickwright.source import Node
from trickwright.text import Cited


def sources_of(root: Node) -> dict[str, Source]:
    """The sources that the rules list, by id."""
    return {
        name: Source(name, text_of(node, "title"), tuple(items(node)["sections"].plain()))
        for name, node in items(items(root)["sources"]).items()
    }


def check_citations(node: Node, rules: Node, report: Report) -> None:
    """Whatever is cited below the node, the sources of the rules list."""
    sources = sources_of(rules)
    for path, part in nodes_by_path(node):
        inside_a_phase = re.match(r"phases\.[\w-]+\.", path)  # where keys may be names
        if isinstance(part.value, dict) and "source" in part.value and not inside_a_phase:
            at = f"{path}.source" if path else "source"
            _check_citation(at, part.value["source"], sources, report)


def text_of(node: Node, key: str) -> str:
    """What stands at a key, as text; empty if nothing does."""
    found = items(node).get(key)
    return "" if found is None else str(found.value)


def nodes_by_path(node: Node) -> Iterator[tuple[str, Node]]:
    """The node and all below it, each with its path."""
    yield "", node
    yield from ((format_path(parts), inner) for parts, inner in walk(node))


def cited(node: Node) -> Cited:
    """Source and reading of a part of the rules."""
    source = items(node).get("source")
    return Cited({} if source is None else source.plain(), text_of(node, "reading"))


def _check_citation(path: str, node: Node, sources: dict[str, Source], report: Report) -> None:
    for name, heading in items(node).items():
        at = f"{path}.{name}"
        if name not in sources:
            report.error(
                node.keys[name],
                at,
                f"there is no source '{name}'",
                "unknown-source",
                did_you_mean(name, list(sources)),
            )
        elif heading.value not in sources[name].sections:
            report.error(
                heading.mark,
                at,
                f"'{heading.value}' is not a section of '{sources[name].title}'",
                "unknown-source",
                did_you_mean(str(heading.value), list(sources[name].sections)),
            )
