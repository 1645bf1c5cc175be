"""The tree: PUCT over the moves up to the horizon, with transpositions.

Written once for all games and any number of players (max-n: every player maximises their own value). A simulation
descends the tree by PUCT, plays on to the horizon with the rollout policy and evaluates the leaf. Where the game has
an evaluation, the horizon is the end of the round: the deal that follows is unknown, and only a long search samples it
(``rollouts.py``). Positions that are reached by different orders of moves share one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.chance_nodes import sample_draws
from tilewright.search.evaluation import evaluate_leaf
from tilewright.search.rollouts import correct_values, rollout
from tilewright.search.settings import Limits, Settings
from tilewright.search.workspace import LEAF, MAX_DEPTH, MAX_EDGES, Evaluator, Simulation, Tree, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move
    from tilewright.search.interface import (
        extract_features,
        game_stage,
        is_horizon,
        is_solvable,
        prepare_priors,
        score_moves,
    )

_HASH_STEP = np.uint64(0xD6E8FEB86659FD93)
_32 = np.uint64(32)


# ---------------------------------------------------------------------------------------------- The tree


def hash_position(words: Cells, i: int) -> np.uint64:
    """The key of a position in the transposition table; collisions are negligible."""
    key = np.uint64(0)
    for n in range(words.shape[1]):
        key = (key ^ words[i, n]) * _HASH_STEP
        key ^= key >> _32
    return key


def find_slot(tree: Tree, key: np.uint64) -> np.int64:
    """Where the transposition table holds a position, or the free slot where it belongs."""
    room = len(tree.slots)
    slot = np.int64(key & np.uint64(room - 1))
    while tree.slots[slot] >= 0 and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & (room - 1)
    return slot


def find_node(tree: Tree, key: np.uint64) -> int:
    """The node of a position, a new one if there is none yet; -1 if the tree is full."""
    slot = find_slot(tree, key)
    if tree.slots[slot] >= 0:
        return tree.slots[slot]
    node = tree.counters[0].nodes_used
    if node == len(tree.nodes):
        return -1
    tree.counters[0].nodes_used += 1
    tree.slots[slot] = node
    tree.nodes[node].key = key
    tree.nodes[node].visits = 0
    tree.nodes[node].edges = 0
    return node


def expand(
    positions: Cells, node: int, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings
) -> bool:
    """Give the node of ``positions[1]`` its edges, highest prior first; False if the tree is full."""
    count = score_moves(positions[1], evaluator, workspace)
    kept = count if node == tree.counters[0].root else min(count, MAX_EDGES)
    first = tree.counters[0].edges_used
    if first + kept > len(tree.edges):
        return False
    order = np.argsort(-workspace.prior_scores[:count])
    best = workspace.prior_scores[order[0]]
    total = 0.0
    for n in range(kept):
        edge = tree.edges[first + n]
        edge.move = workspace.moves[order[n]]
        edge.prior = np.exp((workspace.prior_scores[order[n]] - best) / settings.prior_temperature)
        edge.child = -1
        edge.visits = 0
        edge.value = 0.0
        total += edge.prior
    for n in range(kept):
        tree.edges[first + n].prior /= total
    tree.nodes[node].first_edge = first
    tree.nodes[node].edges = kept
    tree.nodes[node].mover = positions[1].turn
    tree.counters[0].edges_used += kept
    return True


def select(node: int, tree: Tree, settings: Settings) -> int:
    """The edge with the highest upper confidence bound (PUCT)."""
    first, count = tree.nodes[node].first_edge, tree.nodes[node].edges
    visits, value = 0, 0.0
    for edge in range(first, first + count):
        if tree.edges[edge].visits == 0:
            break
        visits += tree.edges[edge].visits
        value += tree.edges[edge].value
    bonus = settings.exploration * np.sqrt(visits + 1.0)
    chosen, best = first, -1e9
    for edge in range(first, first + count):
        edge_visits = tree.edges[edge].visits
        if edge_visits == 0:
            # Edges are sorted by their priors, so no later unvisited one is better.
            mean = value / visits if visits > 0 else 0.5
            if mean - settings.fpu_reduction + bonus * tree.edges[edge].prior > best:
                chosen = edge
            break
        bound = tree.edges[edge].value / edge_visits + bonus * tree.edges[edge].prior / (1 + edge_visits)
        if bound > best:
            chosen, best = edge, bound
    return chosen


def move_root(
    positions: Cells, words: Cells, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings
) -> bool:
    """Make the node of ``positions[0]`` the root; False if it has no edges yet, or if there is no room for more.

    Below the root only MAX_EDGES moves are considered. The new root gets all of them, and the first ones, which are
    the same, keep their visits.
    """
    positions[1] = positions[0]
    node = tree.slots[find_slot(tree, hash_position(words, 1))]
    if node < 0 or tree.nodes[node].edges == 0:
        return False
    known, first = tree.nodes[node].edges, tree.nodes[node].first_edge
    tree.counters[0].root = node
    if known == MAX_EDGES:
        if not expand(positions, node, tree, evaluator, workspace, settings):
            return False
        for n in range(known):
            edge, before = tree.edges[tree.nodes[node].first_edge + n], tree.edges[first + n]
            edge.child, edge.visits, edge.value = before.child, before.visits, before.value
    return True


# ----------------------------------------------------------------------------------------- Simulations


def descend(
    positions: Cells, words: Cells, tree: Tree, evaluator: Evaluator, workspace: Workspace, settings: Settings,
    generator: Cells, path: Cells,
) -> int:  # fmt: skip
    """Take ``positions[1]`` from the root to a new node or to the horizon; returns the depth.

    The path ends with the node that was reached, or with -1 if the tree is full.
    """
    root = tree.counters[0].root
    node, depth = root, 0
    while not is_horizon(positions[1]) and depth < MAX_DEPTH:
        if tree.nodes[node].edges == 0:
            if node != root and tree.nodes[node].visits == 0:
                break
            if not expand(positions, node, tree, evaluator, workspace, settings):
                break
        edge = select(node, tree, settings)
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        apply_move(positions[1], int(tree.edges[edge].move))
        drawn = sample_draws(positions[1], generator)
        child = tree.edges[edge].child
        if drawn or child < 0:
            child = find_node(tree, hash_position(words, 1))
            if child < 0:
                node = child
                break
            if not drawn:
                tree.edges[edge].child = child
        node = child
    if node >= 0:
        tree.nodes[node].visits += 1
    path[depth, 0] = node
    return depth


def back_up(depth: int, tree: Tree, simulation: Simulation) -> None:
    """Add the values of a leaf to the edges of the path."""
    path, values = simulation.path, simulation.values[LEAF]
    for step in range(depth):
        edge = tree.edges[path[step, 1]]
        edge.visits += 1
        edge.value += values.value[tree.nodes[path[step, 0]].mover]
    if depth > 0:
        root = tree.nodes[tree.counters[0].root]
        sums = tree.root_edges[path[0, 1] - root.first_edge]
        sums.visits += 1
        sums.win_probability += values.win_probability[root.mover]
        sums.margin += values.margin[root.mover]


def simulate(
    positions: Cells, words: Cells, tree: Tree, evaluator: Evaluator, next_evaluator: Evaluator,
    workspace: Workspace, settings: Settings, generator: Cells, simulation: Simulation, deal_rollouts: bool,
    limits: Limits,
) -> int:  # fmt: skip
    """Run simulations from ``positions[0]`` until a limit is reached; returns how many.

    With ``deal_rollouts`` each goes on through the next deal; ``next_evaluator`` holds the priors of that round.
    """
    counters = tree.counters
    done = 0
    while done < limits.simulations and counters[0].moves_made < limits.nodes:
        positions[1] = positions[0]
        depth = descend(positions, words, tree, evaluator, workspace, settings, generator, simulation.path)
        leaf = simulation.path[depth, 0] if is_horizon(positions[1]) else -1
        counters[0].moves_made += depth + rollout(positions, 1, evaluator, workspace, settings, generator)
        evaluate_leaf(positions, 1, evaluator, workspace, settings, simulation.values)
        if deal_rollouts:
            counters[0].moves_made += correct_values(
                positions, leaf, tree, next_evaluator, workspace, settings, simulation
            )
        back_up(depth, tree, simulation)
        counters[0].simulations += 1
        done += 1
    return done


# --------------------------------------------------------------------------- Entry points for one position


def prepare_priors_at(positions: Cells, i: int, evaluator: Evaluator, workspace: Workspace) -> None:
    """Compute ``evaluator.prior_values`` for the round of a position."""
    prepare_priors(positions[i], evaluator, workspace)


def score_moves_at(positions: Cells, i: int, evaluator: Evaluator, workspace: Workspace) -> int:
    """The legal moves with their prior scores; returns how many there are."""
    return score_moves(positions[i], evaluator, workspace)


def extract_features_at(positions: Cells, i: int, seat: int, features: Cells) -> int:
    """The features of a board at the horizon; returns the stage of the game."""
    extract_features(positions[i], seat, features)
    return game_stage(positions[i])


def evaluate_leaf_at(
    positions: Cells, i: int, evaluator: Evaluator, workspace: Workspace, settings: Settings, values: Cells
) -> None:
    """The evaluation at the horizon."""
    evaluate_leaf(positions, i, evaluator, workspace, settings, values)


def is_horizon_at(positions: Cells, i: int) -> bool:
    """Whether the search stops here."""
    return is_horizon(positions[i])


def is_solvable_at(positions: Cells, i: int) -> bool:
    """Whether the rest of the round may be solved exactly."""
    return is_solvable(positions[i])


def hash_position_at(words: Cells, i: int) -> np.uint64:
    """The key of a position in the transposition table."""
    return hash_position(words, i)
