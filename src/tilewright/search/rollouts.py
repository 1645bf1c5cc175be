"""Rollouts: to the end of the round, and through the next deal.

The evaluation is a sum over each board by itself. It ignores what the bag still holds, which plans of the players
collide, and who will end the game. A rollout through the next deal takes these into account: it deals the next round
with the search's own generator, plays it with the rollout policy and evaluates the position it ends in. One rollout
is noisy, so an end of the round that the search visits repeatedly gets a new rollout on each visit and accumulates
their corrections to its static evaluation.

The n-th rollout from any end of the round starts from the same random state, so that ends are compared under equal
chances. The game's dealer is not involved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.chance import STEP, scramble
from tilewright.kernels.compile import Cells
from tilewright.search.chance_nodes import sample_draws
from tilewright.search.evaluation import evaluate_leaf
from tilewright.search.settings import Settings
from tilewright.search.workspace import Evaluator, Tree, Values, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move, deal, is_over
    from tilewright.search.interface import is_horizon, prepare_priors, rollout_move

MAX_ROLLOUTS = 64
"""From one end of the round. The error of a single rollout is about seven points, that of this many about one."""
PRIOR_ROLLOUTS = 3.0
"""The mean correction over all ends of the round counts as much as this many rollouts from one of them."""


def rollout(
    positions: Cells, i: int, evaluator: Evaluator, workspace: Workspace, settings: Settings, generator: Cells
) -> int:
    """Play with the rollout policy to the horizon; returns the number of moves."""
    moves = 0
    while not is_horizon(positions[i]):
        apply_move(positions[i], rollout_move(positions[i], evaluator, workspace, settings, generator))
        sample_draws(positions[i], generator)
        moves += 1
    return moves


def rollout_through_deal(
    positions: Cells, number: int, evaluator: Evaluator, workspace: Workspace, settings: Settings
) -> int:
    """Deal and play the round after ``positions[1]`` and evaluate where it ends; returns the number of moves."""
    generator = workspace.rollout_generator
    generator[0] = scramble(workspace.rollout_seed[0] + np.uint64(number) * STEP)
    positions[2] = positions[1]
    deal(positions[2], generator)
    prepare_priors(positions[2], evaluator, workspace)
    moves = rollout(positions, 2, evaluator, workspace, settings, generator)
    evaluate_leaf(positions, 2, evaluator, workspace, settings)
    return moves


def copy_values(source: Values, target: Values) -> None:
    """Copy an evaluation."""
    target.value[:] = source.value
    target.win_probability[:] = source.win_probability
    target.margin[:] = source.margin
    target.score[:] = source.score


def add_correction(corrections: Cells, which: int, workspace: Workspace) -> None:
    """Add the difference between a rollout and the static evaluation."""
    values, static = workspace.values, workspace.static_values
    corrections[which].rollouts += 1
    for seat in range(len(values.value)):
        corrections[which].value[seat] += values.value[seat] - static.value[seat]
        corrections[which].win_probability[seat] += values.win_probability[seat] - static.win_probability[seat]
        corrections[which].margin[seat] += values.margin[seat] - static.margin[seat]


def correct_once(positions: Cells, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings) -> int:
    """One rollout from an end of the round that is not in the tree, mixed with the static evaluation."""
    number = tree.counters[0].simulations % MAX_ROLLOUTS
    moves = rollout_through_deal(positions, number, evaluator, workspace, settings)
    add_correction(tree.corrections, len(tree.corrections) - 1, workspace)
    values, static = workspace.values, workspace.static_values
    share = settings.deal_rollout_weight
    for seat in range(len(values.value)):
        values.value[seat] = (1 - share) * static.value[seat] + share * values.value[seat]
        values.win_probability[seat] = (1 - share) * static.win_probability[seat] + share * values.win_probability[seat]
        values.margin[seat] = (1 - share) * static.margin[seat] + share * values.margin[seat]
    return moves


def shrunk_mean(total: float, count: int, all_total: float, all_count: int) -> float:
    """The mean correction of one end of the round, shrunk towards that of all of them."""
    return (total + PRIOR_ROLLOUTS * (all_total / all_count)) / (count + PRIOR_ROLLOUTS)


def correct_node(
    positions: Cells, node: int, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings
) -> int:
    """One more rollout from an end of the round in the tree, up to the maximum, and the mean of all of them."""
    own, every = tree.corrections[node], tree.corrections[len(tree.corrections) - 1]
    if tree.nodes[node].visits == 1:
        own.rollouts = 0
        own.value[:] = 0
        own.win_probability[:] = 0
        own.margin[:] = 0
    moves = 0
    if own.rollouts < MAX_ROLLOUTS:
        moves = rollout_through_deal(positions, own.rollouts, evaluator, workspace, settings)
        add_correction(tree.corrections, node, workspace)
        add_correction(tree.corrections, len(tree.corrections) - 1, workspace)
    values, static = workspace.values, workspace.static_values
    share, count, all_count = settings.deal_rollout_weight, own.rollouts, every.rollouts
    for seat in range(len(values.value)):
        values.value[seat] = static.value[seat] + share * shrunk_mean(
            own.value[seat], count, every.value[seat], all_count
        )
        values.win_probability[seat] = static.win_probability[seat] + share * shrunk_mean(
            own.win_probability[seat], count, every.win_probability[seat], all_count
        )
        values.margin[seat] = static.margin[seat] + share * shrunk_mean(
            own.margin[seat], count, every.margin[seat], all_count
        )
    return moves


def correct_values(
    positions: Cells, node: int, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings
) -> int:
    """Correct the evaluation of ``positions[1]``, an end of the round, by rollouts; returns the number of moves.

    ``node`` is its node in the tree, -1 if it has none.
    """
    if is_over(positions[1]):
        return 0
    copy_values(workspace.values, workspace.static_values)
    if node < 0:
        return correct_once(positions, tree, evaluator, workspace, settings)
    return correct_node(positions, node, tree, evaluator, workspace, settings)
