"""Hands and matches with names: what people and programs use around a game's integer functions.

The same for every game; a game's module adds its rules as a ``Rules`` value. Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

State = list[int]
Random = list[int]

NOBODY = -1
PLAYERS, DEALER, PHASE, TO_MOVE, OUTCOME, HAND_NUMBER = range(6)
MOST_NAMED = 12  # so many things an error names, of more than these the first and the last
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
        super().__init__(message)
        self.refusal = refusal


class BadInput(ValueError):
    """A name, card, position or transcript that makes no sense; ``problems`` lists all that was found."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Field:
    """A part of a hand's state: where it is, what it holds, what it is called and who may see it.

    A position that begins after the phase ``needed_after`` must give it, but not with the numbers of players
    ``nobody_with``: with those it is nobody's. By number of players its values are ``allowed``, one bit each, all if there are
    no such sets, and never what a part it ``differs_from`` has. Views show it from the phase ``shown_from`` on.
    """

    key: str
    offset: int
    type: str
    per_player: bool
    seen_by: str
    needed_after: int = 1000
    shown_from: int = 0
    nobody_with: tuple[int, ...] = ()
    allowed: tuple[int, ...] = ()
    differs_from: tuple[str, ...] = ()


@dataclass(frozen=True)
class Actions:
    """A run of action numbers of a phase; action ``first + n`` does ``verb`` with the n-th thing of a type."""

    verb: str
    type: str
    first: int
    count: int
    make: Callable[..., Action]


@dataclass(frozen=True)
class Phase:
    """A phase of the hand and its functions; a phase without actions runs by itself.

    ``sections`` are the headings of the rulebooks it comes from, by source; a source may be called as a language.
    ``closes`` is the action that ends a turn of several; with ``in_order`` a turn is a set, taken in rising order. ``secret``
    says how long others do not see what was done: ``always``, ``until-over`` for as long as the phase lasts, or not at all;
    with ``turn`` they never learn from the actions more than that a turn was taken, not even in how many steps.
    """

    id: str
    sections: Mapping[str, str]
    begin: Callable[[State], None] | None = None
    resume: Callable[[State], None] | None = None
    legal: Callable[[State], int] | None = None
    why_not: Callable[[State, int], int] | None = None
    apply: Callable[[State, int], None] | None = None
    facts: Callable[[State], dict[str, object]] | None = None
    facts_from: int = 0
    actions: tuple[Actions, ...] = ()
    clauses: tuple[str, ...] = ()
    closes: int = -1
    in_order: bool = False
    secret: str = ""
    equal_hands: bool = False
    first_number: int = 0


@dataclass(frozen=True)
class Words:
    """The words of one language: cards, trumps and things by number, other names by their key in the rules.

    ``faces`` are ranks and suits of cards that have names of their own; ``things`` has the ways to say each thing by type.
    """

    cards: tuple[str, ...]
    trumps: tuple[tuple[str, ...], ...]
    names: Mapping[str, str]
    faces: tuple[str, ...] = ()
    things: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A rule of the scoring: how the hand ended, its id, when it acts (always if None), and the values it follows from."""

    outcome: str
    id: str
    applies: Callable[[State], bool] | None
    values: tuple[str, ...]


@dataclass(frozen=True)
class Rules:
    """All that hands and matches need to know of a game.

    ``bounds`` are those of numbers and ``without`` the cards taken out, both by number of players.
    """

    id: str
    title: Mapping[str, str]
    variants: tuple[str, ...]
    digest: str
    players: tuple[int, ...]
    size: int
    score: int
    new_hand: Callable[[State, int, int, int], None]
    deal: Callable[[State, Random], None]
    stream: Callable[[int, int], Random]
    pick: Callable[[Random, int], int]
    fields: tuple[Field, ...]
    bounds: Mapping[str, tuple[tuple[int, int], ...]]
    without: tuple[int, ...]
    phases: tuple[Phase, ...]
    outcomes: tuple[str, ...]
    values: Mapping[str, Mapping[str, Callable[[State], int]]]
    lines: tuple[Line, ...]
    card_codes: Mapping[str, int]
    words: Mapping[str, Words]
    first_dealer: int
    next_dealer: Callable[[int, int], int]
    match_winners: Callable[[Sequence[int], int], int]
    goal: int | None
    sits_out: tuple[int, ...] = ()
    """Numbers of players of a match with which the dealer sits out."""

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """The numbers of players of a match; ``players`` are those of a hand."""
        return (*self.players, *self.sits_out)

    def at_table(self, players: int, dealer: int) -> tuple[tuple[int, ...], int]:
        """The seats of a match that play the next hand, and the place among them that has the dealer's part.

        That is the dealer's left neighbour if the dealer sits out.
        """
        if players not in self.sits_out:
            return tuple(range(players)), dealer
        seats = tuple(seat for seat in range(players) if seat != dealer)
        return seats, seats.index((dealer + 1) % players)

    def section(self, phase: Phase, language: str = "en") -> str:
        """The heading a phase comes from, in a language if there is a rulebook in it."""
        first = next(iter(phase.sections.values()), "")
        return phase.sections.get(language, first)

    def named(self, key: str, language: str = "en") -> str:
        """What the key is called in a language; the key itself where there is no word."""
        return self.words[language].names.get(key, key)


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
        words = self.rules.words[language]
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
        if kind == "card":
            return self.rules.words[language].cards[number]
        if kind == "trump":
            return self.rules.words[language].trumps[number][0]
        if kind in self.things:
            return self.rules.words[language].things[kind][number][0]
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


class Hand:
    """One hand of the game, from the deal to the scores.

    ``players`` is their number or their names, clockwise; ``dealer`` a seat or a name, the match's first if left out. The cards follow from ``seed`` and
    ``number``, which tells the hands of one seed apart.
    """

    rules: ClassVar[Rules]

    def __init__(
        self,
        players: int | Sequence[str] | None = None,
        *,
        dealer: int | str | None = None,
        seed: int = 0,
        number: int = 0,
    ) -> None:
        if players is None:
            players = self.rules.players[0]
        self.players = seat_names(self.rules, players)
        self.table = Table(self.rules, self.players)
        if dealer is None:
            dealer = self.rules.first_dealer
        seat = dealer if isinstance(dealer, int) else self.table.number("player", dealer)
        if not 0 <= seat < len(self.players):
            raise BadInput([f"there is no seat {seat} to deal from"])
        if any(isinstance(n, bool) or not isinstance(n, int) for n in (seed, number)) or number < 0:
            raise BadInput(["seed and number are whole numbers, the number 0 or more"])
        self.state: State = [0] * self.rules.size
        self.history: list[tuple[int, int, int]] = []
        self._start: dict[str, Any] = {"seed": seed, "number": number}
        self.rules.new_hand(self.state, len(self.players), seat, number + 1)
        self.rules.deal(self.state, self.rules.stream(seed, number))

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.state[PHASE] == len(self.rules.phases)

    @property
    def phase(self) -> str:
        """Id of the present phase, or ``over``."""
        return "over" if self.over else self._phase.id

    @property
    def _phase(self) -> Phase:
        return self.rules.phases[self.state[PHASE]]

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None when the hand is over."""
        return None if self.over else self.players[self.state[TO_MOVE]]

    @property
    def outcome(self) -> str | None:
        """How the hand ended; None before that."""
        return self.rules.outcomes[self.state[OUTCOME]] if self.over else None

    @property
    def scores(self) -> dict[str, int]:
        """What the hand gave each player; zeros before its end."""
        return {name: self.state[self.rules.score + seat] for seat, name in enumerate(self.players)}

    def legal_numbers(self) -> list[int]:
        """The legal actions by their stable numbers, for learning programs."""
        return [self._phase.first_number + action for action in self._legal()]

    def legal_actions(self) -> list[Action]:
        """The legal actions of the player to move; none when the hand is over."""
        return [self._action(action) for action in self._legal()]

    def _legal(self) -> list[int]:
        if self.over or self._phase.legal is None:
            return []
        bits = self._phase.legal(self.state)
        return [action for action in range(bits.bit_length()) if bits >> action & 1]

    def _action(self, number: int, phase: Phase | None = None) -> Action:
        for run in (phase or self._phase).actions:
            if run.first <= number < run.first + run.count:
                if run.type == "word":
                    return run.make()
                return run.make(self.table.word(run.type, number - run.first))
        raise BadInput([f"there is no action {number} in this phase"])

    def action(self, number: int) -> Action:
        """The action with a stable number."""
        for phase in self.rules.phases:
            count = sum(run.count for run in phase.actions)
            if phase.first_number <= number < phase.first_number + count:
                return self._action(number - phase.first_number, phase)
        raise BadInput([f"there is no action number {number}"])

    def number_of(self, action: Action) -> int:
        """The stable number of an action."""
        for phase in self.rules.phases:
            local = self._local(action, phase)
            if local is not None:
                return phase.first_number + local
        raise BadInput([f"there is no action '{action}'"])

    def _local(self, action: Action, phase: Phase) -> int | None:
        for run in phase.actions:
            if run.verb == action.verb:
                if run.type == "word":
                    return run.first
                number = self.table.number(run.type, action.what)
                if 0 <= number < run.count:
                    return run.first + (
                        self._twin(number, phase, run.first) if run.type == "card" else number
                    )
        return None

    def _twin(self, card: int, phase: Phase, first: int) -> int:
        """Of identical cards, the one that may be taken now; the first if none may."""
        twins = self.table.twins(card)
        if len(twins) == 1 or self.over or phase is not self._phase or phase.legal is None:
            return card
        legal = phase.legal(self.state) >> first
        return next((twin for twin in twins if legal >> twin & 1), card)

    def parse(self, text: str) -> Action:
        """An action from words: ``pass``, ``Q♥``, ``hearts``, ``play 7♥``, ``spielt 7♥``.

        Words that fit several phases are meant for the present one. BadInput if they fit none.
        """
        present = self.rules.phases[-1] if self.over else self._phase
        problems: list[str] = []
        for phase in (present, *self.rules.phases):
            for run in phase.actions:
                action = self._parse_as(run, " ".join(text.split()), problems)
                if action is not None:
                    return action
        raise BadInput(problems[:1] or [f"'{text}' is not something to do now"])

    def _parse_as(self, run: Actions, said: str, problems: list[str]) -> Action | None:
        verbs = {run.verb} | {
            words.names.get(f"verb.{run.verb}", run.verb) for words in self.rules.words.values()
        }
        if run.type == "word":
            return run.make() if said.casefold() in {verb.casefold() for verb in verbs} else None
        first, _, rest = said.partition(" ")
        thing = rest if first.casefold() in {verb.casefold() for verb in verbs} else said
        try:
            number = self.table.number(run.type, thing)
        except BadInput as bad:
            problems += bad.problems
            return None
        return run.make(self.table.word(run.type, number)) if 0 <= number < run.count else None

    def turn(self, things: Iterable[str]) -> list[Action]:
        """A whole turn of several cards, in the order in which the engine takes them, closed at the end."""
        phase = self.rules.phases[-1] if self.over else self._phase
        actions = [self.parse(thing) for thing in things]
        numbers = [self._local(action, phase) for action in actions]
        if (phase.closes < 0 and not phase.in_order) or None in numbers:
            return actions
        inside = sorted(number for number in numbers if number not in (None, phase.closes))
        end = [] if phase.closes < 0 else [phase.closes]
        return [self._action(number, phase) for number in [*inside, *end]]

    def why_not(
        self, action: Action, player: str | None = None, language: str = "en"
    ) -> Refusal | None:
        """The clause that forbids the action, to the player to move or to the one named; None if it is legal."""
        if self.over:
            return self._refusal("turn.over", None, language)
        phase = self._phase
        if player is not None and self.table.number("player", player) != self.state[TO_MOVE]:
            return self._refusal("turn.not-yours", phase, language)
        local = self._local(action, phase)
        if local is None:
            return self._refusal("turn.not-now", phase, language)
        clause = -1 if phase.why_not is None else phase.why_not(self.state, local)
        if clause < 0:
            return None
        return self._refusal(f"{phase.id}.{phase.clauses[clause]}", phase, language)

    def _refusal(self, clause: str, phase: Phase | None, language: str) -> Refusal:
        section = "" if phase is None else self.rules.section(phase, language)
        return Refusal(clause, self.rules.named(f"clause.{clause}", language), section)

    def apply(self, action: Action | Sequence[Action], player: str | None = None) -> None:
        """Do one action, or several as a whole; IllegalAction, and nothing changed, if one is not legal."""
        if not isinstance(action, Action):
            trial = self.clone()
            for one in action:
                trial.apply(one, player)
            self.state, self.history = trial.state, trial.history
            return
        refusal = self.why_not(action, player)
        if refusal is not None:
            who = player or self.to_move or "nobody"
            where = ", ".join(
                filter(None, [refusal.clause, refusal.section and f'"{refusal.section}"'])
            )
            raise IllegalAction(f"{who} may not {action}: {refusal.sentence} ({where})", refusal)
        phase = self._phase
        local = self._local(action, phase)
        assert local is not None and phase.apply is not None
        self.history.append((self.state[PHASE], self.state[TO_MOVE], local))
        phase.apply(self.state, local)

    def play_randomly(self, random: Random, actions: int = 10**9) -> None:
        """Take legal actions at random, all equally likely, until the hand is over or so many are taken."""
        while not self.over and actions > 0:
            phase = self._phase
            assert phase.legal is not None and phase.apply is not None
            local = self.rules.pick(random, phase.legal(self.state))
            self.history.append((self.state[PHASE], self.state[TO_MOVE], local))
            phase.apply(self.state, local)
            actions -= 1

    def clone(self) -> Hand:
        """A copy that goes its own way."""
        copy = object.__new__(type(self))
        copy.players, copy.table, copy._start = self.players, self.table, self._start
        copy.state, copy.history = list(self.state), list(self.history)
        return copy

    def undo(self, actions: int = 1) -> None:
        """Take back the last actions."""
        if not 0 <= actions <= len(self.history):
            raise BadInput([f"there are only {len(self.history)} actions to take back"])
        kept = self.history[: len(self.history) - actions]
        fresh = self._restart(self._start, self.players, self.state[DEALER])
        for phase, _, local in kept:
            apply = self.rules.phases[phase].apply
            assert apply is not None
            apply(fresh.state, local)
        self.state, self.history = fresh.state, kept

    @classmethod
    def _restart(cls, start: Mapping[str, Any], players: Sequence[str], dealer: int) -> Hand:
        if "position" in start:
            return cls.from_position(start["position"])
        return cls(players, dealer=dealer, seed=start["seed"], number=start["number"])

    def facts(self) -> dict[str, Any]:
        """All that can be said of the hand, hidden cards included, as numbers of known kinds (see ``Table.say``)."""
        facts: dict[str, Any] = {"phase": self.phase, "dealer": Seat(self.state[DEALER])}
        facts["to_move"] = Seat(NOBODY if self.over else self.state[TO_MOVE])
        for part in self.rules.fields:
            _put(facts, part.key, self._read(part))
        for phase in self.rules.phases:
            if phase.facts is not None and self.state[PHASE] >= phase.facts_from:
                _tell(facts, phase.facts(self.state))
        facts["outcome"] = self.outcome
        facts["scores"] = self.scores
        if self.outcome is not None:
            values = self.rules.values[self.outcome]
            facts["values"] = {name: value(self.state) for name, value in values.items()}
            facts["scored_by"] = [line.id for line in self.lines()]
        return facts

    def lines(self) -> list[Line]:
        """The rules of the scoring that acted at the end of the hand."""
        return [
            line
            for line in self.rules.lines
            if line.outcome == self.outcome and (line.applies is None or line.applies(self.state))
        ]

    def _read(self, part: Field, seat: int | None = None) -> Any:
        count = len(self.players)
        if part.type == "order":
            turns = [(self.state[part.offset + seat], seat) for seat in range(count)]
            return Order(seat for turn, seat in sorted(turns) if turn)
        if part.per_player and seat is None:
            return {name: self._read(part, place) for place, name in enumerate(self.players)}
        value = self.state[part.offset + (seat or 0)]
        if part.type in _KINDS_OF_NUMBER:
            return _KINDS_OF_NUMBER[part.type](value)
        return Thing(part.type, value) if part.type in self.table.things else value

    def view(self, player: str, language: str = "en") -> dict[str, Any]:
        """What one player sees: made from who may see each part of the state, and the actions so far."""
        own = self.table.number("player", player)
        seen: dict[str, Any] = {
            "you": player,
            "phase": self.phase,
            "dealer": Seat(self.state[DEALER]),
            "to_move": Seat(NOBODY if self.over else self.state[TO_MOVE]),
        }
        for part in self.rules.fields:
            if self.state[PHASE] < part.shown_from:
                continue
            if part.seen_by == "everyone":
                _put(seen, part.key, self._read(part))
            elif part.seen_by in ("owner", "owner-only"):
                _put(seen, part.key, self._seen_by_owner(part, own))
        for phase in self.rules.phases:
            if phase.facts is not None and self.state[PHASE] >= phase.facts_from:
                _tell(seen, phase.facts(self.state))
        seen["outcome"] = self.outcome
        seen["scores"] = self.scores
        seen["actions"] = self._said(language, own)
        if not self.over and own == self.state[TO_MOVE]:
            seen["legal"] = [self.say(action, language) for action in self.legal_actions()]
        said: dict[str, Any] = self.table.say(seen, language)
        return said

    def _seen_by_owner(self, part: Field, own: int) -> dict[str, Any]:
        """One's own part whole; of other players' cards only how many they are."""
        return {
            name: self._read(part, seat)
            if seat == own
            else {"cards": self.state[part.offset + seat].bit_count()}
            for seat, name in enumerate(self.players)
            if seat == own or (part.type == "cards" and part.seen_by == "owner")
        }

    def say(self, action: Action, language: str = "en") -> str:
        """An action as text that ``parse`` takes: in English verb and thing, else the words of the language."""
        if language == "en":
            return str(action)
        for phase in self.rules.phases:
            for run in phase.actions:
                if run.verb == action.verb:
                    verb = self.rules.named(f"verb.{run.verb}", language)
                    if run.type == "word" or not action.what:
                        return verb
                    number = self.table.number(run.type, action.what)
                    return f"{verb} {self.table.word(run.type, number, language)}"
        return str(action)

    def _said(self, language: str = "en", viewer: int | None = None) -> list[str]:
        """What was done, in words; of what a viewer may not know only the verb."""
        told: list[str] = []
        before = (-1, -1)
        for number, seat, local in self.history:
            phase = self.rules.phases[number]
            action = self._action(local, phase)
            if phase.secret == "turn" and viewer not in (None, seat):
                if before != (number, seat):
                    told.append(f"{self.players[seat]}: {self._verb(phase.actions[0], language)}")
                before = (number, seat)
                continue
            before = (number, seat)
            lasts = phase.secret == "always" or self.state[PHASE] == number
            if phase.secret and lasts and viewer not in (None, seat):
                action = Action(action.verb)
            told.append(f"{self.players[seat]}: {self.say(action, language)}")
        return told

    def _verb(self, run: Actions, language: str) -> str:
        """What is done, without the thing it is done with."""
        return run.verb if language == "en" else self.rules.named(f"verb.{run.verb}", language)

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Hand:
        """A hand that begins in the middle, as ``given`` in a conformance case tells it; BadInput with all that is wrong."""
        if not isinstance(position, Mapping):
            raise BadInput(["a position is a mapping of what is so to its value"])
        names = seat_names(cls.rules, position.get("players", cls.rules.players[0]))
        hand = object.__new__(cls)
        hand.players, hand.table = names, Table(cls.rules, names)
        hand.state, hand.history = [0] * cls.rules.size, []
        hand._start = {"position": dict(position)}
        problems: list[str] = []
        dealer = hand._seat(position.get("dealer", names[cls.rules.first_dealer]), problems)
        number = position.get("hand_number", 1)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 10**6:
            problems.append("'hand_number' counts the hands of a match from 1")
            number = 1
        cls.rules.new_hand(hand.state, len(names), max(dealer, 0), number)
        keys = {"players", "dealer", "at", "to_move", "hand_number"}
        for part in cls.rules.fields:
            keys.add(part.key.split(".")[0])
            value = _get(position, part.key)
            if value is not None:
                hand._write(part, value, problems)
        for key in position:
            if key not in keys:
                problems.append(f"there is nothing called '{key}' in a position")
        ids = [phase.id for phase in cls.rules.phases]
        at = position.get("at")
        if at not in ids:
            problems.append(f"'at' names a phase where play begins: {', '.join(ids)}")
        if problems:
            raise BadInput(problems)
        place = ids.index(str(at))
        hand._check_given(place)
        for phase in cls.rules.phases[: place + 1]:
            if phase.resume is not None and phase.id != at:
                phase.resume(hand.state)
        phase = cls.rules.phases[place]
        if phase.begin is None:
            raise BadInput([f"a position cannot begin at '{at}'"])
        phase.begin(hand.state)
        if "to_move" in position:
            hand.state[TO_MOVE] = max(0, hand._seat(position["to_move"], problems))
        if phase.resume is not None:
            phase.resume(hand.state)
        if problems:
            raise BadInput(problems)
        if not hand.over and not hand._legal():
            raise BadInput([f"{hand.to_move} has nothing legal to do in this position"])
        return hand

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
                    said = self.table.say(self._read(part))
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
                for turn, name in enumerate(_listed(value)):
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
        """A set of cards; of identical ones those that the player holds first, and none that another has."""
        players = range(len(self.players) if part.per_player else 1)
        taken = sum(self.state[part.offset + place] for place in players)
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
            return self._encode_cards(part, _listed(value), seat)
        if part.type == "players":
            return sum(1 << self.table.number("player", name) for name in _listed(value))
        if part.type == "options":
            return sum(1 << self.table.number("option", name) for name in _listed(value))
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

    def transcript(self) -> dict[str, Any]:
        """All that is needed to play the hand again: how it began and what was done."""
        return {
            "format": 1,
            "game": self.rules.id,
            "variants": list(self.rules.variants),
            "rules": self.rules.digest,
            "players": list(self.players),
            "dealer": self.players[self.state[DEALER]],
            **self._start,
            "actions": self._said(),
        }

    def to_json(self) -> str:
        """The transcript as text; ``from_json`` makes the same hand of it."""
        return json.dumps(self.transcript(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Hand:
        """The hand that ``to_json`` told of; BadInput if the text is not one of these rules."""
        return cls.replay(_read_json(text))

    @classmethod
    def replay(cls, transcript: Any) -> Hand:
        """Play a transcript again; BadInput if it is damaged or of another game, IllegalAction if a rule forbids a step."""
        _check_transcript(cls.rules, transcript)
        players = list(transcript["players"])
        if "position" in transcript:
            hand = cls.from_position(transcript["position"])
        else:
            hand = cls(
                players,
                dealer=str(transcript["dealer"]),
                seed=transcript["seed"],
                number=transcript["number"],
            )
        for line in transcript["actions"]:
            name, _, said = str(line).partition(": ")
            verb, _, what = said.partition(" ")
            hand.apply(Action(verb, what), name)
        return hand


@dataclass
class Match:
    """Hands played one after another, with running totals, until somebody has won.

    ``apply`` acts in the present hand; when that is over its scores are in ``totals``, and ``deal`` begins the next one.
    """

    hand_class: ClassVar[type[Hand]]
    players: int | Sequence[str] = 0
    seed: int = 0
    totals: dict[str, int] = field(default_factory=dict)
    dealer: int | None = None
    score_pad: list[dict[str, int]] = field(default_factory=list)
    finished: list[dict[str, Any]] = field(default_factory=list)
    hands_before: int = 0

    def __post_init__(self) -> None:
        rules = self.hand_class.rules
        self.players = seat_names(rules, self.players or rules.players[0], rules.table_sizes)
        if self.dealer is None:
            self.dealer = rules.first_dealer
        strange = set(self.totals) - set(self.players) if isinstance(self.totals, dict) else {"?"}
        if strange or not all(type(total) is int for total in self.totals.values()):
            raise BadInput(["totals are whole numbers by player's name"])
        self.totals = {name: self.totals.get(name, 0) for name in self.players}
        self.hand = self._new_hand()

    def _new_hand(self) -> Hand:
        assert not isinstance(self.players, int) and self.dealer is not None
        seats, dealer = self.hand_class.rules.at_table(len(self.players), self.dealer)
        names = tuple(self.players[seat] for seat in seats)
        return self.hand_class(names, dealer=dealer, seed=self.seed, number=self.hands_played)

    @property
    def sits_out(self) -> str | None:
        """Who has no part in the hand that ``dealer`` deals; None if all play."""
        assert not isinstance(self.players, int) and self.dealer is not None
        seats, _ = self.hand_class.rules.at_table(len(self.players), self.dealer)
        return self.players[self.dealer] if self.dealer not in seats else None

    @property
    def hands_played(self) -> int:
        """The hands that are over, those before this table's first one included."""
        return self.hands_before + len(self.score_pad)

    @property
    def winners(self) -> list[str]:
        """Who has won; nobody while the match goes on."""
        bits = self.hand_class.rules.match_winners(list(self.totals.values()), self.hands_played)
        return [name for seat, name in enumerate(self.totals) if bits >> seat & 1]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.winners)

    def apply(self, action: Action | Sequence[Action], player: str | None = None) -> None:
        """Act in the present hand; IllegalAction, and nothing changed, if a rule forbids it."""
        self.hand.apply(action, player)
        if self.hand.over:
            self.end_hand(self.hand.scores, self.hand.transcript())

    def end_hand(self, scores: Mapping[str, int], transcript: dict[str, Any] | None = None) -> None:
        """Add a hand's scores to the totals; the deal passes."""
        assert self.dealer is not None
        for name in self.totals:
            self.totals[name] += scores.get(name, 0)
        self.score_pad.append({name: scores.get(name, 0) for name in self.totals})
        if transcript is not None:
            self.finished.append(transcript)
        self.dealer = self.hand_class.rules.next_dealer(self.dealer, len(self.totals))

    def deal(self) -> Hand:
        """Begin the next hand. BadInput if the present one is not over, or the match is."""
        if self.over:
            raise BadInput(["the match is over"])
        if len(self.finished) < len(self.score_pad) or self.hand.over:
            self.hand = self._new_hand()
            return self.hand
        raise BadInput(["the present hand is not over"])

    def play_randomly(self, random: Random, hands: int = 10**9) -> None:
        """Play on at random until the match is over or so many hands more are finished."""
        while not self.over and hands > 0:
            if self.hand.over:
                self.deal()
            self.hand.play_randomly(random)
            self.end_hand(self.hand.scores, self.hand.transcript())
            hands -= 1

    def transcript(self) -> dict[str, Any]:
        """The hands finished and the present one."""
        present = [] if self.hand.over else [self.hand.transcript()]
        return {
            "format": 1,
            "game": self.hand_class.rules.id,
            "variants": list(self.hand_class.rules.variants),
            "rules": self.hand_class.rules.digest,
            "players": list(self.totals),
            "seed": self.seed,
            "hands": [*self.finished, *present],
        }

    def to_json(self) -> str:
        """The transcript as text; ``from_json`` makes the same match of it."""
        return json.dumps(self.transcript(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Match:
        """The match that ``to_json`` told of; BadInput if the text is not one of these rules."""
        return cls.replay(_read_json(text))

    @classmethod
    def replay(cls, transcript: Any) -> Match:
        """Play a match's transcript again, hand by hand."""
        rules = cls.hand_class.rules
        if not isinstance(transcript, Mapping) or not isinstance(transcript.get("hands"), list):
            raise BadInput(["not the transcript of a match: it has no list of hands"])
        head = {"actions": [], "dealer": NAMES[0], "number": 0, **transcript}
        _check_transcript(rules, {key: head[key] for key in head if key != "hands"})
        match = cls(tuple(transcript["players"]), transcript["seed"])
        for told in transcript["hands"]:
            if match.over:
                raise BadInput(["a hand follows after the end of the match"])
            hand = cls.hand_class.replay(told)
            expected = match.hand if not match.hand.over else match.deal()
            if hand.transcript() | {"actions": []} != expected.transcript() | {"actions": []}:
                raise BadInput([f"hand {len(match.score_pad) + 1} is not the one this match deals"])
            match.hand = hand
            if hand.over:
                match.end_hand(hand.scores, hand.transcript())
        return match


def _check_transcript(rules: Rules, data: Any) -> None:
    """BadInput with all that is wrong with the outer form of a transcript."""
    if not isinstance(data, Mapping):
        raise BadInput(["a transcript is a JSON object"])
    problems = []
    for key, wanted in (("game", rules.id), ("variants", list(rules.variants)), ("format", 1)):
        if data.get(key) != wanted:
            problems.append(f"{key} is {data.get(key)!r}, not {wanted!r}")
    if data.get("rules") != rules.digest:
        problems.append("the rules have changed since it was written")
    for key, kinds in (("players", list), ("actions", list), ("dealer", str)):
        if not isinstance(data.get(key), kinds):
            problems.append(f"{key} is missing or not of its kind")
    for key in () if "position" in data else ("seed", "number"):
        value = data.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 63:
            problems.append(f"{key} is missing or not a whole number that fits")
    if problems:
        raise BadInput(problems)


_KINDS_OF_NUMBER: dict[str, Callable[[int], int]] = {
    "cards": CardSet,
    "player": Seat,
    "players": Seats,
    "trump": Trump,
    "option": Option,
    "options": Options,
}


def _read_json(text: str) -> Any:
    """What a text says as JSON; BadInput if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput([f"not JSON: {error}"]) from None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _put(facts: dict[str, Any], key: str, value: Any) -> None:
    outer, _, inner = key.partition(".")
    if inner:
        facts.setdefault(outer, {})[inner] = value
    else:
        facts[outer] = value


def _tell(facts: dict[str, Any], told: Mapping[str, object]) -> None:
    for key, value in told.items():
        _put(facts, key, value)


def _get(position: Mapping[str, Any], key: str) -> Any:
    outer, _, inner = key.partition(".")
    value = position.get(outer)
    if not inner:
        return value
    return value.get(inner) if isinstance(value, Mapping) else None
