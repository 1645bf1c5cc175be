"""Bots that think in workers. Those that take milliseconds think in the server; if no worker is there, the others think
in its own processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Hashable

from tilewright.game.moves import Move
from tilewright.server.bot_pool import QUICK, NobodyWaits, Question
from tilewright.server.bot_queue import BotJob, BotQueue, JobFailed
from tilewright.server.child_bots import ChildBots
from tilewright.server.fair_slots import FairSlots
from tilewright.server.job_queue import FAILURES, NoWorker
from tilewright.server.telemetry import tracing

logger = logging.getLogger("tilewright.server")

AT_ONCE = 16
"""Jobs of one server in the queue. The others wait here, where people take turns."""


class QueuedBots(ChildBots):
    """Asks the workers."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._queue = BotQueue(url)
        self._jobs = FairSlots(AT_ONCE, "workers")

    async def choose(self, table_id: str, seat: Hashable, name: str, question: Question) -> Move:
        """The move of a bot in a seat, chosen by a worker if it takes long."""
        if name in QUICK:
            return await super().choose(table_id, seat, name, question)
        async with self._jobs.slot(question.owners):
            if not question.is_wanted():
                raise NobodyWaits
            try:
                return await self._ask_worker(table_id, seat, name, question)
            except NoWorker:
                pass
            except (JobFailed, *FAILURES) as error:
                told = str(error) or type(error).__name__
                logger.warning("no move from the workers, so the bot thinks on this server: %s", told)
        return await super().choose(table_id, seat, name, question)

    async def _ask_worker(self, table_id: str, seat: Hashable, name: str, question: Question) -> Move:
        position, text = question.position, question.position.to_text()
        digest = hashlib.sha256(f"{name} {text}".encode()).hexdigest()[:20]
        job = BotJob(f"{table_id}:{seat}:{digest}", name, text, tracing.current())
        asked = asyncio.ensure_future(self._queue.move(job))
        loop = asyncio.get_running_loop()

        def give_up() -> None:
            loop.call_soon_threadsafe(asked.cancel)

        with question.cancellation.calling(give_up):
            try:
                return position.game.move(await asked)
            except asyncio.CancelledError:
                if question.cancellation.is_cancelled:
                    raise NobodyWaits from None
                raise

    async def measure(self) -> None:
        """Note how much work there is for the workers."""
        with contextlib.suppress(*FAILURES):
            await self._queue.note_depth()

    async def disconnect(self) -> None:
        """Close the connections to Redis."""
        await super().disconnect()
        await self._queue.close()

    def expect(self, name: str) -> None:
        """Workers are there already, as a rule; if not, the first search waits for a process."""
