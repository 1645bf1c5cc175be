"""Where the points of Summer Pavilion came from, for the table of points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import NUMBER_BONUS, STARS
from tilewright.kernels.compile import Row

if TYPE_CHECKING:
    from tilewright.game.position import Position


def points(position: Position, seat: int) -> dict[str, int]:
    """Where the points of a seat came from; the values add up to its score."""
    return sources_of(position.state, seat)


def sources_of(row: Row, seat: int) -> dict[str, int]:
    """The same, from a row."""
    sources = {
        "start": rules.FIRST_SCORE,
        "tiles placed": int(row.placing_points[seat]),
        "full stars": 0,
        "numbers covered": 0,
        "marker": -int(row.marker_loss[seat]),
        "discarded when passing": -int(row.passing_loss[seat]),
        "left in corners": 0,
    }
    if rules.is_over(row):
        sources["full stars"] = sum(int(rules.star_bonus(row, seat, star)) for star in range(STARS))
        numbers = range(1, len(NUMBER_BONUS))
        sources["numbers covered"] = sum(int(rules.number_bonus(row, seat, number)) for number in numbers)
        sources["left in corners"] = int(row.score[seat]) - sum(sources.values())
    return sources
