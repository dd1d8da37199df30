"""Rounds: each has what its phases need, none is one too many, and there are cards for all that is to be melded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickwright.meaning import Declared
from trickwright.model import Game, Rounds
from trickwright.names import Scope
from trickwright.nodes import items
from trickwright.problems import Report


def in_a_round(game: Game, declared: Declared) -> bool:
    """Whether a phase is played in rounds."""
    names = [phase.id for phase in game.phases]
    rounds = game.rounds
    assert rounds is not None
    place = names.index(declared.phase.id)
    return names.index(rounds.first) <= place <= names.index(rounds.last)


def check_rounds(game: Game, phases: Sequence[Declared], scope: Scope, report: Report) -> None:
    """What a phase of a round uses up is there again in the next, and in all rounds there is something to do.

    ``scope`` has what is known after the last phase.
    """
    rounds = game.rounds
    if rounds is None:
        return
    played = [declared for declared in phases if in_a_round(game, declared)]
    if rounds.times == 1:
        _check_one_round(played, report)
        return
    _check_used_up(rounds, phases, played, report)
    hand = scope.get("hand_size")
    dealt = {count: high for count, (_, high) in hand.range.items()} if hand is not None else {}
    for declared in played:
        if declared.adds.melds and dealt:
            _check_melds(game, rounds, declared, played, dealt, report)


def _check_one_round(played: Sequence[Declared], report: Report) -> None:
    """With one round, what is not done after the last is never done."""
    for declared in played:
        if declared.adds.not_last:
            node, path = declared.phase.part(declared.adds.not_last)
            text = "there is but one round, and after the last this is not done, so it never is"
            hint = "leave out the phase, or play more rounds"
            report.warning(node.mark, path, text, "never-acts", hint)


def _check_used_up(
    rounds: Rounds, phases: Sequence[Declared], played: Sequence[Declared], report: Report
) -> None:
    """What a phase clears away, another phase of the same rounds brings."""
    again = {declared.phase.path for declared in played}
    for declared in played:
        for before in phases:
            if before.phase.path in declared.adds.uses_up - again:
                mark, name = items(rounds.node)["from"].mark, before.phase.id
                text = (
                    f"'{declared.phase.id}' clears away what '{name}' has brought,"
                    f" and a round from '{rounds.first}' on does not bring it again"
                )
                report.error(mark, "rounds.from", text, "bad-order", f"from: {name}")
                return


def _check_melds(
    game: Game,
    rounds: Rounds,
    choosing: Declared,
    played: Sequence[Declared],
    dealt: Mapping[int, int],
    report: Report,
) -> None:
    """There are no more rounds than melds, and cards enough for those that are made last."""
    melds, sizes = choosing.adds.melds, sorted(choosing.adds.melds.values())
    refills = [declared for declared in played if declared.adds.refills_to]
    if not refills:
        if rounds.times > len(melds) and min(dealt.values()) >= sum(sizes):
            _too_many_rounds(rounds, choosing, report)
        return
    refill = refills[0]
    up_to, keeps = refill.adds.refills_to, bool(refill.adds.fills)
    for count in game.players:
        cards = len(game.deck.in_play(count))
        if keeps and rounds.times >= len(melds) and count * sum(sizes) > cards:
            node, path = refill.phase.part("melds")
            text = f"with {count} players all melds take {count * sum(sizes)} cards, and there are {cards}"
            hint = "not everybody can make each; let the melds be reshuffled"
            report.warning(node.mark, path, text, "no-way-out", hint)
            return
    for hand in dealt.values():
        stuck = _stuck(sizes, hand, up_to, rounds.times)
        if stuck:
            node, path = refill.phase.part("up_to")
            left, least = stuck
            text = (
                f"a player may come to have {left} cards and only melds of {least} or more to make"
            )
            report.warning(
                node.mark, path, text, "no-way-out", f"{sizes[-1]} cards are enough for any"
            )
            return
    most = [len(game.deck.in_play(n)) // n >= max(up_to, dealt[n]) for n in game.players]
    if rounds.times > len(melds) and sizes[-1] <= up_to and not keeps and all(most):
        _too_many_rounds(rounds, choosing, report)


def _stuck(sizes: Sequence[int], hand: int, up_to: int, times: int) -> tuple[int, int] | None:
    """Cards of a player who can make none of the melds left, and the cards the smallest of those takes; None if none is found.

    Looked at are two ways to come there: to begin with all melds that a filled hand is enough for, or with one other.
    """
    for first in (0, *(size for size in sizes if up_to < size <= hand and hand - size <= up_to)):
        rest = list(sizes)
        if first:
            rest.remove(first)
        small, big = [n for n in rest if n <= up_to], [n for n in rest if n > up_to]
        left = max(up_to, hand - first - sum(small))
        if big and big[0] > left and times > len(sizes) - len(big):
            return left, big[0]
    return None


def _too_many_rounds(rounds: Rounds, choosing: Declared, report: Report) -> None:
    count = len(choosing.adds.melds)
    text = (
        f"there are {count} melds, each made once, so after {count} rounds nobody has one to make"
    )
    report.warning(
        items(rounds.node)["times"].mark, "rounds.times", text, "never-acts", f"times: {count}"
    )
