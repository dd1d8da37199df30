"""Targets: what reads input from strangers, each with real inputs to start from and what must hold for any other.

A target takes a text and says in a word what came of it. Whatever it raises is a fault.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from trickwright import Compiled, GameFiles, Report, compile_game, overlay, paths, read_game, schema
from trickwright.compile import check_shape
from trickwright.decks import with_deck
from trickwright.expressions import parse
from trickwright.memory import load_engine
from trickwright.names import Name, Scope, Type
from trickwright.places import games, home
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, to_json
from trickwright.source import Node, read_text, read_value
from trickwright.tables import Table
from trickwright.text import Cited
from trickwright_conformance import Suite, cases
from trickwright_conformance.adapter import Engines, answers
from trickwright_conformance.asking import Asked
from trickwright_conformance.cases import Case, Side
from trickwright_conformance.protocol import Fault, Launch, Session, play
from trickwright_conformance.protocol.claims import Claims, check_claims
from trickwright_conformance.protocol.messages import (
    ANSWERS,
    PROTOCOL,
    check_answer,
    decode,
    encode,
)
from trickwright_conformance.protocol.play import questions
from trickwright_conformance.show import show_failure

BASE = Path(__file__).resolve().parent.parent / "errors" / "base"
"""A small game, quick to compile."""

MOST_STEPS = 3_000
"""Decisions that a hand of an accepted game may take; a usual one takes a hundred."""

_HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]")


_IMPORTED_FROM = {"__future__", "_runtime", "dataclasses", "typing", "collections.abc"}


@dataclass(frozen=True)
class Target:
    """Something that reads strangers' input."""

    seeds: Callable[[], list[str]]
    run: Callable[[str], str]


# Reading files


def sound(report: Report, text: str) -> None:
    """Problems stand inside the text, on one line each with a hint, and may be shown on any terminal."""
    for problem in report.problems:
        shown = problem.render()
        assert problem.text and len(shown.splitlines()) <= 2, ascii(shown)
        assert not _HIDDEN.search(shown), ascii(shown)
        assert len(shown) < 4_000, "a message is read by people"
        if problem.mark.file == "f.yaml":
            assert 1 <= problem.mark.line <= len(re.split("\r\n|\n|\r", text)), problem
    json.loads(to_json(report.problems))


def reading(text: str) -> str:
    """YAML, as a file and as a value of ``--set``; what is read says the same when it is written as JSON."""
    report = Report()
    node = read_text(text, "f.yaml", report)
    sound(report, text)
    value = read_value(text, Report(), Mark("--set", 1, 1))
    assert node is not None or report.failed
    if node is None or report.failed:
        return "refused"
    again, own = json.dumps(node.plain(), ensure_ascii=False), Report()
    twin = read_text(again, "f.yaml", own)
    assert twin is not None and repr(twin.plain()) == repr(node.plain()), own.problems
    return "read" if value is None else "read as a value"


def _written() -> list[str]:
    """All YAML files of games and decks, and bad ones."""
    found = [*(home() / "spec").rglob("*.yaml"), *BASE.rglob("*.yaml")]
    return [path.read_text(encoding="utf-8") for path in found]


def _yaml_seeds() -> list[str]:
    bad = [path.read_text("utf-8", "replace") for path in sorted(BASE.parent.glob("*.yaml"))]
    # Short ones are quick, and a damaged letter weighs more in them.
    return [text for text in (*_written(), *bad) if len(text) < 3_000]


# Expressions

_PLAYERS = (3, 4)


@cache
def _scope() -> tuple[Scope, dict[str, Table]]:
    def same(*bounds: int) -> dict[int, tuple[int, int]]:
        return dict.fromkeys(_PLAYERS, (bounds[0], bounds[1]))

    player = (Type.PLAYER,)
    names = [
        Name("players", Type.NUMBER, "state[0]", "", range={3: (3, 3), 4: (4, 4)}),
        Name("some", Type.NUMBER, "state[1]", "", range=same(-5, 7)),
        Name("boss", Type.PLAYER, "state[2]", "", at_least={"bid": 1}),
        Name("mate", Type.PLAYER, "state[3]", "", may_be_nobody=True),
        Name("team", Type.PLAYERS, "state[4]", ""),
        Name("bid", Type.NUMBER, "state[10 + {0}]", "", player, same(0, 3)),
        Name("hand", Type.CARDS, "state[20 + {0}]", "", player),
        Name("named", Type.TRUMP, "state[5]", "", kinds=("suit", "none")),
        Name("suit", Type.TRUMP_KIND, "0", "", kinds=("suit",)),
    ]
    tables = {
        "goal": Table("goal", Mark("", 1, 1), Cited({}), {3: (2, 5), 4: (-3, 0)}, {}, {}, False),
        "step": Table("step", Mark("", 1, 1), Cited({}), {}, {"suit": 0, "none": 2}, {}, False),
    }
    return Scope({name.name: name for name in names}), tables


_EXPRESSION_NODES = (
    ast.Expression, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Call, ast.Tuple,
)  # fmt: skip


def expressions(text: str) -> str:
    """An expression: refused with one problem, or Python of a few kinds of parts, small, with bounds."""
    scope, tables = _scope()
    report = Report()
    node = Node(Mark("f.yaml", 1, 1), text, indent=0)
    found = parse(text, scope, tables, _PLAYERS, (node, "path"), report)
    sound(report, text)
    if found is None:
        assert len(report.problems) == 1
        return "refused"
    assert not report.failed and len(found.code) < 40_000
    if found.type in (Type.TABLE, Type.ROW):
        return "a table"
    for part in ast.walk(ast.parse(found.code, mode="eval")):
        assert isinstance(part, _EXPRESSION_NODES), ast.dump(part)
        assert not isinstance(part, ast.Name) or not part.id.startswith("_"), part.id
        assert not isinstance(part, ast.Constant) or type(part.value) in (int, bool), part.value
    assert all(-(10**9) <= low <= high <= 10**9 for low, high in found.range.values())
    return found.type.value


def _expression_seeds() -> list[str]:
    found = [
        "some * bid(boss) + 5", "min(some, 2) // 3 % 2", "goal[players][1 + bid(boss) % 2]", "step[named.kind]", "step[named]",
        "team | mate", "everyone - team", "size(hand(boss) & named)", "points(hand(boss))", "-some if named.kind == suit else abs(some)",
        "level_reached(goal[players], some)", "not (boss == mate and some >= 2 or players != 4)", "left_of(boss)", "1 < some <= 3",
    ]  # fmt: skip
    found += [
        "(some + 3) * (some - 2)", "bid(mate) if some < 2 else bid(left_of(boss))", "max(some, bid(boss), 1)", "abs(some) % 3 == 0 and some > 1",
        "team & everyone", "all_cards - hand(boss)" , "hand(boss) | hand(mate)", "players - 1", "step[named] * 10 + goal[players][2 - some % 2]",
    ] * 3  # fmt: skip
    for text in _written():
        found += re.findall(
            r"(?:points|when|who|goal|taken|by|leader): ([^{}\n]{4,90})$", text, re.M
        )
    return found


# Overlays


@cache
def base() -> GameFiles:
    """The files of the small game."""
    report = Report()
    files = read_game(BASE, report)
    assert files is not None and not report.problems
    return files


def overlays(text: str) -> str:
    """A variant laid over the small game; or, if it is none, each of its lines as a ``--set``."""
    report = Report()
    node = read_text(text, "f.yaml", report)
    fits = node is not None and not report.failed
    variants = {}
    if fits and node is not None and schema.check(node, find_schema("variant"), report):
        variants = {"tried": node}
    files = GameFiles(BASE, base().rules, variants, base().texts)
    sets = [] if fits else text.split("\n")[:5]
    if not fits or variants:
        changes = [] if not variants else [overlay.overlay_from_variant(node, report)]  # type: ignore[arg-type]
        by_hand = overlay.overlay_from_set(sets, report)
        changes += [] if by_hand is None else [by_hand]
        made = overlay.apply(files.rules, changes, report, "f.yaml")
        paths.origins(made), paths.all_paths(made)
        check_shape(made, report)
    sound(report, text)
    if report.failed:
        return "refused"
    made_game = compile_game(files, list(variants), sets, report)
    sound(report, text)
    assert made_game is not None or report.failed
    return "refused by its meaning" if made_game is None else "another game"


def _overlay_seeds() -> list[str]:
    own = (BASE / "variants" / "to-30.yaml").read_text(encoding="utf-8")
    more = [
        *(path.read_text(encoding="utf-8") for path in BASE.parent.glob("*.variant.yaml")),
        *(path.read_text(encoding="utf-8") for path in BASE.parent.glob("*.set")),
        *(path.read_text(encoding="utf-8") for path in (home() / "spec").rglob("variants/*.yaml")),
    ]
    values = [path for path in paths.all_paths(base().rules) if "source" not in path]
    sets = [
        "\n".join(f"{path}={n}" for path in values[n : n + 3]) for n in range(0, len(values), 3)
    ]
    return [own, own, *more, *sets]


# Compiling


def compiling(text: str) -> str:
    """A file of a game, whichever it says it is: refused, or an engine that is played to the end."""
    report = Report()
    node = read_text(text, "f.yaml", report)
    top = node.value if node is not None and isinstance(node.value, dict) else {}
    files: GameFiles | None = None
    if node is None or report.failed:
        pass
    elif "deck" in top:
        if schema.check(node, find_schema("deck"), report):
            files = _with_deck(node, report)
    elif "language" in top:
        if schema.check(node, find_schema("text"), report):
            files = GameFiles(BASE, base().rules, {}, {str(top["language"].value): node})
    elif check_shape(node, report):
        rules = with_deck(node, BASE, report)
        files = None if rules is None else GameFiles(BASE, rules, {}, {})
    made = None if files is None or report.failed else compile_game(files, report=report)
    sound(report, text)
    assert made is not None or report.failed
    if made is None:
        return "refused"
    engine = harmless(made)
    if any(problem.severity == "warning" for problem in report.problems):
        plays(engine, 1)
        return "a game with warnings"
    plays(engine, 2)
    return "a game"


def _with_deck(deck: Node, report: Report) -> GameFiles | None:
    """The small game with the cards of a deck; its own words for suits do not fit and are left out."""
    rules = read_text((BASE / "rules.yaml").read_text(encoding="utf-8"), "rules.yaml", Report())
    assert rules is not None and isinstance(rules.value, dict) and isinstance(deck.value, dict)
    cards = rules.value["cards"]
    assert isinstance(cards.value, dict)
    for key in ("suits", "ranks", "sides", "named", "copies"):
        if key in deck.value:
            cards.value[key], cards.keys[key] = deck.value[key], deck.keys[key]
    return GameFiles(BASE, rules, {}, {}) if check_shape(rules, report) else None


def harmless(made: Compiled) -> ModuleType:
    """The engine as a module, once it is seen to hold no other import or name than engines do."""
    tree = ast.parse(made.engine)
    for part in ast.walk(tree):
        assert not isinstance(part, ast.Import), ast.dump(part)
        if isinstance(part, ast.ImportFrom):
            assert part.module in _IMPORTED_FROM, ast.dump(part)
        if isinstance(part, ast.Name):
            assert part.id not in ("eval", "exec", "open", "__import__", "compile", "getattr")
    return load_engine(made)


def plays(engine: ModuleType, hands: int) -> None:
    """A hand with each number of players ends, and its transcript makes the same hand again."""
    rules = engine.RULES
    for players in (rules.players[0], rules.players[-1])[:hands]:
        hand = engine.Hand(players, seed=players)
        hand.play_randomly(engine.stream(players, 1), MOST_STEPS)
        assert hand.over, "a hand comes to an end"
        assert all(abs(score) <= 1 << 40 for score in hand.scores.values())
        assert engine.Hand.from_json(hand.to_json()).state == hand.state


def _compile_seeds() -> list[str]:
    small = [(BASE / name).read_text(encoding="utf-8") for name in ("rules.yaml", "text.en.yaml")]
    decks = [
        path.read_text(encoding="utf-8") for path in (home() / "spec" / "decks").glob("*.yaml")
    ]
    rules = [(folder / "rules.yaml").read_text(encoding="utf-8") for folder in games().values()]
    bad = [path.read_text("utf-8", "replace") for path in sorted(BASE.parent.glob("*.yaml"))]
    bad = [text for text in bad if re.search(r"^(game|language|deck): ", text, re.M)]
    return [*small, *small, *rules, *decks, *bad]


# Conformance cases


@cache
def _place_of_cases() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory()
    return Path(folder.name) / "f.yaml", folder


@cache
def _suites() -> dict[str, Suite]:
    """A suite without cases for each game, which keeps its engines."""
    found = {}
    for folder in (*games().values(), BASE):
        files = read_game(folder, Report())
        assert files is not None
        found[folder.name] = Suite(files, [])
    return found


def cases_(text: str) -> str:
    """A file of conformance cases: refused, or each case passes, fails or says why it cannot be played."""
    path, _ = _place_of_cases()
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    named = re.search(r'^"?\{?"?suite"?: "?([a-z-]+)', text, re.M)
    suite = _suites().get(named[1] if named else "", _suites()["base"])
    suite.report, suite.skipped = Report(), {}
    before, cases.case_files = cases.case_files, lambda game: [path]
    try:
        suite.cases = cases.read_suite(suite.files, suite.report, suite.skipped)
    finally:
        cases.case_files = before
    if not suite.report.failed:
        suite._lint()
    sound(suite.report, text)
    if suite.report.failed:
        return "refused"
    found = "no case"
    for case in suite.cases[:20]:
        for side in case.sides:
            if any(variant not in suite.files.variants for variant in side.variants):
                continue
            result = suite.run(case, side)
            assert "the engine broke" not in result.trouble, f"{case.id}: {result.trouble}"
            found = "played"
    return found


def _case_seeds() -> list[str]:
    found = []
    for path in sorted((home() / "conformance" / "cases").rglob("*.yaml")):
        head, _, rest = path.read_text(encoding="utf-8").partition("\ncases:")
        parts = re.split(r"\n(?=  - )", rest)
        # A file with all its cases is slow to read; a few of them are as good.
        found += [
            f"{head}\ncases:\n" + "\n".join(parts[n : n + 2]) + "\n"
            for n in range(1, len(parts), 9)
        ]
    found += [path.read_text("utf-8") for path in sorted(BASE.parent.glob("*.case.yaml"))]
    return found


# Positions and transcripts


@cache
def _engines() -> dict[str, ModuleType]:
    found = {}
    for name, folder in games().items():
        files = read_game(folder, Report())
        assert files is not None
        made = compile_game(files)
        assert made is not None
        found[name] = load_engine(made)
    return found


def _engine_for(text: str) -> ModuleType:
    named = re.search(r'"game": "([a-z-]+)"', text)
    found = _engines().get(named[1] if named else "")
    return found or list(_engines().values())[len(text) % len(_engines())]


def _refusals(engine: ModuleType) -> tuple[type[ValueError], ...]:
    """What an engine may raise for input that makes no sense, or that a rule forbids."""
    runtime = _runtime(engine)
    return runtime.BadInput, runtime.IllegalAction


def positions(text: str) -> str:
    """A position, as a JSON text: refused, or a hand that is seen, asked and played on."""
    engine = _engine_for(text)
    try:
        given = _transcript(engine).read_json(text)
    except _refusals(engine) as error:
        _readable(str(error))
        return "not JSON"
    if isinstance(given, dict):
        given.pop("game", None)
    try:
        hand = engine.Hand.from_position(given)
    except _refusals(engine) as error:
        _readable(str(error))
        return "refused"
    hand.facts(), hand.legal_actions()
    for name in hand.players:
        hand.view(name)
    again = engine.Hand.from_json(hand.to_json())
    assert again.state == hand.state, "a position is kept by its transcript"
    try:
        hand.play_randomly(engine.stream(1, 1), MOST_STEPS)
    except _refusals(engine):  # only a part of the position is told
        assert not hand.over and not hand.legal_actions()
        return "a hand that gets stuck"
    assert hand.over, "a hand comes to an end"
    return "a hand"


def transcripts(text: str) -> str:
    """A saved hand or match: refused, or one that writes the same again."""
    engine = _engine_for(text)
    said = "refused"
    for kind in (engine.Hand, engine.Match):
        try:
            made = kind.from_json(text)
        except _refusals(engine) as error:
            _readable(str(error))
            continue
        assert kind.from_json(made.to_json()).to_json() == made.to_json()
        said = "replayed"
    return said


def _readable(said: str) -> None:
    assert said and len(said) < 60_000, "a message is read by people"
    assert not _HIDDEN.search(said), ascii(said)[:200]


def _position_seeds() -> list[str]:
    found = []
    for name, suite in _suites().items():
        if name not in _engines():
            continue
        own = cases.read_suite(suite.files, Report(), {})
        found += [
            json.dumps({"game": name, **case.given}, ensure_ascii=False)
            for case in own[::4]
            if "at" in case.given
        ]
    return found


def _transcript_seeds() -> list[str]:
    found = []
    for engine in _engines().values():
        for seed, players in enumerate(engine.RULES.players):
            hand = engine.Hand(players, seed=seed)
            hand.play_randomly(engine.stream(seed, 1), 12)
            found.append(hand.to_json())
            hand.play_randomly(engine.stream(seed, 2))
            found.append(hand.to_json())
        match = engine.Match(engine.RULES.players[0], 3)
        match.play_randomly(engine.stream(1, 1), 1)
        found.append(match.to_json())
    return found


# Messages


@cache
def _engines_of_the_adapter() -> Engines:
    return {(name, frozenset()): engine for name, engine in _engines().items()}


@cache
def _asked() -> list[tuple[Suite, Case, Side, Asked, dict[str, Any]]]:
    """Some cases of each game, with the requests for them."""
    found = []
    for name in _engines():
        suite = _suites()[name]
        own = cases.read_suite(suite.files, Report(), {})
        picked = Suite(suite.files, [case for case in own[::7] if case.sides[0].variants == ()])
        found += [(picked, *one) for one in questions(picked) if not one[1].variants]
    return found


def _message_seeds() -> list[str]:
    """Requests and the answers of our own adapter to them, every other kind of answer, saved hands and short positions."""
    requests: list[dict[str, Any]] = [{"do": "start", "protocol": 1}, {"do": "stop"}] * 20
    requests += [{"do": "run", **request} for *_, request in _asked()]
    lines = [encode({"id": 1, **request}) for request in requests]
    found = [line.decode().rstrip() for line in lines]
    engines = _engines_of_the_adapter()
    found += [encode(next(answers([line], engines))).decode().rstrip() for line in lines]
    skipped = {"answer": "skipped", "lacks": "phases.tricks", "because": "not yet"}
    others = [{"answer": kind, "because": "it broke"} for kind in ("impossible", "crashed")]
    found += [json.dumps({"id": 1, **answer}) for answer in (skipped, *others)] * 5
    hands = [engine.Hand(engine.RULES.players[0], seed=1) for engine in _engines().values()]
    return [*found, *(hand.to_json() for hand in hands), *_position_seeds()[::9]]


def messages(text: str) -> str:
    """Lines as engines, and those who drive engines, send them, or that were saved: each is refused, or read to its end."""
    said = "refused"
    for line in text.split("\n")[:20]:
        data = line.encode("utf-8", "surrogatepass")
        for read in (_as_answer, _as_request, _as_saved):
            try:
                said = read(data, line)
            except Fault as fault:
                _readable(str(fault))
    return said


class _Wire:
    """An engine that says one line, whatever it is asked."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def unread(self) -> bytes:
        return b""

    def send(self, data: bytes) -> None:
        assert data.endswith(b"\n")

    def line(self, limit: float) -> bytes:
        return self._data


def _as_answer(data: bytes, line: str) -> str:
    """What comes from an engine, through the session that asked for it: to ``start``, to a case, or to ``stop``."""
    session = Session(Launch("engine"))
    session._process, session._last = _Wire(data), 0  # type: ignore[assignment]
    do = "start" if '"started"' in line else "stop" if '"stopped"' in line else "run"
    if do == "stop":
        session._ask({"do": do}, 1.0)
        return "stopped"
    suite, case, side, asked, request = _best(line)
    player = play._Player(suite, session.launch)
    if do == "start":
        started = session._ask({"do": do, "protocol": PROTOCOL}, 1.0)
        claims = Claims.of(suite.files.id, started)
        if claims is not None:
            check_claims(claims, player._words)
            claims.lacks(request)
        return "started"
    answer = session.run(request)
    played = player._judged(case, side, asked, answer)
    _on_one_line(played.news), _on_one_line(played.lack)
    _readable(show_failure(played.result, suite.files))
    return f"an answer: {played.verdict}"


def _best(line: str) -> tuple[Suite, Case, Side, Asked, dict[str, Any]]:
    """The case that an answer may belong to: the one with most of its facts, and as many steps."""
    facts, steps = set(re.findall(r'"(\w+)":', line)), line.count('"refused":')
    return max(
        _asked(),
        key=lambda one: len(facts & set(one[4]["ask"])) - (len(one[4]["play"]) != steps) - len(set(one[4]["ask"]) - facts),
    )  # fmt: skip


def _on_one_line(said: str) -> None:
    assert len(said.splitlines()) <= 1 and not _HIDDEN.search(said), ascii(said)[:200]


def _as_request(data: bytes, line: str) -> str:
    """What comes to our own adapter; its answer is one that the other side takes."""
    said = "refused"
    for answer in answers([data], _engines_of_the_adapter()):
        (do,) = {do for do, kinds in ANSWERS.items() if answer["answer"] in kinds}
        assert answer["answer"] != "crashed", answer["because"]
        said = f"a request: {check_answer(decode(encode(answer)), do)}"
    return said


def _as_saved(data: bytes, line: str) -> str:
    """What was saved, as JSON: a hand or a match."""
    engine = _engine_for(line)
    try:
        told = _transcript(engine).read_json(line)
        (engine.Match if '"hands"' in line else engine.Hand).replay(told)
    except _refusals(engine) as error:
        _readable(str(error))
        raise Fault("not-json", "not saved by an engine") from None
    return "replayed"


def _transcript(engine: ModuleType) -> ModuleType:
    """The module in which engines read what was saved."""
    return sys.modules[f"{_runtime(engine).__name__.rpartition('.')[0]}.transcript"]


def _runtime(engine: ModuleType) -> ModuleType:
    """The module that has what all engines share."""
    return sys.modules[engine.Hand.__mro__[1].__module__]


TARGETS = {
    "reading": Target(_yaml_seeds, reading),
    "expressions": Target(_expression_seeds, expressions),
    "overlays": Target(_overlay_seeds, overlays),
    "compiling": Target(_compile_seeds, compiling),
    "cases": Target(_case_seeds, cases_),
    "positions": Target(_position_seeds, positions),
    "transcripts": Target(_transcript_seeds, transcripts),
    "messages": Target(_message_seeds, messages),
}


@cache
def seeds(name: str) -> list[str]:
    """The real inputs that a target starts from."""
    return TARGETS[name].seeds()


def chance(number: int) -> random.Random:
    """The stream of one input: the same number always makes the same input."""
    return random.Random(number)
