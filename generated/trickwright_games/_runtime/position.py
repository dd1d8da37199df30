"""Positions: a hand that begins in the middle, as ``given`` in a conformance case tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .reading import read_part
from .rules import Field, Rules
from .table import Table, seat_names
from .values import NOBODY, TO_MOVE, BadInput, State

MOST_NAMED = 12  # so many things an error names, of more than these the first and the last


class Beginning:
    """What a position means for a game: names at the table, and the state in which play begins.

    BadInput, with all that is wrong, if it makes no sense.
    """

    def __init__(self, rules: Rules, position: Mapping[str, Any]) -> None:
        if not isinstance(position, Mapping):
            raise BadInput(["a position is a mapping of what is so to its value"])
        self.rules = rules
        self.players = seat_names(rules, position.get("players", rules.players[0]))
        self.table = Table(rules, self.players)
        self.state: State = [0] * rules.size
        problems: list[str] = []
        dealer = self._seat(position.get("dealer", self.players[rules.first_dealer]), problems)
        number = position.get("hand_number", 1)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 10**6:
            problems.append("'hand_number' counts the hands of a match from 1")
            number = 1
        rules.new_hand(self.state, len(self.players), max(dealer, 0), number)
        keys = {"players", "dealer", "at", "to_move", "hand_number"}
        for part in rules.fields:
            keys.add(part.key.split(".")[0])
            value = get(position, part.key)
            if value is not None:
                self._write(part, value, problems)
        for key in position:
            if key not in keys:
                problems.append(f"there is nothing called '{key}' in a position")
        self._begin(position, problems)

    def _begin(self, position: Mapping[str, Any], problems: list[str]) -> None:
        """Let play begin in the phase that the position names."""
        ids = [phase.id for phase in self.rules.phases]
        at = position.get("at")
        if at not in ids:
            problems.append(f"'at' names a phase where play begins: {', '.join(ids)}")
        if problems:
            raise BadInput(problems)
        place = ids.index(str(at))
        self._check_given(place)
        for phase in self.rules.phases[: place + 1]:
            if phase.resume is not None and phase.id != at:
                phase.resume(self.state)
        phase = self.rules.phases[place]
        if phase.begin is None:
            raise BadInput([f"a position cannot begin at '{at}'"])
        phase.begin(self.state)
        if "to_move" in position:
            self.state[TO_MOVE] = max(0, self._seat(position["to_move"], problems))
        if phase.resume is not None:
            phase.resume(self.state)
        if problems:
            raise BadInput(problems)

    def _check_given(self, place: int) -> None:
        """BadInput if a position lacks what its phase builds on."""
        at = self.rules.phases[place]
        problems = [
            f"a position at '{at.id}' must say {'who' if part.type == 'player' else 'what'} is '{part.key}'"
            for part in self.rules.fields
            if part.needed_after < place
            and self.state[part.offset] == NOBODY
            and len(self.players) not in part.nobody_with
        ]
        problems += [
            f"with {len(self.players)} players nobody is '{part.key}'"
            for part in self.rules.fields
            if len(self.players) in part.nobody_with and self.state[part.offset] != NOBODY
        ]
        problems += self._given_twice()
        hands = next((part for part in self.rules.fields if part.key == "hands"), None)
        if at.equal_hands and hands is not None:
            sizes = {
                self.state[hands.offset + seat].bit_count() for seat in range(len(self.players))
            }
            if len(sizes) > 1 or 0 in sizes:
                problems.append(f"at '{at.id}' all hands have equally many cards, and at least one")
        if problems:
            raise BadInput(problems)

    def _given_twice(self) -> list[str]:
        """What a position gives to two parts that must differ; being nobody, and naming nothing, may be alike."""
        fresh = [0] * self.rules.size
        self.rules.new_hand(fresh, len(self.players), 0, 1)
        problems = []
        for part in self.rules.fields:
            nothing = fresh[part.offset] - (part.type == "trump")
            for other in self.rules.fields:
                value = self.state[part.offset]
                if (
                    other.key in part.differs_from
                    and value == self.state[other.offset]
                    and value not in (nothing, fresh[part.offset])
                ):
                    said = self.table.say(read_part(self.table, self.state, part))
                    problems.append(f"{part.key}: it cannot be {said}, as '{other.key}' is")
        return problems

    def _seat(self, name: object, problems: list[str]) -> int:
        try:
            seat = self.table.number("player", name)
        except BadInput as bad:
            problems += bad.problems
            return 0
        if seat == NOBODY:
            problems.append("'nobody' cannot be on turn or deal")
        return seat

    def _write(self, part: Field, value: Any, problems: list[str]) -> None:
        try:
            if part.type == "order":
                for turn, name in enumerate(listed(value)):
                    seat = self.table.number("player", name)
                    if seat == NOBODY or self.state[part.offset + seat]:
                        raise BadInput([f"'{name}' cannot stand there, or stands there twice"])
                    self.state[part.offset + seat] = turn + 1
            elif part.per_player:
                if not isinstance(value, Mapping):
                    raise BadInput([f"'{part.key}' goes by player: {{{self.players[0]}: ...}}"])
                for name, inner in value.items():
                    seat = self.table.number("player", name)
                    if seat == NOBODY:
                        raise BadInput([f"nobody cannot have '{part.key}'"])
                    self.state[part.offset + seat] = self._encode(part, inner, seat)
            else:
                self.state[part.offset] = self._encode(part, value)
        except BadInput as bad:
            problems += [f"{part.key}: {problem}" for problem in bad.problems]

    def _encode_cards(self, part: Field, names: list[Any], seat: int | None) -> int:
        """A set of cards; of identical ones those that the player holds first, and none that lies elsewhere."""
        taken = 0
        for other in self.rules.fields:
            if other is part or (part.apart and other.apart):
                for place in range(len(self.players) if other.per_player else 1):
                    taken |= self.state[other.offset + place]
        out = self._by_players(self.rules.without)
        hands = next((other for other in self.rules.fields if other.key == "hands"), None)
        held = 0 if hands is None or seat is None else self.state[hands.offset + seat]
        cards = 0
        for name in names:
            twins = self.table.twins(self.table.number("card", name))
            if all(out >> twin & 1 for twin in twins):
                raise BadInput([f"with {len(self.players)} players {name} is not in the deck"])
            twins = tuple(twin for twin in twins if not out >> twin & 1)
            free = [twin for twin in twins if not (taken | cards) >> twin & 1]
            if not free:
                raise BadInput(
                    [f"{name} is there twice" if len(twins) == 1 else f"{name} is there too often"]
                )
            cards |= 1 << next((twin for twin in free if held >> twin & 1), free[0])
        return cards

    def _encode_thing(self, part: Field, value: Any) -> int:
        """A player, a trump or another thing by name, if the rules let the part be just that."""
        number = self.table.number(part.type, value)
        allowed = self._by_players(part.allowed) if part.allowed else -1
        if number == NOBODY or allowed >> number & 1:
            return number
        words = [
            self.table.word(part.type, other)
            for other in range(allowed.bit_length())
            if allowed >> other & 1
        ]
        if len(words) > MOST_NAMED:
            words = [*words[:2], "...", words[-1]]
        raise BadInput([f"it cannot be {value}, only {', '.join(words)}"])

    def _by_players(self, row: Sequence[Any]) -> Any:
        """The entry for this number of players."""
        return row[len(self.players) - self.rules.players[0]]

    def _encode(self, part: Field, value: Any, seat: int | None = None) -> int:
        if part.type == "cards":
            return self._encode_cards(part, listed(value), seat)
        if part.type == "players":
            return sum(1 << self.table.number("player", name) for name in listed(value))
        if part.type == "options":
            return sum(1 << self.table.number("option", name) for name in listed(value))
        if part.type == "option":
            return 1 + self.table.number("option", value)
        if part.type in ("player", "trump", *self.table.things):
            return self._encode_thing(part, value)
        low, high = -(10**6), 10**6
        if part.key in self.rules.bounds:
            low, high = self._by_players(self.rules.bounds[part.key])
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInput([f"'{value}' is not a number"])
        if not low <= value <= high:
            raise BadInput([f"{value} is not from {low} to {high}"])
        return value


def dealt_hands(table: Table, sizes: Sequence[int], deal: Any) -> list[int]:
    """The cards of each seat of a deal by names; BadInput if they are not as many as the game deals, or twice there."""
    if not isinstance(deal, Mapping) or set(deal) != set(table.players):
        raise BadInput(["a deal has the cards of each player by name"])
    hands: list[int] = []
    out = table.rules.without[len(table.players) - table.rules.players[0]]
    for name, size in zip(table.players, sizes, strict=True):
        hand = 0
        if not isinstance(deal[name], list | tuple) or len(deal[name]) != size:
            raise BadInput([f"{name} gets {size} cards"])
        for text in deal[name]:
            twins = table.twins(table.number("card", text))
            free = [twin for twin in twins if not out >> twin & 1]
            if not free:
                raise BadInput([f"{text} is dealt too often"])
            out |= 1 << free[0]
            hand |= 1 << free[0]
        hands.append(hand)
    return hands


def listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def put(facts: dict[str, Any], key: str, value: Any) -> None:
    outer, _, inner = key.partition(".")
    if inner:
        facts.setdefault(outer, {})[inner] = value
    else:
        facts[outer] = value


def tell(facts: dict[str, Any], told: Mapping[str, object]) -> None:
    for key, value in told.items():
        put(facts, key, value)


def get(position: Mapping[str, Any], key: str) -> Any:
    outer, _, inner = key.partition(".")
    value = position.get(outer)
    if not inner:
        return value
    return value.get(inner) if isinstance(value, Mapping) else None
