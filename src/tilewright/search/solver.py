"""The end of a round solved exactly: alpha-beta with a transposition table, for two players and without draws.

Values are those of the first seat, who maximises; the second seat minimises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.chance_nodes import is_chance_node
from tilewright.search.evaluation import evaluate_leaf
from tilewright.search.settings import Settings
from tilewright.search.tree import hash_position
from tilewright.search.workspace import LEAF, Evaluator, Workspace

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move
    from tilewright.search.interface import is_horizon, score_moves

TRANSPOSITION = np.dtype([("key", np.uint64), ("value", np.float64), ("move", np.int32), ("bound", np.int32)])
EXACT, LOWER_BOUND, UPPER_BOUND = range(1, 4)
TRANSPOSITIONS = 1 << 15
MAX_PLIES = 64

COUNTERS = np.dtype([("positions", np.int64), ("limit", np.int64), ("aborted", np.int64)])
MIN_VALUE, MAX_VALUE = -1.0, 2.0
"""Below and above every value."""


def probe(transpositions: Cells, key: np.uint64, alpha: float, beta: float) -> float:
    """The stored value of a position if it is exact or causes a cutoff, otherwise MIN_VALUE."""
    entry = transpositions[key & np.uint64(TRANSPOSITIONS - 1)]
    if entry.key == key:
        if entry.bound == EXACT:
            return entry.value
        if entry.bound == LOWER_BOUND and entry.value >= beta:
            return entry.value
        if entry.bound == UPPER_BOUND and entry.value <= alpha:
            return entry.value
    return MIN_VALUE


def store(transpositions: Cells, key: np.uint64, value: float, move: int, alpha: float, beta: float) -> None:
    """Store a result, whatever was stored there before."""
    entry = transpositions[key & np.uint64(TRANSPOSITIONS - 1)]
    entry.key, entry.value, entry.move = key, value, move
    entry.bound = EXACT if alpha < value < beta else LOWER_BOUND if value >= beta else UPPER_BOUND


def solve(
    stack: Cells, words: Cells, ply: int, alpha: float, beta: float, transpositions: Cells, counters: Cells,
    evaluator: Evaluator, workspace: Workspace, settings: Settings, values: Cells,
) -> float:  # fmt: skip
    """The value of ``stack[ply]`` for the first seat under best play, within the window from alpha to beta.

    Call it from Python only: Numba cannot cache a kernel that calls a recursive one.
    """
    if is_horizon(stack[ply]):
        evaluate_leaf(stack, ply, evaluator, workspace, settings, values)
        return values[LEAF].value[0]
    counters[0].positions += 1
    if counters[0].positions > counters[0].limit or ply + 1 >= MAX_PLIES or is_chance_node(stack[ply]):
        counters[0].aborted = 1
        return MIN_VALUE
    key = hash_position(words, ply)
    known = probe(transpositions, key, alpha, beta)
    if known > MIN_VALUE:
        return known
    maximising = stack[ply].turn == 0
    count = score_moves(stack[ply], evaluator, workspace)
    best, best_move = MIN_VALUE if maximising else MAX_VALUE, -1
    lower, upper = alpha, beta
    for move in workspace.moves[:count][np.argsort(-workspace.prior_scores[:count])]:
        stack[ply + 1] = stack[ply]
        apply_move(stack[ply + 1], move)
        value = solve(
            stack, words, ply + 1, lower, upper, transpositions, counters, evaluator, workspace, settings, values
        )
        if counters[0].aborted:
            return MIN_VALUE
        if (value > best) if maximising else (value < best):
            best, best_move = value, move
        if maximising:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        if lower >= upper:
            break
    store(transpositions, key, best, best_move, alpha, beta)
    return best


def best_move_at(words: Cells, i: int, transpositions: Cells) -> int:
    """The stored best move of a position that was solved."""
    return transpositions[hash_position(words, i) & np.uint64(TRANSPOSITIONS - 1)].move
