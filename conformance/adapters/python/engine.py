"""Part of Chief and Vice, written from the rulebook alone: following, winning tricks, and scoring a hand."""

SUITS = "♣♦♥♠"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_NAMES = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
NUMBERS = ("Twos", "Threes", "Fours", "Fives", "Sixes", "Sevens", "Eights", "Nines", "Tens")
RANK_NAMES = dict(zip((*NUMBERS, "Jacks", "Queens", "Kings", "Aces"), RANKS, strict=True))
NOT_IN_PLAY = {4: set(), 5: {"2♣", "2♠"}, 6: {"2♣", "2♦", "2♥", "2♠"}}
GOALS = {
    4: (28, 2, 13),
    5: (21, 3, 10),
    6: (16, 4, 8),
}  # before the first card, each card, most cards
EXTRA_CARDS = {"suit": 0, "rank": 2, "none": 3}


class Impossible(Exception):
    """A position or an action that cannot be."""


def points(card):
    return {"A": 0, "J": 2, "Q": 2, "K": 2}.get(card[:-1], 1)


def kind_of_trump(name):
    if name in SUIT_NAMES:
        return "suit"
    return "rank" if name in RANK_NAMES else "none"


class Trumps:
    """The two kinds of trumps of a hand."""

    def __init__(self, chief, vice):
        for name in (chief, vice):
            if name not in (None, "no trumps", *SUIT_NAMES, *RANK_NAMES):
                raise Impossible(f"'{name}' cannot be trumps")
        self.chief, self.vice = chief, vice

    @staticmethod
    def belongs(card, name):
        return card[-1] == SUIT_NAMES.get(name) or card[:-1] == RANK_NAMES.get(name)

    def level(self, card):
        """3 for a double trump, 2 for the Chief's, 1 for the Vice's, 0 for a plain card."""
        return 2 * self.belongs(card, self.chief) + self.belongs(card, self.vice)

    def led(self, card):
        """What must be followed when the card is led."""
        return "trumps" if self.level(card) else card[-1]

    def strength(self, card):
        return self.level(card), RANKS.index(card[:-1])

    def winner(self, trick):
        """The place of the card that wins: among equal cards the first."""
        wanted = self.led(trick[0])
        able = [n for n, card in enumerate(trick) if self.led(card) in (wanted, "trumps")]
        return max(able, key=lambda n: (self.strength(trick[n]), -n))

    def order(self, players):
        """All trumps in groups of equal ones, highest first."""
        deck = [rank + suit for rank in RANKS for suit in SUITS]
        groups = {}
        for card in deck:
            if self.level(card) and card not in NOT_IN_PLAY[players]:
                groups.setdefault(self.strength(card), []).append(card)
        return [groups[strength] for strength in sorted(groups, reverse=True)]


def goal(players, cards):
    base, step, _ = GOALS[players]
    return base + step * cards


def score_values(players, bid, chief_trump, taken):
    """The numbers that a hand's scoring needs."""
    reached = max(
        (n for n in range(1, GOALS[players][2] + 1) if goal(players, n) <= taken), default=0
    )
    paid = bid + EXTRA_CARDS[kind_of_trump(chief_trump)]
    return {
        "goal": goal(players, bid),
        "taken": taken,
        "shortfall": max(0, bid - reached),
        "paid_cards": paid,
        "bonus": min(100, 10 * paid),
    }


class Tricks:
    """A hand from the first trick on."""

    def __init__(self, given):
        self.players = list(given["players"])
        if len(set(self.players)) != len(self.players) or len(self.players) not in GOALS:
            raise Impossible("four, five or six players with different names are needed")
        self.hands = {name: list(given.get("hands", {}).get(name, ())) for name in self.players}
        self._check_cards(given)
        self.chief, self.partner = self._player(given["chief"]), self._player(given["partner"])
        trumps = given.get("trumps", {})
        self.trumps = Trumps(trumps.get("chief"), trumps.get("vice"))
        laid = {name: len(cards) for name, cards in given.get("laid_out", {}).items()}
        self.bids = {name: given.get("bids", laid).get(name, 0) for name in self.players}
        self.points = {name: given.get("card_points", {}).get(name, 0) for name in self.players}
        self.won = {name: given.get("tricks_won", {}).get(name, 0) for name in self.players}
        self.turn = self._player(given.get("to_move", self.chief))
        self.table = []
        self.last = None

    def _player(self, name):
        if name not in self.players:
            raise Impossible(f"there is no player '{name}'")
        return name

    def _check_cards(self, given):
        for name in given.get("hands", {}):
            self._player(name)
        seen = set()
        for card in (card for hand in self.hands.values() for card in hand):
            if card[:-1] not in RANKS or card[-1] not in SUITS:
                raise Impossible(f"there is no card {card}")
            if card in NOT_IN_PLAY[len(self.players)] or card in seen:
                raise Impossible(f"{card} cannot be there")
            seen.add(card)

    @property
    def over(self):
        return not self.table and not any(self.hands.values())

    def legal(self, player):
        if self._player(player) != self.turn or self.over:
            return []
        hand = self.hands[player]
        if self.table:
            wanted = self.trumps.led(self.table[0][1])
            following = [card for card in hand if self.trumps.led(card) == wanted]
            return following or list(hand)
        return list(hand)

    def refusal(self, player, verb, card):
        """The clause that forbids an action; None if it is legal."""
        self._player(player)
        if self.over:
            return "turn.over"
        if player != self.turn:
            return "turn.not-yours"
        if verb != "plays":
            return "turn.not-now"
        if card not in self.hands[player]:
            return "tricks.own-card"
        if card not in self.legal(player):
            trump = self.trumps.led(self.table[0][1]) == "trumps"
            return "tricks.follow-trump" if trump else "tricks.follow"
        return None

    def play(self, player, card):
        self.hands[player].remove(card)
        self.table.append((player, card))
        self.turn = self.players[(self.players.index(player) + 1) % len(self.players)]
        if len(self.table) == len(self.players):
            cards = [played for _, played in self.table]
            winner = self.table[self.trumps.winner(cards)][0]
            self.points[winner] += sum(map(points, cards))
            self.won[winner] += 1
            self.last = {"winner": winner, "cards": cards}
            self.table, self.turn = [], winner

    def values(self):
        taken = self.points[self.chief] + self.points[self.partner]
        return score_values(len(self.players), self.bids[self.chief], self.trumps.chief, taken)

    def scores(self):
        values, scores = self.values(), dict(self.points)
        team = {self.chief, self.partner}
        if values["taken"] >= values["goal"]:
            for name in team:
                scores[name] += values["bonus"]
        else:
            scores[self.chief] -= 10 * values["shortfall"]
            for name in set(self.players) - team:
                scores[name] += 5 * values["shortfall"]
        return scores
