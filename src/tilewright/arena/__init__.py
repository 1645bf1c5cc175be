"""Matches between bots: paired deals, rotated seats, all cores, honest numbers."""

from tilewright.arena.match import Progress, play_match
from tilewright.arena.play import GameFailed, GameResult, play_game
from tilewright.arena.schedule import Fixture, Match
from tilewright.arena.sprt import Sprt
from tilewright.arena.summary import MatchResult, Standing

__all__ = [
    "Fixture",
    "GameFailed",
    "GameResult",
    "Match",
    "MatchResult",
    "Progress",
    "Sprt",
    "Standing",
    "play_game",
    "play_match",
]
