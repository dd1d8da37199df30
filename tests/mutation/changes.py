"""Places in the text of a template, or of Python, at which one thing can be changed.

Marks go around each place, so that a place is found again in the engine that a template becomes, however often it comes there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SKIPPED = r"\{#.*?#\}|\{%.*?%\}|\"\"\".*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|#[^\n]*"
"""What is not Python that does something: tags, texts, comments."""
OPERATORS = {
    "==": "!=", "!=": "==", "<=": "<", ">=": ">", " < ": " <= ", " > ": " >= ", " and ": " or ", " or ": " and ",
    " + ": " - ", " - ": " + ", " * ": " + ", " // ": " * ", " % ": " // ", "<<": ">>", ">>": "<<", " & ": " | ", " | ": " & ",
    " ^ ": " | ", " ^= ": " |= ", " |= ": " &= ", " &= ": " |= ", " += ": " -= ", " -= ": " += ", "~": "", "True": "False",
    "False": "True", "min(": "max(", "max(": "min(", "break": "continue", "continue": "break", "if not ": "if ", "while not ": "while ",
    " is not ": " is ", " not in ": " in ", "range(": "range(1 + ",
}  # fmt: skip
"""What stands for what."""
PLACE = re.compile(
    rf"(?P<skipped>{SKIPPED})|\{{\{{(?P<inner>.*?)\}}\}}"
    rf"|(?P<operator>{'|'.join(map(re.escape, sorted(OPERATORS, key=len, reverse=True)))})"
    r"|(?P<if>\b(?:el)?if (?!not )|\bwhile (?!not ))|(?<![\w.{])(?P<number>\d+)(?![\w.}])",
    re.DOTALL,
)
STATEMENT = re.compile(
    r"^ +(?=[a-z_])(?P<statement>(?!return|if|el|for|while|def|pass|from|import|\"|#|\{[%#])[^\n#\"]*[^\n#\",(\[{\\:+\-*/%&|^=<>. ])$",
    re.MULTILINE,
)
"""A statement that has a line for itself."""
BEGIN, END, CLOSE = "\ue000", "\ue001", "\ue002"


@dataclass(frozen=True)
class Place:
    """A place that is changed: the template, the line, what is there and what shall be there."""

    template: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.template}:{self.line}: {self.old.strip()} -> {self.new.strip() or 'nothing'}"


def marked(template: str, text: str, places: list[Place]) -> str:
    """The text of a template, or of Python, with marks around its places, which are added to the list."""
    spans: list[tuple[int, int, str]] = []
    hidden = [m.span() for m in re.finditer(SKIPPED, text, re.DOTALL)]

    def find(begin: int, end: int) -> None:
        for found in PLACE.finditer(text, begin, end):
            if found["inner"] is not None:
                if "tidy" not in found["inner"]:
                    for quoted in re.finditer(r"'[^'\n]*'", found["inner"]):
                        if re.search(r"[ \[]", quoted[0]):
                            find(*(found.start("inner") + at for at in quoted.span()))
            elif found["operator"]:
                followed = text[found.end() :]
                if not (found["operator"] == " | " and followed.startswith("None")):
                    spans.append((*found.span(), OPERATORS[found["operator"]]))
            elif found["if"]:
                spans.append((*found.span(), f"{found[0]}not "))
            elif found["number"]:
                spans.append((*found.span(), str(int(found["number"]) + 1)))

    find(0, len(text))
    for found in STATEMENT.finditer(text):
        begin, end = found.span("statement")
        if not any(a < end and begin < b for a, b in hidden if text[a] == '"'):
            spans.append((begin, end, "pass"))
    pieces: list[tuple[int, int, str]] = []
    for begin, end, new in spans:
        number = len(places)
        places.append(Place(template, text.count("\n", 0, begin) + 1, text[begin:end], new))
        pieces.append((begin, begin - end, f"{BEGIN}{number}{CLOSE}"))
        pieces.append((end, -(1 << 30) + end - begin, f"{END}{number}{CLOSE}"))
    out, at = [], 0
    for where, _, mark in sorted(pieces):  # marks close before others open, the inner ones first
        out += [text[at:where], mark]
        at = where
    return "".join([*out, text[at:]])


def plain(text: str, places: list[Place], number: int = -1) -> str:
    """The text without its marks, and with one place changed."""
    if number >= 0:
        whole = f"{BEGIN}{number}{CLOSE}.*?{END}{number}{CLOSE}"
        text = re.sub(whole, lambda _: places[number].new, text, flags=re.DOTALL)
    return re.sub(f"[{BEGIN}{END}]\\d+{CLOSE}", "", text)
