"""The memory that the champion's search works on: the tree and its settings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.kernels.playing import new_rows

DECISION, CHANCE, AFTERSTATE, FINISHED = range(4)
"""Kinds of node: a player moves, tiles are drawn in mid-round, the round has ended, the game has ended."""

NODE = np.dtype(
    [
        ("key", np.uint64),
        ("visits", np.int32),
        ("first_edge", np.int32),
        ("edges", np.int32),
        ("tried", np.int32),  # edges with a child; they come first
        ("mover", np.int16),
        ("kind", np.int8),
        ("solved", np.int8),  # the value is exact, as far as the network's evaluation of afterstates is
    ]
)
EDGE = np.dtype(
    [
        ("value", np.float32),  # of the child, for the player who moves here
        ("prior", np.float32),
        ("child", np.int32),
        ("visits", np.int32),
        ("move", np.int32),
    ]
)
COUNTERS = np.dtype([("root", np.int64), ("nodes_used", np.int64), ("edges_used", np.int64), ("evaluations", np.int64)])
MAX_DEPTH = 256
_EDGES_PER_NODE = 24


class ChampionSettings(NamedTuple):
    """The parameters of the search; all of them are floats, because kernels are compiled for their types."""

    exploration: float
    """The constant of PUCT."""
    fpu_reduction: float
    """First-play urgency: how far below the value of its node the value of an untried move is taken."""
    prior_temperature: float
    """The higher, the flatter the priors."""
    most_draws: float
    """How many draws are sampled for a move after which tiles are drawn in mid-round."""
    solving: float
    """The share of simulations on their way to a solved node that look at what is not solved yet instead."""


CHAMPION_SETTINGS = ChampionSettings(
    exploration=1.0, fpu_reduction=0.1, prior_temperature=1.0, most_draws=16.0, solving=0.125
)
"""Found by matches of the champion against itself."""


class ChampionTree(NamedTuple):
    """A tree with transpositions: canonical positions that are reached by different orders of moves share a node."""

    positions: Cells
    words: Cells
    """The same memory as whole words, for hashing."""
    nodes: Cells
    edges: Cells
    slots: Cells
    """The transposition table: nodes by the hashes of their positions."""
    evaluations: Cells
    """By node: what the network says, for each seat the win probability, then for each the margin."""
    means: Cells
    """By node: the same, averaged over the simulations through the node."""
    path: Cells
    """The nodes and edges of the present simulation."""
    counters: Cells


def new_champion_tree(game: Game, nodes: int) -> ChampionTree:
    """An empty tree with room for a number of nodes."""
    positions = game.kernels.new_states(nodes + 1)  # one more to try whether a position is known
    values = 2 * game.players
    return ChampionTree(
        positions=positions,
        words=positions.view(np.ndarray).view(np.uint64).reshape(nodes + 1, -1),
        nodes=new_rows(nodes, NODE),
        edges=new_rows(nodes * _EDGES_PER_NODE + 4 * game.actions, EDGE),
        slots=np.full(1 << (2 * nodes).bit_length(), -1, np.int32),
        evaluations=np.zeros((nodes, values), np.float32),
        means=np.zeros((nodes, values), np.float32),
        path=np.zeros((MAX_DEPTH, 2), np.int32),
        counters=new_rows(1, COUNTERS),
    )


def clear_champion_tree(tree: ChampionTree) -> None:
    """Forget everything but the memory."""
    tree.slots[:] = -1
    tree.counters[:] = np.zeros(1, COUNTERS)
