"""What happens when a move is played, step by step, as the rules say it.

``spec.effects(position, move)`` plays a legal move with the game's own kernels and tells what they did: tiles that
moved, points and what they are for, the marker, the end of a round. The log, the preview, the animation, the coach,
the review and explanations are views of this list: none of them works out again what the rules decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.game.moves import Move
    from tilewright.game.position import Position


BAG = "bag"
"""The place from which drawn tiles come."""
DISCARDS = "discards"
"""The place to which tiles go that leave the table: a lid, a tower."""
MARKER = "marker"
"""The kind of a piece that is not a tile: the starting player marker."""


@dataclass(frozen=True)
class TilesMoved:
    """Tiles of one kind that go from one place to another.

    Places are named as in pictures: ``bag``, ``discards``, ``factory-3``, ``centre``, ``p1-line-2``. The kind is the
    letter of a tile, or the name of another piece (``marker``).
    """

    kind: str
    number: int
    origin: str
    target: str


@dataclass(frozen=True)
class Effect:
    """One step of what a move does."""

    what: str
    """What happens, in a word that the game's wording knows: ``take``, ``floor``, ``wall``, ..."""
    after: Position
    """The position right after this step. It has no dealer and may lie between two decisions."""
    seat: int | None = None
    """Whose board or score it is about."""
    points: int = 0
    """The points that the seat gained or lost; 0 also if a penalty found nothing to deduct."""
    at: str = ""
    """The slot or spot on the table where the points are scored."""
    tiles: tuple[TilesMoved, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    """Further facts, by name, for wording and features."""

    __hash__ = None  # type: ignore[assignment]  # positions and dictionaries have none either

    def moved(self, *, origin: str = "", target: str = "") -> int:
        """How many tiles left a place or came to one, by the beginning of its name."""
        return sum(
            move.number for move in self.tiles if move.origin.startswith(origin) and move.target.startswith(target)
        )


MOVE = "move"
"""The one effect of a game that does not tell effects of its own."""


def whole_move(position: Position, move: Move) -> list[Effect]:
    """The default: each seat's points in one step, for games that tell no effects of their own."""
    after = position.without_dealer()
    after.push(move)
    mover = position.turn
    seats = [mover, *(seat for seat in range(position.game.players) if seat != mover)]
    gains = {seat: after.scores[seat] - position.scores[seat] for seat in seats if seat is not None}
    told = [Effect(MOVE, after, mover, gains.pop(mover) if mover is not None else 0, f"p{(mover or 0) + 1}-score")]
    told += [Effect(MOVE, after, seat, points, f"p{seat + 1}-score") for seat, points in gains.items() if points]
    return told
