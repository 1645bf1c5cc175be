"""What the players can expect in a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.game.position import Position
from tilewright.search.settling import MARGIN_SCALE
from tilewright.search.utility import utility

_DIGITS = 5
"""Decimal places, finer than any search can tell: what is read from a file is exactly what was written."""


@dataclass(frozen=True)
class Expectation:
    """By seat, the chance to win, a shared win counting in part, and the margin in points over the best other seat."""

    chances: tuple[float, ...]
    margins: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", rounded(self.chances))
        object.__setattr__(self, "margins", rounded(self.margins))

    @classmethod
    def of_outcome(cls, position: Position) -> Expectation:
        """The result of a finished game."""
        outcome = position.outcome()
        assert outcome is not None
        shares = tuple(float(seat in outcome.winners) / len(outcome.winners) for seat in range(position.game.players))
        margins = tuple(
            float(own - max(score for other, score in enumerate(outcome.scores) if other != seat))
            for seat, own in enumerate(outcome.scores)
        )
        return cls(shares, margins)

    @classmethod
    def mean(cls, samples: list[Expectation]) -> Expectation:
        """The average of several."""
        chances = np.mean([sample.chances for sample in samples], axis=0)
        margins = np.mean([sample.margins for sample in samples], axis=0)
        return cls(tuple(chances), tuple(margins))

    def utility_for(self, seat: int) -> float:
        """What a seat wants most of: the utility that the search maximises, of chance and margin."""
        values = np.array([*self.chances, *(margin / MARGIN_SCALE for margin in self.margins)])
        return float(utility(values, 0, seat, len(self.chances)))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"chances": list(self.chances), "margins": list(self.margins)}

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> Expectation:
        """What ``to_dict`` wrote."""
        return cls(tuple(told["chances"]), tuple(told["margins"]))


def rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    """Numbers as precise as files have them."""
    return tuple(round(float(number), _DIGITS) for number in numbers)


def difference(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """The first less the second, seat by seat."""
    return rounded(a - b for a, b in zip(one, other, strict=True))
