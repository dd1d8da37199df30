"""Expressions: no text raises, and what is accepted is worth what plain Python makes of it, within the bounds foretold."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from trickwright import Report
from trickwright.expressions import Expression, parse, tidy
from trickwright.names import OF_CARDS, Name, Scope, Type
from trickwright.problems import Mark
from trickwright.pytext import in_steps
from trickwright.source import Node
from trickwright.tables import Table
from trickwright.text import Cited

PLAYERS = (3, 4)
SUITS, RANKS = 2, 4
NO_TRUMP = SUITS + RANKS
KINDS = ("suit", "rank", "none")
SIDES = ("upper", "lower")
CARDS_OF = [
    *(frozenset(range(suit * RANKS, (suit + 1) * RANKS)) for suit in range(SUITS)),
    *(frozenset(range(rank, SUITS * RANKS, RANKS)) for rank in range(RANKS)),
    frozenset[int](),
]
ROWS = {3: (2, 5, 5, 9), 4: (-3, 0, 40)}
BIDS = {3: (0, 4), 4: (0, 3)}
TABLES = {
    "goal": Table("goal", Mark("", 1, 1), Cited({}), ROWS, {}, {}, False),
    "step": Table("step", Mark("", 1, 1), Cited({}), {}, {"suit": 0, "rank": 2}, {}, False),
    "full": Table("full", Mark("", 1, 1), Cited({}), {}, {"suit": -1, "rank": 7, "none": 3}, {}, False),
}  # fmt: skip
NUMBERS = {"low": (-5, 7), "high": (0, 200), "some": (1, 4)}


def _scope() -> Scope:
    def same(bounds: tuple[int, int]) -> dict[int, tuple[int, int]]:
        return dict.fromkeys(PLAYERS, bounds)

    player = (Type.PLAYER,)
    names = [
        Name("players", Type.NUMBER, "state['players']", "", range={3: (3, 3), 4: (4, 4)}),
        *(Name(n, Type.NUMBER, f"state['{n}']", "", range=same(b)) for n, b in NUMBERS.items()),
        Name("boss", Type.PLAYER, "state['boss']", "", at_least={"bid": 1}),
        Name("mate", Type.PLAYER, "state['mate']", "", may_be_nobody=True, at_least={"bid": 1}),
        Name("team", Type.PLAYERS, "state['team']", ""),
        Name("bid", Type.NUMBER, "state['bid'][{0}]", "", player, BIDS),
        Name("hand", Type.CARDS, "state['hand'][{0}]", "", player),
        Name("named", Type.TRUMP, "state['named']", "", kinds=("suit", "rank")),
        Name("other", Type.TRUMP, "state['other']", "", kinds=KINDS),
        Name("side", Type.SIDE, "state['side']", ""),
        *(Name(side, Type.SIDE, str(n), "") for n, side in enumerate(SIDES)),
        *(Name(kind, Type.TRUMP_KIND, str(n), "", kinds=(kind,)) for n, kind in enumerate(KINDS)),
    ]
    return Scope({name.name: name for name in names})


SCOPE = _scope()


def accepted(text: str) -> Expression | None:
    """The expression, or None if just one problem is told, with a place on its line."""
    report = Report()
    node = Node(Mark("rules.yaml", 1, 10), text, indent=0)
    found = parse(text, SCOPE, TABLES, PLAYERS, (node, "path"), report)
    if found is not None:
        assert not report.failed  # a part that never acts is told of, and the value is right
        return found
    (problem,) = report.problems
    assert problem.text and 10 <= problem.mark.column <= 10 + len(text)
    return None


# The same names once as an engine keeps them, and once as plain Python values


class Player(frozenset[int]):
    """A player as the set of them alone; nobody is the empty set."""


class Trump(frozenset[int]):
    """A trump as the set of its cards."""

    kind: str


class Row(dict[int, int]):
    """A row of a table: entries by number, from 1."""


def state_of(chance: random.Random) -> dict[str, Any]:
    """What an engine would hold: sets are bits, players and trumps are numbers."""
    players = chance.choice(PLAYERS)
    boss, mate = chance.randrange(players), chance.randrange(-1, players)
    bids = [chance.randint(int(seat in (boss, mate)), BIDS[players][1]) for seat in range(players)]
    return {
        "players": players,
        **{name: chance.randint(*bounds) for name, bounds in NUMBERS.items()},
        "boss": boss,
        "mate": mate,
        "team": chance.randrange(1 << players),
        "bid": bids,
        "hand": [chance.randrange(1 << SUITS * RANKS) for _ in range(players)],
        "named": chance.randrange(NO_TRUMP),
        "other": chance.randrange(NO_TRUMP + 1),
        "side": chance.randrange(len(SIDES)),
    }


def _members(bits: int) -> frozenset[int]:
    return frozenset(n for n in range(bits.bit_length()) if bits >> n & 1)


BUILT_IN: dict[str, Any] = {"min": min, "max": max, "abs": abs}


def engine_value(code: str, state: Mapping[str, Any], steps: Sequence[str] = ()) -> Any:
    """What the Python made of an expression is worth, after the steps that lead to it."""
    rows = tuple((*ROWS[n], *[1 << 30] * 4)[:4] for n in PLAYERS)
    scope: dict[str, Any] = {
        "state": {**state, 0: state["players"]},
        "PLAYERS": 0,
        "NOBODY": -1,
        "GOAL": rows,
        "STEP": (0, 2, 1 << 30),
        "FULL": (-1, 7, 3),
        "TRUMP_KIND": (0,) * SUITS + (1,) * RANKS + (2,),
        "TRUMP_CARDS": [sum(1 << card for card in cards) for cards in CARDS_OF],
        "bit_count": int.bit_count,
        "level_reached": lambda row, value: next(
            (n for n, entry in enumerate(row) if entry > value), len(row)
        ),
    }
    exec("\n".join(steps), {"__builtins__": BUILT_IN}, scope)
    return eval(code, {"__builtins__": BUILT_IN}, scope)


def plain_value(text: str, state: Mapping[str, Any]) -> Any:
    """What the text is worth if it is read as Python over sets, numbers and yes/no."""
    count = state["players"]

    def trump(number: int) -> Trump:
        made = Trump(CARDS_OF[number])
        made.kind = KINDS[0 if number < SUITS else 1 if number < NO_TRUMP else 2]
        return made

    def player(seat: int) -> Player:
        return Player({seat} if seat >= 0 else ())

    def seat_of(one: Player) -> int:
        return next(iter(one), -1)

    def level_reached(row: Row, value: int) -> int:
        return max((n for n in row if all(row[m] <= value for m in range(1, n + 1))), default=0)

    scope = {
        **{name: state[name] for name in ("players", *NUMBERS)},
        "boss": player(state["boss"]),
        "mate": player(state["mate"]),
        "team": _members(state["team"]),
        "named": trump(state["named"]),
        "other": trump(state["other"]),
        "bid": lambda who: state["bid"][seat_of(who)] if who else 0,
        "hand": lambda who: _members(state["hand"][seat_of(who)]) if who else frozenset(),
        "goal": {n: Row(enumerate(row, start=1)) for n, row in ROWS.items()},
        "step": {"suit": 0, "rank": 2},
        "full": {"suit": -1, "rank": 7, "none": 3},
        **{kind: kind for kind in KINDS},
        **{side: side for side in SIDES},
        "side": SIDES[state["side"]],
        "size": len,
        "left_of": lambda who: player((seat_of(who) + 1) % count),
        "right_of": lambda who: player((seat_of(who) - 1) % count),
        "level_reached": level_reached,
    }
    return eval(text, {"__builtins__": BUILT_IN}, scope)


def as_engine(value: Any, wanted: Type) -> Any:
    """A plain value as an engine would write it."""
    if wanted is Type.PLAYER:
        return next(iter(value), -1)
    if wanted in (Type.PLAYERS, Type.CARDS):
        return sum(1 << member for member in value)
    if wanted is Type.TRUMP:
        return CARDS_OF.index(frozenset(value))
    if wanted is Type.SIDE:
        return SIDES.index(value)
    return KINDS.index(value) if wanted is Type.TRUMP_KIND else value


def check_value(text: str, found: Expression, seed: int) -> None:
    chance = random.Random(seed)
    tidied = tidy(found.code)
    *steps, last = in_steps(found.code, 40) if len(found.code) < 400 else [tidied]
    for _ in range(4):
        state = state_of(chance)
        value = engine_value(found.code, state)
        if found.type in (Type.ROW, Type.TABLE):
            continue
        expected = as_engine(plain_value(text, state), found.type)
        assert value == expected, (found.code, state)
        assert isinstance(value, bool) == (found.type is Type.FLAG)
        assert engine_value(tidied, state) == value, "fewer brackets, same value"
        assert engine_value(last, state, steps) == value, "the same in several steps"
        if found.type is Type.NUMBER:
            low, high = found.range[state["players"]]
            assert low <= value <= high, (found.code, state)
        if found.type is Type.PLAYER and not found.may_be_nobody:
            assert value >= 0
        if found.type is Type.TRUMP_KIND and found.kinds:
            assert KINDS[value] in found.kinds


# Texts: by type, so that many are sound, and by pieces, so that most are nearly so

number: st.SearchStrategy[str] = st.deferred(lambda: _number)
flag: st.SearchStrategy[str] = st.deferred(lambda: _flag)
player: st.SearchStrategy[str] = st.deferred(lambda: _player)
crowd: st.SearchStrategy[str] = st.deferred(lambda: _crowd)
cards: st.SearchStrategy[str] = st.deferred(lambda: _cards)
trump: st.SearchStrategy[str] = st.deferred(lambda: _trump)
side: st.SearchStrategy[str] = st.deferred(lambda: _side)


def _filled(form: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda texts: form.format(*texts))


def _choice(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return _filled("({} if {} else {})", part, flag, part)


_sign = st.sampled_from(["+", "-", "*", "//", "%"])
_number: st.SearchStrategy[str] = st.one_of(
    st.integers(0, 30).map(str),
    st.sampled_from(["players", *NUMBERS]),
    _filled("{} {} {}", number, _sign, number),
    _filled("({} {} {})", number, _sign, number),
    _filled("{} // {}", number, st.sampled_from(["3", "some", "players"])),
    _filled("{} % {}", number, st.sampled_from(["3", "some", "players"])),
    _filled("-{}", number),
    _filled("min({}, {})", number, number),
    _filled("max({}, {}, {})", number, number, number),
    _filled("abs({})", number),
    _filled("bid({})", player),
    _filled("size({})", st.one_of(cards, crowd)),
    _filled(
        "goal[players][{}]", st.one_of(number, st.sampled_from(["bid(boss)", "1", "some - 1"]))
    ),
    _filled("level_reached(goal[players], {})", number),
    _filled("{}[{}.kind]", st.sampled_from(["step", "full"]), trump),
    _choice(number),
)
_comparison = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_same = st.sampled_from(["==", "!="])
_flag: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(["True", "False"]),
    _filled("{} {} {}", number, _comparison, number),
    _filled("{} {} {} {} {}", number, _comparison, number, _comparison, number),
    _filled("{} {} {}", player, _same, player),
    _filled("{} {} {}", cards, _same, cards),
    _filled("{} {} {}", trump, _same, trump),
    _filled("{} {} {}", side, _same, side),
    _filled("{}.kind {} {}", trump, _same, st.sampled_from(KINDS)),
    _filled("{} and {}", flag, flag),
    _filled("({} or {})", flag, flag),
    _filled("not {}", flag),
    _choice(flag),
)
_player: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(["boss", "mate"]),
    _filled("left_of({})", player),
    _filled("right_of({})", player),
    _choice(player),
)
_between = st.sampled_from(["&", "|", "-"])
_crowd: st.SearchStrategy[str] = st.one_of(
    st.just("team"),
    _filled("({} {} {})", st.one_of(crowd, player), _between, st.one_of(crowd, player)),
    _choice(crowd),
)
_trump: st.SearchStrategy[str] = st.one_of(st.sampled_from(["named", "other"]), _choice(trump))
_cards: st.SearchStrategy[str] = st.one_of(
    trump,
    _filled("hand({})", player),
    _filled("({} {} {})", cards, _between, cards),
)
_side: st.SearchStrategy[str] = st.one_of(st.sampled_from(["side", *SIDES]), _choice(side))
sound = st.one_of(number, flag, player, crowd, cards, trump, side)
_pieces = st.sampled_from(
    [*"+-*%&|()[]<>~^!@=:,.{}'\"\\#;", "//", "**", "==", "!=", "<=", ">=", "<<", " and ", " or ", " not ", " in ",
     " is ", " if ", " else ", "lambda", "await ", "yield ", "for ", "...", "1", "0", "-1", "3", "1e3", "1.5", "0x1F", "1j", "1_0",
     "9" * 12, "players", "low", "high", "some", "boss", "mate", "team", "bid", "hand", "named", "other", "goal", "step", "full",
     ".kind", ".__class__", "suit", "rank", "none", "min", "max", "abs", "size", "left_of", "level_reached", "True", "None",
     "__import__", "state", "é", "\t", "\n", "\x00", "f'{low}'", "b''", "*team", ":="]
)  # fmt: skip
nearly = st.one_of(
    st.lists(_pieces, max_size=8).map("".join),
    st.lists(_pieces, max_size=8).map(" ".join),
    st.tuples(sound, _pieces, sound).map(" ".join),
    st.tuples(sound, st.integers(0, 60), _pieces).map(
        lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] :]
    ),
    sound.map(lambda text: text.replace("low", "boss", 1).replace("named", "team", 1)),
    st.text(max_size=30),
)


@settings(max_examples=300, deadline=None)
@given(text=sound, seed=st.integers(0, 1 << 20))
@example(text="(low - 3) // some * -2 % players", seed=1)
@example(text="mate & team | boss - mate", seed=2)
@example(text="level_reached(goal[players], low) - bid(mate)", seed=3)
@example(text="size(team - mate) + size(team & mate) - size(mate | boss)", seed=4)
def test_a_sound_expression_is_worth_what_plain_python_says(text: str, seed: int) -> None:
    found = accepted(text)
    if found is not None:
        check_value(text, found, seed)


@settings(max_examples=500, deadline=None)
@given(text=nearly, seed=st.integers(0, 1 << 20))
@example(text="(goal if low > 0 else goal)[players][1]", seed=1)
@example(text="(goal[players] if low > 0 else goal[players])[1]", seed=1)
@example(text="low <> 3", seed=1)
@example(text="(" * 29 + "low" + ")" * 29, seed=1)
@example(text="-" * 300 + "low", seed=1)
@example(text="low" + "+low" * 90, seed=1)
@example(text="low.__class__.__bases__[0]", seed=1)
def test_no_text_raises_and_what_is_accepted_is_right(text: str, seed: int) -> None:
    found = accepted(text)
    if found is not None:
        check_value(text.strip(), found, seed)


def test_many_of_the_texts_tried_are_accepted_and_they_are_of_every_type() -> None:
    kinds = dict.fromkeys(Type, 0)
    tried = 0

    @settings(max_examples=250, deadline=None, database=None, derandomize=True)
    @given(text=sound)
    def count(text: str) -> None:
        nonlocal tried
        tried += 1
        found = accepted(text)
        if found is not None:
            kinds[found.type] += 1

    count()
    assert sum(kinds.values()) > tried // 4, kinds
    named_only = {Type.TRUMP_KIND, Type.MELD, Type.POKER_CLASS}
    of_values = set(Type) - {Type.ROW, Type.TABLE} - named_only
    assert all(kinds[kind] > 1 for kind in of_values), kinds


def test_the_bounds_of_a_number_are_reached() -> None:
    for text, bounds in {
        "low + high": (-5, 207),
        "-low": (-7, 5),
        "low * low": (-35, 49),
        "abs(low)": (0, 7),
        "bid(boss)": (1, 3),
        "bid(mate)": (0, 3),
        "goal[players][bid(boss)]": (-3, 40),
        "full[other.kind]": (-1, 7),
        "step[named.kind]": (0, 2),
        "low // 3": (-2, 2),
        "min(low, 2)": (-5, 2),
    }.items():
        found = accepted(text)
        assert found is not None and found.range[4] == bounds, text


def test_a_table_gives_the_entry_of_a_trump_and_else_that_of_its_kind() -> None:
    trumps = [("red", "suit"), ("blue", "suit"), ("rank_1", "rank"), ("rank_2", "rank")]
    cards = [Name(n, Type.TRUMP, str(i), OF_CARDS, kinds=(k,)) for i, (n, k) in enumerate(trumps)]
    scope = Scope(
        {name.name: name for name in (*cards, SCOPE._names["named"], SCOPE._names["other"])}
    )
    entries = {"rank": 2, "rank_1": 7, "red": -3, "blue": 0}
    table = Table("some", Mark("", 1, 1), Cited({}), {}, entries, {}, False)
    kinds = Table("kinds", Mark("", 1, 1), Cited({}), {}, {"suit": 0, "rank": 2}, {}, False)
    report = Report()

    def found(text: str) -> Expression | None:
        at = Node(Mark("", 1, 1), text), ""
        return parse(text, scope, {"some": table, "kinds": kinds}, PLAYERS, at, report)

    own, by_kind = found("some[named]"), found("kinds[named]")
    assert own is not None and by_kind is not None, report.problems
    assert own.code == "SOME[state['named']]" and set(own.range.values()) == {(-3, 7)}
    assert by_kind.code == "KINDS[TRUMP_KIND[state['named']]]"
    assert found("some[other]") is None, "no trumps may be named, and there is no entry for them"
    assert "has no entry for none" in report.problems[0].text
