"""Asking a person what to do: reading an answer, explaining what is not possible, help."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from trickwright_tools.terminal.page import fold, wrap
from trickwright_tools.terminal.voice import Voice, command_of, texts

if TYPE_CHECKING:
    from trickwright.templates.runtime import Action, Hand, Phase

LONGEST = 400
"""Characters of an answer that are looked at."""
FEW = 4
"""Things that an answer may have meant and that are all named."""


class Left(Exception):
    """The person leaves the table."""


class TakenBack(Exception):
    """The person takes back the last step of the turn."""


class NotUnderstood(ValueError):
    """An answer that names nothing there is to do; the text says so."""


class Asker:
    """Asks about one turn in a hand."""

    def __init__(self, hand: Hand, voice: Voice) -> None:
        self.hand = hand
        self.voice = voice
        self.asked_why = False
        phases = hand.rules.phases
        self.phase: Phase = next(phase for phase in phases if phase.id == hand.phase)
        open_to_choice, self.needed = self._open()
        things = [(voice.thing(action), action) for action in open_to_choice]
        cards = {what: action for (kind, what), action in things if kind == "card"}
        view = hand.view(hand.to_move or "", voice.language) if cards else {}
        self.choices = [cards[card] for suit in voice.by_suit(list(cards), view) for card in suit]
        self.choices += [action for (kind, _), action in things if kind != "card"]
        self.by_name = any(
            way[:1].isdecimal()
            for run in self.phase.actions
            if run.type in voice.table.things
            for ways in voice.rules.words[voice.language].things[run.type]
            for way in ways
        )
        """Whether what can be chosen begins with numbers itself, as bids do, so that a place in the list has none."""

    def _open(self) -> tuple[list[Action], int]:
        """What may be in the turn, and of how many things it is made; 1 if that is not fixed."""
        legal = self.hand.legal_actions()
        if not self.phase.in_order or self.phase.closes >= 0 or not self._is_card(legal[0]):
            return legal, 1
        found = {str(action): action for action in legal}
        trial, steps = self.hand.clone(), 0
        while (trial.phase, trial.to_move) == (self.hand.phase, self.hand.to_move):
            trial.apply(trial.legal_actions()[0])
            steps += 1
            if (trial.phase, trial.to_move) == (self.hand.phase, self.hand.to_move):
                if not self._is_card(trial.legal_actions()[0]):
                    break  # another turn of the same player
                found |= {str(action): action for action in trial.legal_actions()}
        return list(found.values()), steps

    @property
    def can_go_back(self) -> bool:
        """Whether the turn has begun with something that is not one of its cards, such as the name of a meld."""
        if not (self.hand.history and self.phase.in_order and self.phase.closes < 0):
            return False
        number, seat, local = self.hand.history[-1]
        before = self.hand.rules.phases[number].id, self.hand.players[seat]
        if before != (self.hand.phase, self.hand.to_move):
            return False
        return not any(
            run.type in ("card", "word") and run.first <= local < run.first + run.count
            for run in self.phase.actions
        )

    def _is_card(self, action: Action) -> bool:
        """Whether an action is one of those that make up a set of cards."""
        return self.voice.thing(action)[0] == "card"

    def turn(
        self, read: Callable[[], str], say: Callable[[str], None], extra: Callable[[str], None]
    ) -> list[Action]:
        """Ask until there is a legal turn. ``extra`` does the commands that show something; Left and TakenBack end."""
        say(self.listed())
        while True:
            said = _plain(read())
            first, _, rest = said.partition(" ")
            command = command_of(said) or (command_of(first) if rest else None)
            if not said:
                say(f"  {self.voice.ui('ask_help')}")
            elif command == "quit" and not rest:
                raise Left
            elif command == "back" and not rest:
                if self.can_go_back:
                    raise TakenBack
                say(f"  {self.voice.ui('no_back')}")
            elif command == "why":
                say(self._why(rest))
            elif command == "help" and not rest:
                say(self.help())
            elif command is not None and not rest:
                extra(command)
            else:
                try:
                    actions = self.read(said)
                except NotUnderstood as problem:
                    say(wrap(str(problem)))
                    continue
                refused = self.refused(actions)
                if refused is None:
                    return self._whole(actions)
                say(wrap(refused))

    def listed(self) -> str:
        """The choices, numbered, those of one kind on a line."""
        groups: dict[str, list[str]] = {}
        for number, action in enumerate(self.choices, 1):
            kind, what = self.voice.thing(action)
            said = self.voice.infinitive(action.verb)
            if kind == "word":
                groups.setdefault(self.voice.ui("or") if groups else "", []).append(
                    said if self.by_name else f"{number}) {said}"
                )
            else:
                shown = self.voice.card(what) if kind == "card" else what
                groups.setdefault(said, []).append(shown if self.by_name else f"{number}) {shown}")
        width = max(map(len, groups)) + 2
        head = [f"  {self.voice.ui('choose_set', count=self.needed)}"] if self.needed > 1 else []
        between = ", " if self.by_name else "  "
        foot = [f"  {self.voice.ui('go_back')}"] if self.can_go_back else []
        return "\n".join(
            head
            + [
                fold(things, between, f"  {said:<{width}}", " " * (width + 2))
                for said, things in groups.items()
            ]
            + foot
        )

    def read(self, said: str) -> list[Action]:
        """The actions an answer names; NotUnderstood if there are none such."""
        if said.isdecimal() and not self.by_name:
            return self._as_many([self._choice(int(said))])
        whole = self._one(said)
        if whole is not None:
            return self._as_many([whole])
        tokens = [token for token in re.split(r"[\s,;]+", said) if token]
        if len(tokens) > 1 and tokens[0].casefold() in self._verbs():
            del tokens[0]
        actions: list[Action] = []
        if len(tokens) > 1 and self._named() and not any(map(self._is_known, tokens)):
            raise NotUnderstood(self._not_known(" ".join(tokens)))
        for token in tokens:
            one = self._known(token)
            if one is None:
                raise NotUnderstood(self._not_known(token))
            actions.append(one)
        if not actions:
            raise NotUnderstood(self._not_known(said))
        if len(actions) > 1 and self.phase.closes < 0 and self.needed == 1:
            raise NotUnderstood(self.voice.ui("one_thing"))
        return self._as_many(actions)

    def _as_many(self, actions: list[Action]) -> list[Action]:
        """The actions, if they are as many as the turn must have."""
        if self.needed > 1 and len(actions) != self.needed and not self.asked_why:
            again = self.voice.ui("choose_set", count=self.needed)
            given = len(actions)
            raise NotUnderstood(
                self.voice.ui("so_many_of", given=given, count=self.needed, again=again)
            )
        return actions

    def _known(self, token: str) -> Action | None:
        """What a word of an answer names: a place in the list, if it has numbers, or a thing."""
        if token.isdecimal() and not self.by_name:
            return self._choice(int(token))
        return self._one(token)

    def _is_known(self, token: str) -> bool:
        return (token.isdecimal() and not self.by_name) or self._one(token) is not None

    def _named(self) -> list[tuple[str, list[set[str]]]]:
        """Things of this phase that may have names of several words, such as bids, each with the words of all its names."""
        return [
            (
                self.voice.table.word(run.type, number, self.voice.language),
                [
                    {*way.casefold().split()}
                    for words in self.voice.rules.words.values()
                    for way in words.things[run.type][number]
                ],
            )
            for run in self.phase.actions
            if run.type in self.voice.table.things
            for number in range(run.count)
        ]

    def _not_known(self, said: str) -> str:
        """That an answer names nothing, with what it may have meant, or from where to where the choices go."""
        words = {*said.casefold().split()}
        choices = [what for kind, what in map(self.voice.thing, self.choices) if kind != "card"]
        meant = [what for what, ways in self._named() if any(words <= way for way in ways)]
        for likely in ([what for what in meant if what in choices], meant):
            if 0 < len(likely) <= FEW:
                return self.voice.ui("which", said=said, things=self.voice.either(likely))
        things = [what for what in choices if what]
        if self.by_name and things:
            ends = self.voice.ui("to").join(dict.fromkeys([things[0], things[-1]]))
            return self.voice.ui("unknown_here", said=said, ends=ends)
        return self.voice.ui("unknown", said=said)

    def _choice(self, number: int) -> Action:
        if not 1 <= number <= len(self.choices):
            raise NotUnderstood(self.voice.ui("no_choice", number=number, count=len(self.choices)))
        return self.choices[number - 1]

    def _one(self, said: str) -> Action | None:
        for run in self.phase.actions:
            ways = {language["do"].get(run.verb, "").casefold() for language in texts().values()}
            if run.type == "word" and said.casefold() in ways:
                return run.make()
        try:
            return self.hand.parse(said)
        except ValueError:
            return None

    def _verbs(self) -> set[str]:
        verbs = {run.verb for run in self.phase.actions}
        said = {language["do"].get(verb, verb) for verb in verbs for language in texts().values()}
        words = self.voice.rules.words.values()
        said |= {word.names.get(f"verb.{verb}", verb) for verb in verbs for word in words}
        return {word.casefold() for word in verbs | said}

    def refused(self, actions: Sequence[Action]) -> str | None:
        """Why a turn is not possible, in a sentence; None if it is."""
        trial = self.hand.clone()
        for action in self._whole(actions):
            refusal = trial.why_not(action, language=self.voice.language)
            if refusal is not None:
                at = refusal.clause.partition(".")[0]
                ids = {phase.id for phase in self.voice.rules.phases}
                return self.voice.ui(
                    "no_play",
                    thing=self.voice.label(action),
                    why=refusal.sentence,
                    clause=refusal.clause,
                    section=self.voice.phase(at if at in ids else self.phase.id),
                )
            trial.apply(action)
        return None

    def _whole(self, actions: Sequence[Action]) -> list[Action]:
        """The turn with its end, in the order in which the engine takes it."""
        closing = self.phase.closes
        if closing < 0:
            return self.hand.turn(map(str, actions)) if self.needed > 1 else list(actions)
        cards = [action for action in actions if self._local(action) != closing]
        turn = self.hand.turn(str(action) for action in cards)
        # The end is not said where the last of the actions has ended the turn already.
        trial = self.hand.clone()
        for place, action in enumerate(turn[:-1]):
            if trial.why_not(action) is not None:
                return turn
            trial.apply(action)
            if (trial.phase, trial.to_move) != (self.hand.phase, self.hand.to_move):
                return turn[: place + 1]
        return turn

    def _local(self, action: Action) -> int:
        return self.hand.number_of(action) - self.phase.first_number

    def _why(self, said: str) -> str:
        if not said:
            return f"  {self.voice.ui('why_what')}"
        self.asked_why = True
        try:
            actions = self.read(said)
        except NotUnderstood as problem:
            return wrap(str(problem))
        finally:
            self.asked_why = False
        things = " ".join(self.voice.label(action) for action in actions)
        once = len(set(map(str, actions))) == len(actions) < self.needed
        part = once and all(action in self.choices for action in actions)
        refused = None if part else self.refused(actions)
        return wrap(refused or self.voice.ui("is_legal", thing=things))

    def help(self) -> str:
        """What may be typed here."""
        lines = [self.listed(), self.voice.ui("help_names" if self.by_name else "help")]
        cards = [what for kind, what in map(self.voice.thing, self.choices) if kind == "card"]
        if cards:
            lines.append(self.voice.ui("help_cards", card=cards[0], code=self._code(cards[0])))
        runs = self.phase.actions
        closing = next((run.make() for run in runs if run.first == self.phase.closes), None)
        if self.needed > 1:
            lines.append(self.voice.ui("help_set", count=self.needed))
        if closing is not None:
            lines.append(self.voice.ui("help_several", closing=self.voice.label(closing)))
        commands = self.voice.help_lines(cards[0] if cards else self.voice.label(self.choices[0]))
        if not self.can_go_back:
            commands = [line for line in commands if command_of(line[0]) != "back"]
        width = max(len(command) for command, _ in commands)
        lines += [f"{command:<{width}}   {text}" for command, text in commands]
        head, *rest = lines
        said = "\n".join(rest).replace("\n\n", "\n")
        return head + "\n" + "\n".join(f"  {line}" for line in said.splitlines())

    def _code(self, card: str) -> str:
        number = self.voice.table.number("card", card)
        start = card[:-1]
        codes = [code for code, other in self.voice.rules.card_codes.items() if other == number]
        return next((code for code in codes if code.startswith(start)), card)


def _plain(said: str) -> str:
    """An answer without what cannot be shown, and no longer than a line."""
    kept = "".join(sign if sign.isprintable() else " " for sign in said[:LONGEST])
    return " ".join(kept.split())
