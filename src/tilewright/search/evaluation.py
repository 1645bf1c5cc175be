"""What is expected at the end of a round: points, chances to win, and the value that the search goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.kernels.compile import Cells
from tilewright.search.workspace import (
    CHANCE,
    CHANCE_SCALE,
    MARGIN,
    MARGIN_SHARE,
    SCORE,
    VALUE,
    WIDEST_MARGIN,
    Knowledge,
    Pads,
)

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import beats, is_over
    from tilewright.search.interface import note_features, stage_of


def promise(table: Cells, i: int, seat: int, knowledge: Knowledge, pads: Pads) -> float:
    """The points that a player may still expect between two rounds."""
    if is_over(table[i]):
        return 0.0
    note_features(table[i], seat, pads.features)
    stage = stage_of(table[i])
    total = 0.0
    for n in range(len(pads.features)):
        total += knowledge.weights[stage, n] * pads.features[n]
    return total


def share_win(table: Cells, i: int, verdict: Cells) -> None:
    """The winners of a finished game, by all its rules for ties."""
    for seat in range(table[i].players):
        verdict[VALUE, seat] = 1.0
        for other in range(table[i].players):
            if beats(table[i], other, seat):
                verdict[VALUE, seat] = 0.0


def judge(table: Cells, i: int, knowledge: Knowledge, pads: Pads, settings: Cells) -> None:
    """At the end of a round, for each player: the chance to win, the margin that is expected, and the value.

    The value is the chance to win, and to a small part the margin, so that a player who has all but won or lost
    still plays for points.
    """
    verdict = pads.verdict
    players = table[i].players
    for seat in range(players):
        verdict[SCORE, seat] = table[i].score[seat] + promise(table, i, seat, knowledge, pads)
    if is_over(table[i]):
        share_win(table, i, verdict)
    else:
        scale = knowledge.weights[stage_of(table[i]), -1] * settings[CHANCE_SCALE]
        top = verdict[SCORE, :players].max()
        for seat in range(players):
            verdict[VALUE, seat] = np.exp((verdict[SCORE, seat] - top) / scale)
    total = verdict[VALUE, :players].sum()
    for seat in range(players):
        best_other = -1e9
        for other in range(players):
            if other != seat:
                best_other = max(best_other, verdict[SCORE, other])
        verdict[MARGIN, seat] = verdict[SCORE, seat] - best_other
        verdict[CHANCE, seat] = verdict[VALUE, seat] / total
        by_margin = min(1.0, max(0.0, 0.5 + verdict[MARGIN, seat] / WIDEST_MARGIN))
        share = settings[MARGIN_SHARE]
        verdict[VALUE, seat] = (1 - share) * verdict[CHANCE, seat] + share * by_margin
