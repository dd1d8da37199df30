"""Mutation testing of the compiler: change ``generator/`` one place at a time and see whether a test notices.

    python tests/mutation/run.py --sample 400 --jobs 2 --state mutants.json

The changes are mutmut's (operators, constants, strings, arguments, conditions); every changed function lies beside the original one in
a copy of the tree, and one of them at a time is switched on in a forked process. The judges are the tests of the compiler, in the order of
their chance to notice, and before them a judge that stands for ``trickwright generate --check``: the engines of all games come out as
they stand in ``generated/``. A mutant that outlives its seconds counts as noticed, too; one that nobody notices within
``--budget`` seconds of tests is a survivor.

The score is of the mutants drawn: ``--sample 0`` takes all. A run that was stopped goes on from its state.
Needs mutmut (extra ``mutation``).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = Path("generator/trickwright")
JUDGES = (
    "tests/mutation/judges.py",
    "tests/test_errors.py",
    "tests/test_expressions.py",
    "tests/test_schema.py",
    "tests/test_source.py",
    "tests/test_overlay.py",
    "tests/test_kinds.py",
    "tests/test_bids.py",
    "tests/test_decks.py",
    "tests/test_rounds.py",
    "tests/test_melding.py",
    "tests/test_options.py",
    "tests/test_generate.py",
    "tests/test_engine.py",
    "tests/test_hand.py",
    "tests/test_mue.py",
    "tests/test_secrets.py",
    "tests/test_hostile_text.py",
    "tests/test_case_lint.py",
    "tests/test_runner.py",
)


def main() -> None:
    """Make the copy, draw the mutants, run them, tell the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=400, help="how many mutants; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of tests for a mutant")
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    parser.add_argument("--work", type=Path, default=Path("/tmp/trickwright-mutants"))
    parser.add_argument("--state", type=Path, default=Path("mutants.json"))
    options = parser.parse_args()
    names = prepare(options.work)
    wanted = [name for name in names if options.only in name]
    if options.sample and options.sample < len(wanted):
        wanted = random.Random(options.seed).sample(wanted, options.sample)
    state = options.state.resolve()
    settings = {
        "names": wanted,
        "jobs": options.jobs,
        "budget": options.budget,
        "state": str(state),
    }
    (options.work / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    run(options.work)
    tell(json.loads(state.read_text("utf-8")), wanted, len(names))


def prepare(work: Path) -> list[str]:
    """A copy of the tree in which every function of the compiler has its mutants beside it; the mutants' names."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    shutil.rmtree(work, ignore_errors=True)
    kept = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, kept.split("\0")):
        if (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, work / name)
    names = []
    for path in sorted((work / SOURCE).rglob("*.py")):
        made = mutate_file_contents(str(path), path.read_text("utf-8"))
        path.write_text(made.code, encoding="utf-8")
        parts = path.relative_to(work / SOURCE.parent).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        names += [f"{module}.{name}" for name in made.mutant_names]
    return names


def run(work: Path) -> None:
    """Start pytest in the copy, with the plugin that plays the mutants instead of the tests."""
    folders = [work / name for name in ("generator", "generated", "conformance", "tools", "tests")]
    path = os.pathsep.join(map(str, [HERE, *folders]))
    judges = [name for name in JUDGES if (work / name).is_file()]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": path, "MUTANT_UNDER_TEST": ""}
    subprocess.run([*command, *judges], cwd=work, env=environment, check=False)


def tell(state: dict[str, dict[str, str]], wanted: list[str], total: int) -> None:
    """The score with its 95 % interval (Wilson), by module, and the survivors."""
    seen = {name: state[name] for name in wanted if name in state}
    survivors = sorted(name for name, how in seen.items() if how["fate"] in ("survived", "unseen"))
    modules: dict[str, list[int]] = {}
    for name in seen:
        counts = modules.setdefault(name.rpartition(".")[0], [0, 0])
        counts[0] += name not in survivors
        counts[1] += 1
    for module, (killed, of) in sorted(modules.items()):
        print(f"{module:45} {killed:5} of {of:5}  {killed / of:6.1%}")
    count, killed = len(seen), len(seen) - len(survivors)
    low, high = wilson(killed, count)
    print("\n".join(f"survived: {name}" for name in survivors))
    print(f"{count} of {total} mutants: {killed} noticed, {killed / max(count, 1):.1%}", end=" ")
    print(f"(95 % interval {low:.1%} to {high:.1%})")


def wilson(part: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson."""
    if not count:
        return 0.0, 1.0
    z, share = 1.959964, part / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - reach) / (1 + z * z / count), (middle + reach) / (1 + z * z / count)


if __name__ == "__main__":
    main()
