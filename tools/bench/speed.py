"""Speed of an engine beside its peers, interleaved in one run, as ratios.

    python tools/bench/speed.py [--game chief-and-vice] [--players 4] [--rounds 9]

Needs ``pip install -e .[bench]``. Measured are decisions a second in uniformly random play of whole hands, each peer in slices
of equal time that take turns, so that a machine which slows down slows them all:

* ours in plain Python, deal included, through ``play_hands``;
* OpenSpiel's Hearts, stepped from Python in a lean loop, deal included (its chance steps are not counted as decisions);
* ours compiled by numba, deal included;
* colver's Belote rollouts inside Rust, from one dealt state (their length is found by stepping some of them).
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("generator", "generated", "conformance", "tools")]

Slice = Callable[[], int]
"""Plays for a while and gives the decisions made."""


def ours(game: str, players: int) -> tuple[Slice, Slice]:
    """Slices of our engine: plain, and compiled."""
    from trickwright import Report, compile_game, read_game
    from trickwright.places import find_game
    from trickwright.runtime_files import runtime_files
    from trickwright_tools.fast import accelerate, in_a_file

    report = Report()
    folder = find_game(game, report)
    files = read_game(folder, report) if folder else None
    compiled = compile_game(files, report=report) if files else None
    if compiled is None:
        sys.exit("\n".join(problem.render() for problem in report.problems))
    engine = in_a_file(compiled.engine, runtime_files(), compiled.game.module)
    state, rng = [0] * engine.SIZE, [0, 0]
    results = [[0] * (2 + players) for _ in range(1000)]
    began = time.perf_counter()
    fast = accelerate(engine)
    fast_state, fast_rng, fast_results = fast.state(), fast.random(), fast.results(40_000, players)
    fast.play_hands(fast_state, fast_rng, 1, 0, players, fast.results(1, players))
    print(f"compiled in {time.perf_counter() - began:.1f} s", flush=True)
    return (
        lambda: int(engine.play_hands(state, rng, 1, 0, players, results)),
        lambda: int(fast.play_hands(fast_state, fast_rng, 1, 0, players, fast_results)),
    )


def openspiel() -> Slice:
    """OpenSpiel's Hearts, stepped from Python."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    draw = random.Random(1).random

    def play() -> int:
        decisions = 0
        for _ in range(1000):
            state = game.new_initial_state()
            legal, apply = state.legal_actions, state.apply_action
            chance, over = state.is_chance_node, state.is_terminal
            while not over():
                actions = legal()
                if not chance():
                    decisions += 1
                apply(actions[int(draw() * len(actions))])
        return decisions

    return play


def colver_rollouts() -> Slice:
    """colver's rollouts; the decisions in one are averaged over a sample that is stepped."""
    import colver

    lengths = []
    for seed in range(2000):
        env = colver.Env.deal(seed=seed, dealer=0)
        steps = 0
        while not env.is_terminal():
            env.step(env.action_random())
            steps += 1
        lengths.append(steps)
    mean = statistics.mean(lengths)
    print(f"colver: {mean:.1f} decisions a rollout", flush=True)
    starts = [colver.Env.deal(seed=seed, dealer=0) for seed in range(100)]

    def play() -> int:
        for env in starts:
            env.rollout(1000)
        return round(mean * 1000 * len(starts))

    return play


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="chief-and-vice")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    plain, compiled = ours(options.game, options.players)
    slices = {
        "plain": plain,
        "openspiel": openspiel(),
        "numba": compiled,
        "colver": colver_rollouts(),
    }
    speeds: dict[str, list[float]] = {name: [] for name in slices}
    for play in slices.values():
        play()  # warm up
    for _ in range(options.rounds):
        for name, play in slices.items():
            began = time.perf_counter()
            decisions = play()
            speeds[name].append(decisions / (time.perf_counter() - began))
    for name, found in speeds.items():
        print(
            f"{name:<10} {statistics.median(found) / 1e6:8.3f} M decisions/s  (median of {len(found)})"
        )
    for one, other in (("plain", "openspiel"), ("numba", "plain"), ("numba", "colver")):
        ratios = sorted(a / b for a, b in zip(speeds[one], speeds[other], strict=True))
        print(
            f"{one} / {other}: {statistics.median(ratios):.2f}"
            f"  (from {ratios[0]:.2f} to {ratios[-1]:.2f}, round by round)"
        )


if __name__ == "__main__":
    main()
