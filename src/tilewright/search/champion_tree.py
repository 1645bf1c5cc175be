"""The champion's search: PUCT in a tree of the round, with a network for priors and values.

A simulation ends at a new position, at the end of the round before the deal (an afterstate, which the network evaluates
as it is), or at the end of the game. Tiles that are drawn in mid-round are sampled with the search's own generator.
Every player maximises their own value (max-n).

The tree is a graph, because transpositions share nodes. Therefore values are not summed along the path: the value of a
node is recomputed from its children, as in KataGo. Once all moves of a node lead to solved nodes, it is solved too, and
has the value of its best move: the end of a round is played exactly as soon as the tree has reached all of it.

A simulation that is on its way to a solved node has nothing to learn there. Some of them look at what is not solved yet
instead, however unlikely the network thinks it: where a network is sure of one move, the others would never be tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.champion_workspace import (
    AFTERSTATE,
    CHANCE,
    DECISION,
    FINISHED,
    MAX_DEPTH,
    ChampionSettings,
    ChampionTree,
)
from tilewright.search.chance_nodes import is_chance_node, sample_draws
from tilewright.search.network import Activations, NetworkWeights, compute_hidden, compute_logit, compute_values
from tilewright.search.settling import play_forced_moves, write_result
from tilewright.search.tree import find_node, hash_position
from tilewright.search.utility import utility

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import apply_move, canonicalise, is_over, mark_moves
    from tilewright.search.interface import is_horizon

    observe: Any = None  # of the part ``observation``, which environments specify


# ----------------------------------------------------------------------------------------------- New nodes


def evaluate(
    node: int, tree: ChampionTree, weights: NetworkWeights, activations: Activations, settings: ChampionSettings
) -> None:
    """Find out what kind of node a new position is, its value and its moves."""
    position, record = tree.positions[node], tree.nodes[node]
    record.mover = position.turn
    record.first_edge = tree.counters[0].edges_used
    record.tried = 0
    record.solved = 0
    if is_over(position):
        record.kind = FINISHED
        record.solved = 1
        write_result(position, tree.means[node], 0)
        return
    if is_chance_node(position):
        record.kind = CHANCE
        tree.counters[0].edges_used += int(settings.most_draws)
        return
    observe(position, position.turn, activations.observation)
    compute_hidden(weights, activations)
    compute_values(weights, activations, int(position.turn), tree.means[node])
    tree.counters[0].evaluations += 1
    if is_horizon(position):
        record.kind = AFTERSTATE
        record.solved = 1
        return
    record.kind = DECISION
    for n in range(tree.means.shape[1]):
        tree.evaluations[node, n] = tree.means[node, n]
    expand(node, tree, weights, activations, settings)


def expand(
    node: int, tree: ChampionTree, weights: NetworkWeights, activations: Activations, settings: ChampionSettings
) -> None:
    """Give an evaluated node an edge for each legal move, with its prior."""
    legal = activations.legal
    legal[:] = False
    activations.class_logits[:] = np.nan
    mark_moves(tree.positions[node], legal)
    first = last = tree.nodes[node].first_edge
    top = np.float32(-1e30)
    for move in range(len(legal)):
        if legal[move]:
            edge = tree.edges[last]
            edge.move = move
            edge.prior = compute_logit(weights, activations, move)
            top = max(top, edge.prior)
            last += 1
    total = np.float32(0)
    for n in range(first, last):
        edge = tree.edges[n]
        edge.prior = np.exp((edge.prior - top) / np.float32(settings.prior_temperature))
        edge.child = -1
        edge.visits = 0
        total += edge.prior
    for n in range(first, last):
        tree.edges[n].prior /= total
    tree.nodes[node].edges = last - first
    tree.counters[0].edges_used = last
    bring_forward(node, tree)


def bring_forward(node: int, tree: ChampionTree) -> None:
    """Of the untried moves of a node, put the one with the highest prior first: it is the next to be tried."""
    first = tree.nodes[node].first_edge
    following, end = first + tree.nodes[node].tried, first + tree.nodes[node].edges
    best = following
    for edge in range(following + 1, end):
        if tree.edges[edge].prior > tree.edges[best].prior:
            best = edge
    if best != following:
        move, prior = tree.edges[best].move, tree.edges[best].prior
        tree.edges[best].move, tree.edges[best].prior = tree.edges[following].move, tree.edges[following].prior
        tree.edges[following].move, tree.edges[following].prior = move, prior


# -------------------------------------------------------------------------------------------- The descent


def select(node: int, tree: ChampionTree, players: int, settings: ChampionSettings, only_open: bool) -> int:
    """The edge with the highest upper confidence bound (PUCT).

    If only open ones are wanted, edges to solved nodes are left out; -1 if there is no other.
    """
    record = tree.nodes[node]
    bonus = settings.exploration * np.sqrt(record.visits)
    untried = record.first_edge + record.tried
    chosen, best = -1, -1e30
    for edge in range(record.first_edge, untried):
        if only_open and leads_to_solved(edge, tree):
            continue
        bound = tree.edges[edge].value + bonus * tree.edges[edge].prior / (1 + tree.edges[edge].visits)
        if bound > best:
            chosen, best = edge, bound
    if record.tried < record.edges:
        value = utility(tree.means[node], 0, record.mover, players) - settings.fpu_reduction
        if value + bonus * tree.edges[untried].prior > best:
            chosen = untried
    return chosen


def leads_to_solved(edge: int, tree: ChampionTree) -> bool:
    """Whether the value of a move is exact."""
    child = tree.edges[edge].child
    return child >= 0 and tree.nodes[child].solved != 0


def select_way(
    node: int, tree: ChampionTree, players: int, settings: ChampionSettings, is_solving: bool
) -> tuple[int, int]:
    """The edge that a simulation visits, and the one that it follows.

    They differ where the selected move leads to a solved node, at which there is nothing to learn: a share of the
    simulations then follows the best open move. It still counts as a visit of the selected one, because visits tell
    what a player would choose, and worse moves must not lower the node's value. Only the moves of the root are visited
    when they are tried for the first time: everything is to be told about them.
    """
    edge = select(node, tree, players, settings, False)
    visits = tree.nodes[node].visits
    is_turn = is_solving or int(visits * settings.solving) != int((visits - 1) * settings.solving)
    if is_turn and leads_to_solved(edge, tree):
        other = select(node, tree, players, settings, True)
        if other >= 0:
            is_new_at_root = node == tree.counters[0].root and tree.edges[other].child < 0
            return other if is_new_at_root else edge, other
    return edge, edge


def select_draw(node: int, tree: ChampionTree, settings: ChampionSettings) -> int:
    """Another sample of a draw while there are few in proportion to the visits, otherwise each in its turn."""
    record = tree.nodes[node]
    samples = record.edges
    if samples < settings.most_draws and samples * samples <= record.visits:
        edge = tree.edges[record.first_edge + samples]
        edge.move, edge.child, edge.visits, edge.prior = -1, -1, 0, 0.0
        record.edges += 1
        return record.first_edge + samples
    return record.first_edge + record.visits % samples


def has_room(tree: ChampionTree, edges: int) -> bool:
    """Whether the tree has room for another node and a number of edges."""
    counters = tree.counters[0]
    return counters.nodes_used < len(tree.nodes) and counters.edges_used + edges <= len(tree.edges)


def find_child(node: int, edge: int, tree: ChampionTree, generator: Cells) -> int:
    """The node behind an edge that is tried for the first time; a node without visits is new."""
    child = int(tree.counters[0].nodes_used)
    tree.positions[child] = tree.positions[node]
    if tree.nodes[node].kind == CHANCE:
        sample_draws(tree.positions[child], generator)
    else:
        apply_move(tree.positions[child], int(tree.edges[edge].move))
    play_forced_moves(tree.positions[child])
    canonicalise(tree.positions[child])
    child = find_node(tree, hash_position(tree.words, child))  # type: ignore[arg-type]  # the fields it uses are alike
    tree.edges[edge].child = child
    return child


def descend(
    tree: ChampionTree, weights: NetworkWeights, activations: Activations, settings: ChampionSettings, generator: Cells
) -> int:
    """Go from the root to a new node or to a solved one; returns the depth, or -1 if the tree is full.

    The path ends with the node that was reached.
    """
    players = tree.means.shape[1] // 2
    node, depth, is_solving = int(tree.counters[0].root), 0, False
    while not tree.nodes[node].solved and depth < MAX_DEPTH - 1:
        if tree.nodes[node].kind == CHANCE:
            edge = followed = select_draw(node, tree, settings)
        else:
            edge, followed = select_way(node, tree, players, settings, is_solving)
            is_solving = is_solving or edge != followed
        tree.path[depth, 0], tree.path[depth, 1] = node, edge
        depth += 1
        if tree.edges[followed].child >= 0:
            node = int(tree.edges[followed].child)
            continue
        if not has_room(tree, len(activations.legal)):
            return -1
        tree.nodes[node].tried += 1
        bring_forward(node, tree)
        node = find_child(node, followed, tree, generator)
        if tree.nodes[node].visits == 0:
            evaluate(node, tree, weights, activations, settings)
            if tree.nodes[node].kind != CHANCE:
                break
    tree.path[depth, 0] = node
    return depth


# ---------------------------------------------------------------------------------------------- The backup


def update(node: int, tree: ChampionTree, players: int) -> None:
    """Recompute the value of a node from those of its children."""
    record, mean = tree.nodes[node], tree.means[node]
    weight = 0 if record.kind == CHANCE else 1
    for k in range(2 * players):
        mean[k] = weight * tree.evaluations[node, k]
    for n in range(record.first_edge, record.first_edge + record.tried):
        edge = tree.edges[n]
        value = tree.means[edge.child]
        edge.value = utility(value, 0, record.mover, players)
        weight += edge.visits
        for k in range(2 * players):
            mean[k] += edge.visits * value[k]
    for k in range(2 * players):
        mean[k] /= weight
    if record.kind == DECISION and record.tried == record.edges:
        solve(node, tree, players)


def solve(node: int, tree: ChampionTree, players: int) -> None:
    """If all moves of a node lead to solved nodes, its value is that of its best move."""
    record = tree.nodes[node]
    best = record.first_edge
    for n in range(record.first_edge, record.first_edge + record.edges):
        if not tree.nodes[tree.edges[n].child].solved:
            return
        if tree.edges[n].value > tree.edges[best].value:
            best = n
    record.solved = 1
    for k in range(2 * players):
        tree.means[node, k] = tree.means[tree.edges[best].child, k]


def back_up(depth: int, tree: ChampionTree) -> None:
    """Count a visit on the path of a simulation and recompute the values there, from the leaf to the root."""
    players = tree.means.shape[1] // 2
    tree.nodes[tree.path[depth, 0]].visits += 1
    for step in range(depth - 1, -1, -1):
        node = tree.path[step, 0]
        tree.edges[tree.path[step, 1]].visits += 1
        tree.nodes[node].visits += 1
        update(node, tree, players)


# -------------------------------------------------------------------------------------------- Entry points


def move_root(
    tree: ChampionTree, weights: NetworkWeights, activations: Activations, settings: ChampionSettings
) -> bool:
    """Make the position in the row after the last node the root; returns whether it was known already."""
    key = hash_position(tree.words, int(tree.counters[0].nodes_used))
    node = find_node(tree, key)  # type: ignore[arg-type]  # the fields it uses are alike
    known = tree.nodes[node].visits > 0
    if not known:
        evaluate(node, tree, weights, activations, settings)
        tree.nodes[node].visits = 1
    tree.counters[0].root = node
    return known


def simulate(
    limit: int, tree: ChampionTree, weights: NetworkWeights, activations: Activations, settings: ChampionSettings,
    generator: Cells,
) -> int:  # fmt: skip
    """Run simulations until a limit is reached, the root is solved or the tree is full; returns how many were run."""
    for done in range(limit):
        if tree.nodes[tree.counters[0].root].solved:
            return done
        depth = descend(tree, weights, activations, settings, generator)
        if depth < 0:
            return done
        back_up(depth, tree)
    return limit
