"""Many games in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, IllegalMove, UnreadableMove
from tilewright.game.position import Position
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.game import Game


class Batch:
    """Many games of one rule set, one row each; every call works on all of them inside a kernel.

    >>> import tilewright as tw
    >>> batch = next(iter(tw.GAMES.values()))(players=2).batch(1000, seed=7)
    >>> while not batch.over.all():
    ...     batch.push(batch.random_moves())
    >>> batch.scores.shape
    (1000, 2)
    """

    def __init__(self, game: Game, size: int, seed: int = 0) -> None:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise BadOption(f"a batch has a whole number of games, at least one, not {echo(size)}")
        self.game = game
        self.table = game.kernels.new_table(size)
        self.table[:] = game.set_up().table[0]
        self.generators = np.random.SeedSequence(check_seed(seed)).generate_state(size + 1, np.uint64)
        """A dealer's word for each game, and one more for random moves."""
        self._chooser, self.generators = self.generators[-1:].copy(), self.generators[:-1].copy()
        game.kernels.deal_each(self.table, self.generators)

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, i: int) -> Position:
        """A copy of one game as a position."""
        return Position(self.game, self.table[[i]])

    @property
    def turns(self) -> np.ndarray[Any, np.dtype[np.integer[Any]]]:
        """The seat to move in each game; meaningless where it is over."""
        return np.asarray(self.table["turn"])

    @property
    def scores(self) -> np.ndarray[Any, np.dtype[np.integer[Any]]]:
        """The scores, a row for each game and a column for each seat."""
        return np.asarray(self.table["score"][:, : self.game.players])

    @property
    def over(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which games have ended."""
        return np.asarray(self.table["phase"] == len(self.game.phases) - 1)

    def legal_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which moves are legal: a row for each game, a column for each number of the action space."""
        masks = np.empty((len(self), self.game.actions), dtype=np.bool_)
        self.game.kernels.mark_each(self.table, masks)
        return masks

    def random_moves(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """A uniformly random legal move for each game, -1 where it is over."""
        moves = np.empty(len(self), dtype=np.int64)
        self.game.kernels.choose_each(self.table, self._chooser, moves)
        return moves

    def push(self, moves: Any) -> None:
        """Play one move in each game that goes on, and deal. If any is illegal, nothing is played."""
        given = np.asarray(moves)
        if not np.issubdtype(given.dtype, np.integer):
            raise UnreadableMove(f"the moves of a batch are whole numbers, not {given.dtype}")
        moves = np.ascontiguousarray(given, dtype=np.int64)
        if moves.shape != (len(self),):
            raise UnreadableMove(f"a batch of {len(self)} games takes {len(self)} moves, not an array of {moves.shape}")
        wrong = int(self.game.kernels.push_each(self.table, self.generators, moves))
        if wrong >= 0:
            position = self[wrong]
            raise IllegalMove(f"game {wrong}: {position._why_not(self.game.move(int(moves[wrong])))}")
