"""The turning point of a game: the one event that the winner owes most to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.insight.review import Review

LEAST_SWING = 0.05
"""The smallest change in win chance that is worth naming."""


@dataclass(frozen=True)
class TurningPoint:
    """A move of somebody else, or a deal, and what it brought the winner."""

    event: int
    round: int
    seat: int | None
    """Whose move it was; None for a deal."""
    winner: int
    swing: float
    """The change in the winner's win chance."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, where players count from 1."""
        return {
            "event": self.event,
            "round": self.round,
            "player": None if self.seat is None else self.seat + 1,
            "winner": self.winner + 1,
            "swing": round(self.swing, 5),
        }


def turning_point(review: Review) -> TurningPoint | None:
    """The event that brought the winner most since the winner was last behind; None if there is none worth naming.

    Best play changes no win chance, so it is always a deal or a move of somebody else.
    """
    outcome = review.record.replay().outcome()
    if outcome is None or len(outcome.winners) > 1 or not review.is_complete:
        return None
    winner = outcome.winners[0]
    since = _last_behind(review, winner)
    found = [point for point in _points(review, winner) if point.event >= since and point.swing >= LEAST_SWING]
    return max(found, key=lambda point: point.swing, default=None)


def _points(review: Review, winner: int) -> Iterator[TurningPoint]:
    """What moves of the others and deals brought the winner; not deals whose luck may be an accident of the samples."""
    for move in review.moves:
        if move.seat != winner:
            yield TurningPoint(move.event, move.round, move.seat, winner, move.given[winner])
    for draw in review.draws:
        if draw.luck[winner] > 2 * draw.error[winner]:
            yield TurningPoint(draw.event, draw.round, None, winner, draw.luck[winner])


def _last_behind(review: Review, winner: int) -> int:
    """The last event before which the winner's chance was below a fair share; the first event if there is none."""
    fair = 1 / review.record.game.players
    behind = [n for n, one in enumerate(review.expectations[:-1]) if one is not None and one.chances[winner] < fair]
    return behind[-1] if behind else 0
