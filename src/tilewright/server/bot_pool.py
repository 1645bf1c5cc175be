"""The bots at all tables, and the threads in which they think."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tilewright.bots.bot import Bot, ask, ask_thought, close_bot
from tilewright.bots.registry import make_bot
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.search.cancellation import Cancellation

logger = logging.getLogger("tilewright.server")

THREADS = 2
MOST_BOTS = 16
"""Bots that keep their memory between moves: about 10 MB each at level 5, of 80 MB reserved."""


@dataclass(eq=False)
class _Player:
    """A bot that takes part in a game, and its thoughts in progress."""

    name: str
    bot: Bot
    thoughts: list[Cancellation] = field(default_factory=list)


class BotPool:
    """Bots that live as long as their game, so that a search can reuse its tree and its memory.

    A few threads bound how many think at once. The bots that were asked least recently are closed when there are too
    many; they are made again when it is their turn.
    """

    def __init__(self, threads: int = THREADS, most_bots: int = MOST_BOTS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._most_bots = most_bots
        self._players: OrderedDict[tuple[str, Hashable], _Player] = OrderedDict()

    def __len__(self) -> int:
        return len(self._players)

    async def choose(
        self, table_id: str, seat: Hashable, name: str, position: Position, cancellation: Cancellation
    ) -> Move:
        """The move of a bot in a seat. A bot that fails is replaced for this move, so that the game goes on."""
        player = self._player(table_id, seat, name)
        player.thoughts.append(cancellation)
        try:
            thought = await asyncio.get_running_loop().run_in_executor(
                self._threads, ask_thought, player.bot, position, None, "", cancellation
            )
            return thought.move
        except Exception:
            logger.exception("a bot failed")
            self._drop(table_id, seat)
            return ask(make_bot("random"), position)
        finally:
            player.thoughts.remove(cancellation)
            self._close_surplus()

    def _player(self, table_id: str, seat: Hashable, name: str) -> _Player:
        found = self._players.get((table_id, seat))
        if found is None or found.name != name:
            self._drop(table_id, seat)
            found = self._players[table_id, seat] = _Player(name, make_bot(name))
        self._players.move_to_end((table_id, seat))
        return found

    def release(self, table_id: str) -> None:
        """Close the bots of a table whose game is over, or that nobody looks at."""
        for key in [key for key in self._players if key[0] == table_id]:
            self._drop(*key)

    def _drop(self, table_id: str, seat: Hashable) -> None:
        player = self._players.pop((table_id, seat), None)
        if player is not None:
            for thought in player.thoughts:
                thought.cancel()
            self._threads.submit(close_bot, player.bot)  # in a thread: it may wait for the end of a thought

    def _close_surplus(self) -> None:
        idle = [key for key, player in self._players.items() if not player.thoughts]
        for key in idle[: max(0, len(self._players) - self._most_bots)]:
            self._drop(*key)

    def close(self) -> None:
        """End all thoughts."""
        for player in self._players.values():
            for thought in player.thoughts:
                thought.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
