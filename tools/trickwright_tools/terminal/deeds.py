"""What has been done at the table, told in words as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trickwright_tools.terminal import trumps
from trickwright_tools.terminal.page import fold, rule
from trickwright_tools.terminal.voice import Voice

if TYPE_CHECKING:
    from trickwright.templates.runtime import Action

View = Mapping[str, Any]
OUT = "out_of_auction"
"""The part that tells who can bid no more."""
PASS = "pass"
"""What is done in an auction by who does not bid."""


@dataclass(frozen=True)
class Deed:
    """One action somebody took: the verb, the type of its thing, and the thing in words."""

    player: str
    verb: str
    type: str
    what: str


def deed_of(line: str, voice: Voice, make: Callable[[str, str], Action]) -> Deed:
    """An action as a view tells it: ``Ben: lay Q♥``, or in the language of the table ``Ben: legt D♥``."""
    names = [name for name in voice.table.players if line.startswith(f"{name}: ")]
    if not names:
        return Deed("", "", "word", line)
    player = max(names, key=len)
    verb, _, what = line[len(player) + 2 :].partition(" ")
    runs = [run for phase in voice.rules.phases for run in phase.actions]
    verb = next((run.verb for run in runs if verb in (run.verb, voice.verb(run.verb))), verb)
    return Deed(player, verb, *voice.thing(make(verb, what)))


def in_words(done: Sequence[Deed], voice: Voice) -> list[str]:
    """Actions in words, the cards of one turn together: ``Ben passes``, ``Dan lays K♦ K♠``; hidden ones are counted."""
    closing, sets, silent = _closing_verbs(voice), _verbs_of_sets(voice), _silent_verbs(voice)
    told: list[tuple[str, str, list[str]]] = []
    open_turn = ""
    for deed in done:
        if deed.verb in closing and open_turn == deed.player:
            open_turn = ""
        elif open_turn == deed.player and told[-1][1] == deed.verb:
            told[-1][2].append(shown(deed, voice))
        else:
            told.append(
                (
                    deed.player,
                    deed.verb,
                    [shown(deed, voice)] if deed.what or deed.verb in sets else [],
                )
            )
            several = deed.verb in {*closing.values(), *sets} and deed.verb not in closing
            open_turn = deed.player if several else ""
    return [
        " ".join([player, voice.verb(verb), *_things(things, voice, verb in silent)])
        for player, verb, things in told
    ]


def _things(things: Sequence[str], voice: Voice, silent: bool) -> list[str]:
    """Things in words; of those that are hidden only how many they are, or not even that."""
    hidden = things.count("")
    seen = [thing for thing in things if thing]
    return [*seen, hidden_cards(hidden, voice)] if hidden and not silent else seen


def hidden_cards(count: int, voice: Voice) -> str:
    """Cards of which one knows only how many they are."""
    return voice.ui("hidden_card") if count == 1 else voice.ui("hidden_cards", count=count)


def _silent_verbs(voice: Voice) -> set[str]:
    """The verbs of turns of which others do not learn more than that they were taken."""
    return {
        run.verb for phase in voice.rules.phases if phase.secret == "turn" for run in phase.actions
    }


def _verbs_of_sets(voice: Voice) -> set[str]:
    """The verbs of turns that are sets of cards."""
    return {
        run.verb
        for phase in voice.rules.phases
        if phase.in_order
        for run in phase.actions
        if run.type == "card"
    }


def shown(deed: Deed, voice: Voice) -> str:
    """The thing of an action as the table shows it."""
    return voice.card(deed.what) if deed.type == "card" else deed.what


def _closing_verbs(voice: Voice) -> dict[str, str]:
    """The verbs that end a turn of several actions, each with the verb of those actions."""
    found: dict[str, str] = {}
    for phase in voice.rules.phases:
        for run in phase.actions:
            if phase.closes == run.first and run.count == 1:
                found[run.verb] = phase.actions[0].verb
    return found


def played_by(done: Sequence[Deed], cards: Sequence[str], voice: Voice) -> list[str]:
    """Cards of a trick with who played each: ``Ben 7♥``."""
    said: list[str] = []
    before = [deed for deed in done if deed.type == "card"]
    for card in reversed(cards):  # from the last deed back, for there may be identical cards
        while before and before[-1].what != card:
            before.pop()
        said.append(f"{before.pop().player if before else '?'} {voice.card(card)}")
    return said[::-1]


class Narrator:
    """Tells what happens between two looks at the table, and leaves out what the person does."""

    def __init__(
        self,
        voice: Voice,
        person: str | None,
        make: Callable[[str, str], Action],
        say: Callable[[str], None],
    ) -> None:
        self.voice = voice
        self.person = person
        self.make = make
        self.say = say
        self.done: list[Deed] = []
        self.waiting: list[Deed] = []
        self.phase = ""
        self.roles: dict[str, str] = {}
        self.trumps_told = False
        self.round = 0
        self.results: list[str] = []
        self.drawn: list[str] = []
        self.sheet: dict[str, dict[str, int]] = {}
        """Points of each player's melds of this hand, by player and meld."""
        self.silent = _silent_verbs(voice)
        self.hidden = {
            run.verb for part in voice.rules.phases if part.secret for run in part.actions
        }

    def begin(self, view: View) -> None:
        """A hand begins."""
        self.done = []
        self.phase = ""
        self.round = 0
        self.results = []
        self.drawn = []
        self.sheet = {}
        self.roles = {}
        self.trumps_told = False
        self._news(view, None)  # what chance has named with the deal
        self._heading(view)

    def took_back(self, view: View) -> None:
        """The last step has been taken back."""
        self.done = self.done[: len(view["actions"])]

    def saw(self, view: View) -> None:
        """Something has been done; tell it, now or with what follows."""
        lines = view["actions"][len(self.done) :]
        fresh = [deed_of(line, self.voice, self.make) for line in lines]
        self.done += fresh
        trick, table = view.get("trick") or {}, view.get("on_table") or {}
        lying = {*trick.get("cards", ()), *table.get("cards", ())}
        self.waiting += [
            deed
            for deed in fresh
            if not (deed.player == self.person and deed.verb in self.hidden)
            and deed.what not in lying
            # who watches is told what was melded when all is revealed, with its points
            and not (self.person is None and "revealed" in view and deed.verb in self.silent)
        ]
        if fresh and fresh[-1].what in trick.get("cards", ()):
            self.tell()
            *cards, last = played_by(self.done, trick["cards"], self.voice)
            taken = self.voice.ui("takes_trick", player=trick["winner"])
            self.say(fold([*cards, f"{last} – {taken}"], first="  ", indent="    "))
        for name, cards in view.get("revealed", {}).items():
            if cards:
                melds = self.sheet.setdefault(name, {})
                melds[view["melded_as"][name]] = view["round_points"][name]
        self._news(view, fresh[-1] if fresh else None)
        self._heading(view)

    def _news(self, view: View, last: Deed | None) -> None:
        """Tell what has changed at the table, as far as the last action does not say it."""
        bidding = last is not None and last.type in (*self.voice.table.things, "word")
        if bidding and view["phase"] == self.phase:
            return  # told at the end of it
        roles = self._roles(view)
        news = [f"{key}: {value}" for key, value in roles.items() if self.roles.get(key) != value]
        if news and not (last is not None and last.type == "player"):
            self.tell()
            self.say(fold(news, first="  "))
        self.roles = roles

    def tell(self) -> None:
        """Tell what is still waiting to be told."""
        if self.waiting:
            self.say(fold(in_words(self.waiting, self.voice), first="  "))
        self.waiting = []

    def _heading(self, view: View) -> None:
        results, drawn = melds_of_round(view), draws(view, self.voice)
        if view["phase"] == self.phase and view.get("round", 0) == self.round:
            return
        self.tell()
        if results != self.results:
            self.results = results
            for line in results:
                self.say(fold(line.split(" "), " ", "  ", "    "))
        if drawn != self.drawn:
            self.drawn = drawn
            if drawn:
                self.say(fold(drawn, first="  "))
        if view.get("trump_order") and not self.trumps_told:
            self.trumps_told = True
            if said := trumps.line(view, self.voice):
                self.say(f"  {said}")
            self.say(trumps.order_line(view, self.voice))
        self.phase = view["phase"]
        if self.phase != "over":
            named = [self.voice.phase(self.phase)]
            if view.get("round"):
                named.insert(0, self.voice.ui("round", number=view["round"]))
            self.say(rule(" · ".join(named)))
        self.round = view.get("round", 0)

    def _roles(self, view: View) -> dict[str, str]:
        return dict(roles(view, self.voice))


def melds_of_round(view: View) -> list[str]:
    """What was melded in the round last revealed, how it counted, and its points: ``Ben: Thief K♥, 10``."""
    return [
        f"{name}: {view['melded_as'][name]} {_as_counted(cards, name, view)}, {view['round_points'][name]}"
        for name, cards in view.get("revealed", {}).items()
        if cards
    ]


def _as_counted(cards: Sequence[str], name: str, view: View) -> str:
    """The cards of a meld: in two parts if it was divided, and with the suit if one was picked."""
    part, suit = view.get("parts", {}).get(name), view.get("suits_picked", {}).get(name)
    said = " ".join(cards)
    if part:
        rest = list(cards)
        for card in part:
            rest.remove(card)
        said = f"{' '.join(part)} + {' '.join(rest)}"
    return f"{said} ({suit})" if suit else said


def draws(view: View, voice: Voice) -> list[str]:
    """Who has drawn which cards in the last refill, as far as the viewer may know; empty before there was one."""
    found = []
    for name, cards in view.get("drawn", {}).items():
        count = len(cards) if isinstance(cards, list) else cards["cards"]
        if not count:
            continue
        if view.get("shuffled_for") == name:
            found.append(voice.ui("shuffled_for", player=name))
        known = isinstance(cards, list)
        said = " ".join(map(voice.card, cards)) if known else hidden_cards(count, voice)
        found.append(voice.ui("draws", player=name, cards=said))
    return [*found, voice.ui("stock_left", count=view["stock"])] if found else []


def settled(view: View, voice: Voice) -> list[tuple[str, str]]:
    """What the hand is about: the highest bid, and what chance has named; ``contract``, ``3 top``."""
    return [
        (voice.title(part.key), str(view[part.key]))
        for part in voice.rules.fields
        if part.type in (*voice.table.things, "trump")
        and not part.per_player
        and view.get(part.key) is not None
    ]


def roles(view: View, voice: Voice) -> list[tuple[str, str]]:
    """Who is what, ``Chief``, ``Dan``, and what is settled.

    Who is out of the auction is told while it lasts, and a team as soon as it is more than one player who has a role anyway.
    """
    known = dict(settled(view, voice))
    found: list[tuple[str, str]] = []
    bidding = any(
        run.verb == PASS
        for phase in voice.rules.phases
        if phase.id == view["phase"]
        for run in phase.actions
    )
    for part in voice.rules.fields:
        if (title := voice.title(part.key)) in known:
            found.append((title, known[title]))
        if part.type not in ("player", "players") or part.per_player or part.key not in view:
            continue
        value = view[part.key]
        names = value if isinstance(value, list) else [value]
        alone = part.type == "players" and names in [[holder] for _, holder in found]
        if alone or (part.key == OUT and not bidding):
            continue
        if names and all(name in voice.table.players for name in names):
            found.append((voice.title(part.key), ", ".join(names)))
    return found
