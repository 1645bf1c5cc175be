"""Bots that think in processes of their own beside the server, so that no search competes with its event loop.

Those that take milliseconds think in the server: it would take as long to ask another process. A process is started
when somebody needs it, and ends when nobody has for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import sys
from collections.abc import Hashable
from typing import Any

from tilewright.bots.bot import ask
from tilewright.bots.registry import make_bot
from tilewright.game.errors import TilewrightError
from tilewright.game.moves import Move
from tilewright.kernels.interpreting import is_interpreting
from tilewright.server.bot_pool import QUICK, BotPool, NobodyWaits, Question
from tilewright.server.fair_slots import FairSlots
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import BOT_SECONDS

logger = logging.getLogger("tilewright.server")

PROCESSES = 2
IDLE = 600.0
"""Seconds without work after which a process ends: it takes a few to start, and 200 MB as long as it runs."""
TRIES = 2
"""A process may be killed, for its memory for instance: then another one is asked."""


class SearchFailed(TilewrightError):
    """A bot could not be made or asked, or the process in which it was thinking has ended."""


class _Child:
    """A process, started with its first job, which does one job at a time."""

    _numbers = itertools.count(1)

    def __init__(self) -> None:
        self.is_busy = False
        self.last: tuple[str, Hashable] | None = None
        """The bot that was asked here last, whose memory may be of use again."""
        self._process: asyncio.subprocess.Process | None = None
        self._interprets = False
        """Whether it was started while the server was compiling."""
        self._starting = asyncio.Lock()
        self._ending: asyncio.Handle | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """The process, which runs from now on."""
        async with self._starting:
            if self._interprets and not is_interpreting():
                self.kill()
                await self.ended()
            if self._process is None or self._process.returncode is not None:
                self._interprets = is_interpreting()
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "tilewright.server.bot_process",
                    *(["--interpret"] if self._interprets else []),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )
        return self._process

    async def choose(self, table_id: str, seat: Hashable, name: str, question: Question) -> int:
        """The number of the move that a bot chooses here."""
        if self._ending is not None:
            self._ending.cancel()
        process, number = await self.start(), next(self._numbers)
        loop = asyncio.get_running_loop()

        def give_up() -> None:
            loop.call_soon_threadsafe(self._say, {"cancel": number})

        position = question.position.to_text()
        self._say({"id": number, "table": table_id, "seat": seat, "bot": name, "position": position})
        self.last = (table_id, seat)
        with question.cancellation.calling(give_up):
            move = await self._answer(process, number)
        self._end_later()
        return move

    async def prepare(self) -> None:
        """Start the process for a job that may follow; it ends if none does."""
        await self.start()
        if not self.is_busy:
            self._end_later()

    def _end_later(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(IDLE, self.kill)

    async def _answer(self, process: asyncio.subprocess.Process, number: int) -> int:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            answer = json.loads(line)
            if answer["id"] == number and "move" in answer:
                return int(answer["move"])
            if answer["id"] == number:  # others belong to searches that nobody waited for any more
                raise SearchFailed(f"a bot failed: {answer['error']}")
        await process.wait()
        raise SearchFailed(f"the process in which a bot was thinking ended with status {process.returncode}")

    def release(self, table_id: str) -> None:
        """Close the bots of a table."""
        self._say({"release": table_id})

    def _say(self, message: dict[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None and self._process.returncode is None:
            with contextlib.suppress(OSError, RuntimeError):
                self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def kill(self) -> None:
        """End the process; the next job starts another one."""
        if self._ending is not None:
            self._ending.cancel()
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def ended(self) -> None:
        """Wait until the process has ended."""
        if self._process is not None:
            await self._process.wait()


class ChildBots(BotPool):
    """Asks processes for the moves of bots that take long."""

    def __init__(self, processes: int = PROCESSES) -> None:
        super().__init__()
        self._children = [_Child() for _ in range(processes)]
        self._slots = FairSlots(processes, "bot")
        self._starting: set[asyncio.Task[Any]] = set()
        self._closed = False

    def expect(self, name: str) -> None:
        """A bot will be asked for a move soon: it should not have to wait for its process."""
        if name not in QUICK and not self._closed:
            task = asyncio.get_running_loop().create_task(self._children[0].prepare())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def choose(self, table_id: str, seat: Hashable, name: str, question: Question) -> Move:
        """The move of a bot in a seat. A bot that fails is replaced for this move, so that the game goes on."""
        if name in QUICK:
            return await super().choose(table_id, seat, name, question)
        async with self._slots.slot(question.owners):
            if not question.is_wanted():
                raise NobodyWaits
            with BOT_SECONDS.labels(name).time(), tracing.span("bot search", bot=name):
                for _ in range(TRIES):
                    try:
                        return await self._ask(table_id, seat, name, question)
                    except SearchFailed as error:
                        await self._end_if_closed()
                        logger.warning("%s", error)
        return ask(make_bot("random"), question.position)

    async def _end_if_closed(self) -> None:
        """When the server ends, no move is wanted: whoever asked is cancelled with everything else."""
        if self._closed:
            await asyncio.get_running_loop().create_future()

    async def _ask(self, table_id: str, seat: Hashable, name: str, question: Question) -> Move:
        await self._end_if_closed()
        child = self._free_child((table_id, seat))
        child.is_busy = True
        try:
            number = await child.choose(table_id, seat, name, question)
        except BaseException:
            child.kill()  # what it would still say belongs to a search that nobody waits for
            raise
        finally:
            child.is_busy = False
        return question.position.game.move(number)

    def _free_child(self, player: tuple[str, Hashable]) -> _Child:
        """The process that knows the bot, if it is free, or else any that is."""
        free = [child for child in self._children if not child.is_busy]
        return next((child for child in free if child.last == player), free[0])

    def release(self, table_id: str) -> None:
        """Close the bots of a table whose game is over, or that nobody looks at."""
        super().release(table_id)
        for child in self._children:
            child.release(table_id)

    def close(self) -> None:
        """End all searches; from now on nobody thinks."""
        super().close()
        self._closed = True
        for child in self._children:
            child.kill()

    async def disconnect(self) -> None:
        """Wait until all processes have ended, even one that was being started."""
        await asyncio.gather(*self._starting, return_exceptions=True)
        for child in self._children:
            child.kill()
            await child.ended()
