"""A search from a position within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.kernels.playing import new_rows
from tilewright.search import solver, tree
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.parts import evaluation_of, has_evaluation, priors_of, search_parts, use_deal_rollouts
from tilewright.search.settings import LONG_SETTINGS, PLAYOUT_SETTINGS, SETTINGS, Limits, Settings
from tilewright.search.weights import weights_for
from tilewright.search.workspace import (
    LEAF,
    ROOT_EDGE,
    Evaluator,
    clear_tree,
    keep_tree,
    new_simulation,
    new_tree,
    new_workspace,
)

MAX_NODES = 200_000
_NODES_PER_SECOND = 150_000
_FIRST_BATCH, _LARGEST_BATCH = 32, 4096
_BATCH_SECONDS = 0.005
"""How often the clock is read."""
_SOLVER_POSITIONS = 40_000
_NO_LIMIT = 1 << 60
_LONG_STOP = 3
_REUSABLE = 0.75
"""How full a tree may be for another search to go on in it."""
LONG_SECONDS, LONG_SIMULATIONS, LONG_NODES = 0.5, 25_000, 1_000_000
"""The smallest budget of a long search, which uses rollouts through the next deal."""


@dataclass(frozen=True)
class SearchResult:
    """The principal variation, as numbers of moves, and what the player to move can expect."""

    principal_variation: tuple[int, ...]
    win_probability: float
    margin: float
    simulations: int
    nodes: int


@dataclass(frozen=True)
class RootMove:
    """A move of the root and what the simulations of the last search found; nan where none went through it.

    The visits include those of earlier searches in the same tree.
    """

    move: int
    prior: float
    visits: int
    win_probability: float
    margin: float


class Search:
    """A search of one rule set that lives as long as a game.

    Its memory is allocated once. A search against the clock also goes on with the tree of the search before it if that
    tree holds the new root, which it does until the round ends. A search with a budget without a clock starts from
    scratch, so that its choice depends on nothing but the position, the seed and the budget.
    """

    def __init__(self, game: Game, weights: Cells | None = None, settings: Settings | None = None) -> None:
        self.game = game
        self._fixed_settings = settings
        self.settings = settings or SETTINGS
        self._parts = search_parts(game)
        self.positions = game.kernels.new_states(solver.MAX_PLIES)
        self.words: Cells = self.positions.view(np.ndarray).view(np.uint64).reshape(solver.MAX_PLIES, -1)
        weights = weights_for(game) if weights is None else weights
        shape = priors_of(game).PRIOR_VALUES_SHAPE
        self.evaluator = Evaluator(weights, np.zeros(shape, np.float32))
        self.next_evaluator = Evaluator(weights, np.zeros(shape, np.float32))
        self._seats = max(game.spec.players)
        self.workspace = new_workspace(evaluation_of(game).FEATURES, game.actions)
        self.simulation = new_simulation(self._seats)
        self.tree = new_tree(0, game.actions, self._seats)
        self.deal_rollouts = False
        self._tree_settings: Settings | None = None
        self._solved: SearchResult | None = None
        self._is_compiled = False

    def kernel(self, function: Callable[..., Any]) -> Any:
        """A function of this package, compiled for the game."""
        return self.game.kernels.compile(function, *self._parts)

    def prior_scores(self, row: Any) -> tuple[Cells, Cells]:
        """The legal moves of a position and the prior score of each, in points."""
        self._set_root(row)
        count = self.kernel(tree.score_moves_at)(self.positions, 0, self.evaluator, self.workspace)
        return self.workspace.moves[:count], self.workspace.prior_scores[:count]

    def run(self, row: Any, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> SearchResult:
        """Search from a position until the budget is spent, it is cancelled, or the round is solved.

        The clock starts after everything is compiled, so a first search is as good as any other.
        """
        if budget.seconds is not None:
            self._compile(row)
        deadline = perf_counter() + budget.seconds if budget.seconds is not None else None
        self._set_root(row)
        self._choose_settings(budget)
        self._solved = None if self.deal_rollouts else self._solve(budget)
        if self._solved is not None:
            return self._solved
        if budget.seconds is None or not self._reuse_tree(_capacity(budget)):
            self._clear(_capacity(budget))
            self.simulation.rollout_seed[0] = generator[0]
        cancellation = cancellation or Cancellation()
        if deadline is None:
            self._simulate_budget(budget, generator, cancellation)
        else:
            self._simulate_until(deadline, budget, generator, cancellation)
        return self._result()

    def root_moves(self) -> list[RootMove]:
        """The moves of the last root, highest prior first."""
        return [
            RootMove(
                move=int(edge["move"]),
                prior=float(edge["prior"]),
                visits=int(edge["visits"]),
                win_probability=float(sums["win_probability"] / sums["visits"]) if sums["visits"] else np.nan,
                margin=float(sums["margin"] / sums["visits"]) if sums["visits"] else np.nan,
            )
            for edge, sums in zip(self.root_edges(), self.tree.root_edges, strict=False)
        ]

    def best_lines(self, number: int) -> list[SearchResult]:
        """The most visited moves of the last root, each with its principal variation; one where the round is solved."""
        if self._solved is not None:
            return [self._solved]
        tried = zip(self.root_moves(), self.root_edges(), strict=True)
        visited = sorted((pair for pair in tried if not np.isnan(pair[0].margin)), key=lambda pair: -pair[0].visits)
        return [
            SearchResult(
                (move.move, *self._line_from(int(edge["child"]))), move.win_probability, move.margin, move.visits, 0
            )
            for move, edge in visited[:number]
        ]

    def root_edges(self) -> Cells:
        """The edges of the last root, highest prior first."""
        return edges_of(self.tree, int(self.tree.counters["root"][0]))

    def evaluate(self, positions: Cells) -> Any:
        """The evaluation of ``positions[0]``, which is at the horizon: a record of arrays by seat."""
        values = self.simulation.values
        self.kernel(tree.evaluate_leaf_at)(positions, 0, self.evaluator, self.workspace, self.settings, values)
        return values[LEAF]

    # Preparation ----------------------------------------------------------------------------------------

    def _compile(self, row: Any) -> None:
        """Compile what a search calls, or load it from the cache, by calling it with the smallest limits."""
        if self._is_compiled:
            return
        self._set_root(row)
        self._clear(_capacity(Budget(simulations=1)))
        self._simulate(Limits(1, _NO_LIMIT), np.zeros(1, np.uint64))
        self._move_root()
        if self.game.players == 2 and has_evaluation(self.game):
            self.kernel(tree.is_solvable_at)(self.positions, 0)
            transpositions = new_rows(solver.TRANSPOSITIONS, solver.TRANSPOSITION)
            self._solve_root(transpositions, limit=0)
            self.kernel(solver.best_move_at)(self.words, 0, transpositions)
            self.kernel(tree.is_horizon_at)(self.positions, 1)
            self.kernel(tree.evaluate_leaf_at)(
                self.positions, 1, self.evaluator, self.workspace, self.settings, self.simulation.values
            )
        self._is_compiled = True

    def _set_root(self, row: Any) -> None:
        self.positions[0] = self.positions[1] = row
        self.kernel(tree.prepare_priors_at)(self.positions, 1, self.evaluator, self.workspace)

    def _choose_settings(self, budget: Budget) -> None:
        """Choose the settings, unless they were given, and whether to use rollouts through the next deal."""
        if self._fixed_settings is None:
            if not has_evaluation(self.game):
                self.settings = PLAYOUT_SETTINGS
            else:
                self.settings = LONG_SETTINGS if use_deal_rollouts(self.game) and _is_long(budget) else SETTINGS
        self.deal_rollouts = self.settings.deal_rollout_weight > 0

    def _clear(self, nodes: int) -> None:
        """Forget the last search, and make room for a number of nodes."""
        if len(self.tree.nodes) < nodes:
            self.tree = new_tree(nodes, self.game.actions, self._seats)
        clear_tree(self.tree)
        self._tree_settings = self.settings

    def _reuse_tree(self, nodes: int) -> bool:
        """Go on with the tree of the last search, if it holds the new root and has room for another search."""
        counters = self.tree.counters
        if self._tree_settings != self.settings or len(self.tree.nodes) < nodes:
            return False
        if counters["nodes_used"][0] > _REUSABLE * len(self.tree.nodes):
            return False
        keep_tree(self.tree)
        return self._move_root()

    def _move_root(self) -> bool:
        moved = self.kernel(tree.move_root)(
            self.positions, self.words, self.tree, self.evaluator, self.workspace, self.settings
        )
        return bool(moved)

    # Simulations ----------------------------------------------------------------------------------------

    def _simulate_budget(self, budget: Budget, generator: Cells, cancellation: Cancellation) -> None:
        """Spend a budget without a time limit. Neither the batches nor the choice depend on the clock."""
        left, batch = budget.simulations or _NO_LIMIT, _FIRST_BATCH
        while left > 0 and not self._is_decided(left):
            done = self._simulate(Limits(min(batch, left), budget.nodes or _NO_LIMIT), generator)
            if done == 0 or cancellation.is_cancelled:
                break
            left -= done
            batch = min(2 * batch, _LARGEST_BATCH)

    def _simulate_until(self, deadline: float, budget: Budget, generator: Cells, cancellation: Cancellation) -> None:
        """Search until a deadline, in batches of a few milliseconds."""
        left, batch = budget.simulations or _NO_LIMIT, _FIRST_BATCH
        while left > 0:
            started = perf_counter()
            done = self._simulate(Limits(min(batch, left), budget.nodes or _NO_LIMIT), generator)
            elapsed = perf_counter() - started
            left -= done
            remaining = deadline - perf_counter()
            if done == 0 or cancellation.is_cancelled or remaining <= elapsed / 2:
                break
            if self._is_decided(min(left, int(remaining / elapsed * done))):
                break
            if elapsed < _BATCH_SECONDS / 2:
                batch *= 2

    def _simulate(self, limits: Limits, generator: Cells) -> int:
        done = self.kernel(tree.simulate)(
            self.positions, self.words, self.tree, self.evaluator, self.next_evaluator, self.workspace,
            self.settings, generator, self.simulation, self.deal_rollouts, limits,
        )  # fmt: skip
        return int(done)

    def _is_decided(self, left: int) -> bool:
        """Whether no other move can overtake the most visited one.

        A long search stops sooner, because another move hardly ever gets more than a third of what is left.
        """
        visits = np.sort(self.root_edges()["visits"])
        most = left // _LONG_STOP if self.deal_rollouts else left
        return len(visits) > 1 and int(visits[-1] - visits[-2]) > most

    def _line_from(self, node: int) -> tuple[int, ...]:
        """The most visited moves, beginning at a node."""
        line: list[int] = []
        while node >= 0 and len(edges := edges_of(self.tree, node)):
            best = edges[int(np.argmax(edges["visits"]))]
            if best["visits"] == 0:
                break
            line.append(int(best["move"]))
            node = int(best["child"])
        return tuple(line)

    def _result(self) -> SearchResult:
        """The principal variation and its value."""
        sums = self.tree.root_edges[int(np.argmax(self.root_edges()["visits"]))]
        if sums["visits"] == 0:  # only earlier searches in this tree went through it
            sums = {name: self.tree.root_edges[name].sum() for name in ROOT_EDGE.names or ()}
        counters = self.tree.counters[0]
        return SearchResult(
            principal_variation=self._line_from(int(self.tree.counters["root"][0])),
            win_probability=float(sums["win_probability"] / max(1, sums["visits"])),
            margin=float(sums["margin"] / max(1, sums["visits"])),
            simulations=int(counters["simulations"]),
            nodes=int(counters["moves_made"]),
        )

    # The end of a round -----------------------------------------------------------------------------------

    def _solve(self, budget: Budget) -> SearchResult | None:
        """The best line to the end of the round, if little enough is left to solve it exactly."""
        if not self.kernel(tree.is_solvable_at)(self.positions, 0):
            return None
        root = self.positions[0].copy()
        limits = [_SOLVER_POSITIONS, budget.simulations or _NO_LIMIT, (budget.nodes or _NO_LIMIT) // 2]
        if budget.seconds is not None:
            limits.append(int(budget.seconds * _NODES_PER_SECOND))
        transpositions = new_rows(solver.TRANSPOSITIONS, solver.TRANSPOSITION)
        seat = int(self.positions["turn"][0])
        line: list[int] = []
        nodes = 0
        while not self.kernel(tree.is_horizon_at)(self.positions, 0):
            counters = self._solve_root(transpositions, min(limits))
            nodes += int(counters["positions"][0])
            if counters["aborted"][0]:
                self.positions[0] = root
                return None
            # The root of the solver is always in the transposition table: it was the last position to be stored.
            line.append(int(self.kernel(solver.best_move_at)(self.words, 0, transpositions)))
            self.game.kernels.push_at(self.positions, 0, line[-1])
        values = self.evaluate(self.positions)
        return SearchResult(
            tuple(line), float(values["win_probability"][seat]), float(values["margin"][seat]), 0, nodes
        )

    def _solve_root(self, transpositions: Cells, limit: int) -> Cells:
        """Solve ``positions[0]`` within a limit of positions; returns what was counted."""
        counters = new_rows(1, solver.COUNTERS)
        counters["limit"] = limit
        self.kernel(solver.solve)(
            self.positions, self.words, 0, solver.MIN_VALUE, solver.MAX_VALUE,
            transpositions, counters, self.evaluator, self.workspace, self.settings, self.simulation.values,
        )  # fmt: skip
        return counters


def _is_long(budget: Budget) -> bool:
    """Whether a budget is large enough for rollouts through the next deal without neglecting this round."""
    return (
        (budget.seconds is None or budget.seconds >= LONG_SECONDS)
        and (budget.simulations is None or budget.simulations >= LONG_SIMULATIONS)
        and (budget.nodes is None or budget.nodes >= LONG_NODES)
    )


def _capacity(budget: Budget) -> int:
    """Nodes that a search within a budget may need."""
    needed = [MAX_NODES]
    if budget.simulations is not None:
        needed.append(budget.simulations)
    if budget.nodes is not None:
        needed.append(budget.nodes)
    if budget.seconds is not None:
        needed.append(int(budget.seconds * _NODES_PER_SECOND) + 1000)
    return min(needed) + 2


def edges_of(tree: Any, node: int) -> Cells:
    """The edges of a node, in the order in which the search tries them: highest prior first."""
    first, count = int(tree.nodes["first_edge"][node]), int(tree.nodes["edges"][node])
    return np.asarray(tree.edges[first : first + count])
