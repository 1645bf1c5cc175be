"""Where the points of Azul came from, for the table of points at the end of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.games.azul import rules
from tilewright.kernels.compile import Row

if TYPE_CHECKING:
    from tilewright.game.position import Position


def points(position: Position, seat: int) -> dict[str, int]:
    """Where the points of a seat came from; the values add up to its score."""
    return sources_of(position.row, seat)


def sources_of(row: Row, seat: int) -> dict[str, int]:
    """The same, from a row."""
    sources = {
        "tiles on the wall": int(row.wall_points[seat]),
        "full rows": rules.ROW_BONUS * int(rules.count_rows(row, seat)),
        "full columns": rules.COLUMN_BONUS * int(rules.count_columns(row, seat)),
        "full colours": rules.COLOUR_BONUS * int(rules.count_colours(row, seat)),
    }
    # What the floor line really took: less than its penalty where the score was too low to pay it.
    sources["floor line"] = int(row.score[seat]) - sum(sources.values())
    return sources
