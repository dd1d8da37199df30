"""The loop of all fuzzers: makes inputs, runs them with a limit of time, and keeps those that show a fault."""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

HERE = Path(__file__).resolve().parent
_ROOT = HERE.parents[1]
for _folder in ("generator", "generated", "conformance", "tools"):
    if (_ROOT / _folder).is_dir() and str(_ROOT / _folder) not in sys.path:
        sys.path.append(str(_ROOT / _folder))
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

CORPUS = HERE / "corpus"
SECONDS = 1.0
"""Processor time that one input may take."""


class Hangs(BaseException):
    """An input takes too long. No Exception, so that nothing on the way catches it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Hangs after so much processor time; a busy machine makes no difference."""

    def stop(_: int, __: FrameType | None) -> None:
        raise Hangs(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fault(run: Callable[[str], str], text: str, seconds: float = SECONDS) -> tuple[str, str]:
    """What came of an input, and the traceback if that was a fault."""
    try:
        with limited(seconds):
            return run(text), ""
    except (Exception, Hangs) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} {Path(place.filename).name}:{place.lineno}", traceback.format_exc()  # fmt: skip


def inputs(name: str, first: int) -> Iterator[tuple[int, str]]:
    """Damaged copies of a target's real inputs, one for each number."""
    import damage
    import targets

    seeds = targets.seeds(name)
    number = first
    while True:
        chance = targets.chance(number)
        yield number, damage.damaged(chance.choice(seeds), seeds, chance)
        number += 1


def kept(name: str) -> list[dict[str, str]]:
    """Inputs of a target that once showed a fault, each with a word on it."""
    path = CORPUS / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines]


def _log(out: Path, name: str, text: str, said: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    path = out / f"{name}-{digest}.json"
    path.write_text(json.dumps({"why": said.splitlines()[-1], "text": text, "traceback": said}))


def main(name: str) -> None:
    """The command of a fuzzer; exit code 1 if any input showed a fault."""
    parser = argparse.ArgumentParser(description=f"Fuzz {name}.")
    parser.add_argument("--inputs", type=int, default=10_000, help="how many")
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="number of the first; the same number is the same input",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("fuzz-faults"), help="folder for inputs that show a fault"
    )
    parser.add_argument(
        "--atheris", action="store_true", help="let coverage guide the damage (needs atheris)"
    )
    options = parser.parse_args()
    if options.atheris:
        _guided(name, options.inputs, options.first, options.out)
        return
    import targets

    run, found, faults = targets.TARGETS[name].run, collections.Counter[str](), set[str]()
    run(targets.seeds(name)[0])  # what is made once is not the first input's work
    begun = time.monotonic()
    for number, text in inputs(name, options.first):
        if number - options.first >= options.inputs:
            break
        said, trace = fault(run, text)
        found[f"FAULT {said}" if trace else said] += 1
        if trace and said not in faults:
            faults.add(said)
            _log(options.out, name, text, trace)
            print(f"{name} {number}: {trace.splitlines()[-1][:300]}\n  {said}", flush=True)
        if number % 10_000 == 9_999:
            print(
                f"{name} {number + 1}: {dict(found)}, {time.monotonic() - begun:.0f} s", flush=True
            )
    print(
        f"{name}: {sum(found.values())} inputs from {options.first}, {len(faults)} kinds of fault, {dict(found)}"
    )
    sys.exit(1 if faults else 0)


def _guided(name: str, count: int, seed: int, out: Path) -> None:
    """The same with atheris: inputs that reach new code are damaged further, byte by byte and by ``damage``."""
    import atheris

    with atheris.instrument_imports(include=["trickwright", "trickwright_conformance"]):
        import damage
        import targets
    run, real = targets.TARGETS[name].run, targets.seeds(name)
    run(real[0])
    tried = 0

    def one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        text = data.decode("utf-8", "replace")
        said, trace = fault(run, text, 5 * SECONDS)  # instrumented code is slow
        if trace:
            _log(out, name, text, trace)
            print(f"{name}: {said}\n{trace.splitlines()[-1][:300]}", flush=True)
        if tried == count:
            print(f"{name}: {tried} inputs with atheris", flush=True)

    def custom(data: bytes, most: int, number: int) -> bytes:
        chance = targets.chance(number)
        if chance.random() < 0.3:
            return atheris.Mutate(data, most)
        text = data.decode("utf-8", "replace") or chance.choice(real)
        return damage.damaged(text, real, chance).encode("utf-8", "replace")[:most]

    folder = out / f"seeds-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(real):
        (folder / str(number)).write_bytes(text.encode("utf-8", "replace"))
    arguments = [
        sys.argv[0],
        f"-runs={count}",
        f"-seed={seed + 1}",
        "-max_len=20000",
        "-verbosity=0",
        str(folder),
    ]
    atheris.Setup(arguments, one, custom_mutator=custom)
    atheris.Fuzz()
