"""One language at the table: texts of the table itself, and words of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from trickwright.templates.runtime import Action, Rules, Table

TEXTS = Path(__file__).with_name("texts.yaml")
FALLBACK = "en"
"""The language of the table's own texts where there are none in that of the game."""


@cache
def texts() -> dict[str, dict[str, Any]]:
    """The texts of all languages."""
    loaded: dict[str, dict[str, Any]] = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    return loaded


def suit_of(card: str) -> str:
    """The sign at the end of a card's name; empty if it ends with a letter or digit."""
    return "" if card[-1].isalnum() else card[-1]


def by_suit(cards: Sequence[str]) -> list[list[str]]:
    """Cards in deck order, by suit, each suit from the top."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(suit_of(card), []).insert(0, card)
    return list(groups.values())


class Voice:
    """Says things in one language of the game; where the game has a word for a thing, that word.

    ``falls_back`` is whether the table itself has no texts in that language, so that they are English.
    """

    def __init__(self, rules: Rules, table: Table, language: str) -> None:
        self.rules = rules
        self.table = table
        self.language = language
        self.falls_back = language not in texts()
        self._texts = texts()[FALLBACK if self.falls_back else language]

    def ui(self, key: str, **places: object) -> str:
        """A text of the table."""
        text: str = self._texts[key]
        return text.format(**places)

    @property
    def faces(self) -> tuple[str, ...]:
        """Rank and suits of the cards, by number, where cards have names of their own."""
        return self.rules.words[self.language].faces

    def card(self, name: str) -> str:
        """A card as the table shows it: one with a name of its own with its rank and suits."""
        return f"{name} {self.faces[self.table.number('card', name)]}" if self.faces else name

    def by_suit(self, cards: Sequence[str], view: Mapping[str, Any]) -> list[list[str]]:
        """Cards by suit, each suit from the top. Where a card's suit depends on the hand, it is the one of the view."""
        if not self.faces:
            return by_suit(cards)
        groups: dict[int, list[tuple[int, str]]] = {}
        for card in cards:
            face = self.faces[self.table.number("card", card)]
            rank = "".join(sign for sign in face if sign.isalnum())
            own = (suit for suit, held in view.get("suits", {}).items() if card in held)
            suit = next(own, face.removeprefix(rank)[0])
            place = self.table.number("trump", suit)
            groups.setdefault(place, []).append((self.table.number("trump", rank), card))
        return [
            [card for _, card in sorted(group, reverse=True)] for _, group in sorted(groups.items())
        ]

    def help_lines(self, thing: str) -> list[tuple[str, str]]:
        """The commands, and what each does."""
        return [
            (command.format(thing=thing), text) for command, text in self._texts["help_commands"]
        ]

    def _named(self, key: str) -> str | None:
        return self.rules.words[self.language].names.get(key)

    def title(self, key: str) -> str:
        """What a part of the hand is called."""
        said = self._named(f"field.{key}") or self._named(f"role.{key}")
        return said or self._texts["fields"].get(key) or key.replace("_", " ")

    def heading(self, key: str) -> str:
        """The same at the beginning of a line."""
        title = self.title(key)
        return title[:1].upper() + title[1:]

    def phase(self, phase: str) -> str:
        """What a part of the game is called."""
        return self._named(f"phase.{phase}") or phase

    def outcome(self, outcome: str) -> str:
        """How a hand ended."""
        return self._named(f"outcome.{outcome}") or outcome

    def value(self, value: str) -> str:
        """What a value of the scoring is called."""
        return self._named(f"value.{value}") or value.replace("_", " ")

    def verb(self, verb: str) -> str:
        """What somebody does: ``lays``."""
        return self._named(f"verb.{verb}") or verb

    def infinitive(self, verb: str) -> str:
        """What one may do: ``lay``."""
        said: str = self._named(f"do.{verb}") or self._texts["do"].get(verb) or self.verb(verb)
        return said

    def thing(self, action: Action) -> tuple[str, str]:
        """What an action is done with, by type and in words; a word of the action itself if it has no thing."""
        for phase in self.rules.phases:
            for run in phase.actions:
                if run.verb != action.verb:
                    continue
                if run.type == "word":
                    return "word", ""
                try:
                    number = self.table.number(run.type, action.what)
                except ValueError:
                    continue
                if 0 <= number < run.count:
                    return run.type, self.table.word(run.type, number, self.language)
        return "word", action.what

    def label(self, action: Action) -> str:
        """An action in a list of choices or an answer: the card, or ``pass``."""
        return self.thing(action)[1] or self.infinitive(action.verb)

    def listed(self, names: Sequence[str]) -> str:
        """Names as one says them: ``Ben, Carla and Dan``."""
        *most, last = names
        return self.ui("and").join([", ".join(most), last]) if most else last

    def either(self, things: Sequence[str]) -> str:
        """Things of which one is meant: ``nil bottom or nil top``."""
        *most, last = things
        return f" {self.ui('or')} ".join([", ".join(most), last]) if most else last

    def units(self, count: int) -> str:
        """So many hands, by the word that the game has for them: ``3 rounds``."""
        key = "one" if count == 1 else "many"
        return f"{count} {self.unit(key)}"

    def unit(self, key: str = "one") -> str:
        """What the game calls a hand, ``one``, or ``many``."""
        said: str = self._named(f"hand.{key}") or self._texts["units"][key]
        return said

    def hand(self, number: int) -> str:
        """The heading of a hand: ``Hand 3``."""
        unit = self.unit()
        return f"{unit[:1].upper()}{unit[1:]} {number}"


def command_of(said: str) -> str | None:
    """The command that a word is, in any language; None if it is none."""
    for language in texts().values():
        for command, words in language["commands"].items():
            if said.casefold() in words:
                return str(command)
    return None
