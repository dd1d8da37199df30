"""A match at the table: hand after hand, a person's turns and those of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trickwright_tools.styles import STYLES
from trickwright_tools.terminal import screen
from trickwright_tools.terminal.asking import Asker, Left, TakenBack
from trickwright_tools.terminal.deeds import Narrator, settled
from trickwright_tools.terminal.pad import hand_end, score_pad, sheet
from trickwright_tools.terminal.page import fold, rule
from trickwright_tools.terminal.voice import Voice

if TYPE_CHECKING:
    from trickwright.templates.runtime import Action, Match, Random

OWN_STREAM = 1 << 40
"""The others' choices draw from streams that no deal uses, so that the cards do not depend on how one plays."""


@dataclass
class Session:
    """A match between one person, or none, and players who choose by chance."""

    match: Match
    voice: Voice
    person: str | None
    style: str
    most_hands: int | None
    read: Callable[[], str]
    say: Callable[[str], None]
    make: Callable[[str, str], Action]
    endings: list[str] = field(default_factory=list)

    def play(self) -> None:
        """Play until somebody has won, enough hands are played or the person leaves."""
        try:
            while True:
                self._hand()
                if self.match.over:
                    self._won()
                    return
                if self._enough:
                    hands = self.voice.units(len(self.endings))
                    self._stands(self.voice.ui("stopped_after", hands=hands))
                    return
                self.match.deal()
        except (Left, EOFError, KeyboardInterrupt):
            self.say("")
            here = f"{self.voice.unit()} {len(self.endings) + 1}"
            self._stands(self.voice.ui("stopped_here", hand=here))

    def _view(self) -> dict[str, Any]:
        hand = self.match.hand
        watcher = (
            self.person if self.person in hand.players else hand.players[0]
        )  # only who plays is asked
        view = hand.view(watcher, self.voice.language)
        if self.person is not None:
            return view
        facts = hand.table.say(hand.facts(), self.voice.language)
        hidden = {part.key for part in hand.rules.fields if part.per_player} & view.keys()
        shown = {key: facts[key] for key in hidden if key != screen.HELD}
        return {**view, **shown, "actions": hand.transcript()["actions"]}  # a watcher sees it all

    def _hand(self) -> None:
        hand, voice = self.match.hand, self.voice
        number = len(self.endings) + 1
        random = hand.rules.stream(self.match.seed, OWN_STREAM + number)
        narrator = Narrator(voice, self.person, self.make, self.say)
        view = self._view()
        voice.table = hand.table
        dealer = list(self.match.totals)[self.match.dealer or 0]
        title = voice.hand(number)
        if hand.rules.has_dealer:
            title += f" · {voice.ui('deals', player=dealer)}"
        if self.match.sits_out:
            title += f" · {voice.ui('sits_out', player=self.match.sits_out)}"
        self.say("")
        self.say(rule(title, "═"))
        if self.person is None:
            self._all_cards()
        narrator.begin(view)
        while not hand.over:
            if hand.to_move == self.person:
                narrator.tell()
                try:
                    actions = self._ask(narrator)
                except TakenBack:
                    hand.undo()
                    narrator.took_back(self._view())
                    continue
            else:
                actions = [self._chosen(random)]
            self.match.apply(actions)
            narrator.saw(self._view())
        narrator.tell()
        self.endings.append(hand.outcome or "")
        facts = hand.table.say(hand.facts(), voice.language)
        self.say(rule("", "─"))
        told = {name for line in hand.lines() for name in line.values}
        values = {name: value for name, value in facts["values"].items() if name in told}
        about = settled(facts, voice)
        self.say(hand_end(number, hand.outcome or "", about, values, voice))
        if self.person is not None or self.match.over or self._enough:
            self.say("")
            self.say(self._pad())
        else:
            self.say(self._totals())

    @property
    def _enough(self) -> bool:
        return self.most_hands is not None and len(self.endings) >= self.most_hands

    def _chosen(self, random: Random) -> Action:
        hand = self.match.hand
        phase = next(phase for phase in hand.rules.phases if phase.id == hand.phase)
        assert phase.legal is not None
        local = STYLES[self.style](hand.rules, phase, random, phase.legal(hand.state))
        return hand.action(phase.first_number + local)

    def _ask(self, narrator: Narrator) -> list[Action]:
        view, done = self._view(), narrator.done
        self.say("")
        self.say(screen.turn(view, done, self.voice))

        def show(command: str) -> None:
            if command == "table":
                self.say(screen.whole_table(view, done, self.voice))
            else:
                pads = [sheet(narrator.sheet, self.voice), self._pad() if self.endings else ""]
                nothing = f"  {self.voice.ui('no_pad', hand=self.voice.unit())}"
                self.say("\n\n".join(filter(None, pads)) or nothing)

        return Asker(self.match.hand, self.voice).turn(self.read, self.say, show)

    def _all_cards(self) -> None:
        """Everybody's cards, for those who only watch."""
        hand, voice = self.match.hand, self.voice
        facts = hand.table.say(hand.facts(), voice.language)
        width = max(map(len, hand.players))
        for part in hand.rules.fields:
            if part.key == screen.HELD:
                for name, cards in facts[part.key].items():
                    first = f"  {name:<{width}}  "
                    self.say(screen.cards_by_suit(cards, facts, voice, first))

    def _pad(self) -> str:
        return score_pad(self.match.score_pad, self.endings, self.match.totals, self.voice)

    def _totals(self) -> str:
        totals = [f"{name} {total}" for name, total in self.match.totals.items()]
        return fold(totals, first=f"{self.voice.heading('totals')}: ")

    def _stands(self, said: str) -> None:
        self.say(said)
        self.say(self._totals())

    def _won(self) -> None:
        winners = self.match.winners
        text = "won_by_one" if len(winners) == 1 else "won_by_several"
        if len(self.match.totals) == 1:
            text = "ended_alone"
        total = self.match.totals[winners[0]]
        self.say("")
        self.say(self.voice.ui(text, players=self.voice.listed(winners), total=total))
