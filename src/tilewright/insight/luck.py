"""The luck of a deal: what it was worth, less the average over the deals that were possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tilewright.game.position import Position
from tilewright.insight.expectation import Expectation, difference, rounded

SAMPLES = 24
"""Deals over which the average is taken."""


@dataclass(frozen=True)
class Luck:
    """By seat, the luck of a deal in win chance, with its standard error, and in points."""

    luck: tuple[float, ...]
    error: tuple[float, ...]
    luck_points: tuple[float, ...]
    average: Expectation
    """Before the deal."""
    samples: int


def luck_of(before: Position, dealt: Position, value: Callable[[Position], Expectation], seed: tuple[int, ...]) -> Luck:
    """Compare a deal with others that are sampled with the true chances and evaluated by the same search.

    The actual deal is not one of the samples: so the mean of the luck over many games is zero, whatever the evaluator
    thinks.
    """
    words = np.random.SeedSequence(seed).generate_state(SAMPLES, np.uint64)
    samples = [value(_dealt(before, int(word))) for word in words]
    average, actual = Expectation.mean(samples), value(dealt)
    spread = np.std([sample.chances for sample in samples], axis=0, ddof=1)
    return Luck(
        luck=difference(actual.chances, average.chances),
        error=rounded(spread / np.sqrt(len(samples))),
        luck_points=difference(actual.margins, average.margins),
        average=average,
        samples=len(samples),
    )


def _dealt(position: Position, seed: int) -> Position:
    dealt = position.without_dealer()
    dealt.deal(seed=seed)
    return dealt
