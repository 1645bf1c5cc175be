"""What the results of sets say about the strength of bots. Pure functions of numbers.

The games of a set share a deal, so they are not independent; the sets are. Every error and interval here therefore
comes from the spread between sets. For two players a set is a pair of games, and the counts of its five possible
results (0, ½, 1, 1½ or 2 points) are the *pentanomial* of computer chess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10, sqrt

import numpy as np

Z95 = 1.959964
"""Standard errors on either side of the mean that cover 95 % of a normal distribution."""
PAIR_RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores that a pair of games can have, a win counting 1 and a shared win ½."""


@dataclass(frozen=True)
class Mean:
    """A mean over sets and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of independent values. Of a single one the error is not known, and said to be 0.

        >>> Mean.of([1.0, 2.0, 3.0])
        Mean(value=2.0, error=0.5773502691896258)
        """
        spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        return cls(float(np.mean(values)), spread / sqrt(len(values)))


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def reversed(self) -> Estimate:
        """The same, seen by the opponent."""
        return Estimate(-self.value, -self.high, -self.low)


def elo_of_share(share: float, players: int = 2) -> float:
    """The Elo difference at which a player wins this share of games against equal opponents.

    A difference of 400 means ten to one against each of them. For two players this is the usual formula; at
    larger tables the winner is drawn by the same odds, so a fair share is always 0.

    >>> round(elo_of_share(0.75), 1), elo_of_share(0.25, players=4) + 0.0
    (190.8, 0.0)
    """
    return 400 * log10(share * (players - 1) / (1 - share))


def share_of_elo(elo: float, players: int = 2) -> float:
    """The share of games won by a player who is this much stronger than every opponent.

    >>> round(share_of_elo(190.85), 4), share_of_elo(0, players=4)
    (0.75, 0.25)
    """
    odds = float(10 ** (elo / 400))
    return odds / (odds + players - 1)


def count_pairs(scores: Sequence[float]) -> list[int]:
    """The pentanomial: how many pairs had each of the five results.

    >>> count_pairs([0.5, 1.0, 0.5, 0.75])
    [0, 0, 2, 1, 1]
    """
    return [sum(abs(score - result) < 1e-9 for score in scores) for result in PAIR_RESULTS]


def elo_from_sets(scores: Sequence[float], players: int = 2) -> Estimate:
    """Elo and its interval from the mean score of each set.

    The interval is computed as if there were two sets more, one lost and one won altogether: without them, bots
    that won everything would be infinitely strong without a doubt (Agresti and Coull's remedy, for sets). For the
    same reason a score is kept half a game away from 0 and 1.
    """
    nearest = 0.5 / (len(scores) * players)

    def elo(share: float) -> float:
        return elo_of_share(min(max(share, nearest), 1 - nearest), players)

    value = elo(float(np.mean(scores)))
    padded = Mean.of([0.0, 1.0, *scores])
    low, high = (elo(padded.value + side * Z95 * padded.error) for side in (-1, 1))
    return Estimate(value, min(low, value), max(high, value))
