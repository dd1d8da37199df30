"""Binding: a checked tree of nodes becomes a :class:`~trickwright.model.Game`.

The tree fits the schemas when it comes here, so shapes and types are settled; what is left are values that must agree
with each other: names of cards and ranks, sources, and players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trickwright.cards import Deck, Suit
from trickwright.kinds import Phase, find_kind
from trickwright.model import Game, MatchRules, Scoring, ScoringRule, Source
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.text import Cited, Reading

_RANK_RANGE = re.compile(r"(\w+)-(\w+)")
_OUTCOME_FREE = ("source", "reading", "numbers", "define")


def bind(root: Node, variants: tuple[str, ...], changed: bool, report: Report) -> Game | None:
    """The game that the tree tells of; None if a problem forbids it, with all problems reported."""
    top = _items(root)
    _check_ids(root, report)
    if report.failed:
        return None
    check_citations(root, root, report)
    players = _players(top["players"], report)
    deck = _deck(top["cards"], players, report)
    if deck is None or not players:
        return None
    return Game(
        id=_text(root, "game"),
        title=top["title"].plain(),
        variants=variants,
        changed=changed,
        mark=top["game"].mark,
        sources=_sources(root),
        players=players,
        cards=_cited(top["cards"]),
        deck=deck,
        phases=tuple(_phases(top["phases"])),
        tables={
            name: _table(name, node, top["tables"].keys[name], players, deck, report)
            for name, node in _items(top.get("tables")).items()
        },
        scoring=_scoring(top["scoring"], root.keys["scoring"]),
        match=_match(top["match"], players, report),
        readings=tuple(
            Reading(path, node.value["reading"].mark, _text(node, "reading"))
            for path, node in _walk(root, "")
            if isinstance(node.value, dict) and "reading" in node.value
        ),
    )


def _sources(root: Node) -> dict[str, Source]:
    return {
        name: Source(name, _text(node, "title"), tuple(_items(node)["sections"].plain()))
        for name, node in _items(_items(root)["sources"]).items()
    }


def check_citations(node: Node, rules: Node, report: Report) -> None:
    """Whatever is cited below the node, the sources of the rules list."""
    sources = _sources(rules)
    for path, part in _walk(node, ""):
        if isinstance(part.value, dict) and "source" in part.value:
            at = f"{path}.source" if path else "source"
            _check_citation(at, part.value["source"], sources, report)


def _check_ids(root: Node, report: Report) -> None:
    """Nothing is called as the two keys are that say where a rule comes from."""
    top = _items(root)
    named: list[tuple[str, Node]] = []
    named += [(key, top[key]) for key in ("sources", "phases", "tables") if key in top]
    named.append(("cards.suits", _items(top["cards"])["suits"]))
    for key, child in _items(top["scoring"]).items():
        if key not in ("source", "reading"):
            named.append((f"scoring.{key}", child))
    for path, part in named:
        for name in ("source", "reading"):
            if name in part.keys:
                text = f"the name '{name}' is taken by the rules language"
                hint = "choose another name"
                report.error(part.keys[name], f"{path}.{name}", text, "taken-name", hint)


def _items(node: Node | None) -> dict[str, Node]:
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _list(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else []


def plain_symbol(text: str) -> str:
    """A text without the invisible signs that tell whether a symbol is shown as a picture."""
    return text.replace("\ufe0e", "").replace("\ufe0f", "")


def _text(node: Node, key: str) -> str:
    found = _items(node).get(key)
    return "" if found is None else str(found.value)


def _walk(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    yield path, node
    if isinstance(node.value, dict):
        for key, child in node.value.items():
            yield from _walk(child, f"{path}.{key}" if path else key)
    elif isinstance(node.value, list):
        for place, child in enumerate(node.value):
            yield from _walk(child, f"{path}[{place}]")


def _cited(node: Node) -> Cited:
    source = _items(node).get("source")
    return Cited({} if source is None else source.plain(), _text(node, "reading"))


def _check_citation(path: str, node: Node, sources: dict[str, Source], report: Report) -> None:
    for name, heading in _items(node).items():
        at = f"{path}.{name}"
        if name not in sources:
            report.error(
                node.keys[name],
                at,
                f"there is no source '{name}'",
                "unknown-source",
                did_you_mean(name, list(sources)),
            )
        elif heading.value not in sources[name].sections:
            report.error(
                heading.mark,
                at,
                f"'{heading.value}' is not a section of '{sources[name].title}'",
                "unknown-source",
                did_you_mean(str(heading.value), list(sources[name].sections)),
            )


def _players(node: Node, report: Report) -> tuple[int, ...]:
    counts: list[int] = node.plain()
    if counts != list(range(min(counts), max(counts) + 1)):
        report.error(
            node.mark,
            "players",
            "numbers of players must rise one by one, without a gap",
            "bad-players",
            f"for example [{min(counts)}, {min(counts) + 1}]",
        )
        return ()
    return tuple(counts)


def _deck(node: Node, players: tuple[int, ...], report: Report) -> Deck | None:
    parts = _items(node)
    suits = [
        Suit(name, plain_symbol(symbol), name[0].upper())
        for name, symbol in parts["suits"].plain().items()
    ]
    ranks = tuple(str(rank) for rank in parts["ranks"].plain())
    seen: dict[str, str] = {}
    for suit in suits:
        if not suit.symbol or not suit.symbol.isprintable():
            node, at = _items(parts["suits"])[suit.id], f"cards.suits.{suit.id}"
            report.error(node.mark, at, "the symbol cannot be seen", "bad-form")
            return None
        for what, sign in (("symbol", suit.symbol), ("letter", suit.letter)):
            if sign in seen:
                text = f"the suits {seen[sign]} and {suit.id} have the same {what} {sign}"
                mark, at = parts["suits"].keys[suit.id], f"cards.suits.{suit.id}"
                hint = "the first letter of a suit's name stands for it on cards"
                hint = hint if what == "letter" else ""
                report.error(mark, at, text, "not-unique", hint)
                return None
            seen[sign] = suit.id
    met: dict[str, str] = {}
    for place, (node, rank) in enumerate(zip(_list(parts["ranks"]), ranks, strict=True)):
        if rank.casefold() in met:
            text = f"the rank {rank} is in the list already"
            if rank != met[rank.casefold()]:
                text = f"the rank {rank} is too like {met[rank.casefold()]}"
            report.error(node.mark, f"cards.ranks[{place}]", text, "not-unique")
            return None
        met[rank.casefold()] = rank
    points = _points(parts["points"], ranks, report)
    if points is None:
        return None
    whole = Deck(tuple(suits), ranks, points, {})
    without: dict[int, frozenset[int]] = {}
    for count, cards in _items(parts.get("without")).items():
        path = f"cards.without.{count}"
        if players and int(count) not in players:
            report.error(
                parts["without"].keys[count],
                path,
                f"the game is not for {count} players",
                "bad-players",
                f"players: {', '.join(map(str, players))}",
            )
        out: set[int] = set()
        for place, card in enumerate(_list(cards)):
            number = whole.numbers.get(plain_symbol(str(card.value)))
            if number is None:
                report.error(
                    card.mark,
                    f"{path}[{place}]",
                    f"there is no card '{card.value}'",
                    "unknown-card",
                    did_you_mean(str(card.value), list(whole.names), others="cards"),
                )
            elif number in out:
                report.error(
                    card.mark, f"{path}[{place}]", f"{card.value} is taken out twice", "not-unique"
                )
            else:
                out.add(number)
        without[int(count)] = frozenset(out)
    return Deck(tuple(suits), ranks, points, without)


def _points(node: Node, ranks: tuple[str, ...], report: Report) -> tuple[int, ...] | None:
    """Points by rank; keys are ranks or ranges of ranks such as ``2-10``."""
    found: dict[str, int] = {}
    for key, value in _items(node).items():
        pair = _RANK_RANGE.fullmatch(key)
        ends = pair.groups() if pair and key not in ranks else (key, key)
        unknown = [end for end in ends if end not in ranks]
        if unknown:
            report.error(
                node.keys[key],
                f"cards.points.{key}",
                f"there is no rank '{unknown[0]}'",
                "unknown-rank",
                did_you_mean(unknown[0], list(ranks), others="ranks"),
            )
            return None
        first, last = map(ranks.index, ends)
        if first > last:
            text = f"the ranks go from low to high, {ends[1]} before {ends[0]}"
            hint = f"write {ends[1]}-{ends[0]}"
            report.error(node.keys[key], f"cards.points.{key}", text, "bad-form", hint)
            return None
        for rank in ranks[first : last + 1]:
            if rank in found:
                report.error(
                    node.keys[key],
                    f"cards.points.{key}",
                    f"rank {rank} has points twice",
                    "not-unique",
                )
            found[rank] = int(str(value.value))
    missing = [rank for rank in ranks if rank not in found]
    if missing:
        report.error(
            node.mark,
            "cards.points",
            f"no points are given for {', '.join(missing)}",
            "missing-points",
            "0 is a number of points, too",
        )
        return None
    return tuple(found[rank] for rank in ranks)


def _phases(node: Node) -> Iterator[Phase]:
    for name, phase in _items(node).items():
        kind = _text(phase, "kind")
        yield Phase(name, kind, phase, _cited(phase), find_kind(kind).bind(phase))


def _table(
    name: str,
    node: Node,
    mark: Mark,
    players: tuple[int, ...],
    deck: Deck,
    report: Report,
) -> Table:
    rows: dict[int, tuple[int, ...]] = {}
    entries: dict[str, int] = {}
    marks: dict[str, Mark] = {}
    for key, value in _items(node).items():
        if isinstance(value.value, list):
            rows[int(key)] = tuple(value.plain())
            marks[key] = value.mark
        elif isinstance(value.value, int) and key not in ("source", "reading", "at_most"):
            entries[key] = value.value
            marks[key] = value.mark
    path = f"tables.{name}"
    if rows and entries:
        key = next(iter(entries))
        text = "a table has either rows by number of players or entries by kind of trump"
        report.error(node.keys[key], f"{path}.{key}", text, "bad-form", "make two tables of it")
    if not rows and not entries:
        hint = f"add a row for {players[0]} players, {players[0]}: [...], or an entry such as suit: 0"
        report.error(mark, path, "the table is empty", "missing-key", hint)
    for count in rows:
        if count not in players:
            text, at = f"the game is not for {count} players", f"{path}.{count}"
            hint = f"players: {', '.join(map(str, players))}"
            report.error(node.keys[str(count)], at, text, "bad-players", hint)
    for count in players if rows else ():
        if count not in rows:
            text, hint = f"no row for {count} players", f"add {count}: [...]"
            report.error(mark, path, text, "uncovered-table", hint)
    limited = "at_most" in _items(node)
    if limited and entries:
        text = "only rows by number of players can be held against the points in play"
        report.error(node.keys["at_most"], f"{path}.at_most", text, "bad-form", "leave it out")
    for count, row in rows.items() if limited else ():
        most = deck.points_in_play(count)
        for place, entry in enumerate(_list(_items(node)[str(count)])):
            if row[place] > most and count in players:
                text = f"{row[place]} is more than the {most} points in play with {count} players"
                report.error(entry.mark, f"{path}.{count}[{place}]", text, "beyond-points")
    return Table(name, mark, _cited(node), rows, entries, marks, limited)


def _scoring(node: Node, mark: Mark) -> Scoring:
    parts = _items(node)
    numbers = _items(parts.get("numbers"))
    define = _items(parts.get("define"))
    outcomes = {key: child for key, child in parts.items() if key not in _OUTCOME_FREE}
    return Scoring(
        mark=mark,
        cited=_cited(node),
        numbers={name: int(str(value.value)) for name, value in numbers.items()},
        number_marks=parts["numbers"].keys if numbers else {},
        define={name: str(value.value) for name, value in define.items()},
        define_marks=parts["define"].keys if define else {},
        define_nodes=define,
        outcomes={
            outcome: tuple(
                _rule(f"scoring.{outcome}.{key}", key, rule) for key, rule in _items(rules).items()
            )
            for outcome, rules in outcomes.items()
        },
        outcome_marks={key: node.keys[key] for key in outcomes},
    )


def _rule(path: str, name: str, node: Node) -> ScoringRule:
    return ScoringRule(
        name,
        path,
        _items(node),
        _cited(node),
        _text(node, "who"),
        _text(node, "when"),
        _text(node, "points"),
    )


def _match(node: Node, players: tuple[int, ...], report: Report) -> MatchRules:
    values = node.plain()
    if players and values["first_dealer"] > min(players):
        report.error(
            _items(node)["first_dealer"].mark,
            "match.first_dealer",
            f"there is no seat {values['first_dealer']} with {min(players)} players",
            "bad-players",
        )
    return MatchRules(
        _cited(node),
        values["first_dealer"],
        values["deal_passes"],
        values["until"],
        values["winner"],
        values["tied"],
    )
