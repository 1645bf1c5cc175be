"""Why one move of Summer Pavilion is better than another: points, features, stars, tiles, the marker, the next player.

All of it follows from what the two moves do at once, which is certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilewright.game.effects import Effect
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family.heap import count_tiles
from tilewright.games.summer_pavilion.board import CENTRE_STAR, STAR_SPACES
from tilewright.games.summer_pavilion.effects import (
    BONUS,
    FEATURE,
    KEEP,
    NUMBERS,
    PASS,
    PLACE,
    STAR,
    TAKE,
    TAKE_MARKER,
)
from tilewright.games.summer_pavilion.names import TILES, star_number
from tilewright.games.summer_pavilion.rules import CORNERS, ROUNDS
from tilewright.games.summer_pavilion.stars import star_pattern
from tilewright.insight.comparison import Comparison, Course
from tilewright.insight.reason import Reason, word

_BONUS_TILE, _JOKER, _MARKER, _SAVED_TILE = 1.5, 1.5, 1.5, 0.5
"""What these are worth, in points, to compare them with other reasons."""
_NEARLY_FULL = {1: 3.0, 2: 1.5}
"""The same for a star with one or two spaces open."""
_BEGUN, _COLLECTED = 2, 0.7
"""Tiles from which on a star is well begun, and the worth of each for tiles of its colour."""
_AT_THE_END = 0.6
"""The worth of a point at the end of the game that is certain: mostly it would have come sooner or later."""
_CLEAR = 2
"""Tiles from which on a difference in what is left for the next player is worth telling."""


def reasons(comparison: Comparison) -> list[Reason]:
    """All that hold."""
    return list(_reasons(comparison))


def _reasons(comparison: Comparison) -> Iterator[Reason]:
    played, better = comparison.played, comparison.better
    yield from _points(comparison)
    yield from _completed(played, better)
    if _first(better).what == PLACE:
        yield from _star_progress(comparison)
    if _first(played).what == _first(better).what == TAKE:
        yield from _takes(played, better)
        yield from _collecting(comparison)
        yield from _marker(comparison)
        yield from _left_for_the_next(comparison)
    if _first(played).what == _first(better).what == BONUS:
        yield from _jokers(played, better)


def _first(course: Course) -> Effect:
    return course.effects[0]


def _values(course: Course) -> Any:
    return _first(course).values


# Placing, passing, keeping ------------------------------------------------------------------------------


def _points(comparison: Comparison) -> Iterator[Reason]:
    """What the moves score and cost at once."""
    played, better, seat = comparison.played, comparison.better, comparison.seat
    kinds = _first(played).what, _first(better).what
    theirs, ours = _first(played).points, _first(better).points
    if kinds == (PLACE, PLACE) and ours > theirs:
        yield Reason("scores_more", {"n": ours, "other": theirs}, ours - theirs)
    elif kinds == (PASS, PLACE):
        yield Reason("passes_early", {"n": ours}, ours + _SAVED_TILE)
    elif kinds == (PLACE, PASS):
        tiles = int(count_tiles(comparison.position.row.hand[seat]))
        if 0 < tiles <= CORNERS and comparison.position.round < ROUNDS:
            yield Reason("pass_now", {"n": tiles}, _SAVED_TILE * tiles)
    elif kinds == (KEEP, KEEP) and ours > theirs:
        yield Reason("loses_fewer", {"n": -theirs, "other": -ours}, ours - theirs)


def _completed(played: Course, better: Course) -> Iterator[Reason]:
    """What only the better move completes."""
    done = {_identity(effect) for effect in played.effects}
    for effect in better.effects:
        values: Any = effect.values
        if _identity(effect) in done:
            continue
        if effect.what == FEATURE and values["tiles"]:
            yield Reason(values["name"], {"n": values["tiles"]}, _BONUS_TILE * values["tiles"])
        elif effect.what == STAR:
            yield _star(better.position.game, values["star"], values["bonus"])
        elif effect.what == NUMBERS:
            facts = {"number": values["number"], "bonus": values["bonus"]}
            yield Reason("number", facts, _AT_THE_END * values["bonus"])


def _identity(effect: Effect) -> tuple[object, ...]:
    """What was completed, the same for different ways to do it."""
    return (effect.what, *(effect.values.get(name) for name in ("feature", "star", "number")))


def _star(game: Game, star: int, bonus: int) -> Reason:
    if game.options["side"] == "grey" and star != CENTRE_STAR:
        return Reason("star_grey", {"number": star_number(star), "bonus": bonus}, _AT_THE_END * bonus)
    return Reason("star", {"star": _star_word(star), "bonus": bonus}, _AT_THE_END * bonus)


def _star_progress(comparison: Comparison) -> Iterator[Reason]:
    """A star that is nearly full with the better move, and less full with the other."""
    row, seat, star = (
        comparison.better.after.row,
        comparison.seat,
        int(_values(comparison.better)["space"]) // STAR_SPACES,
    )
    before, now = (_covered(course.after, seat, star) for course in (comparison.played, comparison.better))
    missing = STAR_SPACES - now
    if now > before and missing in _NEARLY_FULL and (star == CENTRE_STAR or not row.grey):
        yield Reason("star_progress", {"star": _star_word(star), "n": missing}, _NEARLY_FULL[missing])


def _covered(position: Position, seat: int, star: int) -> int:
    return int(star_pattern(position.row, seat, star)).bit_count()


def _star_word(star: int) -> str:
    return word("star_centre" if star == CENTRE_STAR else f"star_{TILES.letters[star]}")


# Taking -------------------------------------------------------------------------------------------------


def _takes(played: Course, better: Course) -> Iterator[Reason]:
    """How many tiles come, and jokers among them."""
    theirs, ours = (int(count_tiles(_values(course)["tiles"])) for course in (played, better))
    if ours > theirs:
        yield Reason("more_tiles", {"n": ours, "other": theirs}, ours - theirs)
    yield from _jokers(played, better)


def _collecting(comparison: Comparison) -> Iterator[Reason]:
    """Tiles for a star that is well begun; on the grey side the stars have no colours."""
    position, seat = comparison.position, comparison.seat
    if position.row.grey:
        return
    kinds = [course.move.fields.kind for course in (comparison.played, comparison.better)]
    theirs, ours = (_covered(position, seat, kind) for kind in kinds)
    if _BEGUN <= ours < STAR_SPACES and ours > theirs:
        facts: dict[str, int | str] = {"star": _star_word(kinds[1]), "n": STAR_SPACES - ours}
        yield Reason("builds_star", facts, _COLLECTED * (ours - theirs))


def _jokers(played: Course, better: Course) -> Iterator[Reason]:
    theirs, ours = (int(_values(course)["jokers"]) for course in (played, better))
    if ours > theirs:
        yield Reason("jokers", {"n": ours, "other": theirs}, _JOKER * (ours - theirs))


def _marker(comparison: Comparison) -> Iterator[Reason]:
    """The marker: the first turn when placing and in the next round, for a point per tile taken."""
    theirs, ours = (_marker_cost(course) for course in (comparison.played, comparison.better))
    if theirs is None and ours is not None and comparison.position.round < ROUNDS:
        yield Reason("marker", {}, _MARKER)
    if theirs and ours is None:
        yield Reason("marker_cost", {"n": theirs}, theirs)


def _marker_cost(course: Course) -> int | None:
    """What the marker costs; None if the move does not take it."""
    return next((-effect.points for effect in course.effects if effect.what == TAKE_MARKER), None)


def _left_for_the_next(comparison: Comparison) -> Iterator[Reason]:
    """The largest take that the move played leaves for the next player."""
    after, otherwise = comparison.played.after, comparison.better.after
    if after.phase != "draft" or otherwise.phase != "draft" or after.turn in (None, comparison.seat):
        return
    theirs, ours = _largest_take(after), _largest_take(otherwise)
    if theirs - ours >= _CLEAR:
        yield Reason("leaves", {"seat": int(after.row.turn), "n": theirs, "other": ours}, theirs - ours)


def _largest_take(position: Position) -> int:
    takes: Iterator[Any] = (position.effects(move)[0].values for move in position.legal_moves)
    return max(int(count_tiles(take["tiles"])) for take in takes)
