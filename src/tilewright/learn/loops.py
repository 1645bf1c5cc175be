"""The loops of self-play over all games, compiled for the processor or for the GPU from the same source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import tilewright.search
from tilewright.envs.compiling import ENVS_STAMP, with_names
from tilewright.envs.cuda_binding import cuda_module, device_kernel, row_type
from tilewright.game.game import Game
from tilewright.learn import games, lanes, tree
from tilewright.learn.lanes import WARP
from tilewright.learn.store import Store
from tilewright.rules.kernel import compile_with, stamp_of
from tilewright.search import settling, utility
from tilewright.search.game_kernels import family_of, kernel_names

if TYPE_CHECKING:  # the binding gives these
    cuda: Any = None
    ROW: Any = None
    body: Any = None


_SEARCH_STAMP = stamp_of(Path(tilewright.search.__file__).parent, ENVS_STAMP)
LEARN_STAMP = stamp_of(Path(__file__).parent, _SEARCH_STAMP)

_LANE_FUNCTIONS = ("sync_lanes", "best_of_lanes", "max_of_lanes", "sum_of_lanes", "sum_before_lane", "rank_of_lane")
_PARTS: tuple[Callable[..., Any], ...] = (
    utility.utility,
    settling.advance,
    settling.write_result,
    tree.nodes_of,
    tree.players_of,
    tree.select_below_root,
    tree.select_at_root,
    tree.list_legal,
    tree.top_of,
    tree.total_of,
    tree.cut_of,
    tree.open_node,
    tree.open_edge,
    tree.grow,
    tree.read_values,
    tree.gumbel,
    tree.root_outlook,
    tree.improve_policy,
    tree.choose_move,
    tree.note_outlook,
    games.fetch,
    games.put_back,
    games.next_round,
    games.show,
    games.note_afterstate,
    games.give_targets,
    games.count_game,
)
"""In an order in which each comes after those that it calls."""

_IN_A_THREAD = (games.set_out, games.look, games.expand, games.play)
_IN_A_WARP = (tree.plant_root, tree.descend, tree.grow_and_back_up, tree.conclude)

THREADS_A_BLOCK = {1: 64, WARP: 128}
"""By the threads that work on one game: few where each runs the rules, to spread them over the whole card."""


def each_game(store: Store) -> None:
    """The processor takes one game after the other."""
    for g in range(store.played.shape[0]):
        body(g, store.scratch[g : g + 1], store)


def each_tree(store: Store) -> None:
    """The processor is the only lane of every game."""
    for g in range(store.played.shape[0]):
        body(g, 0, store)


def thread_of_game(store: Store) -> None:
    """On the GPU, a thread for each game."""
    g = cuda.grid(1)
    own = cuda.local.array(1, ROW)
    if g < store.played.shape[0]:
        body(g, own, store)


def warp_of_game(store: Store) -> None:
    """On the GPU, a warp for each game."""
    thread = cuda.grid(1)
    g = thread // WARP
    if g < store.played.shape[0]:
        body(g, thread % WARP, store)


class CpuLoops:
    """The loops on the processor."""

    def __init__(self, game: Game) -> None:
        self._names = {**kernel_names(game), "LANES": 1}
        for name in _LANE_FUNCTIONS:
            self._names[name] = self._compiled(getattr(lanes, f"{name}_alone"))
        for part in _PARTS:
            self._names[part.__name__] = self._compiled(part)
        for around, bodies in ((each_game, _IN_A_THREAD), (each_tree, _IN_A_WARP)):
            for function in bodies:
                self._names["body"] = self._compiled(function)
                setattr(self, function.__name__, self._compiled(around, f"{around.__name__}_{function.__name__}"))

    def _compiled(self, function: Callable[..., Any], name: str | None = None) -> Any:
        bound = with_names(function, self._names)
        bound.__qualname__ = bound.__name__ = name or function.__name__
        return compile_with(bound, LEARN_STAMP)

    def launch(self, name: str, store: Store) -> None:
        """Run one loop."""
        getattr(self, name)(store)


class CudaLoops:
    """The loops on the GPU."""

    def __init__(self, game: Game) -> None:
        self._cuda = cuda_module()
        names = {
            **kernel_names(game),
            "LANES": WARP,
            "cuda": self._cuda,
            "ROW": row_type(family_of(game)),
        }
        made: dict[Any, Any] = {}
        for name in _LANE_FUNCTIONS:
            names[name] = with_names(getattr(lanes, f"{name}_of_warp"), names)
        for part in _PARTS:
            names[part.__name__] = with_names(part, names)
        self._kernels: dict[str, tuple[Any, int]] = {}
        for around, threads, bodies in ((thread_of_game, 1, _IN_A_THREAD), (warp_of_game, WARP, _IN_A_WARP)):
            for function in bodies:
                bound = with_names(around, {**names, "body": with_names(function, names)})
                self._kernels[function.__name__] = (device_kernel(bound, made), threads)

    def launch(self, name: str, store: Store) -> None:
        """Run one loop, in the stream that Torch is using."""
        import torch

        kernel, threads = self._kernels[name]
        block = THREADS_A_BLOCK[threads]
        blocks = -(-store.played.shape[0] * threads // block)
        stream = self._cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        kernel[blocks, block, stream](store)


_MADE: dict[tuple[ModuleType, str], CpuLoops | CudaLoops] = {}


def loops_for(game: Game, device: str) -> CpuLoops | CudaLoops:
    """Compiled once for all rule sets that share their kernels."""
    key = (family_of(game), device)
    if key not in _MADE:
        _MADE[key] = CpuLoops(game) if device == "cpu" else CudaLoops(game)
    return _MADE[key]
