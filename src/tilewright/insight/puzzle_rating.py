"""How hard a puzzle is, and how well somebody solves puzzles, on one scale.

A puzzle is rated by the levels of the bots. Each counts as a player with a nominal rating, and the puzzle gets the
rating at which Elo's formula expects it to be solved as often as it was. People are rated by Glicko, with each puzzle
as an opponent whose rating stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, pi, sqrt

LEVEL_RATINGS = (800, 1100, 1400, 1700, 2000, 2300)
"""What the levels count for, the weakest first."""
_MIDDLE = sum(LEVEL_RATINGS) / len(LEVEL_RATINGS)
_LOWEST, _HIGHEST = 0.0, 4000.0
_STEPS = 40
_Q = log(10) / 400

START, START_DEVIATION = 1500.0, 350.0
"""The rating of somebody who has solved nothing yet, and how unsure it is."""
LEAST_DEVIATION = 60.0
"""A rating always stays this unsure, so that it can follow somebody who learns."""
PUZZLE_DEVIATION = 100.0
"""How unsure the rating of a puzzle is."""


def expected(solver: float, puzzle: float) -> float:
    """How likely a solver of one rating is to solve a puzzle of another.

    >>> expected(1500, 1500), round(expected(1900, 1500), 2)
    (0.5, 0.91)
    """
    return float(1 / (1 + 10 ** ((puzzle - solver) / 400)))


def puzzle_rating(found: Sequence[float]) -> int:
    """The rating of a puzzle that the levels found with these frequencies.

    A draw against the average level is counted as well: it keeps the rating finite when no level found the solution.

    >>> puzzle_rating([0, 0, 0, 0, 1, 1]), puzzle_rating([0, 0, 1, 1, 1, 1]), puzzle_rating([0, 0, 0, 0, 0, 0])
    (1769, 1331, 2390)
    """
    solved = sum(found) + 0.5
    low, high = _LOWEST, _HIGHEST
    for _ in range(_STEPS):
        rating = (low + high) / 2
        if sum(expected(level, rating) for level in (*LEVEL_RATINGS, _MIDDLE)) > solved:
            low = rating
        else:
            high = rating
    return round(low)


@dataclass(frozen=True)
class SolverRating:
    """How well somebody solves puzzles: a rating, and its standard deviation."""

    rating: float = START
    deviation: float = START_DEVIATION

    def after(self, puzzle: float, is_solved: bool) -> SolverRating:
        """The rating after an answer to a puzzle of another rating: Glicko, with one game in each period.

        >>> after = SolverRating().after(1500, True)
        >>> round(after.rating), round(after.deviation)
        (1675, 252)
        """
        weight = 1 / sqrt(1 + 3 * (_Q * PUZZLE_DEVIATION / pi) ** 2)
        chance = 1 / (1 + 10 ** (weight * (puzzle - self.rating) / 400))
        information = (_Q * weight) ** 2 * chance * (1 - chance)
        variance = 1 / (1 / self.deviation**2 + information)
        rating = self.rating + _Q * variance * weight * (float(is_solved) - chance)
        return SolverRating(rating, max(LEAST_DEVIATION, sqrt(variance)))
