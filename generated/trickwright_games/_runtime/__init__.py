"""Hands and matches with names: what people and programs use around a game's integer functions.

The same for every game; a game's module adds its rules as a ``Rules`` value. Standard library only.
"""

from .hand import Hand
from .match import Match
from .position import Beginning
from .rules import Actions, Field, Line, Phase, Rules, Words
from .table import Table, seat_names
from .values import (
    DEALER,
    HAND_NUMBER,
    NAMES,
    NOBODY,
    OUTCOME,
    PHASE,
    PLAYERS,
    TO_MOVE,
    Action,
    BadInput,
    CardRow,
    CardSet,
    IllegalAction,
    Option,
    Options,
    Order,
    Random,
    Refusal,
    Seat,
    Seats,
    State,
    Thing,
    Trump,
)

__all__ = [
    "DEALER",
    "HAND_NUMBER",
    "NAMES",
    "NOBODY",
    "OUTCOME",
    "PHASE",
    "PLAYERS",
    "TO_MOVE",
    "Action",
    "Actions",
    "BadInput",
    "Beginning",
    "CardRow",
    "CardSet",
    "Field",
    "Hand",
    "IllegalAction",
    "Line",
    "Match",
    "Option",
    "Options",
    "Order",
    "Phase",
    "Random",
    "Refusal",
    "Rules",
    "Seat",
    "Seats",
    "State",
    "Table",
    "Thing",
    "Trump",
    "Words",
    "seat_names",
]
