"""CUDA kernels over many games, one thread for each.

Memory accesses of a warp coalesce only if neighbouring threads access neighbouring words. So the games are stored word
by word (a structure of arrays): the first words of all games, then the second ones, and so on. A thread copies its game
into local memory and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba

from tilewright.envs.observation import observation_part
from tilewright.envs.stepping import NO_OP, deal_at, random_move_at, reset_at, step_at
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.kernels.cuda import cuda_module, device_kernel, row_type

if TYPE_CHECKING:  # defined by each game
    from tilewright.envs.interface import observe
    from tilewright.kernels.interface import is_legal, is_over, mark_moves

    cuda: Any = None
    ROW: Any = None

WARP = 32
"""Threads that run in lockstep. They write the observations of their games together."""
FLOAT, FLAG = numba.float32, numba.boolean


def fetch(words: Cells, i: int, own: Cells) -> None:
    """Copy a game to local memory."""
    for word in range(len(words)):
        own[0].words[word] = words[word, i]


def put_back(own: Cells, words: Cells, i: int) -> None:
    """Copy a game back from local memory."""
    for word in range(len(words)):
        words[word, i] = own[0].words[word]


def find_illegal(words: Cells, moves: Cells, found: Cells) -> None:
    """The index of the first game whose move is illegal."""
    i = cuda.grid(1)
    if i < len(moves) and moves[i] != NO_OP:
        own = cuda.local.array(1, ROW)
        fetch(words, i, own)
        if not is_legal(own[0], moves[i]):
            cuda.atomic.min(found, 0, i)


def reset_each(
    words: Cells, which: Cells, start: Cells, generators: Cells, settings: Cells, turns: Cells, scores: Cells
) -> None:
    """Begin a new game wherever ``which`` is True."""
    i = cuda.grid(1)
    if i < len(generators) and which[i]:
        own = cuda.local.array(1, ROW)
        reset_at(own, 0, start, generators[i : i + 1], settings)
        turns[i] = own[0].turn
        for seat in range(own[0].players):
            scores[i, seat] = own[0].score[seat]
        put_back(own, words, i)


def settle_each(words: Cells, generators: Cells, settings: Cells, turns: Cells, scores: Cells) -> None:
    """Deal where tiles are awaited, and make positions canonical if the settings ask for it."""
    i = cuda.grid(1)
    if i < len(generators):
        own = cuda.local.array(1, ROW)
        fetch(words, i, own)
        deal_at(own, 0, generators[i : i + 1], settings)
        turns[i] = own[0].turn
        for seat in range(own[0].players):
            scores[i, seat] = own[0].score[seat]
        put_back(own, words, i)


def note_over_each(words: Cells, over: Cells) -> None:
    """Which games are over."""
    i = cuda.grid(1)
    if i < len(over):
        own = cuda.local.array(1, ROW)
        fetch(words, i, own)
        over[i] = is_over(own[0])


def choose_each(words: Cells, choosers: Cells, moves: Cells) -> None:
    """A random legal move in every game."""
    i = cuda.grid(1)
    if i < len(moves):
        own = cuda.local.array(1, ROW)
        fetch(words, i, own)
        moves[i] = random_move_at(own, 0, choosers[i : i + 1])


def step_each(
    words: Cells, start: Cells, generators: Cells, settings: Cells, moves: Cells, movers: Cells, rewards: Cells,
    dones: Cells, scores: Cells, turns: Cells,
) -> None:  # fmt: skip
    """One step of every game."""
    i = cuda.grid(1)
    if i < len(moves):
        own = cuda.local.array(1, ROW)
        fetch(words, i, own)
        movers[i] = own[0].turn
        dones[i] = step_at(own, 0, start, generators[i : i + 1], moves[i], settings, rewards[i], scores[i])
        turns[i] = own[0].turn
        put_back(own, words, i)


# If each thread wrote its observation straight to global memory, no access would coalesce. So the threads of a warp
# collect their observations in shared memory and then write them out together.


def observe_each(words: Cells, games: int, size: int, observations: Cells) -> None:
    """The observations of ``games`` games in each block, which is one warp."""
    first = cuda.blockIdx.x * games
    here = min(games, words.shape[1] - first)
    shared = cuda.shared.array(0, FLOAT)
    if cuda.threadIdx.x < here:
        own = cuda.local.array(1, ROW)
        fetch(words, first + cuda.threadIdx.x, own)
        observe(own[0], own[0].turn, shared[cuda.threadIdx.x * size : (cuda.threadIdx.x + 1) * size])
    cuda.syncthreads()
    for n in range(cuda.threadIdx.x, here * size, WARP):
        observations[first * size + n] = shared[n]


def mark_each(words: Cells, games: int, actions: int, masks: Cells) -> None:
    """The legal moves of ``games`` games in each block, which is one warp."""
    first = cuda.blockIdx.x * games
    here = min(games, words.shape[1] - first)
    legal = cuda.shared.array(0, FLAG)
    for n in range(cuda.threadIdx.x, here * actions, WARP):
        legal[n] = False
    cuda.syncthreads()
    if cuda.threadIdx.x < here:
        own = cuda.local.array(1, ROW)
        fetch(words, first + cuda.threadIdx.x, own)
        mark_moves(own[0], legal[cuda.threadIdx.x * actions : (cuda.threadIdx.x + 1) * actions])
    cuda.syncthreads()
    for n in range(cuda.threadIdx.x, here * actions, WARP):
        masks[first * actions + n] = legal[n]


LOOPS = (find_illegal, reset_each, settle_each, note_over_each, choose_each, step_each, observe_each, mark_each)


class CudaKernels:
    """The loops above, compiled for one game."""

    def __init__(self, game: Game) -> None:
        specialiser = game.kernels.specialiser(observation_part(game), cuda=cuda_module(), ROW=row_type(game.kernels))
        made: dict[Any, Any] = {}
        for loop in LOOPS:
            setattr(self, loop.__name__, device_kernel(specialiser.bind(loop), made))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a vector has no kernel {name!r}")
