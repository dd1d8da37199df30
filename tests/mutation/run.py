"""Mutation testing of the compiler: change ``generator/`` one place at a time and see whether a test notices.

    python tests/mutation/run.py --sample 400 --jobs 1 --seed 1

The changes are mutmut's (operators, constants, strings, arguments, conditions). In a copy of the tree a forked process gives one function
the code of one of its mutants. The judges are the tests of the compiler, in the order of
their chance to notice, and before them a judge that stands for ``trickwright generate --check``: the engines of all games come out as
they stand in ``generated/``. A mutant that outlives its seconds counts as noticed, too; one that nobody notices within
``--budget`` seconds of tests is a survivor.

The score is of the mutants drawn: ``--sample 0`` takes all. A run that was stopped goes on where it was, and after tests
were added the survivors alone are judged again; ``--work`` holds all of it. Decorated functions stay as they are, as mutmut wants it.
Needs mutmut (extra ``mutation``).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from score import fingerprint, told

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = Path("generator/trickwright")
COMPILER = (
    "bids", "cli", "coverage", "decks", "errors", "expressions", "game_files", "generate", "hostile_text", "interrupted", "kinds", "limits",
    "melding", "never_acts", "options", "overlay", "playtest", "rounds", "schema", "source",
)  # fmt: skip
RUNTIME = (
    "cases", "hand", "engine", "messages", "mue", "positions", "protocol", "replay", "secrets", "determinize",
)  # fmt: skip
"""The tests that judge the compiler, and those that judge the runtime of engines; what takes long in them does not judge."""
WHILE_IMPORTING = ("trickwright.limits.x__own__mutmut_",)
"""Whose functions run while their module is imported, once, before a process could give them other code: they are not drawn."""


def main() -> None:
    """Make the copy, draw the mutants, run them, tell the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=400, help="how many mutants; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of tests for a mutant")
    parser.add_argument("--runtime", action="store_true", help="the engines' runtime instead")
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    parser.add_argument("--judges", default="", help="only tests whose file matches this")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mutants")
    options = parser.parse_args()
    tree = options.work.resolve() / "tree"
    names = prepare(tree, options.work.resolve() / "mutated")
    names = {
        name: path
        for name, path in names.items()
        if (".runtime." in name) == options.runtime and not name.startswith(WHILE_IMPORTING)
    }
    wanted = [name for name in names if options.only in name]
    if options.sample and options.sample < len(wanted):
        wanted = random.Random(options.seed).sample(wanted, options.sample)
    judges = [name for name in judging(options.runtime) if re.search(options.judges, name)]
    shared = fingerprint(path for path in (ROOT / "tests").glob("*.py") if path.name[:5] != "test_")
    state = options.work.resolve() / "fates.json"
    settings = {
        "mutants": texts(names, wanted),
        "jobs": options.jobs,
        "budget": options.budget,
        "state": str(state),
        "judges": str(options.work.resolve() / "judges.json"),
        "compiler": fingerprint((ROOT / SOURCE).rglob("*.*")),
        "keys": {name: f"{shared} {fingerprint([ROOT / name])}" for name in judges},
    }
    (tree / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    run(tree, judges)
    tell(json.loads(state.read_text("utf-8"))["all"], wanted, len(names))


def judging(runtime: bool) -> list[str]:
    """The files of tests that judge; for the compiler with one that holds engines against those in ``generated/``."""
    topics = RUNTIME if runtime else COMPILER
    own = [] if runtime else ["tests/mutation/judges.py"]
    return [*own, *(f"tests/test_{topic}.py" for topic in topics)]


def prepare(tree: Path, known: Path) -> dict[str, Path]:
    """A copy of the project, and the mutants of the compiler: their names, with the file in which they stand.

    What a module becomes is remembered in the folder ``known``: it takes seconds to find out.
    """
    from mutmut.mutation.file_mutation import mutate_file_contents

    shutil.rmtree(tree, ignore_errors=True)
    known.mkdir(parents=True, exist_ok=True)
    kept = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, kept.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
    found: dict[str, Path] = {}
    for path in sorted((ROOT / SOURCE).rglob("*.py")):
        remembered = known / f"{path.stem}-{fingerprint([path])}.json"
        if not remembered.is_file():
            made = mutate_file_contents(str(path), path.read_text("utf-8"))
            text = json.dumps({"code": made.code, "names": list(made.mutant_names)})
            remembered.write_text(text, encoding="utf-8")
        parts = path.relative_to(ROOT / SOURCE.parent).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        names = json.loads(remembered.read_text("utf-8"))["names"]
        found |= {f"{module}.{name}": remembered for name in names}
    return found


def texts(mutants: Mapping[str, Path], chosen: Iterable[str]) -> dict[str, str]:
    """The Python of mutants: of each the function, in a class of the same name if it is a method."""

    @cache
    def lines(path: Path) -> list[str]:
        return json.loads(path.read_text("utf-8"))["code"].splitlines()

    found = {}
    for mutant in chosen:
        name, code = mutant.rpartition(".")[2], lines(mutants[mutant])
        at = next(n for n, line in enumerate(code) if line.lstrip().startswith(f"def {name}("))
        indent = code[at][: -len(code[at].lstrip())]
        ends = re.compile(rf"{indent}(?![ )\]]).|(?!{indent})\S")
        end = next((n for n in range(at + 1, len(code)) if ends.match(code[n])), len(code))
        begin = at - code[at - 1].lstrip().startswith(("@staticmethod", "@classmethod"))
        owner = [f"class {name.split('ǁ')[1]}:"] if indent else []
        found[mutant] = "\n".join([*owner, *code[begin:end], ""])
    return found


def run(tree: Path, judges: list[str]) -> None:
    """Start pytest in the copy, with the plugin that plays the mutants instead of the tests."""
    folders = [tree / name for name in ("generator", "generated", "conformance", "tools", "tests")]
    path = os.pathsep.join(map(str, [HERE, *folders]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([*command, *judges], cwd=tree, env=environment, check=False)


def tell(state: dict[str, dict[str, str]], wanted: list[str], total: int) -> None:
    """The survivors, what became of all, which tests noticed, and the score by module."""
    fates = {name: state[name] for name in wanted if name in state}
    unnoticed = sorted(
        name for name, fate in fates.items() if fate["fate"] in ("survived", "unseen", "given up")
    )
    counts: dict[str, list[int]] = {}
    for name in fates:
        count = counts.setdefault(name.rpartition(".")[0], [0, 0])
        count[0] += name not in unnoticed
        count[1] += 1
    print("\n".join(f"{fates[name]['fate']}: {name}" for name in unnoticed))
    for what in (
        Counter(fate["fate"] for fate in fates.values()),
        Counter(fate["by"].partition("::")[0] for fate in fates.values() if "by" in fate),
    ):
        print(", ".join(f"{key} {count}" for key, count in what.most_common()))
    print(told(counts, total))


if __name__ == "__main__":
    main()
