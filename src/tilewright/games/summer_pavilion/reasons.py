"""Why one move of Summer Pavilion is better than another: points, features, stars, tiles, the marker, the next player.

All of it follows from what the two moves do at once, which is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.game.effects import Effect
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family.heap import count_tiles, counts_of
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_BITS,
    FEATURES,
    STAR_SPACES,
    touched_features,
)
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
from tilewright.insight.reason import Reason, text_key

_BONUS_TILE, _JOKER, _MARKER, _SAVED_TILE, _SAVED_JOKER = 1.5, 1.5, 1.5, 0.5, 0.8
"""What these are worth, in points, to compare them with other reasons."""
_NEARLY_FULL = {1: 3.0, 2: 1.5}
"""The same for a star with one or two spaces open."""
_BEGUN, _COLLECTED = 2, 0.7
"""The fewest tiles of a star that is well begun, and what each is worth to tiles of its colour."""
_NEAR = 0.4
"""The worth of a bonus tile that is one space away, as a share of one that is there."""
_GATHERED, _OF_A_COLOUR = 3, 0.5
"""The fewest tiles of a colour in hand that are mentioned, and what each is worth."""
_AT_THE_END = 0.6
"""The worth of a point at the end of the game that is certain: mostly it would have come sooner or later."""
_CLEAR = 2
"""The smallest difference, in tiles, in what is left for the next player that is mentioned."""


def reasons(comparison: Comparison) -> list[Reason]:
    """All that hold."""
    return list(_reasons(comparison))


def _reasons(comparison: Comparison) -> Iterator[Reason]:
    played, better = comparison.played, comparison.better
    yield from _points(comparison)
    yield from _completed(played, better)
    if _first(better).what == PLACE:
        yield from _star_progress(comparison)
        yield from _feature_progress(comparison)
    if _first(played).what == _first(better).what == PLACE:
        yield from _price(played, better)
    if _first(played).what == _first(better).what == TAKE:
        yield from _takes(played, better)
        yield from _collecting(comparison)
        yield from _gathering(comparison)
        yield from _marker(comparison)
        yield from _left_for_the_next(comparison)
    if _first(played).what == _first(better).what == BONUS:
        yield from _jokers(played, better)
        yield from _bonus_for_a_star(comparison)


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
        surplus = int(count_tiles(comparison.position.state.hand[seat])) - CORNERS
        if 0 < surplus < comparison.position.scores[seat]:  # no loss takes a score below 1
            yield Reason("pass_discards", {"n": surplus}, surplus)
    elif kinds == (PLACE, PASS):
        tiles = int(count_tiles(comparison.position.state.hand[seat]))
        if 0 < tiles <= CORNERS and comparison.position.round < ROUNDS:
            yield Reason("pass_now", {"n": tiles}, _SAVED_TILE * tiles)
    elif kinds == (KEEP, KEEP) and ours > theirs:
        yield Reason("loses_fewer", {"n": -theirs, "other": -ours}, ours - theirs)


def _completed(played: Course, better: Course) -> Iterator[Reason]:
    """What only the better move completes, as far as it brings more than what the other one completes."""
    done = {_identity(effect) for effect in played.effects}
    new = [effect for effect in better.effects if _identity(effect) not in done]
    if (more := _bonus_tiles(better) - _bonus_tiles(played)) > 0:
        for kind, tiles in _features(new).items():
            yield Reason(kind, {"n": tiles}, _BONUS_TILE * min(more, tiles))
    if (points := _points_to_come(better) - _points_to_come(played)) > 0:
        for effect in new:
            if effect.what in (STAR, NUMBERS):
                weight = _AT_THE_END * min(points, int(str(effect.values["bonus"])))
                yield _end_bonus(better.position.game, effect, weight)


def _features(effects: Sequence[Effect]) -> dict[str, int]:
    """Features that are completed with bonus tiles, and how many tiles; two at once of a kind can only be pillars."""
    found: dict[str, int] = {}
    for effect in effects:
        values: Any = effect.values
        if effect.what != FEATURE or not values["tiles"]:
            continue
        if values["name"] in found:
            found["pillars"] = found.pop(values["name"]) + values["tiles"]
        else:
            found[values["name"]] = values["tiles"]
    return found


def _bonus_tiles(course: Course) -> int:
    return sum(int(str(effect.values["tiles"])) for effect in course.effects if effect.what == FEATURE)


def _points_to_come(course: Course) -> int:
    """Points at the end of the game for what a move completes."""
    return sum(int(str(effect.values["bonus"])) for effect in course.effects if effect.what in (STAR, NUMBERS))


def _end_bonus(game: Game, effect: Effect, weight: float) -> Reason:
    values: Any = effect.values
    if effect.what == NUMBERS:
        return Reason("number", {"number": values["number"], "bonus": values["bonus"]}, weight)
    if game.options["side"] == "grey" and values["star"] != CENTRE_STAR:
        return Reason("star_grey", {"number": star_number(values["star"]), "bonus": values["bonus"]}, weight)
    return Reason("star", {"star": _star_name(values["star"]), "bonus": values["bonus"]}, weight)


def _identity(effect: Effect) -> tuple[object, ...]:
    """What was completed, the same for different ways to do it."""
    return (effect.what, *(effect.values.get(name) for name in ("feature", "star", "number")))


def _star_progress(comparison: Comparison) -> Iterator[Reason]:
    """A star that is nearly full with the better move, and less full with the other."""
    row, seat, star = (
        comparison.better.after.state,
        comparison.seat,
        int(_values(comparison.better)["space"]) // STAR_SPACES,
    )
    before, now = (_covered(course.after, seat, star) for course in (comparison.played, comparison.better))
    missing = STAR_SPACES - now
    if now > before and missing in _NEARLY_FULL and (star == CENTRE_STAR or not row.grey):
        yield Reason("star_progress", {"star": _star_name(star), "n": missing}, _NEARLY_FULL[missing])


def _feature_progress(comparison: Comparison) -> Iterator[Reason]:
    """The most rewarding feature that lacks one space after the better move, and more after the other."""
    states = [course.after.state for course in (comparison.played, comparison.better)]
    found: list[tuple[int, str]] = []
    for feature in touched_features(int(_values(comparison.better)["space"])):
        name, tiles, _ = FEATURES[feature]
        open_spaces = (int(FEATURE_BITS[feature]) & ~int(row.covered[comparison.seat]) for row in states)
        before, now = (spaces.bit_count() for spaces in open_spaces)
        if now == 1 < before:
            found.append((tiles, name))
    if found:
        tiles, name = max(found)
        yield Reason(f"{name}_progress", {"n": tiles}, _NEAR * _BONUS_TILE * tiles)


def _covered(position: Position, seat: int, star: int) -> int:
    return int(star_pattern(position.state, seat, star)).bit_count()


def _star_name(star: int) -> str:
    return text_key("star_centre" if star == CENTRE_STAR else f"star_{TILES.letters[star]}")


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
    if position.state.grey:
        return
    kinds = [course.move.fields.kind for course in (comparison.played, comparison.better)]
    theirs, ours = (_covered(position, seat, kind) for kind in kinds)
    if _BEGUN <= ours < STAR_SPACES and ours > theirs:
        facts: dict[str, int | str] = {"star": _star_name(kinds[1]), "n": STAR_SPACES - ours}
        yield Reason("builds_star", facts, _COLLECTED * (ours - theirs))


def _gathering(comparison: Comparison) -> Iterator[Reason]:
    """Tiles that join others of their colour in hand: together they pay for spaces with high numbers."""
    kinds = [course.move.fields.kind for course in (comparison.played, comparison.better)]
    hands = [course.after.state.hand[comparison.seat] for course in (comparison.played, comparison.better)]
    theirs, ours = (counts_of(int(hand))[kind] for hand, kind in zip(hands, kinds, strict=True))
    had = counts_of(int(comparison.position.state.hand[comparison.seat]))[kinds[1]]
    if had and ours >= max(_GATHERED, theirs + 1):
        facts: dict[str, int | str] = {
            "n": ours,
            "other": theirs,
            "colour": text_key(f"tile_{TILES.letters[kinds[1]]}"),
        }
        yield Reason("collects_colour", facts, _OF_A_COLOUR * (ours - theirs))


def _jokers(played: Course, better: Course) -> Iterator[Reason]:
    theirs, ours = (int(_values(course)["jokers"]) for course in (played, better))
    if ours > theirs > 0:
        yield Reason("jokers", {"n": ours, "other": theirs}, _JOKER * (ours - theirs))
    elif ours > theirs:
        yield Reason("joker_alone", {"n": ours}, _JOKER * ours)


def _price(played: Course, better: Course) -> Iterator[Reason]:
    """What a placement costs: jokers above all, which fit anywhere and are good to keep."""
    theirs, ours = (int(_values(course)["jokers"]) for course in (played, better))
    if theirs > ours > 0:
        yield Reason("saves_jokers", {"n": ours, "other": theirs}, _SAVED_JOKER * (theirs - ours))
    elif theirs > ours:
        yield Reason("saves_all_jokers", {"n": theirs}, _SAVED_JOKER * theirs)
    elif theirs == ours:
        dear, cheap = (int(count_tiles(_values(course)["paid"])) for course in (played, better))
        if dear > cheap:
            yield Reason("saves_tiles", {"n": cheap, "other": dear}, _SAVED_TILE * (dear - cheap))


def _bonus_for_a_star(comparison: Comparison) -> Iterator[Reason]:
    """A bonus tile for a star that is further begun than those of the tiles that the move played chooses."""
    position, seat = comparison.position, comparison.seat
    if position.state.grey:
        return
    theirs, ours = (set(_kinds(course)) for course in (comparison.played, comparison.better))
    covered = {kind: _covered(position, seat, kind) for kind in theirs | ours}
    best = max(ours - theirs, key=covered.__getitem__, default=None)
    least = max((covered[kind] for kind in theirs - ours), default=0)
    if best is not None and max(_BEGUN, least + 1) <= covered[best] < STAR_SPACES:
        facts: dict[str, int | str] = {"star": _star_name(best), "n": STAR_SPACES - covered[best]}
        yield Reason("builds_star", facts, _COLLECTED * (covered[best] - least))


def _kinds(course: Course) -> list[int]:
    """The colours of the tiles that a move takes."""
    return [kind for kind, count in enumerate(counts_of(_values(course)["tiles"])) if count]


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
        yield Reason("leaves", {"seat": int(after.state.turn), "n": theirs, "other": ours}, theirs - ours)


def _largest_take(position: Position) -> int:
    takes: Iterator[Any] = (position.effects(move)[0].values for move in position.legal_moves)
    return max(int(count_tiles(take["tiles"])) for take in takes)
