"""Emit: a meaning and its layout become the text of an engine. Templates only print what is prepared here."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from trickwright.card_functions import CARD_HELPERS
from trickwright.cards import points_parts
from trickwright.constants import clause_constant, constants, one_line, phase_constant
from trickwright.declare import ROUNDS_OVER, reached
from trickwright.expressions import tidy
from trickwright.layout import Layout, Placed
from trickwright.meaning import Declared, Ending, Meaning
from trickwright.names import Type
from trickwright.poker import POKER_CLASSES
from trickwright.pytext import WIDTH, in_steps, indent, literal, mapping, text_literal, texts
from trickwright.source import Node
from trickwright.words import Words

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PhaseView:
    """A phase as the templates see it."""

    id: str
    function: str
    here: str
    number: int
    declared: Declared
    functions: str
    facts: str
    sections: dict[str, str]
    first_number: int
    facts_from: str
    context: dict[str, Any]
    """What the templates of its kind print from."""

    @property
    def has_actions(self) -> bool:
        """Whether players decide something here."""
        return bool(self.declared.adds.actions)


@dataclass(frozen=True)
class RuleView:
    """A scoring rule as Python."""

    id: str
    who: str
    who_bits: str
    everyone: bool
    alone: bool
    may_be_nobody: bool
    points: list[str]
    """Lines of Python, the last one the points."""
    values: tuple[str, ...]
    """The named values that the rule's points follow from, or that any condition asks for."""


@dataclass(frozen=True)
class GroupView:
    """Scoring rules under one condition; without one if ``function`` is empty.

    ``steps`` are the lines of the condition's function, none if it stands before.
    """

    function: str
    code: str
    steps: list[str]
    rules: list[RuleView]


@dataclass(frozen=True)
class EndingView:
    """A way to end a hand, with its scoring rules in groups."""

    outcome: str
    groups: list[GroupView]
    values: tuple[str, ...]


@dataclass(frozen=True)
class RoundsView:
    """What begins a round, what follows the last one, and where that comes from."""

    begin: str
    then: str
    source: str
    fresh: tuple[Placed, ...]
    """What a new round finds as the hand did."""


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([TEMPLATES, TEMPLATES.parent / "kinds"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )
    made.filters["tidy"] = tidy
    made.filters["wrap"] = lambda text, left, right: f"{left}{text}{right}"
    made.filters["literal"] = literal
    made.filters["text"] = text_literal
    made.filters["texts"] = texts
    made.filters["mapping"] = mapping
    return made


def emit(meaning: Meaning, layout: Layout, words: dict[str, Words], root: Node) -> str:
    """The engine's module, as text that formatters leave alone."""
    game = meaning.game
    phases = phase_views(meaning)
    context = {
        "bounds": lambda field: indent(
            indent(
                literal(
                    [field.bounds.get(count, (0, 0)) for count in game.rows], 13 + len(field.key)
                ),
            )
        ),
        "fits": lambda line: len(line) <= WIDTH,
        "field_code": _field_code,
        "game": game,
        "twins": game.deck.twins,
        "title": one_line(game.title["en"]),
        "players": " to ".join(
            map(str, dict.fromkeys((game.table_sizes[0], game.table_sizes[-1])))
        ),
        "phases": phases,
        "acting": [phase for phase in phases if phase.has_actions],
        "outcomes": ("", *(ending.outcome for ending in meaning.endings)),
        "constants": list(constants(meaning, layout)),
        "shown_fields": [placed for placed in layout.fields if placed.field.key],
        "definitions": [
            (
                definition.name,
                in_steps(definition.value.code, WIDTH - 12),
                definition.value.type is Type.FLAG,
            )
            for definition in meaning.definitions
        ],
        "scoring_heading": one_line(game.scoring.cited.heading),
        "endings": [_ending(ending, meaning) for ending in meaning.endings],
        "ending_sources": {
            ending.outcome: _source(*(rule.rule.cited.heading for rule in ending.rules))
            for ending in meaning.endings
        },
        "match_source": _source(game.match.cited.heading),
        "points_needed": game.deck.worth_is_split or "points_of(" in all_code(meaning),
        "points_parts": points_parts(game.deck, "cards") or ["0"],
        "cards_heading": one_line(game.cards.heading),
        "has_dealer": game.match.deal_passes != "stays"
        or bool(game.match.sits_out)
        or any(
            "state[DEALER]" in code for code in (all_code(meaning), *(p.functions for p in phases))
        ),
        "rounds": _rounds(meaning, phases, layout),
        "helpers": [name for name in CARD_HELPERS if f"{name}(" in all_code(meaning)],
        "poker": POKER_CLASSES,
        "levels": "level_reached(" in all_code(meaning),
        "action_classes": _action_classes(phases),
        "words": words,
        "codes": {code: card for spoken in words.values() for code, card in spoken.codes.items()},
        "digest": digest(root),
        "uses_chance": meaning.uses_chance,
        "knowledge": {
            key: [text for declared in meaning.phases for text in getattr(declared.adds, key)]
            for key in ("holds", "lacks", "lie_open", "shown")
        },
        "redeals": any(declared.adds.redeals for declared in meaning.phases),
        "match_hands": tidy(meaning.match_hands.code) if meaning.match_hands else "",
        "names_imported": [
            name
            for name in _RUNTIME_NAMES
            if name not in _IN_FACTS or any(f"{name}(" in phase.facts for phase in phases)
        ],
    }
    return environment().get_template("game.py.j2").render(context) + "\n"


def all_code(meaning: Meaning) -> str:
    """All Python made from expressions, to see which helpers it needs."""
    parts = [definition.value.code for definition in meaning.definitions]
    parts += [found.code for declared in meaning.phases for found in declared.adds.expressions]
    for ending in meaning.endings:
        for rule in ending.rules:
            parts += [rule.who.code, rule.points.code, rule.when.code if rule.when else ""]
    return " ".join(parts)


def digest(root: Node) -> str:
    """A short fingerprint of the rules, for transcripts."""
    plain = json.dumps(root.plain(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


_RUNTIME_NAMES = (
    "Action", "Actions", "CardRow", "CardSet", "Field", "Line", "Phase", "Random", "Rules", "Seat", "State", "Trump", "Words",
)  # fmt: skip


_IN_FACTS = ("CardRow", "CardSet", "Seat", "Trump")
"""Those of them that only facts need."""


def phase_views(meaning: Meaning) -> list[PhaseView]:
    templates = environment()
    views: list[PhaseView] = []
    first_number = 0
    names = [declared.phase.function for declared in meaning.phases]
    ends = {ending.outcome: f"end_{ending.outcome.replace('-', '_')}" for ending in meaning.endings}
    for number, declared in enumerate(meaning.phases):
        phase, adds = declared.phase, declared.adds
        own_ends = [ends[name] for name, extra in adds.outcomes.items() if extra is None]
        own_ends += [ends[ROUNDS_OVER]] if meaning.game.rounds is not None else []
        after = f"{names[number + 1]}_begin" if number + 1 < len(names) else own_ends[0]
        if meaning.game.rounds is not None and phase.id == meaning.game.rounds.last:
            after = "next_round"
        twins = meaning.game.deck.twins

        def once(cards: str, twins: int = twins) -> str:
            return f"distinct({cards})" if twins else cards

        context = {
            "once": once,
            "uses_chance": meaning.uses_chance,
            "f": phase.function,
            "v": adds.view,
            "here": phase_constant(declared),
            "next": after,
            "end": ends,
            "clause": {
                clause.id: clause_constant(phase.function, clause.id) for clause in adds.clauses
            },
            "source": _source(phase.cited.heading),
        }
        folder = phase.kind.replace("-", "_")

        def render(name: str, folder: str = folder, context: dict[str, Any] = context) -> str:
            return templates.get_template(f"{folder}/{name}").render(context).strip("\n")

        views.append(
            PhaseView(
                phase.id,
                phase.function,
                phase_constant(declared),
                number,
                declared,
                render("engine.py.j2"),
                render("facts.py.j2") if adds.has_facts else "",
                phase.cited.sources,
                first_number,
                _facts_from(meaning, number),
                context,
            )
        )
        first_number += sum(run.count for run in adds.actions)
    return views


def _rounds(meaning: Meaning, phases: list[PhaseView], layout: Layout) -> RoundsView | None:
    """Where a round begins, and what follows the last one; None for games without rounds."""
    rounds = meaning.game.rounds
    if rounds is None:
        return None
    names = [phase.id for phase in phases]
    after = names.index(rounds.last) + 1
    then = f"{phases[after].function}_begin" if after < len(names) else f"end_{ROUNDS_OVER}"
    first = names.index(rounds.first)
    fresh = [
        placed
        for placed in layout.fields
        if first <= placed.phase < after and not placed.field.lasts
    ]
    begin = f"{phases[first].function}_begin"
    return RoundsView(begin, then, _source(rounds.cited.heading), tuple(fresh))


def _field_code(placed: Placed, phases: list[PhaseView]) -> str:
    """A part of the state as the runtime is told of it."""
    field = placed.field
    parts = [text_literal(field.key), placed.constant, text_literal(field.type)]
    parts += [str(field.per_player), text_literal(field.seen_by)]
    if field.apart:
        parts.append("apart=True")
    if field.needed:
        parts.append(f"needed_after={phases[placed.phase].here}")
    if field.shown_late:
        parts.append(f"shown_from={phases[placed.phase].here}")
    if field.nobody_with:
        parts.append(f"nobody_with={literal(field.nobody_with)}")
    if field.allowed:
        parts.append(f"allowed={field.allowed}")
    if field.differs_from:
        parts.append(f"differs_from={texts(field.differs_from)}")
    return f"Field{indent(indent(literal(parts, 14)))}"


def _facts_from(meaning: Meaning, number: int) -> str:
    """The first phase in which the facts of a phase are settled."""
    needs = meaning.phases[number].adds.facts_need
    paths = [declared.phase.path for declared in meaning.phases]
    known = [place + 1 for place, path in enumerate(paths) if path in needs]
    rounds = meaning.game.rounds
    if rounds is not None and not known:
        names = [declared.phase.id for declared in meaning.phases]
        if names.index(rounds.first) <= number <= names.index(rounds.last):
            number = names.index(rounds.first)
    return phase_constant(meaning.phases[max(known) if known else number])


def _source(*headings: str) -> str:
    """The end of a docstring: where the rule comes from."""
    named = ", ".join(dict.fromkeys(one_line(heading) for heading in headings if heading))
    return f" Source: {named}." if named else ""


def _ending(ending: Ending, meaning: Meaning) -> EndingView:
    """Rules one after another with the same condition go together; each condition is a function."""
    prefix = ending.outcome.replace("-", "_")
    needs = {d.name: d.value.uses for d in meaning.definitions}
    asked = {d for rule in ending.rules if rule.when for d in reached(rule.when.uses, needs)}
    groups: list[GroupView] = []
    for rule in ending.rules:
        when = rule.when.code if rule.when else ""
        used = asked | reached(rule.who.uses | rule.points.uses, needs)
        values = tuple(name for name in ending.values if name in used)
        view = RuleView(
            rule.rule.id,
            tidy(rule.who.code),
            tidy(f"({rule.who.code}) >> player & 1").removesuffix(" >> player & 1"),
            rule.who.text.strip() == "everyone",
            rule.who.type is Type.PLAYER,
            rule.who.may_be_nobody,
            in_steps(rule.points.code, WIDTH - 42),
            values,
        )
        if groups and when and groups[-1].code == when:
            groups[-1].rules.append(view)
            continue
        same = next((group.function for group in groups if when and group.code == when), "")
        function = same or (f"{prefix}_{rule.rule.id}_applies".replace("-", "_") if when else "")
        steps = [] if same or not when else in_steps(when, WIDTH - 12)
        groups.append(GroupView(function, when, steps, [view]))
    return EndingView(ending.outcome, groups, ending.values)


def _action_classes(phases: list[PhaseView]) -> list[tuple[str, str, str]]:
    """Class, verb and type of thing for every kind of action, each once."""
    found: dict[str, tuple[str, str, str]] = {}
    for phase in phases:
        for run in phase.declared.adds.actions:
            found.setdefault(run.verb, (run.verb.capitalize(), run.verb, run.type))
    return list(found.values())
