"""The champion's search on several cores.

Every thread searches the same position in a tree of its own (root parallelisation). Threads share nothing while they
run, so a budget of simulations gives the same choice every time, however the threads are scheduled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion import ChampionSearch
from tilewright.search.champion_workspace import CHAMPION_SETTINGS, ChampionSettings
from tilewright.search.network import NetworkWeights
from tilewright.search.searcher import RootMove, SearchResult

MOST_THREADS = 64
_THREADS = re.compile(r"(-?\d{1,20})threads?")


def check_threads(threads: int) -> int:
    """A number of threads, if a search can have that many."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise BadOption(f"a search has from 1 to {MOST_THREADS} threads, not {threads!r}")
    return threads


def read_threads(text: str) -> int | None:
    """The number of threads in a text like ``4threads``; None if the text means something else.

    >>> read_threads("4threads"), read_threads("100ms")
    (4, None)
    """
    found = _THREADS.fullmatch(text.strip().lower())
    return check_threads(int(found[1])) if found else None


class ParallelSearch:
    """Searches of one rule set that run at the same time; the visits of their root moves are added up.

    Between two draws nothing in a search is random, so equal trees would only repeat each other. Therefore each tree
    explores more than the one before it, up to twice as much as the settings say: in this range, matches showed no
    difference in strength.
    """

    def __init__(
        self,
        game: Game,
        weights: NetworkWeights,
        threads: int,
        settings: ChampionSettings = CHAMPION_SETTINGS,
    ) -> None:
        self.game = game
        self.searches = [
            ChampionSearch(game, weights, each, stops_early=False)
            for each in _settings_by_thread(settings, check_threads(threads))
        ]
        self._active = self.searches

    def run(self, row: Any, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> SearchResult:
        """Search in all trees until each has spent its share of the budget, or they are cancelled."""
        shares = divide(budget, len(self.searches))
        self._active = self.searches[: len(shares)]
        generators = _split(generator, len(shares))
        stop = Cancellation()
        with ThreadPoolExecutor(len(shares)) as pool, (cancellation or Cancellation()).calling(stop.cancel):
            running = [
                pool.submit(search.run, row, share, own, stop)
                for search, share, own in zip(self._active, shares, generators, strict=True)
            ]
            try:
                wait(running, return_when=FIRST_EXCEPTION)
            finally:  # after Ctrl-C, or when one thread has failed, nobody needs what the others would find
                stop.cancel()
        return self._result([search.result() for search in running])

    def root_moves(self) -> list[RootMove]:
        """The moves of the last root, the most visited first; chances and margins are means over all simulations."""
        by_tree = [sorted(search.root_moves(), key=attrgetter("move")) for search in self._reported()]
        added = [_add_up(same_move) for same_move in zip(*by_tree, strict=True)]
        return sorted(added, key=lambda move: (-move.visits, -move.prior))

    def best_lines(self, number: int) -> list[SearchResult]:
        """The choice and the next most visited moves of the last root, each with its principal variation."""
        if (solved := self._solved()) is not None:
            return solved.best_lines(number)
        moves = self.root_moves()
        choice = _most_visited(moves)
        ranked = sorted((move for move in moves if move.visits), key=lambda move: move is not choice)[:number]
        return [SearchResult(self._line(one.move), one.win_probability, one.margin, one.visits, 0) for one in ranked]

    def _solved(self) -> ChampionSearch | None:
        return next((search for search in self._active if search.is_solved), None)

    def _reported(self) -> Sequence[ChampionSearch]:
        """A tree that has solved the root knows more than all others together."""
        solved = self._solved()
        return self._active if solved is None else [solved]

    def _result(self, found: Sequence[SearchResult]) -> SearchResult:
        simulations, nodes = sum(one.simulations for one in found), sum(one.nodes for one in found)
        if (solved := self._solved()) is not None:
            return replace(found[self._active.index(solved)], simulations=simulations, nodes=nodes)
        best = _most_visited(self.root_moves())
        return SearchResult(self._line(best.move), best.win_probability, best.margin, simulations, nodes)

    def _line(self, move: int) -> tuple[int, ...]:
        """The principal variation after a move, from the tree that visited the move most."""

        def visits(search: ChampionSearch) -> int:
            return next(one.visits for one in search.root_moves() if one.move == move)

        return max(self._active, key=visits).principal_variation(move)


def divide(budget: Budget, threads: int) -> list[Budget]:
    """The share of each thread: of the time everything, of simulations and nodes a part.

    A budget of fewer simulations than threads leaves the last threads without work.

    >>> [str(share) for share in divide(Budget(simulations=10), 4)]
    ['3', '3', '2', '2']
    """
    limits = [limit for limit in (budget.simulations, budget.nodes) if limit is not None]
    used = min(threads, *limits) if limits else threads

    def share(limit: int | None, thread: int) -> int | None:
        return None if limit is None else limit // used + (thread < limit % used)

    return [Budget(budget.seconds, share(budget.simulations, n), share(budget.nodes, n)) for n in range(used)]


def _settings_by_thread(settings: ChampionSettings, threads: int) -> list[ChampionSettings]:
    """The first tree has the settings as they are."""
    return [settings._replace(exploration=settings.exploration * (1 + n / threads)) for n in range(threads)]


def _split(generator: Cells, threads: int) -> list[Cells]:
    """A generator for each thread; the generator that they come from moves on."""
    words = np.random.SeedSequence(int(generator[0])).generate_state(threads + 1, np.uint64)
    generator[0] = words[0]
    return [words[n : n + 1].copy() for n in range(1, threads + 1)]


def _add_up(same_move: Sequence[RootMove]) -> RootMove:
    """What several trees found out about one move."""
    visits = sum(one.visits for one in same_move)
    if not visits:
        return same_move[0]
    tried = [one for one in same_move if one.visits]
    return replace(
        same_move[0],
        visits=visits,
        win_probability=sum(one.visits * one.win_probability for one in tried) / visits,
        margin=sum(one.visits * one.margin for one in tried) / visits,
    )


def _most_visited(moves: Sequence[RootMove]) -> RootMove:
    """Among equals, the move with the better win probability; before any visit, the most likely one."""
    return max(moves, key=lambda move: (move.visits, move.win_probability if move.visits else move.prior))
