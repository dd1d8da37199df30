"""Numbers of known kinds, actions, and what is said when something is not right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

State = list[int]
Random = list[int]

NOBODY = -1
PLAYERS, DEALER, PHASE, TO_MOVE, OUTCOME, HAND_NUMBER = range(6)
MOST_PROBLEMS, MOST_LETTERS = 50, 500  # told of bad input, and how long each may be
NAMES = ("Anna", "Ben", "Carla", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ida", "Jan")


class CardSet(int):
    """A set of cards, one bit each."""


class CardRow(tuple[int, ...]):
    """Cards in an order that matters."""


class Seat(int):
    """A player, by seat; -1 for nobody."""


class Seats(int):
    """A set of players, one bit each."""


class Trump(int):
    """What is named trumps, by number; one more than all that can be named while nothing is."""


class Option(int):
    """One of the things to choose among that the rules name, counted from 1; 0 for none."""


class Options(int):
    """A set of such things, one bit each."""


class Thing(int):
    """One of the things that words name by a type of their own, such as a bid, by number; -1 for none."""

    type: str

    def __new__(cls, type: str, number: int) -> Thing:
        made = super().__new__(cls, number)
        made.type = type
        return made


class Order(tuple[int, ...]):
    """Players in an order that matters."""


@dataclass(frozen=True)
class Action:
    """Something a player does: a verb, and mostly a thing, such as a card."""

    verb: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.verb} {self.what}".strip()


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal: the id of the clause, its sentence, and the rulebook section behind it."""

    clause: str
    sentence: str
    section: str


class IllegalAction(ValueError):
    """An action that the rules forbid; the hand is as it was before."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        message = visible(message)
        super().__init__(message)
        self.refusal = refusal


class BadInput(ValueError):
    """A name, card, position or transcript that makes no sense; ``problems`` lists all that was found."""

    def __init__(self, problems: Sequence[str]) -> None:
        problems = [visible(problem) for problem in problems[:MOST_PROBLEMS]]
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def check_stream(random: object) -> None:
    """BadInput if that is not the random numbers of an engine, which are a list: a number alone is only their seed."""
    if not isinstance(random, list) or not all(type(word) is int for word in random):
        raise BadInput([f"random is a stream of the engine, such as stream(7, 0), not {random!r}"])


def visible(text: str) -> str:
    """A text with escapes for what cannot be seen or means something to a terminal; cut if it is very long."""
    text = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
