"""A worker: a process that thinks for the bots of all servers, and reviews games, on any machine that reaches Redis."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import time
from typing import Any

from tilewright.game.registry import read_position
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import BotPool, Question
from tilewright.server.bot_queue import ALIVE_FOR, FAILURES, BotQueue, Job, note_depth
from tilewright.server.review_chores import ReviewChores
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import JOBS

logger = logging.getLogger("tilewright.worker")
RETRY_AFTER = 1.0
"""Seconds until a Redis that was lost is tried again."""
ENDS_WITHIN = 2.0
"""Seconds after which a task that was cancelled, and goes on, is cancelled again."""


class Worker:
    """Takes one job after the other, as many at once as it has threads."""

    def __init__(self, url: str, threads: int) -> None:
        self._queue = BotQueue(url)
        self._bots = BotPool(threads=threads)
        self._threads = threads
        self._said_alive = float("-inf")
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(2)}"
        self._reviews = ReviewChores(url, self._name)

    async def run(self) -> None:
        """Work until SIGTERM or Ctrl-C; jobs in progress are finished."""
        ending = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ending.set)
        alive = asyncio.create_task(self._say_alive())
        reviewing = asyncio.create_task(self._reviews.run())
        tasks = [asyncio.create_task(self._work(ending)) for _ in range(self._threads)]
        print(f"Tilewright worker {self._name}: bots think here, {self._threads} at once (Ctrl-C ends it)", flush=True)
        await asyncio.gather(*tasks)
        for task in (reviewing, alive):
            await _end(task)
        self._bots.close()
        await self._queue.close()

    async def _say_alive(self) -> None:
        while True:
            with contextlib.suppress(*FAILURES):
                await self._queue.say_alive()
                self._said_alive = time.monotonic()
                await note_depth(self._queue)
            await asyncio.sleep(ALIVE_FOR / 3)

    def report(self) -> dict[str, Any]:
        """Whether it works, for probes."""
        return {"ready": time.monotonic() - self._said_alive < ALIVE_FOR}

    async def _work(self, ending: asyncio.Event) -> None:
        joined = False
        while not ending.is_set():
            try:
                if not joined:
                    await self._queue.join()
                    joined = True
                found = await self._queue.next_job(self._name)
                if found is not None:
                    await self._do(*found)
            except FAILURES as error:
                joined = False  # a Redis that was started again has forgotten the group
                logger.warning("Redis failed and is tried again: %s", error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ending.wait(), RETRY_AFTER)

    async def _do(self, number: str, job: Job) -> None:
        try:
            move = await self._choose(job)
        except Exception:
            logger.exception("a job could not be done")
            JOBS.labels("bots", "failed").inc()
            await self._queue.drop(number)
        else:
            await self._queue.answer(number, job, move)
            JOBS.labels("bots", "done").inc()

    async def _choose(self, job: Job) -> int:
        table, seat, _ = job.name.split(":")
        question = Question(read_position(job.position), Cancellation(), (), is_wanted=lambda: True)
        with tracing.span("job", job.trace):
            return int(await self._bots.choose(table, seat, job.bot, question))


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended.

    Before Python 3.12, ``asyncio.wait_for``, through which redis-py sends its commands, may swallow a cancellation.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=ENDS_WITHIN)
