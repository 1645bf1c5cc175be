"""The parameters of a search."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """The parameters of a search; all of them are floats, because kernels are compiled for their types."""

    exploration: float
    """The constant of PUCT."""
    prior_temperature: float
    """In points: the higher, the flatter the priors."""
    fpu_reduction: float
    """First-play urgency: how far below the mean of its visited siblings the value of an unvisited move is taken."""
    rollout_temperature: float
    """In points: how randomly the rollout policy plays."""
    win_probability_scale: float
    """Multiplies the scale of the softmax that turns expected scores into win probabilities."""
    margin_weight: float
    """The share of the margin in a value; the rest is the win probability."""
    deal_rollout_weight: float
    """How far rollouts through the next deal correct the evaluation; 0 switches them off."""


class Limits(NamedTuple):
    """When a batch of simulations ends."""

    simulations: int
    """More simulations to run."""
    nodes: int
    """Positions reached by a move since the search began, rollouts included."""


SETTINGS = Settings(
    exploration=0.6,
    prior_temperature=5.0,
    fpu_reduction=0.0,
    rollout_temperature=1.0,
    win_probability_scale=1.0,
    margin_weight=0.1,
    deal_rollout_weight=0.0,
)
"""Found by matches of the bot against itself."""

LONG_SETTINGS = SETTINGS._replace(exploration=1.5, prior_temperature=8.0, deal_rollout_weight=0.8)
"""For a long search, which must not cling to its first favourite and uses rollouts through the next deal."""

PLAYOUT_SETTINGS = SETTINGS._replace(exploration=1.0, margin_weight=0.5)
"""For games without an evaluation: random playouts are noisy, and the margin says more than the winner alone."""
