"""Reads strict YAML into nodes that know where they were written.

Strict means: an unquoted value means the same to every YAML reader or is refused, and nothing in a
file makes it larger than it looks. Nodes are built from events, so the limits act while reading.
"""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from trickwright import limits
from trickwright.problems import Mark, Report

# Both give the same nodes; libyaml's is ten times as fast, but not every platform has it.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_AMBIGUOUS = re.compile(
    r"""(?i: yes | no | on | off | true | false | null ) | ~ | =
    | [-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?     # 010, +5, 5., 1_000, 1e3
    | [-+]?\.[0-9][0-9_]*([eE][-+]?[0-9]+)?               # .5
    | [-+]?0(b[01_]+ | o[0-7_]+ | x[0-9a-fA-F_]+)
    | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?        # 1:30 is 90 to some
    | [-+]?\.(inf|Inf|INF) | \.(nan|NaN|NAN)
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \t]+)[0-9].*)?
    """,
    re.VERBOSE | re.DOTALL,
)
_ODD = re.compile(
    "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029"  # these break lines or mean something to a terminal
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"  # and these cannot be seen, or turn the direction of others
)
_ODD_VALUE = re.compile(f"{_ODD.pattern}|\r")

# A clue in what either parser says, and what we say instead: the first that fits.
_INDENT = "check the indentation, and that each line is 'key: value'"
_NO_BLANK = "a blank is missing after the ':' of this key"
_SYNTAX = (
    ("nesting depth", f"nested deeper than {limits.FILE_DEPTH} levels", ""),  # libyaml reads ahead
    ("escape", "unknown escape after \\", "in single quotes a backslash is just a backslash"),
    ("quoted scalar", "the quoted text{begun} is never closed", "inside single quotes write ''"),
    ("expected ':'", "there is no ':' after this key", _INDENT),
    ("unexpected ':'", _NO_BLANK, ""),
    ("mapping values are", "a ':' cannot stand here", f"{_INDENT}; a text with ': ' needs quotes"),
    ("sequence entries are", "a '-' cannot stand here", "begin the list on a new line"),
    ("flow sequence", "the list{begun} is not closed before this", "a ',' or ']' is missing"),
    ("flow mapping", "the mapping{begun} is not closed before this", "a ',' or '}' is missing"),
    ("start any token", "no value begins so", "put quotes around a text that begins with a sign"),
    ("block mapping", "this is not part of the mapping{begun}", _INDENT),
    ("block collection", "this is not part of the list{begun}", _INDENT),
    ("document start", "this does not belong to what stands above", _INDENT),
    ("", "this is not valid YAML", _INDENT),
)


@dataclass(slots=True)
class Node:
    """A value and where it stands. ``keys`` has the position of each key of a mapping."""

    mark: Mark
    value: dict[str, Node] | list[Node] | str | int | float | bool | None
    keys: dict[str, Mark] = field(default_factory=dict)
    indent: int | None = field(default=None, compare=False)
    """How far behind the mark the text begins, if it stands there letter by letter."""

    def plain(self) -> Any:
        """The value as plain Python data."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return self.value

    def mark_of(self, offset: int) -> Mark:
        """Where a letter of the text stands; the mark if that cannot be told."""
        return self.mark if self.indent is None else self.mark.moved(0, self.indent + offset)

    @property
    def type_name(self) -> str:
        """What a rule author calls the type of the value."""
        return _TYPE_NAMES[type(self.value)]


_TYPE_NAMES: dict[type, str] = {dict: "mapping", list: "list", str: "text", int: "whole number"}
_TYPE_NAMES |= {float: "decimal", bool: "true/false", type(None): "nothing"}


def read_file(path: Path, shown: str, report: Report) -> Node | None:
    """Reads a file, called ``shown`` in messages. None if nothing is left that could be checked."""
    start = Mark(shown, 1, 1)
    try:
        if path.exists() and not path.is_file():  # a folder, or a pipe that one would wait for
            raise OSError(errno.EINVAL, "it is no file")
        with path.open("rb") as file:
            data = file.read(limits.FILE_BYTES + 1)
        # A file that is too big may be cut inside a character: that is not the news.
        text = data.decode("utf-8", "strict" if len(data) <= limits.FILE_BYTES else "replace")
    except UnicodeDecodeError as error:
        mark = start.after(data[: error.start].decode("utf-8"))
        report.error(mark, "", "not text in UTF-8", "not-utf8", "save it with encoding UTF-8")
        return None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        said = getattr(error, "strerror", None) or error
        report.error(start, "", f"cannot be read: {said}", "no-file")
        return None
    return read_text(text, shown, report)


def read_text(text: str, shown: str, report: Report) -> Node | None:
    """Reads the text of a file. None if nothing is left that could be checked."""
    start = Mark(shown, 1, 1)
    if len(text.encode("utf-8", "surrogatepass")) > limits.FILE_BYTES:
        report.error(start, "", f"larger than {limits.FILE_BYTES >> 20} MiB", "too-big")
        return None
    own = Report()
    cleaned = check_characters(text.removeprefix("\ufeff"), own, start)
    root = None if cleaned is None else _Builder(start, own, is_file=True).read(cleaned)
    odd = any(problem.code == "odd-character" for problem in own.problems)
    for problem in own.problems:
        if not odd or problem.code != "bad-yaml":  # with a tab for spaces, little else is right
            report.add(problem)
    return root


def read_value(text: str, report: Report, start: Mark) -> Node | None:
    """Reads the value of a ``--set``: a scalar, ``[list]`` or ``{mapping}``; else None."""
    cleaned = check_characters(text, report, start)
    return None if cleaned is None else _Builder(start, report, is_file=False).read(cleaned)


def check_characters(text: str, report: Report, start: Mark) -> str | None:
    """Reports odd characters; the text with stand-ins for them, or None if they are too many."""
    for number, match in enumerate(_ODD.finditer(text)):
        if number == limits.ODD_CHARACTERS:
            return None
        name, hint = f"the character U+{ord(match[0]):04X}", "it cannot be seen: write it anew"
        if match[0] == "\t":
            name, hint = "a tab", "write spaces"
        mark = start.after(text[: match.start()])
        report.error(mark, "", f"{name} is not allowed", "odd-character", hint)
    return _ODD.sub("\ufffd", text.replace("\t", " "))


class _BeyondLimitsError(Exception):
    """Reading stops here: the text has too much of something, or is no YAML."""


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    node: Node
    key: str | None = None  # None also for a refused key, whose value is read and dropped
    wants_value: bool = False


class _Builder:
    """Builds nodes from the events of the YAML parser."""

    def __init__(self, start: Mark, report: Report, *, is_file: bool) -> None:
        self._start = self._last = self._end = start
        self._report = report
        self._is_file = is_file
        self._root: Node | None = None
        self._open: list[_Open] = []
        self._nodes = self._documents = 0

    def read(self, text: str) -> Node | None:
        """Reads the text to its end and returns its root; None if that was not possible."""
        try:
            for event in yaml.parse(text, Loader=LOADER):
                if isinstance(event, yaml.ScalarEvent) and not event.style:
                    self._check_blank(event, text)
                self._take(event)
        except _BeyondLimitsError:
            return None
        except yaml.MarkedYAMLError as error:
            self._syntax_error(error, self._start.after(text))
            return None
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML's own parser lets these through, for instance for "\UFFFFFFFF".
            self._error(self._last, "this cannot be read as YAML", "bad-yaml")
            return None
        if self._root is None and self._is_file:
            self._error(self._start, "the file is empty", "empty-file")
        elif self._root is None:
            self._error(self._start, "no value", "bad-yaml", "to say nothing write null")
        return self._root

    def _check_blank(self, event: yaml.ScalarEvent, text: str) -> None:
        """Refuses ``{key:[1]}`` and ``{key:}``, as libyaml does: PyYAML's own parser takes them."""
        end = event.end_mark
        assert end is not None
        colon, follower = text[end.index : end.index + 1], text[end.index + 1 : end.index + 2]
        if event.value and colon == ":" and follower and follower in ",[]{}":
            self._error(self._mark(event.start_mark), _NO_BLANK, "bad-yaml")
            raise _BeyondLimitsError

    def _take(self, event: Any) -> None:
        mark = self._last = self._mark(event.start_mark)
        before, self._end = self._end, self._mark(event.end_mark)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                hint = "leave out the line ---, or make two files"
                self._error(mark, "a second document begins here", "several-documents", hint)
                raise _BeyondLimitsError
            if event.version or event.tags:
                self._error(mark, "directives (%) are not allowed", "anchor-or-tag")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.NodeEvent):
            is_alias = isinstance(event, yaml.AliasEvent)
            if event.anchor is not None or getattr(event, "tag", None) is not None:
                name = f"*{event.anchor}" if is_alias else f"&{event.anchor}"
                said = f"{name if event.anchor else 'a tag (!)'} is not allowed here"
                self._error(mark, said, "anchor-or-tag", "put quotes around a text that begins so")
            if is_alias:
                self._place(Node(mark, None), "")
            elif isinstance(event, yaml.ScalarEvent):
                if self._open and self._open[-1].wants_value and self._is_absent(event):
                    mark = before.moved(0, 1)  # PyYAML and libyaml disagree: just after the colon
                self._take_scalar(event.value, mark, self._indent(event), plain=not event.style)
            else:
                self._begin(event, mark)

    def _begin(self, event: Any, mark: Mark) -> None:
        if not self._is_file and not event.flow_style:
            self._error(mark, "brackets are missing", "bad-yaml", "write [a, b] or {a: b}")
        if len(self._open) == limits.FILE_DEPTH:
            self._error(mark, f"nested deeper than {limits.FILE_DEPTH} levels", "too-big")
            raise _BeyondLimitsError
        node = Node(mark, {} if isinstance(event, yaml.MappingStartEvent) else [])
        self._place(node, None)
        self._open.append(_Open(node))

    @staticmethod
    def _is_absent(event: yaml.ScalarEvent) -> bool:
        """Whether this is the value of a key after which nothing is written."""
        return not (event.value or event.style or event.anchor or event.tag)

    @staticmethod
    def _indent(event: Any) -> int | None:
        """1 for a text in quotes, 0 for one without; None if it has escapes or takes lines."""
        start, end = event.start_mark, event.end_mark
        quotes = end.column - start.column - len(event.value)
        fits = start.line == end.line and quotes == (2 if event.style else 0)
        return quotes // 2 if fits else None

    def _take_scalar(self, text: str, mark: Mark, indent: int | None, *, plain: bool) -> None:
        if not self._open and plain and not text:
            return  # an empty document has no root
        parent = self._open[-1] if self._open else None
        is_key = parent and isinstance(parent.node.value, dict) and not parent.wants_value
        if is_key and len(text) > limits.KEY_LETTERS:
            self._error(mark, f"a key of more than {limits.KEY_LETTERS} characters", "too-big")
            text, plain = text[: limits.KEY_LETTERS], False
        if len(text) > limits.TEXT_LETTERS:
            self._error(mark, f"a text of more than {limits.TEXT_LETTERS} characters", "too-big")
            text, plain = text[: limits.TEXT_LETTERS], False
        if odd := _ODD_VALUE.search(text):  # an escape, or it would have been seen before
            self._error(mark, f"the character U+{ord(odd[0]):04X} is not allowed", "odd-character")
            text = _ODD_VALUE.sub("\ufffd", text)
        value = self._resolve(text, mark, is_key=bool(is_key)) if plain else text
        self._place(Node(mark, value, indent=indent), text)

    def _resolve(self, text: str, mark: Mark, *, is_key: bool) -> str | int | float | bool | None:
        """What an unquoted scalar means."""
        if text in _WORDS:
            return text if is_key else _WORDS[text]
        if _NUMBER.fullmatch(text):
            # Python refuses whole numbers of thousands of digits, but not decimals.
            if not is_key and abs(float(text)) > limits.NUMBER:
                self._error(mark, f"numbers end at {limits.NUMBER}", "too-big")
                return limits.NUMBER
            return text if is_key else float(text) if "." in text else int(text)
        if text == "<<":
            self._error(mark, "merge keys (<<) are not allowed", "anchor-or-tag")
        elif _AMBIGUOUS.fullmatch(text):
            said = f"YAML readers disagree on what the unquoted {text} is"
            hint = f"for the text write '{text}', otherwise true, false, null or a plain number"
            self._error(mark, said, "ambiguous-scalar", hint)
        return text

    def _place(self, node: Node, text: str | None) -> None:
        """Puts a node where it belongs. ``text`` is what a scalar says, should it be a key."""
        self._nodes += 1
        if self._nodes > limits.FILE_VALUES:
            self._error(node.mark, f"more than {limits.FILE_VALUES} values", "too-big")
            raise _BeyondLimitsError
        if not self._open:
            self._root = self._root or node
            return
        parent = self._open[-1]
        if isinstance(parent.node.value, dict | list) and len(parent.node.value) == limits.ITEMS:
            self._error(
                node.mark,
                f"more than {limits.ITEMS} entries in a {parent.node.type_name}",
                "too-big",
            )
            raise _BeyondLimitsError
        if isinstance(parent.node.value, list):
            parent.node.value.append(node)
        elif isinstance(parent.node.value, dict):
            if not parent.wants_value:
                parent.key = self._accept_key(parent.node.keys, text, node.mark)
            elif parent.key is not None:
                parent.node.value[parent.key] = node
            parent.wants_value = not parent.wants_value

    def _accept_key(self, keys: dict[str, Mark], text: str | None, mark: Mark) -> str | None:
        if not text or "\n" in text:
            self._error(mark, "a key must be a text on one line", "bad-yaml")
        elif text in keys:
            said = f"the key '{text}' was used before, on line {keys[text].line}"
            self._error(mark, said, "duplicate-key")
        else:
            keys[text] = mark
            return text
        return None

    def _syntax_error(self, error: yaml.MarkedYAMLError, end: Mark) -> None:
        problem = f"{error.problem} {error.context}".lower()
        clue, said, hint = next(row for row in _SYNTAX if row[0] in problem)
        place, begun = error.problem_mark or error.context_mark, ""
        if error.context_mark:
            begun = f" that begins on line {self._mark(error.context_mark).line}"
            # The parser notices a missing ':' only on the next line.
            place = error.context_mark if clue == "expected ':'" else place
        # For libyaml a text ends on the line after its last.
        mark = min(self._mark(place), end) if place else self._last
        code = "too-big" if clue == "nesting depth" else "bad-yaml"
        self._error(mark, said.format(begun=begun), code, hint)

    def _mark(self, mark: Any) -> Mark:
        return self._start.moved(mark.line, mark.column)

    def _error(self, mark: Mark, text: str, code: str, hint: str = "") -> None:
        self._report.error(mark, "", text, code, hint)
