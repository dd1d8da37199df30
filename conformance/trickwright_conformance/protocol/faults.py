"""Faults: what an engine at the other end of the protocol can do wrong, each with a name."""

from __future__ import annotations

from trickwright.problems import visible

FAULTS: dict[str, str] = {
    "no-start": "The command cannot be run.",
    "ended": "The engine ended before it had answered.",
    "closed-output": "The engine closed its output and goes on running.",
    "timed-out": "There was no answer within the time limit.",
    "too-long": "A line is longer than messages may be.",
    "not-json": "A line is no message: something else than one JSON object in UTF-8.",
    "bad-message": "A message does not have the form that its schema gives.",
    "wrong-id": "An answer does not repeat the number of its request.",
    "answered-twice": "There was more than one answer to a request.",
    "wrong-version": "The engine speaks another version of the protocol.",
    "wrong-claim": "The engine claims something that the game does not have.",
    "not-claimed": "The engine answers for a game that it does not claim.",
    "skipped-claimed": "The engine skips a case for want of something that it claims to have.",
    "not-stopped": "The engine did not end when it was told to stop.",
    "gave-up": "The case was not played any more, after too many faults.",
}
"""Every fault, with what it means."""


class Fault(Exception):
    """Something that an engine does wrong. Raises ValueError if its code is not in ``FAULTS``.

    Its text may hold what the engine wrote, and is made fit to be shown. ``of_previous`` says that it is about the request before the one that is under way.
    """

    def __init__(self, code: str, text: str, *, of_previous: bool = False) -> None:
        if code not in FAULTS:
            raise ValueError(f"{code!r} is not in FAULTS")
        text = visible(text)
        super().__init__(text)
        self.code = code
        self.text = text
        self.of_previous = of_previous

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"
