"""Thousands of games in lockstep on the CPU: on all cores, without a line of Python per game."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import Observer, observation_part
from tilewright.envs.stepping import (
    NO_OP,
    deal_at,
    observe_and_mask,
    random_move_at,
    reset_at,
    step_at,
    step_settings,
)
from tilewright.game.batch import game_index, new_states, over_in
from tilewright.game.dealer import choose_seed
from tilewright.game.errors import BadMove, BadOption, IllegalMove, UnreadableMove
from tilewright.game.game import Game, check_game
from tilewright.game.position import Position
from tilewright.game.validation import as_array, echo, is_whole_number
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import is_legal

_GAMES_PER_THREAD = 1024
"""With fewer games, waking another thread costs more than it saves."""
_CHECKED_BY_ONE_THREAD = 4096
"""Up to this number, moves are checked faster than another thread wakes up."""
_ALIGNMENT = 64
"""JAX shares memory only if it is aligned like this."""

# ------------------------------------------------------------------------------------------- The loops


def find_illegal(states: Cells, moves: Cells) -> int:
    """The index of the first game whose move is illegal, or -1."""
    for i in range(len(states)):
        if moves[i] != NO_OP and not is_legal(states[i], moves[i]):
            return i
    return -1


def reset_each(states: Cells, moves: Cells, start: Cells, generators: Cells, settings: Cells) -> None:
    """Begin a new game wherever the move is not ``NO_OP``."""
    for i in range(len(states)):
        if moves[i] != NO_OP:
            reset_at(states, i, start, generators, settings)


def step_each(
    states: Cells, start: Cells, generators: Cells, settings: Cells, moves: Cells, movers: Cells, rewards: Cells,
    dones: Cells, scores: Cells,
) -> None:  # fmt: skip
    """One step of every game."""
    for i in range(len(states)):
        movers[i] = states[i].turn
        dones[i] = step_at(states, i, start, generators, moves[i], settings, rewards[i], scores[i])


def advance_each(
    states: Cells, start: Cells, generators: Cells, settings: Cells, moves: Cells, movers: Cells, rewards: Cells,
    dones: Cells, scores: Cells, turns: Cells, observations: Cells, masks: Cells,
) -> None:  # fmt: skip
    """One step of every game, then its observation: in one kernel, so that an interrupt cannot separate them."""
    for i in range(len(states)):
        movers[i] = states[i].turn
        dones[i] = step_at(states, i, start, generators, moves[i], settings, rewards[i], scores[i])
        if moves[i] != NO_OP:
            turns[i] = states[i].turn
            observe_and_mask(states, i, observations[i], masks[i])


def observe_each(states: Cells, moves: Cells, turns: Cells, observations: Cells, masks: Cells) -> None:
    """The observations of the seats to move; those of games with a ``NO_OP`` stay as they are."""
    for i in range(len(states)):
        if moves[i] != NO_OP:
            turns[i] = states[i].turn
            observe_and_mask(states, i, observations[i], masks[i])


def choose_each(states: Cells, choosers: Cells, moves: Cells) -> None:
    """A random legal move in every game."""
    for i in range(len(states)):
        moves[i] = random_move_at(states, i, choosers)


def settle_each(states: Cells, generators: Cells, settings: Cells) -> None:
    """Deal where tiles are awaited, and make positions canonical if the settings ask for it."""
    for i in range(len(states)):
        deal_at(states, i, generators, settings)


LOOPS = (find_illegal, reset_each, step_each, advance_each, observe_each, choose_each)


class VectorKernels:
    """The loops above, compiled for one game."""

    def __init__(self, game: Game) -> None:
        for loop in LOOPS:
            setattr(self, loop.__name__, game.kernels.compile(loop, observation_part(game)))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a vector has no kernel {name!r}")


# ------------------------------------------------------------------------------------------ The games


def _aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """A blank array whose memory other libraries can share."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + _ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % _ALIGNMENT
    return memory[first : first + size].view(dtype).reshape(shape)


class Vector:
    """Many games of one rule set, stepped together. Each step overwrites the arrays; copy what you keep.

    >>> import tilewright as tw
    >>> from tilewright.envs import Vector
    >>> game = next(iter(tw.GAMES.values()))()
    >>> vector = Vector(game, size=1000, seed=7)
    >>> for _ in range(100):
    ...     vector.step(vector.random_moves())
    >>> vector.masks.shape == (1000, game.actions), vector.rewards.shape
    (True, (1000, 2))

    ``torch.from_numpy(vector.observations)`` and ``jax.dlpack.from_dlpack(vector.observations)`` share its memory.
    """

    def __init__(
        self, game: Game, size: int, seed: int | None = None, *, reward: str = "win", illegal: str = "error",
        canonical: bool = False, autoreset: bool = True, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.game = check_game(game)
        self.observer = Observer(game)
        self._settings = step_settings(reward, illegal, canonical, autoreset)
        self.states = new_states(game, size)
        self._size = len(self.states)
        self.observations: NDArray[np.float32] = _aligned((self._size, self.observer.size), np.float32)
        """What the seat to move observes."""
        self.masks: NDArray[np.bool_] = _aligned((self._size, game.actions), np.bool_)
        """Its legal moves."""
        self.rewards: NDArray[np.float32] = _aligned((self._size, game.players), np.float32)
        """The rewards of the last step, by seat."""
        self.dones: NDArray[np.bool_] = _aligned((self._size,), np.bool_)
        """Which games the last step ended; with ``autoreset`` the observation is that of the next game already."""
        self.scores: NDArray[np.integer[Any]] = _aligned((self._size, game.players), game.kernels.score_type)
        """The scores after the last step; of a game that ended, its final scores."""
        self.turns: NDArray[np.int8] = _aligned((self._size,), np.int8)
        """The seat to move."""
        self.movers: NDArray[np.int8] = _aligned((self._size,), np.int8)
        """The seat that made the last move."""
        self._moves: NDArray[np.int64] = np.zeros(self._size, np.int64)
        self._generators: NDArray[np.uint64] = np.zeros(self._size, np.uint64)
        self._choosers: NDArray[np.uint64] = np.zeros(self._size, np.uint64)
        self._start = game.set_up().states
        self._seeds = Seeds()
        self._threads = check_threads(threads, self._size)
        self._make_ready()
        self.reset(seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, i: int) -> Position:
        """A copy of one game as a position."""
        return self.game.trusted_position(self.states[[game_index(i, self._size)]])

    __hash__ = None  # type: ignore[assignment]  # a step would change it

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over and need ``restart``; none with ``autoreset``."""
        return over_in(self.game, self.states)

    def reset(self, seed: int | None = None) -> None:
        """Begin new games: those of the seed or, without one, the next of the random sequence."""
        self._generators[:], self._choosers[:] = self._seeds.generators(seed, self._size)
        self.restart(np.ones(self._size, np.bool_))
        self.rewards[:], self.dones[:], self.movers[:] = 0, False, 0

    def load(self, states: Cells) -> None:
        """Continue from these positions, one for each game: a copy of the ``states`` of a vector or a batch.

        All arrays are updated; rewards are 0, and no game has just ended. Where a draw is due, tiles are dealt. With
        ``autoreset`` no game may be over.
        """
        check_loadable(states, self.observer, self._size, bool(self._settings["autoreset"][0]))
        self.states[:] = states
        self.game.kernels.compile(settle_each, observation_part(self.game))(
            self.states, self._generators, self._settings
        )
        self._moves[:] = 0
        self.scores[:] = self.states["score"][:, : self.game.players]
        self.rewards[:], self.dones[:], self.movers[:] = 0, False, 0
        self._each(self._kernels.observe_each, self._slices["observe"])

    def restart(self, which: Any) -> None:
        """Begin new games where ``which`` is True; the others continue. For use without ``autoreset``."""
        chosen = np.asarray(which)
        if chosen.shape != (self._size,) or chosen.dtype != np.bool_:
            raise BadOption(f"restart takes {self._size} booleans, one for each game, not {echo(which)}")
        self._moves[:] = np.where(chosen, 0, NO_OP)
        self._each(self._kernels.reset_each, self._slices["reset"])
        self.scores[chosen] = self.states["score"][chosen, : self.game.players]
        self._each(self._kernels.observe_each, self._slices["observe"])

    def step(self, moves: Any) -> None:
        """Play one move in each game, deal, and update all arrays. -1 is a no-op: that game stands still.

        If ``illegal="error"`` and any move is illegal, nothing is played in any game.
        """
        self._take(moves)
        if not self._settings["illegal_loses"][0]:
            self._refuse_illegal()
        self._each(self._kernels.advance_each, self._slices["advance"])

    def random_moves(self) -> NDArray[np.int64]:
        """A uniformly random legal move for each game, -1 where it is over."""
        moves = np.empty(self._size, np.int64)
        cuts = [(states, choosers, moves[a:b]) for (states, choosers), (a, b) in self._choices]
        self._each(self._kernels.choose_each, cuts)
        return moves

    def __getstate__(self) -> dict[str, Any]:
        # Threads, kernels and slices of the arrays: a copy makes its own.
        own = ("_kernels", "_pool", "_process", "_slices", "_choices")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_ready()

    # Inside ---------------------------------------------------------------------------------------------

    def _make_ready(self) -> None:
        """Create the kernels, the threads, and the slice of each array that each thread works on."""
        self._kernels = VectorKernels(self.game)
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._process = os.getpid()
        bounds = list(pairwise(self._size * n // self._threads for n in range(self._threads + 1)))
        start, settings = self._start, self._settings

        def cut(*arrays: NDArray[Any]) -> list[tuple[NDArray[Any], ...]]:
            return [tuple(array[a:b] if len(array) == self._size else array for array in arrays) for a, b in bounds]

        states, generators, moves = self.states, self._generators, self._moves
        written = (
            moves, self.movers, self.rewards, self.dones, self.scores, self.turns, self.observations, self.masks
        )  # fmt: skip
        self._slices: dict[str, list[Any]] = {
            "reset": [(t, m, start, g, settings) for t, m, g in cut(states, moves, generators)],
            "illegal": cut(states, moves) if self._size > _CHECKED_BY_ONE_THREAD else [(states, moves)],
            "advance": [(t, start, g, settings, *rest) for t, g, *rest in cut(states, generators, *written)],
            "observe": cut(states, moves, self.turns, self.observations, self.masks),
        }
        self._choices = list(zip(cut(states, self._choosers), bounds, strict=True))

    def _each(self, kernel: Any, slices: list[Any]) -> list[Any]:
        """Run a kernel on every slice in parallel, the first in this thread: kernels release the GIL.

        An interrupt waits until all slices are done, so that the arrays stay consistent.
        """
        if self._pool is None or len(slices) == 1:
            return [kernel(*slices[0])]
        if self._process != os.getpid():  # threads do not survive a fork
            self._pool, self._process = ThreadPoolExecutor(self._threads - 1), os.getpid()
        running: list[Future[Any]] = []
        try:
            for arguments in slices[1:]:
                running.append(self._pool.submit(kernel, *arguments))
            return [kernel(*slices[0]), *(one.result() for one in running)]
        finally:
            wait(running)

    def _take(self, moves: Any) -> None:
        given = as_array(moves)
        check_moves(given, self._size)
        self._moves[:] = given

    def _refuse_illegal(self) -> None:
        found = self._each(self._kernels.find_illegal, self._slices["illegal"])
        before = 0
        for wrong, (states, _) in zip(found, self._slices["illegal"], strict=True):
            if wrong >= 0:
                game = before + int(wrong)
                raise refusal(self[game], game, int(self._moves[game]))
            before += len(states)


# ---------------------------------------------------------------------------------------------- Arguments


def check_threads(threads: int | None, size: int) -> int:
    """The number of threads: as requested, else what the cores and the number of games make worthwhile."""
    if threads is not None:
        if not is_whole_number(threads) or threads < 1:
            raise BadOption(f"the number of threads must be a positive integer, not {echo(threads)}")
        return int(min(threads, size))
    return min(os.cpu_count() or 1, max(1, size // _GAMES_PER_THREAD))


def check_moves(given: Any, size: int) -> None:
    """Whether an array, on the host or on a GPU, has a number for each game."""
    if given.shape != (size,):
        raise UnreadableMove(f"{size} games take {size} moves, not an array of {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        values = (given if isinstance(given, np.ndarray) else given.copy_to_host()).tolist()
        wrong = next((game for game, move in enumerate(values) if not is_whole_number(move)), 0)
        raise UnreadableMove(f"game {wrong}: moves are integers, not {echo(values[wrong])}")


def refusal(position: Position, game: int, move: int) -> BadMove:
    """Why a move is refused, and in which game."""
    try:
        return IllegalMove(f"game {game}: {position._why_not(position.game.move(move))}")
    except UnreadableMove as unknown:
        return UnreadableMove(f"game {game}: {unknown}; -1 is a no-op")


def check_loadable(states: Cells, observer: Observer, size: int, autoreset: bool) -> None:
    """Whether a vector of this size can go on from these positions."""
    observer.check_rows(states)
    if states.shape != (size,):
        raise BadOption(f"load takes {size} positions, one for each game, not an array of {states.shape}")
    if autoreset and (over := np.flatnonzero(over_in(observer.game, states))).size:
        raise BadOption(f"game {over[0]} is over; a vector with autoreset takes only unfinished games")


class Seeds:
    """The seeds of a vector: a seed begins a sequence; without one, the present sequence goes on."""

    def __init__(self) -> None:
        self._sequence: np.random.SeedSequence | None = None

    def generators(self, seed: int | None, size: int) -> NDArray[np.uint64]:
        """For each game the state of its dealer and one for random moves."""
        if seed is not None or self._sequence is None:
            self._sequence = present = np.random.SeedSequence(choose_seed(seed))
        else:
            present = self._sequence.spawn(1)[0]
        return present.generate_state(2 * size, np.uint64).astype(np.uint64).reshape(2, size)
