"""Cases that are wrong, and just what must be told of each."""

from __future__ import annotations

AUCTION = "at: auction, hands: {Anna: [Q♥, J♥], Ben: [A♣, 8♣], Carla: [9♣], Dan: [K♠]}"
TRICKS = (
    "at: tricks, chief: Dan, vice: nobody, partner: Carla, bids: {Dan: 1}, trumps: {chief: spades}, "
    "hands: {Anna: [K♥, 5♣], Ben: [3♥, Q♣], Carla: [9♥, 2♣], Dan: [A♥, 3♣]}"
)
TRICK = "{Dan: A♥}, {Anna: K♥}, {Ben: 3♥}, {Carla: 9♥}"
LAID = "at: trumps, chief: Dan, vice: Anna, laid_out: {Anna: [Q♥], Dan: [K♠]}, hands: {Anna: [Q♥], Dan: [K♠]}"

FAILING: dict[str, tuple[str, str, str, list[str]]] = {
    "another number": (
        AUCTION,
        "{Anna: Q♥}",
        "bids: {Anna: 2, Ben: 0}",
        ["bids.Anna: 2 | 1"],
    ),
    "another word": (
        AUCTION,
        "",
        "phase: tricks, to_move: Ben",
        ["phase: tricks | auction", "to_move: Ben | Anna"],
    ),
    "another player": (TRICKS, TRICK, "trick: {winner: Anna}", ["trick.winner: Anna | Dan"]),
    "nothing there": (AUCTION, "", "outcome: played", ["outcome: played | nothing"]),
    "no trick yet": (TRICKS, "", "trick: {winner: Anna}", ["trick: winner: Anna | nothing"]),
    "no values yet": (AUCTION, "", "values: {goal: 30}", ["values: goal: 30 | nothing"]),
    "a trick though none is expected": (
        TRICKS,
        TRICK,
        "trick: null",
        ["trick: nothing | winner: Dan, cards: [A♥, K♥, 3♥, 9♥]"],
    ),
    "a card too many": (
        AUCTION,
        "",
        "hands: {Anna: [Q♥, J♥, 2♣]}",
        ["hands.Anna: [Q♥, J♥, 2♣] | [J♥, Q♥]"],
    ),
    "a card too few": (AUCTION, "", "hands: {Anna: [Q♥]}", ["hands.Anna: [Q♥] | [J♥, Q♥]"]),
    "another card": (AUCTION, "", "hands: {Anna: [Q♥, 2♥]}", ["hands.Anna: [Q♥, 2♥] | [J♥, Q♥]"]),
    "one card twice": (AUCTION, "", "hands: {Anna: [Q♥, Q♥]}", ["hands.Anna: [Q♥, Q♥] | [J♥, Q♥]"]),
    "cards of a trick in another order": (
        TRICKS,
        TRICK,
        "trick: {cards: [K♥, A♥, 3♥, 9♥]}",
        ["trick.cards: [K♥, A♥, 3♥, 9♥] | [A♥, K♥, 3♥, 9♥]"],
    ),
    "cards on the table in another order": (
        TRICKS,
        "{Dan: A♥}, {Anna: K♥}",
        "on_table: {cards: [K♥, A♥]}",
        ["on_table.cards: [K♥, A♥] | [A♥, K♥]"],
    ),
    "players in another order": (
        AUCTION,
        "{Anna: Q♥}, {Ben: A♣}",
        "laid_order: [Ben, Anna]",
        ["laid_order: [Ben, Anna] | [Anna, Ben]"],
    ),
    "another rule of the scoring": (
        "at: roles, bids: {Anna: 1, Ben: 1}, laid_order: [Ben, Anna]",
        "",
        "outcome: stalemate, scored_by: [tied]",
        ["scored_by: [tied] | [tied, last]"],
    ),
    "may not what is expected": (
        AUCTION,
        "{Anna: {may: [Q♥, pass], lays: Q♥}}",
        "phase: auction",
        ["play[0] Anna may: [Q♥, pass] | [J♥, Q♥, pass]"],
    ),
    "may more than nothing": (
        AUCTION,
        "{Anna: {may: []}}",
        "phase: auction",
        ["play[0] Anna may: [] | [J♥, Q♥, pass]"],
    ),
    "may what it must not": (
        AUCTION,
        "{Anna: {may_not: [K♠, Q♥, pass]}}",
        "phase: auction",
        [
            "play[0] Anna may not: Q♥ | [J♥, Q♥, pass]",
            "play[0] Anna may not: pass | [J♥, Q♥, pass]",
        ],
    ),
    "another player is asked": (
        AUCTION,
        "{Ben: {may: [A♣]}}",
        "phase: auction",
        ["play[0] Ben may: [A♣] | []"],
    ),
    "refused though it should be allowed": (
        AUCTION,
        "{Anna: [Q♥, J♥]}",
        "bids: {Anna: 0}",
        [
            "play[0] Anna ['Q♥', 'J♥']: allowed | auction.one-card "
            "(the total may be at most 1 above the highest when the turn began)"
        ],
    ),
    "allowed though it should be refused": (
        AUCTION,
        "{Anna: {lays: Q♥, refused: auction.one-card}}",
        "bids: {Anna: 1}",
        ["play[0] Anna Q♥: auction.one-card | allowed"],
    ),
    "refused by another clause": (
        TRICKS,
        "{Dan: A♥}, {Anna: {plays: 5♣, refused: tricks.own-card}}",
        "to_move: Anna",
        [
            "play[1] Anna 5♣: tricks.own-card | tricks.follow (the player holds a card of the led suit)"
        ],
    ),
    "refused in the second line": (
        AUCTION,
        "{Anna: pass}, {Anna: pass}",
        "to_move: Ben",
        ["play[1] Anna pass: allowed | turn.not-yours (it is another player's turn)"],
    ),
    "passing under every verb that goes with it": (
        AUCTION,
        "{Anna: {lays: pass}}, {Ben: {passes: pass}}, {Carla: {does: pass}}",
        "to_move: Anna, bids: {Anna: 0}",
        ["to_move: Anna | Dan"],
    ),
    "a verb of another phase": (
        AUCTION,
        "{Anna: {plays: Q♥}}",
        "to_move: Anna",
        ["play[0] Anna Q♥: allowed | turn.not-now (this is not done in this part of the hand)"],
    ),
    "another group of trumps": (
        LAID,
        "{Anna: Queens}, {Dan: Kings}",
        "trump_order: [[K♠, K♥, K♦], [Q♠, Q♥, Q♦, Q♣]]",
        ["trump_order: [[K♠, K♥, K♦], [Q♠, Q♥, Q♦, Q♣]] | [[K♣, K♦, K♥, K♠], [Q♣, Q♦, Q♥, Q♠]]"],
    ),
    "another order of groups": (
        LAID,
        "{Anna: Queens}, {Dan: Kings}",
        "trump_order: [[Q♠, Q♥, Q♦, Q♣], [K♠, K♥, K♦, K♣]]",
        [
            "trump_order: [[Q♠, Q♥, Q♦, Q♣], [K♠, K♥, K♦, K♣]] | [[K♣, K♦, K♥, K♠], [Q♣, Q♦, Q♥, Q♠]]"
        ],
    ),
    "another total": (
        "dealer: Dan",
        "{hand: {Anna: 12, Ben: 3}}, {hand: {Anna: 1}}",
        "match: {over: true, winners: [Anna], totals: {Anna: 12, Ben: 3}, dealer: Anna}",
        [
            "match.over: true | false",
            "match.winners: [Anna] | []",
            "match.totals.Anna: 12 | 13",
            "match.dealer: Anna | Ben",
        ],
    ),
    "a match after a hand": (
        "at: roles, dealer: Ben, bids: {Anna: 1, Ben: 1}, laid_order: [Ben, Anna], totals: {Ben: 100}",
        "",
        "match: {totals: {Anna: 5, Ben: 100}, dealer: Ben}, outcome: stalemate",
        ["match.totals.Anna: 5 | -10", "match.totals.Ben: 100 | 105", "match.dealer: Ben | Carla"],
    ),
    "a match while the hand goes on": (
        "at: auction, dealer: Ben, totals: {Ben: 100}",
        "",
        "match: {totals: {Ben: 101, Dan: 0}, dealer: Carla}, phase: auction",
        ["match.totals.Ben: 101 | 100", "match.dealer: Carla | Ben"],
    ),
    "what is dealt": (
        "seed: 3, dealer: Ben",
        "",
        "dealt: {cards: 51, different: 51, each: {Ben: 12, Dan: 13}}, to_move: Anna, deck: {points: 59}",
        [
            "dealt.cards: 51 | 52",
            "dealt.different: 51 | 52",
            "dealt.each.Ben: 12 | 13",
            "to_move: Anna | Ben",
            "deck.points: 59 | 60",
        ],
    ),
    "a card that is there twice": (
        "at: auction, hands: {Anna: [Q♥], Ben: [Q♥]}",
        "",
        "phase: auction",
        ["trouble: hands: Q♥ is there twice"],
    ),
    "a phase that needs more": (
        "at: auction",
        "{Anna: {chooses: Ben}}",
        "phase: auction",
        ["play[0] Anna Ben: allowed | turn.not-now (this is not done in this part of the hand)"],
    ),
    "a match that is over before": (
        "totals: {Anna: 199}",
        "{hand: {Anna: 1}}, {hand: {Anna: 1}}",
        "match: {over: true}",
        ["trouble: the match is over before the last hand"],
    ),
}
"""Given, play, expect, and what must be told: fact, expected and got."""
