"""The search as a player."""

from __future__ import annotations

from tilewright.bots.tree_search import TreeSearchBot
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.searcher import Search
from tilewright.search.settings import Settings

DEFAULT_BUDGET = Budget(seconds=0.2)


class SearchBot(TreeSearchBot):
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
        super().__init__(budget, seed)
        self._settings, self._weights = settings, weights

    def new_search(self, game: Game) -> Search:
        """A search of a rule set, with its weights unless others were given."""
        return Search(game, self._weights, self._settings)
