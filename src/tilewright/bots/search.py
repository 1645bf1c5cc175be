"""The search as a player."""

from __future__ import annotations

from tilewright.bots.bot import Bot, Thought, legal_numbers, new_generator
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.searcher import Search
from tilewright.search.settings import Settings

DEFAULT_BUDGET = Budget(seconds=0.2)


class SearchBot(Bot):
    """Monte Carlo tree search to the end of the round, with an evaluation of the boards there.

    A game without an evaluation is searched by random playouts to its end.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> thought = SearchBot(Budget(simulations=500), seed=1).think(position)
    >>> thought.move in position.legal_moves, thought.simulations <= 500
    (True, True)
    """

    def __init__(
        self,
        budget: Budget = DEFAULT_BUDGET,
        seed: int | None = None,
        settings: Settings | None = None,
        weights: Cells | None = None,
    ) -> None:
        self.budget = budget
        self._settings, self._weights = settings, weights
        self._generator = new_generator(seed)
        self._search: Search | None = None

    def choose(self, position: Position) -> Move:
        """The most visited move."""
        return self.think(position).move

    def think(
        self, position: Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        """The most visited move, its evaluation and the principal variation."""
        moves = legal_numbers(position)
        search = self._search_of(position.game)
        if len(moves) == 1:
            return Thought(position.game.moves[int(moves[0])])
        found = search.run(position.table[0], budget or self.budget, self._generator, cancellation)
        line = tuple(position.game.moves[move] for move in found.principal_variation)
        return Thought(line[0], found.margin, found.win_probability, line, found.simulations, found.nodes)

    def close(self) -> None:
        """Release the memory of the search."""
        self._search = None

    def _search_of(self, game: Game) -> Search:
        if self._search is None or self._search.game != game:
            self._search = Search(game, self._weights, self._settings)
        return self._search
