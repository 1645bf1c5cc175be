"""Why the better move is better: at most three reasons, the ones that matter.

A game's own part ``reasons`` has ``reasons(comparison)``, which finds what only somebody who knows the game can see.
What can be said of any game follows from the points of both courses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight.comparison import Comparison, Course
from tilewright.insight.reason import Reason

MOST_REASONS = 3
POINTS_NOW = "points_now"
"""What a game's own reasons have said already, if it has any."""
_EXPLAINED = 0.5
"""If the game's own reasons weigh less than this share of the points lost, one for any game is added."""
_WIN = 10.0
"""The weight of winning the game, in points."""


def explain(
    position: Position, line: Sequence[Move], best_line: Sequence[Move], points_lost: float
) -> tuple[Reason, ...]:
    """Why the first move of the best line is better than the first of another."""
    comparison = Comparison.of(position, line, best_line)
    part: Any = position.game.spec.part("reasons")
    own: list[Reason] = [] if part is None else part.reasons(comparison)
    if all(reason.weight < _WIN for reason in own):
        own = [*own, *_winning(comparison)]
    found = sorted(own, key=lambda reason: -reason.weight)[:MOST_REASONS]
    if not found or (len(found) < MOST_REASONS and sum(one.weight for one in found) < _EXPLAINED * points_lost):
        general = _for_any_game(comparison, points_lost)
        found += [reason for reason in general if not found or reason.kind != POINTS_NOW][:1]
    return tuple(sorted(found, key=lambda reason: -reason.weight))


def _for_any_game(comparison: Comparison, points_lost: float) -> list[Reason]:
    """What can be said of any game, the heaviest first."""
    found = list(_points(comparison))
    if not found and round(points_lost) >= 1:
        if not comparison.played.end.is_over:
            found.append(Reason("position", {"n": round(points_lost)}, points_lost))
    elif not found:
        found.append(Reason("chances"))
    return sorted(found, key=lambda reason: -reason.weight)


def _winning(comparison: Comparison) -> Iterator[Reason]:
    theirs, ours = (_wins(course, comparison.seat) for course in (comparison.played, comparison.better))
    if comparison.is_whole and ours and not theirs:
        yield Reason("wins", {}, _WIN)


def _wins(course: Course, seat: int) -> bool:
    outcome = course.end.outcome()
    return outcome is not None and outcome.winners == (seat,)


def _points(comparison: Comparison) -> Iterator[Reason]:
    """Points of the move itself, else those that both courses bring by the end of the round."""
    seat, played, better = comparison.seat, comparison.played, comparison.better
    at_once = better.points(seat) - played.points(seat)
    if at_once > 0:
        yield Reason(POINTS_NOW, {"n": at_once}, at_once)
    if not comparison.is_whole:
        return
    in_all = better.points_by_end(seat) - played.points_by_end(seat)
    if in_all > max(0, at_once):
        yield Reason("round_points", {"n": in_all}, in_all)
    for other in comparison.others:
        less = played.points_by_end(other) - better.points_by_end(other)
        if less > 0:
            yield Reason("less_for_other", {"seat": other, "n": less}, less)
