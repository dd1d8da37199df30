"""Names at a table: players, cards and whatever else has a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .rules import Rules
from .values import (
    NAMES,
    NOBODY,
    BadInput,
    CardRow,
    CardSet,
    Option,
    Options,
    Order,
    Seat,
    Seats,
    Thing,
    Trump,
)


class Table:
    """Names at a table: turns numbers into words and words into numbers."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules = rules
        self.players = tuple(players)
        self._find: dict[str, dict[str, int]] = {"card": {}, "trump": {}, "player": {}}
        first = next(iter(rules.words.values()))
        names = first.cards
        self._twins = [
            tuple(other for other, same in enumerate(names) if same == name) for name in names
        ]
        self.things = tuple(first.things)
        for words in rules.words.values():
            for number, name in [*enumerate(words.cards), *enumerate(words.faces)]:
                self._find["card"].setdefault(name.casefold(), number)
            for kind, named in [("trump", words.trumps), *words.things.items()]:
                known = self._find.setdefault(kind, {})
                for number, names in enumerate(named):
                    for name in names:
                        known.setdefault(name.casefold(), number)
        for code, number in rules.card_codes.items():
            self._find["card"].setdefault(code.casefold(), number)
        for number, name in enumerate(players):
            self._find["player"][name.casefold()] = number

    def number(self, kind: str, text: object) -> int:
        """The number of a card, trump, player or other thing; BadInput if there is none of that name."""
        plain = " ".join(str(text).replace("\ufe0f", "").split())
        words = {words.names.get("nobody", "nobody") for words in self.rules.words.values()}
        if kind == "player" and (text is None or plain in words | {"nobody"}):
            return NOBODY
        if kind in self.things and text is None:
            return NOBODY
        found = self._find[kind].get(plain.casefold())
        if found is None:
            raise BadInput([f"there is no {kind} called '{plain}'"])
        return found

    def twins(self, card: int) -> tuple[int, ...]:
        """The numbers of all cards identical to one, itself included."""
        return self._twins[card]

    def say(self, value: object, language: str = "en") -> Any:
        """A number of a known kind in words, and whatever holds such numbers; other values as they are."""
        words = self.rules.in_language(language)
        if isinstance(value, CardSet):
            return [name for card, name in enumerate(words.cards) if value >> card & 1]
        if isinstance(value, CardRow):
            return [words.cards[card] for card in value]
        if isinstance(value, Seat):
            return words.names.get("nobody", "nobody") if value == NOBODY else self.players[value]
        if isinstance(value, Seats):
            return [name for seat, name in enumerate(self.players) if value >> seat & 1]
        if isinstance(value, Order):
            return [self.players[seat] for seat in value]
        if isinstance(value, Trump):
            return words.trumps[value][0] if value < len(words.trumps) else None
        if isinstance(value, Option):
            return words.things["option"][value - 1][0] if value else None
        if isinstance(value, Options):
            return [
                names[0] for one, names in enumerate(words.things["option"]) if value >> one & 1
            ]
        if isinstance(value, Thing):
            return None if value == NOBODY else words.things[value.type][value][0]
        if isinstance(value, Mapping):
            return {key: self.say(inner, language) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.say(inner, language) for inner in value]
        return value

    def word(self, kind: str, number: int, language: str = "en") -> str:
        """The name of a card, trump, player or other thing."""
        words = self.rules.in_language(language)
        if kind == "card":
            return words.cards[number]
        if kind == "trump":
            return words.trumps[number][0]
        if kind in self.things:
            return words.things[kind][number][0]
        return self.players[number]


def seat_names(rules: Rules, players: Any, counts: Sequence[int] = ()) -> tuple[str, ...]:
    """Names for a number of players, or the names given; BadInput if the game is not for so many.

    ``counts`` are the numbers allowed, those of a hand if none are given.
    """
    if isinstance(players, bool) or not isinstance(players, int | list | tuple):
        raise BadInput(["players are a number, or a list of names"])
    counts = counts or rules.players
    names = NAMES[:players] if isinstance(players, int) else tuple(players)
    wanted = players if isinstance(players, int) else len(names)
    problems = []
    if wanted not in counts:
        known = ", ".join(map(str, counts))
        problems.append(f"{rules.id} is for {known} players, not {wanted}")
    if len({str(name).casefold() for name in names}) < len(names):
        problems.append("two players have the same name")
    nobody = {words.names.get("nobody", "nobody").casefold() for words in rules.words.values()}
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > 40:
            problems.append("a player's name has 1 to 40 characters")
        elif ":" in name or not name.isprintable() or name.casefold() in nobody:
            problems.append(f"'{name}' cannot be a player's name")
    if problems:
        raise BadInput(problems)
    return names
