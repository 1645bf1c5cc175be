"""The search: a tree of the moves of this round, grown by simulations.

Written once for all games and any number of players. A simulation walks down the tree by the rule of PUCT (a move
is tried for what it has brought so far and for what it promised at first sight), plays the rest of the round by
quick choices, and at the end of the round asks what the boards promise. Of the next deal, whose tiles nobody can
know, it knows nothing; a long search looks at what deals may come (``beyond.py``). Positions that are reached by
different orders of moves are one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.evaluation import judge
from tilewright.search.rollouts import look_ahead, play_on
from tilewright.search.workspace import (
    CAUTION,
    CHANCE,
    EDGES_USED,
    EXPLORATION,
    LONGEST_PATH,
    MARGIN,
    MOST_EDGES,
    MOVES_MADE,
    NODES_USED,
    ROOT,
    SIMULATIONS,
    TEMPERATURE,
    VALUE,
    Knowledge,
    Pads,
    Tree,
)

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move
    from tilewright.search.interface import (
        draw_in_mid_round,
        is_nearly_over,
        list_promising,
        note_features,
        round_is_over,
        stage_of,
        weigh,
    )

_HASH_STEP = np.uint64(0xD6E8FEB86659FD93)
_32 = np.uint64(32)


# ---------------------------------------------------------------------------------------------- The tree


def hash_words(words: Cells, i: int) -> np.uint64:
    """A position as one word; different positions almost never share one."""
    key = np.uint64(0)
    for n in range(words.shape[1]):
        key = (key ^ words[i, n]) * _HASH_STEP
        key ^= key >> _32
    return key


def find_node(tree: Tree, key: np.uint64) -> int:
    """The node of a position, a new one if need be; -1 if there is no room."""
    room = len(tree.slots)
    slot = np.int64(key & np.uint64(room - 1))
    while tree.slots[slot] >= 0:
        if tree.nodes[tree.slots[slot]].key == key:
            return tree.slots[slot]
        slot = (slot + 1) & (room - 1)
    node = tree.counters[NODES_USED]
    if node == len(tree.nodes):
        return -1
    tree.counters[NODES_USED] += 1
    tree.slots[slot] = node
    tree.nodes[node].key = key
    tree.nodes[node].visits = 0
    tree.nodes[node].edges = 0
    return node


def expand(table: Cells, node: int, tree: Tree, knowledge: Knowledge, pads: Pads, settings: Cells) -> bool:
    """Give the node of ``table[1]`` its moves, the most promising first; False if there is no room for them."""
    count = list_promising(table[1], knowledge, pads)
    kept = count if node == ROOT else min(count, MOST_EDGES)
    first = tree.counters[EDGES_USED]
    if first + kept > len(tree.edges):
        return False
    order = np.argsort(-pads.promises[:count])
    best = pads.promises[order[0]]
    total = 0.0
    for n in range(kept):
        edge = tree.edges[first + n]
        edge.move = pads.moves[order[n]]
        edge.prior = np.exp((pads.promises[order[n]] - best) / settings[TEMPERATURE])
        edge.child = -1
        edge.visits = 0
        edge.value = 0.0
        total += edge.prior
    for n in range(kept):
        tree.edges[first + n].prior /= total
    tree.nodes[node].first_edge = first
    tree.nodes[node].edges = kept
    tree.nodes[node].mover = table[1].turn
    tree.counters[EDGES_USED] += kept
    return True


def select(node: int, tree: Tree, settings: Cells) -> int:
    """The edge to go down: good so far, or promising and seldom tried."""
    first, count = tree.nodes[node].first_edge, tree.nodes[node].edges
    visits, value = 0, 0.0
    for edge in range(first, first + count):
        if tree.edges[edge].visits == 0:
            break
        visits += tree.edges[edge].visits
        value += tree.edges[edge].value
    drive = settings[EXPLORATION] * np.sqrt(visits + 1.0)
    chosen, best = first, -1e9
    for edge in range(first, first + count):
        tried = tree.edges[edge].visits
        if tried == 0:
            # Moves stand in the order of their promise, so no later one that was not tried is better.
            mean = value / visits if visits > 0 else 0.5
            if mean - settings[CAUTION] + drive * tree.edges[edge].prior > best:
                chosen = edge
            break
        merit = tree.edges[edge].value / tried + drive * tree.edges[edge].prior / (1 + tried)
        if merit > best:
            chosen, best = edge, merit
    return chosen


# ----------------------------------------------------------------------------------------- The simulations


def walk_down(
    table: Cells, words: Cells, tree: Tree, knowledge: Knowledge, pads: Pads, settings: Cells, generator: Cells
) -> int:
    """Take ``table[1]`` from the root to a position that is new, or to the end of the round; returns the steps.

    The path ends with the node that was reached, or with -1 if there is no room for it.
    """
    node, depth = ROOT, 0
    while not round_is_over(table[1]) and depth < LONGEST_PATH:
        if tree.nodes[node].edges == 0:
            if node != ROOT and tree.nodes[node].visits == 0:
                break
            if not expand(table, node, tree, knowledge, pads, settings):
                break
        edge = select(node, tree, settings)
        pads.path[depth, 0], pads.path[depth, 1] = node, edge
        depth += 1
        apply_move(table[1], tree.edges[edge].move)
        drawn = draw_in_mid_round(table[1], generator)
        child = tree.edges[edge].child
        if drawn or child < 0:
            child = find_node(tree, hash_words(words, 1))
            if child < 0:
                node = child
                break
            if not drawn:
                tree.edges[edge].child = child
        node = child
    if node >= 0:
        tree.nodes[node].visits += 1
    pads.path[depth, 0] = node
    return depth


def simulate(
    table: Cells, words: Cells, tree: Tree, knowledge: Knowledge, later: Knowledge, pads: Pads, settings: Cells,
    generator: Cells, looking: bool, limit: int, most_moves: int,
) -> int:  # fmt: skip
    """So many more simulations from the position ``table[0]``, fewer if the limit of moves is reached.

    If it is ``looking``, each goes on beyond the deal, with ``later`` for what is known of the round after this.
    """
    done = 0
    while done < limit and tree.counters[MOVES_MADE] < most_moves:
        table[1] = table[0]
        depth = walk_down(table, words, tree, knowledge, pads, settings, generator)
        end = pads.path[depth, 0] if round_is_over(table[1]) else -1
        tree.counters[MOVES_MADE] += depth + play_on(table, 1, knowledge, pads, settings, generator)
        judge(table, 1, knowledge, pads, settings)
        if looking:
            tree.counters[MOVES_MADE] += look_ahead(table, end, tree, later, pads, settings)
        for step in range(depth):
            edge = tree.edges[pads.path[step, 1]]
            edge.visits += 1
            edge.value += pads.verdict[VALUE, tree.nodes[pads.path[step, 0]].mover]
        if depth > 0:
            mover = tree.nodes[ROOT].mover
            tree.root[pads.path[0, 1], 0] += pads.verdict[CHANCE, mover]
            tree.root[pads.path[0, 1], 1] += pads.verdict[MARGIN, mover]
        tree.counters[SIMULATIONS] += 1
        done += 1
    return done


# ----------------------------------------------------------------------------------- For those who look on


def weigh_at(table: Cells, i: int, knowledge: Knowledge, pads: Pads) -> None:
    """Before a search: what the takes of this round are worth."""
    weigh(table[i], knowledge, pads)


def list_promising_at(table: Cells, i: int, knowledge: Knowledge, pads: Pads) -> int:
    """The legal moves with their worth at first sight; returns how many."""
    return list_promising(table[i], knowledge, pads)


def note_features_at(table: Cells, i: int, seat: int, features: Cells) -> int:
    """Describe a board between two rounds; returns the stage of the game."""
    note_features(table[i], seat, features)
    return stage_of(table[i])


def judge_at(table: Cells, i: int, knowledge: Knowledge, pads: Pads, settings: Cells) -> None:
    """What is expected at the end of a round."""
    judge(table, i, knowledge, pads, settings)


def round_is_over_at(table: Cells, i: int) -> bool:
    """Whether the search would stop here."""
    return round_is_over(table[i])


def is_nearly_over_at(table: Cells, i: int) -> bool:
    """Whether the end of the round may be worked out exactly."""
    return is_nearly_over(table[i])


def hash_words_at(words: Cells, i: int) -> np.uint64:
    """A position as one word."""
    return hash_words(words, i)
