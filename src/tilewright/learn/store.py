"""The memory of self-play: arrays that kernels and PyTorch share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilewright.kernels.compile import Cells, jit_options
from tilewright.learn.configuration import Configuration

EDGES = 32
"""Moves that a node keeps, those with the highest priors: a warp compares all of them in one step."""
MOST_LEGAL = 512
"""The limit on legal moves in one position; no position of self-play has come near it."""

ONGOING, AFTERSTATE, FINISHED = range(3)
"""Nodes: a player decides; the round is over and tiles are about to be dealt; the game is over."""

DECISION_SAMPLE, AFTERSTATE_SAMPLE, DIVERTED_SAMPLE = range(3)
"""Samples: a decision; the end of a round; a decision after which a random candidate was played, not the best one."""


def _record_of(*names: str) -> np.dtype[np.void]:
    """Numbers by name; aligned, because a GPU reads other records byte by byte."""
    return np.dtype([(name, np.float32) for name in names], align=True)


SETTINGS = _record_of(
    "exploration", "fpu_reduction", "root_scale", "target_visits", "target_scale", "target_temperature", "td_lambda",
    "candidates", "diversion", "opening_share",
)  # fmt: skip
"""The settings that kernels read, as ``Configuration`` explains them."""
TOTALS = _record_of("games", "points", "rounds", "decisions")
"""What a game has added to the statistics of the log."""

inlined = jit_options(inline="always")
"""For functions that take a ``Store``. Each loop over the games is compiled once as a whole: passing some fifty arrays
from function to function would take several times longer to compile."""


def settings_of(configuration: Configuration) -> Cells:
    """One record, in an array, with the settings of a configuration."""
    return np.array([tuple(getattr(configuration, name) for name in SETTINGS.names or ())], SETTINGS)


class Store(NamedTuple):
    """Arrays by game, node, edge or slot of the replay buffer. Values are by seat: win shares, then margins."""

    settings: Any  # [1]: a record of the type SETTINGS
    schedule: Any  # [candidates, simulation]: the visits that the root move to try next must have
    simulation: Any  # [1]: simulations done in the present searches
    openings: Any  # [word, position]: positions before a deal that games begin with; the first is the usual one
    scratch: Any  # one row for each game, on the CPU
    words: Any  # [word, node * games + game]: the positions of all nodes
    deal_generators: Any
    tree_generators: Any
    # The batch that the network evaluates
    observations: Any  # [input, game]
    legal: Any  # [game, move]
    outputs: Any  # [game, move logits, then logits of classes, then value outputs]
    # The class of each move, as in ``MoveClasses``, [move]
    class_first: Any
    class_source: Any
    class_scale: Any
    class_most: Any
    # Edges, [(game * nodes + node) * EDGES + edge]
    prior: Any
    value: Any
    visits: Any
    child: Any
    move: Any
    # Nodes, [game * nodes + node]
    node_edges: Any
    node_state: Any
    node_mover: Any
    node_visits: Any
    node_value: Any  # summed, for its mover
    node_values: Any  # [(game * nodes + node) * values]: of the evaluation, by seat
    # The simulation in progress, by game
    path: Any  # [game * nodes + depth]: node * EDGES + edge
    depth: Any
    leaf: Any
    chosen: Any
    nodes_used: Any
    # The root
    listed_moves: Any
    listed_scores: Any
    root_moves: Any
    root_logits: Any
    root_count: Any
    root_scores: Any  # [game * EDGES + edge]: logit and Gumbel noise
    root_slots: Any  # [game * EDGES + edge]: its index among the root's legal moves
    root_values: Any  # [(game * EDGES + edge) * values]: summed over simulations
    played: Any
    # The replay buffer, [slot, game, ...]; a game's n-th sample lies in slot n modulo their number
    buffer_observations: Any
    buffer_policy: Any  # the target; negative where a move is illegal
    buffer_search: Any  # the values of the search, by seat
    buffer_target: Any  # the value targets, from the observer's seat on
    buffer_mover: Any
    buffer_kind: Any
    written: Any  # samples of each game so far
    started: Any  # its value when the present game began
    finished: Any  # its value when the last game ended: all earlier samples have their targets
    returns: Any  # the TD(lambda) returns while targets are assigned
    totals: Any  # [game]: records of the type TOTALS
