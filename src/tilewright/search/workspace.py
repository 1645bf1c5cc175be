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
ROOT_EDGE = np.dtype([("win_probability", np.float64), ("margin", np.float64)])
"""For the moves of the root: sums over the visits, for the player to move."""
COUNTERS = np.dtype(
    [
        ("nodes_used", np.int64),
        ("edges_used", np.int64),
        ("simulations", np.int64),
        ("moves_made", np.int64),
    ]
)

ROOT = 0
MAX_EDGES = 40
"""Moves considered below the root, those with the highest priors; all of them at the root."""
MAX_DEPTH = 256
_EDGES_PER_NODE, _SPARE_EDGES = 16, 1024


class Evaluator(NamedTuple):
    """What a game's evaluation and priors are computed from."""

    weights: Cells
    """Of the features, by stage of the game; found by self-play. The last column scales win probabilities."""
    prior_table: Cells
    """What ``prepare_priors`` computed for the present round."""


class Values(NamedTuple):
    """The evaluation of a leaf, by seat."""

    value: Cells
    """From 0 to 1: what the search maximises for each player."""
    win_probability: Cells
    margin: Cells
    """Expected points ahead of the best other player."""
    score: Cells
    """Expected final points."""


class Workspace(NamedTuple):
    """Scratch arrays, allocated once for each search."""

    features: Cells
    moves: Cells
    prior_scores: Cells
    """The prior of each move before the softmax, in points."""
    path: Cells
    """Nodes and edges that a simulation went through."""
    values: Values
    static_values: Values
    """The evaluation before rollouts through the next deal correct it."""
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


def correction_dtype(seats: int) -> np.dtype[np.void]:
    """What rollouts through the next deal changed in the values of a leaf, summed."""
    sums = [(name, np.float64, (seats,)) for name in ("value", "win_probability", "margin")]
    return np.dtype([("rollouts", np.int64), *sums])


def new_values(seats: int) -> Values:
    """Values of zero."""
    return Values(*(np.zeros(seats) for _ in Values._fields))


def new_workspace(features: int, moves: int, seats: int) -> Workspace:
    """Scratch arrays for a game with a number of features, moves and seats."""
    return Workspace(
        features=np.zeros(features),
        moves=np.zeros(moves, np.int64),
        prior_scores=np.zeros(moves),
        path=np.zeros((MAX_DEPTH + 1, 2), np.int32),
        values=new_values(seats),
        static_values=new_values(seats),
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
