"""The memory that the kernels of a search work on: the tree, the evaluator and scratch arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.kernels.playing import new_rows

NODE = np.dtype(
    [
        ("key", np.uint64),
        ("visits", np.int32),
        ("first_edge", np.int32),
        ("edges", np.int32),
        ("mover", np.int32),
    ]
)
EDGE = np.dtype(
    [
        ("value", np.float64),  # summed over the visits, for the player who moves here
        ("prior", np.float32),
        ("move", np.int32),
        ("child", np.int32),
        ("visits", np.int32),
    ]
)
ROOT_EDGE = np.dtype([("visits", np.int64), ("win_probability", np.float64), ("margin", np.float64)])
"""For the moves of the root: visits of the present search and sums over them, for the player to move."""
COUNTERS = np.dtype(
    [
        ("root", np.int64),
        ("nodes_used", np.int64),
        ("edges_used", np.int64),
        ("simulations", np.int64),
        ("moves_made", np.int64),
    ]
)

LEAF, STATIC = range(2)
"""Rows of the values of a simulation."""
MAX_EDGES = 40
"""Moves considered below the root, those with the highest priors; all of them at the root."""
MAX_DEPTH = 256
_EDGES_PER_NODE, _SPARE_EDGES = 16, 1024


class Evaluator(NamedTuple):
    """What a game's evaluation and priors are computed from."""

    weights: Cells
    """Of the features, by stage of the game; found by self-play. The last column scales win probabilities."""
    prior_values: Cells
    """What ``prepare_priors`` computed for the present round."""


class Workspace(NamedTuple):
    """Scratch arrays for a game's kernels. There are few, because every call to a kernel copies their descriptors."""

    features: Cells
    moves: Cells
    prior_scores: Cells
    """The prior of each move before the softmax, in points."""


class Simulation(NamedTuple):
    """The state of one simulation."""

    path: Cells
    """The nodes and edges that it went through."""
    values: Cells
    """The evaluation of its leaf and, in the row STATIC, that before rollouts through the next deal."""
    rollout_generator: Cells
    rollout_seed: Cells


class Tree(NamedTuple):
    """The tree of a search."""

    nodes: Cells
    edges: Cells
    slots: Cells
    """The transposition table: nodes by the hashes of their positions."""
    counters: Cells
    root_edges: Cells
    corrections: Cells
    """By node, for the ends of a round; the last one is for all of them together."""


def values_dtype(seats: int) -> np.dtype[np.void]:
    """The evaluation of a leaf, by seat."""
    return np.dtype(
        [
            ("value", np.float64, (seats,)),  # from 0 to 1: what the search maximises for each player
            ("win_probability", np.float64, (seats,)),
            ("margin", np.float64, (seats,)),  # expected points ahead of the best other player
            ("score", np.float64, (seats,)),  # expected final points
        ]
    )


def correction_dtype(seats: int) -> np.dtype[np.void]:
    """What rollouts through the next deal changed in the values of a leaf, summed."""
    sums = [(name, np.float64, (seats,)) for name in ("value", "win_probability", "margin")]
    return np.dtype([("rollouts", np.int64), *sums])


def new_workspace(features: int, moves: int) -> Workspace:
    """Scratch arrays for a game with a number of features and moves."""
    return Workspace(np.zeros(features), np.zeros(moves, np.int64), np.zeros(moves))


def new_simulation(seats: int) -> Simulation:
    """The state of a simulation of a game with this many seats."""
    return Simulation(
        path=np.zeros((MAX_DEPTH + 1, 2), np.int32),
        values=new_rows(2, values_dtype(seats)),
        rollout_generator=np.zeros(1, np.uint64),
        rollout_seed=np.zeros(1, np.uint64),
    )


def new_tree(nodes: int, moves: int, seats: int) -> Tree:
    """An empty tree with room for a number of nodes."""
    return Tree(
        nodes=new_rows(nodes, NODE),
        edges=new_rows(max(nodes * _EDGES_PER_NODE + _SPARE_EDGES, moves), EDGE),
        slots=np.empty(1 << (2 * nodes).bit_length(), np.int32),
        counters=new_rows(1, COUNTERS),
        root_edges=new_rows(moves, ROOT_EDGE),
        corrections=new_rows(nodes + 1, correction_dtype(seats)),
    )


def clear_tree(tree: Tree) -> None:
    """Forget everything but the memory; the root is the only node."""
    tree.slots[:] = -1
    for array in (tree.counters, tree.root_edges, tree.corrections[-1:], tree.nodes[:1]):
        array[:] = np.zeros(1, array.dtype)
    tree.counters["nodes_used"] = 1


def keep_tree(tree: Tree) -> None:
    """Begin another search in the same tree: its nodes stay, what was counted for the last root does not."""
    tree.root_edges[:] = np.zeros(1, ROOT_EDGE)
    tree.counters["simulations"] = tree.counters["moves_made"] = 0
