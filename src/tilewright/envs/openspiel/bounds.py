"""Upper bounds on the length and the returns of a game, which OpenSpiel asks for in advance."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.game.bounds import Bounds
from tilewright.game.game import Game

MOST_DECISIONS = 10_000
MOST_DRAWS = 10_000
"""Used for games without a part ``bounds``; a game that can last longer must have one."""


def bounds_of(game: Game) -> Bounds:
    """The bounds of a rule set: its own, or generous ones with the points that the field ``score`` can hold."""
    part: Any = game.spec.part("bounds")
    if part is not None:
        bounds: Bounds = part.bounds_of(game)
        return bounds
    kinds, points = int(game.kernels.names["KINDS"]), np.iinfo(game.kernels.dtype["score"].base)
    return Bounds(MOST_DECISIONS, MOST_DRAWS if kinds else 0, kinds, int(points.max), int(points.min))


def utilities(game: Game, reward: str) -> tuple[float, float]:
    """The least and the greatest return of a player."""
    if reward == "win":
        return -1 / (game.players - 1), 1.0
    bounds = bounds_of(game)
    margin = bounds.most_points - bounds.least_points
    return -float(margin), float(margin)
