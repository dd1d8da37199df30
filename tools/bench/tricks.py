"""The trick phase alone, and hands of Monte Carlo players: how near the engine comes to a loop fused by hand.

    python tools/bench/tricks.py [--rounds 9]

Needs ``pip install -e .[fast]``. Interleaved in one run, in slices that take turns: phases of tricks a second of the engine, compiled by
numba, from one dealt state with random play; the same by a loop written by hand for this purpose, with hands, trumps and
strengths in local variables and nothing that a rule could change; and hands a second of four players who imagine 100 hands for each
decision, on one core.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("generator", "generated", "conformance", "tools")]

GAME = "chief-and-vice"
PLAYERS = 4
PHASES = 100_000
PHASE_LOOP = '''

def phases(start: State, state: State, random: Random, times: int) -> int:
    """Play the tricks from the same state many times; gives the cards played."""
    cards = 0
    for _ in range(times):
        state[:] = start
        while state[PHASE] == IN_TRICKS:
            tricks_apply(state, pick(random, tricks_legal(state)))
            cards += 1
    return cards
'''


def fused(engine: Any, functions: dict[str, Any]) -> Any:
    """The loop written by hand, compiled."""
    import numba
    import numpy

    pick, bit_count = functions["pick"], functions["bit_count"]
    of_suit = numpy.array(engine.CARDS_OF_SUIT, numpy.int64)
    higher = numpy.array(engine.HIGHER_RANKS, numpy.int64)

    @numba.njit(nogil=True)
    def play(hands: Any, high: int, middle: int, low: int, random: Any, times: int) -> int:
        trumps = high | middle | low
        total = 0
        for _ in range(times):
            h0, h1, h2, h3 = hands[0], hands[1], hands[2], hands[3]
            p0 = p1 = p2 = p3 = 0
            player = 0
            for _ in range(13):
                follow = beating = -1
                winner = player
                trick = 0
                for place in range(4):
                    hand = h0 if player == 0 else h1 if player == 1 else h2 if player == 2 else h3
                    legal = hand & follow
                    if legal == 0:
                        legal = hand
                    card = pick(random, legal)
                    bit = 1 << card
                    if player == 0:
                        h0 ^= bit
                    elif player == 1:
                        h1 ^= bit
                    elif player == 2:
                        h2 ^= bit
                    else:
                        h3 ^= bit
                    trick |= bit
                    if beating & bit:
                        suit, rank = card // 13, card % 13
                        if place == 0:
                            follow = trumps if trumps & bit else of_suit[suit] & ~trumps
                        winner = player
                        if high & bit:
                            beating = high & higher[rank]
                        elif middle & bit:
                            beating = high | middle & higher[rank]
                        elif low & bit:
                            beating = high | middle | low & higher[rank]
                        else:
                            beating = trumps | of_suit[suit] & higher[rank]
                    player = player + 1 & 3
                points = bit_count(trick & 0xFF87FC3FE1FF) + 2 * bit_count(trick & 0x7003801C00E00)
                if winner == 0:
                    p0 += points
                elif winner == 1:
                    p1 += points
                elif winner == 2:
                    p2 += points
                else:
                    p3 += points
                player = winner
            total += p0 + 2 * p1 + 3 * p2 + 5 * p3
        return total

    return play


def main() -> None:
    """Measure and print."""
    import numpy

    from trickwright import Report, compile_game, read_game
    from trickwright.emit_players import emit_players
    from trickwright.places import find_game
    from trickwright.runtime_files import runtime_files
    from trickwright_tools.fast import in_a_file, in_numba
    from trickwright_tools.players.batches import Table, play_chunk

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    report = Report()
    folder = find_game(GAME, report)
    files = read_game(folder, report) if folder else None
    compiled = compile_game(files, report=report) if files else None
    assert compiled is not None
    text = f"{compiled.engine}{PHASE_LOOP}\n\n{emit_players(compiled.meaning)}"
    engine = in_a_file(text, runtime_files(), compiled.game.module)
    functions = in_numba(engine, ("phases", "pick"))
    seed = 0
    while True:  # a hand with a Chief and a Vice who have named trumps
        hand = engine.Hand(PLAYERS, seed=seed)
        random = engine.stream(9, seed)
        while not hand.over and hand.state[engine.PHASE] != engine.IN_TRICKS:
            engine.apply(hand.state, engine.pick(random, engine.legal(hand.state)))
        if not hand.over and hand.state[engine.VICE] != engine.NOBODY:
            break
        seed += 1
    start = numpy.array(hand.state, numpy.int64)
    state, stream = numpy.zeros(engine.SIZE, numpy.int64), numpy.array([5, 1], numpy.int64)
    loop = fused(engine, functions)
    hands = start[engine.HAND : engine.HAND + PLAYERS].copy()
    classes = [int(start[place]) for place in (engine.TRUMPS_1, engine.TRUMPS_2, engine.TRUMPS_3)]
    table = Table(GAME, (), (), ("monte-carlo",) * PLAYERS, (100,) * PLAYERS, fast=True)
    print("compiling", flush=True)
    play_chunk(table, 0, 1)
    slices: dict[str, tuple[int, Callable[[], Any]]] = {
        "engine's tricks": (PHASES, lambda: functions["phases"](start, state, stream, PHASES)),
        "fused by hand": (PHASES, lambda: loop(hands, *classes, stream, PHASES)),
        "Monte Carlo 100": (40, lambda: play_chunk(table, 0, 40)),
    }
    found: dict[str, list[float]] = {name: [] for name in slices}
    for _, play in slices.values():
        play()
    for _ in range(options.rounds):
        for name, (count, play) in slices.items():
            begun = time.perf_counter()
            play()
            found[name].append(count / (time.perf_counter() - begun))
    for name, speeds in found.items():
        unit = "hands/s" if name.startswith("Monte") else "phases/s"
        print(f"{name:16} {statistics.median(speeds):12,.0f} {unit}")
    pairs = zip(found["engine's tricks"], found["fused by hand"], strict=True)
    print(
        f"the engine's tricks are at {statistics.median(a / b for a, b in pairs):.2f} of the fused loop"
    )


if __name__ == "__main__":
    main()
