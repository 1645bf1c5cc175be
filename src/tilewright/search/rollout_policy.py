"""The rollout policy of games with priors: a softmax over the prior scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.chance import STEP, scramble
from tilewright.kernels.compile import Cells, Row, jit_options
from tilewright.search.settings import Settings
from tilewright.search.workspace import Evaluator, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.search.interface import score_moves

_GUMBEL_BITS = 12
_GUMBEL_SHIFT = np.uint64(64 - _GUMBEL_BITS)
_GUMBEL = -np.log(-np.log((np.arange(1 << _GUMBEL_BITS) + 0.5) / (1 << _GUMBEL_BITS))).astype(np.float32)
"""Gumbel noise: the move with the highest noisy score is a sample from the softmax of the scores."""


@jit_options(forceinline=True)
def rollout_move(
    position: Row, evaluator: Evaluator, workspace: Workspace, settings: Settings, generator: Cells
) -> int:
    """A move with probability proportional to exp(prior score / rollout temperature)."""
    count = score_moves(position, evaluator, workspace)
    chosen, best = workspace.moves[0], -1e9
    for n in range(count):
        generator[0] += STEP
        noise = _GUMBEL[scramble(generator[0]) >> _GUMBEL_SHIFT]
        score = workspace.prior_scores[n] + settings.rollout_temperature * noise
        if score > best:
            chosen, best = workspace.moves[n], score
    return chosen
