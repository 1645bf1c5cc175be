"""Games of the rollout policy against itself, sampled board by board: the data that weights are fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.rollouts import rollout
from tilewright.search.settings import Settings
from tilewright.search.workspace import Evaluator, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import deal, is_over
    from tilewright.search.interface import extract_features, game_stage, prepare_priors

MAX_ROUNDS = 50


def sample_dtype(features: int) -> np.dtype[np.void]:
    """One board between two rounds, and the points that its owner had in the end."""
    return np.dtype(
        [
            ("stage", np.int32),
            ("round", np.int32),
            ("seat", np.int32),
            ("score", np.float32),
            ("final_score", np.float32),
            ("features", np.float32, (features,)),
        ]
    )


def sample_boards(positions: Cells, workspace: Workspace, samples: Cells, count: int) -> int:
    """Write a sample for each seat of ``positions[0]``; returns how many samples there are now."""
    for seat in range(positions[0].players):
        extract_features(positions[0], seat, workspace.features)
        samples[count].stage = game_stage(positions[0])
        samples[count].round = positions[0].round_number
        samples[count].seat = seat
        samples[count].score = positions[0].score[seat]
        for n in range(len(workspace.features)):
            samples[count].features[n] = workspace.features[n]
        count += 1
    return count


def self_play(
    positions: Cells, start: Cells, evaluator: Evaluator, workspace: Workspace, settings: Settings,
    generator: Cells, samples: Cells,
) -> int:  # fmt: skip
    """Play games until the samples are nearly full; returns how many were written.

    Boards are sampled between two rounds; when a game ends, its samples get the final scores.
    """
    players = start[0].players
    count = 0
    while count + MAX_ROUNDS * players < len(samples):
        positions[0] = start[0]
        first = count
        while not is_over(positions[0]):
            deal(positions[0], generator)
            prepare_priors(positions[0], evaluator, workspace)
            rollout(positions, 0, evaluator, workspace, settings, generator)
            if not is_over(positions[0]) and count - first < (MAX_ROUNDS - 1) * players:
                count = sample_boards(positions, workspace, samples, count)
        for sample in range(first, count):
            samples[sample].final_score = positions[0].score[samples[sample].seat]
    return count
