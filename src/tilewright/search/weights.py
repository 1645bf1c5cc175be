"""The weights of a game's features, from files that ``tools/tune.py`` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.kernels.compile import Cells


def _part(game: Game) -> Any:
    return game.spec.part("weights")


def file_of(game: Game) -> Path:
    """The file with the weights of a rule set."""
    path: Path = _part(game).file_of(game)
    return path


@cache
def weights_for(game: Game) -> Cells:
    """The weights that were found for a rule set."""
    return np.loadtxt(file_of(game))


def first_weights(game: Game) -> Cells:
    """Weights made by hand: where the tuning begins."""
    weights: Cells = _part(game).first_weights()
    return weights
