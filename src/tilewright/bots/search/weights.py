"""The weights of the features, from files that ``tools/tune.py`` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from tilewright.bots.search import azul_promise as azul
from tilewright.bots.search import summer_pavilion_promise as pavilion
from tilewright.game.game import Game
from tilewright.rules.kernel import Cells
from tilewright.rules.summer_pavilion_board import MULTICOLOUR_BONUS, NUMBER_BONUS, STAR_BONUS

FOLDER = Path(__file__).parent / "weights"


def name_of(game: Game) -> str:
    """The name of the file with a game's weights.

    All variants of Azul share theirs, and so do all numbers of players: in matches the weights of the plain game of
    two, corrected by games of the search, beat those found for the variant by quick games alone.
    """
    return f"{game.name}-{game.options['side']}" if game.name == "summer-pavilion" else "azul"


@cache
def weights_for(game: Game) -> Cells:
    """The weights that were found for a rule set."""
    return np.loadtxt(FOLDER / f"{name_of(game)}.txt")


def first_weights(game: Game) -> Cells:
    """Weights made by hand: where the tuning begins."""
    return _first_weights_of_summer_pavilion() if game.name == "summer-pavilion" else _first_weights_of_azul()


def _first_weights_of_azul() -> Cells:
    weights = np.zeros((azul.STAGES, azul.FEATURES + 1))
    weights[:, azul.STARTS] = 1.0
    weights[:, azul.CELLS : azul.CELLS + 5] = 0.1
    weights[:, azul.COLUMNS : azul.COLUMNS + 5] = [0, 0.5, 1.5, 3.5, 7]
    weights[:, azul.COLOUR : azul.COLOUR + 5] = [0, 0.5, 1.5, 4, 10]
    for row in range(1, 5):
        for tiles in range(1, row + 1):
            weights[:, azul.LINE_TILES + row * (row - 1) // 2 + tiles - 1] = 1.5 * tiles / (row + 1)
    weights[:, azul.LINE_POINTS : azul.LINE_POINTS + 4] = 0.5
    weights[:, -1] = 8
    return weights


def _first_weights_of_summer_pavilion() -> Cells:
    weights = np.zeros((pavilion.STAGES, pavilion.FEATURES + 2))
    weights[:, pavilion.STARTS] = 0.5
    for kind in range(7):
        bonus = MULTICOLOUR_BONUS if kind == 6 else int(STAR_BONUS[kind])
        for tiles in range(1, 7):
            weights[:, pavilion.STAR_TILES + 6 * kind + tiles - 1] = bonus * (tiles / 6) ** 2
    for number in range(1, 5):
        for missing in range(4):
            weights[:, pavilion.NUMBERS + 4 * (number - 1) + missing] = NUMBER_BONUS[number] * (1 - missing / 4) ** 2
    weights[:, pavilion.PILLARS : pavilion.PILLARS + 3] = [0.6, 0.3, 0.1]
    weights[:, pavilion.STATUES : pavilion.STATUES + 3] = [1.2, 0.6, 0.2]
    weights[:, pavilion.WINDOWS] = 1.0
    weights[:, pavilion.KEPT : pavilion.KEPT + 4] = [1, 2, 3, 4]
    weights[:, pavilion.KEPT_JOKERS] = 0.5
    weights[:, pavilion.PRICE] = 1.2
    weights[:, -1] = 10
    weights[-1] = _end_of_summer_pavilion()
    return weights


def _end_of_summer_pavilion() -> Cells:
    """At the end of the game everything is known: the bonuses, and a point lost for each tile left."""
    weights = np.zeros(pavilion.FEATURES + 2)
    for kind in range(7):
        weights[pavilion.STAR_TILES + 6 * kind + 5] = MULTICOLOUR_BONUS if kind == 6 else STAR_BONUS[kind]
    for number in range(1, 5):
        weights[pavilion.NUMBERS + 4 * (number - 1)] = NUMBER_BONUS[number]
    weights[pavilion.KEPT : pavilion.KEPT + 4] = [-1, -2, -3, -4]
    weights[pavilion.PRICE] = 0.3
    weights[-1] = 1
    return weights
