"""Decks of their own: games that name one have its cards, and problems in it stand in its file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import compiled, read
from trickwright import Report, compile_game, read_game
from trickwright.decks import deck_named
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


def test_single_values_change_the_cards_of_a_deck(game: Path) -> None:
    assert names(game, "cards.named.fox=[2, hearts]") == ["elk", "owl", "fox", "bee"]
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
