"""Mü's engine against the rules read naively: cards are texts, scores and winners are worked out from the transcript."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from conftest import engine
from trickwright_tools.styles import steady

NUMBERS = ["Zeros", "Ones", "Twos", "Threes", "Fours", "Fives", "Sixes", "Sevens", "Eights", "Nines"]  # fmt: skip
COLOURS = {"red": "🔴", "yellow": "🟡", "green": "🟢", "blue": "🔵", "black": "⚫"}
GOALS = {3: (10, 2), 4: (28, 2), 5: (21, 3), 6: (16, 4)}


def number(card: str) -> int:
    return int(card[0])


def is_of(card: str, trump: str) -> bool:
    return card[1] == COLOURS[trump] if trump in COLOURS else NUMBERS.index(trump) == number(card)


class Trumps:
    """What was named, the Chief's first."""

    def __init__(self, chief: str, vice: str | None) -> None:
        self.chief, self.vice = chief, vice

    def level(self, card: str) -> int:
        """3 for both, 2 for the Chief's, 1 for the Vice's, 0 for no trump."""
        over = self.chief != "no trumps" and is_of(card, self.chief)
        return 2 * over + (self.vice is not None and is_of(card, self.vice))

    def follows(self, card: str, led: str) -> bool:
        if self.level(led):
            return self.level(card) > 0
        return not self.level(card) and card[1] == led[1]

    def winner(self, cards: list[str]) -> int:
        """Place of the winning card; of equals the first."""
        worth = [
            (self.level(card), number(card)) if self.follows(card, cards[0]) or self.level(card) else (-1, 0)
            for card in cards
        ]  # fmt: skip
        return worth.index(max(worth))


def play(players: int, seed: int, variants: tuple[str, ...] = ()) -> str:
    """Play a hand step by step, steadily; every trick, role and score is worked out again. Gives its outcome."""
    made = engine("mue", variants)
    hand = made.Hand(players, seed=seed, dealer=seed % players)
    names, facts = hand.players, hand.table.say(hand.facts())
    held = {name: list(cards) for name, cards in facts["hands"].items()}
    dealt = Counter(card for cards in held.values() for card in cards)
    kinds = 5 if players > 3 else 3
    assert len(dealt) == 10 * kinds and sum(dealt.values()) == 12 * kinds
    laid: dict[str, list[str]] = {name: [] for name in names}
    order: list[str] = []
    limit, first = 1, True
    trumps: Trumps | None = None
    named: list[str] = []
    trick: list[tuple[str, str]] = []
    won = dict.fromkeys(names, 0)
    chief = vice = partner = None
    random = made.stream(99, seed)
    while not hand.over:
        phase, player = hand.phase, hand.to_move
        assert player is not None
        offered = [str(action) for action in hand.legal_actions()]
        assert len(set(offered)) == len(offered), "no two choices look alike"
        if phase == "auction" and first:
            limit, first = max(map(len, laid.values())) + 1, False
        if phase == "trumps" and chief is None:
            chief, vice = roles(laid, order, players, variants)
            assert (chief, vice) == tuple(said(hand, key) for key in ("chief", "vice"))
        if phase == "tricks":
            if trumps is None:
                trumps = Trumps(named[-1], named[0] if len(named) > 1 else None)
                assert player == chief and (vice is None) == (len(named) == 1)
            hold = held[player]
            able = [card for card in hold if trick and trumps.follows(card, trick[0][1])] or hold
            assert {action.removeprefix("play ") for action in offered} == set(able)
        place = next(one for one in hand.rules.phases if one.id == phase)
        local = steady(hand.rules, place, random, place.legal(hand.state))
        action = hand.action(place.first_number + local)
        hand.apply(action)
        if action.verb == "lay":
            laid[player].append(action.what)
            assert len(laid[player]) <= limit and not Counter(laid[player]) - Counter(held[player])
            order = [*(name for name in order if name != player), player]
        elif action.verb == "pass":
            first = True
        elif action.verb == "name":
            own = laid[player]
            assert action.what == "no trumps" or any(is_of(card, action.what) for card in own)
            assert action.what not in named and (action.what != "no trumps" or player == chief)
            named.append(action.what)
        elif action.verb == "choose":
            partner = action.what
            assert players > 3 and partner not in (chief, vice)
        else:
            assert trumps is not None
            held[player].remove(action.what)
            trick.append((player, action.what))
            if len(trick) == players:
                taker = trick[trumps.winner([card for _, card in trick])][0]
                won[taker] += sum(
                    {0: 1, 1: 0, 9: 0, 6: 2, 7: 2}.get(number(c), 1) for _, c in trick
                )
                assert hand.over or hand.to_move == taker
                trick = []
    assert hand.scores == scores(str(hand.outcome), laid, order, (chief, partner), named, won)
    return str(hand.outcome)


def said(hand: Any, key: str) -> str | None:
    name = hand.table.say(hand.facts())[key]
    return None if name == "nobody" else str(name)


def roles(
    laid: dict[str, list[str]], order: list[str], players: int, variants: tuple[str, ...]
) -> tuple[str | None, str | None]:
    """Chief and Vice after an auction that is no stalemate."""
    most = max(map(len, laid.values()))
    chief = next(name for name in order if len(laid[name]) == most)
    rest = {name: sorted(map(number, laid[name]), reverse=True) for name in order if name != chief}
    if not rest or players == 3:
        return chief, None
    most = max(map(len, rest.values()))
    rest = {name: cards for name, cards in rest.items() if len(cards) == most}
    if "no-stalemate" in variants:
        return chief, next(iter(rest))
    best = [name for name, cards in rest.items() if cards == max(rest.values())]
    return chief, best[0] if len(best) == 1 else None


def scores(
    outcome: str,
    laid: dict[str, list[str]],
    order: list[str],
    team: tuple[str | None, str | None],
    named: list[str],
    won: dict[str, int],
) -> dict[str, int]:
    """What a hand gives each player."""
    most = max(map(len, laid.values()))
    if outcome == "nobody-bid":
        assert most == 0
        return dict.fromkeys(laid, 0)
    if outcome == "stalemate":
        tied = [name for name in order if len(laid[name]) == most]
        assert len(tied) > 1
        return {n: 0 if n not in tied else -10 * most if n == tied[-1] else 5 * most for n in laid}
    chief, partner = team
    assert chief is not None
    first, step = GOALS[len(laid)]
    taken = won[chief] + (won[partner] if partner else 0)
    reached = max(0, (taken - first) // step)
    trump = named[-1]
    more = (
        3 if trump == "no trumps" else 0 if trump in COLOURS else 2 - (trump in ("Ones", "Sevens"))
    )
    found = dict(won)
    for name in laid:
        if taken >= first + step * most:
            found[name] += min(100, 10 * (most + more)) if name in team else 0
        elif name == chief:
            found[name] -= 10 * (most - reached)
        elif name != partner:
            found[name] += 5 * (most - reached)
    return found


@pytest.mark.parametrize("variants", [(), ("no-stalemate",)])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_engine_plays_as_the_rules_read_naively(
    players: int, variants: tuple[str, ...]
) -> None:
    ends = Counter(play(players, seed, variants) for seed in range(80))
    assert ends["played"] > 15
    assert (ends["stalemate"] > 0) != ("no-stalemate" in variants)


def test_with_six_the_dealer_sits_out_of_a_match() -> None:
    made = engine("mue", ("dealer-sits-out",))
    match = made.Match(6, seed=4)
    names = match.players
    for number in range(7):
        if match.hand.over:
            match.totals = dict.fromkeys(match.totals, 0)
            match.deal()
        dealer = names[number % 6]
        before = dict(match.totals)
        assert match.sits_out == dealer
        assert match.hand.players == tuple(name for name in names if name != dealer)
        assert match.hand.to_move == names[(number + 1) % 6]
        assert all(
            len(cards) == 12 for cards in match.hand.table.say(match.hand.facts())["hands"].values()
        )
        match.play_randomly(made.stream(3, number), hands=1)
        assert match.score_pad[-1][dealer] == 0 and match.totals[dealer] == before[dealer]
    assert any(any(row.values()) for row in match.score_pad)


@pytest.mark.parametrize(
    ("sits_out", "hands", "out"),
    [
        ("{4: dealer}", (3, 5, 6), {4: 3}),
        ("{5: dealer}", (3, 4, 6), {5: 4}),
        ("{4: dealer, 6: dealer}", (3, 5), {4: 3, 6: 5}),
    ],
)
def test_the_dealer_may_sit_out_of_any_number_between(
    sits_out: str, hands: tuple[int, ...], out: dict[int, int]
) -> None:
    """The engine's tables keep the row of each number, and matches of all numbers are played."""
    made, base = engine("mue", (), (f"match.sits_out={sits_out}",)), engine("mue")
    assert made.RULES.players == hands
    for count in range(3, 7):
        match = made.Match(count, seed=count)
        playing = out.get(count, count)
        assert len(match.hand.players) == playing
        assert (match.sits_out is None) == (playing == count)
        of_base = base.Hand(playing, seed=count)
        assert match.hand.facts()["deck"] == of_base.facts()["deck"]
        match.play_randomly(made.stream(1, count), hands=2)
        assert len(match.score_pad) == 2
        played = base.Match(playing, seed=count)
        played.play_randomly(base.stream(1, count), hands=1)
        if playing == count:
            assert match.score_pad[0] == played.score_pad[0]
    for count in out:
        with pytest.raises(ValueError, match=f"not {count}"):
            made.Hand(count)


def test_a_match_of_which_one_sits_out_is_saved_and_replayed() -> None:
    made = engine("mue", ("dealer-sits-out", "to-1000"))
    match = made.Match(["Ida", "Jan", "Kim", "Lea", "Max", "Nora"], seed=8)
    match.play_randomly(made.stream(2, 2), hands=8)
    again = made.Match.from_json(match.to_json())
    assert again.totals == match.totals and again.score_pad == match.score_pad
    assert again.sits_out == match.sits_out == "Kim"


def test_no_hand_is_for_the_one_who_sits_out() -> None:
    made = engine("mue", ("dealer-sits-out",))
    with pytest.raises(ValueError, match="mue is for 3, 4, 5 players, not 6"):
        made.Hand(6)
    with pytest.raises(ValueError, match="mue is for 3, 4, 5, 6 players, not 7"):
        made.Match(7)
    assert engine("mue").Hand(6).players == made.Match(6).players


@pytest.mark.parametrize(
    ("players", "roles", "said"),
    [
        (3, {"partner": "Carla"}, "with 3 players nobody is 'partner'"),
        (3, {"vice": "Carla"}, "with 3 players nobody is 'vice'"),
        (4, {"vice": "Ben"}, "a position at 'tricks' must say who is 'partner'"),
    ],
)
def test_positions_know_with_how_many_players_there_is_a_role(
    players: int, roles: dict[str, str], said: str
) -> None:
    names = ["Anna", "Ben", "Carla", "Dan"][:players]
    hands = {name: [card] for name, card in zip(names, ("9R", "8R", "6R", "5R"), strict=False)}
    given = {"at": "tricks", "players": names, "chief": "Anna", "hands": hands}
    given |= {"bids": {"Anna": 1}, "trumps": {"chief": "red"}}
    made = engine("mue")
    with pytest.raises(ValueError, match=said):
        made.Hand.from_position(given | roles)
    assert made.Hand.from_position(given | ({} if players == 3 else {"partner": "Dan"})).to_move


def test_two_identical_cards_are_a_raise_where_a_bid_must_raise() -> None:
    module = engine("mue", (), ("phases.auction.must_raise=true",))
    hand = module.Hand.from_position(
        {
            "players": ["Anna", "Ben", "Carla", "Dan"],
            "at": "auction",
            "hands": {"Anna": ["9R", "8R"], "Ben": ["1K", "1K"], "Carla": [], "Dan": []},
            "laid_out": {"Anna": ["9R"]},
            "bids": {"Anna": 1},
            "to_move": "Ben",
        }
    )
    assert [action.what or action.verb for action in hand.legal_actions()] == ["1⚫", "pass"]
    for action in hand.turn(["1K", "1K"]):
        hand.apply(action)
    assert hand.facts()["bids"]["Ben"] == 2


def test_who_chooses_is_not_counted_among_those_who_may_not_be_chosen() -> None:
    """With four players and the Vice and the dealer barred, the Chief has one left, listed or not."""
    names = "phases.partner.except=[vice, dealer, chief]"
    hand = engine("mue", (), (names,)).Hand.from_position(
        {
            "at": "partner",
            "players": ["Anna", "Ben", "Carla", "Dan"],
            "dealer": "Anna",
            "chief": "Ben",
            "vice": "Carla",
            "trumps": {"chief": "red", "vice": "green"},
        }
    )
    assert [action.what for action in hand.legal_actions()] == ["Dan"]


def test_the_numbers_of_players_are_told_in_order() -> None:
    made = engine("mue", ("dealer-sits-out",))
    assert made.RULES.players == (3, 4, 5) and made.RULES.table_sizes == (3, 4, 5, 6)
    middle = engine("mue", (), ("match.sits_out={4: dealer}",))
    assert middle.RULES.table_sizes == (3, 4, 5, 6)
