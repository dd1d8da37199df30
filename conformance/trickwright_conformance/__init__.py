"""The conformance suite's runner: reads cases, plays them on an engine, and compares what is observed."""

from trickwright_conformance.cases import Case, Side, read_suite
from trickwright_conformance.runner import Result, Suite, run_suite

__all__ = ["Case", "Result", "Side", "Suite", "read_suite", "run_suite"]
