"""Binding: a checked tree of nodes becomes a :class:`~trickwright.model.Game`.

The tree fits the schemas when it comes here, so shapes and types are settled; what is left are values that must agree
with each other: names of cards and ranks, sources, and players.
"""

from __future__ import annotations

from collections.abc import Iterator

from trickwright.bind_cards import bind_deck, card_names
from trickwright.cards import TRUMP_KINDS, Deck
from trickwright.citations import check_citations, cited, nodes_by_path, sources_of, text_of
from trickwright.kinds import Phase, find_kind
from trickwright.model import Game, MatchRules, Rounds, Scoring, ScoringRule
from trickwright.nodes import items, listed
from trickwright.poker import POKER_CLASSES
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.text import Reading

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
        id=text_of(root, "game"),
        title=top["title"].plain(),
        variants=variants,
        changed=changed,
        mark=top["game"].mark,
        sources=sources_of(root),
        players=players,
        cards=cited(top["cards"]),
        deck=deck,
        card_names=tuple(card_names(top["cards"], deck)),
        phases=tuple(_phases(top["phases"])),
        rounds=_rounds(top, report),
        tables={
            name: _table(name, node, top["tables"].keys[name], players, sits_out, deck, report)
            for name, node in items(top.get("tables")).items()
        },
        scoring=_scoring(top["scoring"], root.keys["scoring"]),
        match=_match(top["match"], root.keys["match"], players, sits_out, report),
        readings=tuple(
            Reading(path, node.value["reading"].mark, text_of(node, "reading"))
            for path, node in nodes_by_path(root)
            if isinstance(node.value, dict) and "reading" in node.value
        ),
    )


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
        kind = text_of(phase, "kind")
        yield Phase(name, kind, phase, cited(phase), find_kind(kind).bind(phase))


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
    return Rounds(cited(node), first, last, int(str(parts["times"].value)), node)


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
    return Table(name, mark, cited(node), rows, entries, marks, limited, places)


def _scoring(node: Node, mark: Mark) -> Scoring:
    parts = items(node)
    numbers = items(parts.get("numbers"))
    define = items(parts.get("define"))
    outcomes = {key: child for key, child in parts.items() if key not in _OUTCOME_FREE}
    return Scoring(
        mark=mark,
        cited=cited(node),
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
        cited(node),
        text_of(node, "who"),
        text_of(node, "when"),
        text_of(node, "points"),
    )


def _sits_out(node: Node | None, players: tuple[int, ...], report: Report) -> tuple[int, ...]:
    """Numbers of players with which one sits out; there must be hands for one fewer."""
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
            if count - 1 in counts:
                text = (
                    f"if one of {count} sits out, {count - 1} play, but of {count - 1} one sits out"
                )
                hint = f"leave out {count} or {count - 1}"
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
        cited(node),
        values["first_dealer"],
        values["deal_passes"],
        values.get("until"),
        str(values.get("hands", "")),
        values["winner"],
        values["tied"],
        node,
        sits_out,
    )
