"""Chief and Vice once more, naively, straight from the rulebook: cards are texts, nothing is shared with the generator.

Only for tests: :func:`play` drives a hand of an engine by random choices and holds every step of it against these rules.
"""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
PLURALS = [
    "Twos",
    "Threes",
    "Fours",
    "Fives",
    "Sixes",
    "Sevens",
    "Eights",
    "Nines",
    "Tens",
    "Jacks",
    "Queens",
    "Kings",
    "Aces",
]
NAMES = ["Anna", "Ben", "Carla", "Dan", "Eva", "Finn"]
GOALS = {4: (28, 2), 5: (21, 3), 6: (16, 4)}
"""Team goal for n cards: first number, and what each card adds."""
OUT = {4: set(), 5: {"2♣", "2♠"}, 6: {"2♣", "2♦", "2♥", "2♠"}}


def rank(card: str) -> int:
    return RANKS.index(card[:-1])


def points(card: str) -> int:
    return {"A": 0, "K": 2, "Q": 2, "J": 2}.get(card[:-1], 1)


def is_of(card: str, trump: str | None) -> bool:
    """Whether a card belongs to a suit or rank that was named."""
    if trump in SUITS:
        return card[-1] == SUITS[trump]
    return trump in PLURALS and rank(card) == PLURALS.index(trump)


class Table:
    """The trumps of a hand: what the Chief and the Vice named."""

    def __init__(self, chief: str | None, vice: str | None) -> None:
        self.chief, self.vice = chief, vice

    def level(self, card: str) -> int:
        """3 for a double trump, 2 for the Chief's, 1 for the Vice's, 0 for none."""
        return 2 * is_of(card, self.chief) + is_of(card, self.vice)

    def follows(self, card: str, led: str) -> bool:
        if self.level(led):
            return self.level(card) > 0
        return self.level(card) == 0 and card[-1] == led[-1]

    def may_play(self, hand: set[str], led: str | None) -> set[str]:
        following = {card for card in hand if led is not None and self.follows(card, led)}
        return following or set(hand)

    def winner(self, trick: list[str]) -> int:
        """Place of the winning card; of equal cards the first."""
        best = 0
        for place, card in enumerate(trick):
            standing = (self.level(card), rank(card))
            best_standing = (self.level(trick[best]), rank(trick[best]))
            if (self.level(card) or self.follows(card, trick[0])) and standing > best_standing:
                best = place
        return best

    def order(self, cards: set[str]) -> list[set[str]]:
        """Groups of equal trumps from the top."""
        groups: dict[tuple[int, int], set[str]] = {}
        for card in cards:
            if self.level(card):
                groups.setdefault((self.level(card), rank(card)), set()).add(card)
        return [groups[key] for key in sorted(groups, reverse=True)]


def auction(hand: Any, made: ModuleType, random: Random, eager: float) -> tuple[Any, Any]:
    """Bid at random; gives what each has laid out, and the turn of each player's last laying."""
    names = hand.players
    hands = {name: set(cards) for name, cards in hand.table.say(hand.facts())["hands"].items()}
    laid: dict[str, list[str]] = {name: [] for name in names}
    latest: dict[str, int] = {}
    place, passes, turn = hand.state[made.DEALER], 0, 0
    while passes < len(names):
        name = names[place]
        assert (hand.phase, hand.to_move) == ("auction", name)
        limit = max(map(len, laid.values())) + 1 - len(laid[name])
        free = sorted(hands[name] - set(laid[name]))
        offered = {str(action) for action in hand.legal_actions()}
        assert offered == {"pass"} | ({f"lay {card}" for card in free} if limit > 0 else set())
        if len(free) > limit:
            before = list(hand.state)
            refusal = refused(hand, hand.turn(random.sample(free, limit + 1)))
            assert refusal == "auction.one-card" and hand.state == before
        most = min(limit, len(free))
        if most > 0 and random.random() < eager:
            cards = random.sample(free, random.randint(1, most))
            hand.apply(hand.turn(cards), name)
            laid[name] += cards
            turn += 1
            latest[name] = turn
            passes = 0
        else:
            hand.apply(made.Pass(), name)
            passes += 1
        place = (place + 1) % len(names)
    return laid, latest


def refused(hand: Any, actions: Any) -> str:
    """The clause by which actions are refused; empty if they are not."""
    try:
        hand.clone().apply(actions)
    except ValueError as error:
        return str(error.refusal.clause)  # type: ignore[attr-defined]
    return ""


def second(laid: Any, latest: Any, chief: str, first_to_reach: bool) -> str | None:
    """The Vice: next in number; a tie goes by the cards, or to who was first."""
    others = [name for name in laid if name != chief and laid[name]]
    most = max((len(laid[name]) for name in others), default=0)
    tied = [name for name in others if len(laid[name]) == most]
    if not tied:
        return None
    if first_to_reach:
        return min(tied, key=lambda name: int(latest[name]))
    shown = {name: sorted(map(rank, laid[name]), reverse=True) for name in tied}
    best = [name for name in tied if shown[name] == max(shown.values())]
    return best[0] if len(best) == 1 else None


def play(made: ModuleType, players: int, seed: int, first_to_reach: bool) -> str:
    """Play a hand at random against these rules; gives how it ended. AssertionError if the engine differs."""
    random = Random(seed * 10 + players)
    names = NAMES[:players]
    hand = made.Hand(names, dealer=random.randrange(players), seed=seed)
    hands = {name: set(cards) for name, cards in hand.table.say(hand.facts())["hands"].items()}
    deck = {rank + suit for rank in RANKS for suit in SUITS.values()} - OUT[players]
    assert set().union(*hands.values()) == deck
    assert {len(cards) for cards in hands.values()} == {len(deck) // players}
    laid, latest = auction(hand, made, random, random.choice([0.05, 0.3, 0.6]))
    scores = dict.fromkeys(names, 0)
    most = max(map(len, laid.values()))
    leaders = [name for name in names if len(laid[name]) == most]
    if most == 0:
        assert (hand.outcome, hand.scores) == ("nobody-bid", scores)
        return "nobody-bid"
    if len(leaders) > 1 and not first_to_reach:
        last = max(leaders, key=lambda name: int(latest[name]))
        scores |= {name: -10 * most if name == last else 5 * most for name in leaders}
        assert (hand.outcome, hand.scores) == ("stalemate", scores)
        return "stalemate"
    chief = min(leaders, key=lambda name: int(latest[name]))
    vice = second(laid, latest, chief, first_to_reach)
    facts = hand.table.say(hand.facts())
    assert (facts["chief"], facts["vice"]) == (chief, vice or "nobody")
    table = Table(None, None)
    if vice is not None:
        table.vice = name_trump(hand, made, random, vice, laid[vice], None)
    table.chief = name_trump(hand, made, random, chief, laid[chief], table.vice)
    assert [set(g) for g in hand.table.say(hand.facts())["trump_order"]] == table.order(deck)
    choices = {action.what for action in hand.legal_actions()}
    assert hand.to_move == chief and choices == set(names) - {chief, vice}
    partner = random.choice(sorted(choices))
    hand.apply(made.Choose(partner), chief)
    won = tricks(hand, made, random, hands, chief, table)
    scores = dict(won)
    goal, more = GOALS[players]
    taken, bid = won[chief] + won[partner], len(laid[chief])
    if taken >= goal + more * bid:
        step = 3 if table.chief == "no trumps" else 0 if table.chief in SUITS else 2
        for name in (chief, partner):
            scores[name] += min(100, 10 * (bid + step))
    else:
        short = bid - max(0, (taken - goal) // more)
        for name in names:
            scores[name] += -10 * short if name == chief else 5 * short if name != partner else 0
    assert (hand.outcome, hand.scores) == ("played", scores)
    return "played"


def name_trump(
    hand: Any, made: ModuleType, random: Random, player: str, laid: list[str], other: str | None
) -> str:
    """Name something at random, of what is offered."""
    named = {trump for trump in (*SUITS, *PLURALS) if any(is_of(card, trump) for card in laid)}
    offered = {action.what for action in hand.legal_actions()}
    is_chief = hand.table.say(hand.facts())["chief"] == player
    assert hand.to_move == player
    assert offered == (named - {other}) | ({"no trumps"} if is_chief else set())
    trump = random.choice(sorted(offered))
    hand.apply(made.Name(trump), player)
    return trump


def tricks(
    hand: Any, made: ModuleType, random: Random, hands: Any, leader: str, table: Table
) -> dict[str, int]:
    """Play all tricks at random; gives the card points of each player."""
    names = list(hand.players)
    won = dict.fromkeys(names, 0)
    while hands[leader]:
        trick: list[str] = []
        order = names[names.index(leader) :] + names[: names.index(leader)]
        for name in order:
            may = table.may_play(hands[name], trick[0] if trick else None)
            assert hand.to_move == name
            assert {action.what for action in hand.legal_actions()} == may
            card = random.choice(sorted(may))
            hand.apply(made.Play(card), name)
            hands[name].remove(card)
            trick.append(card)
        leader = order[table.winner(trick)]
        won[leader] += sum(map(points, trick))
        facts = hand.table.say(hand.facts())
        assert facts["trick"] == {"winner": leader, "cards": trick}
        assert facts["card_points"] == won
    return won
