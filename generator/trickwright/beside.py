"""Writing beside: a file is written under another name in its folder and then moved to its place, so it is never half there.

What a killed process left is known by the number of the process in its name, and goes with the next writing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

_LEFT = re.compile(r"\.(.+)\.([0-9]{1,9})\.tmp")


def beside(path: Path) -> Path:
    """The name under which this process writes a file before it is moved to its path."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def left_beside(paths: Iterable[Path]) -> list[Path]:
    """What processes that are no more have left beside these files."""
    paths = list(paths)
    names = {(path.parent, path.name) for path in paths}
    found = []
    for folder in dict.fromkeys(path.parent for path in paths):
        for path in sorted(folder.glob(".*.tmp")):
            match = _LEFT.fullmatch(path.name)
            if match is None or (folder, match[1]) not in names or not path.is_file():
                continue
            if not _runs(int(match[2])):
                found.append(path)
    return found


def _runs(process: int) -> bool:
    """Whether there is a process of that number, which may still be writing."""
    if process == os.getpid():
        return False
    if os.name != "posix":
        return True  # asking would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def write_all(texts: dict[Path, str]) -> None:
    """Write each file beside its place and then move all there. An OSError names the file that could not be written."""
    made: dict[Path, Path] = {}
    path = None
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            made[path] = beside(path)
            made[path].write_bytes(text.encode())
        for path, written in made.items():
            os.replace(written, path)
    except OSError as error:  # that of a full disk does not say where
        if error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        for written in made.values():
            written.unlink(missing_ok=True)
