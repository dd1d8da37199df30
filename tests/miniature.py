"""A miniature engine that knows the totals of a match and nothing else. It is right but for what its first argument says,
such as ``crashes`` or ``crashes@m.two``, which is a case.

The second argument, if there is one, is a file in which it puts the number of a process that it starts.
"""

import json
import os
import subprocess
import sys
import time

FAULT, _, PLACE = sys.argv[1].partition("@")
PLACE = PLACE or "m.two"
GOAL = 200
CLAIMS = {
    "players": [4, 5, 6],
    "variants": [],
    "phases": [],
    "given": ["totals"],
    "asks": ["match"],
}
RAW = {  # what is written instead of the answer to one case, the second request
    "invalid-json": b'{"answer": "observed", "id": 2, steps: []}\n',
    "cut-json": b'{"answer": "observed", "id": 2,\n',
    "nan": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": NaN}}\n',
    "decimal": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": 1.5}}\n',
    "long-number": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": 1234567890123456}}\n',
    "endless-number": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": '
    + b"1" * 9999
    + b"}}\n",
    "duplicate-key": b'{"answer": "observed", "id": 2, "steps": [], "facts": {}, "id": 2}\n',
    "not-utf8": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": "\xff"}}\n',
    "half-a-pair": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": "\\ud83d"}}\n',
    "escape": b'{"answer": "crashed", "id": 2, "because": "\\u001b[2J"}\n',
    "deep": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": '
    + b"[" * 40
    + b"]" * 40
    + b"}}\n",
    "very-deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "binary": bytes(range(256)) + b"\n",
    "empty-line": b"\n",
    "a-list": b"[1, 2]\n",
    "no-answer": b'{"id": 2, "steps": [], "facts": {}}\n',
    "unknown-answer": b'{"answer": "observes", "id": 2, "steps": [], "facts": {}}\n',
    "other-answer": b'{"answer": "stopped", "id": 2}\n',
    "no-id": b'{"answer": "observed", "steps": [], "facts": {"match": null}}\n',
    "unknown-key": b'{"answer": "observed", "id": 2, "steps": [], "fact": {"match": null}}\n',
    "wrong-type": b'{"answer": "observed", "id": 2, "steps": {}, "facts": {"match": null}}\n',
    "no-fact": b'{"answer": "observed", "id": 2, "steps": [], "facts": {}}\n',
    "more-facts": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": null, "x": 1}}\n',
    "more-steps": b'{"answer": "observed", "id": 2, "steps": [{"refused": null}], "facts": {"match": 1}}\n',
    "wrong-id": b'{"answer": "observed", "id": 77, "steps": [], "facts": {"match": null}}\n',
    "skips-claimed": b'{"answer": "skipped", "id": 2, "lacks": "asks.match", "because": "tired"}\n',
    "skips-game": b'{"answer": "skipped", "id": 2, "lacks": "games.chief-and-vice", "because": "no"}\n',
    "skips-unknown": b'{"answer": "skipped", "id": 2, "lacks": "phases.trick", "because": "no"}\n',
    "skips-formless": b'{"answer": "skipped", "id": 2, "lacks": "everything", "because": "no"}\n',
    "huge-line": b'"' + b"x" * (2 << 20) + b'"\n',
    "endless-line": b"x" * (2 << 20),
    "no-newline": b'{"answer": "observed", "id": 2, "steps": [], "facts": {"match": null}}',
}


def say(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def match(request):
    """The totals after the hands that were played, and who has won."""
    given = request["given"]
    totals = {name: given.get("totals", {}).get(name, 0) for name in given["players"]}
    for line in request["play"]:
        for name, points in line["hand"].items():
            totals[name] += points
    best = max(totals.values())
    first = [name for name in totals if totals[name] == best]
    over = best >= GOAL and len(first) == 1
    if FAULT == "wrong" or (FAULT == "wrong-for-six" and len(totals) == 6):
        totals = {name: total + 1 for name, total in totals.items()}
    return {"over": over, "winners": first if over else [], "totals": totals}


def run(request):
    if FAULT == "nonsense":
        facts = {fact: {"over": "yes", "winners": "all"} for fact in request["ask"]}
        return {"answer": "observed", "steps": [], "facts": facts}
    if FAULT == "skips-all":
        return {"answer": "skipped", "lacks": "phases.tricks", "because": "not yet"}
    if any(set(line["hand"]) - set(request["given"]["players"]) for line in request["play"]):
        return {"answer": "impossible", "because": "a stranger"}
    if request["game"] != "chief-and-vice" and FAULT != "any-game":
        return {"answer": "skipped", "lacks": "games." + request["game"], "because": "unknown"}
    if request["case"] == PLACE and FAULT == "says-crashed":
        return {"answer": "crashed", "because": "IndexError:\n  list index out of range"}
    if request["case"] == PLACE and FAULT == "says-impossible":
        return {"answer": "impossible", "because": "four is too many"}
    return {"answer": "observed", "steps": [], "facts": {"match": match(request)}}


def start():
    claims = dict(CLAIMS)
    if FAULT == "claims-nothing":
        claims |= {"given": [], "asks": []}
    if FAULT == "wrong-claim":
        claims |= {"phases": ["trick"], "variants": ["to-1000"]}
    return {
        "answer": "started",
        "protocol": 2 if FAULT == "wrong-version" else 1,
        "engine": {"name": "miniature", "version": "1", "language": "Python"},
        "games": {"whist" if FAULT == "unknown-game" else "chief-and-vice": claims},
    }


def misbehave(two, number):
    """What goes wrong before the answer to a case."""
    if two and FAULT == "crashes":
        print("out of cards", file=sys.stderr)
        os._exit(3)
    if FAULT == "crashes-always":
        os._exit(4)
    if two and FAULT == "killed":
        os.kill(os.getpid(), 15)
    if two and FAULT == "hangs":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        with open(sys.argv[2], "w") as file:
            file.write(str(child.pid))
        time.sleep(300)
    if two and FAULT == "leaves-a-child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        os._exit(5)
    if two and FAULT == "closes-output":
        os.close(1)
        time.sleep(300)
    if FAULT == "stderr":
        print(f"thinking about case {number} \x1b[31m", file=sys.stderr, flush=True)
    if two and FAULT == "floods-stderr":
        print("babble " * 50_000, file=sys.stderr, flush=True)


def main():
    if FAULT == "crashes-at-start":
        sys.exit("no such table")
    if FAULT == "stdout-babble":
        say(b"Loading the engine...\n")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        number, two = request["id"], request.get("case") == PLACE
        if request["do"] == "start":
            answer = start()
        elif request["do"] == "stop":
            if FAULT == "no-last-word":
                return
            answer = {"answer": "stopped"}
        else:
            misbehave(two, number)
            answer = run(request)
        if two and FAULT in RAW:
            say(RAW[FAULT])
            continue
        data = json.dumps({**answer, "id": number}).encode() + b"\n"
        say(data * 2 if two and FAULT == "answers-twice" else data)
        if two and FAULT == "late-second-answer":
            time.sleep(0.2)
            say(data)
        if request["do"] == "stop" and FAULT != "ignores-stop":
            return
    if FAULT == "ignores-stop":
        time.sleep(300)


if __name__ == "__main__":
    main()
