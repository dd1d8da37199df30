"""Those who play a game: ways to play that follow from the rules alone, and players that people write."""

from trickwright_tools.players.own import Player

__all__ = ["Player"]
