"""Tests ``engine.py`` over the conformance protocol. Standard library only.

trickwright test chief-and-vice --engine 'python3 conformance/adapters/python/adapter.py'
"""

import json
import sys
import traceback

from engine import Impossible, Tricks

GAME = "chief-and-vice"
FACTS = {
    "phase": lambda hand: "over" if hand.over else "tricks",
    "to_move": lambda hand: "nobody" if hand.over else hand.turn,
    "outcome": lambda hand: "played" if hand.over else None,
    "hands": lambda hand: hand.hands,
    "bids": lambda hand: hand.bids,
    "trick": lambda hand: None if hand.table else hand.last,
    "trump_order": lambda hand: hand.trumps.order(len(hand.players)),
    "card_points": lambda hand: hand.points,
    "tricks_won": lambda hand: hand.won,
    "values": lambda hand: hand.values() if hand.over else None,
    "scores": lambda hand: hand.scores() if hand.over else None,
}
GIVEN = [
    "chief",
    "vice",
    "partner",
    "trumps",
    "hands",
    "laid_out",
    "bids",
    "card_points",
    "tricks_won",
    "to_move",
]
STARTED = {
    "protocol": 1,
    "engine": {"name": "tricks-from-the-rulebook", "version": "1", "language": "Python"},
    "games": {
        GAME: {
            "players": [4, 5, 6],
            "variants": [],
            "phases": ["tricks"],
            "given": GIVEN,
            "asks": ["may", *FACTS],
        }
    },
}


def play_line(hand, line):
    """Do one line of play, and tell what came of it."""
    player, does = line["player"], line["does"]
    step = {"refused": None}
    if line["may"]:
        step["may"] = hand.legal(player)
    if does is not None:
        if isinstance(does, list):
            if len(does) != 1:
                raise Impossible("one card is played at a time")
            does = does[0]
        verb, card = does.split(" ") if " " in does else ("plays", does)
        step["refused"] = hand.refusal(player, verb, card)
        if step["refused"] is None:
            hand.play(player, card)
    return step


def run(request):
    """The answer to a case."""
    if request["game"] != GAME:
        lacks = f"games.{request['game']}"
        return {"answer": "skipped", "lacks": lacks, "because": f"this engine plays {GAME}"}
    try:
        hand = Tricks(request["given"])
        steps = [play_line(hand, line) for line in request["play"]]
        facts = {fact: FACTS[fact](hand) for fact in request["ask"]}
    except Impossible as error:
        return {"answer": "impossible", "because": str(error)}
    except Exception as error:
        traceback.print_exc()
        return {"answer": "crashed", "because": repr(error)}
    return {"answer": "observed", "steps": steps, "facts": facts}


def main():
    """Answer requests until the last."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["do"] == "start":
            answer = {"answer": "started", **STARTED}
        elif request["do"] == "run":
            answer = run(request)
        else:
            answer = {"answer": "stopped"}
        out.write(json.dumps({**answer, "id": request["id"]}).encode() + b"\n")
        out.flush()
        if request["do"] == "stop":
            break


if __name__ == "__main__":
    main()
