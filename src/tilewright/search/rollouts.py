"""Looks beyond the deal: what the next round makes of the boards, if it is dealt so or so.

What boards promise is a sum over each by itself. It knows nothing of what the bag still holds, of which lines hinder
each other, or of who will end the game. A look does: it deals the next round by the search's own chance, plays it by
quick choices, and judges what is there then. One look says little, so the ends of the round that the search comes by
again and again are looked at anew each time, and remember what the looks said together.

The n-th look from any end of the round begins with the same chance. The dealer of the game has no part in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.chance import STEP, scramble
from tilewright.kernels.compile import Cells
from tilewright.search.evaluation import judge
from tilewright.search.workspace import LOOK_SHARE, LUCK, SIMULATIONS, Knowledge, Pads, Tree

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import apply_move, deal, is_over
    from tilewright.search.interface import draw_in_mid_round, list_promising, round_is_over, weigh

_LUCK_BITS = 12
_LUCK_SHIFT = np.uint64(64 - _LUCK_BITS)
GUMBEL = -np.log(-np.log((np.arange(1 << _LUCK_BITS) + 0.5) / (1 << _LUCK_BITS))).astype(np.float32)
"""Luck: added to what moves are worth, the best sum is a draw in proportion to exp(worth / luck)."""

MOST_LOOKS = 64
"""From one end of the round. A look errs by some seven points, so many together by one."""
DOUBT = 3.0
"""What all ends of the round have in common counts as much as so many looks from one of them."""
CORRECTED = 3
"""Rows of a verdict that looks correct: value, chance, margin."""


def play_on(table: Cells, i: int, knowledge: Knowledge, pads: Pads, settings: Cells, generator: Cells) -> int:
    """Play the rest of the round by quick choices: what is worth most at first sight, give or take some luck."""
    made = 0
    while not round_is_over(table[i]):
        count = list_promising(table[i], knowledge, pads)
        chosen, best = pads.moves[0], -1e9
        for n in range(count):
            generator[0] += STEP
            luck = GUMBEL[scramble(generator[0]) >> _LUCK_SHIFT]
            merit = pads.promises[n] + settings[LUCK] * luck
            if merit > best:
                chosen, best = pads.moves[n], merit
        apply_move(table[i], chosen)
        draw_in_mid_round(table[i], generator)
        made += 1
    return made


def look(table: Cells, number: int, later: Knowledge, pads: Pads, settings: Cells) -> int:
    """One look from ``table[1]``: the verdict is that at the end of the next round; returns the moves made."""
    pads.chance[0] = scramble(pads.chance[1] + np.uint64(number) * STEP)
    table[2] = table[1]
    deal(table[2], pads.chance)
    weigh(table[2], later, pads)
    made = play_on(table, 2, later, pads, settings, pads.chance)
    judge(table, 2, later, pads, settings)
    return made


def add_change(outlooks: Cells, which: int, pads: Pads) -> None:
    """Add what a look changes in the verdict that was standing."""
    outlooks[which].looks += 1
    for row in range(CORRECTED):
        for seat in range(pads.verdict.shape[1]):
            outlooks[which].change[row, seat] += pads.verdict[row, seat] - pads.standing[row, seat]


def glance(table: Cells, tree: Tree, later: Knowledge, pads: Pads, settings: Cells) -> int:
    """One look from an end of the round that the tree does not hold, taken at its word."""
    made = look(table, tree.counters[SIMULATIONS] % MOST_LOOKS, later, pads, settings)
    add_change(tree.outlooks, len(tree.outlooks) - 1, pads)
    share = settings[LOOK_SHARE]
    for row in range(CORRECTED):
        for seat in range(pads.verdict.shape[1]):
            pads.verdict[row, seat] = (1 - share) * pads.standing[row, seat] + share * pads.verdict[row, seat]
    return made


def look_again(table: Cells, node: int, tree: Tree, later: Knowledge, pads: Pads, settings: Cells) -> int:
    """One more look from an end of the round in the tree, if need be, and what all of them say together."""
    outlook, usual = tree.outlooks[node], tree.outlooks[len(tree.outlooks) - 1]
    if tree.nodes[node].visits == 1:
        outlook.looks = 0
        outlook.change[:] = 0
    made = 0
    if outlook.looks < MOST_LOOKS:
        made = look(table, outlook.looks, later, pads, settings)
        add_change(tree.outlooks, node, pads)
        add_change(tree.outlooks, len(tree.outlooks) - 1, pads)
    for row in range(CORRECTED):
        for seat in range(pads.verdict.shape[1]):
            expected = usual.change[row, seat] / usual.looks
            change = (outlook.change[row, seat] + DOUBT * expected) / (outlook.looks + DOUBT)
            pads.verdict[row, seat] = pads.standing[row, seat] + settings[LOOK_SHARE] * change
    return made


def look_ahead(table: Cells, node: int, tree: Tree, later: Knowledge, pads: Pads, settings: Cells) -> int:
    """Correct the verdict on ``table[1]``, an end of the round, by looks beyond the deal; returns the moves made.

    ``node`` is its place in the tree, -1 if it has none.
    """
    if is_over(table[1]):
        return 0
    pads.standing[:] = pads.verdict
    if node < 0:
        return glance(table, tree, later, pads, settings)
    return look_again(table, node, tree, later, pads, settings)
