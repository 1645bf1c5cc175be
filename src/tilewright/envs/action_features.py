"""What moves mean, as numbers for learning: a network that reads them need not know how moves are numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.parts import Layout
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # each game brings its own
    from tilewright.envs.interface import describe
    from tilewright.kernels.interface import count_moves, nth_move


def describe_at(positions: Cells, i: int, out: Cells) -> None:
    """Describe the legal moves of one of many positions, each in its own row; the other rows are zeros."""
    out[:, :] = 0
    for n in range(count_moves(positions[i])):
        move = nth_move(positions[i], n)
        describe(positions[i], move, out[move])


def describe_each(positions: Cells, out: Cells) -> None:
    """The same for every position."""
    for i in range(len(positions)):
        describe_at(positions, i, out[i])


class ActionDescriber(Layout):
    """What each legal move of a position means and does, as the seat to move sees it.

    >>> import tilewright as tw
    >>> describer = ActionDescriber(tw.Azul(players=2))
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> described = describer.describe(position.table, 0)
    >>> described.shape, described.dtype
    ((180, 24), dtype('float32'))
    >>> move = next(iter(position.legal_moves))
    >>> describer.part(described, "destination")[move]
    array([1., 0., 0., 0., 0., 0.], dtype=float32)
    """

    whole = "the description of a move"

    def __init__(self, game: Game) -> None:
        part = game.spec.part("action_features")
        assert part is not None
        super().__init__(game, part.parts_of_action(game))
        self._describe_at = game.kernels.compile(describe_at, part)
        self._describe_each = game.kernels.compile(describe_each, part)

    def describe(self, table: Cells, i: int) -> NDArray[np.float32]:
        """A row for each move of the action space, in one of the positions of a table; zeros where it is illegal."""
        out = np.empty((self.game.actions, self.size), np.float32)
        self.write(table, i, out)
        return out

    def write(self, table: Cells, i: int, out: NDArray[np.float32]) -> None:
        """The same into an array that is there already."""
        self.check_row(table, i)
        self.check_array(out, (self.game.actions, self.size))
        self._describe_at(table, i, out)

    def write_each(self, table: Cells, out: NDArray[np.float32]) -> None:
        """The same for every position of a table, such as ``vector.table``."""
        if len(table):
            self.check_row(table, 0)
        self.check_array(out, (len(table), self.game.actions, self.size))
        self._describe_each(table, out)
