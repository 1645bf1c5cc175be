"""One game at the speed of the kernels: what the environments for single games share.

It holds one row and the small arrays that the kernels of ``vector.py`` read and write. A step creates no Position;
``position`` creates one on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import Observer
from tilewright.envs.stepping import step_settings
from tilewright.envs.vector import VectorKernels
from tilewright.game.errors import BadOption, IllegalMove, TilewrightError, UnreadableMove
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.registry import GAMES, make_game
from tilewright.game.validation import echo

WORDS = 1 << 64


def make_variant(name: str, players: int | None, variant: Mapping[str, Any], others: Iterable[str]) -> Game:
    """The rule set of an environment; the error for an unknown option lists the environment's ``others`` too.

    >>> make_variant("chess", None, {}, ["reward"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    tilewright.game.errors.BadOption: unknown game 'chess'; the games are ...
    """
    if name in GAMES:
        known = [option.name for option in GAMES[name].spec.options]
        for option in variant:
            if option not in known:
                every = ", ".join(["players", *known, *others])
                raise BadOption(f"{GAMES[name].spec.title} has no option {echo(option)}; it has {every}")
    if players is not None:
        variant = {"players": players, **variant}
    return make_game(name, **variant)


class SingleGame:
    """One game that is played by the numbers of its moves.

    >>> import tilewright as tw
    >>> game = SingleGame(next(iter(tw.GAMES.values()))())
    >>> game.reset(7)
    >>> game.step(int(game.mask().argmax()))
    [0.0, 0.0]
    >>> game.is_over
    False
    """

    def __init__(self, game: Game, reward: str = "win", illegal: str = "error", canonical: bool = False) -> None:
        self.game = game
        self.observer = Observer(game)
        self._settings = step_settings(reward, illegal, canonical, autoreset=False)
        self._illegal_loses = bool(self._settings["illegal_loses"][0])
        self._rows = game.kernels.new_states(1)
        self._start = game.set_up().states
        self._generator = np.zeros(1, np.uint64)
        self._moves = np.zeros(1, np.int64)
        self._choice = np.zeros(1, np.int64)
        self._movers = np.zeros(1, np.int8)
        self._rewards = np.zeros((1, game.players), np.float32)
        self._dones = np.zeros(1, np.bool_)
        self._scores = np.zeros((1, game.players), game.kernels.score_type)
        self.is_over = True
        """Whether there is no game to play: it has ended, or none has begun."""
        self.lost_by: int | None = None
        """The seat that lost the game by an illegal move."""
        self._make_views()

    # State ---------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat to move; after the end, the seat that moved last."""
        return int(self._turn[0])

    @property
    def last_move(self) -> Move:
        """The move that was played last."""
        return self.game.moves[int(self._moves[0])]

    @property
    def scores(self) -> NDArray[np.integer[Any]]:
        """The score of each seat."""
        scores: NDArray[np.integer[Any]] = self._scores[0].copy()
        return scores

    @property
    def position(self) -> Position:
        """A copy of the game as a position, without history or dealer."""
        return self.game.trusted_position(self._rows.copy())

    def observe(self, seat: int) -> NDArray[np.float32]:
        """The observation of a seat."""
        out = np.empty(self.observer.size, np.float32)
        self.observer.write_unchecked(self._rows, 0, seat, out)
        return out

    def mask(self) -> NDArray[np.bool_]:
        """Which moves are legal for the seat to move; none when the game is over."""
        mask = np.zeros((1, self.game.actions), np.bool_)
        if not self.is_over:
            self.game.kernels.mark_each(self._rows, mask)
        marked: NDArray[np.bool_] = mask[0]
        return marked

    # Playing --------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """Begin a new game, with the same tiles as ``game.start(seed)``."""
        self._generator[0] = int(seed) % WORDS
        self._kernels.reset_each(self._rows, self._moves, self._start, self._generator, self._settings)
        self._scores[0] = self._score[0, : self.game.players]
        self.is_over, self.lost_by = False, None

    def step(self, move: Any) -> list[float]:
        """Play a move and deal; returns the rewards. An illegal move is refused, or loses the game."""
        self._moves[0] = self.read(move)
        self._kernels.step_each(
            self._rows, self._start, self._generator, self._settings, self._moves, self._movers, self._rewards,
            self._dones, self._scores,
        )  # fmt: skip
        if self._dones[0]:
            self._end()
        rewards: list[float] = self._rewards[0].tolist()
        return rewards

    def read(self, move: Any) -> int:
        """An action as agents pass it: a move of this game or an integer of any type, checked."""
        if isinstance(move, Move):
            move = self.game.move(move)
        try:
            number = index(move)
        except TypeError:
            number = None
        if number is None or isinstance(move, bool):
            raise UnreadableMove(f"an action is an integer, not {echo(move)}")
        if not 0 <= number < self.game.actions:
            raise UnreadableMove(f"actions are integers from 0 to {self.game.actions - 1}, not {echo(number)}")
        if self.is_over:
            raise TilewrightError("the game is over or has not begun: call reset()")
        return number

    def random_move(self, chooser: NDArray[np.uint64]) -> int:
        """A uniformly random legal move."""
        self._kernels.choose_each(self._rows, chooser, self._choice)
        return int(self._choice[0])

    def _end(self) -> None:
        """The step ended the game; if it is not over by the rules, it was lost by an illegal move."""
        if not self.game.kernels.is_over_at(self._rows, 0):
            if not self._illegal_loses:
                raise IllegalMove(self.position._why_not(self.game.move(int(self._moves[0]))))
            self.lost_by = self.turn
        self.is_over = True

    # Copies ---------------------------------------------------------------------------------------------

    def _make_views(self) -> None:
        """Views of the fields that every step reads, because looking them up by name is slow."""
        self._kernels = VectorKernels(self.game)
        self._turn, self._score = self._rows["turn"], self._rows["score"]

    def __getstate__(self) -> dict[str, Any]:
        # A copied view would no longer be a view of the copied row, and kernels cannot be pickled.
        remade = ("_turn", "_score", "_kernels")
        return {name: value for name, value in vars(self).items() if name not in remade}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_views()
