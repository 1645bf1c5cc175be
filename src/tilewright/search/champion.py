"""The champion's search from a position within a budget."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.kernels.compile import Cells
from tilewright.search import champion_tree
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion_workspace import (
    CHAMPION_SETTINGS,
    DECISION,
    ChampionSettings,
    ChampionTree,
    clear_champion_tree,
    new_champion_tree,
)
from tilewright.search.network import NetworkWeights, new_activations
from tilewright.search.rule_sets import network_parts
from tilewright.search.searcher import RootMove, SearchResult, edges_of
from tilewright.search.settling import MARGIN_SCALE

MAX_NODES = 250_000
"""Of a tree, unless its owner wants another limit: about 200 MB."""
_NODES_PER_SECOND = 250_000
_FIRST_BATCH, _LARGEST_BATCH = 32, 128
"""Simulations between two looks at the clock and the cancellation: a few milliseconds at most."""
_SEARCHES_PER_TREE = 4
"""For how many searches against the clock a tree has room."""
_NODES_PER_SIMULATION = 4
"""At most, draws in mid-round included."""
_NO_LIMIT = 1 << 60


class SeatValues(NamedTuple):
    """What each seat can expect: its win probability, and its margin in points over the best other seat."""

    win_probabilities: tuple[float, ...]
    margins: tuple[float, ...]


class TriedMove(NamedTuple):
    """A move of the root that simulations went through."""

    move: int
    prior: float
    visits: int
    visits_after: int
    """Of the position that it leads to; more than its own if simulations also began there, or came by another way."""
    values: SeatValues


def canonical(position: Position) -> tuple[Position, Cells]:
    """The canonical twin of a position, and the number that every move has there."""
    part: Any = position.game.spec.part("symmetry")
    if part is None:
        return position, np.arange(position.game.actions)
    twin, numbers = part.canonical(position)
    return twin, numbers


def compile_search(game: Game) -> tuple[Any, Any]:
    """The two entry points of ``champion_tree.py``, ``move_root`` and ``simulate``, for a rule set."""
    parts, functions = network_parts(game), (champion_tree.move_root, champion_tree.simulate)
    move_root, simulate = (game.kernels.compile(function, *parts, allocates=False) for function in functions)
    return move_root, simulate


class ChampionSearch:
    """A search of one rule set with one network, which lives as long as a game.

    Its memory is allocated once, and everything is compiled when it is made, before any clock starts. A search against
    the clock goes on with the tree of the search before it if that tree holds the new root, which it does until the
    round ends. A search without a clock starts from scratch, so that its choice depends on nothing but the position,
    the seed and the budget.
    """

    def __init__(
        self,
        game: Game,
        weights: NetworkWeights,
        settings: ChampionSettings = CHAMPION_SETTINGS,
        most_nodes: int | None = None,
        stops_early: bool = True,
    ) -> None:
        self.game, self.weights, self.settings = game, weights, settings
        self.most_nodes, self.stops_early = most_nodes or MAX_NODES, stops_early
        self._move_root, self._simulate = compile_search(game)
        self.activations = new_activations(weights)
        self.tree: ChampionTree = new_champion_tree(game, 8)
        self.position = game.start(seed=0)
        self.simulations = 0
        self._set_root(self.position)
        self._run_batch(1, np.zeros(1, np.uint64))

    def run(self, row: Any, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> SearchResult:
        """Search from a position until the budget is spent, it is cancelled, or the root is solved.

        A search without a clock also ends when no other move can become the most visited one, unless its visits are to
        be added to those of other trees. A simulation evaluates at most one new node, so a budget of nodes is one of
        simulations.
        """
        states = self.game.kernels.new_states(1)
        states[0] = row
        self.position = self.game.trusted_position(states)
        self._make_room(budget)
        deadline = perf_counter() + budget.seconds if budget.seconds is not None else None
        self._set_root(self.position)
        self.simulations = 0
        evaluations = int(self.tree.counters["evaluations"][0])
        self._run_until(deadline, _most_simulations(budget), generator, cancellation or Cancellation())
        return self._result(int(self.tree.counters["evaluations"][0]) - evaluations)

    # Step by step, for analysis -----------------------------------------------------------------------------

    def start(self, position: Position, simulations: int) -> None:
        """Begin a new tree, with room for a number of simulations.

        The root may be any position: before a decision, before a draw, or at the end of the game.
        """
        self._make_room(Budget(simulations=simulations))
        self.move_to(position)
        self.simulations = 0

    def move_to(self, position: Position) -> None:
        """Make a position the root; what the tree knows about this and other positions stays, unless it is full."""
        self.position = position.without_dealer()
        self._set_root(self.position, keeps_tree=True)

    def simulate(self, limit: int, generator: Cells, cancellation: Cancellation) -> int:
        """Run simulations until there were enough, the root is solved or the search is cancelled; how many were run."""
        before = self.simulations
        while (left := limit - (self.simulations - before)) > 0 and not cancellation.is_cancelled:
            wanted = min(left, _LARGEST_BATCH)
            if self._run_batch(wanted, generator) < wanted:
                break
        return self.simulations - before

    @property
    def room(self) -> int:
        """Simulations after which the tree is not full yet: the root of a full tree cannot be moved."""
        return int(len(self.tree.nodes) - self.tree.counters["nodes_used"][0]) // _NODES_PER_SIMULATION

    @property
    def is_solved(self) -> bool:
        """Whether the value of the root is exact, as far as the network's evaluation of afterstates is."""
        return bool(self.tree.nodes["solved"][self._root])

    def expectation(self) -> SeatValues:
        """What each seat can expect at the root if the best move is played."""
        node = self._root
        if self.tree.nodes["kind"][node] == DECISION and self.tree.nodes["tried"][node]:
            node = int(self._best_edge(node)["child"])
        return self._seat_values(node)

    def tried_moves(self) -> list[TriedMove]:
        """The moves of the root that simulations went through, the most promising first."""
        real = np.argsort(canonical(self.position)[1])
        tried = [edge for edge in edges_of(self.tree, self._root) if edge["child"] >= 0]
        found = [
            TriedMove(
                move=int(real[edge["move"]]),
                prior=float(edge["prior"]),
                visits=int(edge["visits"]),
                visits_after=int(self.tree.nodes["visits"][edge["child"]]),
                values=self._seat_values(int(edge["child"])),
            )
            for edge in tried
        ]
        return sorted(found, key=lambda move: (-move.visits, -move.prior))

    def root_moves(self) -> list[RootMove]:
        """The moves of the last root, the most promising first; nan where no simulation went through a move."""
        real = np.argsort(canonical(self.position)[1])
        found = []
        for edge in edges_of(self.tree, self._root):
            chance, margin = self._expectation(edge)
            found.append(RootMove(int(real[edge["move"]]), float(edge["prior"]), int(edge["visits"]), chance, margin))
        return sorted(found, key=lambda move: (-move.visits, -move.prior))

    def best_lines(self, number: int) -> list[SearchResult]:
        """The choice and the next most visited moves of the last root, each with its principal variation."""
        mover = int(self.tree.nodes["mover"][self._root])
        choice = self.principal_variation()[0]
        ranked = sorted(self.tried_moves(), key=lambda tried: tried.move != choice)
        return [
            SearchResult(
                self.principal_variation(tried.move),
                tried.values.win_probabilities[mover],
                tried.values.margins[mover],
                tried.visits,
                0,
            )
            for tried in ranked[:number]
        ]

    # Preparation ----------------------------------------------------------------------------------------

    @property
    def _root(self) -> int:
        return int(self.tree.counters["root"][0])

    def _make_room(self, budget: Budget) -> None:
        """Keep the last tree if the clock alone ends the search and there is room, otherwise start from scratch."""
        needed = _nodes_needed(budget, self.most_nodes)
        if len(self.tree.nodes) < needed:
            searches = 1 if budget.seconds is None else _SEARCHES_PER_TREE
            self.tree = new_champion_tree(self.game, min(self.most_nodes, searches * needed))
        tree, used = self.tree, self.tree.counters[0]
        taken = max(used["nodes_used"] / len(tree.nodes), used["edges_used"] / len(tree.edges))
        if budget.seconds is None or (1 - taken) * len(tree.nodes) < needed / 2:
            clear_champion_tree(tree)

    def _set_root(self, position: Position, keeps_tree: bool = False) -> None:
        """Find the root in the tree; if it is not there, begin a new tree with it, or add it to this one."""
        twin = canonical(position)[0].states[0]
        used = int(self.tree.counters["nodes_used"][0])
        self.tree.positions[used] = twin
        arguments = (self.weights, self.activations, self.settings)
        if used == len(self.tree.nodes) or not (self._move_root(self.tree, *arguments) or keeps_tree):
            clear_champion_tree(self.tree)
            self.tree.positions[0] = twin
            self._move_root(self.tree, *arguments)

    # Simulations ----------------------------------------------------------------------------------------

    def _run_until(self, deadline: float | None, limit: int, generator: Cells, cancellation: Cancellation) -> None:
        """Run simulations in small batches. Without a deadline nothing depends on the clock.

        A deadline is used up even if the choice is beyond doubt, because the next search goes on in the same tree.
        """
        batch = _FIRST_BATCH
        while True:
            wanted, started = min(batch, limit - self.simulations), perf_counter()
            done = self._run_batch(wanted, generator)
            left = limit - self.simulations
            if deadline is not None:
                now = perf_counter()
                left = min(left, int((deadline - now) / (now - started) * done))
            if done < wanted or left <= 0 or cancellation.is_cancelled:
                break
            if deadline is None and self.stops_early and self._is_decided(left):
                break
            batch = min(2 * batch, left, _LARGEST_BATCH)

    def _run_batch(self, limit: int, generator: Cells) -> int:
        done = int(self._simulate(limit, self.tree, self.weights, self.activations, self.settings, generator))
        self.simulations += done
        return done

    def _is_decided(self, left: int) -> bool:
        """Whether no other move can overtake the most visited one."""
        visits = np.sort(edges_of(self.tree, self._root)["visits"])
        return len(visits) == 1 or int(visits[-1] - visits[-2]) > left

    # The result -----------------------------------------------------------------------------------------

    def _best_edge(self, node: int) -> Any:
        """The most visited move, among equals the better one; if the node is solved, the best one."""
        edges = edges_of(self.tree, node)
        if self.tree.nodes["solved"][node]:
            return edges[int(np.argmax(edges["value"]))]
        tried = edges[: max(1, int(self.tree.nodes["tried"][node]))]
        return tried[np.lexsort((tried["value"], tried["visits"]))[-1]]

    def _expectation(self, edge: Any) -> tuple[float, float]:
        """For the mover of the root, the win probability and the margin in points after a move."""
        if edge["child"] < 0:
            return np.nan, np.nan
        mean, mover = self.tree.means[edge["child"]], int(self.tree.nodes["mover"][self._root])
        return float(mean[mover]), float(mean[self.game.players + mover]) * MARGIN_SCALE

    def _result(self, evaluations: int) -> SearchResult:
        best = self._best_edge(self._root)
        chance, margin = self._expectation(best)
        return SearchResult(self.principal_variation(), chance, margin, self.simulations, evaluations)

    def _seat_values(self, node: int) -> SeatValues:
        means, players = self.tree.means[node].tolist(), self.game.players
        return SeatValues(tuple(means[:players]), tuple(margin * MARGIN_SCALE for margin in means[players:]))

    def principal_variation(self, first: int | None = None, least_visits: int = 1) -> tuple[int, ...]:
        """The best move of each node, from the root on, and forced moves between them, up to the next draw.

        The first move may be given; otherwise it is the best one too. The line ends at a node with fewer visits, unless
        it is solved.
        """
        line: list[int] = []
        position, node = self.position.copy(), self._root
        while self._is_decision(node) and (not line or self._is_known(node, least_visits)):
            numbers, edges = canonical(position)[1], edges_of(self.tree, node)
            if line or first is None:
                edge = self._best_edge(node)
            else:
                edge = edges[int(np.argmax(edges["move"] == numbers[first]))]
            line.append(int(np.argmax(numbers == edge["move"])))
            position.push(line[-1])
            while position.turn is not None and len(forced := position.legal_moves.numbers()) == 1:
                line.append(int(forced[0]))
                position.push(line[-1])
            node = int(edge["child"])
        return tuple(line)

    def _is_decision(self, node: int) -> bool:
        return node >= 0 and self.tree.nodes["kind"][node] == DECISION

    def _is_known(self, node: int, least_visits: int) -> bool:
        found = self.tree.nodes[node]
        return bool(found["solved"] or (found["tried"] and found["visits"] >= least_visits))


def _most_simulations(budget: Budget) -> int:
    return min(budget.simulations or _NO_LIMIT, budget.nodes or _NO_LIMIT)


def _nodes_needed(budget: Budget, most: int) -> int:
    """Nodes that a search within a budget may need; where tiles are drawn, a simulation may make several."""
    needed = [most]
    needed += [2 * limit + 64 for limit in (budget.simulations, budget.nodes) if limit is not None]
    if budget.seconds is not None:
        needed.append(int(budget.seconds * _NODES_PER_SECOND) + 1000)
    return min(needed)
