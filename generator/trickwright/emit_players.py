"""Emit players: what goes behind an engine's text, so that those who play the game are as fast as the game.

A kind of phase says in ``sense.py.j2`` what makes sense there; where it says nothing, any legal action does.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.emit import TEMPLATES, PhaseView, all_code, environment, phase_views
from trickwright.meaning import Meaning


@dataclass(frozen=True)
class Choice:
    """A phase in which players choose, with the text of what makes sense there; empty if its kind does not say."""

    phase: PhaseView
    sense: str

    @property
    def prunes(self) -> bool:
        """Whether the kind says which actions are worth trying."""
        return f"def _{self.phase.function}_worth_trying(" in self.sense

    @property
    def plays_out(self) -> bool:
        """Whether the kind has a short way to play the phase to its end at random."""
        return f"def _{self.phase.function}_play_out(" in self.sense


def emit_players(meaning: Meaning) -> str:
    """The functions by which players choose, to be put behind the engine of the same rules."""
    game, code = meaning.game, all_code(meaning)
    phases = phase_views(meaning)
    choices = [
        Choice(phase, _sense(phase, "CARDS_WON" in code)) for phase in phases if phase.has_actions
    ]
    bidding = [phase.number for phase in phases if phase.declared.adds.highest_bid]
    sided = bool(game.deck.side_names)
    has_tricks = any(phase.declared.phase.kind == "tricks" for phase in phases)
    context = {
        "actions": max(
            sum(run.count for run in choice.phase.declared.adds.actions) for choice in choices
        ),
        "bidding_until": max(bidding) + 1 if bidding else 0,
        "choices": choices,
        "first_dealer": game.match.first_dealer - 1,
        "has_prices": any("MIND_CARD_PRICE" in choice.sense for choice in choices),
        "has_tricks": has_tricks,
        "highest": game.match.winner == "highest",
        "limits": 1 + max(phase.declared.adds.highest_bid for phase in phases),
        "members": "members" if game.match.sits_out else "players",
        "phases": phases,
        "seats": game.table_sizes[-1],
        "sided": sided,
        "sits_out": game.match.sits_out,
        "uses_chance": meaning.uses_chance,
        "view_now": "state[SIDE]" if sided and has_tricks else "0",
        "views": "SIDES" if sided else "1",
    }
    return environment().get_template("players.py.j2").render(context) + "\n"


def _sense(phase: PhaseView, cards_matter: bool) -> str:
    """What a kind says of sense in one of its phases."""
    template = f"{phase.declared.phase.kind.replace('-', '_')}/sense.py.j2"
    if not (TEMPLATES.parent / "kinds" / template).is_file():
        return ""
    context = {**phase.context, "cards_matter": cards_matter}
    return environment().get_template(template).render(context).strip("\n")
