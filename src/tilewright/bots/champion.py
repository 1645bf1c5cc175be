"""The champion: a search with a network that was trained by self-play."""

from __future__ import annotations

from pathlib import Path

from tilewright.bots.tree_search import TreeSearchBot
from tilewright.game.game import Game
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch
from tilewright.search.champion_workspace import CHAMPION_SETTINGS, ChampionSettings
from tilewright.search.network import network_weights_for, read_network_weights
from tilewright.search.parallel_search import ParallelSearch, check_threads

DEFAULT_BUDGET = Budget(seconds=0.1)


class ChampionBot(TreeSearchBot):
    """Monte Carlo tree search to the end of the round, with a network for priors and values.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> thought = ChampionBot(Budget(simulations=200), seed=1).think(position)
    >>> thought.move in position.legal_moves, thought.simulations <= 200
    (True, True)
    """

    def __init__(
        self,
        budget: Budget = DEFAULT_BUDGET,
        seed: int | None = None,
        settings: ChampionSettings = CHAMPION_SETTINGS,
        weights: Path | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(budget, seed)
        self._settings, self._path = settings, weights
        self._threads = check_threads(threads)

    @property
    def threads(self) -> int:
        """How many threads search at the same time."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        """Use another number of threads from the next thought on, in new trees."""
        self._threads = check_threads(threads)
        self.close()

    def new_search(self, game: Game) -> ChampionSearch | ParallelSearch:
        """A search with the network of a rule set, or with the weights in the file that was given."""
        weights = read_network_weights(self._path) if self._path else network_weights_for(game)
        if self._threads == 1:
            return ChampionSearch(game, weights, self._settings)
        return ParallelSearch(game, weights, self._threads, self._settings)
