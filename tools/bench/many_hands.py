"""Plays many random hands, checked at every step, for each number of players and set of variants of a game.

    python tools/bench/many_hands.py [--game chief-and-vice] [--hands 100000] [--workers 1]

Checked of each hand: all get as many cards, each dealt once; no state lacks a legal action; no card is ever lost or at two places;
numbers are within their bounds; in tricks every card is played exactly once and the card points add up, in rounds each player
makes each meld once; the scores come again from the seed alone, and from the list of actions. Of every fiftieth hand the
transcript is written, read and played again, too. Uses all cores, or as many as ``--workers`` says.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [
    str(ROOT / part) for part in ("generator", "generated", "conformance", "tools", "tests")
]

from conftest import compiled, engine, read  # noqa: E402
from test_engine import play_checked  # noqa: E402
from test_melding import GAME as GAME_OF_MELDS  # noqa: E402
from test_melding import check_melds  # noqa: E402

WATCHED = {GAME_OF_MELDS: check_melds}
"""What is known of a game beyond its rules: bounds that no reader of them can work out."""
CHUNK = 500


@cache
def runner(game: str, variants: tuple[str, ...]) -> ModuleType:
    """An engine, made once in each process."""
    return engine(game, variants)


def chunk(task: tuple[str, tuple[str, ...], int, int, int]) -> int:
    """Play and check some hands; gives their number. AssertionError says what is wrong."""
    game, variants, players, first, count = task
    made = runner(game, variants)
    results = [[0] * (2 + players) for _ in range(count)]
    made.play_hands([0] * made.SIZE, [0, 0], 7, first, players, results)
    for row, found in enumerate(results):
        number = first + row
        actions: list[int] = []
        state = play_checked(made, players, 7, number, WATCHED.get(game), actions)
        scores = [state[made.SCORE + seat] for seat in range(players)]
        assert found[0] == state[made.OUTCOME] and found[2:] == scores, "from the seed"
        if number % 50 == 0:
            dealt = made.Hand(players, dealer=number % players, seed=7, number=number)
            random = made.stream(7, number)
            made.RULES.deal([*dealt.state], random)  # the stream goes on behind the deal
            dealt.play_randomly(random)
            again = made.Hand.from_json(dealt.to_json())
            assert list(again.scores.values()) == list(dealt.scores.values()), "from the transcript"
        replay(made, players, number, actions, state)
    return count


def replay(made: ModuleType, players: int, number: int, actions: list[int], end: list[int]) -> None:
    """The deal and the list of actions lead to the same end."""
    state = [0] * made.SIZE
    made.new_hand(state, players, number % players, number + 1)
    made.RULES.deal(state, made.stream(7, number))
    for action in actions:
        made.apply(state, action)
    assert state == end, "from the actions"


def main() -> None:
    """Play and report."""
    from trickwright.compile import variant_sets

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="chief-and-vice")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--most-variants", type=int, default=2, help="variants played together")
    parser.add_argument("--workers", type=int, help="processes; one for each core if not said")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        sets = variant_sets(read(options.game))
        for variants in (names for names in sets if len(names) <= options.most_variants):
            for players in compiled(options.game, variants).game.players:
                began = time.perf_counter()
                tasks = [
                    (options.game, variants, players, first, min(CHUNK, options.hands - first))
                    for first in range(0, options.hands, CHUNK)
                ]
                done = sum(pool.map(chunk, tasks))
                name = " + ".join(variants) or "base"
                spent = time.perf_counter() - began
                print(f"{name:<24} {players} players  {done} hands fine  {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
