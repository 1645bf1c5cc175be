"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Winners, scores, and where every point came from.

    ``points[seat]`` names each source and what it gave or cost; its values add up to the score.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    points: tuple[dict[str, int], ...]

    def __str__(self) -> str:
        return result_line(self.winners, self.scores)


def result_line(winners: tuple[int, ...], scores: tuple[int, ...]) -> str:
    """Who won and the scores, as in records."""
    told = "-".join(str(score) for score in scores)
    seats = [str(seat + 1) for seat in winners]
    if len(seats) == 1:
        return f"player {seats[0]} wins {told}"
    return f"players {', '.join(seats[:-1])} and {seats[-1]} share the win {told}"
