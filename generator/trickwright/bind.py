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
    sources = {
        name: Source(name, _text(node, "title"), tuple(_items(node)["sections"].plain()))
        for name, node in _items(top["sources"]).items()
    }
    for path, node in _walk(root, ""):
        if isinstance(node.value, dict) and "source" in node.value:
            _check_citation(f"{path}.source", node.value["source"], sources, report)
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
        sources=sources,
        players=players,
        cards=_cited(top["cards"]),
        deck=deck,
        phases=tuple(_phases(top["phases"])),
        tables={
            name: _table(name, node, players, deck, report)
            for name, node in _items(top.get("tables")).items()
        },
        scoring=_scoring(top["scoring"]),
        match=_match(top["match"], players, report),
        readings=tuple(
            Reading(path, node.value["reading"].mark, _text(node, "reading"))
            for path, node in _walk(root, "")
            if isinstance(node.value, dict) and "reading" in node.value
        ),
    )


def _items(node: Node | None) -> dict[str, Node]:
    return node.value if node is not None and isinstance(node.value, dict) else {}


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
    suits = [Suit(name, symbol, name[0].upper()) for name, symbol in parts["suits"].plain().items()]
    ranks = tuple(str(rank) for rank in parts["ranks"].plain())
    for what, values in (
        ("symbol", [s.symbol for s in suits]),
        ("letter", [s.letter for s in suits]),
    ):
        if len(set(values)) < len(values):
            report.error(
                parts["suits"].mark, "cards.suits", f"two suits have the same {what}", "not-unique"
            )
            return None
    if len(set(ranks)) < len(ranks):
        report.error(parts["ranks"].mark, "cards.ranks", "a rank stands twice", "not-unique")
        return None
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
        for place, card in enumerate(cards.value if isinstance(cards.value, list) else []):
            number = whole.numbers.get(str(card.value))
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
        for rank in ranks[ranks.index(ends[0]) : ranks.index(ends[1]) + 1]:
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


def _table(name: str, node: Node, players: tuple[int, ...], deck: Deck, report: Report) -> Table:
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
    for count in rows:
        if count not in players:
            report.error(
                node.keys[str(count)],
                f"{path}.{count}",
                f"the game is not for {count} players",
                "bad-players",
            )
    for count in players if rows else ():
        if count not in rows:
            report.error(
                node.mark,
                path,
                f"no row for {count} players",
                "uncovered-table",
                f"add {count}: [...]",
            )
    limited = "at_most" in _items(node)
    for count, row in rows.items() if limited else ():
        most = deck.points_in_play(count)
        for place, entry in enumerate(row):
            if entry > most and count in players:
                report.error(
                    marks[str(count)],
                    f"{path}.{count}[{place}]",
                    f"{entry} is more than the {most} points in play with {count} players",
                    "beyond-points",
                )
    return Table(name, node.mark, _cited(node), rows, entries, marks, limited)


def _scoring(node: Node) -> Scoring:
    parts = _items(node)
    numbers = _items(parts.get("numbers"))
    define = _items(parts.get("define"))
    outcomes = {key: child for key, child in parts.items() if key not in _OUTCOME_FREE}
    return Scoring(
        mark=node.mark,
        cited=_cited(node),
        numbers={name: int(str(value.value)) for name, value in numbers.items()},
        number_marks={name: value.mark for name, value in numbers.items()},
        define={name: str(value.value) for name, value in define.items()},
        define_marks={name: value.mark for name, value in define.items()},
        outcomes={
            outcome: tuple(
                _rule(f"scoring.{outcome}.{key}", key, rule) for key, rule in _items(rules).items()
            )
            for outcome, rules in outcomes.items()
        },
        outcome_marks={key: node.keys[key] for key in outcomes},
    )


def _rule(path: str, name: str, node: Node) -> ScoringRule:
    marks = {key: value.mark for key, value in _items(node).items()}
    return ScoringRule(
        name,
        path,
        marks,
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
