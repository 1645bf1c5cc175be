"""The search bound to each game, and one search from a position."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.kernels.playing import new_rows
from tilewright.search import self_play, solver, tree, workspace
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.workspace import (
    CHANCE,
    LOOK_SHARE,
    MARGIN,
    MOST_MOVES,
    MOVES_MADE,
    NODES_USED,
    ROOT,
    SIMULATIONS,
    Knowledge,
    Tree,
)

SETTINGS: Cells = np.array([0.6, 5.0, 0.0, 1.0, 1.0, 0.1, 0.0])
"""Exploration, temperature of first impressions (points), caution with untried moves, luck of the quick choices
(points), scale of the chance to win, share of the margin in a value, trust in looks beyond the deal. Found by matches
of the bot with itself."""
LONG_SETTINGS: Cells = np.array([1.5, 8.0, 0.0, 1.0, 1.0, 0.1, 0.8])
"""Those of a long search, which must not keep to what it liked first, and looks beyond the deal."""

MOST_NODES = 200_000
_EDGES_A_NODE = 16
_NODES_A_SECOND = 150_000
_FIRST_CHUNK, _LARGEST_CHUNK = 32, 4096
_CHUNK_SECONDS = 0.005
"""How often the clock is looked at."""
_SOLVING_POSITIONS = 40_000
_NO_LIMIT = 1 << 60
_LONG_HURRY = 3
LONG_SECONDS, LONG_SIMULATIONS, LONG_NODES = 0.5, 25_000, 1_000_000
"""A budget from which on a search looks beyond the deal."""


class SearchKernels:
    """The functions of the search, compiled for one game."""

    def __init__(self, game: Game) -> None:
        evaluation, priors = game.spec.part("evaluation"), game.spec.part("priors")
        assert evaluation is not None
        assert priors is not None
        self.features: int = evaluation.FEATURES
        self.worth_shape: tuple[int, ...] = priors.WORTH_SHAPE
        for function in _ENTRIES:
            setattr(self, function.__name__, game.kernels.compile(function, evaluation, priors))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the search has no kernel {name!r}")


_ENTRIES: tuple[Any, ...] = (
    tree.simulate, tree.weigh_at, tree.list_promising_at, tree.note_features_at, tree.judge_at,
    tree.round_is_over_at, tree.is_nearly_over_at, tree.hash_words_at, solver.solve, solver.remembered_move_at,
    self_play.self_play, self_play.note_boards_at,
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """What a search found out: the line of best moves as numbers, and what the mover may expect."""

    line: tuple[int, ...]
    chance: float
    margin: float
    simulations: int
    nodes: int


class Search:
    """A search of one game: the tree and the pads it works on, used again from move to move."""

    def __init__(self, game: Game, weights: Cells, settings: Cells | None = None) -> None:
        self.game = game
        self.kernels = SearchKernels(game)
        self._given_settings = settings
        self.settings = SETTINGS if settings is None else settings
        self.table = game.kernels.new_table(solver.DEEPEST)
        self.words: Cells = self.table.view(np.ndarray).view(np.uint64).reshape(solver.DEEPEST, -1)
        self.knowledge = Knowledge(weights, np.zeros(self.kernels.worth_shape, np.float32))
        self.later = Knowledge(weights, np.zeros(self.kernels.worth_shape, np.float32))
        self.pads = workspace.new_pads(self.kernels.features)
        self.tree = _new_tree(0)
        self.looking = False

    def look_at(self, row: Any) -> None:
        """Take a position and weigh what can be had in its round."""
        self.table[0] = self.table[1] = row
        self.kernels.weigh_at(self.table, 1, self.knowledge, self.pads)

    def first_impressions(self) -> tuple[Cells, Cells]:
        """The moves of the position and what each is worth at first sight."""
        count = self.kernels.list_promising_at(self.table, 0, self.knowledge, self.pads)
        return self.pads.moves[:count], self.pads.promises[:count]

    def run(self, row: Any, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> Finding:
        """Search from a position until the budget is spent, it is cancelled, or the round is solved to its end."""
        cancellation = cancellation or Cancellation()
        end = perf_counter() + budget.seconds if budget.seconds is not None else None
        self.look_at(row)
        self._settle(budget)
        self.pads.chance[1] = generator[0]
        solved = None if self.looking else self._solve(budget)
        if solved is not None:
            return solved
        self._clear(_room(budget))
        if end is None:
            self._simulate_to(budget, generator, cancellation)
        else:
            self._simulate_until(end, budget, generator, cancellation)
        return self._conclude()

    def _settle(self, budget: Budget) -> None:
        """Choose the settings, unless they were given, and whether to look beyond the deal."""
        if self._given_settings is None:
            self.settings = LONG_SETTINGS if _looks_pay(self.game) and _is_long(budget) else SETTINGS
        self.looking = bool(self.settings[LOOK_SHARE] > 0)

    # The tree -------------------------------------------------------------------------------------------

    def _clear(self, nodes: int) -> None:
        """Forget the last search, and make room for so many nodes."""
        if len(self.tree.nodes) < nodes:
            self.tree = _new_tree(nodes)
        self.tree.slots[:] = -1
        self.tree.counters[:] = 0
        self.tree.counters[NODES_USED] = 1
        self.tree.root[:] = 0
        self.tree.outlooks[-1:] = np.zeros(1, workspace.OUTLOOK)
        self.tree.nodes[:1] = np.zeros(1, workspace.NODE)

    def _simulate_to(self, budget: Budget, generator: Cells, cancellation: Cancellation) -> None:
        """Spend a budget that is not of time. Its steps do not depend on the clock, nor does the choice."""
        left, chunk = budget.simulations or _NO_LIMIT, _FIRST_CHUNK
        while left > 0 and not self._is_decided(left):
            done = self._simulate(min(chunk, left), budget.nodes or _NO_LIMIT, generator)
            if done == 0 or cancellation.is_cancelled:
                break
            left -= done
            chunk = min(2 * chunk, _LARGEST_CHUNK)

    def _simulate_until(self, end: float, budget: Budget, generator: Cells, cancellation: Cancellation) -> None:
        """Think until a moment, in steps of a few milliseconds."""
        left, chunk = budget.simulations or _NO_LIMIT, _FIRST_CHUNK
        while left > 0:
            begun = perf_counter()
            done = self._simulate(min(chunk, left), budget.nodes or _NO_LIMIT, generator)
            took = perf_counter() - begun
            left -= done
            rest = end - perf_counter()
            if done == 0 or cancellation.is_cancelled:
                break
            if rest <= took / 2 or self._is_decided(min(left, int(rest / took * done))):
                break
            if took < _CHUNK_SECONDS / 2:
                chunk *= 2

    def _is_decided(self, left: int) -> bool:
        """Whether no other move can be tried more often than the leader any more.

        In a long search no other move is given more than a part of what is left: seldom does one get so much.
        """
        visits = np.sort(self.edges_of(ROOT)["visits"])
        most = left // _LONG_HURRY if self.looking else left
        return len(visits) > 1 and int(visits[-1] - visits[-2]) > most

    def _simulate(self, simulations: int, most_moves: int, generator: Cells) -> int:
        pads, settings = self.pads, self.settings
        done = self.kernels.simulate(
            self.table, self.words, self.tree, self.knowledge, self.later, pads, settings, generator,
            self.looking, simulations, most_moves,
        )  # fmt: skip
        return int(done)

    def edges_of(self, node: int) -> Cells:
        """The moves of a node with what was found out about them, the most promising at first sight first."""
        first, count = int(self.tree.nodes["first_edge"][node]), int(self.tree.nodes["edges"][node])
        return np.asarray(self.tree.edges[first : first + count])

    def _conclude(self) -> Finding:
        """The most tried move of each node, from the root on."""
        line: list[int] = []
        node = ROOT
        while node >= 0 and len(edges := self.edges_of(node)):
            best = edges[int(np.argmax(edges["visits"]))]
            if best["visits"] == 0:
                break
            line.append(int(best["move"]))
            node = int(best["child"])
        edges = self.edges_of(ROOT)
        first = int(np.argmax(edges["visits"]))
        chance, margin = self.tree.root[first] / max(1, int(edges["visits"][first]))
        counts = int(self.tree.counters[SIMULATIONS]), int(self.tree.counters[MOVES_MADE])
        return Finding(tuple(line), float(chance), float(margin), *counts)

    # The end of a round -----------------------------------------------------------------------------------

    def _solve(self, budget: Budget) -> Finding | None:
        """The best line to the end of the round, if so little is left that it can be worked out."""
        if not self.kernels.is_nearly_over_at(self.table, 0):
            return None
        asked = self.table[0].copy()
        limits = [_SOLVING_POSITIONS, budget.simulations or _NO_LIMIT, (budget.nodes or _NO_LIMIT) // 2]
        if budget.seconds is not None:
            limits.append(int(budget.seconds * _NODES_A_SECOND))
        memory = new_rows(solver.MEMORY, solver.REMEMBERED)
        seat = int(self.table["turn"][0])
        line: list[int] = []
        positions = 0
        while not self.kernels.round_is_over_at(self.table, 0):
            counters = np.array([0, min(limits), 0])
            self.kernels.solve(
                self.table, self.words, 0, solver.LOWEST, solver.HIGHEST,
                memory, counters, self.knowledge, self.pads, self.settings,
            )  # fmt: skip
            positions += int(counters[solver.POSITIONS])
            if counters[solver.GIVEN_UP]:
                self.table[0] = asked
                return None
            # The position that was asked for is always remembered: it was the last to be solved.
            line.append(int(self.kernels.remembered_move_at(self.words, 0, memory)))
            self.game.kernels.push_at(self.table, 0, line[-1])
        self.kernels.judge_at(self.table, 0, self.knowledge, self.pads, self.settings)
        chance, margin = self.pads.verdict[CHANCE, seat], self.pads.verdict[MARGIN, seat]
        return Finding(tuple(line), float(chance), float(margin), 0, positions)


def _new_tree(nodes: int) -> Tree:
    return Tree(
        new_rows(nodes, workspace.NODE),
        new_rows(nodes * _EDGES_A_NODE + MOST_MOVES, workspace.EDGE),
        np.empty(1 << (2 * nodes).bit_length(), np.int32),
        np.zeros(4, np.int64),
        np.zeros((MOST_MOVES, 2)),
        new_rows(nodes + 1, workspace.OUTLOOK),
    )


def _looks_pay(game: Game) -> bool:
    """Whether a long search looks beyond the deal: where matches have shown that it pays."""
    return bool(getattr(game.spec.part("priors"), "rollouts_pay", lambda game: False)(game))


def _is_long(budget: Budget) -> bool:
    """Whether there is time to look beyond the deal; the round must not be thought through less well for it."""
    return (
        (budget.seconds is None or budget.seconds >= LONG_SECONDS)
        and (budget.simulations is None or budget.simulations >= LONG_SIMULATIONS)
        and (budget.nodes is None or budget.nodes >= LONG_NODES)
    )


def _room(budget: Budget) -> int:
    """Nodes that a search within a budget may need."""
    wanted = [MOST_NODES]
    if budget.simulations is not None:
        wanted.append(budget.simulations)
    if budget.nodes is not None:
        wanted.append(budget.nodes)
    if budget.seconds is not None:
        wanted.append(int(budget.seconds * _NODES_A_SECOND) + 1000)
    return min(wanted) + 2
