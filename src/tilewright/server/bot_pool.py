"""The bots at all tables, and the threads in which they think."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tilewright.bots.bot import Bot, ask, ask_thought, close_bot
from tilewright.bots.registry import make_bot
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.kernels.interpreting import is_interpreting
from tilewright.search.cancellation import Cancellation
from tilewright.server.fair_slots import FairSlots, Owner
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import BOT_SECONDS

logger = logging.getLogger("tilewright.server")

QUICK = frozenset({"random", "level1", "level2", "level3", "level4", "level5"})
"""Bots that take milliseconds for a move. Every other may take seconds."""
THREADS = 2
"""For the bots that are not quick; the quick ones have a thread of their own, which no long search can occupy."""
MOST_BOTS = 8
"""Bots that keep their memory between moves: up to 230 MB each at level 6."""
PLAIN_SECONDS = 3.0
"""How long a bot may think while it runs as plain Python: what it found out by then has to do."""
_NICE = 5


class NobodyWaits(Exception):
    """A search that was no longer wanted when its turn came."""


@dataclass(frozen=True)
class Question:
    """What a bot is asked, on whose behalf, and whether they still wait for the answer."""

    position: Position
    cancellation: Cancellation
    owners: Sequence[Owner]
    is_wanted: Callable[[], bool]


class _Lane:
    """Threads in which bots think, as many at once as there are threads; whoever asks takes turns."""

    def __init__(self, threads: int, name: str, initializer: Callable[[], None] | None = None) -> None:
        self.slots = FairSlots(threads, name)
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=initializer)

    async def ask(self, bot: Bot, name: str, question: Question) -> Move:
        async with self.slots.slot(question.owners):
            if not question.is_wanted():
                raise NobodyWaits
            loop = asyncio.get_running_loop()
            position, cancellation = question.position, question.cancellation
            if is_interpreting():
                loop.call_later(PLAIN_SECONDS, cancellation.cancel)
            with BOT_SECONDS.labels(name).time(), tracing.span("bot search", bot=name):
                thought = await loop.run_in_executor(self.threads, ask_thought, bot, position, None, "", cancellation)
            return thought.move


def give_way(niceness: int = _NICE) -> None:
    """Let the event loop go first when the processors are busy. Only Linux knows priorities of threads."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # some containers forbid it
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


@dataclass(eq=False)
class _Player:
    """A bot that takes part in a game, and its searches in progress."""

    name: str
    bot: Bot
    searches: list[Cancellation] = field(default_factory=list)


class BotPool:
    """Bots that live as long as their game, so that a search can reuse its tree and its memory.

    A few threads bound how many think at once. The bots that were asked least recently are closed when there are too
    many; they are made again when it is their turn.
    """

    def __init__(self, threads: int = THREADS, most_bots: int = MOST_BOTS) -> None:
        self._quick = _Lane(1, "quick-bot")
        self._deep = _Lane(threads, "bot", give_way)
        self._most_bots = most_bots
        self._players: OrderedDict[tuple[str, Hashable], _Player] = OrderedDict()

    def __len__(self) -> int:
        return len(self._players)

    async def choose(self, table_id: str, seat: Hashable, name: str, question: Question) -> Move:
        """The move of a bot in a seat. A bot that fails is replaced for this move, so that the game goes on."""
        player = self._player(table_id, seat, name)
        player.searches.append(question.cancellation)
        try:
            return await (self._quick if name in QUICK else self._deep).ask(player.bot, name, question)
        except NobodyWaits:
            raise
        except Exception:
            logger.exception("a bot failed")
            self._drop(table_id, seat)
            return ask(make_bot("random"), question.position)
        finally:
            player.searches.remove(question.cancellation)
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
            for search in player.searches:
                search.cancel()
            self._deep.threads.submit(close_bot, player.bot)  # in a thread: it may wait for the end of a search

    def _close_surplus(self) -> None:
        idle = [key for key, player in self._players.items() if not player.searches]
        for key in idle[: max(0, len(self._players) - self._most_bots)]:
            self._drop(*key)

    def close(self) -> None:
        """End all searches."""
        for player in self._players.values():
            for search in player.searches:
                search.cancel()
        for lane in (self._quick, self._deep):
            lane.threads.shutdown(wait=False, cancel_futures=True)

    def expect(self, name: str) -> None:
        """A bot will be asked for a move soon; here nothing has to be prepared for it."""

    async def measure(self) -> None:
        """Note how many jobs wait elsewhere; here all of them are counted as they come."""

    async def disconnect(self) -> None:
        """Wait until whatever is outside this process has ended; here there is nothing."""
