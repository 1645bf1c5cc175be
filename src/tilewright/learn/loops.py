"""The loops of self-play over all games, compiled for the CPU or for a GPU from the same source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewright.game.game import Game
from tilewright.kernels.compile import Specialiser, compile_function
from tilewright.kernels.cuda import cuda_module, device_kernel, row_type
from tilewright.kernels.rebinding import rebind
from tilewright.learn import games, lanes, rows, tree
from tilewright.learn.lanes import WARP
from tilewright.learn.store import Store
from tilewright.search.rule_sets import network_parts

if TYPE_CHECKING:  # given when the loops are compiled
    cuda: Any = None
    ROW: Any = None
    body: Any = None

_LANE_FUNCTIONS = ("sync_lanes", "best_of_lanes", "max_of_lanes", "sum_of_lanes", "sum_before_lane", "rank_of_lane")
_IN_A_THREAD = (games.start_game, games.observe_root, games.expand, games.play)
_IN_A_WARP = (tree.expand_root, tree.descend, tree.expand_and_back_up, tree.finish_search)

THREADS_A_BLOCK = {1: 64, WARP: 128}
"""By the number of threads per game: blocks are small where threads run the rules, to use the whole GPU."""


def each_game(store: Store) -> None:
    """On the CPU, one game after the other."""
    for g in range(store.played.shape[0]):
        body(g, store.scratch[g : g + 1], store)


def each_tree(store: Store) -> None:
    """On the CPU, one lane for every game."""
    for g in range(store.played.shape[0]):
        body(g, 0, store)


def thread_of_game(store: Store) -> None:
    """On a GPU, a thread for each game."""
    g = cuda.grid(1)
    own = cuda.local.array(1, ROW)
    if g < store.played.shape[0]:
        body(g, own, store)


def warp_of_game(store: Store) -> None:
    """On a GPU, a warp for each game."""
    thread = cuda.grid(1)
    g = thread // WARP
    if g < store.played.shape[0]:
        body(g, thread % WARP, store)


def _around(
    loop: Callable[..., None], function: Any, specialiser: Specialiser, game: Game, more: dict[str, Any]
) -> Any:
    """One of the loops above with a function of self-play as its body, and the specialiser that compiles it."""
    more = {**more, "body": specialiser.compile(function, from_python=False)}
    name = f"{loop.__name__}_{function.__name__}"  # of its own, because compiled functions are cached by name
    whole = rebind(loop, loop.__globals__, name)
    return game.kernels.specialiser(*network_parts(game), **more), whole


class CpuLoops:
    """The loops on the CPU."""

    def __init__(self, game: Game) -> None:
        more: dict[str, Any] = {"LANES": 1}
        parts = {name: getattr(lanes, f"{name}_alone") for name in _LANE_FUNCTIONS}
        parts |= {"read_word": rows.read_word_on_cpu, "write_word": rows.write_word_on_cpu}
        more |= {name: compile_function(part, from_python=False) for name, part in parts.items()}
        specialiser = game.kernels.specialiser(*network_parts(game), **more)
        for loop, functions in ((each_game, _IN_A_THREAD), (each_tree, _IN_A_WARP)):
            for function in functions:
                inside, whole = _around(loop, function, specialiser, game, more)
                setattr(self, function.__name__, inside.compile(whole))

    def launch(self, name: str, store: Store) -> None:
        """Run one loop."""
        getattr(self, name)(store)


class CudaLoops:
    """The loops on a GPU."""

    def __init__(self, game: Game) -> None:
        self._cuda = cuda_module()
        more: dict[str, Any] = {"LANES": WARP, "cuda": self._cuda, "ROW": row_type(game.kernels)}
        for name in _LANE_FUNCTIONS:
            more[name] = game.kernels.specialiser(cuda=self._cuda).bind(getattr(lanes, f"{name}_of_warp"))
        more |= {"read_word": rows.read_word_on_gpu, "write_word": rows.write_word_on_gpu}
        specialiser = game.kernels.specialiser(*network_parts(game), **more)
        made: dict[Any, Any] = {}
        self._kernels: dict[str, tuple[Any, int]] = {}
        for loop, threads, functions in ((thread_of_game, 1, _IN_A_THREAD), (warp_of_game, WARP, _IN_A_WARP)):
            for function in functions:
                inside, whole = _around(loop, function, specialiser, game, more)
                self._kernels[function.__name__] = (device_kernel(inside.bind(whole), made), threads)

    def launch(self, name: str, store: Store) -> None:
        """Run one loop, in the stream that PyTorch is using."""
        import torch

        kernel, threads = self._kernels[name]
        block = THREADS_A_BLOCK[threads]
        blocks = -(-store.played.shape[0] * threads // block)
        stream = self._cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        kernel[blocks, block, stream](store)


_MADE: dict[tuple[int, str], CpuLoops | CudaLoops] = {}


def loops_for(game: Game, device: str) -> CpuLoops | CudaLoops:
    """Compiled once for all rule sets that share their kernels."""
    key = (id(game.kernels), device)
    if key not in _MADE:
        _MADE[key] = CpuLoops(game) if device == "cpu" else CudaLoops(game)
    return _MADE[key]
