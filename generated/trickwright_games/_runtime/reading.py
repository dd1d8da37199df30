"""Parts of a hand's state as numbers of known kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rules import Field
from .table import Table
from .values import CardSet, Option, Options, Order, Seat, Seats, State, Thing, Trump

_KINDS_OF_NUMBER: dict[str, Callable[[int], int]] = {
    "cards": CardSet,
    "player": Seat,
    "players": Seats,
    "trump": Trump,
    "option": Option,
    "options": Options,
}


def read_part(table: Table, state: State, part: Field, seat: int | None = None) -> Any:
    """What the state holds there: of a player if a seat is given, else of all players by name."""
    count = len(table.players)
    if part.type == "order":
        turns = [(state[part.offset + seat], seat) for seat in range(count)]
        return Order(seat for turn, seat in sorted(turns) if turn)
    if part.per_player and seat is None:
        return {
            name: read_part(table, state, part, place) for place, name in enumerate(table.players)
        }
    value = state[part.offset + (seat or 0)]
    if part.type in _KINDS_OF_NUMBER:
        return _KINDS_OF_NUMBER[part.type](value)
    return Thing(part.type, value) if part.type in table.things else value
