"""What the kernels of the search write on, and the numbers by which its parts are called."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tilewright.rules.kernel import Cells

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

NODES_USED, EDGES_USED, SIMULATIONS, MOVES_MADE = range(4)
"""Counters of a tree."""

EXPLORATION, TEMPERATURE, CAUTION, LUCK, CHANCE_SCALE, MARGIN_SHARE = range(6)
"""Settings: how much is tried out; how sharply first impressions are trusted (points); how much worse than its
sisters an untried move is thought; luck of the quick choices (points); scale of the chances to win; share of the
margin in a value."""

VALUE, CHANCE, MARGIN, SCORE = range(4)
"""Rows of a verdict, what is judged at the end of a round for each seat."""

ROOT = 0
MOST_MOVES = 1024
"""More than any position has."""
MOST_EDGES = 40
"""Moves that are considered below the root; all of them at the root."""
LONGEST_PATH = 256
WIDEST_MARGIN = 100.0


class Knowledge(NamedTuple):
    """What is known of a game."""

    weights: Cells
    """Of the features, by stage of the game; found by self-play."""
    worth: Cells
    """What they make of the present round: see ``weigh`` of each game."""


class Pads(NamedTuple):
    """Scratch pads."""

    features: Cells
    moves: Cells
    promises: Cells
    """What each move is worth at first sight."""
    path: Cells
    verdict: Cells


class Tree(NamedTuple):
    """The tree of a search."""

    nodes: Cells
    edges: Cells
    slots: Cells
    """Nodes by the hashes of their positions."""
    counters: Cells
    root: Cells
    """For the moves of the root: chances and margins, summed."""


def new_pads(features: int) -> Pads:
    """Clean pads for a game with so many features."""
    return Pads(
        np.zeros(features),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES),
        np.zeros((LONGEST_PATH, 2), np.int32),
        np.zeros((4, 4)),
    )
