"""How good a move was: its grade and its accuracy, both from the win chance that it gave away."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import exp

import numpy as np

_LEAST_MOVES = 2
"""Fewer graded moves have no accuracy."""


class Grade(StrEnum):
    """From the best move to a blunder. Forced moves have no grade."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


_GRADES = ((0.15, Grade.BLUNDER), (0.05, Grade.MISTAKE), (0.02, Grade.INACCURACY), (0.005, Grade.GOOD))
"""The smallest loss of win chance for each grade; what gives away less is as good as the best move."""
MISTAKES = (Grade.MISTAKE, Grade.BLUNDER)
NOTEWORTHY = (Grade.INACCURACY, *MISTAKES)
"""Grades of moves for which reasons are given."""


def grade_of(loss: float, is_best: bool) -> Grade:
    """The grade of a move that gave away some win chance, from 0 to 1.

    >>> grade_of(0.0, True), grade_of(0.01, False), grade_of(0.08, False)
    (<Grade.BEST: 'best'>, <Grade.GOOD: 'good'>, <Grade.MISTAKE: 'mistake'>)
    """
    if is_best:
        return Grade.BEST
    return next((grade for least, grade in _GRADES if loss >= least), Grade.BEST)


def accuracy_of(loss: float) -> float:
    """The accuracy of a move in percent: the curve of lichess, from 100 for the best move down to 0.

    >>> round(accuracy_of(0.0)), round(accuracy_of(0.05)), round(accuracy_of(0.3))
    (100, 80, 25)
    """
    return min(100.0, max(0.0, 103.1668 * exp(-0.04354 * 100 * loss) - 3.1669))


def stake_of(chance: float) -> float:
    """How much is at stake for a player with a win chance, from 0 in a decided game to 1 in an even one.

    >>> stake_of(0.5), round(stake_of(0.95), 2), stake_of(1.0)
    (1.0, 0.19, 0.0)
    """
    return 4 * chance * (1 - chance)


def mean_accuracy(losses: Sequence[float], stakes: Sequence[float]) -> tuple[float, float] | None:
    """The accuracy of a player and its standard error: the mean over moves, weighted with what was at stake.

    In a decided game no move costs anything any more; without the weights, such moves would flatter the loser.

    >>> mean_accuracy([], []) is None
    True
    """
    weights = np.array(stakes)
    if len(losses) < _LEAST_MOVES or not weights.sum():
        return None
    accuracies = np.array([accuracy_of(loss) for loss in losses])
    weights /= weights.sum()
    mean = float((weights * accuracies).sum())
    return mean, float(np.sqrt((weights**2 * (accuracies - mean) ** 2).sum()))
