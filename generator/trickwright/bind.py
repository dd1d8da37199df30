"""Binding: a checked tree of nodes becomes a :class:`~trickwright.model.Game`.

The tree fits the schemas when it comes here, so shapes and types are settled; what is left are values that must agree
with each other: names of cards and ranks, sources, and players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trickwright.bind_cards import bind_deck
from trickwright.cards import TRUMP_KINDS, Deck
from trickwright.kinds import Phase, find_kind
from trickwright.model import Game, MatchRules, Rounds, Scoring, ScoringRule, Source
from trickwright.nodes import items, listed
from trickwright.poker import POKER_CLASSES
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.text import Cited, Reading

_OUTCOME_FREE = ("source", "reading", "numbers", "define")


def bind(root: Node, variants: tuple[str, ...], changed: bool, report: Report) -> Game | None:
    """The game that the tree tells of; None if a problem forbids it, with all problems reported."""
    top = items(root)
    _check_cards(top["cards"], report)
    if not report.failed:
        _check_ids(root, report)
    if report.failed:
        return None
    check_citations(root, root, report)
    at_table = _players(top["players"], report)
    deck = bind_deck(top["cards"], at_table, report)
    if deck is None or not at_table:
        return None
    sits_out = _sits_out(items(top["match"]).get("sits_out"), at_table, report)
    players = tuple(count for count in at_table if count not in sits_out)
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
        rounds=_rounds(top, report),
        tables={
            name: _table(name, node, top["tables"].keys[name], players, sits_out, deck, report)
            for name, node in items(top.get("tables")).items()
        },
        scoring=_scoring(top["scoring"], root.keys["scoring"]),
        match=_match(top["match"], root.keys["match"], players, sits_out, report),
        readings=tuple(
            Reading(path, node.value["reading"].mark, _text(node, "reading"))
            for path, node in _walk(root, "")
            if isinstance(node.value, dict) and "reading" in node.value
        ),
    )


def _sources(root: Node) -> dict[str, Source]:
    return {
        name: Source(name, _text(node, "title"), tuple(items(node)["sections"].plain()))
        for name, node in items(items(root)["sources"]).items()
    }


def check_citations(node: Node, rules: Node, report: Report) -> None:
    """Whatever is cited below the node, the sources of the rules list."""
    sources = _sources(rules)
    for path, part in _walk(node, ""):
        inside_a_phase = re.match(r"phases\.[\w-]+\.", path)  # where keys may be names
        if isinstance(part.value, dict) and "source" in part.value and not inside_a_phase:
            at = f"{path}.source" if path else "source"
            _check_citation(at, part.value["source"], sources, report)


def _check_cards(node: Node, report: Report) -> None:
    """There are suits and ranks: a deck that is named has them, but a variant may have taken them away."""
    for key in ("suits", "ranks"):
        if key not in items(node):
            text = f"missing key '{key}'"
            report.error(
                node.mark, "cards", text, "missing-key", f"the deck has no {key} without it"
            )


def _check_ids(root: Node, report: Report) -> None:
    """Nothing is called as the two keys are that say where a rule comes from."""
    top = items(root)
    named: list[tuple[str, Node]] = []
    named += [(key, top[key]) for key in ("sources", "phases", "tables") if key in top]
    named.append(("cards.suits", items(top["cards"])["suits"]))
    for key, child in items(top["scoring"]).items():
        if key not in ("source", "reading"):
            named.append((f"scoring.{key}", child))
    for path, part in named:
        for name in ("source", "reading"):
            if name in part.keys:
                text = f"the name '{name}' is taken by the rules language"
                hint = "choose another name"
                report.error(part.keys[name], f"{path}.{name}", text, "taken-name", hint)


def _text(node: Node, key: str) -> str:
    found = items(node).get(key)
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
    source = items(node).get("source")
    return Cited({} if source is None else source.plain(), _text(node, "reading"))


def _check_citation(path: str, node: Node, sources: dict[str, Source], report: Report) -> None:
    for name, heading in items(node).items():
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


def _phases(node: Node) -> Iterator[Phase]:
    for name, phase in items(node).items():
        kind = _text(phase, "kind")
        yield Phase(name, kind, phase, _cited(phase), find_kind(kind).bind(phase))


def _rounds(top: dict[str, Node], report: Report) -> Rounds | None:
    """What is played in rounds; checked to be phases of the game, the first before the last."""
    if "rounds" not in top:
        return None
    node, parts, phases = top["rounds"], items(top["rounds"]), list(items(top["phases"]))
    for key in ("from", "to"):
        name = str(parts[key].value)
        if name not in phases:
            text, hint = f"there is no phase '{name}'", did_you_mean(name, phases, others="phases")
            report.error(parts[key].mark, f"rounds.{key}", text, "unknown-name", hint)
            return None
    first, last = str(parts["from"].value), str(parts["to"].value)
    if not 1 <= phases.index(first) <= phases.index(last):
        text = "a round goes from a phase after the deal to that phase or a later one"
        report.error(parts["from"].mark, "rounds.from", text, "bad-order")
        return None
    return Rounds(_cited(node), first, last, int(str(parts["times"].value)), node)


def _table(
    name: str,
    node: Node,
    mark: Mark,
    players: tuple[int, ...],
    sits_out: tuple[int, ...],
    deck: Deck,
    report: Report,
) -> Table:
    rows: dict[int, tuple[int, ...]] = {}
    entries: dict[str, int] = {}
    marks: dict[str, Mark] = {}
    for key, value in items(node).items():
        if isinstance(value.value, list):
            rows[int(key)] = tuple(value.plain())
            marks[key] = value.mark
        elif isinstance(value.value, int) and key not in ("source", "reading", "at_most"):
            entries[key] = value.value
            marks[key] = value.mark
    path = f"tables.{name}"
    trumps = [*TRUMP_KINDS, *(trump for trump, _ in deck.trumps[:-1])]
    classes = POKER_CLASSES if entries.keys() & {*POKER_CLASSES} else ()
    for key in entries:
        if key not in (classes or trumps) and not key.isdigit():
            hint = did_you_mean(key, ["source", "reading", "at_most", *(classes or trumps)])
            text = f"unknown key '{key}'"
            report.error(node.keys[key], f"{path}.{key}", text, "unknown-key", hint)
    if rows and entries:
        key = next(iter(entries))
        text = "a table has either rows by number of players or entries by kind of trump"
        report.error(node.keys[key], f"{path}.{key}", text, "bad-form", "make two tables of it")
    if not rows and not entries:
        hint = (
            f"add a row for {players[0]} players, {players[0]}: [...], or an entry such as suit: 0"
        )
        report.error(mark, path, "the table is empty", "missing-key", hint)
    for count in rows:
        if count not in (*players, *sits_out):
            text, at = f"the game is not for {count} players", f"{path}.{count}"
            hint = f"players: {', '.join(map(str, players))}"
            report.error(node.keys[str(count)], at, text, "bad-players", hint)
    for count in players if rows else ():
        if count not in rows:
            text, hint = f"no row for {count} players", f"add {count}: [...]"
            report.error(mark, path, text, "uncovered-table", hint)
    limited = "at_most" in items(node)
    if limited and entries:
        text = "only rows by number of players can be held against the points in play"
        report.error(node.keys["at_most"], f"{path}.at_most", text, "bad-form", "leave it out")
    for count, row in rows.items() if limited else ():
        most = deck.points_in_play(count)
        for place, entry in enumerate(listed(items(node)[str(count)])):
            if row[place] > most and count in players:
                text = f"{row[place]} is more than the {most} points in play with {count} players"
                report.error(entry.mark, f"{path}.{count}[{place}]", text, "beyond-points")
    places = {
        count: tuple(entry.mark for entry in listed(items(node)[str(count)])) for count in rows
    }
    return Table(name, mark, _cited(node), rows, entries, marks, limited, places)


def _scoring(node: Node, mark: Mark) -> Scoring:
    parts = items(node)
    numbers = items(parts.get("numbers"))
    define = items(parts.get("define"))
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
                _rule(f"scoring.{outcome}.{key}", key, rule) for key, rule in items(rules).items()
            )
            for outcome, rules in outcomes.items()
        },
        outcome_marks={key: node.keys[key] for key in outcomes},
    )


def _rule(path: str, name: str, node: Node) -> ScoringRule:
    return ScoringRule(
        name,
        path,
        items(node),
        _cited(node),
        _text(node, "who"),
        _text(node, "when"),
        _text(node, "points"),
    )


def _sits_out(node: Node | None, players: tuple[int, ...], report: Report) -> tuple[int, ...]:
    """Numbers of players with which one sits out: hands are for one fewer, and again rise one by one."""
    counts = sorted(int(count) for count in items(node))
    hands = [count for count in players if count not in counts]
    for count in counts:
        path, hint = f"match.sits_out.{count}", f"players: {', '.join(map(str, players))}"
        if count not in players:
            text = f"the game is not for {count} players"
        elif count - 1 not in hands:
            text = (
                f"if one of {count} sits out, {count - 1} play, and the game is not for {count - 1}"
            )
        elif count != max(players):
            text = f"nobody can sit out with {count} players"
            hint = f"only with the largest number, {max(players)}"
        else:
            continue
        assert node is not None
        report.error(node.keys[str(count)], path, text, "bad-players", hint)
        return ()
    return tuple(counts)


def _match(
    node: Node, mark: Mark, players: tuple[int, ...], sits_out: tuple[int, ...], report: Report
) -> MatchRules:
    values = node.plain()
    if "until" not in values and "hands" not in values:
        hint = "add until: and a total, or hands: and a number of hands"
        report.error(mark, "match", "nothing ends the match", "missing-key", hint)
    if players and values["first_dealer"] > min(players):
        report.error(
            items(node)["first_dealer"].mark,
            "match.first_dealer",
            f"there is no seat {values['first_dealer']} with {min(players)} players",
            "bad-players",
        )
    return MatchRules(
        _cited(node),
        values["first_dealer"],
        values["deal_passes"],
        values.get("until"),
        str(values.get("hands", "")),
        values["winner"],
        values["tied"],
        node,
        sits_out,
    )
