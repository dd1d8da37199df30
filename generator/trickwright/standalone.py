"""One file for one engine: the runtime's text takes the place of the engine's import of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

BEGIN, END = "# <runtime>", "# </runtime>"
"""The comment lines around an engine's import of its runtime."""

SHARED = frozenset({"NOBODY", "PLAYERS", "DEALER", "PHASE", "TO_MOVE", "OUTCOME", "HAND_NUMBER"})
"""Constants that engine and runtime both define, with the same values; the engine's are kept."""

_WIDTH = 100
_NOTE = "The file needs nothing but Python: the runtime that all games share is part of it."


def without_markers(engine: str) -> str:
    """The text of an engine as it is kept in a package, without the comments around the import."""
    return re.sub(f"^({BEGIN}|{END})\n", "", engine, flags=re.MULTILINE)


def inline(engine: str, runtime: str) -> str:
    """The engine with the runtime in it, as one module that imports the standard library only."""
    before, imported, body = _split(engine)
    head, shared = _Head(before), _Head(runtime)
    renames = _renames(imported, body, runtime)
    merged = head.imports.merged(shared.imports)
    return (
        f'"""{head.docstring.strip()}\n\n{_NOTE}\n"""\n\n'
        f"from __future__ import annotations\n\n{merged.text(renames)}\n"
        f"# The runtime: what people and programs use around the functions of a game\n\n"
        f"{_renamed(_without_shared(shared.rest), renames).strip()}\n\n\n"
        f"# The game\n\n{body.strip()}\n"
    )


def join(head: str, modules: Sequence[str]) -> str:
    """Several modules of one package as one module, with the docstring of the package's own file."""
    read = [_Head(text) for text in modules]
    imports = _Imports()
    for one in read:
        imports = imports.merged(one.imports)
    body = "\n\n\n".join(one.rest.strip() for one in read)
    return (
        f'"""{_Head(head).docstring.strip()}\n"""\n\n'
        f"from __future__ import annotations\n\n{imports.text({})}\n{body}\n"
    )


def _split(engine: str) -> tuple[str, str, str]:
    """What stands before the import of the runtime, the import itself, and what stands after it."""
    before, _, rest = engine.partition(f"\n{BEGIN}\n")
    imported, _, body = rest.partition(f"\n{END}\n")
    return f"{before}\n", f"{imported}\n", body


@dataclass
class _Imports:
    """What a module imports: whole modules, and names by module."""

    modules: set[str] = field(default_factory=set)
    names: dict[str, set[str]] = field(default_factory=dict)

    def merged(self, other: _Imports) -> _Imports:
        """The imports of two modules together."""
        both = [*self.names, *other.names]
        names = {key: self.names.get(key, set()) | other.names.get(key, set()) for key in both}
        return _Imports(self.modules | other.modules, names)

    def text(self, renames: dict[str, str]) -> str:
        """The statements, in the order in which formatters put them."""
        lines = [f"import {_as(name, renames)}" for name in sorted(self.modules)]
        for module in sorted(self.names):
            plain = sorted(self.names[module] - renames.keys(), key=_import_order)
            line = f"from {module} import {', '.join(plain)}"
            if len(line) > _WIDTH:
                rows = "".join(f"    {name},\n" for name in plain)
                line = f"from {module} import (\n{rows})"
            lines += [line] if plain else []
            taken = sorted(self.names[module] & renames.keys(), key=_import_order)
            lines += [f"from {module} import {_as(name, renames)}" for name in taken]
        return "\n".join(lines) + "\n"


def _as(name: str, renames: dict[str, str]) -> str:
    return f"{name} as {renames[name]}" if name in renames else name


def _import_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


class _Head:
    """The docstring and the imports of a module, and the text below them."""

    def __init__(self, text: str) -> None:
        body = ast.parse(text).body
        self.docstring = ast.get_docstring(ast.Module(body, []), clean=False) or ""
        self.imports = _Imports()
        end = 0
        for number, node in enumerate(body):
            if isinstance(node, ast.Import):
                self.imports.modules |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                if node.module != "__future__" and not node.level:
                    names = {name.name for name in node.names}
                    self.imports.names.setdefault(str(node.module), set()).update(names)
            elif number or not isinstance(node, ast.Expr):
                break
            end = node.end_lineno or 0
        self.rest = "".join(text.splitlines(keepends=True)[end:])


def _defined(text: str) -> Iterator[str]:
    """The names that a module defines at its top level."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _renames(imported: str, body: str, runtime: str) -> dict[str, str]:
    """New names for what the runtime calls as the engine calls something else.

    The engine says itself what it calls the runtime's classes; any other name that both use, such
    as that of a role called ``names``, gets an underscore in the runtime.
    """
    renames = {
        name.name: name.asname
        for node in ast.parse(imported).body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.asname
    }
    head = _Head(runtime).imports
    theirs = {
        *_defined(runtime),
        *head.modules,
        *(n for names in head.names.values() for n in names),
    }
    for name in sorted((theirs & set(_defined(body))) - SHARED):
        renames.setdefault(name, f"_{name}")
    return renames


def _without_shared(text: str) -> str:
    """The runtime's text without the constants that every engine defines itself."""
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        names = set(_defined(ast.unparse(node)))
        if isinstance(node, ast.Assign) and names and names <= SHARED:
            del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines)


def _renamed(text: str, renames: dict[str, str]) -> str:
    """The text with other names; attributes, keywords and parameters stay as they are."""
    lines = text.splitlines(keepends=True)
    for line, column, name in sorted(_uses(text), reverse=True):
        if name in renames:
            found = lines[line - 1].encode()
            assert found[column:].startswith(name.encode())
            new = found[:column] + renames[name].encode() + found[column + len(name.encode()) :]
            lines[line - 1] = new.decode()
    return "".join(lines)


def _uses(text: str) -> Iterator[tuple[int, int, str]]:
    """Every use of a name, and every definition: line, byte in the line, name."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            yield node.lineno, node.col_offset, node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            keyword = re.match(rb"\s*(def|class)\s+", lines[node.lineno - 1].encode())
            assert keyword is not None
            yield node.lineno, keyword.end(), node.name
