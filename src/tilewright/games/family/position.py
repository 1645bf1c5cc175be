"""What every table of the family has: the factories, the centre, the bag and the starting player marker."""

from __future__ import annotations

from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE, NOBODY, count_factories
from tilewright.games.family.views import Tiles


class FamilyPosition(Position):
    """A position of a game of the family. What its properties return are snapshots: they do not change with it."""

    def _tiles(self, heap: int) -> Tiles:
        return Tiles(self.game.tiles, int(heap))

    @property
    def factories(self) -> tuple[Tiles, ...]:
        """The tiles on each factory; factory 1 of the notation is ``factories[0]``."""
        places = self.state.places[1 : count_factories(self.game.players) + 1]
        return tuple(self._tiles(heap) for heap in places)

    @property
    def centre(self) -> Tiles:
        """The tiles in the centre of the table."""
        return self._tiles(self.state.places[CENTRE])

    @property
    def bag(self) -> Tiles:
        """The tiles in the bag; nobody knows in which order they will be drawn."""
        return self._tiles(self.state.bag)

    @property
    def marker(self) -> int | None:
        """The seat that has taken the starting player marker; None while it lies in the centre of the table."""
        return None if self.state.marker == NOBODY else int(self.state.marker)

    @property
    def starting_player(self) -> int:
        """The seat that began this round."""
        return int(self.state.starter)
