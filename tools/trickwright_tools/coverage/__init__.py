"""Coverage: what a game's rules and rulebook say, held against the cases that pin it, and the other way round."""

from trickwright_tools.coverage.found import KINDS, Coverage, CoveredCase
from trickwright_tools.coverage.measure import cover
from trickwright_tools.coverage.rows import Pin, Row

__all__ = ["KINDS", "Coverage", "CoveredCase", "Pin", "Row", "cover"]
