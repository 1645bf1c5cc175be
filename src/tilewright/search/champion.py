"""The search of the champion: when to go on, and what came of it."""

from __future__ import annotations

import time

import numpy as np

from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.search import champion_tree, settling
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion_tree import COUNTERS, ROOT, SIMULATIONS, Tree
from tilewright.search.network import Weights, new_pads
from tilewright.search.rule_sets import network_parts

USUAL = (1.0, 0.1, 16.0)
"""Exploration, caution and samples: see ``champion_tree.py``."""
MOST_NODES = 60_000
EDGES_A_NODE = 40
CHUNK = 32
"""Simulations between two looks at the clock."""


class ChampionSearch:
    """A search of one rule set with one network; it keeps its memory from move to move."""

    def __init__(self, game: Game, weights: Weights, settings: tuple[float, float, float] = USUAL) -> None:
        self.game, self.weights = game, weights
        parts = network_parts(game)
        self._plant = game.kernels.compile(champion_tree.plant, *parts)
        self._simulate = game.kernels.compile(champion_tree.simulate, *parts)
        self.pads = new_pads(weights)
        self.settings = np.array(settings)
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
            edge_samples=np.zeros(edges, np.int16),
            next_sample=np.zeros(nodes, whole),
            edge_visits=np.zeros(edges, whole),
            edge_value=np.zeros(edges),
            root_values=np.zeros(self.game.actions * values),
            path=np.zeros((nodes + 1, 2), whole),
            counters=np.zeros(COUNTERS, whole),
        )

    def run(self, row: Cells, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> None:
        """Search from a canonical position until the budget is spent or the best move is beyond doubt.

        It also ends when the tree is full, and early if it is cancelled.
        """
        cancellation = cancellation or Cancellation()
        began = time.perf_counter()
        wanted = budget.simulations or budget.nodes or MOST_NODES
        if budget.seconds is not None:
            wanted = MOST_NODES
        if len(self.tree.state) < min(wanted, MOST_NODES) + 2:
            self.tree = self._new_tree(min(wanted, MOST_NODES) + 2)
        tree = self.tree
        tree.positions[ROOT] = row
        self._plant(tree, self.weights, self.pads)
        while not cancellation.is_cancelled:
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
            if self._simulate(chunk, tree, self.weights, self.pads, self.settings, generator) < chunk:
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
