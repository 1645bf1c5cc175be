"""The weights of Azul's features: where tuning starts, and the file it writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilewright.game.game import Game
from tilewright.games.azul import evaluation
from tilewright.kernels.compile import Cells


def weights_file(game: Game) -> Path:
    """All variants and all numbers of players share their weights.

    In matches the weights of the two-player game with the coloured wall, corrected by games of the search, beat those
    fitted to rollout games of the variant itself.
    """
    return Path(__file__).parent / "azul.txt"


def initial_weights() -> Cells:
    """Hand-made weights."""
    weights = np.zeros((evaluation.STAGES, evaluation.FEATURES + 1))
    weights[:, evaluation.STARTS] = 1.0
    weights[:, evaluation.CELLS : evaluation.CELLS + 5] = 0.1
    weights[:, evaluation.COLUMNS : evaluation.COLUMNS + 5] = [0, 0.5, 1.5, 3.5, 7]
    weights[:, evaluation.COLOUR : evaluation.COLOUR + 5] = [0, 0.5, 1.5, 4, 10]
    for row in range(1, 5):
        for tiles in range(1, row + 1):
            weights[:, evaluation.LINE_TILES + row * (row - 1) // 2 + tiles - 1] = 1.5 * tiles / (row + 1)
    weights[:, evaluation.LINE_POINTS : evaluation.LINE_POINTS + 4] = 0.5
    weights[:, -1] = 8
    return weights
