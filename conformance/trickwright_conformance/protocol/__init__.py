"""The conformance protocol: engines of other people, in any language, tested over lines of JSON.

``messages`` reads and checks what comes in, ``process`` holds the engine at the other end of the pipes, ``session`` asks it,
``claims`` knows what it said it can do, ``play`` goes through a suite, ``smoke`` tells a broken adapter from a broken engine,
``known`` reads the file of known failures, and ``reports`` tells all of it to programs.
"""

from trickwright_conformance.protocol.faults import FAULTS, Fault
from trickwright_conformance.protocol.play import EngineRun, Played, play_engine
from trickwright_conformance.protocol.session import Launch, Session

__all__ = ["FAULTS", "EngineRun", "Fault", "Launch", "Played", "Session", "play_engine"]
