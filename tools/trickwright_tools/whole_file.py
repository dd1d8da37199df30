"""Files that are there whole or not at all."""

from __future__ import annotations

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
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise Unwritable(f"{path} is not an ordinary file")
    written = beside(target)
    try:
        for left in left_beside([target]):
            left.unlink(missing_ok=True)
        file = written.open("x", encoding="utf-8", newline="")
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
        written.replace(target)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}") from None
    finally:
        written.unlink(missing_ok=True)
