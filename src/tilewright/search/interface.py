"""The kernels that a game provides for the search, by name. For readers and type checkers; nothing runs here.

Part ``evaluation``: where the search stops and the value of the boards there. Without it, simulations are random
playouts to the end of the game (``playout_evaluation.py``). Part ``priors``: which moves deserve to be tried first.
Without it, all are equally likely (``uniform_priors.py``). Part ``weights``: the weights of the features.

Beside the kernels, ``evaluation`` defines ``FEATURES``, the number of features, and ``priors`` defines
``PRIOR_VALUES_SHAPE`` and, if long searches should use rollouts through the next deal in some rule sets,
``use_deal_rollouts(game)``, an ordinary function.
"""

from __future__ import annotations

from tilewright.kernels.compile import Cells, Row
from tilewright.search.settings import Settings
from tilewright.search.workspace import Evaluator, Workspace

# ------------------------------------------------------------------------------------------- evaluation


def is_horizon(position: Row) -> bool:
    """Whether the search stops and evaluates here: before the deal of the next round, or at the end of the game."""
    raise NotImplementedError


def is_solvable(position: Row) -> bool:
    """Whether so little is left before the horizon that alpha-beta may solve it exactly."""
    raise NotImplementedError


def extract_features(position: Row, seat: int, features: Cells) -> None:
    """Describe a player's board at the horizon by numbers; the evaluation is their weighted sum."""
    raise NotImplementedError


def game_stage(position: Row) -> int:
    """How far the game has progressed: each stage has its own weights."""
    raise NotImplementedError


# ----------------------------------------------------------------------------------------------- priors


def prepare_priors(position: Row, evaluator: Evaluator, workspace: Workspace) -> None:
    """Fill ``evaluator.prior_values`` before a search, for the round that the position is in."""
    raise NotImplementedError


def score_moves(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """Write the legal moves and their prior scores, in points, into the workspace; returns how many there are."""
    raise NotImplementedError


# --------------------------------------------------------- What has a default even where there are priors


def rollout_move(
    position: Row, evaluator: Evaluator, workspace: Workspace, settings: Settings, generator: Cells
) -> int:
    """The rollout policy: a legal move, chosen quickly."""
    raise NotImplementedError
