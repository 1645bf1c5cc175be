"""The champion: a search with a network that was trained by self-play."""

from __future__ import annotations

from pathlib import Path

from tilewright.bots.tree_search import TreeSearchBot
from tilewright.game.game import Game
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch
from tilewright.search.champion_workspace import CHAMPION_SETTINGS, ChampionSettings
from tilewright.search.network import network_weights_for, read_network_weights

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
    ) -> None:
        super().__init__(budget, seed)
        self._settings, self._path = settings, weights

    def new_search(self, game: Game) -> ChampionSearch:
        """A search with the network of a rule set, or with the weights in the file that was given."""
        weights = read_network_weights(self._path) if self._path else network_weights_for(game)
        return ChampionSearch(game, weights, self._settings)
