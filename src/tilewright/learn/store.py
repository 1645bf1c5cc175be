"""All that self-play writes on, as arrays that kernels and Torch share."""

from __future__ import annotations

from typing import Any, NamedTuple

EDGES = 32
"""Moves that a node keeps, the most promising ones: a warp looks at all of them in one step."""
MOST_LEGAL = 512
"""Legal moves that are told apart in one position; no position of self-play has come near it."""

ONGOING, AFTERSTATE, FINISHED = range(3)
"""Nodes: a player decides; the round is over and tiles are about to be dealt; the game is over."""

DECISION_SAMPLE, AFTERSTATE_SAMPLE = range(2)

EXPLORATION, CAUTION, ROOT_SCALE, TARGET_VISITS, TARGET_SCALE, TRACE, CANDIDATES, SETTINGS = range(8)
"""Settings: the weight of priors in PUCT; what an untried move is thought to be worth less than its node; the scale
of values against Gumbel scores during the search; how the policy target grows with visits; the share of later
results in value targets, per decision; how many moves the root considers."""

TOTALS = 4
GAMES_PLAYED, POINTS_SCORED, ROUNDS_PLAYED, DECISIONS_MADE = range(TOTALS)


class Store(NamedTuple):
    """Arrays by game, node, edge or slot of the replay buffer. Values are by seat: win shares, then margins."""

    settings: Any
    schedule: Any  # [candidates, simulation]: the visits that the next root move must have
    simulation: Any  # [1]: how many were done for this move
    start: Any  # the position before the first deal
    scratch: Any  # one row a game, for the processor
    words: Any  # [word, node * games + game]: the positions of all nodes
    deal_generators: Any
    tree_generators: Any
    # The batch that the network evaluates
    observations: Any  # [input, game]
    legal: Any  # [game, move]
    outputs: Any  # [game, move logits, then value outputs]
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
    root_slots: Any  # [game * EDGES + edge]: its place among the root's legal moves
    root_values: Any  # [(game * EDGES + edge) * values]: summed over simulations
    played: Any
    # The replay buffer, [slot, game, ...]; a game's n-th sample lies in slot n modulo their number
    buffer_observations: Any
    buffer_policy: Any  # the target; negative where a move is illegal
    buffer_search: Any  # what the search thought, by seat
    buffer_target: Any  # what the value outputs should say, from the observer's seat on
    buffer_mover: Any
    buffer_kind: Any
    written: Any  # samples of each game so far
    started: Any  # what this was when the present game began
    finished: Any  # and when the last game ended: earlier samples have their targets
    carry: Any
    totals: Any
