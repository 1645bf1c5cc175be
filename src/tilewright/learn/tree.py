"""The search tree of one decision, for one game: Gumbel with sequential halving at the root, PUCT below it.

Every function runs in all lanes of a game at once. A node keeps the ``EDGES`` moves with the highest priors. A leaf is
a new position, an afterstate (the round is over and the next one has not been dealt) or a finished game, whose value is
exact. Values are by seat, and each player maximises its own (max-n).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.chance import STEP, scramble
from tilewright.kernels.compile import Cells
from tilewright.learn.lanes import Single, Whole
from tilewright.learn.store import (
    DECISION_SAMPLE,
    DIVERTED_SAMPLE,
    EDGES,
    FINISHED,
    MOST_LEGAL,
    ONGOING,
    Store,
    inlined,
)
from tilewright.search.utility import utility

if TYPE_CHECKING:  # the binding gives those of one lane or of a warp
    from tilewright.learn.lanes import best_of_lanes_alone as best_of_lanes
    from tilewright.learn.lanes import max_of_lanes_alone as max_of_lanes
    from tilewright.learn.lanes import rank_of_lane_alone as rank_of_lane
    from tilewright.learn.lanes import sum_before_lane_alone as sum_before_lane
    from tilewright.learn.lanes import sum_of_lanes_alone as sum_of_lanes
    from tilewright.learn.lanes import sync_lanes_alone as sync_lanes

    LANES = 1

LOWEST: Single = np.float32(-1e30)
ZERO: Single = np.float32(0)
NO_EDGE: Whole = np.int32(-1)
_BISECTIONS = 12
_40 = np.uint64(40)
_UNIT: Single = np.float32(1 / (1 << 24))


@inlined
def nodes_of(store: Store) -> int:
    """The capacity of a tree."""
    return store.node_edges.shape[0] // store.played.shape[0]


@inlined
def players_of(store: Store) -> int:
    """The number of players; each has a win share and a margin."""
    return store.returns.shape[1] // 2


# ------------------------------------------------------------------------------------------ Descending


@inlined
def select_below_root(g: int, lane: int, node: int, store: Store) -> Whole:
    """PUCT: the edge with the best sum of its mean value and its exploration bonus."""
    at = g * nodes_of(store) + node
    visits = store.node_visits[at]
    mean = store.node_value[at] / np.float32(visits)
    untried = mean - store.settings[0].fpu_reduction
    drive = store.settings[0].exploration * np.float32(math.sqrt(np.float32(visits)))
    best, chosen = LOWEST, NO_EDGE
    for edge in range(lane, store.node_edges[at], LANES):
        i = at * EDGES + edge
        tried = np.float32(store.visits[i])
        mean_value = store.value[i] / tried if tried > 0 else untried
        score = np.float32(mean_value + drive * store.prior[i] / (np.float32(1) + tried))
        if score > best:
            best, chosen = score, np.int32(edge)
    best, chosen = best_of_lanes(best, chosen)
    return chosen


@inlined
def select_at_root(g: int, lane: int, store: Store) -> Whole:
    """Sequential halving: of the moves whose visits are due, the best by noise, logit and value."""
    at = g * nodes_of(store)
    count = int(store.node_edges[at])
    wanted = store.schedule[count, store.simulation[0]]
    best, chosen = LOWEST, NO_EDGE
    for edge in range(lane, count, LANES):
        i = at * EDGES + edge
        tried = store.visits[i]
        if tried == wanted:
            mean_value = store.value[i] / np.float32(tried) if tried > 0 else ZERO
            score = np.float32(store.root_scores[g * EDGES + edge] + store.settings[0].root_scale * mean_value)
            if score > best:
                best, chosen = score, np.int32(edge)
    best, chosen = best_of_lanes(best, chosen)
    return chosen


@inlined
def descend(g: int, lane: int, store: Store) -> None:
    """Follow the selected edges to a move that has not been played yet, or to an afterstate or finished game."""
    nodes = nodes_of(store)
    node, depth, move = 0, 0, -1
    while True:
        edge = select_at_root(g, lane, store) if node == 0 else select_below_root(g, lane, node, store)
        i = (g * nodes + node) * EDGES + edge
        if lane == 0:
            store.path[g * nodes + depth] = node * EDGES + edge
        depth += 1
        child = int(store.child[i])
        if child < 0:
            move = int(store.move[i])
            break
        node = child
        if store.node_state[g * nodes + node] != ONGOING:
            break
    if lane == 0:
        store.depth[g] = depth
        store.leaf[g] = node
        store.chosen[g] = move


# --------------------------------------------------------------------------------------------- Growing


@inlined
def class_logit(g: int, action: int, store: Store) -> Single:
    """The logit that a move has in common with the others of its class."""
    number = np.float32(store.observations[store.class_source[action], g]) * store.class_scale[action]
    taken = min(int(number + np.float32(0.5)), int(store.class_most[action]))
    return np.float32(store.outputs[g, store.buffer_policy.shape[2] + store.class_first[action] + taken])


@inlined
def list_legal(g: int, lane: int, moves: Cells, logits: Cells, store: Store) -> int:
    """List the legal moves of the evaluated position and their logits.

    Each lane reads its own stretch of the action space, so its loads do not wait for those of other lanes.
    """
    actions = store.buffer_policy.shape[2]
    stretch = (actions + LANES - 1) // LANES
    first, end = lane * stretch, min(actions, (lane + 1) * stretch)
    found = 0
    for action in range(first, end):
        found += 1 if store.legal[g, action] else 0
    before, count = sum_before_lane(found)
    for action in range(first, end):
        if store.legal[g, action]:
            if before < MOST_LEGAL:
                moves[g, before] = action
                logits[g, before] = np.float32(store.outputs[g, action]) + class_logit(g, action, store)
            before += 1
    sync_lanes()
    return min(count, MOST_LEGAL)


def top_of(g: int, lane: int, count: int, scores: Cells) -> Single:
    """The largest score of a list."""
    top = LOWEST
    for n in range(lane, count, LANES):
        top = max(top, scores[g, n])
    return max_of_lanes(top)


def total_of(g: int, lane: int, count: int, scores: Cells, top: Single) -> Single:
    """The denominator of a softmax over a list of scores, relative to the top one."""
    total = ZERO
    for n in range(lane, count, LANES):
        total += np.float32(math.exp(np.float32(scores[g, n] - top)))
    return sum_of_lanes(total)


def cut_of(g: int, lane: int, count: int, most: int, scores: Cells, top: Single) -> Single:
    """A threshold that about ``most`` scores of a list reach, found by bisection."""
    low = LOWEST
    if count <= most:
        return low
    for n in range(lane, count, LANES):
        low = max(low, -scores[g, n])
    low, high = -max_of_lanes(low), top
    for _ in range(_BISECTIONS):
        middle = np.float32(0.5) * (low + high)
        reached = 0
        for begin in range(0, count, LANES):
            n = begin + lane
            reached += rank_of_lane(n < count and scores[g, n] >= middle)[1]
        if reached > most:
            low = middle
        else:
            high = middle
    return high


@inlined
def open_node(g: int, node: int, edges: int, store: Store) -> None:
    """Initialise a node; called by one lane."""
    at = g * nodes_of(store) + node
    store.node_edges[at] = edges
    store.node_visits[at] = 0
    store.node_value[at] = ZERO


@inlined
def open_edge(i: int, move: int, prior: Single, store: Store) -> None:
    """Initialise an edge."""
    store.move[i] = move
    store.prior[i] = prior
    store.child[i] = -1
    store.visits[i] = 0
    store.value[i] = ZERO


@inlined
def expand_node(g: int, lane: int, node: int, store: Store) -> None:
    """Give a new node edges for the moves with the highest priors."""
    first = (g * nodes_of(store) + node) * EDGES
    scores = store.listed_scores
    count = list_legal(g, lane, store.listed_moves, scores, store)
    top = top_of(g, lane, count, scores)
    total = total_of(g, lane, count, scores, top)
    cut = cut_of(g, lane, count, EDGES, scores, top)
    kept = 0
    for begin in range(0, count, LANES):
        n = begin + lane
        keep = n < count and scores[g, n] >= cut
        rank, raised = rank_of_lane(keep)
        if keep and kept + rank < EDGES:
            prior = np.float32(math.exp(np.float32(scores[g, n] - top))) / total
            open_edge(first + kept + rank, store.listed_moves[g, n], prior, store)
        kept += raised
    if lane == 0:
        open_node(g, node, min(kept, EDGES), store)


@inlined
def read_values(g: int, lane: int, node: int, store: Store) -> None:
    """Store the network's values of a new node by seat; its outputs count seats from the observer."""
    players = players_of(store)
    at = g * nodes_of(store) + node
    mover = int(store.node_mover[at])
    first = store.outputs.shape[1] - 2 * players
    top = LOWEST
    for step in range(lane, players, LANES):
        top = max(top, np.float32(store.outputs[g, first + step]))
    top = max_of_lanes(top)
    total = ZERO
    for step in range(lane, players, LANES):
        total += np.float32(math.exp(np.float32(store.outputs[g, first + step]) - top))
    total = sum_of_lanes(total)
    for step in range(lane, players, LANES):
        seat = (mover + step) % players
        share = np.float32(math.exp(np.float32(store.outputs[g, first + step]) - top)) / total
        store.node_values[at * 2 * players + seat] = share
        store.node_values[at * 2 * players + players + seat] = np.float32(store.outputs[g, first + players + step])


# ---------------------------------------------------------------------------------------------- Backing up


@inlined
def expand_and_back_up(g: int, lane: int, store: Store) -> None:
    """After the evaluation, add the new leaf to the tree and its value to every node and edge of the path."""
    nodes, players = nodes_of(store), players_of(store)
    leaf, depth = store.leaf[g], store.depth[g]
    at = g * nodes + leaf
    if store.chosen[g] >= 0:
        if store.node_state[at] == ONGOING:
            expand_node(g, lane, leaf, store)
        elif lane == 0:
            open_node(g, leaf, 0, store)
        if store.node_state[at] != FINISHED:
            read_values(g, lane, leaf, store)
        if lane == 0:
            store.child[g * nodes * EDGES + store.path[g * nodes + depth - 1]] = leaf
    sync_lanes()
    for step in range(lane, depth, LANES):
        edge = store.path[g * nodes + step]
        parent = g * nodes + edge // EDGES
        value = np.float32(utility(store.node_values, at * 2 * players, store.node_mover[parent], players))
        store.visits[g * nodes * EDGES + edge] += 1
        store.value[g * nodes * EDGES + edge] += value
        store.node_visits[parent] += 1
        store.node_value[parent] += value
    for n in range(lane, 2 * players, LANES):
        first = g * EDGES + store.path[g * nodes]
        store.root_values[first * 2 * players + n] += store.node_values[at * 2 * players + n]
    if lane == 0:
        store.node_visits[at] += 1
        store.node_value[at] += np.float32(utility(store.node_values, at * 2 * players, store.node_mover[at], players))
        if g == 0:
            store.simulation[0] += 1


# ------------------------------------------------------------------------------------------------- The root


def gumbel(generator: np.uint64, n: int) -> Single:
    """Gumbel noise: the move with the largest sum of noise and logit is a sample from the policy."""
    word = scramble(generator + np.uint64(n + 1) * STEP)
    uniform = (np.float32(word >> _40) + np.float32(0.5)) * _UNIT
    return np.float32(-math.log(-math.log(uniform)))


@inlined
def expand_root(g: int, lane: int, store: Store) -> None:
    """After the root's evaluation, choose its candidates: the best by logit plus Gumbel noise."""
    nodes, players = nodes_of(store), players_of(store)
    count = list_legal(g, lane, store.root_moves, store.root_logits, store)
    top = top_of(g, lane, count, store.root_logits)
    total = total_of(g, lane, count, store.root_logits, top)
    generator = store.tree_generators[g]
    for n in range(lane, count, LANES):
        store.listed_scores[g, n] = store.root_logits[g, n] + gumbel(generator, n)
    sync_lanes()
    most = min(EDGES, int(store.settings[0].candidates))
    cut = cut_of(g, lane, count, most, store.listed_scores, top_of(g, lane, count, store.listed_scores))
    kept = 0
    for begin in range(0, count, LANES):
        n = begin + lane
        keep = n < count and store.listed_scores[g, n] >= cut
        rank, raised = rank_of_lane(keep)
        if keep and kept + rank < most:
            prior = np.float32(math.exp(np.float32(store.root_logits[g, n] - top))) / total
            edge = kept + rank
            open_edge(g * nodes * EDGES + edge, store.root_moves[g, n], prior, store)
            store.root_scores[g * EDGES + edge] = store.listed_scores[g, n]
            store.root_slots[g * EDGES + edge] = n
        kept += raised
    slot = store.written[g] % store.buffer_kind.shape[0]
    for n in range(lane, store.observations.shape[0], LANES):
        store.buffer_observations[slot, g, n] = store.observations[n, g]
    for n in range(lane, EDGES * 2 * players, LANES):
        store.root_values[g * EDGES * 2 * players + n] = ZERO
    read_values(g, lane, 0, store)
    sync_lanes()
    if lane == 0:
        store.tree_generators[g] = generator + np.uint64(MOST_LEGAL + 1) * STEP
        store.root_count[g] = count
        store.nodes_used[g] = 1
        open_node(g, 0, min(kept, most), store)
        at = g * nodes
        store.node_visits[at] = 1
        store.node_value[at] = np.float32(utility(store.node_values, at * 2 * players, store.node_mover[at], players))
        if g == 0:
            store.simulation[0] = 0


@inlined
def root_value(g: int, lane: int, store: Store) -> Single:
    """The value of the root for its mover: its evaluation and the visited moves, weighted by their priors."""
    nodes = nodes_of(store)
    visits, weight, weighted = ZERO, ZERO, ZERO
    for edge in range(lane, store.node_edges[g * nodes], LANES):
        i = g * nodes * EDGES + edge
        tried = np.float32(store.visits[i])
        if tried > 0:
            visits += tried
            weight += store.prior[i]
            weighted += store.prior[i] * store.value[i] / tried
    visits, weight, weighted = sum_of_lanes(visits), sum_of_lanes(weight), sum_of_lanes(weighted)
    players = players_of(store)
    at = g * nodes
    own = np.float32(utility(store.node_values, at * 2 * players, store.node_mover[at], players))
    return (own + visits * weighted / max(weight, np.float32(1e-6))) / (np.float32(1) + visits)


@inlined
def improve_policy(g: int, lane: int, store: Store) -> Single:
    """Write logits plus scaled, completed values into ``listed_scores``, and return the scale.

    A move that was not visited gets the value of the root. Without a temperature every target would be sharper than the
    policy before it, so that the logits grow without bound, errors included.
    """
    nodes = nodes_of(store)
    most = ZERO
    for edge in range(lane, store.node_edges[g * nodes], LANES):
        most = max(most, np.float32(store.visits[g * nodes * EDGES + edge]))
    scale = np.float32((store.settings[0].target_visits + max_of_lanes(most)) * store.settings[0].target_scale)
    unvisited = root_value(g, lane, store)
    kept = np.float32(1) / store.settings[0].target_temperature
    for n in range(lane, store.root_count[g], LANES):
        store.listed_scores[g, n] = kept * store.root_logits[g, n] + scale * unvisited
    sync_lanes()
    for edge in range(lane, store.node_edges[g * nodes], LANES):
        i = g * nodes * EDGES + edge
        if store.visits[i] > 0:
            n = store.root_slots[g * EDGES + edge]
            mean = store.value[i] / np.float32(store.visits[i])
            store.listed_scores[g, n] = kept * store.root_logits[g, n] + scale * mean
    sync_lanes()
    return scale


@inlined
def choose_move(g: int, lane: int, scale: Single, store: Store) -> None:
    """Play the move with the most visits; among equals the best by noise, logit and value."""
    nodes = nodes_of(store)
    best, chosen = LOWEST, NO_EDGE
    for edge in range(lane, store.node_edges[g * nodes], LANES):
        i = g * nodes * EDGES + edge
        tried = np.float32(store.visits[i])
        if tried > 0:
            score = tried * np.float32(1000) + store.root_scores[g * EDGES + edge] + scale * store.value[i] / tried
            if score > best:
                best, chosen = np.float32(score), np.int32(edge)
    best, chosen = best_of_lanes(best, chosen)
    if lane == 0:
        store.played[g] = store.move[g * nodes * EDGES + chosen]


@inlined
def divert(g: int, store: Store) -> bool:
    """Now and then replace the move to play by a random candidate; called by one lane. Says whether it did."""
    if store.settings[0].diversion <= 0:
        return False
    word = scramble(store.tree_generators[g] + STEP)
    store.tree_generators[g] += STEP
    if np.float32(word >> _40) * _UNIT >= store.settings[0].diversion:
        return False
    at = g * nodes_of(store)
    edge = int((scramble(word) >> _40) % np.uint64(store.node_edges[at]))
    store.played[g] = store.move[at * EDGES + edge]
    return True


@inlined
def store_root_values(g: int, lane: int, slot: int, top: Single, store: Store) -> None:
    """Store the values of the root by seat: the visited moves, weighted by the improved policy."""
    nodes, values = nodes_of(store), 2 * players_of(store)
    weight = ZERO
    for edge in range(lane, store.node_edges[g * nodes], LANES):
        if store.visits[g * nodes * EDGES + edge] > 0:
            score = store.listed_scores[g, store.root_slots[g * EDGES + edge]]
            weight += np.float32(math.exp(np.float32(score - top)))
    weight = sum_of_lanes(weight)
    for n in range(values):
        weighted = ZERO
        for edge in range(lane, store.node_edges[g * nodes], LANES):
            tried = np.float32(store.visits[g * nodes * EDGES + edge])
            if tried > 0:
                score = store.listed_scores[g, store.root_slots[g * EDGES + edge]]
                mean = store.root_values[(g * EDGES + edge) * values + n] / tried
                weighted += np.float32(math.exp(np.float32(score - top))) * mean
        weighted = sum_of_lanes(weighted)
        if lane == 0:
            store.buffer_search[slot, g, n] = weighted / max(weight, np.float32(1e-9))


@inlined
def finish_search(g: int, lane: int, store: Store) -> None:
    """After the last simulation, choose the move to play and store a sample with the improved policy as its target."""
    slot = store.written[g] % store.buffer_kind.shape[0]
    scale = improve_policy(g, lane, store)
    choose_move(g, lane, scale, store)
    count = store.root_count[g]
    top = top_of(g, lane, count, store.listed_scores)
    total = total_of(g, lane, count, store.listed_scores, top)
    store_root_values(g, lane, slot, top, store)
    for action in range(lane, store.buffer_policy.shape[2], LANES):
        store.buffer_policy[slot, g, action] = np.float32(-1)
    sync_lanes()
    for n in range(lane, count, LANES):
        chance = np.float32(math.exp(np.float32(store.listed_scores[g, n] - top))) / total
        store.buffer_policy[slot, g, store.root_moves[g, n]] = chance
    if lane == 0:
        store.buffer_mover[slot, g] = store.node_mover[g * nodes_of(store)]
        store.buffer_kind[slot, g] = DIVERTED_SAMPLE if divert(g, store) else DECISION_SAMPLE
        store.written[g] += 1
