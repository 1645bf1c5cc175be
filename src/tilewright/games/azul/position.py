"""A position of Azul in the words of the rulebook: walls, pattern lines, floor lines."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.games.azul import rules
from tilewright.games.azul.notation import TILES
from tilewright.games.azul.wall import EMPTY, LINES
from tilewright.games.family.position import FamilyPosition
from tilewright.games.family.views import Tiles

_LETTERS = dict(zip(TILES.names, TILES.letters, strict=True))


class Wall(tuple[tuple[str | None, ...], ...]):
    """The rows of a wall from the top; each has the name of the tile on every cell, or None, from the left.

    >>> wall = Wall([("blue", None, None, None, None)] + [(None,) * 5] * 4)
    >>> wall
    Wall('b..../...../...../...../.....')
    >>> wall[0][0], wall.columns[0], wall.covered
    ('blue', ('blue', None, None, None, None), 1)
    """

    __slots__ = ()

    @property
    def columns(self) -> tuple[tuple[str | None, ...], ...]:
        """The columns from the left; each from the top."""
        return tuple(zip(*self, strict=True))

    @property
    def covered(self) -> int:
        """How many cells have a tile."""
        return sum(tile is not None for row in self for tile in row)

    def __repr__(self) -> str:
        rows = ("".join("." if tile is None else _LETTERS[tile] for tile in row) for row in self)
        return f"Wall({'/'.join(rows)!r})"


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A pattern line.

    >>> PatternLine(size=3, colour="red", tiles=2).free
    1
    """

    size: int
    """How many tiles fill it: line 1 has one space, line 5 has five."""
    colour: str | None
    """The colour of its tiles; None if it is empty or has only jokers."""
    tiles: int
    """How many tiles it has, jokers included."""
    jokers: int = 0
    """How many of them are jokers."""

    @property
    def free(self) -> int:
        """How many spaces are free."""
        return self.size - self.tiles

    @property
    def is_full(self) -> bool:
        """Whether a tile moves to the wall at the end of the round."""
        return self.tiles == self.size


@dataclass(frozen=True, slots=True)
class FloorLine:
    """A floor line."""

    tiles: Tiles
    marker: bool
    """Whether the starting player marker lies there too."""
    penalty: int
    """The points that it will cost at the end of the round."""


class AzulPosition(FamilyPosition):
    """A position of Azul or Azul Mini.

    >>> import tilewright as tw
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> position.factories[0], position.centre
    (Tiles(blue=1, yellow=1, red=1, white=1), Tiles())
    >>> for move in ("4w2", "1b1", "cr1"):
    ...     _ = position.push(move)
    >>> position.lines[0][:2]
    (PatternLine(size=1, colour='red', tiles=1, jokers=0), PatternLine(size=2, colour='white', tiles=2, jokers=0))
    >>> position.floors[0]
    FloorLine(tiles=Tiles(red=1, white=1), marker=True, penalty=4)
    """

    @property
    def lid(self) -> Tiles:
        """The tiles in the lid of the box, which refill the bag when it is empty."""
        return self._tiles(self.state.lid)

    @property
    def walls(self) -> tuple[Wall, ...]:
        """The wall of each seat."""
        names = self.game.tiles.names
        return tuple(
            Wall(tuple(None if kind == EMPTY else names[kind] for kind in row) for row in self.state.wall[seat])
            for seat in range(self.game.players)
        )

    @property
    def lines(self) -> tuple[tuple[PatternLine, ...], ...]:
        """The pattern lines of each seat; line 1 of the notation is ``lines[seat][0]``."""
        return tuple(tuple(self._line(seat, line) for line in range(LINES)) for seat in range(self.game.players))

    def _line(self, seat: int, line: int) -> PatternLine:
        row, kind = self.state, int(self.state.line_colour[seat, line])
        colour = None if kind == EMPTY else self.game.tiles.names[kind]
        return PatternLine(line + 1, colour, int(row.line_tiles[seat, line]), int(row.line_jokers[seat, line]))

    @property
    def floors(self) -> tuple[FloorLine, ...]:
        """The floor line of each seat."""
        return tuple(
            FloorLine(self._tiles(self.state.floor[seat]), self.marker == seat, self._penalty(seat))
            for seat in range(self.game.players)
        )

    def _penalty(self, seat: int) -> int:
        return int(rules.FLOOR_PENALTY[rules.floor_spaces_taken(self.state, seat)])
