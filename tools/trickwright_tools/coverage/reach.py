"""Whether a case can notice a rule at all: whether its play comes to where the rule acts.

A citation alone proves nothing. What is asked here is cheap and leans to yes: that a case comes to a rule does not prove
that it notices every change of it, which is what ``mutate`` finds out.
"""

from __future__ import annotations

from collections.abc import Sequence

from trickwright.overlay import find
from trickwright.source import Node
from trickwright_tools.coverage.watch import Watched

Parts = tuple[str | int, ...]

NAMED = frozenset(("role", "team", "others", "names", "of"))
"""Parameters of phases that say what things are called or may be: a case that gives or expects such a thing notices them."""
OF_PLAYERS = frozenset(("players", "single_pack"))
"""Lists of numbers of players: an entry is noticed where so many play."""
WITHOUT = frozenset(("alone_with", "not_with"))
"""Parameters that list the numbers of players with which a role is nobody's: a position that gives nobody notices them."""


def reaches(parts: Parts, seen: Watched, root: Node) -> bool:
    """Whether a case, as it was played, comes to the rule at a path of the rules."""
    number = for_players(parts, root)
    if number is not None and number != seen.players:
        return False
    if OF_PLAYERS & set(parts) and isinstance(parts[-1], int):
        node = find(root, parts)
        return node is not None and node.value == seen.players
    match parts[0]:
        case "phases":
            return _phase(parts, seen, root)
        case "rounds":
            return seen.rounds
        case "scoring":
            return _scores(parts[1:], seen)
        case "match":
            by_itself = parts[1:] == ("first_dealer",) and "dealer" not in seen.case.given
            return seen.of_match or (by_itself and seen.hands)
        case "cards" | "tables":
            return seen.hands
    return True


def _phase(parts: Parts, seen: Watched, root: Node) -> bool:
    """Whether a case comes to a phase, or tells of what a parameter of it is about."""
    if len(parts) == 1 or parts[1] in seen.phases:
        return True
    keys = {part for part in parts if isinstance(part, str)}
    if keys & WITHOUT:
        node = find(root, parts)
        counts = node.plain() if node is not None else []
        return seen.players in (counts if isinstance(counts, list) else [counts])
    return bool(keys & NAMED) and parts[1] in seen.given


def for_players(parts: Parts, root: Node) -> int | None:
    """The number of players that a path is about, as in ``tables.team_goal.4[0]``; None if it is about all."""
    counts = find(root, ("players",))
    numbers = {str(number) for number in counts.plain()} if counts is not None else set()
    if parts[0] not in ("phases", "tables", "cards") or (
        parts[0] == "cards" and parts[1:2] != ("without",)
    ):
        return None
    for place, part in enumerate(parts):
        if isinstance(part, str) and part in numbers:
            beside = find(root, parts[:place])
            if (
                beside is not None
                and set(beside.keys) - {"source", "reading", "at_most"} <= numbers
            ):
                return int(part)
    return None


def _scores(parts: Sequence[str | int], seen: Watched) -> bool:
    """Whether a case comes to a part of the scoring, and expects something that follows from it."""
    if not parts or parts[0] in ("numbers", "define", "reading"):
        return bool(seen.outcome) and seen.sees_scores
    if seen.outcome != parts[0] or not seen.sees_scores:
        return False
    # The condition of a rule is noticed, too, where it keeps the rule from acting.
    return len(parts) < 2 or parts[1] in seen.scored_by or parts[2:] in ((), ("when",))
