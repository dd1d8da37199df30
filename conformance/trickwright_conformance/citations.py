"""What cases cite: the rules that they pin, headings of rulebooks, and variants, all of which must be there."""

from __future__ import annotations

from trickwright import GameFiles
from trickwright.nodes import items
from trickwright.overlay import Parts, all_paths, find, parse_path
from trickwright.problems import Mark, Report, did_you_mean, nearest
from trickwright.source import Node


def check_citations(case: Node, path: str, files: GameFiles, report: Report) -> None:
    """Report what a case cites and is not there, and whether it says twice or not at all what it is about."""
    parts = items(case)
    _rules(parts["rules"], f"{path}.rules", files, _added(parts, files), report)
    if "source" in parts:
        _sources(parts["source"], f"{path}.source", files, report)
    _one_of(case, path, ("source", "reading"), "source: {en: The auction}", report)
    _one_of(case, path, ("expect", "side_by_side"), "expect: {...}", report)
    if "variants" in parts and "side_by_side" in parts:
        text = "side_by_side names its variants itself"
        report.error(case.keys["variants"], f"{path}.variants", text, "unknown-key")
    listed = parts["variants"].value if "variants" in parts else None
    for place, node in enumerate(listed if isinstance(listed, list) else ()):
        _variant(str(node.value), node.mark, f"{path}.variants[{place}]", files, report)
    for name in items(parts.get("side_by_side")):
        mark = parts["side_by_side"].keys[name]
        for one in variant_names(name):
            at = mark.moved(0, max(name.find(one), 0))
            _variant(one, at, f"{path}.side_by_side.{name}", files, report)


def variant_names(side: str) -> tuple[str, ...]:
    """The variants of a key of ``side_by_side``, such as ``no-stalemate + to-100``."""
    return () if side == "base" else tuple(sorted(part.strip() for part in side.split("+")))


def _added(parts: dict[str, Node], files: GameFiles) -> dict[str, Node]:
    """What the variants of a case add to the rules, by path."""
    listed = parts["variants"].value if "variants" in parts else None
    names = {str(node.value) for node in (listed if isinstance(listed, list) else ())}
    names |= {name for side in items(parts.get("side_by_side")) for name in variant_names(side)}
    variants = [files.variants[name] for name in sorted(names & set(files.variants))]
    return {path: new for one in variants for path, new in items(items(one).get("add")).items()}


def _is_there(parts: Parts, files: GameFiles, added: dict[str, Node]) -> bool:
    """Whether a path is one of the rules, or in something that is added to them."""
    if find(files.rules, parts) is not None:
        return True
    for text, node in added.items():
        outer = parse_path(text) or ()
        if outer == parts[: len(outer)] and find(node, parts[len(outer) :]) is not None:
            return True
    return False


def _rules(node: Node, path: str, files: GameFiles, added: dict[str, Node], report: Report) -> None:
    for place, item in enumerate(node.value if isinstance(node.value, list) else ()):
        cited = str(item.value)
        parts = parse_path(cited)
        if parts is None or not _is_there(parts, files, added):
            meant = nearest(cited, [*all_paths(files.rules), *added])
            hint = f"did you mean '{meant}'?" if meant else ""
            text = f"no path '{cited}' in the rules"
            report.error(item.mark, f"{path}[{place}]", text, "unknown-path", hint)


def _sources(node: Node, path: str, files: GameFiles, report: Report) -> None:
    sources = items(items(files.rules)["sources"])
    for name, heading in items(node).items():
        where = f"{path}.{name}"
        if name == "example":
            if type(heading.value) is not int or heading.value < 1:
                text = "expected the number of an example, from 1"
                report.error(heading.mark, where, text, "wrong-type", "example: 1")
            continue
        if name not in sources:
            hint = did_you_mean(name, sources)
            text = f"there is no source '{name}'"
            report.error(node.keys[name], where, text, "unknown-source", hint)
            continue
        sections = items(sources[name])["sections"].plain()
        cited = heading.value if isinstance(heading.value, list) else [heading]
        for one in cited:
            if one.plain() not in sections:
                hint = did_you_mean(str(one.value), sections)
                text = f"'{one.plain()}' is not a section of '{name}'"
                report.error(one.mark, where, text, "unknown-source", hint)
        if not cited:
            hint = did_you_mean("", sections)
            report.error(heading.mark, where, "no section is named", "unknown-source", hint)
    if not set(items(node)) - {"example"}:
        text = "no source is named"
        report.error(node.mark, path, text, "unknown-source", did_you_mean("", sources))


def _one_of(case: Node, path: str, keys: tuple[str, str], example: str, report: Report) -> None:
    """Report a case that has both or none of two keys."""
    there = [key for key in keys if key in case.keys]
    if not there:
        text = f"a case has {keys[0]} or {keys[1]}"
        report.error(case.mark, path, text, "missing-key", f"for example {example}")
    elif len(there) == 2:
        text = f"a case has either {keys[0]} or {keys[1]}"
        report.error(case.keys[keys[1]], f"{path}.{keys[1]}", text, "unknown-key", "keep one")


def _variant(name: str, mark: Mark, path: str, files: GameFiles, report: Report) -> None:
    if name not in files.variants:
        hint = did_you_mean(name, files.variants, others="variants")
        report.error(mark, path, f"there is no variant '{name}'", "unknown-variant", hint)
