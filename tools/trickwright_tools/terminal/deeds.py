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
    closing, sets = _closing_verbs(voice), _verbs_of_sets(voice)
    silent = {
        run.verb for phase in voice.rules.phases if phase.secret == "turn" for run in phase.actions
    }
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
    return [*seen, voice.ui("hidden_cards", count=hidden)] if hidden and not silent else seen


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

    def begin(self, view: View) -> None:
        """A hand begins."""
        self.done = []
        self.phase = ""
        self.round = 0
        self.results = []
        self.roles = self._roles(view)
        self.trumps_told = False
        self._heading(view)

    def saw(self, view: View) -> None:
        """Something has been done; tell it, now or with what follows."""
        lines = view["actions"][len(self.done) :]
        fresh = [deed_of(line, self.voice, self.make) for line in lines]
        self.done += fresh
        trick, table = view.get("trick") or {}, view.get("on_table") or {}
        lying = {*trick.get("cards", ()), *table.get("cards", ())}
        self.waiting += [
            deed for deed in fresh if deed.player != self.person and deed.what not in lying
        ]
        if fresh and fresh[-1].what in trick.get("cards", ()):
            self.tell()
            *cards, last = played_by(self.done, trick["cards"], self.voice)
            taken = self.voice.ui("takes_trick", player=trick["winner"])
            self.say(fold([*cards, f"{last} – {taken}"], first="  ", indent="    "))
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
        results = melds_of_round(view)
        if view["phase"] == self.phase and view.get("round", 0) == self.round:
            return
        self.tell()
        if results != self.results:
            self.results = results
            self.say(fold(results, "; ", "  "))
        if view.get("trump_order") and not self.trumps_told:
            self.trumps_told = True
            self.say(f"  {trumps.line(view, self.voice)}")
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
    """What was melded in the round last revealed, and its points: ``Ben: Thief K♥, 10``."""
    return [
        f"{name}: {view['melded_as'][name]} {' '.join(cards)}, {view['round_points'][name]}"
        for name, cards in view.get("revealed", {}).items()
        if cards
    ]


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
    """Who is what, ``Chief``, ``Dan``, and what is settled."""
    known = dict(settled(view, voice))
    found = []
    for part in voice.rules.fields:
        if (title := voice.title(part.key)) in known:
            found.append((title, known[title]))
        if part.type not in ("player", "players") or part.per_player or part.key not in view:
            continue
        value = view[part.key]
        names = value if isinstance(value, list) else [value]
        if names and all(name in voice.table.players for name in names):
            found.append((voice.title(part.key), ", ".join(names)))
    return found
