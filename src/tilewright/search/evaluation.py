"""The evaluation of a leaf: expected scores, win probabilities and the value that the search maximises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.settings import Settings
from tilewright.search.workspace import LEAF, Evaluator, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import beats, is_over
    from tilewright.search.interface import extract_features, game_stage

MARGIN_RANGE = 100.0
"""Margins from minus a half to plus a half of it are told apart."""


def evaluate_board(positions: Cells, i: int, seat: int, evaluator: Evaluator, workspace: Workspace) -> float:
    """The points that a player can still expect to make."""
    if is_over(positions[i]):
        return 0.0
    extract_features(positions[i], seat, workspace.features)
    stage = game_stage(positions[i])
    total = 0.0
    for n in range(len(workspace.features)):
        total += evaluator.weights[stage, n] * workspace.features[n]
    return total


def mark_winners(positions: Cells, i: int, value: Cells) -> None:
    """1 for the winners of a finished game, by the game's own rules for ties, and 0 for the others."""
    for seat in range(positions[i].players):
        value[seat] = 1.0
        for other in range(positions[i].players):
            if beats(positions[i], other, seat):
                value[seat] = 0.0


def evaluate_leaf(
    positions: Cells, i: int, evaluator: Evaluator, workspace: Workspace, settings: Settings, leaf_values: Cells
) -> None:
    """Write the win probability, the expected margin and the value of each player into ``leaf_values[LEAF]``.

    The value is mostly the win probability. A small part is the margin, so that a player who has all but won or lost
    still plays for points.
    """
    values = leaf_values[LEAF]
    players = positions[i].players
    for seat in range(players):
        values.score[seat] = positions[i].score[seat] + evaluate_board(positions, i, seat, evaluator, workspace)
    if is_over(positions[i]):
        mark_winners(positions, i, values.value)
    else:
        scale = evaluator.weights[game_stage(positions[i]), -1] * settings.win_probability_scale
        top = values.score[:players].max()
        for seat in range(players):
            values.value[seat] = np.exp((values.score[seat] - top) / scale)
    total = values.value[:players].sum()
    for seat in range(players):
        best_other = -1e9
        for other in range(players):
            if other != seat:
                best_other = max(best_other, values.score[other])
        values.margin[seat] = values.score[seat] - best_other
        values.win_probability[seat] = values.value[seat] / total
        by_margin = min(1.0, max(0.0, 0.5 + values.margin[seat] / MARGIN_RANGE))
        share = settings.margin_weight
        values.value[seat] = (1 - share) * values.win_probability[seat] + share * by_margin
