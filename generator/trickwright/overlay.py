"""Lays variants and ``--set`` over the rules: a changed tree whose values know who set them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from trickwright import limits
from trickwright.paths import (
    Parts,
    all_paths,
    child_of,
    children,
    find,
    format_path,
    parse_path,
    split_setting,
)
from trickwright.problems import Mark, Report, nearest
from trickwright.source import Node, check_characters, read_value

SET: Final = "--set"


@dataclass(frozen=True)
class Overlay:
    """Changes to the rules: paths with their new values, new paths, and paths to take away."""

    name: str
    set: tuple[tuple[str, Node, Mark], ...]
    remove: tuple[tuple[str, Mark], ...] = ()
    combines_with: frozenset[str] = frozenset()
    add: tuple[tuple[str, Node, Mark], ...] = ()
    excludes: tuple[tuple[str, Mark], ...] = ()
    """The variants that it is not played with, and where it says so."""


def overlay_from_variant(node: Node, report: Report) -> Overlay:
    """The changes of a variant file, which must have passed its schema.

    A path that is none is reported and left out.
    """
    replaced, added = _entries(_get(node, "set")), _entries(_get(node, "add"))
    removed = _get(node, "remove")
    taken = [(str(item.value), item.mark) for _, item in children(removed)]
    combined = (str(item.value) for _, item in children(_get(node, "combines_with")))
    return Overlay(
        name=str(_get(node, "variant").value),
        set=tuple(change for change in replaced if _parts(change[0], change[2], report)),
        remove=tuple(change for change in taken if _parts(*change, report)),
        combines_with=frozenset(combined),
        add=tuple(change for change in added if _parts(change[0], change[2], report)),
        excludes=tuple((str(i.value), i.mark) for _, i in children(_get(node, "excludes"))),
    )


def _entries(node: Node) -> list[tuple[str, Node, Mark]]:
    """The entries of a mapping: key, value, and where the key stands."""
    values = node.value if isinstance(node.value, dict) else {}
    return [(path, value, node.keys[path]) for path, value in values.items()]


def overlay_from_set(texts: Sequence[str], report: Report) -> Overlay | None:
    """The changes of the arguments ``PATH=VALUE``; None if there are no arguments.

    A mark's line is the number of the argument. An argument that cannot be read is reported and
    left out.
    """
    changes: list[tuple[str, Node, Mark]] = []
    if len(texts) > limits.CHANGES_BY_HAND:
        said = f"more than {limits.CHANGES_BY_HAND} values are set"
        report.error(
            Mark(SET, limits.CHANGES_BY_HAND + 1, 1), "", said, "too-big", "write a variant"
        )
        return Overlay(SET, ())
    for number, text in enumerate(texts, start=1):
        mark = Mark(SET, number, 1)
        path, equals, written = split_setting(text)
        shown = check_characters(path, report, mark)
        if shown is None:
            continue
        if not equals:
            said, hint = f"'{shown}' is not PATH=VALUE", "for example match.until=150"
            report.error(mark, "", said, "bad-path", hint)
            continue
        value = read_value(written, report, mark.after(path + equals))
        if _parts(shown.strip(), mark, report) and value is not None:
            changes.append((shown.strip(), value, mark))
    return Overlay(SET, tuple(changes)) if texts else None


def apply(
    root: Node,
    overlays: Sequence[Overlay],
    report: Report,
    rules_name: str,
    may_have: Callable[[Node, Parts], bool] = lambda root, parts: False,
) -> Node:
    """The rules with all changes made, as a new tree; ``--set`` comes last and always wins.

    ``--set`` also puts in a key that is left out, if ``may_have`` says that the rules may have one at that path.
    Changes that cannot be made are reported and left out.
    """
    return _Changes(root, report, rules_name, may_have).make(overlays)


OWN_ID = "game"
"""The key of the game's id: engines and their files are called by it, so no change may give another."""


@dataclass(frozen=True)
class _Change:
    """One path touched by an overlay; without a value it is taken away."""

    overlay: Overlay
    parts: Parts
    mark: Mark
    value: Node | None

    def touches(self, other: _Change) -> bool:
        shared = min(len(self.parts), len(other.parts))
        return self.parts[:shared] == other.parts[:shared]

    def may_follow(self, earlier: _Change) -> bool:
        """Whether this change may be made although an earlier one touches the same place."""
        if self.overlay is earlier.overlay:
            # To refine what one has just set is fine; to set and then overwrite it is a slip.
            refines = self.value is not None and len(self.parts) > len(earlier.parts)
            return refines and earlier.value is not None
        names = self.overlay.name, earlier.overlay.name
        return (
            SET in names
            or names[0] in earlier.overlay.combines_with
            or names[1] in self.overlay.combines_with
        )


class _Changes:
    """Makes changes one after another in a copy of the rules."""

    def __init__(
        self,
        root: Node,
        report: Report,
        rules_name: str,
        may_have: Callable[[Node, Parts], bool],
    ) -> None:
        self._root = _copy(root)
        self._may_have = may_have
        self._report = report
        self._rules_name = rules_name
        self._made: list[_Change] = []
        self._excluded: set[frozenset[str]] = set()
        # Removed values stay in place until the end, so that list indices keep their meaning.
        self._removed: dict[int, tuple[Node, _Change]] = {}

    def make(self, overlays: Sequence[Overlay]) -> Node:
        self._check_excluded(overlays)
        for overlay in sorted(overlays, key=lambda overlay: overlay.name == SET):
            for path, value, mark in overlay.set:
                if overlay.name == SET and self._is_left_out(parse_path(path) or ()):
                    self._add(overlay, path, mark, value)
                else:
                    self._make(overlay, path, mark, value)
            for path, value, mark in overlay.add:
                self._add(overlay, path, mark, value)
            for path, mark in overlay.remove:
                self._make(overlay, path, mark, None)
        self._drop_removed(self._root)
        return self._root

    def _check_excluded(self, overlays: Sequence[Overlay]) -> None:
        """Of two variants that exclude each other one is to be left out, whatever they change."""
        names = [overlay.name for overlay in overlays]
        for overlay in overlays:
            for place, (other, mark) in enumerate(overlay.excludes):
                pair = frozenset({overlay.name, other})
                if other in names and pair not in self._excluded:
                    self._excluded.add(pair)
                    text = f"{overlay.name} and {other} exclude each other"
                    hint = f"play with one of the two: leave out {overlay.name} or {other}"
                    self._report.error(mark, f"excludes[{place}]", text, "overlay-conflict", hint)

    def _make(self, overlay: Overlay, path: str, mark: Mark, value: Node | None) -> None:
        parts = _parts(path, mark, self._report)
        if parts is None:
            return
        if parts == (OWN_ID,):
            said, hint = "rules that are changed are still those of the same game", "leave it out"
            self._report.error(mark, path, said, "wrong-name", hint)
            return
        change = _Change(overlay, parts, mark, value)
        touched = [made for made in self._made if change.touches(made)]
        conflicts = [earlier for earlier in touched if not change.may_follow(earlier)]
        for earlier in conflicts:
            self._conflict(change, earlier)
        present = None if conflicts else self._find(change, path)
        if present is None:
            return
        if value is None:
            self._removed[id(present)] = present, change
        else:
            if not touched and _same(value, present):
                text = "the rules already have this value"
                self._report.warning(mark, path, text, "no-change")
            self._check_whole(change, path, present)
            self._replace(parts, _copy(value))
        self._made.append(change)

    def _is_left_out(self, parts: Parts) -> bool:
        """Whether a path ends with a key that the rules may have and do not have."""
        parent = find(self._root, parts[:-1])
        if parent is None or not isinstance(parent.value, dict) or not parts:
            return False
        return parts[-1] not in parent.value and self._may_have(self._root, parts)

    def _add(self, overlay: Overlay, path: str, mark: Mark, value: Node) -> None:
        """Put a new key into a mapping of the rules."""
        parts = _parts(path, mark, self._report)
        if parts is None:
            return
        change = _Change(overlay, parts, mark, value)
        conflicts = [made for made in self._made if made.parts == parts]
        for earlier in conflicts:
            self._conflict(change, earlier)
        if conflicts:
            return
        if find(self._root, parts) is not None:
            text, hint = f"{self._rules_name} has this already", "put it under set"
            self._report.error(mark, path, text, "taken-name", hint)
            return
        inside = _Change(overlay, parts[:-1], mark, value)
        parent = self._find(inside, path)
        if parent is None:
            return
        if not isinstance(parent.value, dict) or isinstance(parts[-1], int):
            text = f"'{format_path(parts[:-1])}' is no mapping, so nothing can be added to it"
            self._report.error(mark, path, text, "unknown-path", "set the whole of it")
            return
        parent.value[parts[-1]] = _copy(value)
        parent.keys[parts[-1]] = mark
        self._made.append(change)

    def _check_whole(self, change: _Change, path: str, present: Node) -> None:
        """A mapping replaces the whole of another; that several of its keys would be lost is mostly a slip."""
        value = change.value
        if (
            value is None
            or not isinstance(value.value, dict)
            or not isinstance(present.value, dict)
        ):
            return
        lost = [key for key in present.value if key not in value.value]
        kept = [key for key in value.value if key in present.value]
        if len(lost) > 1 and kept and not value.value.keys() - present.value.keys():
            text = f"this replaces all of '{path}' and drops {', '.join(lost[:4])}"
            hint = f"to change one value write {path}.{kept[0]}: ..."
            self._report.warning(change.mark, path, text, "drops-keys", hint)

    def _find(self, change: _Change, path: str) -> Node | None:
        """The present value at the path of a change; None, and a problem, if there is none."""
        node = self._root
        for depth, part in enumerate(change.parts):
            child = child_of(node, part)
            if id(node) in self._removed:
                _, removal = self._removed[id(node)]
                text = f"{removal.overlay.name} takes this away ({removal.mark})"
                self._report.error(change.mark, path, text, "unknown-path")
                return None
            if child is None:
                text = f"no such path in {self._rules_name}"
                hint = _suggestion(self._root, change.parts, depth, node)
                self._report.error(change.mark, path, text, "unknown-path", hint)
                return None
            node = child
        return node

    def _conflict(self, change: _Change, earlier: _Change) -> None:
        if frozenset({change.overlay.name, earlier.overlay.name}) in self._excluded:
            return  # that they exclude each other is said already
        path, other = format_path(change.parts), format_path(earlier.parts)
        inside = "" if path == other else f" as '{other}'"
        if change.overlay is earlier.overlay:
            text = f"{change.overlay.name} changes this twice: first at {earlier.mark}{inside}"
            hint = "keep one of the two"
        else:
            text = f"{earlier.overlay.name} changes this too, at {earlier.mark}{inside}"
            name = earlier.overlay.name
            hint = f"if the two belong together: combines_with: [{name}] in {change.overlay.name}"
        self._report.error(change.mark, path, text, "overlay-conflict", hint)

    def _replace(self, parts: Parts, value: Node) -> None:
        parent, last = find(self._root, parts[:-1]), parts[-1]
        if parent is None:
            return
        container: Any = parent.value  # _find has made sure that it takes this key or index
        container[last] = value

    def _drop_removed(self, node: Node) -> None:
        if isinstance(node.value, dict):
            for key in [key for key, child in node.value.items() if id(child) in self._removed]:
                del node.value[key]
                node.keys.pop(key, None)
        elif isinstance(node.value, list):
            node.value = [child for child in node.value if id(child) not in self._removed]
        for _, child in children(node):
            self._drop_removed(child)


def _parts(path: str, mark: Mark, report: Report) -> Parts | None:
    parts = parse_path(path)
    if parts is None:
        hint = 'write it like tables.team_goal.4[0], or cards.named["Two Words"]'
        report.error(mark, "", f"'{path}' is not a path", "bad-path", hint)
    return parts


def _suggestion(root: Node, parts: Parts, depth: int, parent: Node) -> str:
    """A hint for a path of which only the first ``depth`` parts exist, down to ``parent``."""
    text, paths = format_path(parts), all_paths(root)[: limits.GUESSED_PATHS]
    tails = [path for path in paths if path.endswith(f".{text}")]
    if tails:
        return f"did you mean '{min(tails, key=len)}'?"
    if isinstance(parts[depth], int) and isinstance(parent.value, list):
        return f"the list has {len(parent.value)} items, counted from [0]"
    keys = list(parent.value) if isinstance(parent.value, dict) else []
    meant = nearest(str(parts[depth]), keys)
    repaired = (*parts[:depth], meant or "", *parts[depth + 1 :])
    if find(root, repaired):
        return f"did you mean '{format_path(repaired)}'?"
    same_end = [path for path in paths if _last(path) == _last(text)]
    found = nearest(text, same_end) or (nearest(text, paths) if depth == 0 else None)
    if found or meant:
        return f"did you mean '{found or format_path(repaired[: depth + 1])}'?"
    where = f"'{format_path(parts[:depth])}'" if depth else "the file"
    return f"{where} has: {', '.join(keys[:12])}" if keys else ""


def _last(path: str) -> str:
    return path.rsplit(".", 1)[-1]


def _get(node: Node, key: str) -> Node:
    return child_of(node, key) or Node(node.mark, None)


def _copy(node: Node) -> Node:
    if isinstance(node.value, dict):
        copied = {key: _copy(child) for key, child in node.value.items()}
        return Node(node.mark, copied, dict(node.keys))
    if isinstance(node.value, list):
        return Node(node.mark, [_copy(child) for child in node.value])
    return Node(node.mark, node.value, indent=node.indent)


def _same(one: Node, other: Node) -> bool:
    """Whether two values are written the same: 1 is not true, and the order of keys counts."""
    return repr(one.plain()) == repr(other.plain())
