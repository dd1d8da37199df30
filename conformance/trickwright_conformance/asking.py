"""Asking and judging: what a case asks of an engine, and whether the answer is what the case expects.

Every engine is asked in this way, one in memory as one at the other end of a pipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trickwright_conformance.cases import Case, Side
from trickwright_conformance.compare import Mismatch, compare, same_list
from trickwright_conformance.observe import DOES, HAND, Speech, translate


@dataclass(frozen=True)
class Asked:
    """A case as it is put to an engine, and what must come of it, both in canonical words."""

    request: Mapping[str, Any]
    """``given``, ``play`` and ``ask``, as ``observe`` takes it: nothing in it tells what is expected."""
    lines: tuple[Mapping[str, Any], ...]
    """The lines of play, each with what is expected of it."""
    expect: Mapping[str, Any]


def ask(case: Case, side: Side, said: Speech) -> Asked:
    """What a case asks of an engine with one set of variants."""
    lines = tuple(translate(_line(line, said.verbs), said.words) for line in case.play)
    request = {
        "given": translate(case.given, said.words),
        "play": [
            {HAND: line[HAND]}
            if HAND in line
            else {"player": line["player"], "does": _done(line, said), "may": line["asks"]}
            for line in lines
        ],
        "ask": list(side.expect),
    }
    return Asked(request, lines, translate(side.expect, said.words))


def judge(asked: Asked, seen: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Everything in which an answer, with a step for each line of a player, is not as expected."""
    lines = [line for line in asked.lines if HAND not in line]
    for number, (line, step) in enumerate(zip(lines, seen["steps"], strict=True)):
        yield from _compare_step(f"play[{number}] {line['player']}", line, step)
    yield from compare(asked.expect, seen["facts"])


def _line(line: Mapping[str, Any], verbs: Sequence[str]) -> dict[str, Any]:
    """A line of play in one form."""
    ((player, what),) = line.items()
    if player == HAND:
        return {HAND: what}
    told = what if isinstance(what, Mapping) else {DOES: what}
    verb = next((verb for verb in verbs if verb in told), "")
    return {
        "player": player,
        "does": told.get(verb),
        "verb": "" if verb == DOES else verb,
        "asks": "may" in told or "may_not" in told,
        "may": told.get("may"),
        "may_not": told.get("may_not"),
        "refused": told.get("refused"),
    }


def _done(line: Mapping[str, Any], said: Speech) -> Any:
    """The action with its verb, if the line gave one that a thing goes with."""
    does, verb = line["does"], line["verb"]
    if isinstance(does, list):
        return [_done({"does": thing, "verb": verb}, said) for thing in does]
    return does if not verb or does is None or does in said.alone else f"{verb} {does}"


def _compare_step(
    where: str, line: Mapping[str, Any], step: Mapping[str, Any]
) -> Iterable[Mismatch]:
    may = line.get("may")
    if may is not None and not same_list(may, step["may"], in_order=False):
        yield Mismatch(f"{where} may", may, step["may"])
    for action in line.get("may_not") or ():
        if action in step["may"]:
            yield Mismatch(f"{where} may not", action, step["may"])
    if step["refused"] != line["refused"]:
        why = f" ({step['because']})" if step.get("because") else ""
        got = f"{step['refused']}{why}" if step["refused"] else "allowed"
        yield Mismatch(f"{where} {line['does']}", line["refused"] or "allowed", got)
