"""Conformance cases out of transcripts: a position or a deal, what is done, and what comes of it, in the rulebook's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from trickwright import Compiled, GameFiles, Report, schema
from trickwright.paths import find, parse_path
from trickwright.places import schema as find_schema
from trickwright.source import read_text
from trickwright_conformance.cases import Case, bind_cases
from trickwright_conformance.lint import lint
from trickwright_conformance.observe import DOES, speech, verb_key
from trickwright_conformance.runner import run_case
from trickwright_conformance.vocabulary import vocabulary
from trickwright_tools.replaying import Replayed
from trickwright_tools.report import CallError
from trickwright_tools.whole_file import Unwritable, whole_file

_PLAIN = re.compile(r"[^\W\d_][\w.-]*( [\w-]+)*|(?:[0-9]{1,2}|[A-Z])[^\w\s:#,\[\]{}&*!|>'\"%@`?=-]")
_RESERVED = {"yes", "no", "on", "off", "y", "n", "true", "false", "null", "none"}
_WIDTH = 120

Data = dict[str, Any]


def rules_concerned(found: Replayed, files: GameFiles) -> list[str]:
    """Paths of the rules that a difference is about; of the phase or the scoring at the end if there is none."""
    difference, hand = found.difference, found.hand
    if difference is not None and difference.action <= len(found.told["actions"]):
        phase = difference.clause.partition(".")[0]
        ids = [one.id for one in hand.rules.phases]
        return [f"phases.{phase if phase in ids else (ids[-1] if hand.over else hand.phase)}"]
    if hand.over:
        now = [line.id for line in hand.lines()]
        if difference is not None and difference.others:
            now = [other.rule for other in difference.others]
        paths = [f"scoring.{hand.outcome}.{line}" for line in now]
        there = [path for path in paths if find(files.rules, parse_path(path) or ()) is not None]
        return there or ["scoring"]
    return [f"phases.{hand.phase}"]


def where(path: str, files: GameFiles) -> str:
    """A path of the rules with its place in the file."""
    node = find(files.rules, parse_path(path) or ())
    return path if node is None else f"{path}  ({node.mark})"


def make_case(
    found: Replayed,
    action: int | None,
    expect: str,
    files: GameFiles,
    compiled: Compiled,
    engine: ModuleType,
    sets: Sequence[str],
) -> str:
    """The text of a case for a hand's first difference, its end, or an action; CallError if cases cannot tell of it.

    The case begins as late as a position can say all that matters, else with the deal. It has been played once: with what
    is expected ``today`` it passes, with what was ``recorded`` it shows the difference.
    """
    told, difference = found.told, found.difference
    count = len(found.hand.history)
    if action is not None and action > count + (difference is not None):
        raise CallError(f"there are {count} actions up to where the transcript can be played")
    refused = difference is not None and action in (None, difference.action)
    refused = refused and bool(difference and difference.clause)
    here = difference is not None and action in (None, difference.action)
    if (
        difference is not None
        and here
        and not refused
        and difference.action <= len(told["actions"])
    ):
        raise CallError(f"action {difference.action} {difference.text}: no case can tell of it")
    stop = count if action is None or refused else _end_of_turn(found.hand, action)
    hand = found.hand.clone()
    hand.undo(count - stop)
    facts = _facts(found, hand, stop, expect, refused)
    last = _refused_line(found, expect) if refused else None
    data: Data = {
        "id": "from-a-game." + _slug(difference.clause if refused and difference else hand.phase),
        "title": f"to be told in one sentence: {_title(found, stop, refused)}"[:150],
        "rules": rules_concerned(found, files) if action is None or refused else [_phase_of(hand)],
    }
    data |= _cited(data["rules"][0], files)
    if engine.RULES.variants:
        data["variants"] = list(engine.RULES.variants)
    for given, begun in _beginnings(hand, last):
        played = _lines(hand, begun)
        if last is not None:
            played = _with_refused(played, last, hand)
        text = _text(data | {"given": given, "play": played, "expect": facts}, sets)
        wanted = _text(data | {"given": given, "play": played, "expect": facts}, ())
        if _goes_as_wanted(wanted, files, compiled, engine, expect):
            return text
    raise CallError("cases cannot tell of this hand")


def _facts(found: Replayed, hand: Any, stop: int, expect: str, refused: bool) -> Data:
    """What the case expects: how the hand ended, or else what the last turn has changed."""
    said: Data = hand.table.say(hand.facts())
    if refused and expect == "recorded":
        return {"dealer": said["dealer"]}  # that the action is done is all that is asked
    if refused:
        return (
            {"phase": said["phase"], "to_move": said["to_move"]}
            if not hand.over
            else {"phase": "over"}
        )
    if hand.over:
        now = {key: said[key] for key in ("outcome", "scores", "scored_by")}
        then = found.told.get("ended")
        if expect == "recorded":
            if not isinstance(then, Mapping):
                raise CallError("the transcript does not tell how the hand ended")
            return {**now, **{key: then[key] for key in now if key in then}}
        return now
    if expect == "recorded":
        raise CallError(
            "the transcript tells of actions and of the end only: nothing is recorded here"
        )
    return {"phase": said["phase"], "to_move": said["to_move"]}


def _end_of_turn(hand: Any, action: int) -> int:
    """The number of actions when the turn is over that an action is part of."""
    ends = [turn[-1] + 1 for turn in _turns(hand)]
    return next((end for end in ends if end >= action), action)


def _turns(hand: Any) -> list[list[int]]:
    """The actions so far by turns; a turn is what one line of a case can tell."""
    turns: list[list[int]] = []
    for number, (place, seat, local) in enumerate(hand.history):
        phase = hand.rules.phases[place]
        joins = bool(turns) and (phase.closes >= 0 or phase.in_order)
        if joins:
            before = hand.history[number - 1]
            first = phase.actions[0]
            begins = len(phase.actions) > 1 and first.first <= local < first.first + first.count
            joins = before[:2] == (place, seat) and before[2] != phase.closes
            joins = joins and not (phase.in_order and begins)
        if joins:
            turns[-1].append(number)
        else:
            turns.append([number])
    return turns


def _lines(hand: Any, begun: int) -> list[Data]:
    """The turns after so many actions, each as a line of a case."""
    return [_line(hand, turn) for turn in _turns(hand) if turn[0] >= begun]


def _line(hand: Any, turn: Sequence[int]) -> Data:
    place, seat, _ = hand.history[turn[0]]
    phase = hand.rules.phases[place]
    actions = [hand._action(hand.history[number][2], phase) for number in turn]
    if len(actions) > 1 and hand.history[turn[-1]][2] == phase.closes:
        actions.pop()
    things = [action.what or action.verb for action in actions]
    return {hand.players[seat]: things[0] if len(things) == 1 else things}


def _refused_line(found: Replayed, expect: str) -> Data:
    """The line with the action that today is refused."""
    difference = found.difference
    assert difference is not None
    name, _, said = found.told["actions"][difference.action - 1].partition(": ")
    verb, _, what = said.partition(" ")
    key = verb_key(found.hand.rules, verb)
    line: Data = {key: what or verb}
    return {name: line | ({"refused": difference.clause} if expect == "today" else {})}


def _with_refused(played: list[Data], last: Data, hand: Any) -> list[Data]:
    """The lines with the refused one at the end; what has been done of the same turn becomes part of it."""
    ((name, line),) = last.items()
    if not played or not _unfinished(hand, name):
        return [*played, last]
    before = next(iter(played[-1].values()))
    things = list(before) if isinstance(before, list) else [before]
    said = next(iter(line))
    things += (
        [] if line[said] in _closing_words(hand) else [line[said]]
    )  # a line closes its turn itself
    told = {DOES: things[0] if len(things) == 1 else things}
    return [*played[:-1], {name: told | {key: line[key] for key in line if key != said}}]


def _closing_words(hand: Any) -> list[str]:
    """What ends a turn of several actions in the present phase."""
    phase = hand.rules.phases[hand.state[2]]
    return [hand._action(phase.closes, phase).verb] if phase.closes >= 0 else []


def _unfinished(hand: Any, name: str) -> bool:
    """Whether a player is in the middle of a turn of several actions."""
    if hand.over or not hand.history or hand.to_move != name:
        return False
    place, seat, local = hand.history[-1]
    phase = hand.rules.phases[place]
    same: bool = place == hand.state[2] and hand.players[seat] == name
    several: bool = phase.closes >= 0 or phase.in_order
    return same and several and bool(local != phase.closes)


def _beginnings(hand: Any, last: Data | None) -> Iterator[tuple[Data, int]]:
    """Where a case can begin, and after how many actions: the latest position first, the deal last."""
    starts = [turn[0] for turn in _turns(hand)]
    if last is not None and not _unfinished(hand, next(iter(last))):
        starts.append(len(hand.history))
    for begun in sorted(starts, reverse=True)[:60]:
        before = hand.clone()
        before.undo(len(hand.history) - begun)
        position = _position(before)
        if position is not None and _same_from_there(hand, position, begun):
            yield position, begun
            break
    start = hand._start
    if "position" in start:
        yield dict(start["position"]), 0
    elif "seed" in start:
        given = {"players": list(hand.players), "dealer": hand.players[hand.state[1]]}
        number = {"hand_number": start["number"] + 1} if start["number"] else {}
        yield {**given, "seed": start["seed"], **number}, 0


def _position(hand: Any) -> Data | None:
    """The position in words, without what is as when nothing has happened; None if it is over or nothing can be done."""
    if hand.over:
        return None
    said: Data = hand.table.say(hand.facts())
    blank: Data = hand.table.say(type(hand)(hand.players).facts())
    given: Data = {"players": list(hand.players), "dealer": said["dealer"], "at": said["phase"]}
    given["to_move"] = said["to_move"]
    if hand.state[5] > 1:
        given["hand_number"] = hand.state[5]
    for part in hand.rules.fields:
        outer, _, inner = part.key.partition(".")
        value = said[outer][inner] if inner else said[outer]
        usual = blank[outer][inner] if inner else blank[outer]
        if part.per_player and part.type != "order":
            usual = {} if part.key == "hands" else usual
            value = {name: own for name, own in value.items() if own != usual.get(name)}
        if value in ({}, [], None, "nobody") or (value == usual and part.key != "hands"):
            continue
        if inner:
            given.setdefault(outer, {})[inner] = value
        else:
            given[outer] = value
    return given


def _same_from_there(hand: Any, position: Data, begun: int) -> bool:
    """Whether play from a position comes to the same as in the hand."""
    try:
        other = type(hand).from_position(position)
        for place, seat, local in hand.history[begun:]:
            phase = hand.rules.phases[place]
            other.apply(other._action(local, phase), hand.players[seat])
    except ValueError:
        return False
    ours, theirs = hand.table.say(hand.facts()), other.table.say(other.facts())
    return all(
        ours[key] == theirs.get(key) for key in ours if key not in ("trick", "stock", "voids")
    )


def _goes_as_wanted(
    text: str, files: GameFiles, compiled: Compiled, engine: ModuleType, expect: str
) -> bool:
    """Whether the case is sound, and passes if it expects what comes out today."""
    report = Report()
    cases = _read(whole_text(files.id, [text]), "case", files, report)
    if report.failed or not cases:
        return False
    known = {case.sides[0].variants: vocabulary(compiled, engine) for case in cases}
    if lint(cases, known).failed:
        return False
    result = run_case(cases[0], cases[0].sides[0], engine, speech(engine))
    return result.passed if expect == "today" else not result.trouble


def _read(text: str, name: str, files: GameFiles, report: Report) -> list[Case]:
    node = read_text(text, name, report)
    if node is None or report.failed or not schema.check(node, find_schema("case"), report):
        return []
    return list(bind_cases(node, files, report, {}))


def _cited(path: str, files: GameFiles) -> Data:
    """The source of the rule at a path, or of what it is part of; a reading where it has none."""
    parts = parse_path(path) or ()
    for depth in range(len(parts), 0, -1):
        node = find(files.rules, (*parts[:depth], "source"))
        if node is not None:
            return {"source": node.plain()}
    return {"reading": "to be said: what was chosen, and why"}


def _phase_of(hand: Any) -> str:
    return f"phases.{hand.rules.phases[hand.history[-1][0]].id}" if hand.history else "phases"


def _title(found: Replayed, stop: int, refused: bool) -> str:
    actions = found.told["actions"]
    if refused and found.difference is not None:
        return f"{actions[found.difference.action - 1]} is refused"
    return f"after {actions[stop - 1]}" if 0 < stop <= len(actions) else "where it begins"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# The form of a case


def whole_text(game: str, cases: Sequence[str]) -> str:
    """A file with these cases."""
    return f"suite: {game}\ncases:\n" + "\n".join(cases)


def _text(data: Data, sets: Sequence[str]) -> str:
    """A case as YAML in the form that people write it in."""
    lines = [f"# played with {' '.join('--set ' + _flow(one) for one in sets)}"] if sets else []
    for key, value in data.items():
        if key in ("given", "expect"):
            lines.append(f"{key}:")
            lines += [line for inner, own in value.items() for line in _entry(inner, own, 2)]
        elif key == "play":
            lines.append("play:" if value else "play: []")
            lines += [f"  - {_flow(line)[1:-1]}" for line in value]
        else:
            lines.append(f"{key}: {_flow(value)}")
    first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    return "".join(
        f"  {'- ' if number == first else '  '}{line}\n" for number, line in enumerate(lines)
    )


def _entry(key: str, value: Any, indent: int) -> list[str]:
    line = f"{' ' * indent}{_flow(key)}: {_flow(value)}"
    if len(line) <= _WIDTH or not isinstance(value, Mapping):
        return [line]
    inner = [part for name, own in value.items() for part in _entry(name, own, indent + 2)]
    return [f"{' ' * indent}{_flow(key)}:", *inner]


def _flow(value: Any) -> str:
    """A value in one line of YAML; texts that could be read as something else are quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(own)}" for key, own in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return str(value).lower()
    text = str(value)
    plain = _PLAIN.fullmatch(text) and text.lower() not in _RESERVED
    return text if plain else json.dumps(text, ensure_ascii=False)


def add_case(path: str, files: GameFiles, case: str) -> str:
    """Add a case to a file, which may be new; gives its id. CallError, and nothing written, if the file would not be sound."""
    target = Path(path)
    match = re.search(r"- id: (\S+)", case)
    assert match is not None
    case_id = name = match[1]
    try:
        present = target.read_text(encoding="utf-8") if target.exists() else ""
    except (OSError, UnicodeDecodeError):
        raise CallError(f"{path} cannot be read as text") from None
    number = 2
    while present and re.search(rf"^\s*(- )?id: {re.escape(name)}\s*$", present, re.MULTILINE):
        name, number = f"{case_id}-{number}", number + 1
    case = case.replace(f"id: {case_id}", f"id: {name}", 1)
    text = present.rstrip("\n") + "\n\n" + case if present else whole_text(files.id, [case])
    report = Report()
    read = _read(text, path, files, report)
    own = [one for one in read if one.id == name]
    alone = _read(whole_text(files.id, [case]), path, files, Report())
    if report.failed or not own or not alone:
        problems = "; ".join(problem.render().splitlines()[0] for problem in report.problems[:3])
        raise CallError(
            f"the case does not fit at the end of {path}: {problems or 'it is not a file of cases'}"
        )
    if own[0].given != alone[0].given:
        raise CallError(f"{path} has a base that this case is not about: choose another file")
    try:
        with whole_file(target) as file:
            file.write(text)
    except Unwritable as error:
        raise CallError(str(error)) from None
    return name
