"""The evaluation of games that have none: the horizon is the end of the game, where the score says everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import is_over

FEATURES = 1


def is_horizon(position: Row) -> bool:
    """Playouts go on to the end of the game."""
    return is_over(position)


def is_solvable(position: Row) -> bool:
    """Nothing is solved: the rest of a game is too long, and may hold draws."""
    return False


def extract_features(position: Row, seat: int, features: Cells) -> None:
    """Nothing is known about a board."""
    features[0] = 0.0


def game_stage(position: Row) -> int:
    """One stage is enough."""
    return 0
