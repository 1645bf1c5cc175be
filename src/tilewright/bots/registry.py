"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.bots.bot import Bot
from tilewright.bots.playouts import PlayoutsBot
from tilewright.bots.random import RandomBot
from tilewright.game.errors import BadOption

BOTS: dict[str, Callable[[int | None], Bot]] = {
    "playouts": lambda seed: PlayoutsBot(seed=seed),
    "random": lambda seed: RandomBot(seed=seed),
}


def make_bot(name: str, seed: int | None = None) -> Bot:
    """A bot from its name; with a seed it plays the same game again.

    >>> type(make_bot("random")).__name__
    'RandomBot'
    """
    if name not in BOTS:
        raise BadOption(f"no bot is called {name!r}; the bots are {', '.join(BOTS)}")
    return BOTS[name](seed)
