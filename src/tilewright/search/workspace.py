"""What the kernels of the search write on, and the numbers by which its parts are called."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tilewright.kernels.compile import Cells

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

OUTLOOK = np.dtype(
    [
        ("looks", np.int64),
        ("change", np.float64, (3, 4)),  # by seat: what they changed in value, chance and margin, summed
    ]
)
"""What looks beyond the deal have said of an end of the round."""

NODES_USED, EDGES_USED, SIMULATIONS, MOVES_MADE = range(4)
"""Counters of a tree."""

EXPLORATION, TEMPERATURE, CAUTION, LUCK, CHANCE_SCALE, MARGIN_SHARE, LOOK_SHARE = range(7)
"""Settings: how much is tried out; how sharply first impressions are trusted (points); how much worse than its
sisters an untried move is thought; luck of the quick choices (points); scale of the chances to win; share of the
margin in a value; how far looks beyond the deal are trusted, against what boards promise by themselves."""

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
    """Nodes and edges that a simulation went by."""
    verdict: Cells
    standing: Cells
    """The verdict before a look beyond the deal."""
    chance: Cells
    """The generator of the looks, and what it begins with in this search."""


class Tree(NamedTuple):
    """The tree of a search."""

    nodes: Cells
    edges: Cells
    slots: Cells
    """Nodes by the hashes of their positions."""
    counters: Cells
    root: Cells
    """For the moves of the root: chances and margins, summed."""
    outlooks: Cells
    """By node, for the ends of the round; the last one is for all of them together."""


def new_pads(features: int) -> Pads:
    """Clean pads for a game with so many features."""
    return Pads(
        np.zeros(features),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES),
        np.zeros((LONGEST_PATH + 1, 2), np.int32),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros(2, np.uint64),
    )
