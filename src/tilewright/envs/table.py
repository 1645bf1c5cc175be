"""One game at the kernels' speed: what the environments for single games share.

A table holds one row and the small arrays that the kernels of ``vector`` read and write. No Position is made in a
step; ``position`` makes one for whoever wants to look or think.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs import stepping
from tilewright.envs.observation import Observer
from tilewright.envs.rewards import check_illegal, check_reward
from tilewright.envs.vector import VectorKernels
from tilewright.game.errors import BadOption, IllegalMove, TilewrightError, UnreadableMove
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.registry import GAMES, make_game
from tilewright.game.validation import echo

WORDS = 1 << 64


def make_variant(name: str, players: int, variant: Mapping[str, Any], others: Iterable[str]) -> Game:
    """The rule set of an environment; an unknown option is told with all that the environment has.

    >>> make_variant("azul", 2, {"colour": "grey"}, ["reward"])
    Traceback (most recent call last):
        ...
    tilewright.game.errors.BadOption: Azul has no option 'colour'; it has players, wall, jokers, reward
    """
    if name in GAMES:
        known = [option.name for option in GAMES[name].spec.options]
        for option in variant:
            if option not in known:
                every = ", ".join(["players", *known, *others])
                raise BadOption(f"{GAMES[name].spec.title} has no option {echo(option)}; it has {every}")
    return make_game(name, players=players, **variant)


class Table:
    """One game that is played by numbers.

    >>> import tilewright as tw
    >>> table = Table(tw.Azul(players=2))
    >>> table.set_out(7)
    >>> table.step(92)
    [0.0, 0.0]
    >>> table.turn, table.is_over
    (1, False)
    """

    def __init__(self, game: Game, reward: str = "win", illegal: str = "error", canonical: bool = False) -> None:
        if not isinstance(canonical, bool):
            raise BadOption(f"canonical is True or False, not {echo(canonical)}")
        self.game = game
        self.observer = Observer(game)
        self._options = np.zeros(stepping.OPTIONS, np.int64)
        self._options[stepping.REWARD] = check_reward(reward)
        self._options[stepping.ILLEGAL_LOSES] = check_illegal(illegal)
        self._options[stepping.SORTED] = canonical
        self._rows = game.kernels.new_table(1)
        self._start = game.set_up().table
        self._generator = np.zeros(1, np.uint64)
        self._moves = np.zeros(1, np.int64)
        self._choice = np.zeros(1, np.int64)
        self._movers = np.zeros(1, np.int8)
        self._rewards = np.zeros((1, game.players), np.float32)
        self._dones = np.zeros(1, np.bool_)
        self._scores = np.zeros((1, game.players), np.int16)
        self.is_over = True
        """Whether there is nothing to play: no game has begun, or it has ended."""
        self.lost_by: int | None = None
        """The seat that lost the game by an illegal move."""
        self._open_windows()

    # What can be seen -----------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat to move; after the end, the seat that moved last."""
        return int(self._turn[0])

    @property
    def last_move(self) -> str:
        """The text of the move that was played last."""
        return self.game.moves[int(self._moves[0])].text

    @property
    def scores(self) -> NDArray[np.int16]:
        """The score of each seat."""
        scores: NDArray[np.int16] = self._scores[0].copy()
        return scores

    @property
    def position(self) -> Position:
        """A copy of the game as a position, without past and dealer."""
        return Position(self.game, self._rows.copy())

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees."""
        out = np.empty(self.observer.size, np.float32)
        self.observer.look(self._rows, 0, seat, out)
        return out

    def mask(self) -> NDArray[np.bool_]:
        """Which moves are legal for the seat to move; none when the game is over."""
        mask = np.zeros((1, self.game.actions), np.bool_)
        if not self.is_over:
            self.game.kernels.mark_each(self._rows, mask)
        marked: NDArray[np.bool_] = mask[0]
        return marked

    # What can be done -----------------------------------------------------------------------------------

    def set_out(self, word: int) -> None:
        """Begin a new game; its tiles come from this word, as from the seed of ``game.start``."""
        self._generator[0] = int(word) % WORDS
        self._kernels.set_out_each(self._rows, self._moves, self._start, self._generator, self._options)
        self._scores[0] = self._score[0, : self.game.players]
        self.is_over, self.lost_by = False, None

    def step(self, move: Any) -> list[float]:
        """Play a move and deal; what each seat gets for it. An illegal one is refused, or loses the game."""
        self._moves[0] = self.read(move)
        self._kernels.step_each(
            self._rows, self._start, self._generator, self._options, self._moves, self._movers, self._rewards,
            self._dones, self._scores,
        )  # fmt: skip
        if self._dones[0]:
            self._end()
        rewards: list[float] = self._rewards[0].tolist()
        return rewards

    def read(self, move: Any) -> int:
        """A move as an environment gets it: a whole number of the action space, of whatever type."""
        try:
            number = index(move)
        except TypeError:
            number = None
        if number is None or isinstance(move, bool):
            raise UnreadableMove(f"an action is a whole number, not {echo(move)}")
        if not 0 <= number < self.game.actions:
            raise UnreadableMove(f"actions are numbers from 0 to {self.game.actions - 1}, not {echo(number)}")
        if self.is_over:
            raise TilewrightError("the game is over, or has not begun: call reset()")
        return number

    def random_move(self, chooser: NDArray[np.uint64]) -> int:
        """A uniformly random legal move, from a generator of one word."""
        self._kernels.choose_each(self._rows, chooser, self._choice)
        return int(self._choice[0])

    def _end(self) -> None:
        """The kernel says that it is over: a game that is not over for the rules was lost by an illegal move."""
        if self._phase[0] != len(self.game.phases) - 1:
            if not self._options[stepping.ILLEGAL_LOSES]:
                raise IllegalMove(self.position._why_not(self.game.move(int(self._moves[0]))))
            self.lost_by = self.turn
        self.is_over = True

    # Copies ---------------------------------------------------------------------------------------------

    def _open_windows(self) -> None:
        """Fields of the row that every step reads: finding them by name each time would take longer."""
        self._kernels = VectorKernels(self.game)
        self._turn, self._phase, self._score = (self._rows[name] for name in ("turn", "phase", "score"))

    def __getstate__(self) -> dict[str, Any]:
        # Windows on the row, and kernels: a copied window would show another row.
        windows = ("_turn", "_phase", "_score", "_kernels")
        return {name: value for name, value in vars(self).items() if name not in windows}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open_windows()
