"""Acceleration: an engine's own functions, unchanged, compiled by numba.

The functions are cloned into a namespace in which tuples are arrays and the few that do arithmetic on 64 bits, or that Python
has as methods, are replaced by twins; so nothing about a game is written twice. Needs the extra ``fast``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trickwright.beside import write_all

ENTRY_POINTS = ("legal", "apply", "new_hand", "pick", "seed_random", "play_at_random", "play_hands")
"""Functions that are compiled, with all that they call."""


class NotInstalled(Exception):
    """Numba is missing; the text says how to get it."""


class FastEngine:
    """The compiled functions of an engine, as attributes. States and random numbers are int64 arrays."""

    legal: Callable[..., int]
    apply: Callable[..., None]
    new_hand: Callable[..., None]
    pick: Callable[..., int]
    seed_random: Callable[..., None]
    play_at_random: Callable[..., int]
    play_hands: Callable[..., int]

    def __init__(self, functions: dict[str, Any], size: int) -> None:
        self.functions = functions
        self.size = size
        for name in ENTRY_POINTS:
            setattr(self, name, functions[name])

    def state(self) -> Any:
        """A fresh state for these functions."""
        import numpy

        return numpy.zeros(self.size, numpy.int64)

    def random(self) -> Any:
        """Fresh random numbers, to be seeded with ``seed_random``."""
        import numpy

        return numpy.zeros(2, numpy.int64)

    def results(self, hands: int, players: int) -> Any:
        """Room for the results of so many hands."""
        import numpy

        return numpy.zeros((hands, 2 + players), numpy.int64)


def accelerate(engine: types.ModuleType) -> FastEngine:
    """Compile an engine that lies in a file. NotInstalled if numba is missing, ValueError if a deck is too large."""
    return FastEngine(in_numba(engine, ENTRY_POINTS), engine.SIZE)


def in_numba(engine: types.ModuleType, entry_points: Sequence[str]) -> dict[str, Any]:
    """These functions of an engine and all that they use, compiled; the errors are those of ``accelerate``."""
    try:
        import numba
        import numpy

        from trickwright_tools.fast_twins import TWINS
    except ImportError:
        raise NotInstalled("numba is not installed: pip install 'trickwright[fast]'") from None
    if engine.CARDS > 61:
        raise ValueError(
            f"{engine.CARDS} cards do not fit in 64 bits; this game runs as plain Python only"
        )
    namespace: dict[str, Any] = {"__name__": engine.__name__, "__builtins__": __builtins__}
    compiled: dict[str, Any] = {}
    queue = [*entry_points]
    while queue:
        name = queue.pop()
        if name in namespace:
            continue
        value = TWINS.get(name, getattr(engine, name, None))
        if isinstance(value, types.FunctionType):
            clone = types.FunctionType(value.__code__, namespace, name, value.__defaults__)
            clone.__module__ = engine.__name__
            # numba keeps what it makes beside the engine's file, and a twin has another
            made = numba.njit(cache=name not in TWINS, nogil=True)(clone)
            namespace[name] = compiled[name] = made
            used = value.__code__.co_names
            queue += [one for one in used if one in engine.__dict__ or one in TWINS]
        elif isinstance(value, tuple):
            namespace[name] = numpy.array(value, numpy.int64)
        else:
            namespace[name] = value
    return {name: namespace[name] for name in namespace if not name.startswith("__")}


def in_a_file(text: str, runtime: Mapping[str, str], module: str) -> types.ModuleType:
    """An engine's text as a module in a file of the user's cache: what numba keeps between runs belongs to a file.

    ``runtime`` is the text of each file of the runtime.
    """
    twins = Path(__file__).with_name("fast_twins.py").read_text(encoding="utf-8")
    key = hashlib.sha256("\0".join((text, twins, *runtime.values())).encode()).hexdigest()[:16]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    package = f"trickwright_engine_{key}"
    folder = base / "trickwright" / "engines" / package
    (folder / "_runtime").mkdir(parents=True, exist_ok=True)
    files = {"__init__.py": "", **{f"_runtime/{name}": own for name, own in runtime.items()}}
    for name, content in {**files, f"{module}.py": text}.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            write_all({path: content})
    if str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    importlib.invalidate_caches()
    return importlib.import_module(f"{package}.{module}")
