"""Meaning: phases are declared in the order of play, then scoring is checked against what they provide."""

from __future__ import annotations

import keyword
from collections.abc import Collection, Iterable, Mapping, Set

from trickwright.cards import TRUMP_KINDS
from trickwright.expressions import FUNCTION_NAMES, Expression, names_used, noting_reads, parse
from trickwright.kinds import Phase, Setting, find_kind
from trickwright.meaning import CheckedRule, Declared, Definition, Ending, Meaning
from trickwright.model import Game, ScoringRule
from trickwright.names import OF_CARDS, Name, Scope, Type
from trickwright.never_acts import check_goal, check_phases, check_rows
from trickwright.nodes import items
from trickwright.problems import Mark, Report, did_you_mean
from trickwright.rounds import check_rounds, in_a_round
from trickwright.walk import CHOSEN_NUMBERS

_LANGUAGE = "the rules language"
ROUNDS_OVER = "played"
"""How a hand ends when its last phase has been played in all rounds."""


def declare(game: Game, report: Report) -> Meaning | None:
    """Check what the game means; None if something is wrong, with all problems reported."""
    with noting_reads() as reads:
        meaning = _declare(game, report)
    if meaning is not None:
        check_rows(game, reads, report)
        check_goal(game, meaning.endings, report)
        check_phases(meaning.phases, report)
    return meaning


def _declare(game: Game, report: Report) -> Meaning | None:
    setting = Setting(game.players, game.deck, game.tables, _core(game, report), report)
    phases: list[Declared] = []
    scopes: dict[str, Scope] = {}
    for phase in _in_order(game, report):
        before = setting.scope.copy()
        adds = find_kind(phase.kind).declare(phase, setting)
        if adds is None:
            continue
        phases.append(Declared(phase, adds))
        for outcome, extra in adds.outcomes.items():
            scope = setting.scope.copy() if extra is None else before.copy()
            for name in extra or ():
                mark, path = phase.mark("kind"), f"{phase.path}.kind"
                scope.add(name, mark, path, report, chosen=False)
            scopes[outcome] = scope
        if None in adds.outcomes.values():
            break
    rounds = game.rounds
    if rounds is not None and phases and phases[-1].phase.id == rounds.last:
        scopes.setdefault(ROUNDS_OVER, setting.scope.copy())
    if not report.failed:
        _check_end(game, phases, report)
    if not report.failed:
        check_rounds(game, phases, setting.scope, report)
    if not report.failed:
        _check_hands(phases, report)
    _check_keys(phases, report)
    complete = not report.failed
    by_phases = {
        name for declared in phases for found in declared.adds.expressions for name in found.uses
    }
    endings, definitions = _scoring(game, scopes, by_phases, complete, report)
    hands = _match_hands(game, report) if game.match.hands else None
    if report.failed:
        return None
    return Meaning(game, tuple(phases), definitions, endings, hands)


def _match_hands(game: Game, report: Report) -> Expression | None:
    """The number of hands of a match: an expression that knows nothing but the number of players."""
    counts = {count: (count, count) for count in game.players}
    scope = Scope({"players": Name("players", Type.NUMBER, "len(totals)", _LANGUAGE, range=counts)})
    node, path = items(game.match.node)["hands"], "match.hands"
    found = parse(game.match.hands, scope, {}, game.players, (node, path), report, (Type.NUMBER,))
    few = [(count, *ends) for count, ends in (found.range if found else {}).items() if ends[0] < 1]
    if few:
        count, low, high = few[0]
        text = f"with {count} players this {'is' if high == low else 'may be'} {low}"
        hint = "a match has 1 hand or more; for example players, so that everybody deals once"
        report.error(node.mark, path, text, "out-of-bounds", hint)
    return found


def _core(game: Game, report: Report) -> Scope:
    """The names that every game has, and those that nothing else may have."""
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
    of_cards = [
        Name(name, Type.TRUMP, str(number), OF_CARDS, kinds=(kind,))
        for number, (name, kind) in enumerate(game.deck.trumps[:-1])
    ]
    of_cards += [
        Name(name, Type.SIDE, str(number), OF_CARDS, kinds=(name,))
        for number, name in enumerate(game.deck.side_names)
    ]
    points = {count: game.deck.points_bounds(count) for count in game.players}
    names.append(Name("all_cards", Type.CARDS, "ALL_CARDS", _LANGUAGE, range=points))
    numbers = {count: (1, 10**6) for count in game.players}
    if game.rounds is not None:
        bounds = {count: (1, game.rounds.times) for count in game.players}
        names.append(Name("round", Type.NUMBER, "state[ROUND]", "rounds", range=bounds))
    names.append(Name("hand_number", Type.NUMBER, "state[HAND_NUMBER]", _LANGUAGE, range=numbers))
    of_language = [*FUNCTION_NAMES, *keyword.kwlist, "player", "source", "reading"]
    scope = Scope({name.name: name for name in names}, dict.fromkeys(of_language, _LANGUAGE))
    _add_cards(of_cards, game, scope, report)
    scoring = game.scoring
    chosen = [(name, table.mark, f"tables.{name}") for name, table in game.tables.items()]
    chosen += [(name, m, f"scoring.numbers.{name}") for name, m in scoring.number_marks.items()]
    chosen += [(name, m, f"scoring.define.{name}") for name, m in scoring.define_marks.items()]
    for name, mark, path in chosen:
        taken = scope.taken_by(name)
        if taken is not None:
            text = f"the name '{name}' is taken by {taken}"
            report.error(mark, path, text, "taken-name", "choose another name")
    for name, mark, path in chosen[: len(game.tables)]:
        scope.reserve(name, path, (mark, path))
    return scope


def _add_cards(of_cards: list[Name], game: Game, scope: Scope, report: Report) -> None:
    """Make suits, ranks and sides known; what a rank is called follows from the rank, so another name must give way."""
    for name, (_, mark, path) in zip(of_cards, game.card_names, strict=True):
        is_rank = name.type is Type.TRUMP and name.kinds == ("rank",)
        scope.add(name, mark, path, report, chosen=not is_rank)


def _in_order(game: Game, report: Report) -> tuple[Phase, ...]:
    """The phases, if the first of them deals and no other."""
    first = game.phases[0]
    if first.kind != "deal":
        text = "the first phase must deal the cards"
        report.error(first.mark("kind"), f"{first.path}.kind", text, "bad-order", "kind: deal")
        return ()
    for phase in game.phases[1:]:
        if phase.kind == "deal":
            text = "cards are dealt once, at the start"
            report.error(phase.mark("kind"), f"{phase.path}.kind", text, "bad-order")
    return (first, *(phase for phase in game.phases[1:] if phase.kind != "deal"))


def _check_end(game: Game, phases: list[Declared], report: Report) -> None:
    """The last phase ends the hand, and no other."""
    last = phases[-1].phase
    ends = None in phases[-1].adds.outcomes.values()
    if game.rounds is not None and any(
        None in declared.adds.outcomes.values() for declared in phases if in_a_round(game, declared)
    ):
        text = "a phase of a round ends the hand, so there is but one round"
        report.error(game.rounds.node.mark, "rounds", text, "bad-order")
    elif not ends and (game.rounds is None or game.rounds.last != last.id):
        text = "the last phase does not end the hand"
        hint = "add a phase that does, such as tricks"
        report.error(last.mark("kind"), f"{last.path}.kind", text, "bad-order", hint)
    elif len(phases) < len(game.phases):
        after = game.phases[len(phases)]
        text = f"no phase can follow '{last.id}', which ends the hand"
        report.error(after.mark("kind"), f"{after.path}.kind", text, "bad-order")


def _check_hands(phases: list[Declared], report: Report) -> None:
    """Where all players must have as many cards as the others, no phase before has left them with more or fewer."""
    culprit: Phase | None = None
    until_rounds_are_over: Phase | None = None
    for declared in phases:
        phase, then = declared.phase, declared.adds.leaves_hands
        if declared.adds.equal_hands and culprit is not None:
            text = f"after '{culprit.id}' not all players have as many cards as the others"
            hint = (
                "put a phase between that fills up all hands, such as refill with last_round: true"
            )
            report.error(phase.mark("kind"), f"{phase.path}.kind", text, "bad-order", hint)
        if then == "even-after-rounds":
            until_rounds_are_over = phase
        elif then == "uneven" or (then == "as-played" and until_rounds_are_over):
            culprit = phase if then == "uneven" else until_rounds_are_over
        elif then == "even":
            culprit = until_rounds_are_over = None


_KEYS = (
    *("players", "dealer", "at", "to_move", "phase", "outcome", "scores", "values", "you"),
    *("seed", "number", "position", "totals", "match", "nobody"),
)
"""Words that have a meaning of their own where a position, a view or a case is written down."""


def _check_keys(phases: list[Declared], report: Report) -> None:
    """No two parts of a position have one key."""
    taken = dict.fromkeys((*_KEYS, "round"), _LANGUAGE)
    for declared in phases:
        taken |= dict.fromkeys(declared.adds.facts, declared.phase.path)
    for declared in phases:
        keys = {field.key.partition(".")[0] for field in declared.adds.fields if field.key}
        for key in sorted(keys & taken.keys()):
            here = declared.phase.naming(key)
            there = next((d.phase for d in phases if d.phase.path == taken[key]), None)
            before = there.naming(key) if there is not None and here is None else None
            path, mark = (
                here
                or before
                or (
                    f"{declared.phase.path}.kind",
                    declared.phase.mark("kind"),
                )
            )
            text = f"the name '{key}' is taken by {declared.phase.path if before else taken[key]}"
            report.error(mark, path, text, "taken-name", "choose another name")
        taken |= dict.fromkeys(keys, declared.phase.path)


def _scoring(
    game: Game, scopes: Mapping[str, Scope], by_phases: set[str], complete: bool, report: Report
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
    seen: set[str] = set(by_phases)
    needs = {
        name: names_used(text) & scoring.define.keys() for name, text in scoring.define.items()
    }
    definitions: dict[str, Definition] = {}
    endings: list[Ending] = []
    for outcome, scope in scopes.items():
        rules = scoring.outcomes.get(outcome, ())
        used = reached((name for rule in rules for name in _rule_names(rule)), needs)
        seen |= used | {name for rule in rules for name in _rule_names(rule)}
        scope = scope.copy()
        scope.miss("player", "stands for each who scores, and has a meaning in points only")
        for name, value in scoring.numbers.items():
            bounds = {count: (value, value) for count in game.players}
            scope.add(
                Name(name, Type.NUMBER, name.upper(), CHOSEN_NUMBERS, range=bounds),
                scoring.number_marks[name],
                f"scoring.numbers.{name}",
                report,
            )
        values = _define(game, scope, {name: needs[name] for name in used}, definitions, report)
        checked = [_check_rule(rule, game, scope, report) for rule in rules]
        endings.append(Ending(outcome, tuple(rule for rule in checked if rule), values, scope))
    _report_unused(game, seen, needs, complete and not report.failed, report)
    ordered = tuple(definitions[name] for name in scoring.define if name in definitions)
    return tuple(endings), ordered


def _rule_names(rule: ScoringRule) -> frozenset[str]:
    return names_used(rule.who) | names_used(rule.when) | names_used(rule.points)


def reached(names: Iterable[str], needs: Mapping[str, Collection[str]]) -> set[str]:
    """The definitions among the names, and those that they use, also by way of others."""
    found: set[str] = set()
    queue = [name for name in names if name in needs]
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += [used for used in needs[name] if used in needs]
    return found


def _define(
    game: Game,
    scope: Scope,
    needs: Mapping[str, Set[str]],
    definitions: dict[str, Definition],
    report: Report,
) -> tuple[str, ...]:
    """Add the definitions in use, each with those that it needs, in the order written; gives the numbers among them."""
    numbers: list[str] = []
    below = set(needs)
    for name, text in game.scoring.define.items():
        if name not in needs:
            continue
        for used in needs[name] & below:
            _miss_definition(scope, name, used, needs)
        below.discard(name)
        node, path = game.scoring.define_nodes[name], f"scoring.define.{name}"
        if (taken := scope.taken_by(name)) is not None:
            mark, said = game.scoring.define_marks[name], f"the name '{name}' is taken by {taken}"
            report.error(mark, path, said, "taken-name", "choose another name")
            continue
        value = parse(text, scope, game.tables, game.players, (node, path), report)
        scope.miss(name, "")
        if value is None:
            continue
        if value.type not in (Type.NUMBER, Type.FLAG, Type.PLAYERS):
            text = f"a name cannot be given to {value.type.value}"
            hint = "only to a number, a yes/no or a set of players"
            report.error(node.mark, path, text, "wrong-kind", hint)
            continue
        scope.add(
            Name(name, value.type, f"{name}(state)", "scoring.define", range=value.range),
            game.scoring.define_marks[name],
            path,
            report,
        )
        definitions[name] = Definition(name, value)
        if value.type is Type.NUMBER:
            numbers.append(name)
    return tuple(numbers)


def _miss_definition(scope: Scope, name: str, used: str, needs: Mapping[str, Set[str]]) -> None:
    """Say why a definition cannot use one that does not stand above it; to move one in a circle would not help."""
    hint = "a definition may use those above it"
    if used == name:
        scope.miss(used, "uses itself", hint)
    elif name in reached([used], needs):
        scope.miss(used, f"uses '{name}' in turn, so neither has a value without the other", hint)
    else:
        scope.miss(used, "is defined further down", hint)


def _check_rule(rule: ScoringRule, game: Game, scope: Scope, report: Report) -> CheckedRule | None:
    def check(key: str, text: str, within: Scope, *wanted: Type) -> Expression | None:
        at = (rule.nodes[key], f"{rule.path}.{key}")
        return parse(text, within, game.tables, game.players, at, report, wanted)

    who = check("who", rule.who, scope, Type.PLAYER, Type.PLAYERS)
    known = who.at_least if who is not None else {}
    player = Name("player", Type.PLAYER, "player", "the rule itself", at_least=known)
    inner = scope.with_name(player)
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
