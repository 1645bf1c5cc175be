"""The end of a round solved exactly: alpha-beta over all that is left, for two players and where nothing is drawn.

The value is that of the first seat; the other player wants it low. Positions that were met before, by another
order of the same moves, are remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.evaluation import judge
from tilewright.search.tree import hash_words
from tilewright.search.workspace import VALUE, Knowledge, Pads

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move
    from tilewright.search.interface import list_promising, must_draw, round_is_over

REMEMBERED = np.dtype([("key", np.uint64), ("value", np.float64), ("move", np.int32), ("bound", np.int32)])
EXACT, AT_LEAST, AT_MOST = range(1, 4)
MEMORY = 1 << 15
DEEPEST = 64

POSITIONS, MOST_POSITIONS, GIVEN_UP = range(3)
"""Counters: positions looked at, the limit, and whether the search was given up."""
LOWEST, HIGHEST = -1.0, 2.0
"""Below and above every value."""


def recall(memory: Cells, key: np.uint64, low: float, high: float) -> float:
    """What is remembered of a position, if it settles the question between low and high; else LOWEST."""
    known = memory[key & np.uint64(MEMORY - 1)]
    if known.key == key:
        if known.bound == EXACT:
            return known.value
        if known.bound == AT_LEAST and known.value >= high:
            return known.value
        if known.bound == AT_MOST and known.value <= low:
            return known.value
    return LOWEST


def remember(memory: Cells, key: np.uint64, value: float, move: int, low: float, high: float) -> None:
    """Note what was found out about a position in place of what stood there."""
    known = memory[key & np.uint64(MEMORY - 1)]
    known.key, known.value, known.move = key, value, move
    known.bound = EXACT if low < value < high else AT_LEAST if value >= high else AT_MOST


def solve(
    stack: Cells, words: Cells, level: int, low: float, high: float, memory: Cells, counters: Cells,
    knowledge: Knowledge, pads: Pads, settings: Cells,
) -> float:  # fmt: skip
    """The value of ``stack[level]`` for the first seat if both play their best, between ``low`` and ``high``.

    Call it from Python alone: a kernel that calls one that calls itself does not survive Numba's cache.
    """
    if round_is_over(stack[level]):
        judge(stack, level, knowledge, pads, settings)
        return pads.verdict[VALUE, 0]
    counters[POSITIONS] += 1
    if counters[POSITIONS] > counters[MOST_POSITIONS] or level + 1 >= DEEPEST or must_draw(stack[level]):
        counters[GIVEN_UP] = 1
        return LOWEST
    key = hash_words(words, level)
    known = recall(memory, key, low, high)
    if known > LOWEST:
        return known
    first_seat = stack[level].turn == 0
    count = list_promising(stack[level], knowledge, pads)
    best, best_move = LOWEST if first_seat else HIGHEST, -1
    bottom, top = low, high
    for move in pads.moves[:count][np.argsort(-pads.promises[:count])]:
        stack[level + 1] = stack[level]
        apply_move(stack[level + 1], move)
        value = solve(stack, words, level + 1, bottom, top, memory, counters, knowledge, pads, settings)
        if counters[GIVEN_UP]:
            return LOWEST
        if (value > best) if first_seat else (value < best):
            best, best_move = value, move
        if first_seat:
            bottom = max(bottom, best)
        else:
            top = min(top, best)
        if bottom >= top:
            break
    remember(memory, key, best, best_move, low, high)
    return best


def remembered_move_at(words: Cells, i: int, memory: Cells) -> int:
    """The move that is remembered for a position that was solved."""
    return memory[hash_words(words, i) & np.uint64(MEMORY - 1)].move
