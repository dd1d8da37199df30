"""Damaged rules: whatever happens to a file, it gives clear problems or another sound game, and never the same one unnoticed."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from conftest import compiled, read
from trickwright import Compiled, GameFiles, Report, compile_game
from trickwright.compile import check_shape
from trickwright.memory import load_engine
from trickwright.places import games, kind_schema, schema
from trickwright.source import read_text

GAME = "chief-and-vice"
COPIES = 2000
PER_TEST = 200
MOST_STEPS = 2000
"""Decisions of a hand, of which a usual one takes a hundred."""


@cache
def original() -> str:
    return (games()[GAME] / "rules.yaml").read_text(encoding="utf-8")


# Ways to damage a text


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def delete_line(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    del lines[chance.randrange(len(lines))]
    return "".join(lines)


def delete_block(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    start = chance.randrange(len(lines))
    del lines[start : start + chance.randint(2, 8)]
    return "".join(lines)


def duplicate_line(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    line = chance.choice(lines)
    lines.insert(chance.randrange(len(lines)), line)
    return "".join(lines)


def swap_lines(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def change_characters(text: str, chance: random.Random) -> str:
    letters = list(text)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters))
        letters[place] = chance.choice(text)
    return "".join(letters)


def drop_or_double_a_character(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    return text[:place] + text[place] * chance.choice((0, 2)) + text[place + 1 :]


def truncate(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text))]


def indent_otherwise(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    place = chance.randrange(len(lines))
    step = chance.choice(("", " ", "  ", "    ", "\t"))
    lines[place] = step + lines[place].lstrip(" ")
    return "".join(lines)


def insert_odd_signs(text: str, chance: random.Random) -> str:
    signs = (
        "\u200b\u202e\u0430\u00a0\u2028\x00\x1b\ufeff\U0001f0a1\u0301é£½\"'`{}[]:#&*!|>%@\\\r\n,"
    )
    place = chance.randrange(len(text))
    return text[:place] + chance.choice(signs) + text[place:]


def _spans(text: str, pattern: str) -> list[tuple[int, int]]:
    return [match.span(1) for match in re.finditer(pattern, text)]


_VALUE = r"(?<=: )([\w♣♦♥♠][^,{}\[\]\n#]*)"
_NUMBER = r"(?<![\w.])(\d+)(?![\w.])"
_WORD = r"(?<![\w])([a-z][a-z_-]{2,})(?![\w])"


def swap_values(text: str, chance: random.Random) -> str:
    spans = _spans(text, _VALUE)
    (a, b), (c, d) = sorted(chance.sample(spans, 2))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def take_another_value(text: str, chance: random.Random) -> str:
    spans = _spans(text, _VALUE)
    (a, b), (c, d) = chance.choice(spans), chance.choice(spans)
    return text[:a] + text[c:d] + text[b:]


def change_number(text: str, chance: random.Random) -> str:
    a, b = chance.choice(_spans(text, _NUMBER))
    near = str(int(text[a:b]) + chance.choice((-1, 1, 2)))
    other = chance.choice(("0", "-1", "1", "2", "7", "61", "99999", "1000000000000", "1.5", near))
    return text[:a] + other + text[b:]


def rename_once(text: str, chance: random.Random) -> str:
    spans = _spans(text, _WORD)
    (a, b), (c, d) = chance.choice(spans), chance.choice(spans)
    return text[:a] + chance.choice((text[c:d], text[a:b] + "x", text[a : b - 1])) + text[b:]


def rename_everywhere(text: str, chance: random.Random) -> str:
    a, b = chance.choice(_spans(text, _WORD))
    others = ("deck", "state", "hand", "min", "over", "boss", "none", "lambda", "source", "legal")
    return re.sub(rf"(?<!\w){text[a:b]}(?!\w)", chance.choice(others), text)


_ALTERNATIVES = {
    "may-return": "is-out",
    "must_raise: false": "must_raise: true",
    "opens: dealer": "opens: left_of(dealer)",
    "highest-cards-laid-out": "nobody",
    "tied: stalemate": "tied: first-to-reach",
    "[suit, rank]": "[rank, none]",
    "from: laid_out": "from: hand",
    "except: [vice]": "except: []",
    "leader: chief": "leader: partner",
    "follow: must": "follow: may",
    "first-played-wins": "last-played-wins",
    "[chief_trump & vice_trump, chief_trump, vice_trump]": "[vice_trump, chief_trump]",
    "deal_passes: left": "deal_passes: stays",
    "winner: highest": "winner: lowest",
    "another-hand": "shared",
    "J: 2": "J: -3",
    "[4, 5, 6]": "[4]",
}


def choose_otherwise(text: str, chance: random.Random) -> str:
    there = [old for old in _ALTERNATIVES if old in text]
    old = chance.choice(there or [""])
    return text.replace(old, _ALTERNATIVES[old], 1) if old else text


def rename_well(text: str, chance: random.Random) -> str:
    names = (
        "chief",
        "vice",
        "partner",
        "opponents",
        "bonus_step",
        "taken",
        "bonus_cap",
        "team_goal",
    )
    return re.sub(rf"(?<!\w){chance.choice(names)}(?!\w)", "boss_" + chance.choice("abc"), text)


DAMAGE: tuple[Callable[[str, random.Random], str], ...] = (
    delete_line,
    delete_block,
    duplicate_line,
    swap_lines,
    change_characters,
    drop_or_double_a_character,
    truncate,
    indent_otherwise,
    insert_odd_signs,
    swap_values,
    take_another_value,
    change_number,
    rename_once,
    rename_everywhere,
    *(choose_otherwise, choose_otherwise, change_number, rename_well),
)


def damaged(number: int) -> str:
    """The copy of a number: most are damaged once, some twice or thrice."""
    chance = random.Random(number)
    text = original()
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(DAMAGE)(text, chance) or text
    return text


# What must come of them


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{place}]")
    else:
        yield path, (type(value), value)


SAYS_ONLY = re.compile(r"\.sources\..*|.*\.(reading|source\.\w+|at_most)")
"""What the rules say about themselves, or hold against each other, and no engine acts on."""


EXPRESSION = re.compile(r"\.scoring\..*|.*\.(leader|opens|trumps\[\d\])")


def acting(value: Any) -> list[tuple[str, Any]]:
    """What an engine acts on: neither how an expression is spaced, nor what the team of all others is called."""
    found: list[tuple[str, Any]] = []
    all_leaves = list(leaves(value))
    names = [leaf for path, (_, leaf) in all_leaves if path.endswith(".others")]
    for path, (kind, leaf) in all_leaves:
        if EXPRESSION.fullmatch(path) and isinstance(leaf, str):
            leaf = re.sub(rf"\b{names[0]}\b", "others", leaf.replace(" ", ""))
        if not SAYS_ONLY.fullmatch(path) and not path.endswith(".others"):
            found.append((path, (kind, leaf)))
    return found


def compile_text(text: str) -> tuple[Compiled | None, Report]:
    report = Report()
    node = read_text(text, "rules.yaml", report)
    if node is None or report.failed or not check_shape(node, report):
        assert report.failed, "a file that cannot be used is not passed over in silence"
        return None, report
    files = GameFiles(games()[GAME], node, {}, read(GAME).texts)
    return compile_game(files, report=report), report


def without_digest(engine: str) -> str:
    return re.sub(r'digest="\w+"', "", engine)


def plays(made: Any, hands: int = 20) -> None:
    """Random hands come to their end, there is always something to do, and no card is played twice."""
    for number in range(hands):
        players = made.RULES.players[number % len(made.RULES.players)]
        state, chance = [0] * made.SIZE, made.stream(1, number)
        made.new_hand(state, players, number % players, number + 1)
        made.RULES.deal(state, chance)
        held = [state[made.HAND + seat] for seat in range(players)]
        assert sum(map(int.bit_count, held)) == sum(held).bit_count(), "no card is dealt twice"
        played = steps = 0
        while state[made.PHASE] != made.OVER:
            steps += 1
            assert steps < MOST_STEPS
            legal = made.legal(state)
            assert legal > 0, "there is something to do"
            action = made.pick(chance, legal)
            if made.RULES.phases[state[made.PHASE]].actions[0].verb == "play":
                assert not played >> action & 1, "no card is played twice"
                played |= 1 << action
            made.apply(state, action)
        assert not played & ~sum(held)
        assert all(abs(state[made.SCORE + seat]) < 1 << 40 for seat in range(players))
        assert 0 < state[made.OUTCOME] < len(made.RULES.outcomes)


def check_copy(text: str) -> str:
    start = time.thread_time()
    made, report = compile_text(text)
    assert time.thread_time() - start < 1
    for problem in report.problems:
        assert 1 <= problem.mark.line <= text.count("\n") + text.count("\r") + 1
        assert problem.text and "\n" not in problem.render().replace("\n    ", "", 1)
    if made is None:
        return "refused"
    whole = compiled(GAME)
    now, before = made.root.plain(), whole.root.plain()
    if repr(now) == repr(before):
        assert made.engine == whole.engine
        return "same"
    if without_digest(made.engine) == without_digest(whole.engine):
        warned = any(problem.severity == "warning" for problem in report.problems)
        changed = set(map(repr, acting(now))) ^ set(map(repr, acting(before)))
        assert warned or not changed, f"these changes change nothing: {sorted(changed)}"
        return "says something else"
    plays(load_engine(made))
    return "another game"


@pytest.mark.parametrize("first", range(0, COPIES, PER_TEST))
def test_a_damaged_copy_is_refused_or_is_a_sound_game(first: int) -> None:
    found: list[str] = []
    for number in range(first, first + PER_TEST):
        try:
            found.append(check_copy(damaged(number)))
        except Exception as error:
            raise AssertionError(f"copy {number}: {error!r}") from error
    assert {"refused", "another game"} <= set(found), "the copies are damaged enough to tell"


def others(path: str, value: Any) -> list[str]:
    """Values that could stand at a path instead."""
    if isinstance(value, bool):
        return [str(not value).lower()]
    if isinstance(value, int):
        return [str(value + 1), str(value - 1)]
    part, _, key = path.removeprefix(".").rpartition(".")
    if part == "match":
        schema_of_key = schema("game")["properties"]["match"]["properties"].get(key, {})
        return [word for word in schema_of_key.get("enum", ()) if word != value]
    if part.startswith("phases."):
        kind = compiled(GAME).root.plain()["phases"][part.split(".")[1]]["kind"]
        allowed = words_of(kind_schema(kind), key)
        return [word for word in allowed if word != value] if value in allowed else []
    return []


def words_of(part: Any, key: str) -> list[str]:
    """The words that a schema allows under a key, wherever it stands."""
    found: list[str] = []
    for name, inner in part.items() if isinstance(part, dict) else ():
        if name == key and isinstance(inner, dict):
            found += [word for word in inner.get("enum", ()) if isinstance(word, str)]
        found += words_of(inner, key)
    return found


ACTING = [
    (path.removeprefix("."), other)
    for path, (_, value) in leaves(compiled(GAME).root.plain())
    if not SAYS_ONLY.fullmatch(path)
    for other in others(path, value)
]


def test_every_option_of_the_game_is_tried() -> None:
    paths = {path for path, _ in ACTING}
    assert len(paths) > 60
    assert {"match.tied", "phases.tricks.follow", "phases.auction.must_raise"} <= paths


@pytest.mark.parametrize(("path", "other"), ACTING, ids=lambda part: part)
def test_a_value_set_otherwise_makes_another_engine_or_is_refused(path: str, other: str) -> None:
    report = Report()
    made = compile_game(read(GAME), sets=[f"{path}={other}"], report=report)
    if made is None:
        assert report.failed
        return
    changed = set(without_digest(made.engine).splitlines())
    changed -= set(without_digest(compiled(GAME).engine).splitlines())
    assert len(changed) > 1, "more than the note that values were set by hand"
    plays(load_engine(made), hands=4)
