"""Features of actions: what moves do, as numbers, so that a network need not learn how moves are numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import observation_part
from tilewright.envs.parts import Layout
from tilewright.game.game import Game, check_game
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # defined by each game
    from tilewright.envs.interface import describe, observe
    from tilewright.kernels.interface import apply_move, count_moves, nth_move


def describe_at(states: Cells, i: int, after: Cells, out: Cells) -> None:
    """Describe the legal moves of one of many positions, each in its own row; the other rows are zeros."""
    out[:, :] = 0
    for n in range(count_moves(states[i])):
        move = nth_move(states[i], n)
        describe(states[i], move, out[move])


def describe_each(states: Cells, after: Cells, out: Cells) -> None:
    """The same for every position."""
    for i in range(len(states)):
        describe_at(states, i, after, out[i])


def observe_after_at(states: Cells, i: int, after: Cells, out: Cells) -> None:
    """Describe each legal move by what its player observes right after it, before anything is drawn."""
    out[:, :] = 0
    for n in range(count_moves(states[i])):
        move = nth_move(states[i], n)
        after[0] = states[i]
        apply_move(after[0], move)
        observe(after[0], states[i].turn, out[move])


def observe_after_each(states: Cells, after: Cells, out: Cells) -> None:
    """The same for every position."""
    for i in range(len(states)):
        observe_after_at(states, i, after, out[i])


class ActionDescriber(Layout):
    """What each legal move of a position does, from the point of view of the seat to move.

    For a game without a part ``action_features`` a move is described by its afterstate: the observation of the seat
    that plays it, right after the move and before anything is drawn.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> describer = ActionDescriber(game)
    >>> position = game.start(seed=7)
    >>> described = describer.describe(position.states, 0)
    >>> described.shape == (game.actions, describer.size), described.dtype
    (True, dtype('float32'))
    >>> bool(described[position.legal_moves.numbers()].any(axis=1).all())
    True
    """

    whole = "the description of a move"

    def __init__(self, game: Game) -> None:
        part: Any = check_game(game).spec.part("action_features")
        if part is None:
            part = observation_part(game)
            parts, at, each = part.parts_of(game), observe_after_at, observe_after_each
        else:
            parts, at, each = part.parts_of_action(game), describe_at, describe_each
        super().__init__(game, parts)
        self._describe_at = game.kernels.compile(at, part)
        self._describe_each = game.kernels.compile(each, part)
        self._after = game.kernels.new_states(1)

    def describe(self, states: Cells, i: int) -> NDArray[np.float32]:
        """A row for each move of the action space, in one of the states; zeros where it is illegal."""
        out = np.empty((self.game.actions, self.size), np.float32)
        self.write(states, i, out)
        return out

    def write(self, states: Cells, i: int, out: NDArray[np.float32]) -> None:
        """The same, written to an existing array."""
        self.check_row(states, i)
        self.check_array(out, (self.game.actions, self.size))
        self._describe_at(states, i, self._after, out)

    def write_each(self, states: Cells, out: NDArray[np.float32]) -> None:
        """The same for every state, such as ``vector.states``."""
        self.check_rows(states)
        self.check_array(out, (len(states), self.game.actions, self.size))
        self._describe_each(states, self._after, out)
