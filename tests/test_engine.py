"""Engines through their integer functions: invariants over many random hands, and the random numbers themselves."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType

import pytest

from conftest import compiled, engine, read
from trickwright import GameFiles
from trickwright.compile import variant_sets
from trickwright.places import games
from trickwright.runtime_files import runtime_files

SETS = [
    pytest.param(game, variants, players, id=f"{game}:{'+'.join(variants) or 'base'}:{players}")
    for game in games()
    for variants in variant_sets(read(game))
    for players in compiled(game, variants).game.players
]


def cards_in_places(made: ModuleType, state: list[int], players: int) -> list[int]:
    """The sets of cards that lie apart from each other: hands, and what is melded or kept from earlier rounds."""
    places = [getattr(made, name) for name in ("HAND", "MELD", "KEPT") if hasattr(made, name)]
    return [state[place + seat] for place in places for seat in range(players)]


def check_numbers(made: ModuleType, state: list[int], players: int) -> None:
    """Every number that the rules bound is within its bounds."""
    row = players - made.FEWEST_PLAYERS
    for part in made.RULES.fields:
        if part.key in made.RULES.bounds:
            least, most = made.RULES.bounds[part.key][row]
            for seat in range(players if part.per_player else 1):
                assert least <= state[part.offset + seat] <= most, part.key


def check_end(made: ModuleType, state: list[int], players: int, played: int, dealt: int) -> None:
    """What holds when a hand has been played out: in tricks all cards and points, in rounds all melds."""
    if hasattr(made, "IN_TRICKS"):
        assert played == dealt, "every card is played"
        worth = made.RULES.phases[0].facts(state)["deck"]["points"]
        won = getattr(made, "POINTS_WON", None)  # none where no card is worth anything
        points = sum(state[won + seat] for seat in range(players)) if won is not None else 0
        assert points == worth, "the tricks hold all the card points"
        tricks = sum(state[made.TRICKS_WON + seat] for seat in range(players))
        assert tricks * players == dealt.bit_count(), "every trick is somebody's"
    if hasattr(made, "MELDS"):
        for seat in range(players):
            made_melds = state[made.MADE + seat]
            assert made_melds.bit_count() == min(made.MELDS, made.ROUNDS), "a meld a round"


def play_checked(
    made: ModuleType,
    players: int,
    seed: int,
    number: int,
    watch: Callable[[ModuleType, list[int], int], None] | None = None,
    done: list[int] | None = None,
) -> list[int]:
    """Play a random hand step by step; checks each state on the way and gives the last.

    ``watch`` looks at the state whenever a phase or round begins, too; the actions are added to ``done``.
    """
    state: list[int] = [0] * made.SIZE
    random = made.stream(seed, number)
    made.new_hand(state, players, number % players, number + 1)
    made.RULES.deal(state, random)
    row = players - made.FEWEST_PLAYERS
    in_play = made.ALL_CARDS & ~made.WITHOUT[row]
    hands = [state[made.HAND + seat] for seat in range(players)]
    dealt = sum(hands)
    assert {hand.bit_count() for hand in hands} == {made.HAND_SIZE[row]}, "all get as many cards"
    assert dealt.bit_count() == made.HAND_SIZE[row] * players, "none is dealt twice"
    assert dealt & ~in_play == 0, "only cards in play are dealt"
    told = [phase.facts for phase in made.RULES.phases[1:] if phase.facts is not None]
    has_stock = any("stock" in facts(state) for facts in told) if hasattr(made, "MELD") else False
    if not has_stock and hasattr(made, "IN_TRICKS"):
        assert dealt == in_play, "every card in play is dealt"
    played, moment = 0, (-1, 0)
    while state[made.PHASE] != made.OVER:
        actions = made.legal(state)
        assert actions, "there is always a legal action"
        action = made.pick(random, actions)
        assert actions >> action & 1
        if state[made.PHASE] == getattr(made, "IN_TRICKS", made.OVER):
            assert not played >> action & 1, "no card is played twice"
            played |= 1 << action
        made.apply(state, action)
        if done is not None:
            done.append(action)
        places = cards_in_places(made, state, players)
        lying = sum(places)
        assert sum(map(int.bit_count, places)) == lying.bit_count(), "no card is at two places"
        assert lying & ~in_play == 0, "no card comes from elsewhere"
        now = state[made.PHASE], state[made.ROUND] if hasattr(made, "ROUND") else 0
        if now != moment:
            moment = now
            check_numbers(made, state, players)
            if has_stock:
                stock = next(
                    n for facts in told for key, n in facts(state).items() if key == "stock"
                )
                assert stock + lying.bit_count() == in_play.bit_count(), "no card is lost"
            if watch is not None:
                watch(made, state, players)
    if state[made.OUTCOME] == made.ENDED_PLAYED:
        check_end(made, state, players, played, dealt)
    return state


@pytest.mark.parametrize(("game", "variants", "players"), SETS)
def test_random_hands_keep_cards_and_points(
    game: str, variants: tuple[str, ...], players: int
) -> None:
    made = engine(game, variants)
    count = 150 if hasattr(made, "IN_TRICKS") else 25
    outcomes = {play_checked(made, players, 7, number)[made.OUTCOME] for number in range(count)}
    assert made.ENDED_PLAYED in outcomes


@pytest.mark.parametrize(("game", "variants", "players"), SETS)
def test_an_action_is_legal_exactly_when_no_clause_forbids_it(
    game: str, variants: tuple[str, ...], players: int
) -> None:
    made = engine(game, variants)
    asked = 0
    for number in range(25):
        hand = made.Hand(players, seed=3, number=number)
        random = made.stream(4, number)
        while not hand.over:
            phase = hand._phase
            legal = phase.legal(hand.state)
            before = list(hand.state)
            for run in phase.actions:
                for action in range(run.first, run.first + run.count):
                    if run.type == "player" and action >= players:
                        continue
                    free = phase.why_not(hand.state, action) < 0
                    assert free == bool(legal >> action & 1), (hand.transcript(), action)
                    asked += 1
            assert hand.state == before, "asking changes nothing"
            hand.play_randomly(random, 1)
    assert asked > 1000


@pytest.mark.parametrize(("game", "variants", "players"), SETS)
def test_the_steps_of_play_hands_are_those_of_hands(
    game: str, variants: tuple[str, ...], players: int
) -> None:
    made = engine(game, variants)
    results = [[0] * (2 + players) for _ in range(20)]
    state, random = [0] * made.SIZE, [0, 0]
    decisions = made.play_hands(state, random, 99, 5, players, results)
    assert decisions == sum(row[1] for row in results)
    for row, found in enumerate(results):
        hand = made.Hand(players, dealer=(5 + row) % players, seed=99, number=5 + row)
        again = made.stream(99, 5 + row)
        scratch = [0] * made.SIZE
        made.new_hand(scratch, players, (5 + row) % players, 6 + row)
        made.RULES.deal(scratch, again)
        hand.play_randomly(again)
        assert found == [hand.state[made.OUTCOME], len(hand.history), *hand.scores.values()]


@pytest.mark.parametrize("game", list(games()))
def test_no_two_legal_actions_look_alike(game: str) -> None:
    made = engine(game)
    for number in range(20):
        hand = made.Hand(seed=11, number=number)
        random = made.stream(12, number)
        while not hand.over:
            actions = hand.legal_actions()
            assert len(set(actions)) == len(actions)
            hand.play_randomly(random, 1)


def test_the_random_words_are_splitmix64(chief: ModuleType) -> None:
    # The first outputs for the seed 1234567, as the algorithm's reference programs give them.
    known = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    random = [1234567, 1]
    assert [chief.next_word(random) for _ in known] == [word >> 4 | 1 << 60 for word in known]


def test_draws_are_uniform_and_within_bounds(chief: ModuleType) -> None:
    random = chief.stream(1, 2)
    for count in (2, 3, 7, 52, 1000):
        found = [0] * count
        drawn = 400 * min(count, 100)
        for _ in range(drawn):
            found[chief.draw(random, count)] += 1
        expected = drawn / count
        chi_square = sum((seen - expected) ** 2 / expected for seen in found)
        # Four standard deviations around the mean of the chi-square distribution.
        assert abs(chi_square - (count - 1)) < 4 * (2 * (count - 1)) ** 0.5 + 4


def test_streams_of_hands_and_seeds_differ(chief: ModuleType) -> None:
    firsts = {
        tuple(chief.next_word(random) for _ in range(2))
        for random in (chief.stream(seed, number) for seed in range(60) for number in range(60))
    }
    assert len(firsts) == 3600


def test_rule_functions_hold_to_what_numba_can_compile(chief: ModuleType) -> None:
    text = compiled("chief-and-vice").engine
    tree = ast.parse(text)
    rules = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.args.args
        and node.args.args[0].arg in ("state", "random")
        and "facts" not in node.name
        and "order" not in node.name
    ]
    assert len(rules) > 20
    for function in rules:
        for node in ast.walk(function):
            assert not isinstance(
                node,
                ast.Dict | ast.Try | ast.Raise | ast.Yield | ast.ListComp | ast.Lambda | ast.With,
            ), (function.name, ast.unparse(node))


def test_a_variant_differs_from_its_base_only_where_its_rules_do(chief: ModuleType) -> None:
    base = compiled("chief-and-vice").engine.splitlines()
    to_100 = compiled("chief-and-vice", ("to-100",)).engine.splitlines()
    differing = [new for old, new in zip(base, to_100, strict=True) if old != new]
    assert len(base) == len(to_100)
    assert "MATCH_UNTIL = 100" in differing
    assert len(differing) == 4  # docstring, number, name of the variant, digest


def test_engines_import_only_the_standard_library() -> None:
    import sys

    own = {"_runtime", *(name.removesuffix(".py") for name in runtime_files())}
    allowed = set(sys.stdlib_module_names) | own
    for text in (*runtime_files().values(), compiled("chief-and-vice").engine):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= allowed
            elif isinstance(node, ast.ImportFrom):
                assert node.module is not None and node.module.split(".")[0] in allowed


def test_the_files_of_a_game_are_found() -> None:
    files: GameFiles = read("chief-and-vice")
    assert files.id == "chief-and-vice"
    assert sorted(files.variants) == ["no-stalemate", "to-100"]
