"""Hands in which somebody's own players sit: played on the engine's hands with names, whose other seats play as always.

A hand is the one that ``_play_table`` of the engine plays under its number, with the same cards and the same chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from trickwright.problems import visible
from trickwright_tools.players.own import Player, PlayerError, Written, what_failed
from trickwright_tools.players.playing import WAYS, Playing

Seat = Written | tuple[str, int]
"""Who sits there: a player that somebody wrote, or a way to play with its budget."""


def play_by_name(
    playing: Playing,
    mind: Sequence[int],
    seats: Sequence[Seat],
    seed: int,
    each: int,
    number: int,
) -> list[int]:
    """The end of a hand, as a state. PlayerError, with the hand's number, if a player fails or does what is not legal."""
    engine, players = playing.engine, len(seats)
    deal, turn = divmod(number, each)
    hand = engine.Hand(players, dealer=deal % players, seed=seed, number=2 * deal)
    rules = hand.rules
    rules.new_hand(hand.state, players, deal % players, deal + 1)
    rules.deal(hand.state, rules.stream(seed, 2 * deal))
    choices, minds, work = playing.row(2), playing.numbers(mind), playing.work()
    playing.function("seed_random")(choices, seed, 2 * number + 1)
    if hand.state[engine.PHASE] < engine._BIDDING_UNTIL:
        state = playing.numbers(hand.state)
        playing.function("_consider")(state, minds)
    own: dict[int, tuple[Written, Player, Random]] = {}
    for player in range(players):
        written = seats[(player + turn) % players]
        if isinstance(written, Written):
            own[player] = written, written.make(), Random(f"{seed}/{number}/{player}")
    while not hand.over:
        player = hand.state[engine.TO_MOVE]
        if player in own:
            _let_choose(hand, *own[player], number)
            continue
        way = seats[(player + turn) % players]
        assert not isinstance(way, Written)
        state = playing.numbers(hand.state)
        action = int(
            playing.function("_decide")(state, choices, minds, WAYS.index(way[0]), way[1], work)
        )
        # By its number, so that of identical cards it is the same one.
        hand.history.append((hand.state[engine.PHASE], player, action))
        engine.apply(hand.state, action)
    return [int(value) for value in hand.state]


def _let_choose(hand: Any, written: Written, player: Player, random: Random, number: int) -> None:
    """Let a player that somebody wrote do one action."""
    who = f"{written}, hand {number + 1}"
    legal = hand.legal_actions()
    try:
        chosen = player.choose(hand.view(hand.to_move), list(legal), random)
    except (Exception, SystemExit) as error:
        raise PlayerError(f"{who}: {what_failed(error, written.path)}") from None
    if not isinstance(getattr(chosen, "verb", None), str) or not isinstance(
        getattr(chosen, "what", None), str
    ):
        raise PlayerError(f"{who}: choose gave {chosen!r:.80}, which is no action")
    action = type(legal[0])(chosen.verb, chosen.what)
    try:
        refusal = hand.why_not(action)
    except ValueError as error:  # of a thing that the game does not have
        raise PlayerError(f"{who}: may not {visible(str(action))}: {error}") from None
    if refusal is not None:
        where = f'{refusal.clause}, "{refusal.section}"' if refusal.section else refusal.clause
        raise PlayerError(f"{who}: may not {action}: {refusal.sentence} ({where})")
    hand.apply(action)
