"""The sequential test: play until it is clear which of two strengths the first bot has, and no longer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, log

from tilewright.arena.statistics import PAIR_RESULTS, share_of_elo
from tilewright.game.errors import BadOption

_UNSEEN = 1e-3
"""The weight of results that have not come yet, so that a few equal pairs do not decide a match."""
_HALVINGS = 45


@dataclass(frozen=True)
class Sprt:
    """The question: is the first bot stronger by ``elo0`` or by ``elo1``?

    >>> test = Sprt(0, 5)
    >>> round(test.lower, 2), round(test.upper, 2)
    (-2.94, 2.94)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting ``elo1`` for a bot of strength ``elo0``."""
    beta: float = 0.05
    """The probability of accepting ``elo0`` for a bot of strength ``elo1``."""

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadOption(
                f"an SPRT is between a lower and a higher Elo, such as 0 and 5, not {self.elo0} and {self.elo1}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadOption(f"alpha and beta must be between 0 and 0.5, such as 0.05, not {self.alpha} and {self.beta}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which ``elo0`` is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which ``elo1`` is accepted."""
        return log((1 - self.beta) / self.alpha)

    def decision(self, llr: float) -> str:
        """``H1`` (the first bot is as strong as ``elo1``), ``H0`` (it is not) or ``undecided``."""
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else "undecided"


@dataclass
class SprtRun:
    """A test in progress: it takes the score of one set after the other and stops listening once it has decided."""

    test: Sprt
    players: int = 2
    curve: list[float] = field(default_factory=list)
    """The log-likelihood ratio after each set."""
    _counts: Counter[float] = field(default_factory=Counter)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio now."""
        return self.curve[-1] if self.curve else 0.0

    @property
    def decision(self) -> str:
        """What has been decided so far."""
        return self.test.decision(self.llr)

    @property
    def decided(self) -> bool:
        """Whether the match can stop."""
        return self.decision != "undecided"

    def take(self, score: float) -> None:
        """The next set's mean score of the first bot."""
        if not self.decided:
            self._counts[round(score, 9)] += 1
            self.curve.append(log_likelihood_ratio(self._counts, self.test, self.players))


def log_likelihood_ratio(counts: dict[float, int], test: Sprt, players: int = 2) -> float:
    """How much likelier the results are if the first bot is ``elo1`` stronger than if it is ``elo0``, as a log.

    The generalised test of chess engines: under each hypothesis every distribution of set scores with the right
    mean is allowed, and the one that fits best is taken. No draw rate has to be assumed, and the luck that the
    games of a set share is accounted for.
    """
    results = set(counts) | (set(PAIR_RESULTS) if players == 2 else {0.0, 1.0})
    scores = sorted(results)
    weights = [counts.get(score, 0) or _UNSEEN for score in scores]
    lower = _best_fit(scores, weights, share_of_elo(test.elo0, players))
    higher = _best_fit(scores, weights, share_of_elo(test.elo1, players))
    return sum(weight * log(b / a) for weight, a, b in zip(weights, lower, higher, strict=True))


def _best_fit(scores: Sequence[float], weights: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean that makes the counted scores likeliest.

    By Lagrange it is w / (1 + t (score - mean)), and t is where its mean is right; found by halving.
    """
    total = sum(weights)
    shares = [weight / total for weight in weights]
    distances = [score - mean for score in scores]
    low, high = -1 / max(distances), -1 / min(distances)
    for _ in range(_HALVINGS):
        t = (low + high) / 2
        excess = sum(share * far / (1 + t * far) for share, far in zip(shares, distances, strict=True))
        low, high = (t, high) if excess > 0 else (low, t)
    t = (low + high) / 2
    return [share / (1 + t * far) for share, far in zip(shares, distances, strict=True)]
