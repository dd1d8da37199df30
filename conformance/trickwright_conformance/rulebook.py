"""The rulebook of a game, statement by statement in our own words, with the cases that pin each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from trickwright import GameFiles, schema
from trickwright.nodes import items, listed
from trickwright.places import schema as find_schema
from trickwright.places import shown
from trickwright.problems import Mark, Report, did_you_mean, nearest
from trickwright.source import Node, read_file

PINS = ("cases", "same_as", "no_rule")
"""What a statement may say of how it is pinned; at most one of them."""


@dataclass(frozen=True)
class Statement:
    """One thing that a rulebook says. ``id`` is the section's name and its own: ``the-auction.one-card-rule``."""

    id: str
    says: str
    cases: tuple[str, ...]
    """The ids of the cases that pin it, its own or those of the statement that it repeats."""
    same_as: str
    no_rule: str
    mark: Mark


@dataclass(frozen=True)
class Section:
    """A section of a rulebook: its heading in each text, and what it says, in order."""

    headings: Mapping[str, str]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Rulebook:
    """What the texts of a rulebook say, section by section."""

    texts: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of all sections, in order."""
        return tuple(statement for section in self.sections for statement in section.statements)


def slug(heading: str) -> str:
    """A heading as part of an id: ``The Chief's team`` is ``the-chiefs-team``."""
    return re.sub(r"[^a-z0-9]+", "-", heading.casefold().replace("'", "")).strip("-")


def read_rulebook(
    files: GameFiles, cited: Mapping[str, Mapping[str, Collection[str]]], report: Report
) -> Rulebook | None:
    """The statements of a game's rulebook; None if it has none or they cannot be read, and then that is reported.

    ``cited`` has the cases of the game by id: the headings that each cites, by source.
    """
    path = files.folder / "rulebook.yaml"
    if not path.is_file():
        return None
    own = Report()
    node = read_file(path, shown(path), own)
    if node is None or own.failed or not schema.check(node, find_schema("rulebook"), own):
        for problem in own.problems:
            report.add(problem)
        return None
    return _Reader(files, cited, report).read(node)


@dataclass
class _Reader:
    files: GameFiles
    cited: Mapping[str, Mapping[str, Collection[str]]]
    report: Report
    texts: tuple[str, ...] = ()
    nodes: dict[str, Node] = field(default_factory=dict)
    """Every statement by its id."""

    def read(self, node: Node) -> Rulebook:
        top = items(node)
        if top["rulebook"].value != self.files.id:
            said, hint = f"the folder is of '{self.files.id}'", f"write {self.files.id}"
            self.report.error(top["rulebook"].mark, "rulebook", said, "wrong-name", hint)
        self._texts(top["texts"])
        headings = [
            self._headings(items(part)["heading"], f"sections[{place}].heading")
            for place, part in enumerate(listed(top["sections"]))
        ]
        self._all_sections(top["sections"], headings)
        names = [slug(next(iter(heading.values()), "")) for heading in headings]
        parts = [items(part)["statements"] for part in listed(top["sections"])]
        for name, part in zip(names, parts, strict=True):
            self.nodes |= {f"{name}.{key}": statement for key, statement in items(part).items()}
        sections = tuple(
            Section(heading, tuple(self._statements(place, name, part, heading)))
            for place, (name, part, heading) in enumerate(zip(names, parts, headings, strict=True))
        )
        return Rulebook(self.texts, sections)

    def _texts(self, node: Node) -> None:
        sources = items(items(self.files.rules)["sources"])
        for place, item in enumerate(listed(node)):
            name = str(item.value)
            if name not in sources:
                text, hint = f"there is no source '{name}'", did_you_mean(name, sources)
                self.report.error(item.mark, f"texts[{place}]", text, "unknown-source", hint)
            else:
                self.texts = (*self.texts, name)

    def _known(self, text: str) -> list[str]:
        sections: list[str] = items(items(items(self.files.rules)["sources"])[text])[
            "sections"
        ].plain()
        return sections

    def _headings(self, node: Node, path: str) -> dict[str, str]:
        """The heading of a section in each text, in the order of the texts."""
        written = items(node)
        for name in written:
            if name not in self.texts:
                text, hint = f"there is no text '{name}'", did_you_mean(name, self.texts)
                self.report.error(node.keys[name], f"{path}.{name}", text, "unknown-source", hint)
        for name in self.texts:
            known = self._known(name)
            if name not in written:
                text, hint = f"missing key '{name}'", did_you_mean("", known)
                self.report.error(node.mark, path, text, "missing-key", hint)
            elif written[name].value not in known:
                text = f"'{written[name].value}' is not a section of '{name}'"
                hint = did_you_mean(str(written[name].value), known)
                mark = written[name].mark
                self.report.error(mark, f"{path}.{name}", text, "unknown-source", hint)
        return {name: str(written[name].value) for name in self.texts if name in written}

    def _all_sections(self, node: Node, headings: Sequence[Mapping[str, str]]) -> None:
        """Every section of every text is there once."""
        for text in self.texts:
            known, there = self._known(text), [heading.get(text, "") for heading in headings]
            misspelt = not set(there) <= set(known)
            for name in known:
                if there.count(name) > 1:
                    last = len(there) - 1 - there[::-1].index(name)
                    path = f"sections[{last}].heading.{text}"
                    at = items(items(listed(node)[last])["heading"])[text].mark
                    said = f"'{name}' is there already"
                    self.report.error(at, path, said, "not-unique", "put both into one section")
                elif name not in there and not misspelt:
                    said = f"the section '{name}' of '{text}' is missing"
                    hint = "add it, with no_rule where it holds no rule"
                    self.report.error(node.mark, "sections", said, "missing-key", hint)

    def _statements(
        self, place: int, name: str, part: Node, heading: Mapping[str, str]
    ) -> Iterator[Statement]:
        for key, node in items(part).items():
            path, written = f"sections[{place}].statements.{key}", items(node)
            there = [pin for pin in PINS if pin in written]
            for pin in there[1:]:
                text, hint = f"a statement has {there[0]} or {pin}, not both", "keep one"
                self.report.error(node.keys[pin], f"{path}.{pin}", text, "unknown-key", hint)
            cases = tuple(self._cases(written.get("cases"), path, heading))
            same = str(written["same_as"].value) if "same_as" in written else ""
            if same and self._repeats(same, written["same_as"], f"{name}.{key}", f"{path}.same_as"):
                cases = self._named(items(self.nodes[same]).get("cases"))
            why = str(written["no_rule"].value) if "no_rule" in written else ""
            says = str(written["says"].value)
            yield Statement(f"{name}.{key}", says, cases, same, why, part.keys[key])

    def _repeats(self, same: str, node: Node, own: str, path: str) -> bool:
        """Whether the statement that is repeated is there and is pinned itself."""
        if same not in self.nodes or same == own:
            text = f"there is no other statement '{same}'"
            meant = nearest(same, [one for one in self.nodes if one != own])
            hint = f"did you mean '{meant}'?" if meant else ""
            self.report.error(node.mark, path, text, "unknown-statement", hint)
            return False
        if "cases" not in self.nodes[same].keys:
            text, hint = f"'{same}' names no cases itself", "name the statement that does"
            self.report.error(node.mark, path, text, "unknown-statement", hint)
            return False
        return True

    def _named(self, node: Node | None) -> tuple[str, ...]:
        """The ids of the cases that are named, each once."""
        patterns = [] if node is None else [str(item.value) for item in listed(node)]
        return tuple(
            dict.fromkeys(
                case for text in patterns for case in self.cited if fnmatchcase(case, text)
            )
        )

    def _cases(self, node: Node | None, path: str, heading: Mapping[str, str]) -> Iterator[str]:
        for place, item in enumerate([] if node is None else listed(node)):
            name, at = str(item.value), f"{path}.cases[{place}]"
            found = [case for case in self.cited if fnmatchcase(case, name)]
            if not found:
                meant = nearest(name, self.cited)
                hint = f"did you mean '{meant}'?" if meant else ""
                self.report.error(item.mark, at, f"there is no case '{name}'", "unknown-case", hint)
            for case in found:
                self._cites(case, item.mark, at, heading)
        yield from self._named(node)

    def _cites(self, case: str, mark: Mark, path: str, heading: Mapping[str, str]) -> None:
        """A case that cites the rulebook at all cites the section whose statement it pins."""
        cited = {(text, one) for text in self.texts for one in self.cited[case].get(text, ())}
        if cited and not cited & set(heading.items()):
            said = " and ".join(f"'{one}'" for _, one in sorted(cited))
            own = next(iter(heading.values()), "")
            text = f"'{case}' cites {said}, not '{own}'"
            hint = "cite the section in the case, too, or name the case in its own section"
            self.report.error(mark, path, text, "other-section", hint)
