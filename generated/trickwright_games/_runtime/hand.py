"""A hand with names: what people and programs use around a game's integer functions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from .imagine import IMAGINED, imagine
from .position import Beginning, dealt_hands, put, tell
from .reading import read_part
from .rules import Actions, Field, Line, Phase, Rules
from .table import Table, seat_names
from .transcript import check_transcript, read_json
from .values import (
    DEALER,
    HAND_NUMBER,
    NOBODY,
    OUTCOME,
    PHASE,
    TO_MOVE,
    Action,
    BadInput,
    CardSet,
    IllegalAction,
    Random,
    Refusal,
    Seat,
    State,
    check_stream,
)


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
        self._check_action(action)
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

    def _twin_now(self, local: int, phase: Phase) -> int:
        """Of actions with identical cards, the one that may be done now."""
        for run in phase.actions:
            if run.type == "card" and run.first <= local < run.first + run.count:
                return run.first + self._twin(local - run.first, phase, run.first)
        return local

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
        self._check_action(action)
        self.rules.in_language(language)
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
            if isinstance(action, str) or not isinstance(action, Iterable):
                self._check_action(action)
            actions = list(action)
            for one in actions:
                self._check_action(one)
            trial = self.clone()
            for one in actions:
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

    def _check_action(self, action: object) -> None:
        """BadInput if that is something else, such as the words for an action."""
        if isinstance(action, Action):
            return
        phase = self.rules.phases[-1] if self.over else self._phase
        words = self._action(0, phase) if phase.actions else "pass"
        text = f"an action is wanted, not {action!r}: hand.parse({str(words)!r}) makes one of words"
        raise BadInput([text])

    def play_randomly(self, random: Random, actions: int = 10**9) -> None:
        """Take legal actions at random, all equally likely, until the hand is over or so many are taken.

        ``random`` is a stream of the engine, such as ``stream(7, 0)``.
        BadInput if nothing is legal, which can be so in a hand that began from a position.
        """
        check_stream(random)
        while not self.over and actions > 0:
            phase = self._phase
            assert phase.legal is not None and phase.apply is not None
            legal = phase.legal(self.state)
            if not legal:  # in a position that was told in part
                raise BadInput([f"{self.to_move} has nothing legal to do in this position"])
            local = self.rules.pick(random, legal)
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
        done = self._start.get("done", 0)
        if len(kept) < done:
            raise BadInput([f"only the last {len(self.history) - done} actions can be taken back"])
        if "state" in self._start:
            fresh = self.clone()
            fresh.state = list(self._start["state"])
        else:
            fresh = self._restart(self._start, self.players, self.state[DEALER])
        for phase, _, local in kept[done:]:
            apply = self.rules.phases[phase].apply
            assert apply is not None
            apply(fresh.state, local)
        self.state, self.history = fresh.state, kept

    @classmethod
    def _restart(cls, start: Mapping[str, Any], players: Sequence[str], dealer: int) -> Hand:
        if "position" in start:
            hand = cls.from_position(start["position"])
            if "chance" in start:
                hand._set_chance(start["chance"])
            return hand
        if "deal" in start:
            deal, chance = start["deal"], start["chance"]
            return cls.from_deal(
                players, deal, dealer=dealer, chance=chance, number=start["number"]
            )
        return cls(players, dealer=dealer, seed=start["seed"], number=start["number"])

    def _set_chance(self, chance: int) -> None:
        if self.rules.chance != NOBODY:
            self.state[self.rules.chance] = chance
        self._start = {**self._start, "chance": chance}

    @classmethod
    def from_deal(
        cls,
        players: int | Sequence[str],
        deal: Mapping[str, Sequence[str]],
        *,
        dealer: int | str | None = None,
        chance: int = 0,
        number: int = 0,
    ) -> Hand:
        """A hand that begins with just these cards, by player. BadInput if the game does not deal so.

        What happens by chance after the deal follows from ``chance``; ``number`` is the hand's number in its match, from 0.
        """
        hand = cls(players, dealer=dealer, number=number)
        if isinstance(chance, bool) or not isinstance(chance, int) or not 0 <= chance < 1 << 62:
            raise BadInput(["chance is a whole number, 0 or more, that fits"])
        first = cls.rules.hands
        sizes = [hand.state[first + seat].bit_count() for seat in range(len(hand.players))]
        return hand._begun_anew(dealt_hands(hand.table, sizes, deal), chance)

    def _begun_anew(self, start: Mapping[str, Any] | list[int], chance: int) -> Hand:
        """A hand of the same players that begins with such a position, or with these cards of each seat dealt."""
        if isinstance(start, Mapping):
            hand = self.from_position(start)
            hand._set_chance(chance)
            return hand
        hand = self.clone()
        hand.history = []
        number = self.state[HAND_NUMBER]
        self.rules.new_hand(hand.state, len(self.players), self.state[DEALER], number)
        deal = {
            name: self.table.say(CardSet(cards))
            for name, cards in zip(self.players, start, strict=True)
        }
        # By names, so that of identical cards each has the one that it gets whenever the hand begins again.
        cards = dealt_hands(self.table, [own.bit_count() for own in start], deal)
        hand.state[self.rules.hands : self.rules.hands + len(cards)] = cards
        hand._start = {"deal": deal, "number": number - 1}
        hand._set_chance(chance)
        begin = self.rules.phases[1].begin
        assert begin is not None
        begin(hand.state)
        return hand

    def facts(self) -> dict[str, Any]:
        """All that can be said of the hand, hidden cards included, as numbers of known kinds (see ``Table.say``)."""
        facts: dict[str, Any] = {"phase": self.phase, "dealer": Seat(self.state[DEALER])}
        facts["to_move"] = Seat(NOBODY if self.over else self.state[TO_MOVE])
        for part in self.rules.fields:
            put(facts, part.key, self._read(part))
        for phase in self.rules.phases:
            if phase.facts is not None and self.state[PHASE] >= phase.facts_from:
                tell(facts, phase.facts(self.state))
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
        return read_part(self.table, self.state, part, seat)

    def view(self, player: str, language: str = "en") -> dict[str, Any]:
        """What one player sees: made from who may see each part of the state, and the actions so far."""
        self.rules.in_language(language)
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
                put(seen, part.key, self._read(part))
            elif part.seen_by in ("owner", "owner-only"):
                put(seen, part.key, self._seen_by_owner(part, own))
        for phase in self.rules.phases:
            if phase.facts is not None and self.state[PHASE] >= phase.facts_from:
                tell(seen, phase.facts(self.state))
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

    def information(self, player: str) -> str:
        """What one player sees, as a key: two hands have the same exactly if the player's views of them are equal."""
        return json.dumps(self.view(player), ensure_ascii=False, sort_keys=True)

    def determinize(self, player: str, seed: int = 0) -> Hand:
        """A hand that the player cannot tell from this one: all that they do not see is drawn anew, and play can go on.

        The cards in others' hands, in a stock and set aside are where they are with all physical ways to be there equally
        likely that are consistent with what the player knows: their view; cards that were laid open, passed, stolen or named
        before all and are still held; what others have shown not to hold; and that every public action so far was legal.
        How likely others would have been to act as they did does not count. What others have chosen in secret is
        then drawn anew, too, from the legal choices, and so is chance to come.

        In a game in which hands are refilled, what lay on the table before they last were is forgotten, and the hand
        that is given cannot be taken back beyond this point or written down. Otherwise the hand has a past of its own: its
        own deal, from which the public actions replay. The same seed draws the same. BadInput if nothing fits, which
        happens only in positions that contradict themselves.
        """
        viewer = self.table.number("player", player)
        random = self.rules.stream(seed, IMAGINED)
        made: Hand = imagine(self, viewer, random)
        return made

    def say(self, action: Action, language: str = "en") -> str:
        """An action as text that ``parse`` takes: in English verb and thing, else the words of the language."""
        self._check_action(action)
        self.rules.in_language(language)
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
        begun = Beginning(cls.rules, position)
        hand = object.__new__(cls)
        hand.players, hand.table, hand.state = begun.players, begun.table, begun.state
        hand.history = []
        hand._start = {"position": dict(position)}
        if not hand.over and not hand._legal():
            raise BadInput([f"{hand.to_move} has nothing legal to do in this position"])
        return hand

    def transcript(self) -> dict[str, Any]:
        """All that is needed to play the hand again: how it began and what was done. BadInput if that is not known."""
        if "state" in self._start:
            raise BadInput(["a hand that was imagined from the middle on has no beginning to tell"])
        return {
            "format": 1,
            "game": self.rules.id,
            "variants": list(self.rules.variants),
            "rules": self.rules.digest,
            "players": list(self.players),
            "dealer": self.players[self.state[DEALER]],
            **self._start,
            "actions": self._said(),
            **({"ended": self._ended()} if self.over else {}),
        }

    def _ended(self) -> dict[str, Any]:
        """How the hand came out: what another day's rules are held against."""
        lines = [line.id for line in self.lines()]
        return {"outcome": self.outcome, "scores": self.scores, "scored_by": lines}

    def to_json(self) -> str:
        """The transcript as text; ``from_json`` makes the same hand of it."""
        return json.dumps(self.transcript(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Hand:
        """The hand that ``to_json`` told of; BadInput if the text is not one of these rules."""
        return cls.replay(read_json(text))

    @classmethod
    def replay(cls, transcript: Any) -> Hand:
        """Play a transcript again; BadInput if it is damaged or of another game, IllegalAction if a rule forbids a step."""
        check_transcript(cls.rules, transcript)
        players = list(transcript["players"])
        dealer = 0
        if "position" not in transcript:
            dealer = Table(cls.rules, seat_names(cls.rules, players)).number(
                "player", transcript["dealer"]
            )
        hand = cls._restart(transcript, players, dealer)
        for line in transcript["actions"]:
            name, _, said = str(line).partition(": ")
            verb, _, what = said.partition(" ")
            hand.apply(Action(verb, what), name)
        return hand
