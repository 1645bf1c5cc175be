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
VAGUE = ("position", "pays_off_later", "chances")
"""Kinds of reasons that say that a move is better, but not why. They come last."""
WINNING = ("wins", "wins_now")
"""Kinds of reasons that promise a win."""
_EXPLAINED = 0.5
"""If the reasons found weigh less than this share of the points lost, one for any game is added."""
_WIN = 10.0
"""The weight of winning the game, in points."""
_SURE = 0.9
"""The smallest win chance at which a win is promised."""
_CLEAR = 2
"""The smallest difference, in points, that is mentioned beside another reason."""


def explain(
    position: Position, line: Sequence[Move], best_line: Sequence[Move], points_lost: float, chance: float = 1.0
) -> tuple[Reason, ...]:
    """Why the first move of the best line is better than the first of another.

    The points lost and the win chance after the best line are what a long search says. The ends of the lines come from
    shorter ones: what does not agree with the long search is not told.
    """
    comparison = Comparison.of(position, line, best_line)
    part: Any = position.game.spec.part("reasons")
    own: list[Reason] = [] if part is None else part.reasons(comparison)
    if all(reason.kind not in WINNING for reason in own):
        own = [*own, *_winning(comparison)]
    own = [reason for reason in own if _is_credible(reason, points_lost, chance)]
    found = sorted(own, key=lambda reason: -reason.weight)[:MOST_REASONS]
    if _leaves_open(found, points_lost):
        general = [reason for reason in _points(comparison, found) if _is_credible(reason, points_lost, chance)]
        general.sort(key=lambda reason: -reason.weight)
        found += [reason for reason in general if not found or reason.kind != POINTS_NOW][:1]
    if _leaves_open(found, points_lost):
        found += _in_the_long_run(comparison, points_lost, is_alone=not found)
    return tuple(sorted(found, key=lambda reason: (reason.kind in VAGUE, -reason.weight)))


def _is_credible(reason: Reason, points_lost: float, chance: float) -> bool:
    """Whether a reason agrees with the long search.

    If much more is expected to be won than the move is worth, something that nobody sees makes up for it.
    """
    if reason.kind in WINNING:
        return chance >= _SURE
    return not reason.is_expected or reason.weight <= 1.5 * max(1.0, points_lost) + 1


def _leaves_open(found: list[Reason], points_lost: float) -> bool:
    """Whether there is more to say than these reasons do."""
    weight = sum(reason.weight for reason in found)
    return not found or (len(found) < MOST_REASONS and weight < _EXPLAINED * points_lost)


def _in_the_long_run(comparison: Comparison, points_lost: float, is_alone: bool) -> list[Reason]:
    """What the search says the move is worth, where nothing better can be said."""
    if round(points_lost) < 1:
        return [Reason("chances")] if is_alone else []
    if comparison.played.end.is_over and not is_alone:
        return []
    behind = _margin(comparison.played) - _margin(comparison.better) if comparison.is_whole else 0
    if _CLEAR <= behind <= points_lost:  # a larger turn than the move is worth would be hard to believe
        return [Reason("pays_off_later", {"n": behind, "total": round(points_lost)}, points_lost)]
    return [Reason("position", {"n": round(points_lost)}, points_lost)]


def _margin(course: Course) -> int:
    """Points that the player to move gains on the best of the others by the end of a course."""
    seat = course.position.turn or 0
    others = [other for other in range(course.position.game.players) if other != seat]
    return course.points_by_end(seat) - max(map(course.points_by_end, others), default=0)


def _winning(comparison: Comparison) -> Iterator[Reason]:
    theirs, ours = (_wins(course, comparison.seat) for course in (comparison.played, comparison.better))
    if comparison.is_whole and ours and not theirs:
        yield Reason("wins", {"seat": comparison.seat}, _WIN, is_expected=True)


def _wins(course: Course, seat: int) -> bool:
    outcome = course.end.outcome()
    return outcome is not None and outcome.winners == (seat,)


def _points(comparison: Comparison, found: Sequence[Reason]) -> Iterator[Reason]:
    """Points of the move itself, and those that both courses bring by the end of the round, if they are news."""
    seat, played, better = comparison.seat, comparison.played, comparison.better
    at_once = better.points(seat) - played.points(seat)
    if at_once > 0:
        yield Reason(POINTS_NOW, {"n": at_once}, at_once)
    if not comparison.is_whole:
        return
    in_all = better.points_by_end(seat) - played.points_by_end(seat)
    if in_all > max(0, at_once):
        yield from _round_points("round_points", seat, in_all, found)
    for other in comparison.others:
        less = played.points_by_end(other) - better.points_by_end(other)
        if less > 0:
            yield from _round_points("less_for_other", other, less, found)


def _round_points(kind: str, seat: int, points: int, found: Sequence[Reason]) -> Iterator[Reason]:
    """Points of a seat by the end of the round; beside reasons that account for a part of them, the rest."""
    told = [reason for reason in found if reason.round_points and reason.fields.get("seat") == seat]
    rest = points - sum(reason.round_points for reason in told)
    if not told:
        yield Reason(kind, {"seat": seat, "n": points}, points, is_expected=True)
    elif rest >= _CLEAR:
        weight = min(rest, *(reason.weight for reason in told))  # so that it follows what it adds to
        yield Reason(f"{kind}_besides", {"seat": seat, "n": rest}, weight, is_expected=True)
