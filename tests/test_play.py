"""``trickwright play``: what is shown, what is hidden, what can be typed, in both languages."""

from __future__ import annotations

import re
import shutil
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import engine
from trickwright.places import games
from trickwright_tools.cli import main
from trickwright_tools.terminal import deeds, page, screen, trumps
from trickwright_tools.terminal.session import Session
from trickwright_tools.terminal.voice import Voice, command_of, texts

GAME = "chief-and-vice"
CARD = re.compile(r"(?<![\w=])(?:10|[2-9JQKABD])[♣♦♥♠]")
SEED = "8"


def play(*options: str, typed: str = "") -> Result:
    result = CliRunner().invoke(main, ["play", GAME, *options], input=typed)
    assert "Traceback" not in result.output
    return result


class Table:
    """A session in memory; ``answer`` gets all that has been said since the last question."""

    def __init__(self, answer: Callable[[str], str], **options: Any) -> None:
        self.match = engine(GAME).Match(options.get("players", 4), options.get("seed", 8))
        self.said: list[str] = []
        self.fresh: list[str] = []
        self.answer = answer
        self.session = Session(
            match=self.match,
            voice=Voice(engine(GAME).RULES, self.match.hand.table, options.get("lang", "en")),
            person=options.get("person", "Anna"),
            style=options.get("style", "steady"),
            most_hands=options.get("hands", 1),
            read=self.read,
            say=self.say,
            make=type(engine(GAME).Pass()),
        )

    def say(self, text: str) -> None:
        self.said.append(text)
        self.fresh.append(text)

    def read(self) -> str:
        said, self.fresh = "\n".join(self.fresh), []
        return self.answer(said)

    def text(self) -> str:
        return "\n".join(self.said)


def first_choice(said: str) -> str:
    assert "1) " in said
    return "1"


@pytest.mark.parametrize("seed", range(12))
def test_a_hand_is_played_to_the_score_pad_by_the_first_choice_each_time(seed: int) -> None:
    table = Table(first_choice, seed=seed)
    table.session.play()
    hand = table.match.hand
    assert hand.over
    pad = table.text().split("Score pad")[-1].splitlines()
    assert pad[0].split() == ["Anna", "Ben", "Carla", "Dan"]
    scores = [str(hand.scores[name]) for name in hand.players]
    assert pad[1].split()[-4:] == scores
    assert pad[3].split() == ["total", *scores]
    assert engine(GAME).RULES.named(f"outcome.{hand.outcome}") in pad[1]


def test_all_phases_are_come_by_in_those_hands() -> None:
    """So that the hands above are not all stalemates."""
    seen = set()
    for seed in range(12):
        table = Table(first_choice, seed=seed)
        table.session.play()
        seen |= {line.strip("─ ") for line in table.text().splitlines() if line.startswith("── ")}
    assert seen == {
        "The auction",
        "Choosing trumps",
        "Choosing the partner",
        "Playing the tricks",
    }


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("players", [4, 6])
def test_cards_that_others_hold_unseen_never_appear(seed: int, players: int) -> None:
    hidden_once = 0

    def check(text: str) -> None:
        nonlocal hidden_once
        hand = table.match.hand
        own = hand.table.number("player", "Ben")
        dealt = [0] * players
        start = engine(GAME).Hand(players, dealer=hand.state[1], seed=seed, number=0)
        for seat in range(players):
            dealt[seat] = start.state[engine(GAME).HAND + seat]
        seen = dealt[own]
        for phase, _, action in hand.history:
            if hand.rules.phases[phase].actions[0].type == "card" and action < 52:
                seen |= 1 << action
        words = engine(GAME).RULES.words["en"].cards
        visible = {word for card, word in enumerate(words) if seen >> card & 1}
        hidden_once += len(visible) < 40
        # The list of all trumps and of the cards taken out says nothing of where a card is.
        lines = re.sub(r"Trumps from the top:.*(?:\n    .*)*|taken out .*", "", text)
        assert {*CARD.findall(lines)} <= visible

    asked = 0

    def answer(said: str) -> str:
        nonlocal asked
        asked += 1
        return ["?", "table", "1"][asked % 3]

    table = Table(answer, seed=seed, players=players, person="Ben")
    say = table.say

    def checked(text: str) -> None:
        check(text)
        say(text)

    table.session.say = checked
    table.session.play()
    assert table.match.hand.over
    assert hidden_once > 10


def words_of(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)}


def vocabulary(language: str, game: str = GAME) -> set[str]:
    """All words that the table and the game have in a language."""

    def gather(value: Any) -> str:
        if isinstance(value, dict):
            return " ".join(map(gather, value.values()))
        if isinstance(value, list):
            return " ".join(map(gather, value))
        return re.sub(r"{\w+}", "", value)

    words = engine(game).RULES.words[language]
    things = (words.trumps, *words.things.values())
    called = [way for kind in things for ways in kind for way in ways[: 1 + (language == "en")]]
    return words_of(
        " ".join([gather(texts()[language]), *words.names.values(), *called, *words.cards])
    )


def test_a_german_table_speaks_german_only() -> None:
    asked = 0
    answers = ["?", "warum A♠", "warum 2♣ 3♣ 4♣", "tisch", "block", "xx", "77", "", "1", "warum"]

    def answer(said: str) -> str:
        nonlocal asked
        asked += 1
        return answers[asked % len(answers)]

    told = ""
    for seed in range(6):
        table = Table(answer, seed=seed, lang="de", hands=2)
        table.session.play()
        told += table.text()
    told += play("--watch", "--lang", "de", "--seed", "4", "--players", "6").stdout
    told = re.sub(r"\([a-z-]+\.[a-z-]+,\s", "(", told.replace("--seed", ""))
    told = re.sub(r"oder \w+\.", "", told)  # a card as it may be typed: AS for A♠
    foreign = vocabulary("en") - vocabulary("de")
    assert {"pass", "hearts", "plays", "points", "stalemate"} <= foreign
    assert words_of(told) & foreign == set()
    assert {"legt", "passt", "spielen", "stich", "könige", "gebot", "liegt"} <= words_of(told)
    assert not re.search("[QJ][♣♦♥♠]", told)


@pytest.mark.parametrize("game", games())
def test_every_game_is_watched_in_german_without_an_english_word(game: str) -> None:
    names = {"anna", "ben", "carla", "dan", "eva", "finn", "gina", "hans"}
    foreign = vocabulary("en", game) - vocabulary("de", game) - names
    assert len(foreign) > 30
    for seed in ("1", "2", "3"):
        call = ["play", game, "--watch", "--hands", "2", "--lang", "de", "--seed", seed]
        said = CliRunner().invoke(main, call)
        assert said.exit_code == 0, said.output
        assert words_of(said.stdout.replace("--seed", "")) & foreign == set()


def test_both_languages_have_the_same_texts_with_the_same_places() -> None:
    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shape(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return len(value) if all(isinstance(one, list) for one in value) else "words"
        return sorted(name for _, name, _, _ in string.Formatter().parse(value) if name)

    assert shape(texts()["en"]) == shape(texts()["de"])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("A♥ 10♥", "is not possible: the total may be at most 1 above the highest"),
        ("K♠", "K♠ is not possible: the card is not in the player's hand (auction.own-card,"),
        ("why K♠", "K♠ is not possible: the card is not in the player's hand (auction.own-card,"),
        ("warum kS", "“The auction”)"),
        ("why A♥", "A♥ is possible."),
        ("why AH 10h", "A♥ is not possible"),
        ("why", "Say what"),
        ("why not", "There is nothing called “not” to do here."),
        ("Z♥", "There is nothing called “Z♥” to do here."),
        ("hearts", "hearts is not possible: this is not done in this part of the hand"),
        ("15", "There is no choice 15; they go from 1 to 14."),
        ("0", "There is no choice 0; they go from 1 to 14."),
        ("1 77", "There is no choice 77"),
        ("  ", "? for help"),
        (",;", "There is nothing called “,;” to do here."),
        ("\x1b[2J", "There is nothing called “[2J” to do here."),
        ("{why}", "There is nothing called “{why}” to do here."),
        ("x" * 5000, "There is nothing called"),
        ("?", "A card is written 8♣ or 8C."),
        ("hilfe", "why 8♣ says whether"),
        ("pad", "No hand is over yet."),
        ("table", "The pack: cards 52, card points 60"),
    ],
)
def test_what_is_typed_is_answered_and_asked_again(typed: str, said: str) -> None:
    result = play("--seed", SEED, typed=f"{typed}\n")
    assert said in " ".join(result.stdout.split())
    assert "You leave the table in hand 1." in result.stdout
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "typed", ["A♥", "ah", "lay A♥", "legt AH", "legen A♥", "8", "A♥,", "A♥ pass"]
)
def test_a_card_can_be_named_in_many_ways(typed: str) -> None:
    result = play("--seed", SEED, typed=f"{typed}\n")
    assert re.search(r"Anna \(you\) +13 +1  +A♥\n", result.stdout)


@pytest.mark.parametrize("typed", ["pass", "passes", "passt", "passen", "14", "PASS"])
def test_passing_can_be_said_in_many_ways(typed: str) -> None:
    result = play("--seed", SEED, typed=f"{typed}\n")
    assert re.search(r"Anna \(you\) +13 +0\n", result.stdout)


def test_a_turn_of_several_cards_may_be_in_any_order() -> None:
    asked = 0
    cards: list[str] = []

    def answer(said: str) -> str:
        nonlocal asked
        asked += 1
        if asked == 1:
            return "pass"
        if asked == 2:
            cards.extend(re.findall(r"\d\) (\S+[♣♦♥♠])", said)[:9:8])
            return f"{cards[1]}, {cards[0]}"
        assert re.search(rf"Anna \(you\) +13 +2  +{cards[0]} {cards[1]}\n", said)
        return "quit"

    table = Table(answer, seed=8)
    table.session.play()
    assert asked == 3


@pytest.mark.parametrize("typed", ["quit\n", "exit\n", "ende\n", "", "1"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_leaving_says_where_it_stands(typed: str, lang: str) -> None:
    result = play("--seed", "3", "--lang", lang, typed=typed)
    assert result.exit_code == 0
    left = {"en": ("You leave", "Totals:"), "de": ("Du verlässt", "Stand:")}[lang]
    assert left[0] in result.stdout.splitlines()[-2]
    assert result.stdout.splitlines()[-1] == f"{left[1]} Anna 0 · Ben 0 · Carla 0 · Dan 0"


def test_ctrl_c_leaves_too() -> None:
    def interrupt(said: str) -> str:
        raise KeyboardInterrupt

    table = Table(interrupt)
    table.session.play()
    assert table.said[-1].startswith("Totals: Anna 0")


def test_a_seed_plays_the_same_match_again() -> None:
    options = ("--watch", "--hands", "3", "--seed")
    assert play(*options, "5").stdout == play(*options, "5").stdout
    assert play(*options, "5").stdout != play(*options, "6").stdout


def test_how_one_plays_does_not_change_the_cards() -> None:
    def hands(answers: str) -> list[str]:
        result = play("--seed", "11", "--hands", "2", typed=answers * 80)
        return [line for line in result.stdout.splitlines() if line.startswith("Your hand")]

    one, other = hands("1\n"), hands("pass\n1\n")
    assert one[0] == other[0]
    assert one != other


def test_a_watched_match_ends_with_the_pad_and_the_winner() -> None:
    result = play("--watch", "--seed", "3")
    lines = result.stdout.splitlines()
    pad = lines[max(place for place, line in enumerate(lines) if line.startswith("Score pad")) :]
    *rows, _, totals, _, winner = pad[1:]
    sums = [sum(int(row.split()[place]) for row in rows) for place in range(-4, 0)]
    assert [int(total) for total in totals.split()[1:]] == sums
    assert max(sums) >= 200
    name = ["Anna", "Ben", "Carla", "Dan"][sums.index(max(sums))]
    assert winner == f"{name} wins the match with {max(sums)}."
    assert sum("══ Hand" in line for line in lines) == len(rows)


@pytest.mark.parametrize("seed", [str(seed) for seed in range(1, 9)])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_line_is_wider_than_a_terminal(seed: str, lang: str) -> None:
    for players in ("4", "6"):
        typed = "?\ntable\nwhy 2♣\npass\n1\n" * 60
        options = ("--players", players, "--name", "Maximiliana-Theresa von und zu")
        result = play(*options, "--lang", lang, "--seed", seed, "--hands", "1", typed=typed)
        assert max(map(len, _without_prompts(result.stdout))) <= 80


def _without_prompts(text: str) -> list[str]:
    return [line.rpartition("> ")[2] if "> " in line[:40] else line for line in text.splitlines()]


def test_laid_cards_are_joined_and_their_end_is_no_pass() -> None:
    said = play("--watch", "--seed", "3", "--hands", "1").stdout
    assert "Ben lays 4♥ · Carla lays A♦ Q♥ · Dan passes · Anna lays 3♠" in said


def test_trumps_are_said_from_the_top() -> None:
    said = play("--watch", "--seed", "3", "--hands", "2").stdout
    assert "Trumps: Kings over hearts" in said
    assert "Trumps from the top: K♥ > K♣=K♦=K♠ > A♥ > Q♥ > J♥" in said
    assert "Ben names hearts · Dan names Kings" in said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ([["K♥"], ["K♣", "K♦", "K♠"], ["A♥"], ["Q♥"]], "Trumps: Kings over hearts"),
        ([["K♥"], ["A♥"], ["Q♥"], ["K♣", "K♦", "K♠"]], "Trumps: hearts over Kings"),
    ],
)
def test_which_trump_is_above_the_other_follows_from_their_order(
    order: list[list[str]], said: str
) -> None:
    voice = Table(first_choice).session.voice
    view = {"trumps": {"vice": "hearts", "chief": "Kings"}, "trump_order": order}
    assert trumps.line(view, voice) == said
    assert trumps.line({"trumps": view["trumps"]}, voice) == "Trumps: Vice hearts, Chief Kings"
    nothing = {"trumps": {"vice": None, "chief": None}}
    assert trumps.line(nothing, voice) == ""
    named = {"trumps": {"vice": None, "chief": "no trumps"}, "trump_order": []}
    assert trumps.line(named, voice) == "Trumps: no trumps"
    of_vice = {"trumps": {"vice": "hearts", "chief": "no trumps"}, "trump_order": [["A♥"]]}
    assert trumps.line(of_vice, voice) == "Trumps: hearts"


def test_cards_that_were_played_do_not_lie_open_any_more() -> None:
    open_cards: list[list[str]] = []

    def answer(said: str) -> str:
        if "Playing the tricks" in table.text():
            for line in said.splitlines():
                if re.match(r"(Ben|Carla|Dan) +\d", line):
                    open_cards.append(CARD.findall(line))
            played = {*CARD.findall(" ".join(re.findall(r".* takes it", table.text())))}
            assert not played & {card for cards in open_cards[-3:] for card in cards}
        return "pass" if ") pass" in said else "1"

    table = Table(answer, seed=8)
    table.session.play()
    assert any(open_cards)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--players", "3"), "4, 5, 6 players, not 3"),
        (("--seat", "5"), "no seat 5 with 4 players"),
        (("--watch", "--name", "Eva"), "leave out --name"),
        (("--name", "nobody"), "mistaken"),
        (("--name", "12"), "mistaken"),
        (("--name", "a:b"), "colon"),
        (("--name", " "), "1 to 40"),
        (("--name", "x" * 41), "1 to 40"),
        (("--hands", "0"), "--hands"),
        (("--lang", "fr"), "--lang: chief-and-vice has no words in 'fr'; there is de, en"),
        (("--lang", ""), "--lang: chief-and-vice has no words in ''; there is de, en"),
    ],
)
def test_a_wrong_call_is_explained(options: tuple[str, ...], said: str) -> None:
    result = play(*options)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_game_is_played_in_every_language_that_it_has_texts_in(tmp_path: Path) -> None:
    home = tmp_path / "base"
    shutil.copytree(Path(__file__).parent / "errors" / "base", home)
    text = (home / "text.en.yaml").read_text(encoding="utf-8")
    for old, new in (("language: en", "language: fr"), ("chief: Chief", "chief: Patron")):
        assert old in text
        text = text.replace(old, new)
    (home / "text.fr.yaml").write_text(text, encoding="utf-8")
    options = ("--watch", "--seed", "3", "--hands", "3")
    said = {}
    for lang in ("en", "fr"):
        result = CliRunner().invoke(main, ["play", str(home), *options, "--lang", lang])
        assert result.exit_code == 0, result.output
        said[lang] = result.output.splitlines()
    told = "The table has no words of its own in 'fr', so they are English."
    assert said["fr"].count(told) == 1 and said["fr"].index(told) == 1
    assert told not in said["en"]
    assert "Patron" in "".join(said["fr"])
    del said["fr"][1]
    assert [line.replace("Patron", "Chief") for line in said["fr"]] == said["en"]


def test_a_match_that_is_left_in_the_middle_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    result = play("--seed", "3", "--save", str(file), typed="1\nquit\n")
    assert result.exit_code == 0, result.output
    again = engine(GAME).Match.from_json(file.read_text(encoding="utf-8"))
    assert not again.hand.over and again.hands_played == 0
    assert len(again.hand.history) >= 1 and again.seed == 3


def test_a_name_of_another_seat_moves_the_other() -> None:
    result = play("--name", "ben", "--seat", "3", "--seed", "1")
    assert "Totals: Anna 0 · Carla 0 · ben 0 · Dan 0" in result.stdout


def test_folding_breaks_between_parts_only() -> None:
    parts = [f"part number {number}" for number in range(12)]
    lines = page.fold(parts, first="  ").splitlines()
    assert len(lines) > 1
    assert all(len(line) <= page.WIDTH for line in lines)
    assert [part.strip() for line in lines for part in line.strip(" ·").split(" · ")] == parts


def test_commands_are_known_in_both_languages() -> None:
    assert command_of("Warum") == command_of("why") == "why"
    assert command_of("3♠") is None


def test_wide_signs_take_two_columns() -> None:
    assert [page.room(text) for text in ("7R", "7♥", "7🔴", "⚫⚫")] == [2, 2, 3, 4]
    lines = page.fold(["7🔴"] * 40, " ", width=20).splitlines()
    assert [page.room(line.strip()) for line in lines[1:3]] == [
        15,
        15,
    ]  # 4 × 3 + 3; one more is too wide
    table = page.columns([["🔴", "1"], ["red", "10"]], [True, False])
    assert table == ["🔴    1", "red  10"]


def test_identical_cards_are_told_apart_by_what_was_done_with_them() -> None:
    hand = engine("mue").Hand.from_position(
        {
            "at": "tricks",
            "players": ["Anna", "Ben", "Carla", "Dan"],
            "chief": "Anna",
            "partner": "Carla",
            "trumps": {"chief": "red"},
            "hands": {
                "Anna": ["7🔴", "7🔴"],
                "Ben": ["7🟢", "1🟢"],
                "Carla": ["7🟢", "0🟢"],
                "Dan": ["9🟢", "8🟢"],
            },
            "laid_out": {"Anna": ["7🔴"], "Ben": ["7🟢"]},
        }
    )
    voice = Voice(hand.rules, hand.table, "en")
    own = screen.own_cards(hand.view("Anna"), voice)
    assert own == "Your hand: [7🔴] 7🔴   [ ] lies open", "one of the two lies open"
    done = [
        deeds.Deed("Anna", "lay", "card", "7🔴"),
        deeds.Deed("Anna", "play", "card", "7🔴"),
        deeds.Deed("Ben", "play", "card", "7🟢"),
        deeds.Deed("Carla", "play", "card", "7🟢"),
    ]
    trick = ["Anna 7🔴", "Ben 7🟢", "Carla 7🟢"]
    assert deeds.played_by(done, ["7🔴", "7🟢", "7🟢"], voice) == trick
    view = hand.view("Anna")
    assert screen._lying(["7🔴"], "Anna", done, view, voice) == []
    assert screen._lying(["7🔴"], "Anna", done[:1], view, voice) == ["7🔴"]
    two = [deeds.Deed("Anna", "lay", "card", "7🔴"), *done[:2]]
    assert screen._lying(["7🔴", "7🔴"], "Anna", two, view, voice) == ["7🔴"]


def test_who_sits_out_is_said_and_sees_the_hand_go_by() -> None:
    options = [
        "mue",
        "--variant",
        "dealer-sits-out",
        "--players",
        "6",
        "--seed",
        "3",
        "--hands",
        "1",
    ]
    result = CliRunner().invoke(main, ["play", *options])
    assert result.exit_code == 0, result.output
    assert "Anna deals · Anna sits out" in result.stdout
    assert "Your hand" not in result.stdout, "the person's own seat deals, so nothing is asked"
    assert re.search(r"^Totals: Anna 0 · Ben -?\d+", result.stdout, re.MULTILINE)
