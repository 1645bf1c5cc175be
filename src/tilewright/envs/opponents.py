"""The bots that play the seats of an environment that are not the agent's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.bots.bot import Bot, ask, new_generator
from tilewright.bots.registry import make_bot
from tilewright.envs.single_game import SingleGame
from tilewright.game.errors import BadOption
from tilewright.game.position import Position
from tilewright.game.validation import echo

RANDOM = "random"
"""The bot that plays inside the kernels; as a seat, one chosen at random for each game."""
OpponentOption = str | Bot | Sequence[str | Bot]
"""A bot by its name or as an object, or a list of bots."""
_MOST = 1 << 63


class Opponents:
    """The bots that an agent meets. If there are several, one is drawn for each other seat of every game.

    >>> opponents = Opponents(["random", "greedy"])
    >>> opponents.names
    ['random', 'greedy']
    >>> opponents.draw(np.random.default_rng(7), (3, 2)).shape
    (3, 2)
    """

    def __init__(self, given: OpponentOption) -> None:
        self._given: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
        if not self._given:
            raise BadOption("a list of opponents needs at least one bot")
        self.names = [_check(bot) for bot in self._given]
        self.is_random = np.array([bot == RANDOM for bot in self._given])
        """Whose moves are drawn by a kernel."""
        self.is_ready = False
        self._bots: list[Bot | None] = []
        self._chooser = new_generator(0)

    def prepare(self, seed: int) -> None:
        """Create the bots with a seed; one that was passed as an object has its own."""
        self.close()
        self.is_ready = True
        self._chooser = new_generator(seed)
        self._bots = [
            None if bot == RANDOM else make_bot(bot, (seed + n) % _MOST) if isinstance(bot, str) else bot
            for n, bot in enumerate(self._given)
        ]

    def draw(self, generator: np.random.Generator, shape: Any) -> NDArray[np.int64]:
        """Who plays, as indices into ``names``."""
        if len(self.names) == 1:
            return np.zeros(shape, np.int64)
        return generator.integers(len(self.names), size=shape)

    def choose(self, which: int, game: SingleGame) -> int:
        """The move of an opponent for the seat whose turn it is."""
        return game.random_move(self._chooser) if self.is_random[which] else self.ask(which, game.position)

    def ask(self, which: int, position: Position) -> int:
        """The move of an opponent other than ``random``."""
        bot = self._bots[which]
        assert bot is not None
        return int(ask(bot, position, self.names[which]))

    def close(self) -> None:
        """Close the bots that we created, if they can be closed."""
        for bot, given in zip(self._bots, self._given, strict=False):
            end = getattr(bot, "close", None)
            if isinstance(given, str) and end is not None:
                end()
        self._bots, self.is_ready = [], False


def _check(bot: Any) -> str:
    """The name of a bot; one that does not exist is refused before a game begins."""
    if isinstance(bot, str):
        make_bot(bot)
        return bot
    if isinstance(bot, type) or not callable(getattr(bot, "choose", None)):
        raise BadOption(
            f"an opponent is the name of a bot, like 'search:100ms', a Bot, or a list of these, not {echo(bot)}"
        )
    return type(bot).__name__
