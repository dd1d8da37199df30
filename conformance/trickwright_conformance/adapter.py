"""The adapter of the generated engines: they are tested over the same messages as everyone's.

Start it as an engine: ``trickwright test GAME --engine 'python -m trickwright_conformance.adapter'``.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import metadata
from types import ModuleType
from typing import Any, BinaryIO

import trickwright_games
from trickwright_conformance.observe import CannotRun, observe, told
from trickwright_conformance.protocol import Fault
from trickwright_conformance.protocol.messages import (
    MAX_LINE,
    PROTOCOL,
    check_request,
    decode,
    encode,
)

TOLD = ("refused", "may", "because")
"""What an answer tells of a line of play."""

Engines = dict[tuple[str, frozenset[str]], ModuleType]


def generated_engines(games: Collection[str] = ()) -> Engines:
    """The engines of the package ``trickwright_games``, all or those of some games, by game and set of variants."""
    starts = tuple(game.replace("-", "_") for game in games) or ("",)
    found: Engines = {}
    for module in pkgutil.iter_modules(trickwright_games.__path__):
        if not module.name.startswith("_") and module.name.startswith(starts):
            engine = importlib.import_module(f"trickwright_games.{module.name}")
            found[engine.RULES.id, frozenset(engine.RULES.variants)] = engine
    return found


def answers(lines: Iterable[bytes], engines: Engines) -> Iterator[dict[str, Any]]:
    """The answer to each request, up to the one to ``stop``. Raises Fault for a line that is no request."""
    for line in lines:
        request = decode(line.rstrip(b"\n"))
        do, number = check_request(request), request["id"]
        if do == "start":
            yield {"answer": "started", "id": number, **_who(engines)}
        elif do == "run":
            yield {"id": number, **_run(request, engines)}
        else:
            yield {"answer": "stopped", "id": number}
            return


def _who(engines: Engines) -> dict[str, Any]:
    """Who we are, and what we claim: everything."""
    games: dict[str, dict[str, Any]] = {}
    for (game, variants), engine in sorted(engines.items(), key=lambda item: item[0][0]):
        claims = games.setdefault(game, {"players": set(), "variants": set()})
        claims["players"].update(engine.RULES.table_sizes)
        claims["variants"].update(variants)
    try:
        version = metadata.version("trickwright")
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        version = "of a checkout"
    return {
        "protocol": PROTOCOL,
        "engine": {"name": "trickwright", "version": version, "language": "Python"},
        "games": {
            game: {kind: sorted(words) for kind, words in claims.items()}
            for game, claims in games.items()
        },
    }


def _run(request: Mapping[str, Any], engines: Engines) -> dict[str, Any]:
    game, variants = request["game"], request["variants"]
    engine = engines.get((game, frozenset(variants)))
    if engine is None:
        if any(game == own for own, _ in engines):
            because = f"{game} is not played with {' + '.join(variants)}"
            return {"answer": "impossible", "because": because}
        return {"answer": "skipped", "lacks": f"games.{game}", "because": "there is no engine"}
    try:
        seen = observe(engine, request)
        steps = [{key: step[key] for key in TOLD if key in step} for step in seen["steps"]]
        return {"answer": "observed", "steps": steps, "facts": seen["facts"]}
    except CannotRun as error:
        return {"answer": "impossible", "because": str(error)}
    except Exception as error:  # whatever breaks is news, and the next case is to be played
        return {"answer": "crashed", "because": told(error)}


def serve(lines: Iterable[bytes], out: BinaryIO, engines: Engines) -> None:
    """Answer requests until the last."""
    for answer in answers(lines, engines):
        out.write(encode(answer))
        out.flush()


def main() -> None:
    """Answer what comes on standard input, for all games or those named in the call.

    Whatever else prints something prints it to stderr. A line that is no request ends it with exit code 2.
    """
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    lines = iter(lambda: sys.stdin.buffer.readline(MAX_LINE + 2), b"")
    try:
        serve(lines, out, generated_engines(sys.argv[1:]))
    except Fault as fault:
        print(f"this is no request: {fault}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
