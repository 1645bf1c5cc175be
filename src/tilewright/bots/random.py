"""The baseline bot: any legal move, all equally likely."""

from __future__ import annotations

from tilewright.bots.bot import Bot, legal_numbers, new_generator
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.kernels.chance import below


class RandomBot(Bot):
    """Plays uniformly at random.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> RandomBot(seed=1).choose(position) in position.legal_moves
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._generator = new_generator(seed)

    def choose(self, position: Position) -> Move:
        """Any legal move."""
        numbers = legal_numbers(position)
        return position.game.moves[int(numbers[below(self._generator, len(numbers))])]
