"""The weights of Summer Pavilion's features: where tuning starts, and the files it writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilewright.game.game import Game
from tilewright.games.summer_pavilion import evaluation
from tilewright.games.summer_pavilion.board import MULTICOLOUR_BONUS, NUMBER_BONUS, STAR_BONUS
from tilewright.kernels.compile import Cells


def weights_file(game: Game) -> Path:
    """Each side of the boards has its own weights, shared by all numbers of players."""
    return Path(__file__).parent / f"{game.options['side']}.txt"


def initial_weights() -> Cells:
    """Hand-made weights."""
    weights = np.zeros((evaluation.STAGES, evaluation.FEATURES + 2))
    weights[:, evaluation.STARTS] = 0.5
    for kind in range(7):
        bonus = MULTICOLOUR_BONUS if kind == 6 else int(STAR_BONUS[kind])
        for tiles in range(1, 7):
            weights[:, evaluation.STAR_TILES + 6 * kind + tiles - 1] = bonus * (tiles / 6) ** 2
    for number in range(1, 5):
        for missing in range(4):
            weights[:, evaluation.NUMBERS + 4 * (number - 1) + missing] = NUMBER_BONUS[number] * (1 - missing / 4) ** 2
    weights[:, evaluation.PILLARS : evaluation.PILLARS + 3] = [0.6, 0.3, 0.1]
    weights[:, evaluation.STATUES : evaluation.STATUES + 3] = [1.2, 0.6, 0.2]
    weights[:, evaluation.WINDOWS] = 1.0
    weights[:, evaluation.KEPT : evaluation.KEPT + 4] = [1, 2, 3, 4]
    weights[:, evaluation.KEPT_JOKERS] = 0.5
    weights[:, evaluation.PRICE] = 1.2
    weights[:, -1] = 10
    weights[-1] = _end_of_the_game()
    return weights


def _end_of_the_game() -> Cells:
    """At the end of the game nothing is left to estimate: the bonuses, and a point lost for each tile left."""
    weights = np.zeros(evaluation.FEATURES + 2)
    for kind in range(7):
        weights[evaluation.STAR_TILES + 6 * kind + 5] = MULTICOLOUR_BONUS if kind == 6 else STAR_BONUS[kind]
    for number in range(1, 5):
        weights[evaluation.NUMBERS + 4 * (number - 1)] = NUMBER_BONUS[number]
    weights[evaluation.KEPT : evaluation.KEPT + 4] = [-1, -2, -3, -4]
    weights[evaluation.PRICE] = 0.3
    weights[-1] = 1
    return weights
