"""Six opponents for people, from a beginner to the champion, about evenly spaced in strength.

The weak ones see less, they do not blunder on purpose: the first two score a move by itself, the next three look ahead,
each further than the one before. The strongest plays as well as it can in a second.
"""

from __future__ import annotations

import re

from tilewright.bots.bot import Bot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.search import SearchBot
from tilewright.bots.tree_search import TreeSearch, TreeSearchBot
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch
from tilewright.search.network import network_weights_for
from tilewright.search.searcher import Search

_TEMPERATURES = {1: 2.5, 2: 0.0}
"""Levels that do not look ahead, in points: a beginner takes one good move for another."""
_SIMULATIONS = {3: 8, 4: 100, 5: 2000}
"""Levels that look ahead."""
_SECONDS = {6: 0.8}
LEVELS = (*_TEMPERATURES, *_SIMULATIONS, *_SECONDS)
LEVEL_NAMES = tuple(f"level{level}" for level in LEVELS)
_LEVEL = re.compile(r"level-?\d+")


def is_level(text: str) -> bool:
    """Whether a text means a level, whether or not that level exists."""
    return _LEVEL.fullmatch(text) is not None


def make_level(level: int, seed: int | None = None) -> Bot:
    """The opponent of a level.

    >>> [type(make_level(level)).__name__ for level in (1, 3, 6)]
    ['GreedyBot', 'SearchBot', 'StrongestBot']
    """
    if level in _TEMPERATURES:
        return GreedyBot(seed, _TEMPERATURES[level])
    if level in _SIMULATIONS:
        return SearchBot(Budget(simulations=_SIMULATIONS[level]), seed)
    return StrongestBot(Budget(seconds=_SECONDS[level]), seed)


class StrongestBot(TreeSearchBot):
    """The champion where a network was trained for the rule set, and the search elsewhere."""

    def new_search(self, game: Game) -> TreeSearch:
        """The strongest search that there is for a rule set."""
        try:
            return ChampionSearch(game, network_weights_for(game))
        except BadOption:
            return Search(game)
