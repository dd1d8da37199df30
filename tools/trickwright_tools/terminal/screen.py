"""What a person sees when it is their turn, made from the view of that person alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trickwright_tools.terminal import trumps
from trickwright_tools.terminal.deeds import Deed, played_by, roles
from trickwright_tools.terminal.page import WIDTH, columns, fold, short
from trickwright_tools.terminal.voice import Voice

if TYPE_CHECKING:
    from trickwright.templates.runtime import Field

View = Mapping[str, Any]
NAME = 16
"""Columns for a player's name."""
LAID = "laid_out"
"""The part that holds cards of the hand that lie open."""
HELD = "hands"
"""The part of a position that holds the players' hands."""


def turn(view: View, done: Sequence[Deed], voice: Voice) -> str:
    """The table as it must be known for a turn."""
    lines = [_who(view, voice), trumps.line(view, voice)]
    lines += [players(view, done, voice), on_table(view, done, voice), own_cards(view, voice)]
    lines += own_other_cards(view, voice)
    return "\n".join(line for line in lines if line)


def whole_table(view: View, done: Sequence[Deed], voice: Voice) -> str:
    """All that lies open, also what a turn does not need."""
    lines = [_who(view, voice), trumps.line(view, voice)]
    if view.get("trump_order"):
        lines.append(trumps.order_line(view, voice).strip())
    lines.append(players(view, done, voice, whole=True))
    for part in voice.rules.fields:
        if part.type == "order" and view.get(part.key):
            names = view[part.key]
            lines.append(fold(names, ", ", f"{voice.heading(part.key)}: "))
    known = {part.key.split(".")[0] for part in voice.rules.fields}
    known |= {"you", "round", "phase", "dealer", "to_move", "outcome", "scores", "actions", "legal"}
    lines += [
        _fact(voice.heading(key), value, voice)
        for key, value in view.items()
        if value and key not in known | {"trump_order", "on_table"}
    ]
    lines += [on_table(view, done, voice), own_cards(view, voice), *own_other_cards(view, voice)]
    return "\n".join(line for line in lines if line)


def _who(view: View, voice: Voice) -> str:
    said = [f"{title}: {names}" for title, names in roles(view, voice)]
    return fold(said) if said else ""


def _fact(title: str, value: Any, voice: Voice) -> str:
    """A fact of any shape, with titles."""
    if isinstance(value, Mapping):
        inner = value.items()
        parts = [
            _fact(voice.title(key), one, voice) for key, one in inner if one not in ([], None, 0)
        ]
        return fold(parts, ", ", f"{title}: ")
    said = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{title} {said}"


def players(view: View, done: Sequence[Deed], voice: Voice, whole: bool = False) -> str:
    """A line for each player: numbers first, then cards. What is still nothing for all is left out."""
    names = voice.table.players
    parts = [
        part
        for part in voice.rules.fields
        if part.per_player and part.type != "order" and not _is_kept(part)
    ]
    numbers: dict[str, list[str]] = {}
    cards: dict[str, list[list[str]]] = {}
    for part in parts:
        shown = view.get(part.key, {})
        if part.type == "option":
            continue
        if part.seen_by == "owner" or part.type != "cards":
            cells = [_count(part, shown.get(name)) for name in names]
            if whole or any(cell not in ("0", "") for cell in cells):
                numbers[voice.title(part.key)] = cells
        elif part.type == "cards":
            lying = [_lying(shown.get(name, []), name, done, view, voice) for name in names]
            if any(lying):
                cards[voice.title(part.key)] = lying
    rows = [["", *numbers]]
    for place, name in enumerate(names):
        you = f" ({voice.ui('you')})" if name == view["you"] else ""
        rows.append(
            [short(name, NAME - len(you)) + you, *(cells[place] for cells in numbers.values())]
        )
    lines = columns(rows, [True, *(False for _ in numbers)])
    for title, lying in cards.items():
        lines = _beside(lines, title, lying)
    return "\n".join(lines)


def _count(part: Field, value: Any) -> str:
    """A number, or how many cards; the hidden numbers of others stay hidden."""
    if isinstance(value, Mapping):
        return str(value.get("cards", "")) if part.type == "cards" else ""
    if value is None:
        return ""
    return str(len(value)) if isinstance(value, list) else str(value)


def _lying(
    cards: Sequence[str], player: str, done: Sequence[Deed], view: View, voice: Voice
) -> list[str]:
    """Those of a player's open cards with which nothing more has been done since they were laid."""
    verbs: dict[str, list[str]] = {}
    for deed in done:
        if deed.player == player and deed.type == "card":
            verbs.setdefault(deed.what, []).append(deed.verb)
    kept: list[str] = []
    for card in dict.fromkeys(cards):  # of identical cards those that lie open are taken first
        first, *others = verbs.get(card, [""])
        gone = sum(verb != first for verb in others)
        kept += [card] * (cards.count(card) - gone)
    return [voice.card(card) for suit in voice.by_suit(kept, view) for card in suit]


def _beside(lines: list[str], title: str, lying: list[list[str]]) -> list[str]:
    """A column of cards at the right of a table; many cards go on below."""
    width = max(map(len, lines))
    left = max(12, WIDTH - width - 3)
    found = [f"{lines[0]:<{width}}   {title}"]
    for line, cards in zip(lines[1:], lying, strict=True):
        first, *more = fold(cards, " ", indent="", width=left).splitlines() or [""]
        found.append(f"{line:<{width}}   {first}".rstrip())
        found += [f"{'':<{width}}   {rest}" for rest in more]
    return found


def on_table(view: View, done: Sequence[Deed], voice: Voice) -> str:
    """The trick that is being played; empty if none is."""
    trick = view.get("on_table")
    if not trick:
        return ""
    said = played_by(done, trick["cards"], voice)
    ahead = voice.ui("ahead", player=trick["winner"])
    return fold([*said[:-1], f"{said[-1]}  ({ahead})"], first=f"{voice.heading('on_table')}: ")


def own_cards(view: View, voice: Voice) -> str:
    """The person's own hand by suit, from the top; cards that lie open are in brackets."""
    own: list[str] = []
    lying: Counter[str] = Counter()
    for part in voice.rules.fields:
        if part.type == "cards" and part.per_player:
            shown = view.get(part.key, {}).get(view["you"], [])
            if part.key == HELD:
                own += shown
            elif part.key == LAID:
                lying.update(shown)
    if not own:
        return ""
    note = [voice.ui("lies_open")] if lying.keys() & {*own} else []
    return cards_by_suit(own, view, voice, f"{voice.ui('your_hand')}: ", lying, note)


def cards_by_suit(
    cards: Sequence[str],
    view: View,
    voice: Voice,
    first: str,
    lying: Mapping[str, int] | None = None,
    note: Sequence[str] = (),
) -> str:
    """Cards by suit behind a heading, suits with long names each on a line; those that lie open are in brackets."""
    left = Counter(lying)
    suits: list[list[str]] = []
    for suit in voice.by_suit(cards, view):
        suits.append([])
        for card in suit:  # of identical cards as many are in brackets as lie open
            said = voice.card(card)
            suits[-1].append(f"[{said}]" if left[card] > 0 else said)
            left[card] -= 1
    if not voice.faces:
        return fold([*map(" ".join, suits), *note], "   ", first, "    ")
    lines = [fold(suit, ", ", "    ", "      ") for suit in [*suits, *([note] if note else [])]]
    return "\n".join([first.rstrip(), *lines])


def own_other_cards(view: View, voice: Voice) -> list[str]:
    """Cards that the person alone knows of, such as those received, a line for each sort."""
    found = []
    for part in voice.rules.fields:
        cards = view.get(part.key, {}).get(view["you"], []) if _is_kept(part) else []
        if cards:
            found.append(cards_by_suit(cards, view, voice, f"{voice.heading(part.key)}: "))
    return found


def _is_kept(part: Field) -> bool:
    """Whether a part holds cards that are known to one player alone and are not the hand itself."""
    return (
        part.per_player
        and part.type == "cards"
        and part.seen_by in ("owner", "owner-only")
        and part.key != HELD
    )
