"""Players that people write: a class in a file of Python, which is told what its seat may know and says what to do.

The code of such a file is run as it stands; nothing keeps it from doing what any program can.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType, TracebackType
from typing import Any, Protocol

from trickwright.problems import visible


class Deed(Protocol):
    """An action by its words: a verb, and mostly a thing, such as a card. As text it is both."""

    @property
    def verb(self) -> str:
        """What is done."""

    @property
    def what(self) -> str:
        """The thing it is done with; empty for none."""


class Player:
    """A player of one's own. Each hand has a fresh one for each of its seats, so nothing is kept from hand to hand."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Deed], random: Random) -> Deed:
        """One of the ``legal`` actions.

        ``view`` is all that the seat may know, as ``hand.view`` tells it: ``view["you"]`` is the own name, and what belongs
        to players is found by their names. ``random`` gives the same numbers whenever the hand is played again.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method choose")


class PlayerError(Exception):
    """Something is wrong with a player that somebody wrote; the message says whose, where and what."""


@dataclass(frozen=True)
class Written:
    """Where a player is written: a file of Python and a class in it."""

    path: str
    class_name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.class_name}"

    def make(self) -> Player:
        """A fresh player; PlayerError if there is none."""
        made = _class_of(self)
        try:
            return made()
        except Exception as error:
            raise PlayerError(f"{self}: {what_failed(error, self.path)}") from None


def what_failed(error: BaseException, path: str) -> str:
    """An error of a player's code in words, with the line of its file that it came from."""
    text = f"{type(error).__name__}: {visible(str(error))}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"line {error.lineno}: {type(error).__name__}: {visible(error.msg)}"
    line = _last_line(error.__traceback__, path)
    if not line:
        return text
    shown = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1 : line]
    return f"line {line}: {text}" + "".join(f"\n    {visible(one.strip())}" for one in shown)


def _last_line(trace: TracebackType | None, path: str) -> int:
    """The last line of a file in a traceback; 0 for none."""
    found = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


@cache
def _module(path: str) -> ModuleType:
    """A file, run as a module."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    module = ModuleType(f"trickwright_player_{len(sys.modules)}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    try:
        exec(compile(text, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise PlayerError(f"{path}: {what_failed(error, path)}") from None
    return module


@cache
def _class_of(written: Written) -> type[Player]:
    """The class of a player; PlayerError if the file has none."""
    module = _module(written.path)
    found = getattr(module, written.class_name, None)
    if isinstance(found, type) and issubclass(found, Player):
        return found
    if found is not None:
        raise PlayerError(
            f"{written}: {written.class_name} is no subclass of trickwright_tools.players.Player"
        )
    own = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Player) and value is not Player
    ]
    has = f"its players: {', '.join(own)}" if own else "it has no subclass of Player"
    raise PlayerError(f"{written.path}: no class {written.class_name}; {has}")
