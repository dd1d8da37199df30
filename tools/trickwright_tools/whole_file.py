"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from trickwright.beside import beside, left_beside


class Unwritable(ValueError):
    """A file cannot be written; the message says which and why."""


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Write beside the path and move it there at the end; after an error or interruption nothing has changed."""
    target, written, file = _begun(path)
    try:
        with file:
            yield file
        written.replace(target)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}") from None
    finally:
        written.unlink(missing_ok=True)


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths, of which nothing need be there, name the same file."""
    return os.path.realpath(one) == os.path.realpath(other)


def check_writable(path: Path) -> None:
    """Unwritable if no file can be written there: to be known before long work and not after it. Nothing changes."""
    _, written, file = _begun(path)
    file.close()
    written.unlink(missing_ok=True)


def _begun(path: Path) -> tuple[Path, Path, TextIO]:
    """The file that is meant, the one that is written beside it, and that one open."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise Unwritable(f"{path} cannot be written: links in a circle")
    if target.exists() and not target.is_file():
        raise Unwritable(f"{path} is not an ordinary file")
    written = beside(target)
    try:
        for left in left_beside([target]):
            left.unlink(missing_ok=True)
        return target, written, written.open("x", encoding="utf-8", newline="")
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}") from None
