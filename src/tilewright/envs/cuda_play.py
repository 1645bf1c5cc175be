"""Random games on a GPU, as fast as possible: what ``tilewright bench --device cuda`` measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import NDArray

from tilewright.game.dealer import check_seed
from tilewright.game.game import Game
from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells
from tilewright.kernels.cuda import cuda_module, device_kernel, records_on_device, row_on_device, row_type
from tilewright.kernels.playing import TOTALS, Kernels

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import apply_move, awaits_draw, count_moves, deal, is_over, nth_move

    cuda: Any = None
    ROW: Any = None

WORD = numba.uint64
THREADS = 256
"""Per block."""
THREADS_PER_MULTIPROCESSOR = 1024
"""With more, the games no longer fit into the L1 cache; fewer leave it idle (measured on an H200)."""


def play_each(start: Cells, generators: Cells, games: int, totals: Cells) -> None:
    """Play ``games`` random games in each thread, which has a record of its own in ``totals``.

    All games of a warp deal together and then play on until each awaits the next deal, which keeps divergence low:
    threads of a warp that execute the same instructions cost no more than one.
    """
    i = cuda.grid(1)
    own = cuda.local.array(1, ROW)
    generator = cuda.local.array(1, WORD)
    generator[0] = generators[i]
    own[0] = start[0]
    moves, rounds, points, played = 0, 0, 0, 0
    while played < games:
        deal(own[0], generator)
        while not (awaits_draw(own[0]) or is_over(own[0])):
            apply_move(own[0], nth_move(own[0], below(generator, count_moves(own[0]))))
            moves += 1
        if is_over(own[0]):
            rounds += own[0].round_number
            for seat in range(own[0].players):
                points += own[0].score[seat]
            own[0] = start[0]
            played += 1
    totals[i].moves = moves
    totals[i].rounds = rounds
    totals[i].points = points


def _kernel_for(kernels: Kernels) -> Any:
    return device_kernel(kernels.specialiser(cuda=cuda_module(), ROW=row_type(kernels)).bind(play_each))


class CudaPlay:
    """Random games of one rule set on the GPU."""

    def __init__(self, game: Game, seed: int, threads: int | None = None) -> None:
        cuda = cuda_module()
        self._cuda = cuda
        self._kernel = _kernel_for(game.kernels)
        if threads is None:
            threads = cuda.get_current_device().MULTIPROCESSOR_COUNT * THREADS_PER_MULTIPROCESSOR
        self.threads = threads
        self._block = min(THREADS, threads)
        self._start = row_on_device(game.kernels, game.set_up().states)
        self._seeds = np.random.SeedSequence(check_seed(seed))
        self._totals = records_on_device(np.zeros(threads, TOTALS))

    def play(self, games: int) -> NDArray[np.void]:
        """Play ``games`` games in every thread; returns what they counted, a record of each thread."""
        words = self._seeds.spawn(1)[0].generate_state(self.threads, np.uint64)
        generators = self._cuda.to_device(words)
        self._kernel[self.threads // self._block, self._block](self._start, generators, games, self._totals)
        return np.asarray(self._totals.copy_to_host())
