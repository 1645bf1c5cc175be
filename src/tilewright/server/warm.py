"""Compile everything that a table needs, so that nobody waits for it in the middle of a game.

The machine code is cached on disk: only the first run takes long. ``python -m tilewright.server.warm`` does it
before the first start.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from tilewright.bots.search import SearchBot
from tilewright.game.errors import GameFault, describe_error
from tilewright.game.game import Game
from tilewright.game.registry import GAMES
from tilewright.insight.analysis import analyse
from tilewright.insight.reviewing import review
from tilewright.search.budget import Budget
from tilewright.view import animation, narrator

logger = logging.getLogger("tilewright.server")

_SHORT = "16"
"""Simulations that are enough to call everything once."""


def warm_up(name: str) -> None:
    """Play a game as a table does: a bot chooses, moves are checked, logged, previewed and drawn."""
    game = GAMES[name]()
    position = game.start(seed=1)
    bot = SearchBot(Budget(seconds=0.001), seed=1)
    while not position.is_over:
        move = bot.choose(position)
        before = position.copy()
        narrator.tell(position, move)
        narrator.preview(position, move)
        position.push(move)
        animation.steps(before, move, position)
    position.outcome()
    position.record().replay()
    game.position(position.to_text())
    _warm_up_insight(game)


def _warm_up_insight(game: Game) -> None:
    """A hint and a review; the process that reviews games then finds its machine code on disk."""
    position = game.start(seed=1)
    position.push(next(iter(position.legal_moves)))
    analyse(position, _SHORT, lines=2)
    review(position.record(), _SHORT)


def for_each_game(prepare: Callable[[str], None], what: str) -> None:
    """Prepare every game, our own first, as the registry lists them; one that fails is reported and left alone.

    With ``TILEWRIGHT_WARM_UP=0``, for a process that ends soon, nothing is prepared before it is needed.
    """
    if os.environ.get("TILEWRIGHT_WARM_UP") != "0":
        for name in GAMES:
            _prepare(name, prepare, what)


def _prepare(name: str, prepare: Callable[[str], None], what: str) -> None:
    try:
        prepare(name)
    except (Exception, SystemExit) as error:
        told = str(error) if isinstance(error, GameFault) else describe_error(error)
        logger.warning("%s the game %r failed: %s", what, name, told)


def warm_up_all() -> None:
    """Compile every game."""
    for_each_game(warm_up, "compiling")


def warm_up_side_by_side() -> None:
    """Compile every game in a process of its own: what games share, one of them compiles and the others load."""
    with ProcessPoolExecutor(len(GAMES)) as processes:
        for future in [processes.submit(_prepare, name, warm_up, "compiling") for name in GAMES]:
            future.result()


if __name__ == "__main__":
    begun = time.monotonic()
    print("Compiling the rules, only this once: a minute or two ...", flush=True)
    warm_up_side_by_side()
    print(f"Done in {time.monotonic() - begun:.0f} seconds.")
    sys.exit(0)
