"""Meaning: phases are declared in the order of play, then scoring is checked against what they provide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trickwright.cards import TRUMP_KINDS
from trickwright.expressions import FUNCTION_NAMES, Expression, names_used, parse
from trickwright.kinds import Declaration, Phase, Setting, find_kind
from trickwright.model import Game, ScoringRule
from trickwright.names import Name, Scope, Type
from trickwright.problems import Mark, Report, did_you_mean

_LANGUAGE = "the rules language"


@dataclass(frozen=True)
class Declared:
    """A phase with what it adds to the game."""

    phase: Phase
    adds: Declaration


@dataclass(frozen=True)
class Definition:
    """A named value of the scoring."""

    name: str
    value: Expression


@dataclass(frozen=True)
class CheckedRule:
    """A scoring rule whose expressions are checked."""

    rule: ScoringRule
    who: Expression
    when: Expression | None
    points: Expression


@dataclass(frozen=True)
class Ending:
    """A way for a hand to end, and what is scored then. ``values`` are the definitions that have a meaning there."""

    outcome: str
    rules: tuple[CheckedRule, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """A game whose names, types and tables all agree."""

    game: Game
    phases: tuple[Declared, ...]
    definitions: tuple[Definition, ...]
    endings: tuple[Ending, ...]


def declare(game: Game, report: Report) -> Meaning | None:
    """Check what the game means; None if something is wrong, with all problems reported."""
    setting = Setting(game.players, game.deck, game.tables, _core(game), report)
    phases: list[Declared] = []
    scopes: dict[str, Scope] = {}
    for phase in game.phases:
        before = setting.scope.copy()
        adds = find_kind(phase.kind).declare(phase, setting)
        if adds is None:
            continue
        phases.append(Declared(phase, adds))
        for outcome, extra in adds.outcomes.items():
            scope = setting.scope.copy() if extra is None else before.copy()
            for name in extra or ():
                scope.add(name, phase.mark(), phase.path, report)
            scopes[outcome] = scope
    complete = len(phases) == len(game.phases)
    _check_flow(game, phases, complete, report)
    endings, definitions = _scoring(game, scopes, complete, report)
    if report.failed:
        return None
    return Meaning(game, tuple(phases), definitions, endings)


def _core(game: Game) -> Scope:
    """The names that every game has."""
    counts = {count: (count, count) for count in game.players}
    names = [
        Name("players", Type.NUMBER, "state[PLAYERS]", _LANGUAGE, range=counts),
        Name("dealer", Type.PLAYER, "state[DEALER]", _LANGUAGE),
        Name("everyone", Type.PLAYERS, "((1 << state[PLAYERS]) - 1)", _LANGUAGE),
    ]
    names += [
        Name(kind, Type.TRUMP_KIND, str(number), _LANGUAGE, kinds=(kind,))
        for number, kind in enumerate(TRUMP_KINDS)
    ]
    return Scope({name.name: name for name in names})


def _check_flow(game: Game, phases: list[Declared], complete: bool, report: Report) -> None:
    """The first phase deals, and the last one ends the hand."""
    first, last = game.phases[0], game.phases[-1]
    if first.kind != "deal":
        report.error(
            first.mark(),
            first.path,
            "the first phase must deal the cards",
            "bad-order",
            "kind: deal",
        )
    for phase in game.phases[1:]:
        if phase.kind == "deal":
            report.error(
                phase.mark(), phase.path, "cards are dealt once, at the start", "bad-order"
            )
    if complete and not any(extra is None for extra in phases[-1].adds.outcomes.values()):
        report.error(last.mark(), last.path, "the last phase does not end the hand", "bad-order")
    for declared in phases[:-1] if complete else ():
        if any(extra is None for extra in declared.adds.outcomes.values()):
            report.error(
                declared.phase.mark(),
                declared.phase.path,
                "no phase can follow this one: it ends the hand",
                "bad-order",
            )


def _scoring(
    game: Game, scopes: Mapping[str, Scope], complete: bool, report: Report
) -> tuple[tuple[Ending, ...], tuple[Definition, ...]]:
    scoring = game.scoring
    for outcome in scopes:
        if outcome not in scoring.outcomes:
            report.error(
                scoring.mark,
                "scoring",
                f"a hand can end as '{outcome}', but nothing says what is scored then",
                "missing-outcome",
                f"add {outcome}: {{}} if nothing is",
            )
    for outcome, mark in scoring.outcome_marks.items():
        if complete and outcome not in scopes:
            report.warning(
                mark,
                f"scoring.{outcome}",
                f"no hand can end as '{outcome}', so these rules never act",
                "dead-rule",
                did_you_mean(outcome, list(scopes), others="hands end as"),
            )
    seen: set[str] = set()
    needs = {
        name: names_used(text) & scoring.define.keys() for name, text in scoring.define.items()
    }
    definitions: dict[str, Definition] = {}
    endings: list[Ending] = []
    for outcome, scope in scopes.items():
        rules = scoring.outcomes.get(outcome, ())
        used = _reached(rules, needs)
        seen |= used | {name for rule in rules for name in _rule_names(rule)}
        scope = scope.copy()
        for name, value in scoring.numbers.items():
            bounds = {count: (value, value) for count in game.players}
            scope.add(
                Name(name, Type.NUMBER, name.upper(), "scoring.numbers", range=bounds),
                scoring.number_marks[name],
                f"scoring.numbers.{name}",
                report,
            )
        values = _define(game, scope, used, definitions, report)
        checked = [_check_rule(rule, game, scope, report) for rule in rules]
        endings.append(Ending(outcome, tuple(rule for rule in checked if rule), values))
    _report_unused(game, seen, needs, complete and not report.failed, report)
    ordered = tuple(definitions[name] for name in scoring.define if name in definitions)
    return tuple(endings), ordered


def _rule_names(rule: ScoringRule) -> frozenset[str]:
    return names_used(rule.who) | names_used(rule.when) | names_used(rule.points)


def _reached(rules: tuple[ScoringRule, ...], needs: Mapping[str, frozenset[str]]) -> set[str]:
    """The definitions that the rules use, also by way of others."""
    found: set[str] = set()
    queue = [name for rule in rules for name in _rule_names(rule) if name in needs]
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue.extend(needs[name])
    return found


def _define(
    game: Game, scope: Scope, used: set[str], definitions: dict[str, Definition], report: Report
) -> tuple[str, ...]:
    """Add the definitions to the scope, in the order written; gives the numbers among them."""
    numbers: list[str] = []
    for name, text in game.scoring.define.items():
        if name not in used:
            continue
        mark, path = game.scoring.define_marks[name], f"scoring.define.{name}"
        if name in game.tables or name in FUNCTION_NAMES:
            report.error(mark, path, f"the name '{name}' is taken", "taken-name")
        value = parse(text, scope, game.tables, game.players, (mark, path), report)
        if value is None:
            continue
        if value.type not in (Type.NUMBER, Type.FLAG, Type.PLAYERS):
            report.error(mark, path, f"{value.type.value} cannot be defined here", "wrong-kind")
            continue
        scope.add(
            Name(name, value.type, f"{name}(state)", "scoring.define", range=value.range),
            mark,
            path,
            report,
        )
        definitions[name] = Definition(name, value)
        if value.type is Type.NUMBER:
            numbers.append(name)
    return tuple(numbers)


def _check_rule(rule: ScoringRule, game: Game, scope: Scope, report: Report) -> CheckedRule | None:
    def check(key: str, text: str, within: Scope, *wanted: Type) -> Expression | None:
        at = (rule.marks[key], f"{rule.path}.{key}")
        return parse(text, within, game.tables, game.players, at, report, wanted)

    inner = scope.copy()
    who = check("who", rule.who, scope, Type.PLAYER, Type.PLAYERS)
    known = who.at_least if who is not None else {}
    player = Name("player", Type.PLAYER, "player", "the rule itself", at_least=known)
    inner.add(player, rule.marks["who"], rule.path, report)
    when = check("when", rule.when, scope, Type.FLAG) if rule.when else None
    points = check("points", rule.points, inner, Type.NUMBER)
    if who is None or points is None or (rule.when and when is None):
        return None
    return CheckedRule(rule, who, when, points)


def _report_unused(
    game: Game, seen: set[str], needs: Mapping[str, frozenset[str]], certain: bool, report: Report
) -> None:
    """Whatever is written but never used is worth a word: a change of it would change nothing."""
    if not certain:
        return
    scoring = game.scoring
    texts = [text for name, text in scoring.define.items() if name in seen]
    for name in scoring.define:
        if name not in seen:
            _unused(report, scoring.define_marks[name], f"scoring.define.{name}")
    in_use = seen | {used for text in texts for used in names_used(text)}
    for name in scoring.numbers:
        if name not in in_use:
            _unused(report, scoring.number_marks[name], f"scoring.numbers.{name}")
    for name, table in game.tables.items():
        if name not in in_use:
            _unused(report, table.mark, f"tables.{name}")


def _unused(report: Report, mark: Mark, path: str) -> None:
    report.warning(mark, path, "nothing uses this, so a change of it changes nothing", "unused")
