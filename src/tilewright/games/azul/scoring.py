"""Where the points of Azul came from, for the table of points at the end of a game, and what decides a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.games.azul import rules
from tilewright.games.azul.wall import LINES, count_rows
from tilewright.kernels.compile import Row

if TYPE_CHECKING:
    from tilewright.game.position import Position


def points(position: Position, seat: int) -> dict[str, int]:
    """Where the points of a seat came from; the values add up to its score at any time."""
    return sources_of(position.state, seat)


def tie_breaks(position: Position, seat: int) -> dict[str, int]:
    """What decides between players with equal points."""
    return {"full rows": int(count_rows(position.state, seat))}


def sources_of(row: Row, seat: int) -> dict[str, int]:
    """The same, from a row.

    Bonuses count once the game is over. The floor line is what it really took: less than its penalty where the score
    was too low to pay it.
    """
    over = bool(rules.is_over(row))
    sources = {"tiles on the wall": int(row.wall_points[seat])}
    sources |= {source: bonus if over else 0 for source, bonus in _bonuses(row, seat).items()}
    sources["floor line"] = int(row.score[seat]) - sum(sources.values())
    return sources


def _bonuses(row: Row, seat: int) -> dict[str, int]:
    """What the full rows, columns and colours of a wall are worth at the end."""
    return {
        source: sum(int(rules.bonus(row, seat, what, n)) for n in range(LINES))
        for what, source in enumerate(("full rows", "full columns", "full colours"))
    }
