// Part of Chief and Vice, written from the rulebook alone: following, winning tricks, and scoring a hand.

const LOW_TO_HIGH = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SYMBOLS = new Map([["clubs", "♣"], ["diamonds", "♦"], ["hearts", "♥"], ["spades", "♠"]]);
const RANK_NAMES = ["Twos", "Threes", "Fours", "Fives", "Sixes", "Sevens", "Eights", "Nines", "Tens", "Jacks", "Queens",
  "Kings", "Aces"];
const TEAM_GOALS = {
  4: [30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54],
  5: [24, 27, 30, 33, 36, 39, 42, 45, 48, 51],
  6: [20, 24, 28, 32, 36, 40, 44, 48],
};

/** A position or an action that cannot be. */
export class Impossible extends Error {}

function parseCard(text) {
  const suit = text.slice(-1);
  const rank = LOW_TO_HIGH.indexOf(text.slice(0, -1));
  if (rank < 0 || ![...SYMBOLS.values()].includes(suit)) {
    throw new Impossible(`there is no card ${text}`);
  }
  return { text, suit, rank };
}

function takenOut(card, players) {
  return card.rank === 0 && (players === 6 || (players === 5 && "♣♠".includes(card.suit)));
}

function cardPoints(card) {
  const letter = LOW_TO_HIGH[card.rank];
  if (letter === "A") return 0;
  return "JQK".includes(letter) ? 2 : 1;
}

/** What a trump's name stands for: a suit, a rank, or nothing. */
function parseTrump(name) {
  if (name === undefined || name === null || name === "no trumps") return { kind: "none" };
  if (SYMBOLS.has(name)) return { kind: "suit", suit: SYMBOLS.get(name) };
  const rank = RANK_NAMES.indexOf(name);
  if (rank < 0) throw new Impossible(`'${name}' cannot be trumps`);
  return { kind: "rank", rank };
}

const isTrump = (card, trump) =>
  trump.kind === "suit" ? card.suit === trump.suit : trump.kind === "rank" && card.rank === trump.rank;

/** Follows a hand from the first trick to the score. */
export class TrickTaking {
  #players;
  #hands = new Map();
  #chief;
  #partner;
  #trumps;
  #bids;
  #points;
  #tricksWon;
  #turn;
  #trick = [];
  #finished = null;

  constructor(given) {
    this.#players = given.players;
    const count = this.#players.length;
    if (!(count in TEAM_GOALS) || new Set(this.#players).size !== count) {
      throw new Impossible("four, five or six players with different names are needed");
    }
    const seen = new Set();
    for (const name of Object.keys(given.hands ?? {})) this.#seat(name);
    for (const name of this.#players) {
      const hand = (given.hands?.[name] ?? []).map(parseCard);
      for (const card of hand) {
        if (seen.has(card.text) || takenOut(card, count)) {
          throw new Impossible(`${card.text} cannot be there`);
        }
        seen.add(card.text);
      }
      this.#hands.set(name, hand);
    }
    this.#chief = this.#players[this.#seat(given.chief)];
    this.#partner = this.#players[this.#seat(given.partner)];
    this.#trumps = { chief: parseTrump(given.trumps?.chief), vice: parseTrump(given.trumps?.vice) };
    const laid = Object.entries(given.laid_out ?? {}).map(([name, cards]) => [name, cards.length]);
    this.#bids = this.#perPlayer(given.bids ?? Object.fromEntries(laid));
    this.#points = this.#perPlayer(given.card_points);
    this.#tricksWon = this.#perPlayer(given.tricks_won);
    this.#turn = this.#seat(given.to_move ?? this.#chief);
  }

  #seat(name) {
    const seat = this.#players.indexOf(name);
    if (seat < 0) throw new Impossible(`there is no player '${name}'`);
    return seat;
  }

  #perPlayer(numbers = {}) {
    return Object.fromEntries(this.#players.map((name) => [name, numbers[name] ?? 0]));
  }

  get over() {
    return this.#trick.length === 0 && [...this.#hands.values()].every((hand) => hand.length === 0);
  }

  /** Which class of trumps a card is in: 0 none, 1 the Vice's, 2 the Chief's, 3 both. */
  #level(card) {
    const chief = isTrump(card, this.#trumps.chief);
    const vice = isTrump(card, this.#trumps.vice);
    if (chief && vice) return 3;
    if (chief) return 2;
    return vice ? 1 : 0;
  }

  #follows(card, led) {
    if (this.#level(led) > 0) return this.#level(card) > 0;
    return this.#level(card) === 0 && card.suit === led.suit;
  }

  #mayPlay(hand) {
    if (this.#trick.length === 0) return hand;
    const following = hand.filter((card) => this.#follows(card, this.#trick[0].card));
    return following.length > 0 ? following : hand;
  }

  /** The cards that a player may play now. */
  legal(name) {
    if (this.over || this.#seat(name) !== this.#turn) return [];
    return this.#mayPlay(this.#hands.get(name)).map((card) => card.text);
  }

  /** Plays a card; gives the clause that forbids it, or null. */
  act(name, verb, text) {
    const seat = this.#seat(name);
    if (this.over) return "turn.over";
    if (seat !== this.#turn) return "turn.not-yours";
    if (verb !== "plays") return "turn.not-now";
    const hand = this.#hands.get(name);
    const card = hand.find((own) => own.text === text);
    if (card === undefined) return "tricks.own-card";
    if (!this.#mayPlay(hand).includes(card)) {
      return this.#level(this.#trick[0].card) > 0 ? "tricks.follow-trump" : "tricks.follow";
    }
    this.#hands.set(name, hand.filter((own) => own !== card));
    this.#trick.push({ name, card });
    this.#turn = (seat + 1) % this.#players.length;
    if (this.#trick.length === this.#players.length) this.#finishTrick();
    return null;
  }

  #beats(card, best) {
    const [own, other] = [this.#level(card), this.#level(best)];
    if (own !== other) return own > other;
    if (own === 0 && card.suit !== best.suit) return false;
    return card.rank > best.rank;
  }

  #finishTrick() {
    let best = this.#trick[0];
    for (const played of this.#trick) if (this.#beats(played.card, best.card)) best = played;
    for (const { card } of this.#trick) this.#points[best.name] += cardPoints(card);
    this.#tricksWon[best.name] += 1;
    this.#finished = { winner: best.name, cards: this.#trick.map(({ card }) => card.text) };
    this.#trick = [];
    this.#turn = this.#seat(best.name);
  }

  #values() {
    const goals = TEAM_GOALS[this.#players.length];
    const bid = this.#bids[this.#chief];
    const taken = this.#points[this.#chief] + this.#points[this.#partner];
    const reached = goals.filter((goal) => goal <= taken).length;
    const paid = bid + { suit: 0, rank: 2, none: 3 }[this.#trumps.chief.kind];
    return {
      goal: goals[bid - 1] ?? null,
      taken,
      shortfall: Math.max(0, bid - reached),
      paid_cards: paid,
      bonus: Math.min(100, 10 * paid),
    };
  }

  #scores() {
    const { goal, taken, shortfall, bonus } = this.#values();
    const scores = { ...this.#points };
    for (const name of this.#players) {
      const inTeam = name === this.#chief || name === this.#partner;
      if (taken >= goal) scores[name] += inTeam ? bonus : 0;
      else if (!inTeam) scores[name] += 5 * shortfall;
    }
    if (taken < goal) scores[this.#chief] -= 10 * shortfall;
    return scores;
  }

  /** What is so now, by the names that cases use. */
  static facts = {
    phase: (hand) => (hand.over ? "over" : "tricks"),
    to_move: (hand) => (hand.over ? "nobody" : hand.#players[hand.#turn]),
    outcome: (hand) => (hand.over ? "played" : null),
    hands: (hand) =>
      Object.fromEntries([...hand.#hands].map(([name, cards]) => [name, cards.map((card) => card.text)])),
    bids: (hand) => hand.#bids,
    trick: (hand) => (hand.#trick.length > 0 ? null : hand.#finished),
    card_points: (hand) => hand.#points,
    tricks_won: (hand) => hand.#tricksWon,
    values: (hand) => (hand.over ? hand.#values() : null),
    scores: (hand) => (hand.over ? hand.#scores() : null),
  };
}
