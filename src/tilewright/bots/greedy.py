"""The bot that plays the move with the highest score and does not look ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.bots.bot import Bot, legal_numbers, new_generator
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.parts import has_priors
from tilewright.search.searcher import Search

_PLAYOUTS = Budget(simulations=30)
"""For games without priors: barely enough playouts to tell good moves from bad ones."""


class GreedyBot(Bot):
    """Plays the move with the highest prior score: immediate points, progress on its own board, penalties.

    In a game without priors, a few playouts score the moves. With a ``temperature``, in points, it samples from a
    softmax over the scores: the better a move, the likelier, but not always the best.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> GreedyBot().choose(position) in position.legal_moves
    True
    """

    def __init__(self, seed: int | None = None, temperature: float = 0.0) -> None:
        if not temperature >= 0:
            raise BadOption(f"the temperature must be a number of points, 0 or more, not {echo(temperature)}")
        self.temperature = temperature
        self._generator = new_generator(seed)
        self._noise = np.random.default_rng(self._generator)
        self._search: Search | None = None

    def choose(self, position: Position) -> Move:
        """The move with the highest score, noise included."""
        legal_numbers(position)
        moves, scores = self._score(position)
        if self.temperature:
            scores = scores + self._noise.gumbel(scale=self.temperature, size=len(scores))
        return position.game.moves[int(moves[np.argmax(scores)])]

    def prepare(self, game: Game) -> None:
        """Load and compile everything; another bot is asked, so that this one's choices stay as they were."""
        GreedyBot(seed=0).choose(game.start(seed=0))

    def close(self) -> None:
        """Release the memory of the search."""
        self._search = None

    def _score(self, position: Position) -> tuple[Any, Cells]:
        """The legal moves and their scores, in points."""
        search = self._search_of(position.game)
        if has_priors(position.game):
            return search.prior_scores(position.states[0])
        search.run(position.states[0], _PLAYOUTS, self._generator)
        tried = [one for one in search.root_moves() if one.visits]
        return [one.move for one in tried], np.array([one.margin for one in tried])

    def _search_of(self, game: Game) -> Search:
        if self._search is None or self._search.game != game:
            self._search = Search(game)
        return self._search
