"""Trumps in words: what is named, which stands above which, and the whole order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trickwright_tools.terminal.page import fold
from trickwright_tools.terminal.voice import Voice, suit_of

View = Mapping[str, Any]


def named(view: View, voice: Voice) -> list[tuple[str, str]]:
    """Who has named what."""
    found = []
    for part in voice.rules.fields:
        outer, _, inner = part.key.partition(".")
        if part.type != "trump" or part.per_player or not inner or outer not in view:
            continue
        said = view[outer][inner]
        if said is not None:
            found.append((voice.title(inner), said))
    return found


def line(view: View, voice: Voice) -> str:
    """The trumps on one line: ``trumps: Kings over hearts``; empty before there are any."""
    said = named(view, voice)
    settled = "trump_order" in view
    words = voice.rules.words[voice.language].trumps
    if not said and not (settled and words):
        return ""
    if not said:  # what chance has named is told by itself
        return "" if view["trump_order"] else f"{voice.heading('trumps')}: {words[-1][0]}"
    if not settled:
        return f"{voice.heading('trumps')}: " + ", ".join(f"{who} {what}" for who, what in said)
    none = words[-1][0] if words else ""
    said = [(who, what) for who, what in said if what != none] or said[:1]
    order = [card for group in view["trump_order"] for card in group]
    ranked = sorted((what for _, what in said), key=lambda what: _height(what, said, order, voice))
    return f"{voice.heading('trumps')}: {voice.ui('over').join(ranked)}"


def order_line(view: View, voice: Voice) -> str:
    """All trumps from the top; equals are joined by ``=``."""
    groups = ["=".join(group) for group in view["trump_order"]]
    return fold(groups, " > ", f"  {voice.heading('trump_order')}: ", "    ")


def _height(what: str, said: list[tuple[str, str]], order: list[str], voice: Voice) -> int:
    """Place of the highest trump that is one for this reason alone."""
    others = [other for _, other in said if other != what]
    for place, card in enumerate(order):
        if _is(card, what, voice) and not any(_is(card, other, voice) for other in others):
            return place
    return len(order)


def _is(card: str, trump: str, voice: Voice) -> bool:
    ways = next(w for w in voice.rules.words[voice.language].trumps if w[0] == trump)
    suit = suit_of(card)
    return suit in ways or card.removesuffix(suit) in ways
