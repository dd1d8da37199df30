"""``trickwright tournament``: the same deals for all, ratings with honest intervals, and players that people write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import log10
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from conftest import compiled
from trickwright_tools.cli import main
from trickwright_tools.commands import tournament as command
from trickwright_tools.fast import NotInstalled
from trickwright_tools.players import batches, playing, ratings
from trickwright_tools.players.batches import Table, play_chunk
from trickwright_tools.players.by_name import play_by_name
from trickwright_tools.players.own import Written
from trickwright_tools.players.playing import with_players
from trickwright_tools.players.tournament import Results, Tournament, entrant, leads, play

GAMES = ["chief-and-vice", "mue", "papayoo", "chicane", "indian-chief"]
MIXED = (("monte-carlo", 4), ("greedy", 0), ("sensible", 0), ("random", 0))
README = Path(__file__).parents[1] / "README.md"

PLAYERS = """
from trickwright_tools.players import Player

class First(Player):
    def choose(self, view, legal, random):
        return legal[0]

class Lucky(Player):
    def choose(self, view, legal, random):
        return random.choice(legal)

class Fails(Player):
    def choose(self, view, legal, random):
        return view["no such thing"]

class Leaves(Player):
    def choose(self, view, legal, random):
        raise SystemExit(3)

class Unborn(Player):
    def __init__(self):
        self.hope = 1 / 0

class Mute(Player):
    def choose(self, view, legal, random):
        pass

class Idle(Player):
    pass

class Cheat(Player):
    def choose(self, view, legal, random):
        hidden = [card for card in ("2♣", "2♦") if card not in view["hands"][view["you"]]]
        return type(legal[0])(legal[0].verb, hidden[0])

class Dreamer(Player):
    def choose(self, view, legal, random):
        return type(legal[0])("play", "the moon")

class Nobody:
    pass
"""


@pytest.fixture(scope="module", autouse=True)
def _plain(quick_players: None) -> Iterator[None]:
    """Players that learn from few hands, few replicates, and all in plain Python."""

    def no_numba(*_: object) -> None:
        raise NotInstalled("numba is not installed: pip install 'trickwright[fast]'")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "in_numba", no_numba)
        patch.setattr(ratings, "REPLICATES", 100)
        yield


@pytest.fixture
def written(tmp_path: Path) -> str:
    """A file of players."""
    path = tmp_path / "players.py"
    path.write_text(PLAYERS, encoding="utf-8")
    return str(path)


def call(*words: str) -> Result:
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' is optional")
    return CliRunner().invoke(main, ["tournament", *words])


def told(game: str, players: int, *entered: str, deals: int = 4, seed: int = 3) -> Tournament:
    entrants = tuple(entrant(text, 4) for text in entered)
    return Tournament(game, (), (), players, entrants, deals, seed)


def played(tournament: Tournament, workers: int = 1) -> Results:
    results = Results(tournament)
    assert sum(play(results, workers)) == (
        tournament.deals * tournament.hands_of_deal * len(tournament.pairs)
    )
    return results


@pytest.mark.parametrize("game", GAMES)
def test_hands_with_names_are_those_of_the_engine(game: str) -> None:
    made = with_players(compiled(game, ()), fast=False)
    table = Table(game, (), (), *zip(*MIXED, strict=True), seed=9, each=4)  # type: ignore[arg-type]
    chunk = play_chunk(table, 2, 4)
    mind = batches.mind_of(game, (), (), 4, None)
    for number, final in enumerate(chunk.finals, 2):
        assert play_by_name(made, mind, MIXED, 9, 4, number) == final


@pytest.mark.parametrize(
    ("game", "players"), [("papayoo", 3), ("chief-and-vice", 5), ("chicane", 2)]
)
def test_the_lead_is_what_the_one_has_before_the_mean_of_the_others(
    game: str, players: int
) -> None:
    tournament = told(game, players, "sensible", "random")
    results = played(tournament)
    sign = -1 if game == "papayoo" else 1  # points count against who has them
    for deal in range(tournament.deals):
        wanted = 0.0
        for one, other, side in (("sensible", "random", 1), ("random", "sensible", -1)):
            ways = (one, *[other] * (players - 1))
            table = Table(game, (), (), ways, (0,) * players, seed=3, each=players)
            chunk = play_chunk(table, deal * players, players)
            score = chunk.playing.engine.SCORE
            for turn, row in enumerate(chunk.finals):
                scores = row[score : score + players]
                mine = scores.pop(-turn % players)
                wanted += side * sign * (mine * (players - 1) - sum(scores))
            if players == 2:
                break
        assert results.leads[0][deal] == wanted


def test_who_is_named_first_does_not_matter(written: str) -> None:
    forth = played(told("papayoo", 3, "greedy", f"{written}:Lucky"))
    back = played(told("papayoo", 3, f"{written}:Lucky", "greedy"))
    assert list(forth.leads[0]) == [-lead for lead in back.leads[0]]
    assert any(forth.leads[0])


def test_workers_and_tasks_change_nothing(written: str) -> None:
    tournament = told("chicane", 3, "sensible", f"{written}:Lucky", "monte-carlo:1", deals=5)
    once = played(tournament)
    assert played(tournament, 2).leads == once.leads
    assert leads(tournament, 4, 3) == list(once.leads[1][1:4])


def test_a_pair_with_one_way_to_win_is_rated_as_the_share_it_won() -> None:
    """With two players the model is the share of deals won, so its interval is that of Jeffreys."""
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' is optional")
    from scipy.stats import beta  # type: ignore[import-untyped]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "REPLICATES", 1000)
        for won, lost in ((75, 25), (40, 0), (3, 9)):
            first, second = ratings.rate(2, [(0, 1)], [[1] * won + [-1] * lost])
            shares = [
                (won + 0.5) / (won + lost + 1),
                *(beta.ppf(part, won + 0.5, lost + 0.5) for part in (0.025, 0.975)),
            ]
            wanted = [200 * log10(share / (1 - share)) for share in shares]
            found = [first.value, first.low, first.high]
            assert found == pytest.approx(wanted, rel=0.15, abs=12), (won, lost)
            assert second.value == -first.value


def test_a_drawn_deal_is_half_a_deal_for_each() -> None:
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' is optional")
    first, second, third = ratings.rate(3, [(0, 1), (0, 2), (1, 2)], [[0] * 50] * 3)
    assert first.value == second.value == third.value == 0
    assert first.low < 0 < first.high


def test_who_never_wins_does_not_blur_the_others() -> None:
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' is optional")
    pairs, even = [(0, 1), (0, 2), (1, 2)], [1, -1] * 100
    alone, _ = ratings.rate(2, [(0, 1)], [even])
    first, _, last = ratings.rate(3, pairs, [even, [1] * 200, [1] * 200])
    assert last.high < -600 and last.high - last.low > 400
    assert first.high - first.low < 1.6 * (alone.high - alone.low)


@pytest.mark.slow
def test_ratings_lie_in_their_intervals_as_often_as_they_should() -> None:
    """Also where all pairs lose and win the same deals, as they do who get the same cards."""
    pytest.importorskip("choix", reason="choix is not installed: the extra 'playtest' is optional")
    true = [120.0, 0.0, -120.0]
    pairs = [(0, 1), (0, 2), (1, 2)]
    chances = [1 / (1 + 10 ** ((true[b] - true[a]) / 400)) for a, b in pairs]
    hits = rounds = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "REPLICATES", 200)
        for seed in range(200):
            random = Random(seed)
            deals = [random.random() for _ in range(80)]
            own = [[random.random() for _ in deals] for _ in pairs]
            signs = [
                [
                    1
                    if (luck if mixed[place] < 0.3 else mixed[place] / 0.7 - 3 / 7) < chance
                    else -1
                    for place, luck in enumerate(deals)
                ]
                for chance, mixed in zip(chances, own, strict=True)
            ]
            found = ratings.rate(3, pairs, signs, seed)
            for rating, value in zip(found, true, strict=True):
                hits += rating.low <= value <= rating.high
                rounds += 1
    assert 0.92 < hits / rounds < 0.98


def test_the_page_and_the_file_tell_the_same(tmp_path: Path, written: str) -> None:
    files = [tmp_path / f"{workers}.json" for workers in (1, 2)]
    pages = []
    for workers, file in enumerate(files, 1):
        words = ["papayoo", "--players", "3", "--enter", "greedy", "--enter", "random"]
        words += ["--enter", f"{written}:First", "--hands", "32", "--seed", "4"]
        result = call(*words, "--workers", str(workers), "--json", str(file))
        assert result.exit_code == 0, result.output
        pages.append(result.stdout)
    assert pages[0] == pages[1]
    assert files[0].read_bytes() == files[1].read_bytes()
    found = json.loads(files[0].read_text(encoding="utf-8"))
    assert (found["deals_of_a_pair"], found["hands_of_a_pair"]) == (6, 36)
    places = [
        pages[0].index(f"{place}  {one['name']}") for place, one in enumerate(found["entrants"], 1)
    ]
    assert places == sorted(places)
    values = [one["rating"] for one in found["entrants"]]
    assert values == sorted(values, reverse=True)
    for pair in found["pairs"]:
        assert pair["won"] + pair["lost"] + pair["drawn"] == 6
        assert pair["too_few_hands_to_tell"] == (abs(pair["lead"]) <= pair["half_width"])
    unsure = [pair for pair in found["pairs"] if pair["too_few_hands_to_tell"]]
    assert ("too few hands to tell" in pages[0]) == bool(unsure)
    assert max(map(len, pages[0].splitlines())) <= 80


def test_too_few_hands_are_said_to_be_too_few(written: str) -> None:
    words = ["--enter", f"{written}:Lucky", "--enter", "random", "--hands", "12"]
    result = call("papayoo", *words)
    assert "?  too few hands to tell:" in result.stdout
    assert "players of your own are played in plain Python" in result.stderr


def test_plain_python_is_said_to_play_and_why() -> None:
    few = ["--enter", "sensible", "--enter", "random", "--hands", "8"]
    result = call("papayoo", *few)
    assert result.exit_code == 0, result.output
    assert "takes longer: numba is not installed: pip install" in result.stderr
    assert "instead of" not in result.stderr


def test_who_takes_part_by_default_thinks_less_in_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "PLAIN_BUDGET", 2)
    monkeypatch.setattr(command, "PLAIN_HANDS", 6)
    result = call("papayoo")
    assert "therefore monte-carlo:2 instead of monte-carlo:100 and 6 hands a pair" in result.stderr
    for name in ("random", "sensible", "greedy", "monte-carlo:2"):
        assert re.search(rf"^ \d  {name} ", result.stdout, re.MULTILINE), name


WRONG_CALLS = [
    (("--enter", "greedy"), "needs two players at least"),
    (("--enter", "greedy", "--enter", "greedy"), "greedy is entered twice"),
    (("--enter", "greedy:5", "--enter", "random"), "greedy:5: only monte-carlo has a budget"),
    (("--enter", "monte-carlo:0", "--enter", "random"), "whole number from 1 on"),
    (("--enter", "monte-carlo:", "--enter", "random"), "whole number from 1 on"),
    (
        (
            "--enter",
            "cleverest",
        ),
        "neither random, sensible, greedy, monte-carlo:BUDGET nor FILE.py",
    ),
    (("--players", "9"), "3, 4, 5, 6, 7, 8 players, not 9"),
    (("--enter", "none.py:One", "--enter", "random"), "none.py: No such file"),
    (("--json", "/no/such/folder/x"), "cannot be written"),
    (("--variant", "shifting-pas"), "shifting-pass"),
]


@pytest.mark.parametrize(("words", "said"), WRONG_CALLS)
def test_a_wrong_call_is_explained(words: tuple[str, ...], said: str) -> None:
    result = call("papayoo", *words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stdout == "" and "Traceback" not in result.stderr


def test_a_game_for_one_has_no_tournament() -> None:
    result = call("indian-chief", "--variant", "solo")
    assert result.exit_code == 2
    assert "a tournament needs two at a table" in result.stderr


WRONG_PLAYERS = [
    ("Frist", "players.py: no class Frist; its players: First, Lucky, Fails"),
    ("Nobody", "Nobody is no subclass of trickwright_tools.players.Player"),
    ("Unborn", "Unborn: line 22: ZeroDivisionError: division by zero\n    self.hope = 1 / 0"),
    ("Fails", "Fails, hand 1: line 14: KeyError: 'no such thing'\n    return view["),
    ("Leaves", "Leaves, hand 1: line 18: SystemExit: 3\n    raise SystemExit(3)"),
    ("Idle", "Idle, hand 1: NotImplementedError: Idle has no method choose"),
    ("Mute", "Mute, hand 1: choose gave None, which is no action"),
    ("Dreamer", "Dreamer, hand 1: may not play the moon:"),
]


@pytest.mark.parametrize(("name", "said"), WRONG_PLAYERS)
def test_what_is_wrong_with_a_player_is_told(written: str, name: str, said: str) -> None:
    words = ["--enter", f"{written}:{name}", "--enter", "random", "--hands", "4"]
    result = call("chicane", *words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stdout == "" and "Traceback" not in result.stderr


def test_what_is_wrong_with_a_player_in_another_process_is_told(written: str) -> None:
    words = ["--enter", f"{written}:Fails", "--enter", "random", "--hands", "4"]
    result = call("chicane", *words, "--workers", "2")
    assert result.exit_code == 2, result.output
    assert re.search(
        r"Fails, hand \d: line 14: KeyError: 'no such thing'\n    return", result.stderr
    )
    assert "Traceback" not in result.stderr


def test_an_illegal_action_is_told_with_its_clause(written: str) -> None:
    result = call("papayoo", "--enter", f"{written}:Cheat", "--enter", "random", "--hands", "4")
    assert result.exit_code == 2
    assert re.search(r"Cheat, hand 1: may not \w+ 2.: .+ \(pass\.[a-z-]+", result.stderr), (
        result.stderr
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class X(:\n", "line 1: SyntaxError"),
        ("\nimport no_such_module\n", "line 2: ModuleNotFoundError"),
        ("x = 1\n", "it has no subclass of Player"),
        ("\0", "SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_run_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    result = call("papayoo", "--enter", f"{path}:One", "--enter", "random")
    assert result.exit_code == 2, result.output
    assert str(path) in result.stderr and said in result.stderr
    assert "Traceback" not in result.stderr


def test_players_of_the_same_name_are_told_apart(tmp_path: Path, written: str) -> None:
    other = tmp_path / "other.py"
    other.write_text(PLAYERS, encoding="utf-8")
    words = ["--enter", f"{written}:First", "--enter", f"{other}:First", "--hands", "4"]
    result = call("chicane", *words)
    assert result.exit_code == 0, result.output
    assert f"{written}:First" in result.stdout and f"{other}:First" in result.stdout


def test_a_player_sees_what_its_seat_may_know(tmp_path: Path) -> None:
    path = tmp_path / "curious.py"
    path.write_text(
        "from trickwright_tools.players import Player\n"
        "class Curious(Player):\n"
        "    def choose(self, view, legal, random):\n"
        "        shown = [who for who, cards in view['hands'].items() if 'cards' not in cards]\n"
        "        assert shown == [view['you']] == [view['to_move']], shown\n"
        "        assert view['legal'] == [str(action) for action in legal]\n"
        "        return random.choice(legal)\n",
        encoding="utf-8",
    )
    tournament = told("chief-and-vice", 4, str(Written(str(path), "Curious")), "greedy", deals=2)
    assert len(played(tournament).leads[0]) == 2


@pytest.mark.skipif(not README.is_file(), reason="an installed package has no README")
def test_the_player_of_the_readme_beats_random_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = README.read_text(encoding="utf-8")
    code = next(
        part for part in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "(Player)" in part
    )
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    shown = re.search(r"\$ trickwright (tournament .* --enter (my_player\.py):.*)", text)
    assert shown is not None
    monkeypatch.chdir(tmp_path)
    Path(shown[2]).write_text(code, encoding="utf-8")
    result = CliRunner().invoke(main, [*shown[1].split(), "--hands", "160", "--json", "found.json"])
    found = json.loads(Path("found.json").read_text(encoding="utf-8"))
    monkeypatch.undo()
    assert result.exit_code == 0, result.output
    pair = next(
        pair for pair in found["pairs"] if {"random", "Careful"} == {pair["first"], pair["second"]}
    )
    ahead = pair["lead"] if pair["first"] == "Careful" else -pair["lead"]
    assert ahead > pair["half_width"]


@pytest.mark.slow
def test_numba_is_said_to_compile_and_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="numba is not installed: the extra 'fast' is optional")
    from trickwright_tools import fast

    words = ["chicane", "--enter", "monte-carlo:5", "--enter", "sensible", "--hands", "12"]
    plain = call(*words)
    batches.playing_of.cache_clear()
    batches.mind_of.cache_clear()
    monkeypatch.setattr(playing, "in_numba", fast.in_numba)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiled_now = call(*words)
    batches.playing_of.cache_clear()
    batches.mind_of.cache_clear()
    again = call(*words)
    assert plain.stdout == compiled_now.stdout == again.stdout
    assert "numba compiles the engine of chicane" in compiled_now.stderr
    assert "compiles" not in again.stderr
