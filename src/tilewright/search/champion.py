"""The champion as a player: a trained network and its search."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tilewright.bots.bot import Bot, Thought, legal_numbers, new_generator
from tilewright.bots.budget import Budget
from tilewright.envs.compiling import ENVS_STAMP, with_names
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.rules.kernel import Cells, compile_with, stamp_of
from tilewright.search import champion_tree, network, settling, utility
from tilewright.search.champion_tree import COUNTERS, ROOT, SIMULATIONS, Tree
from tilewright.search.game_kernels import canonical_moves, family_of, kernel_names, slug
from tilewright.search.network import Weights, new_pads, read_weights

SEARCH_STAMP = stamp_of(Path(__file__).parent, ENVS_STAMP)
USUAL = Budget(seconds=0.1)
MOST_NODES = 60_000
EDGES_A_NODE = 40
CHUNK = 32
"""Simulations between two looks at the clock."""
WEIGHTS = Path(__file__).parent / "weights"

_PARTS: tuple[Callable[..., Any], ...] = (
    utility.utility,
    settling.advance,
    settling.write_result,
    network.dot,
    network.hidden_layers,
    network.read_out_values,
    champion_tree.open_edges,
    champion_tree.open_node,
    champion_tree.select,
    champion_tree.back_up,
)
_LOOPS = (champion_tree.plant, champion_tree.simulate, champion_tree.sort_root)
_FAST = {"dot", "hidden_layers"}


class _Kernels:
    """The search, compiled for the rules of one game."""

    plant: Any
    simulate: Any
    sort_root: Any

    def __init__(self, game: Game) -> None:
        names = dict(kernel_names(game))
        for part in (*_PARTS, *_LOOPS):
            options: dict[str, Any] = {"fastmath": True} if part.__name__ in _FAST else {}
            names[part.__name__] = compile_with(with_names(part, names), SEARCH_STAMP, **options)
        for loop in _LOOPS:
            setattr(self, loop.__name__, names[loop.__name__])


_MADE: dict[ModuleType, _Kernels] = {}


def kernels_for(game: Game) -> _Kernels:
    """Compiled once for all rule sets that share their kernels."""
    family = family_of(game)
    if family not in _MADE:
        _MADE[family] = _Kernels(game)
    return _MADE[family]


@dataclass(frozen=True)
class RootMove:
    """What a search found out about one move of the position it began with."""

    move: Move
    visits: int
    prior: float
    win_chance: float
    margin: float


class ChampionSearch:
    """A search of one rule set with one network; it keeps its memory from move to move."""

    def __init__(self, game: Game, weights: Weights, exploration: float = 1.5, caution: float = 0.1) -> None:
        self.game, self.weights = game, weights
        self.kernels = kernels_for(game)
        self.pads = new_pads(weights)
        self.settings = np.array([exploration, caution])
        self.stopped = False
        self.tree = self._new_tree(4096)

    def _new_tree(self, nodes: int) -> Tree:
        edges, values = nodes * EDGES_A_NODE, 2 * self.game.players
        whole = np.int32
        return Tree(
            positions=self.game.kernels.new_table(nodes),
            state=np.zeros(nodes, np.int8),
            mover=np.zeros(nodes, np.int8),
            visits=np.zeros(nodes, whole),
            value=np.zeros(nodes),
            values=np.zeros(nodes * values, np.float32),
            first_edge=np.zeros(nodes, whole),
            edges=np.zeros(nodes, whole),
            edge_move=np.zeros(edges, np.int16),
            edge_prior=np.zeros(edges, np.float32),
            edge_child=np.zeros(edges, whole),
            edge_visits=np.zeros(edges, whole),
            edge_value=np.zeros(edges),
            root_values=np.zeros(self.game.actions * values),
            path=np.zeros((nodes + 1, 2), whole),
            counters=np.zeros(COUNTERS, whole),
        )

    def run(self, row: Cells, budget: Budget, generator: Cells) -> None:
        """Search from a position until the budget is spent, the tree is full or the best move is beyond doubt."""
        began = time.perf_counter()
        wanted = budget.simulations or budget.nodes or MOST_NODES
        if budget.seconds is not None:
            wanted = MOST_NODES
        if len(self.tree.state) < min(wanted, MOST_NODES) + 2:
            self.tree = self._new_tree(min(wanted, MOST_NODES) + 2)
        tree = self.tree
        tree.positions[ROOT] = row
        self.kernels.sort_root(tree)
        self.kernels.plant(tree, self.weights, self.pads)
        while not self.stopped:
            done = int(tree.counters[SIMULATIONS])
            left = wanted - done
            if budget.seconds is not None:
                spent = time.perf_counter() - began
                if spent >= budget.seconds:
                    break
                left = min(left, int((budget.seconds - spent) / spent * done) + 1)
            if left <= 0 or self._is_decided(left):
                break
            chunk = min(CHUNK, left) if budget.seconds is None else CHUNK
            if self.kernels.simulate(chunk, tree, self.weights, self.pads, self.settings, generator) < chunk:
                break

    def _root_edges(self) -> slice:
        first = int(self.tree.first_edge[ROOT])
        return slice(first, first + int(self.tree.edges[ROOT]))

    def _is_decided(self, left: int) -> bool:
        visits = np.sort(self.tree.edge_visits[self._root_edges()])
        return len(visits) == 1 or int(visits[-1] - visits[-2]) > left

    def best(self) -> int:
        """The number, in the canonical position, of the move that was tried most often; among equals the better."""
        edges = self._root_edges()
        visits, value = self.tree.edge_visits[edges], self.tree.edge_value[edges]
        merit = visits + np.where(visits > 0, value / np.maximum(visits, 1), self.tree.edge_prior[edges] - 2) / 8
        return int(self.tree.edge_move[edges][np.argmax(merit)])

    def outlook(self, move: int) -> tuple[float, float]:
        """For the mover, the chance to win and the expected margin in points after a move that was tried."""
        edges, players = self._root_edges(), self.game.players
        n = int(np.flatnonzero(self.tree.edge_move[edges] == move)[0])
        visits = max(int(self.tree.edge_visits[edges][n]), 1)
        mover = int(self.tree.mover[ROOT])
        values = self.tree.root_values[n * 2 * players : (n + 1) * 2 * players] / visits
        return float(values[mover]), float(values[players + mover]) * settling.MARGIN_SCALE


class ChampionBot(Bot):
    """Plays with a network that taught itself."""

    def __init__(self, budget: Budget = USUAL, seed: int | None = None, weights: Path | None = None) -> None:
        self.budget = budget
        self._path = weights
        self._generator = new_generator(seed)
        self._search: ChampionSearch | None = None

    def choose(self, position: Position) -> Move:
        """The move that was tried most often."""
        return self.think(position).move

    def think(self, position: Position, budget: Budget | None = None) -> Thought:
        """The move that was tried most often and what it promises."""
        moves = legal_numbers(position)
        search = self._search_of(position.game)
        search.stopped = False
        if len(moves) == 1:
            return Thought(position.game.moves[int(moves[0])])
        search.run(position.table[0], budget or self.budget, self._generator)
        best = search.best()
        numbers = canonical_moves(position.game, position.table["places"][0])
        move = next(int(n) for n in moves if numbers[int(n)] == best)
        chance, margin = search.outlook(best)
        return Thought(position.game.moves[move], margin, chance, simulations=int(search.tree.counters[SIMULATIONS]))

    def stop(self) -> None:
        """End a running thought, from another thread, with the best move so far."""
        if self._search is not None:
            self._search.stopped = True

    def _search_of(self, game: Game) -> ChampionSearch:
        if self._search is None or self._search.game != game:
            path = self._path or WEIGHTS / f"{slug(game)}.npz"
            if not path.exists():
                raise BadOption(f"there is no network for {game!r} yet: {path.name} is missing")
            self._search = ChampionSearch(game, read_weights(path)[0])
        return self._search
