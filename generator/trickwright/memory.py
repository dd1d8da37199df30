"""Engines in memory: the text of an engine becomes a module without being written anywhere."""

from __future__ import annotations

import importlib.util
import sys
import types

from trickwright.compile import Compiled
from trickwright.emit import TEMPLATES

_PACKAGE = "trickwright_in_memory"


def load_engine(compiled: Compiled) -> types.ModuleType:
    """The engine as a module. The text is the generator's own: nothing of a rules file is in it unchecked."""
    _package()
    name = f"{_PACKAGE}.{compiled.game.module}_{abs(hash(compiled.engine))}"
    if name in sys.modules:
        return sys.modules[name]
    module = types.ModuleType(name)
    module.__package__ = _PACKAGE
    sys.modules[name] = module
    exec(compiled.code, module.__dict__)
    return module


def unload_engine(engine: types.ModuleType) -> None:
    """Let go of an engine that nobody will ask for again; without this, modules are kept as long as the program runs."""
    sys.modules.pop(engine.__name__, None)


def _package() -> None:
    """The package that engines in memory import their runtime from; it is read once."""
    if _PACKAGE in sys.modules:
        return
    package = types.ModuleType(_PACKAGE)
    package.__path__ = []
    sys.modules[_PACKAGE] = package
    spec = importlib.util.spec_from_file_location(f"{_PACKAGE}._runtime", TEMPLATES / "runtime.py")
    assert spec is not None and spec.loader is not None
    runtime = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = runtime
    spec.loader.exec_module(runtime)
