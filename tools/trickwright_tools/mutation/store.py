"""The state of a run: verdicts as lines of a file, so that an interrupted run goes on where it was.

Every line carries the key of the rules, cases and compiler it was found with; lines with another key are not believed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TextIO

import click

import trickwright
import trickwright_conformance
import trickwright_tools
from trickwright import GameFiles
from trickwright.decks import decks
from trickwright.places import home
from trickwright_conformance.cases import case_files
from trickwright_tools.mutation.session import Verdict
from trickwright_tools.whole_file import Unwritable

_CODE = (trickwright, trickwright_conformance, trickwright_tools)
_READ = {".py", ".j2", ".yaml", ".json"}


def default_file(files: GameFiles) -> Path:
    """Where the state of a game lies if nothing else is said: in the user's folder for such data, never in the project."""
    place = hashlib.sha256(str(files.folder.resolve()).encode()).hexdigest()[:8]
    return Path(click.get_app_dir("trickwright")) / "mutate" / f"{files.id}-{place}.jsonl"


def key_of(files: GameFiles, limit: float) -> str:
    """A fingerprint of all that verdicts follow from: rules, decks, cases, compiler, runner, Python, and the time limit."""
    read = [*files.folder.rglob("*.yaml"), *decks(files.folder).values(), *case_files(files.id)]
    read += (home() / "spec" / "schema").rglob("*.json")
    for package in _CODE:
        folder = Path(str(package.__file__)).parent
        code = [path for path in folder.rglob("*") if path.suffix in _READ]
        read += [path for path in code if "_data" not in path.relative_to(folder).parts]
    found = hashlib.sha256(f"{sys.version} {limit}".encode())
    for path in sorted(set(read)):
        found.update(f"\n{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return found.hexdigest()[:20]


class Store:
    """Verdicts by the ids of mutants, in a file that grows by a line for each. Raises Unwritable if it cannot."""

    def __init__(self, path: Path, key: str, *, fresh: bool = False) -> None:
        self.path, self.key = path, key
        self.known: dict[str, Verdict] = {} if fresh else self._read()
        self._file: TextIO | None = None

    def _read(self) -> dict[str, Verdict]:
        if not self.path.is_file():
            return {}
        known: dict[str, Verdict] = {}
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                told = json.loads(line)
                if told["key"] == self.key:
                    known[told["mutant"]] = Verdict(told["outcome"], told["by"])
            except (ValueError, KeyError, TypeError):
                continue  # the last line of a run that was cut off
        return known

    def add(self, mutant: str, verdict: Verdict) -> None:
        """Remember a verdict, and write it at once."""
        if self._file is None:
            self._file = self._open()
        told = {"key": self.key, "mutant": mutant, "outcome": verdict.outcome, "by": verdict.by}
        self._file.write(json.dumps(told, ensure_ascii=False) + "\n")
        self._file.flush()
        self.known[mutant] = verdict

    def _open(self) -> TextIO:
        """The file to add to; begun anew if nothing in it is to be believed."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("a" if self.known else "w", encoding="utf-8")
            if self.known and not self.path.read_bytes().endswith(b"\n"):
                file.write("\n")
        except OSError as error:
            raise Unwritable(f"{self.path} cannot be written: {error.strerror}") from None
        return file

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
