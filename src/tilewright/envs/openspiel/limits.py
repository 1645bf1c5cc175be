"""What no game can exceed. OpenSpiel asks for these bounds before a game begins."""

from __future__ import annotations

from typing import Any

from tilewright.game.bounds import Bounds
from tilewright.game.game import Game


def limits_of(game: Game) -> Bounds:
    """The bounds of a rule set."""
    part: Any = game.spec.part("bounds")
    bounds: Bounds = part.bounds_of(game)
    return bounds


def utilities(game: Game, reward: str) -> tuple[float, float]:
    """The least and the greatest return of a player."""
    if reward == "win":
        return -1 / (game.players - 1), 1.0
    limits = limits_of(game)
    margin = limits.most_points - limits.least_points
    return -float(margin), float(margin)
