"""The weights of a game's features, from the files that ``tools/tune.py`` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.search.parts import evaluation_of, has_evaluation


def _part(game: Game) -> ModuleType:
    part = game.spec.part("weights")
    if part is None:
        raise BadOption(f"{game.title} has an evaluation but no weights: its spec names no part 'weights'")
    return part


def weights_file(game: Game) -> Path:
    """The file with the weights of a rule set."""
    path: Path = _part(game).weights_file(game)
    return path


def weights_for(game: Game) -> Cells:
    """The tuned weights of a rule set; those of a game without an evaluation make no difference."""
    if not has_evaluation(game):
        return np.ones((1, evaluation_of(game).FEATURES + 1))
    return _load(weights_file(game))


@cache
def _load(path: Path) -> Cells:
    return np.loadtxt(path)


def initial_weights(game: Game) -> Cells:
    """Hand-made weights, from which tuning starts."""
    weights: Cells = _part(game).initial_weights()
    return weights
