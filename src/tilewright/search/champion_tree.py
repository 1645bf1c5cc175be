"""The champion's search on one core: a tree of the round, grown by PUCT with a network for priors and values.

What a simulation ends with is a new position, the end of a round before the deal, or a finished game. Tiles that are
drawn in mid-round are drawn by the search's own generator, a few samples for each move that leads to a draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.network import Pads, Weights, dot, hidden_layers, read_out_values
from tilewright.search.settling import advance, write_result
from tilewright.search.utility import utility

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import is_over, mark_moves
    from tilewright.search.interface import is_horizon

    observe: Any = None  # of the part ``observation``, which environments specify

ONGOING, AFTERSTATE, FINISHED = range(3)
NODES_USED, EDGES_USED, SIMULATIONS, COUNTERS = range(4)
EXPLORATION, CAUTION, SAMPLES, SETTINGS = range(4)
"""Settings: the weight of priors in PUCT; what an untried move is thought to be worth less than its node; how many
draws are tried for one move."""
ROOT = 0


class Tree(NamedTuple):
    """Nodes and edges; values are by seat: the chance to win, then the margin."""

    positions: Any
    state: Any
    mover: Any
    visits: Any
    value: Any  # summed, for the mover
    values: Any  # [node * values]: of the evaluation
    first_edge: Any
    edges: Any
    edge_move: Any
    edge_prior: Any
    edge_child: Any
    edge_samples: Any  # nodes behind a move after which tiles are drawn, one for each draw so far; 0 if none are
    next_sample: Any  # [node]: the next of those nodes
    edge_visits: Any
    edge_value: Any  # summed, for the mover of the node that it leaves
    root_values: Any  # [edge * values]: summed, for the root's edges
    path: Any  # [depth, (node, edge)]
    counters: Any


def open_node(node: int, tree: Tree, weights: Weights, pads: Pads) -> bool:
    """Evaluate a new position and give it its moves; False if there is no room for them."""
    position = tree.positions[node]
    players = int(position.players)
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.edges[node] = 0
    tree.mover[node] = position.turn
    if is_over(position):
        tree.state[node] = FINISHED
        write_result(position, tree.values, node * 2 * players)
        return True
    observe(position, position.turn, pads.observation)
    hidden_layers(weights, pads)
    read_out_values(weights, pads, int(position.turn), tree.values, node * 2 * players)
    if is_horizon(position):
        tree.state[node] = AFTERSTATE
        return True
    tree.state[node] = ONGOING
    return open_edges(node, tree, weights, pads)


def open_edges(node: int, tree: Tree, weights: Weights, pads: Pads) -> bool:
    """The legal moves of an evaluated position, with their priors."""
    pads.legal[:] = False
    mark_moves(tree.positions[node], pads.legal)
    first = edge = int(tree.counters[EDGES_USED])
    top = np.float32(-1e30)
    for move in range(len(pads.legal)):
        if pads.legal[move]:
            if edge == len(tree.edge_move):
                return False
            logit = weights.policy_bias[move] + dot(weights.policy, move, pads.hidden)
            top = max(top, logit)
            tree.edge_move[edge] = move
            tree.edge_prior[edge] = logit
            tree.edge_child[edge] = -1
            tree.edge_samples[edge] = 0
            tree.edge_visits[edge] = 0
            tree.edge_value[edge] = 0.0
            edge += 1
    total = np.float32(0)
    for n in range(first, edge):
        tree.edge_prior[n] = np.exp(tree.edge_prior[n] - top)
        total += tree.edge_prior[n]
    for n in range(first, edge):
        tree.edge_prior[n] /= total
    tree.first_edge[node] = first
    tree.edges[node] = edge - first
    tree.counters[EDGES_USED] = edge
    return True


def select(node: int, tree: Tree, settings: Cells) -> int:
    """PUCT: the edge that has done well so far, or that promises much and was seldom tried."""
    first = tree.first_edge[node]
    untried = tree.value[node] / tree.visits[node] - settings[CAUTION]
    drive = settings[EXPLORATION] * np.sqrt(tree.visits[node])
    best, chosen = -1e30, first
    for edge in range(first, first + tree.edges[node]):
        tried = tree.edge_visits[edge]
        worth = tree.edge_value[edge] / tried if tried > 0 else untried
        score = worth + drive * tree.edge_prior[edge] / (1 + tried)
        if score > best:
            best, chosen = score, edge
    return chosen


def back_up(leaf: int, depth: int, players: int, tree: Tree) -> None:
    """Every node and edge of the path learns what the leaf is worth to its mover."""
    at = leaf * 2 * players
    tree.visits[leaf] += 1
    tree.value[leaf] += utility(tree.values, at, tree.mover[leaf], players)
    for step in range(depth):
        node, edge = tree.path[step, 0], tree.path[step, 1]
        worth = utility(tree.values, at, tree.mover[node], players)
        tree.visits[node] += 1
        tree.value[node] += worth
        tree.edge_visits[edge] += 1
        tree.edge_value[edge] += worth
    if depth > 0:
        first = tree.path[0, 1] - tree.first_edge[ROOT]
        for n in range(2 * players):
            tree.root_values[first * 2 * players + n] += tree.values[at + n]
    tree.counters[SIMULATIONS] += 1


def plant(tree: Tree, weights: Weights, pads: Pads) -> None:
    """Begin a search from the position of the root."""
    tree.counters[:] = 0
    tree.counters[NODES_USED] = 1
    open_node(ROOT, tree, weights, pads)
    tree.root_values[:] = 0
    back_up(ROOT, 0, int(tree.positions[ROOT].players), tree)


def open_child(node: int, edge: int, tree: Tree, weights: Weights, pads: Pads, generator: Cells) -> int:
    """Play the move of an edge into a new node; -1 if there is no room."""
    child = int(tree.counters[NODES_USED])
    if child == len(tree.state):
        return -1
    tree.positions[child] = tree.positions[node]
    drawn = advance(tree.positions[child], tree.edge_move[edge], generator)
    if not open_node(child, tree, weights, pads):
        return -1
    tree.counters[NODES_USED] = child + 1
    tree.next_sample[child] = tree.edge_child[edge]
    tree.edge_child[edge] = child
    if drawn:
        tree.edge_samples[edge] += 1
    return child


def wants_sample(edge: int, tree: Tree, settings: Cells) -> bool:
    """Whether a move after which tiles are drawn was tried often enough for another draw."""
    samples = int(tree.edge_samples[edge])
    return 0 < samples < settings[SAMPLES] and samples * samples <= tree.edge_visits[edge]


def known_child(edge: int, tree: Tree) -> int:
    """The node behind an edge; of several draws each in its turn."""
    child = int(tree.edge_child[edge])
    if tree.edge_samples[edge] > 1:
        for _ in range(tree.edge_visits[edge] % tree.edge_samples[edge]):
            child = int(tree.next_sample[child])
    return child


def simulate(limit: int, tree: Tree, weights: Weights, pads: Pads, settings: Cells, generator: Cells) -> int:
    """So many simulations more, fewer if there is no room; returns how many."""
    players = int(tree.positions[ROOT].players)
    for done in range(limit):
        node, depth = ROOT, 0
        while True:
            edge = select(node, tree, settings)
            tree.path[depth, 0], tree.path[depth, 1] = node, edge
            depth += 1
            if tree.edge_child[edge] < 0 or wants_sample(edge, tree, settings):
                node = open_child(node, edge, tree, weights, pads, generator)
                if node < 0:
                    return done
                break
            node = known_child(edge, tree)
            if tree.state[node] != ONGOING:
                break
        back_up(node, depth, players, tree)
    return limit
