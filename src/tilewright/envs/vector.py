"""Thousands of games in lockstep on the processor: no Python for each game, all cores."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs import stepping
from tilewright.envs.observation import Observer, observation_part
from tilewright.envs.rewards import check_illegal, check_reward
from tilewright.envs.stepping import WAITS, look_at, random_move_at, set_out, step_at
from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadMove, BadOption, IllegalMove, UnreadableMove
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import is_legal

_FEWEST_A_THREAD = 1024
"""To wake a thread for fewer games costs more than it brings."""
_QUICKLY_CHECKED = 4096
"""So many moves are checked sooner than another thread wakes up."""
_MOST = 1 << 32
_ALIGNMENT = 64
"""JAX takes arrays as they are only where they begin at such an address."""

# ------------------------------------------------------------------------------------------- The loops


def find_illegal(positions: Cells, moves: Cells) -> int:
    """The first game whose move is illegal; -1 if there is none."""
    for i in range(len(positions)):
        if moves[i] != WAITS and not is_legal(positions[i], moves[i]):
            return i
    return -1


def set_out_each(positions: Cells, moves: Cells, start: Cells, generators: Cells, options: Cells) -> None:
    """A new game wherever none waits."""
    for i in range(len(positions)):
        if moves[i] != WAITS:
            set_out(positions, i, start, generators, options)


def step_each(
    positions: Cells, start: Cells, generators: Cells, options: Cells, moves: Cells, movers: Cells, rewards: Cells,
    dones: Cells, scores: Cells,
) -> None:  # fmt: skip
    """A step of every game."""
    for i in range(len(positions)):
        movers[i] = positions[i].turn
        dones[i] = step_at(positions, i, start, generators, moves[i], options, rewards[i], scores[i])


def advance_each(
    positions: Cells, start: Cells, generators: Cells, options: Cells, moves: Cells, movers: Cells, rewards: Cells,
    dones: Cells, scores: Cells, turns: Cells, observations: Cells, masks: Cells,
) -> None:  # fmt: skip
    """A step of every game and what is seen then: in one go, so that no interruption can come between."""
    for i in range(len(positions)):
        movers[i] = positions[i].turn
        dones[i] = step_at(positions, i, start, generators, moves[i], options, rewards[i], scores[i])
        if moves[i] != WAITS:
            turns[i] = positions[i].turn
            look_at(positions, i, observations[i], masks[i])


def look_each(positions: Cells, moves: Cells, turns: Cells, observations: Cells, masks: Cells) -> None:
    """What the seat to move sees; a game that waited shows what it showed before."""
    for i in range(len(positions)):
        if moves[i] != WAITS:
            turns[i] = positions[i].turn
            look_at(positions, i, observations[i], masks[i])


def choose_each(positions: Cells, choosers: Cells, moves: Cells) -> None:
    """A random legal move in every game."""
    for i in range(len(positions)):
        moves[i] = random_move_at(positions, i, choosers)


LOOPS = (find_illegal, set_out_each, step_each, advance_each, look_each, choose_each)


class VectorKernels:
    """The loops above, compiled for one game."""

    def __init__(self, game: Game) -> None:
        for loop in LOOPS:
            setattr(self, loop.__name__, game.kernels.compile(loop, observation_part(game)))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a vector has no kernel {name!r}")


# ------------------------------------------------------------------------------------------ The games


def _aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """A blank array that other libraries can share."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + _ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % _ALIGNMENT
    return memory[first : first + size].view(dtype).reshape(shape)


class Vector:
    """So many games side by side. Every array is made once and written anew by each step.

    >>> import tilewright as tw
    >>> from tilewright.envs import Vector
    >>> vector = Vector(tw.Azul(players=2), size=1000, seed=7)
    >>> for _ in range(100):
    ...     vector.step(vector.random_moves())
    >>> vector.observations.shape, vector.masks.shape, vector.rewards.shape
    ((1000, 171), (1000, 180), (1000, 2))

    ``torch.from_numpy(vector.observations)`` and ``jax.dlpack.from_dlpack(vector.observations)`` share its memory.
    """

    def __init__(
        self, game: Game, size: int, seed: int = 0, *, reward: str = "win", illegal: str = "error",
        canonical: bool = False, autoreset: bool = True, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.game = check_game(game)
        self.observer = Observer(game)
        self._options = step_options(reward, illegal, canonical, autoreset)
        self._size = whole_number(size, "games")
        self.table = game.kernels.new_table(self._size)
        self.observations: NDArray[np.float32] = _aligned((self._size, self.observer.size), np.float32)
        """What the seat to move sees."""
        self.masks: NDArray[np.bool_] = _aligned((self._size, game.actions), np.bool_)
        """What it may do."""
        self.rewards: NDArray[np.float32] = _aligned((self._size, game.players), np.float32)
        """What the last step brought to each seat."""
        self.dones: NDArray[np.bool_] = _aligned((self._size,), np.bool_)
        """Where the last step ended the game; with ``autoreset`` what is seen is the next one already."""
        self.scores: NDArray[np.int16] = _aligned((self._size, game.players), np.int16)
        """The scores after the last step, those of a game that ended included."""
        self.turns: NDArray[np.int8] = _aligned((self._size,), np.int8)
        """The seat to move."""
        self.movers: NDArray[np.int8] = _aligned((self._size,), np.int8)
        """The seat that made the last move."""
        self._moves: NDArray[np.int64] = np.zeros(self._size, np.int64)
        self._generators: NDArray[np.uint64] = np.zeros(self._size, np.uint64)
        self._choosers: NDArray[np.uint64] = np.zeros(self._size, np.uint64)
        self._start = game.set_up().table
        self._threads = check_threads(threads, self._size)
        self._make_ready()
        self.reset(seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, i: int) -> Position:
        """A copy of one game as a position."""
        return Position(self.game, self.table[[i]])

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over: none with ``autoreset``; without, those that wait for ``restart``."""
        return np.asarray(self.table["phase"] == len(self.game.phases) - 1)

    def reset(self, seed: int = 0) -> None:
        """New games everywhere, all of them known by the seed."""
        self._generators[:], self._choosers[:] = seeded_words(seed, self._size)
        self.restart(np.ones(self._size, np.bool_))
        self.rewards[:], self.dones[:], self.movers[:] = 0, False, 0

    def restart(self, which: Any) -> None:
        """New games where ``which`` says so, the others stay as they are. For use without ``autoreset``."""
        chosen = np.asarray(which)
        if chosen.shape != (self._size,) or chosen.dtype != np.bool_:
            raise BadOption(f"which games begin anew is told by {self._size} times yes or no, not {echo(which)}")
        self._moves[:] = np.where(chosen, 0, WAITS)
        self._each(self._kernels.set_out_each, self._slices["set_out"])
        self.scores[chosen] = self.table["score"][chosen, : self.game.players]
        self._each(self._kernels.look_each, self._slices["look"])

    def step(self, moves: Any) -> None:
        """Play one move in each game, deal, and look. -1 lets a game wait.

        If an illegal move is an error, nothing is played anywhere.
        """
        self._take(moves)
        if not self._options[stepping.ILLEGAL_LOSES]:
            self._refuse_illegal()
        self._each(self._kernels.advance_each, self._slices["advance"])

    def random_moves(self) -> NDArray[np.int64]:
        """A uniformly random legal move for each game, -1 where it is over."""
        moves = np.empty(self._size, np.int64)
        cuts = [(table, choosers, moves[a:b]) for (table, choosers), (a, b) in self._choices]
        self._each(self._kernels.choose_each, cuts)
        return moves

    def __getstate__(self) -> dict[str, Any]:
        # Threads, kernels and windows on the arrays: a copy makes its own.
        own = ("_kernels", "_pool", "_process", "_slices", "_choices")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_ready()

    # Inside ---------------------------------------------------------------------------------------------

    def _make_ready(self) -> None:
        """Kernels, threads, and the part of each array that each thread works on."""
        self._kernels = VectorKernels(self.game)
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._process = os.getpid()
        bounds = list(pairwise(self._size * n // self._threads for n in range(self._threads + 1)))
        start, options = self._start, self._options

        def cut(*arrays: NDArray[Any]) -> list[tuple[NDArray[Any], ...]]:
            return [tuple(array[a:b] if len(array) == self._size else array for array in arrays) for a, b in bounds]

        table, generators, moves = self.table, self._generators, self._moves
        told = (
            moves, self.movers, self.rewards, self.dones, self.scores, self.turns, self.observations, self.masks
        )  # fmt: skip
        self._slices: dict[str, list[Any]] = {
            "set_out": [(t, m, start, g, options) for t, m, g in cut(table, moves, generators)],
            "illegal": cut(table, moves) if self._size > _QUICKLY_CHECKED else [(table, moves)],
            "advance": [(t, start, g, options, *rest) for t, g, *rest in cut(table, generators, *told)],
            "look": cut(table, moves, self.turns, self.observations, self.masks),
        }
        self._choices = list(zip(cut(table, self._choosers), bounds, strict=True))

    def _each(self, kernel: Any, slices: list[Any]) -> list[Any]:
        """A kernel on every slice, side by side, the first of them here: kernels leave Python's lock free.

        Whoever is interrupted waits until all slices are done, so that the arrays tell of one moment.
        """
        if self._pool is None or len(slices) == 1:
            return [kernel(*slices[0])]
        if self._process != os.getpid():  # threads do not live on in a forked process
            self._pool, self._process = ThreadPoolExecutor(self._threads - 1), os.getpid()
        running: list[Future[Any]] = []
        try:
            for arguments in slices[1:]:
                running.append(self._pool.submit(kernel, *arguments))
            return [kernel(*slices[0]), *(one.result() for one in running)]
        finally:
            wait(running)

    def _take(self, moves: Any) -> None:
        given = np.asarray(moves)
        if not np.issubdtype(given.dtype, np.integer):
            raise UnreadableMove(f"the moves are whole numbers, not {given.dtype}")
        if given.shape != (self._size,):
            raise UnreadableMove(f"{self._size} games take {self._size} moves, not an array of {given.shape}")
        self._moves[:] = given

    def _refuse_illegal(self) -> None:
        found = self._each(self._kernels.find_illegal, self._slices["illegal"])
        before = 0
        for wrong, (table, _) in zip(found, self._slices["illegal"], strict=True):
            if wrong >= 0:
                game = before + int(wrong)
                raise refusal(self[game], game, int(self._moves[game]))
            before += len(table)


# -------------------------------------------------------------------------- What a vector is asked to be


def check_game(game: Game) -> Game:
    """A rule set, not its name or its class."""
    if not isinstance(game, Game):
        raise BadOption(f"a vector is made of a game, like tw.Azul(players=2), not of {echo(game)}")
    return game


def whole_number(number: Any, what: str) -> int:
    """A number of things, checked."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number < _MOST:
        raise BadOption(f"the number of {what} is a whole number, at least one, not {echo(number)}")
    return int(number)


def check_threads(threads: int | None, size: int) -> int:
    """How many threads there are: as many as were asked for, else as many as the machine and the games are good for."""
    if threads is not None:
        return min(whole_number(threads, "threads"), size)
    return min(os.cpu_count() or 1, max(1, size // _FEWEST_A_THREAD))


def refusal(position: Position, game: int, move: int) -> BadMove:
    """What is wrong with a move, and in which game."""
    try:
        return IllegalMove(f"game {game}: {position._why_not(position.game.move(move))}")
    except UnreadableMove as unknown:
        return UnreadableMove(f"game {game}: {unknown}; -1 lets it wait")


def step_options(reward: str, illegal: str, canonical: bool, autoreset: bool) -> NDArray[np.int64]:
    """The options of a step as the kernels read them."""
    for name, value in (("canonical", canonical), ("autoreset", autoreset)):
        if not isinstance(value, bool):
            raise BadOption(f"{name} is True or False, not {echo(value)}")
    options = np.zeros(stepping.OPTIONS, np.int64)
    options[stepping.REWARD] = check_reward(reward)
    options[stepping.ILLEGAL_LOSES] = check_illegal(illegal)
    options[stepping.SORTED] = canonical
    options[stepping.GOES_ON] = autoreset
    return options


def seeded_words(seed: int, size: int) -> NDArray[np.uint64]:
    """For each game a dealer's word and one for random moves, all known by the seed."""
    words = np.random.SeedSequence(check_seed(seed)).generate_state(2 * size, np.uint64).astype(np.uint64)
    return words.reshape(2, size)
