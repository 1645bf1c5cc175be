"""Thousands of games in lockstep on a GPU. All arrays stay in its memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.envs.cuda_loops import WARP, CudaKernels
from tilewright.envs.observation import Observer
from tilewright.envs.stepping import step_settings
from tilewright.envs.vector import Seeds, check_loadable, check_moves, refusal
from tilewright.game.batch import check_size, game_index
from tilewright.game.errors import BadOption
from tilewright.game.game import Game, check_game
from tilewright.game.position import Position
from tilewright.game.validation import as_array, echo
from tilewright.kernels.compile import Cells
from tilewright.kernels.cuda import cuda_module, records_on_device, row_on_device

THREADS = 128
"""Per block, in kernels whose threads are independent."""
SHARED_BYTES = 48 * 1024
"""Shared memory of a block that every GPU has."""
NONE_ILLEGAL = 1 << 62


class CudaVector:
    """Many games of one rule set on a GPU: what ``Vector`` is on the CPU.

    Its arrays have the CUDA array interface: ``torch.as_tensor(vector.observations, device="cuda")``,
    ``cupy.asarray(vector.observations)`` and ``jax.numpy.asarray(...)`` share their memory.
    """

    def __init__(
        self, game: Game, size: int, seed: int | None = None, *, reward: str = "win", illegal: str = "error",
        canonical: bool = False, autoreset: bool = True,
    ) -> None:  # fmt: skip
        self._cuda = cuda_module()
        self.game = check_game(game)
        self.observer = Observer(game)
        self._size = check_size(size)
        settings = step_settings(reward, illegal, canonical, autoreset)
        self._illegal_loses, self._autoreset = bool(settings["illegal_loses"][0]), bool(settings["autoreset"][0])
        self._settings = records_on_device(settings)
        self._start = row_on_device(game.kernels, game.set_up().states)
        self.words = self._blank((game.kernels.dtype.itemsize // 8, self._size), np.uint64)
        """The games, word by word: see ``cuda_loops.py``."""
        self.observations = self._blank((self._size, self.observer.size), np.float32)
        self.masks = self._blank((self._size, game.actions), np.bool_)
        self.rewards = self._blank((self._size, game.players), np.float32)
        self.dones = self._blank((self._size,), np.bool_)
        self.scores = self._blank((self._size, game.players), game.kernels.score_type)
        self.turns = self._blank((self._size,), np.int8)
        self.movers = self._blank((self._size,), np.int8)
        self._chosen = self._blank((self._size,), np.int64)
        self._kernels = CudaKernels(game)
        self._seeds = Seeds()
        self.reset(seed)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, i: int) -> Position:
        """A copy of one game as a position."""
        i = game_index(i, self._size)
        states = self.game.kernels.new_states(1)
        states.view(np.uint64)[:] = self.words[:, i : i + 1].copy_to_host()[:, 0]
        return self.game.trusted_position(states)

    __hash__ = None  # type: ignore[assignment]  # a step would change it

    def copy_states(self) -> Cells:
        """All games as rows, copied to the host."""
        states = self.game.kernels.new_states(self._size)
        states.view(np.uint64).reshape(self._size, -1)[:] = self.words.copy_to_host().T
        return states

    def reset(self, seed: int | None = None) -> None:
        """Begin new games: those of a ``Vector`` with this seed or, without one, the next of the random sequence."""
        self._generators, self._choosers = map(self._cuda.to_device, self._seeds.generators(seed, self._size))
        for array in (self.rewards, self.dones, self.movers):
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self.restart(np.ones(self._size, np.bool_))

    def load(self, states: Cells) -> None:
        """Continue from these positions, as ``Vector.load`` does: rows on the host, such as ``copy_states`` returns."""
        check_loadable(states, self.observer, self._size, self._autoreset)
        rows = np.ascontiguousarray(states).view(np.uint64).reshape(self._size, -1)
        self.words.copy_to_device(np.ascontiguousarray(rows.T))
        for array in (self.rewards, self.dones, self.movers):
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self._launch("settle_each", self.words, self._generators, self._settings, self.turns, self.scores)
        self._observe()

    @property
    def over(self) -> Any:
        """Which games are over and need ``restart``; none with ``autoreset``."""
        over = self._blank((self._size,), np.bool_)
        self._launch("note_over_each", self.words, over)
        return over

    def restart(self, which: Any) -> None:
        """Begin new games where ``which`` is True; the others continue. For use without ``autoreset``."""
        chosen = self._on_device(which)
        if chosen.shape != (self._size,) or chosen.dtype != np.bool_:
            raise BadOption(f"restart takes {self._size} booleans, one for each game, not {echo(which)}")
        self._launch(
            "reset_each", self.words, chosen, self._start, self._generators, self._settings, self.turns, self.scores
        )  # fmt: skip
        self._observe()

    def step(self, moves: Any) -> None:
        """Play one move in each game, deal, and update all arrays. -1 is a no-op: that game stands still.

        The moves may be an array on the GPU (of Numba, Torch, CuPy or JAX) or on the host. If ``illegal="error"`` and
        any move is illegal, nothing is played in any game; this check synchronises host and GPU at every step.
        """
        given = self._given(moves)
        if not self._illegal_loses:
            self._refuse_illegal(given)
        self._launch(
            "step_each", self.words, self._start, self._generators, self._settings, given, self.movers, self.rewards,
            self.dones, self.scores, self.turns,
        )  # fmt: skip
        self._observe()

    def random_moves(self) -> Any:
        """A uniformly random legal move for each game, -1 where it is over; the next call overwrites the array."""
        self._launch("choose_each", self.words, self._choosers, self._chosen)
        return self._chosen

    # Inside ---------------------------------------------------------------------------------------------

    def _blank(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._cuda.to_device(np.zeros(shape, dtype))

    def _launch(self, name: str, *arguments: Any) -> None:
        blocks = -(-self._size // THREADS)
        getattr(self._kernels, name)[blocks, THREADS](*arguments)

    def _observe(self) -> None:
        self._launch_warps("observe_each", self.observations)
        self._launch_warps("mark_each", self.masks)

    def _launch_warps(self, name: str, array: Any) -> None:
        """As many games to a warp as fit into its shared memory."""
        width = array.shape[1]
        games = min(WARP, SHARED_BYTES // (width * array.dtype.itemsize))
        blocks = -(-self._size // games)
        launch = getattr(self._kernels, name)[blocks, WARP, 0, games * width * array.dtype.itemsize]
        launch(self.words, games, width, array.reshape(-1))

    def _on_device(self, array: Any) -> Any:
        """An array in the memory of the GPU, copied there if necessary."""
        if hasattr(array, "copy_to_host"):
            return array
        if hasattr(array, "__cuda_array_interface__"):
            return self._cuda.as_cuda_array(array)
        host = as_array(array)
        return self._cuda.to_device(host.astype(np.int64) if np.issubdtype(host.dtype, np.integer) else host)

    def _given(self, moves: Any) -> Any:
        given = self._on_device(moves)
        check_moves(given, self._size)
        return given

    def _refuse_illegal(self, moves: Any) -> None:
        found = self._cuda.to_device(np.array([NONE_ILLEGAL], np.int64))
        self._launch("find_illegal", self.words, moves, found)
        wrong = int(found.copy_to_host()[0])
        if wrong != NONE_ILLEGAL:
            move = int(moves[wrong : wrong + 1].copy_to_host()[0])
            raise refusal(self[wrong], wrong, move)
