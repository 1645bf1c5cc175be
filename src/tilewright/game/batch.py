"""Many games in one array."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from tilewright.game.dealer import choose_seed
from tilewright.game.errors import BadMove, BadOption, IllegalMove, UnreadableMove
from tilewright.game.game import Game, check_game
from tilewright.game.position import Position
from tilewright.game.validation import as_array, echo, is_whole_number

MOST_GAMES = (1 << 32) - 1


class Batch:
    """Many games of one rule set, one row each; every call works on all of them inside a kernel.

    >>> import tilewright as tw
    >>> batch = next(iter(tw.GAMES.values()))(players=2).batch(1000, seed=7)
    >>> while not batch.over.all():
    ...     batch.push(batch.random_moves())
    >>> batch.scores.shape
    (1000, 2)
    """

    def __init__(self, game: Game, size: int, seed: int | None = None) -> None:
        self.game = check_game(game)
        self.states = new_states(game, size)
        self.states[:] = game.set_up().states[0]
        self.generators = np.random.SeedSequence(choose_seed(seed)).generate_state(len(self) + 1, np.uint64)
        """A dealer's word for each game, and one more for random moves."""
        self._chooser, self.generators = self.generators[-1:].copy(), self.generators[:-1].copy()
        game.kernels.deal_each(self.states, self.generators)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, i: int) -> Position:
        """A copy of one game as a position."""
        return self.game.trusted_position(self.states[[game_index(i, len(self))]])

    __hash__ = None  # type: ignore[assignment]  # a push would change it

    @property
    def turns(self) -> np.ndarray[Any, np.dtype[np.integer[Any]]]:
        """The seat to move in each game; meaningless where it is over."""
        return np.asarray(self.states["turn"])

    @property
    def scores(self) -> np.ndarray[Any, np.dtype[np.integer[Any]]]:
        """The scores, a row for each game and a column for each seat."""
        return np.asarray(self.states["score"][:, : self.game.players])

    @property
    def over(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which games have ended."""
        return over_in(self.game, self.states)

    def legal_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which moves are legal: a row for each game, a column for each number of the action space."""
        masks = np.empty((len(self), self.game.actions), dtype=np.bool_)
        self.game.kernels.mark_each(self.states, masks)
        return masks

    def observations(self, seats: Any = None) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What one seat observes in each game: the seat given, or the seat to move; see ``Observer``."""
        return self.game.observer.observe_each(self.states, seats)

    def random_moves(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """A uniformly random legal move for each game, -1 where it is over."""
        moves = np.empty(len(self), dtype=np.int64)
        self.game.kernels.choose_each(self.states, self._chooser, moves)
        return moves

    def push(self, moves: Any) -> None:
        """Play one move in each unfinished game, and deal. If any move cannot be played, none is.

        An array of numbers is fastest; a list may also hold texts and ``Move`` objects.
        """
        numbers = self._numbers(moves)
        wrong = int(self.game.kernels.push_each(self.states, self.generators, numbers))
        if wrong >= 0:
            raise self._refusal(wrong, int(numbers[wrong]))

    def _numbers(self, moves: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The moves as an array of numbers."""
        if isinstance(moves, str) or not hasattr(moves, "__len__"):
            raise UnreadableMove(f"a batch takes a list or an array of moves, not {echo(moves)}")
        if len(moves) != len(self):
            raise UnreadableMove(f"a batch of {len(self)} games takes {len(self)} moves, not {len(moves)}")
        given = as_array(moves)
        if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
            given = np.array([self._number(i, move) for i, move in enumerate(moves)])
        return np.ascontiguousarray(given, dtype=np.int64)

    def _number(self, i: int, move: Any) -> int:
        """The number of one move; where the game is over, it does not matter."""
        position = self[i]
        try:
            return -1 if position.is_over else int(position.move(move))
        except BadMove as error:
            raise type(error)(f"game {i}: {error}") from None

    def _refusal(self, i: int, number: int) -> BadMove:
        """Why a move is refused, and in which game."""
        try:
            return IllegalMove(f"game {i}: {self[i]._why_not(self.game.move(number))}")
        except UnreadableMove as unknown:
            return UnreadableMove(f"game {i}: {unknown}")


def check_size(size: Any) -> int:
    """How many games are played side by side."""
    if not is_whole_number(size) or not 1 <= size <= MOST_GAMES:
        raise BadOption(f"the number of games must be a whole number from 1 to {MOST_GAMES}, not {echo(size)}")
    return int(size)


def new_states(game: Game, size: Any) -> np.ndarray[Any, Any]:
    """The rows of many games, still blank."""
    try:
        return game.kernels.new_states(check_size(size))
    except MemoryError:
        raise BadOption(f"{size} games of {game.title} do not fit into memory") from None


def over_in(game: Game, states: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which games have ended, by the rules."""
    over = np.empty(len(states), np.bool_)
    game.kernels.note_over_each(states, over)
    return over


def game_index(i: Any, size: int) -> int:
    """The row of a game; as in lists, negative numbers count from the end."""
    try:
        number = index(i)
    except TypeError:
        raise TypeError(f"a game is selected by its number, not by {echo(i)}") from None
    if not -size <= number < size:
        raise IndexError(f"there is no game {echo(number)}: the games are numbered from 0 to {size - 1}")
    return number % size
