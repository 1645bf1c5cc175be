"""The simple opponent: it imagines every move followed by random games and plays what ends best on average."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

import numpy as np

from tilewright.bots.bot import Bot, legal_numbers, new_generator
from tilewright.game.errors import BadOption
from tilewright.game.moves import Move
from tilewright.game.position import Position

GAMES = 12_000
"""Random games for one choice: a fifth of a second or less in most positions, half a second in the widest."""


class PlayoutsBot(Bot):
    """Plays the move with the best mean lead over the best other player, in random games that follow it.

    The games are shared out in stages, and after each stage the better half of the moves goes on to the
    next: few games for moves that are plainly bad, many for those that are hard to tell apart.

    >>> import tilewright as tw
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> PlayoutsBot(games=1000, seed=1).choose(position) == PlayoutsBot(games=1000, seed=1).choose(position)
    True
    """

    def __init__(self, games: int = GAMES, seed: int | None = None) -> None:
        if games < 1:
            raise BadOption(f"a playouts bot plays at least one game for a choice, not {games}")
        self.games = games
        self._generator = new_generator(seed)

    def choose(self, position: Position) -> Move:
        """The move whose random games end best; all tiles still to be drawn come from the bot's own chance."""
        moves = legal_numbers(position)
        sums = np.zeros(len(moves), dtype=np.int64)
        stages = max(1, ceil(log2(len(moves))))
        while len(moves) > 1:
            sums += self._play(position, moves, max(1, self.games // stages // len(moves)))
            better = np.argsort(-sums, kind="stable")[: (len(moves) + 1) // 2]
            moves, sums = moves[better], sums[better]
        return position.game.moves[int(moves[0])]

    def _play(self, position: Position, moves: np.ndarray[Any, Any], games: int) -> np.ndarray[Any, Any]:
        """The lead after each move, summed over so many games. All moves have had equally many before."""
        kernels = position.game.kernels
        margins = np.zeros(len(moves), dtype=np.int64)
        moves = np.ascontiguousarray(moves)
        kernels.try_moves(kernels.new_table(1), position.table, self._generator, games, moves, margins)
        return margins
