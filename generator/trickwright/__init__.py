"""Trickwright: rules of card games, written once as data, become engines."""

from trickwright.compile import Compiled, GameFiles, check_game, compile_game, read_game
from trickwright.generate import WrongCall, generate, stale
from trickwright.problems import Problem, Report

__all__ = [
    "Compiled",
    "GameFiles",
    "Problem",
    "Report",
    "WrongCall",
    "check_game",
    "compile_game",
    "generate",
    "read_game",
    "stale",
]
