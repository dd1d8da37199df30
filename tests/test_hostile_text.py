"""Hostile texts and names: each is a clear problem, or reaches an engine as nothing but text, and the engine plays."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
import types
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import compiled, read
from test_damage import plays
from trickwright import Compiled, GameFiles, Report, compile_game
from trickwright.compile import check_shape
from trickwright.memory import load_engine
from trickwright.places import games
from trickwright.places import schema as find_schema
from trickwright.problems import Problem
from trickwright.runtime_files import runtime_text
from trickwright.schema import check
from trickwright.source import Node, read_text
from trickwright.standalone import inline, without_markers

GAME = "chief-and-vice"
MARK = "ODDTEXT"
"""In every hostile text, to find it again."""

HARMLESS = [
    f'{MARK} quote " and \' and """ and more',
    f'"""; import os; """ {MARK}',
    f'""" + __import__("os").system("true") + """ {MARK}',
    f"{MARK}''' \\",
    f'{MARK}" \\" \\\\" \\',
    f"\\n \\x41 \\N{{BULLET}} \\u0041 {MARK} \\",
    f"{{{{ game }}}} {{% raw %}} %}} }}}} {{# {MARK} #}}",
    f"{{0.__class__}} {{limit}} {{}} %s %(x)s ${{x}} {MARK}",
    f"{MARK} # <runtime>",
    f"{MARK} # </runtime>",
    f"# noqa {MARK} # type: ignore",
    f"<script>{MARK}</script> & &amp; ]]>",
    f"=cmd|{MARK}!A1",
    f"  {MARK}  two  spaces  ",
    f"Сhief {MARK} Ѵісе é e\u0301 \u00a0 ﷽",
    f"🂡 {MARK} 𝐛𝐨𝐥𝐝 ♠\ufe0f",
    f"-*- coding: utf-7 -*- {MARK}",
    f"{MARK}" + "x" * 180,
]
REFUSED = {
    f"{MARK}\nimport os": "bad-form",
    f"{MARK}\n": "bad-form",
    f"{MARK}\r import os": "odd-character",
    f"{MARK}\x0bimport os": "odd-character",
    f"{MARK}\x0cimport os": "odd-character",
    f"{MARK}\x85import os": "odd-character",
    f"{MARK}\u2028import os": "odd-character",
    f"{MARK}\t": "odd-character",
    f"{MARK}\x00": "odd-character",
    f"{MARK}\x1b[31m": "odd-character",
    f"{MARK}\u202e": "odd-character",
    f"{MARK}\u2066": "odd-character",
    f"{MARK}\u200b\u200d": "odd-character",
    f"{MARK}\xad": "odd-character",
    f"{MARK}\u3164": "odd-character",
    f"{MARK}\U000e0041": "odd-character",
    f"{MARK}\ud800": "odd-character",
    f"{MARK}" + "x" * 200: "out-of-bounds",
}


def tree(plain: Any, kind: str, report: Report) -> Node | None:
    """Data as a file of a game would hold it, checked for its form."""
    node = read_text(json.dumps(plain, ensure_ascii=False), f"{kind}.yaml", report)
    if node is not None and kind == "game":
        check_shape(node, report)
    elif node is not None:
        check(node, find_schema(kind), report)
    return node


def everywhere(text: str, report: Report) -> GameFiles | None:
    """The game with a text in each place that takes one; each place has it with another number in front."""
    rules, words = read(GAME).rules.plain(), read(GAME).texts["en"].plain()
    count = iter(range(1000))
    rules["title"] = {language: f"{next(count)}{text}" for language in ("en", "de", "xx")}
    for source in rules["sources"].values():
        source["title"] = f"{next(count)}{text}"
        source["sections"] = [f"{place}{text}" for place in range(len(source["sections"]))]

    def replace(value: Any) -> None:
        if isinstance(value, list):
            for inner in value:
                replace(inner)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key == "source":
                    value[key] = {name: f"0{text}" for name in inner}
                elif key == "reading":
                    value[key] = f"a reading, {text}"
                else:
                    replace(inner)

    replace({key: part for key, part in rules.items() if key != "sources"})
    for section in ("suits", "names", "phases", "outcomes", "values"):
        words[section] = {key: f"{next(count)}{text}" for key in words[section]}
    for rank in words["ranks"].values():
        rank["one"], rank["many"] = f"{next(count)}{text}", f"{next(count)}{text}"
    words["no_trumps"] = f"{next(count)}{text}"
    root, english = tree(rules, "game", report), tree(words, "text", report)
    if root is None or english is None or report.failed:
        return None
    return GameFiles(games()[GAME], root, {}, {"en": english})


def blank(text: str) -> str:
    """What a module does, without its texts."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(module)


@cache
def plain_engine() -> str:
    """The engine with texts that nobody could mind."""
    files = everywhere(MARK.lower(), Report())
    assert files is not None
    made = compile_game(files)
    assert made is not None
    return made.engine


@cache
def shapes(engine: str) -> tuple[str, str]:
    """What an engine does, in a package and standing alone."""
    return blank(without_markers(engine)), blank(inline(engine, runtime()))


@cache
def runtime() -> str:
    return runtime_text()


def run(text: str, name: str) -> types.ModuleType:
    """A module that stands alone."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(text, name, "exec"), module.__dict__)
    finally:
        del sys.modules[name]
    return module


@pytest.mark.parametrize("text", HARMLESS)
def test_a_hostile_text_stays_a_text(text: str) -> None:
    report = Report()
    files = everywhere(text, report)
    assert files is not None, [problem.render() for problem in report.problems]
    made = compile_game(files, report=report)
    assert made is not None, [problem.render() for problem in report.problems]
    assert made.engine.count(MARK) > 50
    for form in (without_markers(made.engine), inline(made.engine, runtime())):
        assert form.count(MARK) >= made.engine.count(MARK)
        for token in tokenize.generate_tokens(io.StringIO(form).readline):
            if MARK in token.string:
                assert token.type in (tokenize.STRING, tokenize.COMMENT), token
                assert token.start[0] == token.end[0] or ast.literal_eval(token.string), token
    assert shapes(made.engine) == shapes(plain_engine()), "the engine does the same"
    module = load_engine(made)
    assert module.RULES.title["en"] == f"0{text}", "the text arrives as it was written"
    assert any(word.endswith(text) for word in module.RULES.words["en"].names.values())
    plays(module, hands=3)
    hand = module.Hand(4, seed=1)
    for action in hand.legal_actions():
        assert hand.parse(str(action)) == action, "what is said can be understood"


@pytest.mark.parametrize(("text", "code"), REFUSED.items(), ids=lambda part: repr(part)[:30])
def test_a_text_that_breaks_lines_or_hides_is_refused(text: str, code: str) -> None:
    report = Report()
    assert everywhere(text, report) is None
    assert {problem.code for problem in report.problems} <= {code, "bad-form", "out-of-bounds"}
    assert code in {problem.code for problem in report.problems}
    for problem in report.problems:
        assert len(problem.render().splitlines()) <= 2
        assert all(letter.isprintable() for letter in problem.render().replace("\n", ""))


SYMBOLS = ['"', "'", "\\", "{", "}", "{{", "%}", "#", "$", "`", "*", "&", "!", "@", "\u0301!", "♠\ufe0f", "🂡", "\\'", '""']  # fmt: skip
NO_SYMBOLS = ['"""', "a", "A", "é", "1", "_", " ", "", "\n", "!\n", "\u00a0", "\u200b", "\ufe0f", "Н", "٣"]  # fmt: skip


def with_symbol(symbol: str) -> tuple[Compiled | None, list[Problem]]:
    report = Report()
    rules = read(GAME).rules.plain()
    rules["cards"]["suits"]["spades"] = symbol
    rules["cards"].pop("without")
    rules["phases"]["deal"]["left_over"] = "set-aside"
    rules["tables"]["team_goal"].pop("at_most")
    rules["tables"]["team_goal"]["5"] = [*range(10)]
    root = tree(rules, "game", report)
    if root is None or report.failed:
        return None, report.problems
    made = compile_game(GameFiles(games()[GAME], root, {}, {}), report=report)
    return made, report.problems


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_any_visible_sign_can_stand_for_a_suit(symbol: str) -> None:
    made, problems = with_symbol(symbol)
    assert made is not None, [problem.render() for problem in problems]
    module = load_engine(made)
    assert blank(made.engine) == blank(with_symbol("!")[0].engine)  # type: ignore[union-attr]
    plays(module, hands=3)
    hand = module.Hand(4, seed=1)
    name = f"K{symbol}".replace("\ufe0f", "")
    assert hand.table.word("card", hand.table.number("card", f"K{symbol}")) == name


@pytest.mark.parametrize("symbol", NO_SYMBOLS, ids=ascii)
def test_a_letter_or_something_invisible_cannot_stand_for_a_suit(symbol: str) -> None:
    made, problems = with_symbol(symbol)
    assert made is None
    assert {problem.code for problem in problems} <= {"bad-form", "odd-character"}
    for problem in problems:  # a reader of YAML knows places, but no paths
        assert problem.path == ("" if problem.code == "odd-character" else "cards.suits.spades")


# Names

_WORDS = (
    "deck hand hands state player players over score scores class lambda def not in min max abs everyone dealer legal apply match"
    " stream end deal size start rules phase phases to_move outcome outcomes suits ranks cards bid bids laid_out trick trumps tied"
    " follow nobody none suit rank source reading random row int tuple sum print object len dataclass annotations part_1 draw pick"
    " play_at_random next_word level_reached never in_deal in_auction hand_size raise_limit worth_1 table words goal taken values"
    " you at self seed chief vice opponents bonus_step partner card_points on_table trump_order naming last_of_tied match_until"
    " stock chief_trump auction_order ended_played rules_ true null yes no action rule field seat names totals json"
)
WORDS = [*dict.fromkeys(_WORDS.split())]
PLACES = {
    "phases.roles.first.role": "chief",
    "phases.roles.second.role": "vice",
    "phases.partner.role": "partner",
    "phases.partner.team": "chief_team",
    "phases.partner.others": "opponents",
    "tables.team_goal": "team_goal",
    "scoring.numbers.bonus_cap": "bonus_cap",
    "scoring.define.paid_cards": "paid_cards",
    "phases.auction": "auction",
}
RUNTIME_WORDS = {
    "names",
    "json",
    "table",
    "words",
    "rules",
    "hand",
    "match",
    "action",
    "field",
    "seat",
}
"""What the runtime calls something of its own, which shares a module with an engine that stands alone."""
EVERY_WORD = {"phases.roles.first.role", "scoring.define.paid_cards"}
"""Where all words are tried; names of one sort meet the same others, so that a third is enough elsewhere."""
NEVER_FREE = {"min", "class", "everyone", "players", "source"}
REFUSALS = {"taken-name", "ambiguous-scalar", "wrong-type", "bad-name", "bad-form", "duplicate-key"}


@cache
def bare() -> str:
    """The rules without comments and readings, in which other words stand for themselves."""
    text = (games()[GAME] / "rules.yaml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^( +)reading: (>-\n(\1 +.*\n)+|.*\n)", "", text)
    return re.sub(r"(?m)(^| +)#.*$", "", text)


def renamed(old: str, new: str) -> str:
    """The rules with another name for something, also in the names that follow from it."""
    head, phases, rest = re.split(r"(?m)^(?=phases:|match:)", bare())
    if old == "auction":
        return head + phases.replace("  auction:", f"  {new}:") + rest
    if old == "partner":
        phases = phases.replace("  partner:", "  PHASE:")
    phases = re.sub(rf"(?<![\w-]){old}(?=_trump|(?![\w-]))", new, phases)
    return head + phases.replace("  PHASE:", "  partner:") + rest


@pytest.mark.parametrize("place", PLACES)
def test_a_name_that_means_something_else_is_refused_or_harmless(place: str) -> None:
    refused: set[str] = set()
    start = list(PLACES).index(place) % 3
    words = WORDS if place in EVERY_WORD else {*WORDS[start::3], *NEVER_FREE}
    for word in sorted(words):
        name = word.replace("_", "-").strip("-") if place == "phases.auction" else word.strip("_")
        text = renamed(PLACES[place], name)
        report = Report()
        node = read_text(text, "rules.yaml", report)
        assert node is not None, (word, text)
        made = None
        if not report.failed and check_shape(node, report):
            made = compile_game(GameFiles(games()[GAME], node, {}, {}), report=report)
        if made is None:
            lines = text.splitlines()
            marked = {
                problem: lines[problem.mark.line - 1][problem.mark.column - 1 :]
                for problem in report.problems
                if problem.code in REFUSALS
            }
            assert any(there.startswith(name) for there in marked.values()), (
                name,
                [problem.render() for problem in report.problems],
            )
            refused.add(name)
            continue
        module = load_engine(made)
        plays(module, hands=1)
        hand = module.Hand(4, seed=2)
        hand.play_randomly(module.stream(1, 1))
        assert hand.over and hand.facts()["scores"] == hand.scores
        assert hand.view("Anna")["phase"] == "over"
        if word in RUNTIME_WORDS:
            plays(run(inline(made.engine, runtime()), "standing_alone"), hands=1)
    if place != "phases.auction":
        assert refused >= NEVER_FREE
    assert len(refused) < len(words)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ("role: partner", "phases.partner.role"),
        ("others: opponents", "phases.partner.others"),
        ("team: chief_team", "phases.partner.team"),
    ],
)
def test_a_name_with_code_in_it_is_refused(change: str, path: str) -> None:
    for name in (
        "a]=0;b[0",
        "a\n",
        "x y",
        "__class__",
        "a.b",
        "é",
        "a" * 41,
        "A",
        "1",
        "a-b",
        "a__b",
        "",
        "a{0}",
    ):
        report = Report()
        key = change.partition(":")[0]
        node = read_text(bare().replace(change, f"{key}: {json.dumps(name)}"), "r.yaml", report)
        assert node is not None and not check_shape(node, report), name
        assert {problem.path for problem in report.problems} == {path}
        assert {problem.code for problem in report.problems} <= {"bad-form", "out-of-bounds"}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__[0].__subclasses__()",
        "(lambda: 0)()",
        "[x for x in (1,)][0]",
        "f'{players}'",
        "state[0]",
        "chief.kind.__class__",
        "eval('1')",
        "open('x')",
        "players if print(1) else 0",
        "(players := 3)",
        "0 or exit()",
        "1\nimport os",
        "1; import os",
        "1 # comment \\",
        "'''",
        "{0.__class__}",
        "10 ** 10 ** 10",
        "1 << 9999999",
        "9" * 300,
    ],
)
def test_an_expression_with_code_in_it_is_refused(text: str) -> None:
    for place in ("points: bonus}", "who: chief_team,", "when: taken >= goal, points: bonus"):
        key = place.partition(":")[0]
        end = place[-1] if place[-1] in "}," else ", points: bonus"
        changed = bare().replace(place, f"{key}: {json.dumps(text)}{end}")
        assert changed != bare()
        report = Report()
        node = read_text(changed, "rules.yaml", report)
        assert node is not None and check_shape(node, report)
        made = compile_game(GameFiles(games()[GAME], node, {}, {}), report=report)
        assert made is None, text
        (problem,) = report.problems
        assert problem.path == f"scoring.played.made.{key}"
        assert problem.code in {"bad-expression", "unknown-name", "wrong-kind", "number-too-big"}


def test_the_files_of_the_repository_hold_no_hostile_text() -> None:
    for path in Path(games()[GAME]).rglob("*.yaml"):
        assert MARK not in path.read_text(encoding="utf-8")
    assert MARK not in compiled(GAME).engine
