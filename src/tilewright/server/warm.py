"""Compile what a table needs, or load it from the cache, so that nobody waits for it in the middle of a game.

The work is divided into steps, in the order in which a player needs them. ``python -m tilewright.server.warm`` does all
of them, and with ``--asked`` those that the server asks for (``warming.py``).
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

from tilewright.bots.greedy import GreedyBot
from tilewright.bots.levels import LEVELS, make_level
from tilewright.bots.random import RandomBot
from tilewright.bots.search import SearchBot
from tilewright.game.errors import GameFault, describe_error
from tilewright.game.game import Game
from tilewright.game.registry import GAMES
from tilewright.insight.analysis import analyse
from tilewright.insight.reviewing import review
from tilewright.search.budget import Budget
from tilewright.server.compiled_mark import remember
from tilewright.view import animation, narrator

logger = logging.getLogger("tilewright.server")

_SHORT = "16"
"""Simulations that are enough to call everything once."""
_NICENESS = 10
"""Games that are being played go first, and bots that think for them."""

# ---------------------------------------------------------------------------------------- What there is to do


def play_a_game(game: Game) -> None:
    """Play as a table does: moves are checked, logged, previewed and drawn."""
    position = game.start(seed=1)
    bot = RandomBot(seed=1)
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


def choose_greedily(game: Game) -> None:
    """The bots that do not look ahead, the usual opponent among them."""
    GreedyBot(seed=1).choose(game.start(seed=1))


def ask_the_strongest(game: Game) -> None:
    """The strongest bot: most of its second is not needed here."""
    make_level(LEVELS[-1], seed=1).prepare(game)


def search_a_tree(game: Game) -> None:
    """The bots between them, against the clock and with a number of simulations."""
    SearchBot(Budget(seconds=0.001), seed=1).choose(game.start(seed=1))
    SearchBot(Budget(simulations=int(_SHORT)), seed=1).choose(game.start(seed=1))


def analyse_and_review(game: Game) -> None:
    """A hint and a review; the process that reviews games then finds its machine code on disk."""
    position = game.start(seed=1)
    position.push(next(iter(position.legal_moves)))
    analyse(position, _SHORT, lines=2)
    review(position.record(), _SHORT)


PARTS: dict[str, Callable[[Game], None]] = {
    "rules": play_a_game,
    "greedy": choose_greedily,
    "strongest": ask_the_strongest,
    "search": search_a_tree,
    "insight": analyse_and_review,
}
"""What a table needs, in the order in which a player comes to need it."""


class Step(NamedTuple):
    """One part of one game."""

    game: str
    part: str

    def do(self) -> None:
        """Compile or load it. It may raise any error: the game may come from another package."""
        PARTS[self.part](GAMES[self.game]())


def representative(name: str) -> str:
    """The first of the games that share their rules, and with them their machine code, with this one."""
    return next(other for other in GAMES if other == name or _rules_of(other) is _rules_of(name))


def _rules_of(name: str) -> object:
    """What games that share their machine code have in common; a game with faulty rules shares nothing."""
    try:
        return GAMES[name]().kernels
    except (Exception, SystemExit):
        return object()


def all_steps() -> list[Step]:
    """Every step, in the order in which players come to need them.

    Of games that share their rules, the others differ from the first in little but their set-up, which comes next.
    """
    first = list(dict.fromkeys(representative(name) for name in GAMES))
    others = [Step(name, "rules") for name in GAMES if name not in first]
    rules, *rest = [[Step(name, part) for name in first] for part in PARTS]
    return [*rules, *others, *(step for steps in rest for step in steps)]


def warm_up(name: str) -> None:
    """Every step of one game."""
    for part in PARTS:
        Step(name, part).do()


# ------------------------------------------------------------------------------------------------- Doing it


def is_wanted() -> bool:
    """Whether anything is prepared before it is needed: not with ``TILEWRIGHT_WARM_UP=0``, for short-lived servers."""
    return os.environ.get("TILEWRIGHT_WARM_UP") != "0"


def for_each_game(prepare: Callable[[str], None], what: str) -> None:
    """Prepare every game, our own first, as the registry lists them; one that fails is reported and left alone."""
    if is_wanted():
        for name in GAMES:
            attempt(partial(prepare, name), what, name)


def attempt(prepare: Callable[[], None], what: str, name: str) -> bool:
    """Prepare something of a game and report it if that fails; returns whether it succeeded."""
    try:
        prepare()
    except (Exception, SystemExit) as error:
        told = str(error) if isinstance(error, GameFault) else describe_error(error)
        logger.warning("%s the game %r failed: %s", what, name, told)
        return False
    return True


def warm_up_all() -> None:
    """Compile or load every game in this process."""
    for_each_game(warm_up, "compiling")


def _prepare(name: str) -> None:
    attempt(partial(warm_up, name), "compiling", name)


def _side_by_side() -> None:
    """Every game in a process of its own: what games share, one of them compiles and the others load."""
    with ProcessPoolExecutor(len(GAMES)) as processes:
        for future in [processes.submit(_prepare, name) for name in GAMES]:
            future.result()


def _as_asked() -> None:
    """Do the steps that are named on the standard input, one in a line, and answer each with a line."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=[asked], daemon=True).start()
    while True:
        with suppress(Exception, SystemExit):  # the server comes to the same error, and reports it
            Step(*asked.get().split()).do()
        print(flush=True)


def _listen(asked: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)  # the server has ended


def main() -> None:
    """Compile everything, or what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--asked", action="store_true", help="do the steps named on the standard input")
    if parser.parse_args().asked:
        _as_asked()
        return
    begun = time.monotonic()
    print("Compiling what is not compiled yet: up to two minutes on two cores ...", flush=True)
    _side_by_side()
    remember()
    print(f"Done in {time.monotonic() - begun:.0f} seconds.")


if __name__ == "__main__":
    main()
