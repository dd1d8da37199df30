"""Decks of their own: games that name one have its cards, and problems in it stand in its file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import compiled, read
from trickwright import Report, compile_game, read_game
from trickwright.decks import deck_named
from trickwright.memory import load_engine
from trickwright.places import games, home, schema

RULES = """\
game: mini
title: {en: Mini}
sources: {book: {title: The book, sections: [All]}}
players: [2]
cards: {deck: tiny, source: {book: All}}
phases:
  deal: {kind: deal, source: {book: All}, cards: all}
  tricks: {kind: tricks, source: {book: All}, leader: dealer, suit_of_card: front, trumps: [], follow: must}
scoring:
  source: {book: All}
  played: {all: {source: {book: All}, who: everyone, points: tricks_won(player)}}
match: {source: {book: All}, first_dealer: 1, deal_passes: left, hands: 1, winner: highest, tied: shared}
"""
DECK = """\
deck: tiny
title: {en: Tiny}
suits: {clubs: ♣, hearts: ♥}
ranks: [1, 2]
sides: [front, back]
named:
  fox: [1, clubs, hearts]
  owl: [1, hearts]
  elk: [2, clubs]
  bee: [2, hearts, clubs]
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a game beside a deck, in a project of its own."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "spec" / "games" / "mini"
    folder.mkdir(parents=True)
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    decks = tmp_path / "spec" / "decks"
    decks.mkdir()
    (decks / "tiny.yaml").write_text(DECK, encoding="utf-8")
    return folder


def problems(game: Path, sets: tuple[str, ...] = ()) -> list[str]:
    report = Report()
    files = read_game(game, report)
    if files is not None:
        compile_game(files, sets=sets, report=report)
    return [line for problem in report.problems for line in problem.render().splitlines()]


def names(game: Path, *sets: str) -> list[str]:
    files = read_game(game, Report())
    assert files is not None
    made = compile_game(files, sets=sets)
    assert made is not None
    return list(made.game.deck.names)


def test_a_game_has_the_cards_of_the_deck_it_names(game: Path) -> None:
    assert problems(game) == []
    assert names(game) == ["fox", "elk", "owl", "bee"]  # by first suit, then rank


def test_what_the_rules_say_themselves_goes_before_the_deck(game: Path) -> None:
    rules = game / "rules.yaml"
    own = "{deck: tiny, source: {book: All}, named: {cat: [2, clubs, hearts], ape: [1, hearts]}}"
    text = RULES.replace("{deck: tiny, source: {book: All}}", own)
    rules.write_text(text, encoding="utf-8")
    assert names(game) == ["cat", "ape"]


EQUAL = RULES.replace("follow: must}", "follow: must, equal_cards: first-played-wins}")


def test_single_values_change_the_cards_of_a_deck(game: Path) -> None:
    (game / "rules.yaml").write_text(EQUAL, encoding="utf-8")  # bee and fox are equal then
    assert names(game, "cards.named.fox=[2, hearts]") == ["elk", "owl", "fox", "bee"]
    two_words = DECK.replace("fox", "red fox")
    (game.parent.parent / "decks" / "tiny.yaml").write_text(two_words, encoding="utf-8")
    assert names(game, 'cards.named["red fox"]=[2, hearts]') == ["elk", "owl", "red fox", "bee"]
    wrong = problems(game, ('cards.named["red fox"]=[3, hearts]',))[0]
    assert wrong.startswith("--set:1:25: cards.named[\"red fox\"]: there is no rank '3'")
    assert problems(game, ("cards.named.cat=[2, hearts]",))[0].startswith(
        "--set:1:1: cards.named.cat: no such path in mini/rules.yaml"
    )


def test_another_deck_brings_all_its_parts(game: Path) -> None:
    other = DECK.replace("deck: tiny", "deck: other").replace("fox", "cow")
    (game.parent.parent / "decks" / "other.yaml").write_text(other, encoding="utf-8")
    assert names(game, "cards.deck=other") == ["cow", "elk", "owl", "bee"]
    assert problems(game, ("cards.deck=othr",)) == [
        "--set:1:12: cards.deck: there is no deck 'othr' [unknown-deck]",
        "    did you mean 'other'? decks: decktet, other, tiny",
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[1, hearts]", "[3, hearts]", "8:9: cards.named.owl: there is no rank '3' [unknown-rank]"),
        ("suits: {", "suit: {", "3:1: suit: unknown key 'suit' [unknown-key]"),
        ("deck: tiny", "deck: big", "1:7: deck: 'big' is not what the file is called [wrong-name]"),
        ("[front, back]", "[front]", "5:8: sides: expected at least 2 items, found 1"),
        ("ranks: [1, 2]", "ranks: [1, 2", "bad-yaml"),
    ],
)
def test_a_problem_of_a_deck_stands_in_its_file(game: Path, old: str, new: str, said: str) -> None:
    path = game.parent.parent / "decks" / "tiny.yaml"
    path.write_text(DECK.replace(old, new), encoding="utf-8")
    first = problems(game)[0]
    assert first.startswith("spec/decks/tiny.yaml:")
    assert said in first


GERMAN = """\
language: de
suits: {clubs: Kreuz, hearts: Herz}
ranks: {2: {letter: Z, one: Zwei, many: Zweien}}
cards: {fox: Fuchs, owl: Kleine  Eule, elk: Elch, bee: Biene}
sides: {front: vorn, back: hinten}
phases: {deal: Geben, tricks: Stiche}
outcomes: {played: gespielt}
"""


def test_cards_have_names_in_other_languages(game: Path) -> None:
    (game / "text.de.yaml").write_text(GERMAN, encoding="utf-8")
    assert problems(game) == []
    made = compile_game(read_game(game, Report()))
    assert made is not None
    assert made.words["de"].cards == ("Fuchs", "Elch", "Kleine Eule", "Biene")
    assert made.words["de"].faces == ("1♣♥", "Z♣", "1♥", "Z♥♣")
    assert made.words["en"].cards == ("fox", "elk", "owl", "bee")
    hand = load_engine(made).Hand(2, seed=1)
    for written in ("owl", "kleine eule", "1H", "1♥"):
        assert hand.table.number("card", written) == 2
    assert hand.table.number("card", "ZHC") == hand.table.number("card", "2♥♣") == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("owl: Kleine  Eule, ", "", "cards.owl: there is no word for 'owl' [missing-text]"),
        ("owl:", "oul:", "cards.owl: there is no word for 'owl' [missing-text]"),
        ("owl:", "yak: Yak, owl:", "cards.yak: the game has no 'yak' among its cards"),
        ("Biene", "elch", "cards.bee: 'elch' is a name for cards.elk already [not-unique]"),
        ("Biene", "Owl", "cards.bee: 'Owl' is a name for cards.owl already [not-unique]"),
        ("Biene", "1♥", "cards.bee: '1♥' is a name for cards.owl already [not-unique]"),
    ],
)
def test_a_problem_with_the_name_of_a_card(game: Path, old: str, new: str, said: str) -> None:
    (game / "text.de.yaml").write_text(GERMAN.replace(old, new), encoding="utf-8")
    lines = [line for line in problems(game) if "text.de.yaml:4:" in line]
    assert [said in line for line in lines].count(True) == 1


def test_a_game_outside_finds_the_decks_of_the_project(game: Path, tmp_path: Path) -> None:
    far = tmp_path / "elsewhere" / "mini"
    shutil.copytree(game, far)
    assert problems(far) == []


def test_decks_are_checked_by_the_schema_of_games() -> None:
    of_game, of_deck = schema("game")["properties"]["cards"]["properties"], schema("deck")
    for part, shape in of_deck["properties"].items():
        if part not in ("deck", "title"):
            assert shape == of_game[part]
    for name, shape in of_deck["$defs"].items():
        assert shape == schema("game")["$defs"][name]


def test_the_rules_change_when_their_deck_does(game: Path) -> None:
    def digest() -> str:
        files = read_game(game, Report())
        assert files is not None
        made = compile_game(files)
        assert made is not None
        return next(line for line in made.engine.splitlines() if "digest=" in line)

    before = digest()
    path = game.parent.parent / "decks" / "tiny.yaml"
    path.write_text(DECK.replace("fox", "cow"), encoding="utf-8")
    assert digest() != before


def test_every_deck_that_comes_with_the_project_is_used_by_a_game() -> None:
    found = sorted((home() / "spec" / "decks").glob("*.yaml"))
    used = {deck_named(read(game).rules) for game in games()}
    assert found and {path.stem for path in found} == used - {""}


def test_the_decktet_has_each_rank_and_each_pair_of_a_rank_as_its_suits_allow() -> None:
    deck = compiled("chicane").game.deck
    assert len(deck) == 36 and deck.sides == 2
    for rank, name in enumerate(deck.ranks):
        suits = [suit for card in deck.cards if card.rank == rank for suit in card.suits]
        assert sorted(suits) == list(range(6)), f"rank {name} has every suit once"


@pytest.mark.parametrize("key", ["suits", "ranks"])
def test_a_variant_cannot_take_from_a_deck_what_there_is_no_deck_without(
    game: Path, key: str
) -> None:
    variants = game / "variants"
    variants.mkdir()
    text = f"variant: none\nof: mini\ntitle: {{en: None}}\nsource: {{book: All}}\nwhy: A slip.\nremove: [cards.{key}]\n"
    (variants / "none.yaml").write_text(text, encoding="utf-8")
    report = Report()
    files = read_game(game, report)
    assert files is not None
    assert compile_game(files, ("none",), report=report) is None
    assert [problem.render() for problem in report.problems] == [
        f"spec/games/mini/rules.yaml:5:8: cards: missing key '{key}' [missing-key]\n"
        f"    the deck has no {key} without it"
    ]


ASKED = "two cards may be equal, but nothing says which of them wins"
IDLE = "no two cards are equal, so a change of this changes nothing"


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("", False),  # on the front, no suit has two cards of a rank
        ("suit_of_card: back", True),  # fox and owl are both 1♥ there
        ("suit_of_card: front if hand_number == 1 else back", True),
        ("suit_of_card: front if hand_number == 1 else front", False),
        ("trumps: [hearts]", False),
        ("trumps: [rank_2]", True),
        ("trumps: [clubs | hearts]", True),
    ],
)
def test_equal_cards_are_asked_for_where_the_side_that_counts_has_some(
    game: Path, change: str, asked: bool
) -> None:
    key = change.partition(":")[0]
    before = {"suit_of_card": "suit_of_card: front", "trumps": "trumps: []"}.get(key, "game: mini")
    for rules in (RULES, EQUAL):
        changed = rules.replace(before, change or before)
        (game / "rules.yaml").write_text(changed, encoding="utf-8")
        said = " ".join(problems(game))
        assert (ASKED in said) == (asked and rules is RULES)
        assert (IDLE in said) == (not asked and rules is EQUAL)


def test_a_rank_with_one_card_has_no_equal_ones(game: Path) -> None:
    deck = DECK.replace("  owl: [1, hearts]\n", "")
    (game.parent.parent / "decks" / "tiny.yaml").write_text(deck, encoding="utf-8")
    for rank, asked in ((1, False), (2, True)):
        rules = RULES.replace("trumps: []", f"trumps: [rank_{rank}]")
        rules = rules.replace("cards: all}", "cards: all, left_over: set-aside}")
        (game / "rules.yaml").write_text(rules, encoding="utf-8")
        assert (ASKED in " ".join(problems(game))) == asked


def test_sides_are_no_suits_and_nothing_to_name(game: Path) -> None:
    die = "  die: {kind: chance, source: {book: All}, names: rolled, of: [front, back]}\n  tricks:"
    (game / "rules.yaml").write_text(RULES.replace("  tricks:", die), encoding="utf-8")
    assert "there is no suit or rank 'front'" in problems(game)[0]
    die = die.replace("front, back", "clubs, rank_1")
    table = "tables: {step: {source: {book: All}, suit: 1, rank: 2, clubs: 3}}\nscoring:"
    rules = RULES.replace("  tricks:", die).replace("scoring:", table)
    rules = rules.replace("points: tricks_won(player)", "points: 'step[rolled]'")
    (game / "rules.yaml").write_text(rules, encoding="utf-8")
    assert problems(game) == []
