"""Observations: what a player may know, as numbers for learning. The bag's order is nobody's to know."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.parts import Layout
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # each game brings its own
    from tilewright.envs.interface import observe


def observe_at(positions: Cells, i: int, seat: int, out: Cells) -> None:
    """Write what a seat sees in one of many positions."""
    observe(positions[i], seat, out)


def observation_part(game: Game) -> ModuleType:
    """The module that says what an observation of a game is made of."""
    part = game.spec.part("observation")
    assert part is not None
    return part


def _observe_at(game: Game) -> Any:
    return game.kernels.compile(observe_at, observation_part(game))


class Observer(Layout):
    """What the seats of a game see, from the point of view of one of them: he comes first, then clockwise.

    >>> import tilewright as tw
    >>> observer = Observer(tw.Azul(players=2))
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> seen = observer.observe(position.table, 0, seat=0)
    >>> seen.shape, seen.dtype
    ((171,), dtype('float32'))
    >>> observer.part(seen, "lines").shape
    (2, 5)
    """

    whole = "an observation"

    def __init__(self, game: Game) -> None:
        super().__init__(game, observation_part(game).parts_of(game))
        self.look = _observe_at(game)
        """What ``write`` does, unchecked, for those who made the table and the array themselves."""

    def observe(self, table: Cells, i: int, seat: int) -> NDArray[np.float32]:
        """What a seat sees in one of the positions of a table."""
        out = np.empty(self.size, np.float32)
        self.write(table, i, seat, out)
        return out

    def write(self, table: Cells, i: int, seat: int, out: NDArray[np.float32]) -> None:
        """The same into an array that is there already."""
        self.check_row(table, i)
        if not 0 <= seat < self.game.players:
            raise BadOption(f"seats are numbers from 0 to {self.game.players - 1}, not {echo(seat)}")
        self.check_array(out, (self.size,))
        self.look(table, i, seat, out)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "look"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.look = _observe_at(self.game)
