"""Problems: what is wrong, where, and what to write instead. All are collected, then shown."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from trickwright import limits

CODES: dict[str, str] = {
    # reading a file
    "no-file": "The file is missing or cannot be read.",
    "not-utf8": "The file is not text in UTF-8.",
    "odd-character": "The text holds a control character or a mark that turns its direction.",
    "bad-yaml": "The text is not valid YAML.",
    "empty-file": "The file holds nothing, or only comments.",
    "several-documents": "The file holds more than one YAML document.",
    "anchor-or-tag": "Anchors, aliases, merge keys, tags and directives are not allowed.",
    "duplicate-key": "A mapping names the same key twice.",
    "ambiguous-scalar": "YAML readers disagree on what this unquoted value means.",
    "too-big": "A file, value, number or nesting is beyond the limits of the reader.",
    # checking it against its schema
    "unknown-key": "The mapping may not have this key.",
    "missing-key": "The mapping lacks a key that it must have.",
    "unknown-value": "The value is none of those allowed here.",
    "wrong-type": "The value is of another type than the one expected here.",
    "out-of-bounds": "A number, length or count is below or above what is allowed.",
    "bad-form": "The value does not have the form expected here.",
    "bad-name": "The key does not have the form of a name allowed here.",
    "not-unique": "A list holds the same item twice.",
    # variants and --set
    "bad-path": "The text is not a path such as tables.team_goal.4[0].",
    "unknown-path": "The rules have nothing at this path.",
    "overlay-conflict": "Two changes touch the same part of the rules.",
    "drops-keys": "A change replaces a whole mapping by a part of it.",
    "no-change": "A variant or --set gives a value that the rules already have.",
    # what the rules mean
    "unknown-kind": "There is no such kind of phase.",
    "unknown-source": "A rule cites a source or a section that the sources do not list.",
    "unknown-deck": "There is no such deck.",
    "unknown-card": "The deck has no such card.",
    "unknown-suit": "The deck has no such suit.",
    "unknown-rank": "The deck has no such rank.",
    "unknown-name": "Nothing provides the name, or nothing before this point of the rules.",
    "unknown-game": "There is no such game.",
    "unknown-case": "The suite has no such case.",
    "unknown-variant": "The game has no such variant.",
    "wrong-name": "A file, folder or key is named otherwise than what it holds says.",
    "wrong-kind": "A value is of another kind, such as a player where a number is wanted.",
    "taken-name": "Two things have the same name.",
    "bad-expression": "The text is not an expression of the rules language.",
    "number-too-big": "A number, or what it may grow to, is beyond the limit.",
    "zero-divisor": "A number may be divided by 0 or less.",
    "falling-row": "A row of a table in which a level is looked for does not rise.",
    "uncovered-table": "A table has no entry for something that can happen.",
    "beyond-points": "A goal is more than the points in play.",
    "missing-points": "A rank has no card points.",
    "bad-players": "A number of players, or a seat, does not go with the others.",
    "uneven-deal": "The cards do not go round evenly.",
    "too-many-cards": "The deck is larger than engines can hold.",
    "bad-order": "A phase cannot stand at this place.",
    "no-way-out": "A player may come to a point with nothing legal to do.",
    "missing-outcome": "A hand can end in a way for which no scoring is written.",
    "missing-text": "A language lacks the word for something that players see.",
    # rulebooks and their cases
    "unknown-statement": "The rulebook has no such statement, or it is pinned by none itself.",
    "other-section": "A case is named in a section of the rulebook that it does not cite.",
    # what does nothing
    "dead-rule": "A rule can never act.",
    "unused": "Nothing uses this part of the rules.",
    "never-acts": "A value that can never make a difference.",
}
"""Every code a problem may have, with what it means."""

_LISTED = 12
_SHORT = 40
_LIKE = 0.6


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place in a file, or in the arguments of ``--set``. Lines and characters count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def moved(self, lines: int, characters: int) -> Mark:
        """The place so many lines below, and then so many characters to the right."""
        column = 1 if lines else self.column
        return Mark(self.file, self.line + lines, column + characters)

    def after(self, text: str) -> Mark:
        """The place right after a text that begins here."""
        *lines, last = re.split("\r\n|\n|\r", text)
        return self.moved(len(lines), len(last))


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to put right. Raises ValueError if its code is not in ``CODES``."""

    mark: Mark
    path: str
    text: str
    code: str
    hint: str = ""
    severity: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code!r} is not in trickwright.problems.CODES")
        # A message quotes what strangers wrote, and is read on a terminal.
        object.__setattr__(self, "path", visible(self.path))
        object.__setattr__(self, "text", visible(self.text))
        object.__setattr__(self, "hint", visible(self.hint))
        if not self.mark.file.isprintable():
            mark = Mark(visible(self.mark.file), self.mark.line, self.mark.column)
            object.__setattr__(self, "mark", mark)

    def render(self) -> str:
        """The problem as it is shown: one line, and an indented one for the hint, if any."""
        warning = "warning: " if self.severity == "warning" else ""
        path = f"{self.path}: " if self.path else ""
        line = f"{self.mark}: {warning}{path}{self.text} [{self.code}]"
        return f"{line}\n    {self.hint}" if self.hint else line

    def as_dict(self) -> dict[str, Any]:
        """The problem as plain data; the mark becomes ``file``, ``line`` and ``column``."""
        fields = asdict(self)
        return {**fields.pop("mark"), **fields}


class Report:
    """Collects problems while the passes go on, so that all of them are shown at once."""

    def __init__(self) -> None:
        self._problems: dict[Problem, None] = {}

    def add(self, problem: Problem) -> None:
        """Adds a problem. One that is already there is not repeated."""
        self._problems[problem] = None

    def error(self, mark: Mark, path: str, text: str, code: str, hint: str = "") -> None:
        """Adds a problem that must be solved. Raises ValueError for an unknown code."""
        self.add(Problem(mark, path, text, code, hint))

    def warning(self, mark: Mark, path: str, text: str, code: str, hint: str = "") -> None:
        """Adds a problem that one may live with. Raises ValueError for an unknown code."""
        self.add(Problem(mark, path, text, code, hint, "warning"))

    @property
    def problems(self) -> list[Problem]:
        """Everything found, each once, in the order of files and lines."""
        return sorted(self._problems, key=lambda problem: problem.mark)

    @property
    def failed(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self._problems)


def visible(text: str) -> str:
    """A text with escapes such as ``\\x1b`` for what cannot be seen, breaks lines or means something to a terminal; very long ones cut."""
    if len(text) > limits.MESSAGE_LETTERS:
        text = f"{text[: limits.MESSAGE_LETTERS]}..."
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, whatever its case; None if none is close."""
    folded = word.casefold()
    by_folded = {candidate.casefold(): candidate for candidate in reversed(list(candidates))}
    alike = [candidate for candidate in by_folded if _may_be_like(folded, candidate)]
    found = difflib.get_close_matches(folded, alike, n=1, cutoff=_LIKE) if alike else []
    return by_folded[found[0]] if found else None


def _may_be_like(word: str, other: str) -> bool:
    """Whether two words share enough letters to be compared; it is much quicker to tell than how alike they are."""
    shared = min(sum(map(set(other).__contains__, word)), sum(map(set(word).__contains__, other)))
    return 2 * shared >= _LIKE * (len(word) + len(other))


def did_you_mean(
    word: str,
    candidates: Iterable[str],
    *,
    others: str = "allowed",
    also: Iterable[str] = (),
) -> str:
    """The hint for a word that is not among the candidates; empty if there are none.

    ``others`` introduces the list of candidates, of which the first twelve are shown. What is meant may ``also`` be a word
    that is too common to be listed.
    """
    candidates = list(candidates)
    if not candidates:
        return ""
    found = nearest(word, [*candidates, *also])
    if candidates == [found]:
        return f"did you mean '{found}'?"
    more = ", ..." if len(candidates) > _LISTED else ""
    listed = f"{others}: {', '.join(candidates[:_LISTED])}{more}"
    return f"did you mean '{found}'? {listed}" if found is not None else listed


def shown(value: Any) -> str:
    """A value as its author would write it, or what it is if that takes lines."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return value if isinstance(value, str) else json.dumps(value)


def described(value: Any) -> str:
    """A value with its type, short enough for a message: ``the text 'x'``."""
    if isinstance(value, str):
        text = value if len(value) <= _SHORT else f"{value[:_SHORT]}..."
        return f"the text '{text}'".replace("\n", " ")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"the {'whole number' if isinstance(value, int) else 'decimal'} {value}"
    return "nothing" if value is None else shown(value)


def summary(problems: Sequence[Problem]) -> str:
    """The closing line: ``3 problems and 1 warning in 2 files``."""
    if not problems:
        return "no problems"
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    files = len({problem.mark.file for problem in problems})
    counts = [_count(errors, "problem")] * bool(errors) + [_count(warnings, "warning")] * bool(
        warnings
    )
    return f"{' and '.join(counts)} in {_count(files, 'file')}"


def to_json(problems: Sequence[Problem]) -> str:
    """The problems as a JSON list, for editors and other programs."""
    return json.dumps([problem.as_dict() for problem in problems], ensure_ascii=False, indent=2)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
