"""A run that can be taken up again: what was made of each finished chunk is kept in a file, a line each."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import trickwright
from trickwright_tools.players.batches import Chunk, Table, in_chunks

FORMAT = 2
TOOLS = Path(__file__).parents[1]


class OtherRun(ValueError):
    """The file keeps the chunks of something else, or is no such file; the text says so."""


def key_of(table: Table, size: int, made_by: str, rules: str) -> str:
    """What a run is known by: its table but for how it is played, the size of its chunks, what is made of them, and the rules."""
    return key_of_values(
        {**asdict(table), "fast": None, "size": size, "made_by": made_by, "rules": rules}
    )


def key_of_values(values: Any) -> str:
    """A short fingerprint of plain values."""
    told = json.dumps(values, sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def code_that_plays() -> str:
    """A fingerprint of the code that makes engines, plays and adds up: what another one made does not go with its."""
    made = hashlib.sha256()
    folders = (Path(trickwright.__file__).parent, TOOLS / "players", TOOLS / "playtest")
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".j2") and "_data" not in path.parts:
                made.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return made.hexdigest()[:16]


class Kept:
    """The file of a run, which may have several parts, each with chunks of its own.

    A line that was broken off while it was written is as if it were not there. OtherRun if the file is not of this run or
    cannot be used.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path = path
        self.made: dict[tuple[str, int, int], Any] = {}
        try:
            if path.exists():
                self._read(key)
                self._mend()
            else:
                path.write_text(json.dumps({"format": FORMAT, "run": key}) + "\n", encoding="utf-8")
        except OSError as error:
            raise OtherRun(f"{path} cannot be used: {error.strerror}") from None

    def _read(self, key: str) -> None:
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
            head, entries = (
                json.loads(lines[0]),
                lines[1:-1],
            )  # behind the last break nothing is whole
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise OtherRun(f"{self.path} is not the kept part of a run")
            if head.get("run") != key:
                raise OtherRun(
                    f"{self.path} keeps another run: other rules, players, seed or hands a chunk"
                )
            for entry in map(json.loads, entries):
                self.made[entry["part"], entry["first"], entry["count"]] = entry["made"]
        except OtherRun:
            raise
        except (ValueError, TypeError, KeyError):
            raise OtherRun(f"{self.path} cannot be read as the kept part of a run") from None

    def _mend(self) -> None:
        """Take off a line that was broken off."""
        with self.path.open("r+b") as file:
            data = file.read()
            file.truncate(data.rfind(b"\n") + 1)

    def run(
        self,
        part: str,
        table: Table,
        hands: int,
        reduce: Callable[[Chunk], Any],
        *,
        size: int,
        workers: int = 1,
        cluster: str = "",
    ) -> Iterator[tuple[int, Any]]:
        """As ``in_chunks``, but finished chunks come from the file, and new ones are added to it before they are given.

        What ``reduce`` makes must be plain values as JSON has them.
        """
        counts = {first: min(size, hands - first) for first in range(0, hands, size)}
        kept = [first for first, n in counts.items() if (part, first, n) in self.made]
        for first in kept:
            yield first, self.made[part, first, counts[first]]
        if len(kept) == len(counts):
            return
        with self.path.open("a", encoding="utf-8") as file:
            for first, made in in_chunks(
                table, hands, reduce, size=size, workers=workers, cluster=cluster, finished=kept
            ):
                entry = {"part": part, "first": first, "count": counts[first], "made": made}
                file.write(json.dumps(entry) + "\n")
                file.flush()
                os.fsync(file.fileno())
                yield first, made


def run_kept(
    path: Path,
    table: Table,
    hands: int,
    reduce: Callable[[Chunk], Any],
    *,
    rules: str,
    size: int,
    workers: int = 1,
    cluster: str = "",
) -> Iterator[tuple[int, Any]]:
    """A run of one part that is kept in a file; ``rules`` is the digest of the rules."""
    key = key_of(table, size, f"{reduce.__module__}.{reduce.__qualname__}", rules)
    yield from Kept(path, key).run(
        "", table, hands, reduce, size=size, workers=workers, cluster=cluster
    )
