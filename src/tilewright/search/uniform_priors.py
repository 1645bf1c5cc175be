"""Priors for games that have none: every legal move is equally likely, in the tree and in rollouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells, Row, jit_options
from tilewright.search.settings import Settings
from tilewright.search.workspace import Evaluator, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import count_moves, nth_move

PRIOR_VALUES_SHAPE = (1,)


def prepare_priors(position: Row, evaluator: Evaluator, workspace: Workspace) -> None:
    """There is nothing to prepare."""


def score_moves(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """The legal moves, all with the same score; returns how many there are."""
    count = count_moves(position)
    for n in range(count):
        workspace.moves[n] = nth_move(position, n)
        workspace.prior_scores[n] = 0.0
    return count


@jit_options(forceinline=True)
def rollout_move(
    position: Row, evaluator: Evaluator, workspace: Workspace, settings: Settings, generator: Cells
) -> int:
    """A uniformly random move."""
    return nth_move(position, below(generator, count_moves(position)))
