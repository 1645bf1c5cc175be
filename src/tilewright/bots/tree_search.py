"""What bots that search a tree have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol

import numpy as np

from tilewright.bots.bot import Bot, Thought, legal_numbers, new_generator
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget, read_budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.searcher import RootMove, SearchResult

_A_MOMENT = Budget(seconds=0.001, simulations=1)
"""A search against the clock first compiles what it may need later, such as the solver for the end of a round."""


class TreeSearch(Protocol):
    """A search of one rule set."""

    game: Game

    def run(self, row: Any, budget: Budget, generator: Cells, cancellation: Cancellation | None = None) -> SearchResult:
        """Search from a position within a budget; start-up is not on its clock."""

    def root_moves(self) -> list[RootMove]:
        """The moves of the last root and what was found out about them."""

    def best_lines(self, number: int) -> list[SearchResult]:
        """The best moves of the last root, each with its principal variation."""


class TreeSearchBot(Bot):
    """A bot that plays what its search recommends. The search lives as long as the bot plays the same rule set."""

    def __init__(self, budget: Budget, seed: int | None) -> None:
        self.budget = budget
        self._generator = new_generator(seed)
        self._search: TreeSearch | None = None

    @abstractmethod
    def new_search(self, game: Game) -> TreeSearch:
        """A search of a rule set, with everything loaded that it needs."""

    def prepare(self, game: Game) -> None:
        """Load and compile everything, so that no move need wait for it."""
        self.search_of(game).run(game.start(seed=0).states[0], _A_MOMENT, np.zeros(1, np.uint64))

    def choose(self, position: Position) -> Move:
        """The most visited move."""
        return self.think(position).move

    def think(
        self, position: Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        """The most visited move, its evaluation and the principal variation."""
        moves = legal_numbers(position)
        search = self.search_of(position.game)
        if len(moves) == 1:
            return Thought(position.game.moves[int(moves[0])])
        limits = self.budget if budget is None else read_budget(budget)
        found = search.run(position.states[0], limits, self._generator, cancellation)
        line = tuple(position.game.moves[move] for move in found.principal_variation)
        return Thought(line[0], found.margin, found.win_probability, line, found.simulations, found.nodes)

    def best_lines(self, position: Position, number: int) -> list[Thought]:
        """After ``think``, what it found out about the best moves of that position, the most visited first."""
        legal, moves = legal_numbers(position), position.game.moves
        if len(legal) == 1:
            return [Thought(moves[int(legal[0])])]
        found = []
        for result in self.search_of(position.game).best_lines(number):
            line = tuple(moves[move] for move in result.principal_variation)
            found.append(Thought(line[0], result.margin, result.win_probability, line, result.simulations))
        return found

    def search_of(self, game: Game) -> TreeSearch:
        """The search of a rule set; after ``think`` its ``root_moves`` tell more than the thought."""
        if self._search is None or self._search.game != game:
            self._search = self.new_search(game)
        return self._search

    def close(self) -> None:
        """Release the memory of the search."""
        self._search = None
