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
from tilewright.kernels.compile import Cells, Row
from tilewright.search.chance_nodes import sample_draws
from tilewright.search.evaluation import evaluate_leaf
from tilewright.search.settings import Settings
from tilewright.search.workspace import LEAF, STATIC, Evaluator, Simulation, Tree, Workspace

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
    positions: Cells, number: int, evaluator: Evaluator, workspace: Workspace, settings: Settings,
    simulation: Simulation,
) -> int:  # fmt: skip
    """Deal and play the round after ``positions[1]`` and evaluate where it ends; returns the number of moves."""
    generator = simulation.rollout_generator
    generator[0] = scramble(simulation.rollout_seed[0] + np.uint64(number) * STEP)
    positions[2] = positions[1]
    deal(positions[2], generator)
    prepare_priors(positions[2], evaluator, workspace)
    moves = rollout(positions, 2, evaluator, workspace, settings, generator)
    evaluate_leaf(positions, 2, evaluator, workspace, settings, simulation.values)
    return moves


def add_correction(corrections: Cells, which: int, values: Cells) -> None:
    """Add the difference between a rollout and the static evaluation."""
    leaf, static, total = values[LEAF], values[STATIC], corrections[which]
    total.rollouts += 1
    for seat in range(len(leaf.value)):
        total.value[seat] += leaf.value[seat] - static.value[seat]
        total.win_probability[seat] += leaf.win_probability[seat] - static.win_probability[seat]
        total.margin[seat] += leaf.margin[seat] - static.margin[seat]


def mix_in_rollout(values: Cells, share: float) -> None:
    """The leaf becomes a weighted mean of the static evaluation and the rollout that the leaf holds."""
    leaf, static = values[LEAF], values[STATIC]
    for seat in range(len(leaf.value)):
        leaf.value[seat] = (1 - share) * static.value[seat] + share * leaf.value[seat]
        leaf.win_probability[seat] = (1 - share) * static.win_probability[seat] + share * leaf.win_probability[seat]
        leaf.margin[seat] = (1 - share) * static.margin[seat] + share * leaf.margin[seat]


def shrunk_mean(total: float, count: int, all_total: float, all_count: int) -> float:
    """The mean correction of one end of the round, shrunk towards that of all of them."""
    return (total + PRIOR_ROLLOUTS * (all_total / all_count)) / (count + PRIOR_ROLLOUTS)


def apply_corrections(values: Cells, corrections: Cells, node: int, share: float) -> None:
    """The leaf becomes the static evaluation plus a share of the mean correction of its node."""
    leaf, static = values[LEAF], values[STATIC]
    own, every = corrections[node], corrections[len(corrections) - 1]
    count, all_count = own.rollouts, every.rollouts
    for seat in range(len(leaf.value)):
        mean = shrunk_mean(own.value[seat], count, every.value[seat], all_count)
        leaf.value[seat] = static.value[seat] + share * mean
        mean = shrunk_mean(own.win_probability[seat], count, every.win_probability[seat], all_count)
        leaf.win_probability[seat] = static.win_probability[seat] + share * mean
        mean = shrunk_mean(own.margin[seat], count, every.margin[seat], all_count)
        leaf.margin[seat] = static.margin[seat] + share * mean


def clear_correction(correction: Row) -> None:
    """Forget the corrections that an earlier search left."""
    correction.rollouts = 0
    correction.value[:] = 0
    correction.win_probability[:] = 0
    correction.margin[:] = 0


def correct_values(
    positions: Cells, node: int, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings,
    simulation: Simulation,
) -> int:  # fmt: skip
    """Correct the evaluation of ``positions[1]``, an end of the round, by rollouts; returns the number of moves.

    ``node`` is its node in the tree, -1 if it has none: then a single rollout must do. A node gets another rollout on
    each visit, up to the maximum, and is corrected by the mean of all of them.
    """
    if is_over(positions[1]):
        return 0
    values, corrections = simulation.values, tree.corrections
    values[STATIC] = values[LEAF]
    everywhere = len(corrections) - 1
    if node < 0:
        number = tree.counters[0].simulations % MAX_ROLLOUTS
        moves = rollout_through_deal(positions, number, evaluator, workspace, settings, simulation)
        add_correction(corrections, everywhere, values)
        mix_in_rollout(values, settings.deal_rollout_weight)
        return moves
    if tree.nodes[node].visits == 1:
        clear_correction(corrections[node])
    moves = 0
    if corrections[node].rollouts < MAX_ROLLOUTS:
        number = corrections[node].rollouts
        moves = rollout_through_deal(positions, number, evaluator, workspace, settings, simulation)
        add_correction(corrections, node, values)
        add_correction(corrections, everywhere, values)
    apply_corrections(values, corrections, node, settings.deal_rollout_weight)
    return moves
