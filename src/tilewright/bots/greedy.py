"""The bot that takes what looks best at once."""

from __future__ import annotations

import numpy as np

from tilewright.bots.bot import Bot, legal_numbers, new_generator
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.search.searcher import Search
from tilewright.search.weights import weights_for


class GreedyBot(Bot):
    """Plays the move with the best immediate outcome: points, what the tiles promise, what the floor will cost.

    It looks at its own board alone and not a move ahead. With ``luck``, in points, it judges moves as roughly as
    a person in a hurry: the better a move, the likelier, but not always the best.

    >>> import tilewright as tw
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> GreedyBot().choose(position) in position.legal_moves
    True
    """

    def __init__(self, seed: int | None = None, luck: float = 0.0) -> None:
        if not luck >= 0:
            raise BadOption(f"luck is 0 or more points, not {echo(luck)}")
        self.luck = luck
        self._chance = np.random.default_rng(new_generator(seed))
        self._search: Search | None = None

    def choose(self, position: Position) -> Move:
        """The move that is worth most by itself."""
        legal_numbers(position)
        search = self._search_of(position.game)
        search.look_at(position.table[0])
        moves, worth = search.first_impressions()
        if self.luck:
            worth = worth + self._chance.gumbel(scale=self.luck, size=len(worth))
        return position.game.moves[int(moves[np.argmax(worth)])]

    def _search_of(self, game: Game) -> Search:
        if self._search is None or self._search.game != game:
            self._search = Search(game, weights_for(game))
        return self._search
