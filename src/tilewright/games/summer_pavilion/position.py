"""A position of Summer Pavilion in the words of the rulebook: stars, hands, the supply, the tower."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.games.family.position import FamilyPosition
from tilewright.games.family.views import Tiles
from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import CENTRE_STAR, STAR_SPACES, STARS
from tilewright.games.summer_pavilion.names import TILES, space_cost, star_name

_LETTERS = dict(zip(TILES.names, TILES.letters, strict=True))


@dataclass(frozen=True, slots=True)
class Space:
    """A space of a star."""

    number: int
    """How many tiles it costs."""
    tile: str | None
    """The colour of the tile on it, or None."""


@dataclass(frozen=True, slots=True, repr=False)
class Star:
    """A star of a player's board, with its six spaces clockwise.

    >>> star = Star("red", tuple(Space(number, "red" if number == 2 else None) for number in range(1, 7)))
    >>> star
    Star('red', '.r....')
    >>> star.covered, star.spaces[1]
    (1, Space(number=2, tile='red'))
    """

    name: str
    """Its colour, or on the grey side ``s1`` to ``s6``; the star in the middle is ``centre``."""
    spaces: tuple[Space, ...]

    @property
    def covered(self) -> int:
        """How many spaces have a tile."""
        return sum(space.tile is not None for space in self.spaces)

    @property
    def is_full(self) -> bool:
        """Whether the star is complete."""
        return self.covered == len(self.spaces)

    def __repr__(self) -> str:
        letters = "".join("." if space.tile is None else _LETTERS[space.tile] for space in self.spaces)
        return f"Star({self.name!r}, {letters!r})"


class SummerPavilionPosition(FamilyPosition):
    """A position of Summer Pavilion.

    >>> import tilewright as tw
    >>> position = tw.SummerPavilion(players=2).start(seed=7)
    >>> position.joker_colour, position.supply.total()
    ('purple', 10)
    >>> position.stars[0]["red"]
    Star('red', '......')
    """

    @property
    def tower(self) -> Tiles:
        """The used tiles in the tower, which refill the bag when it is empty."""
        return self._tiles(self.state.tower)

    @property
    def supply(self) -> Tiles:
        """The tiles on the supply, from which bonus tiles are taken."""
        return self._tiles(self.state.supply)

    @property
    def joker_colour(self) -> str:
        """The joker colour of the round."""
        return self.game.tiles.names[int(rules.joker_colour(self.state))]

    @property
    def hands(self) -> tuple[Tiles, ...]:
        """The tiles that each seat has taken and not placed; those of a seat that has passed are in its corners."""
        return tuple(self._tiles(self.state.hand[seat]) for seat in range(self.game.players))

    @property
    def passed(self) -> tuple[bool, ...]:
        """Which seats have passed in this round."""
        return tuple(bool(self.state.passed >> seat & 1) for seat in range(self.game.players))

    @property
    def bonus_tiles(self) -> int:
        """How many bonus tiles the seat to move must take from the supply now."""
        return int(self.state.owed)

    @property
    def stars(self) -> tuple[dict[str, Star], ...]:
        """The stars of each seat by name, the centre star last."""
        return tuple(
            {star.name: star for star in (self._star(seat, number) for number in range(STARS))}
            for seat in range(self.game.players)
        )

    def _star(self, seat: int, star: int) -> Star:
        first = star * STAR_SPACES
        return Star(self._star_name(star), tuple(self._space(seat, first + ring) for ring in range(STAR_SPACES)))

    def _star_name(self, star: int) -> str:
        side = str(self.game.options["side"])
        if star == CENTRE_STAR:
            return "centre"
        return self.game.tiles.names[star] if side == "coloured" else star_name(side, star)

    def _space(self, seat: int, space: int) -> Space:
        kind = int(self.state.board[seat, space])
        tile = None if kind == rules.EMPTY else self.game.tiles.names[kind]
        return Space(space_cost(str(self.game.options["side"]), space), tile)
