"""Binding the deck: suits, ranks, copies, named cards, points and what is taken out, checked against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from trickwright.cards import Card, Deck, Suit, rank_name
from trickwright.nodes import items, listed
from trickwright.paths import format_path
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node

_RANGE = re.compile(r"(\w+)-(\w+)")
FACE = "face"
"""As points: the number that the rank is."""


def plain_symbol(text: str) -> str:
    """A text without the invisible signs that tell whether a symbol is shown as a picture."""
    return text.replace("\ufe0e", "").replace("\ufe0f", "")


def bind_deck(node: Node, players: tuple[int, ...], report: Report) -> Deck | None:
    """The deck of ``cards``; None if a problem forbids it."""
    parts = items(node)
    suits = _suits(parts["suits"], report)
    ranks = _ranks(parts["ranks"], report)
    if suits is None or ranks is None:
        return None
    if "named" in parts:
        _report_unused(parts, report)
        cards = _named(parts["named"], suits, ranks, report)
    else:
        cards = _regular(parts, suits, ranks, report)
    if cards is None:
        return None
    sides = _sides(parts, cards, report)
    points: list[int] | None = [0] * len(cards)
    if "points" in parts:
        points = _points(parts["points"], suits, ranks, cards, report)
    if points is None or sides is None:
        return None
    whole = Deck(
        suits,
        ranks,
        tuple(replace(card, points=worth) for card, worth in zip(cards, points, strict=True)),
        {},
        side_names=sides,
    )
    alone = listed(parts["single_pack"]) if "single_pack" in parts else []
    single = frozenset(int(str(part.value)) for part in alone)
    return replace(whole, without=_without(parts, whole, players, report), single_pack=single)


def card_names(node: Node, deck: Deck) -> Iterator[tuple[str, Mark, str]]:
    """The names of suits, ranks and sides in expressions, each with its place and the path of that."""
    parts = items(node)
    for suit, mark in parts["suits"].keys.items():
        yield suit, mark, format_path(("cards", "suits", suit))
    for place, part in enumerate(listed(parts["ranks"])):
        yield rank_name(str(part.value)), part.mark, f"cards.ranks[{place}]"
    for place, part in enumerate(listed(parts["sides"]) if deck.side_names else []):
        yield str(part.value), part.mark, f"cards.sides[{place}]"


def _suits(node: Node, report: Report) -> tuple[Suit, ...] | None:
    suits = []
    for name, value in items(node).items():
        more = items(value)
        symbol = more["symbol"] if more else value
        letter = str(more["letter"].value) if "letter" in more else name[0]
        suits.append(Suit(name, plain_symbol(str(symbol.value)), letter.upper()))
    seen: dict[str, str] = {}
    for suit in suits:
        if not suit.symbol or not suit.symbol.isprintable():
            value, at = items(node)[suit.id], f"cards.suits.{suit.id}"
            report.error(value.mark, at, "the symbol cannot be seen", "bad-form")
            return None
        for what, sign in (("symbol", suit.symbol), ("letter", suit.letter)):
            if sign in seen:
                text = f"the suits {seen[sign]} and {suit.id} have the same {what} {sign}"
                mark, at = node.keys[suit.id], f"cards.suits.{suit.id}"
                hint = "the first letter of a suit's name stands for it on cards"
                hint = f"{hint}; or give another, {{symbol: {suit.symbol}, letter: X}}"
                report.error(mark, at, text, "not-unique", hint if what == "letter" else "")
                return None
            seen[sign] = suit.id
    return tuple(suits)


def _ranks(node: Node, report: Report) -> tuple[str, ...] | None:
    met: dict[str, str] = {}
    for place, part in enumerate(listed(node)):
        rank = str(part.value)
        if rank.casefold() in met:
            text = f"the rank {rank} is in the list already"
            if rank != met[rank.casefold()]:
                text = f"the rank {rank} is too like {met[rank.casefold()]}"
            report.error(part.mark, f"cards.ranks[{place}]", text, "not-unique")
            return None
        met[rank.casefold()] = rank
    return tuple(met.values())


def _range(
    node: Node, key: str, path: str, ranks: tuple[str, ...], report: Report, at: str = ""
) -> range | None:
    """The ranks that ``J`` or ``2-10`` names, by place; None, with a problem, if it names none."""
    mark = node.keys.get(at or key, node.mark)
    pair = _RANGE.fullmatch(key)
    ends = pair.groups() if pair and key not in ranks else (key, key)
    unknown = [end for end in ends if end not in ranks]
    if unknown:
        hint = did_you_mean(unknown[0], list(ranks), others="ranks")
        report.error(mark, path, f"there is no rank '{unknown[0]}'", "unknown-rank", hint)
        return None
    first, last = map(ranks.index, ends)
    if first > last:
        text = f"the ranks go from low to high, {ends[1]} before {ends[0]}"
        report.error(mark, path, text, "bad-form", f"write {ends[1]}-{ends[0]}")
        return None
    return range(first, last + 1)


def _regular(
    parts: dict[str, Node], suits: tuple[Suit, ...], ranks: tuple[str, ...], report: Report
) -> list[Card] | None:
    """Every suit with its ranks, all of them unless it says otherwise, each as often as the deck has it."""
    copies = _copies(parts.get("copies"), ranks, report)
    cards: list[Card] | None = []
    for place, suit in enumerate(suits):
        own = items(parts["suits"])[suit.id]
        some: range | None = range(len(ranks))
        if "ranks" in items(own):
            text, path = items(own)["ranks"], f"cards.suits.{suit.id}.ranks"
            some = _range(text, str(text.value), path, ranks, report)
        if some is None or copies is None or cards is None:
            cards = None
            continue
        cards += [Card(rank, (place,), 0, copy) for rank in some for copy in range(copies[rank])]
    return cards


def _copies(node: Node | None, ranks: tuple[str, ...], report: Report) -> list[int] | None:
    """How often each rank is in each suit."""
    if node is None or isinstance(node.value, int):
        return [1 if node is None else int(str(node.value))] * len(ranks)
    found: list[int] = [1] * len(ranks)
    for key, value in items(node).items():
        some = _range(node, key, f"cards.copies.{key}", ranks, report)
        if some is None:
            return None
        for rank in some:
            found[rank] = int(str(value.value))
    return found


def _report_unused(parts: dict[str, Node], report: Report) -> None:
    """What makes up a regular deck says nothing of one whose cards are listed by name."""
    text = "the cards are listed in named, so a change of this changes nothing"
    if "copies" in parts:
        report.warning(parts["copies"].mark, "cards.copies", text, "unused", "leave it out")
    for suit, value in items(parts["suits"]).items():
        if "ranks" in items(value):
            at = f"cards.suits.{suit}.ranks"
            report.warning(items(value)["ranks"].mark, at, text, "unused", "leave it out")


def _named(
    node: Node, suits: tuple[Suit, ...], ranks: tuple[str, ...], report: Report
) -> list[Card] | None:
    """Cards with names of their own, each a list of its rank and its suits."""
    ids = [suit.id for suit in suits]
    cards: list[Card] = []
    met: dict[str, str] = {}
    for name, value in items(node).items():
        path = format_path(("cards", "named", name))
        if not name or " ".join(name.split()) != name or not name.isprintable():
            text = "a card's name is one or more words with single blanks between them"
            report.error(node.keys[name], path, text, "bad-form")
            return None
        like = met.setdefault(name.casefold(), name)
        if like != name:
            text = f"the card {name} is too like {like}"
            report.error(node.keys[name], path, text, "not-unique")
            return None
        first, *others = listed(value)
        rank = str(first.value)
        if rank not in ranks:
            hint = did_you_mean(rank, list(ranks), others="ranks")
            report.error(first.mark, path, f"there is no rank '{rank}'", "unknown-rank", hint)
            return None
        for place, other in enumerate(others):
            if other.value in [before.value for before in others[:place]]:
                text = f"the card {name} has the suit {other.value} twice"
                report.error(other.mark, path, text, "not-unique", "name it once, or another suit")
                return None
            if other.value not in ids:
                hint = did_you_mean(str(other.value), ids, others="suits")
                text = f"there is no suit '{other.value}'"
                report.error(other.mark, path, text, "unknown-suit", hint)
                return None
        own = tuple(ids.index(str(other.value)) for other in others)
        cards.append(Card(ranks.index(rank), own, 0, 0, name))
    return sorted(cards, key=lambda card: (card.suits[0], card.rank))


def _sides(parts: dict[str, Node], cards: list[Card], report: Report) -> tuple[str, ...] | None:
    """What the sides of cards with two suits are called; there are such cards just if they have a name."""
    node = parts.get("sides")
    double = [card.name for card in cards if len(card.suits) > 1]
    if node is None and double:
        text = f"{double[0]} has two suits, but nothing says what its sides are called"
        report.error(
            parts["named"].mark, "cards.named", text, "missing-key", "sides: [top, bottom]"
        )
        return None
    if node is not None and not double:
        text = "no card has two suits, so a change of this changes nothing"
        report.warning(node.mark, "cards.sides", text, "unused", "leave it out")
        return ()
    return () if node is None else tuple(node.plain())


def _points(
    node: Node,
    suits: tuple[Suit, ...],
    ranks: tuple[str, ...],
    cards: list[Card],
    report: Report,
) -> list[int] | None:
    """Points of each card; keys are suits, ranks, or ranges of ranks, and a suit goes before a rank."""
    ids = [suit.id for suit in suits]
    by_rank: dict[int, Node] = {}
    by_suit: dict[int, Node] = {}
    for key, value in items(node).items():
        path = f"cards.points.{key}"
        if key in ids:
            by_suit[ids.index(key)] = value
            continue
        some = _range(node, key, path, ranks, report)
        if some is None:
            return None
        for rank in some:
            if rank in by_rank:
                text = f"rank {ranks[rank]} has points twice"
                report.error(node.keys[key], path, text, "not-unique")
            by_rank[rank] = value
    found: list[int] = []
    missing: dict[str, None] = {}
    acting: list[Node] = []
    for card in cards:
        given = by_suit.get(card.suits[0], by_rank.get(card.rank))
        if given is not None:
            acting.append(given)
        if given is None:
            missing[ranks[card.rank]] = None
        elif given.value != FACE:
            found.append(int(str(given.value)))
        elif ranks[card.rank].isdigit():
            found.append(int(ranks[card.rank]))
        else:
            text = f"the rank {ranks[card.rank]} is no number, so its face is none"
            report.error(given.mark, "cards.points", text, "missing-points", "give it a number")
            return None
    if missing:
        text = f"no points are given for {', '.join(missing)}"
        report.error(
            node.mark, "cards.points", text, "missing-points", "0 is a number of points, too"
        )
        return None
    for key, value in items(node).items():
        if not any(value is one for one in acting):
            text = f"no card has its points from '{key}', so a change of this changes nothing"
            hint = "a suit's points go before those of a rank; leave it out"
            report.warning(node.keys[key], f"cards.points.{key}", text, "unused", hint)
    return found


def _without(
    parts: dict[str, Node],
    whole: Deck,
    players: tuple[int, ...],
    report: Report,
) -> dict[int, frozenset[int]]:
    """Cards not in play, by number of players: those listed, and the copies where there is one pack only."""
    found: dict[int, frozenset[int]] = {}
    for count, cards in items(parts.get("without")).items():
        path = f"cards.without.{count}"
        if players and int(count) not in players:
            text = f"the game is not for {count} players"
            hint = f"players: {', '.join(map(str, players))}"
            report.error(parts["without"].keys[count], path, text, "bad-players", hint)
        found[int(count)] = _listed_cards(cards, path, whole, report)
    single = parts.get("single_pack")
    if single is None:
        return found
    seconds = frozenset(n for n, card in enumerate(whole.cards) if card.copy)
    if not seconds:
        text = "there is one of each card anyway, so a change of this changes nothing"
        report.warning(single.mark, "cards.single_pack", text, "unused", "leave it out")
    counts = listed(single)
    for place, part in enumerate(counts):
        alone, path = int(str(part.value)), f"cards.single_pack[{place}]"
        if players and alone not in players:
            text = f"the game is not for {alone} players"
            hint = f"players: {', '.join(map(str, players))}"
            report.error(part.mark, path, text, "bad-players", hint)
        if alone in [before.value for before in counts[:place]]:
            text = f"{alone} players are in the list already"
            report.error(part.mark, path, text, "not-unique")
        found[alone] = found.get(alone, frozenset()) | seconds
    return found


def _listed_cards(node: Node, path: str, whole: Deck, report: Report) -> frozenset[int]:
    """The cards of a list; the name of a suit stands for all of it, and of identical cards each time for one more."""
    out: set[int] = set()
    for place, card in enumerate(listed(node)):
        name, at = plain_symbol(str(card.value)), f"{path}[{place}]"
        meant = set(_cards_called(name, whole))
        if not meant:
            known = [*dict.fromkeys(whole.names), *(suit.id for suit in whole.suits)]
            hint = did_you_mean(name, known, others="cards")
            report.error(card.mark, at, f"there is no card '{card.value}'", "unknown-card", hint)
        elif meant <= out:
            report.error(card.mark, at, f"{card.value} is taken out twice", "not-unique")
        elif name in [suit.id for suit in whole.suits]:
            out |= meant
        else:
            out.add(min(meant - out))
    return frozenset(out)


def _cards_called(name: str, whole: Deck) -> Iterator[int]:
    """The cards of a name: a card and its twins, or a whole suit."""
    first = whole.numbers.get(name)
    for number, card in enumerate(whole.cards):
        if whole.suits[card.suits[0]].id == name or (
            first is not None and whole.names[number] == whole.names[first]
        ):
            yield number
