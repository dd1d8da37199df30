"""A run that can be taken up again: what was made of each finished chunk is kept in a file, a line each."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trickwright_tools.players.batches import Chunk, Table, in_chunks

FORMAT = 1


class OtherRun(ValueError):
    """The file keeps the chunks of something else, or is no such file; the text says so."""


def key_of(table: Table, size: int, made_by: str, rules: str) -> str:
    """What a run is known by: its table but for how it is played, the size of its chunks, what is made of them, and the rules."""
    told = {**asdict(table), "fast": None, "size": size, "made_by": made_by, "rules": rules}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


def kept_chunks(path: Path, key: str) -> dict[int, Any]:
    """What a file keeps of finished chunks, by first hand; nothing if there is none. OtherRun if it is not of this run.

    A line that was broken off while it was written is as if it were not there.
    """
    if not path.exists():
        return {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        head = json.loads(lines[0])
    except (OSError, ValueError):
        raise OtherRun(f"{path} cannot be read as the kept part of a run") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise OtherRun(f"{path} is not the kept part of a run")
    if head.get("run") != key:
        raise OtherRun(f"{path} keeps another run: other rules, players, seed or hands a chunk")
    found: dict[int, Any] = {}
    for line in lines[1:-1]:  # behind the last line break nothing is whole
        entry = json.loads(line)
        found[entry["first"]] = entry["made"]
    return found


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
    """As ``in_chunks``, but finished chunks come from the file, and new ones are added to it before they are given.

    What ``reduce`` makes must be plain values as JSON has them; ``rules`` is the digest of the rules.
    """
    key = key_of(table, size, f"{reduce.__module__}.{reduce.__qualname__}", rules)
    kept = {first: made for first, made in kept_chunks(path, key).items() if first < hands}
    _mend(path, key)
    yield from kept.items()
    with path.open("a", encoding="utf-8") as file:
        for first, made in in_chunks(
            table, hands, reduce, size=size, workers=workers, cluster=cluster, finished=kept
        ):
            file.write(json.dumps({"first": first, "made": made}) + "\n")
            file.flush()
            os.fsync(file.fileno())
            yield first, made


def _mend(path: Path, key: str) -> None:
    """Begin the file, or take off a line that was broken off."""
    if not path.exists():
        path.write_text(json.dumps({"format": FORMAT, "run": key}) + "\n", encoding="utf-8")
        return
    with path.open("r+b") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)
