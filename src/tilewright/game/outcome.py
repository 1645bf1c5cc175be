"""How a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """Winners, scores, and where every point came from.

    ``points[seat]`` names each source and what it gave or cost; its values add up to the score.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[Mapping[str, int], ...] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(MappingProxyType(dict(points)) for points in self.points))

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views cannot be pickled.
        return Outcome, (self.winners, self.scores, tuple(map(dict, self.points)))

    def __str__(self) -> str:
        return result_line(self.winners, self.scores)


def result_line(winners: tuple[int, ...], scores: tuple[int, ...]) -> str:
    """Who won and the scores, as in records."""
    told = "-".join(str(score) for score in scores)
    seats = [str(seat + 1) for seat in winners]
    if len(seats) == 1:
        return f"player {seats[0]} wins {told}"
    return f"players {', '.join(seats[:-1])} and {seats[-1]} share the win {told}"
