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
from collections.abc import Iterator
from typing import Any

from tilewright.game.registry import read_position
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import BotPool, Question
from tilewright.server.bot_queue import BotJob, BotQueue
from tilewright.server.end_task import end_task
from tilewright.server.job_queue import ALIVE_FOR, FAILURES
from tilewright.server.review_chores import RETRY_AFTER, ReviewChores
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import JOBS

logger = logging.getLogger("tilewright.worker")


class Worker:
    """Takes one job after the other, as many at once as it has threads."""

    def __init__(self, url: str, threads: int) -> None:
        self._queue = BotQueue(url)
        self._bots = BotPool(threads=threads)
        self._threads = threads
        self._said_alive = float("-inf")
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(2)}"
        self._thinking = 0
        self._bots_rest = asyncio.Event()
        self._bots_rest.set()
        self._reviews = ReviewChores(url, self._name, self._bots_rest)

    async def run(self) -> None:
        """Work until SIGTERM or Ctrl-C; jobs in progress are finished."""
        ending = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ending.set)
        alive = asyncio.create_task(self._say_alive())
        reviewing = asyncio.create_task(self._reviews.run())
        tasks = [asyncio.create_task(self._work(ending)) for _ in range(self._threads)]
        print(
            f"Tilewright worker {self._name}: up to {self._threads} bots think at once (press Ctrl-C to stop)",
            flush=True,
        )
        await asyncio.gather(*tasks)
        for task in (reviewing, alive):
            await end_task(task)
        self._bots.close()
        await self._queue.close()

    async def _say_alive(self) -> None:
        while True:
            with contextlib.suppress(*FAILURES):
                await self._queue.say_alive()
                self._said_alive = time.monotonic()
                await self._queue.note_depth()
                await self._reviews.note_depth()
            await asyncio.sleep(ALIVE_FOR / 3)

    def report(self) -> dict[str, Any]:
        """Whether it works, for probes."""
        return {"ready": time.monotonic() - self._said_alive < ALIVE_FOR}

    async def _work(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            try:
                found = await self._queue.next_job(self._name)
                if found is not None:
                    with self._busy():
                        await self._do(*found)
            except FAILURES as error:
                logger.warning("Redis failed; trying again: %s", error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ending.wait(), RETRY_AFTER)

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        """While a bot thinks, no review is begun."""
        self._thinking += 1
        self._bots_rest.clear()
        try:
            yield
        finally:
            self._thinking -= 1
            if not self._thinking:
                self._bots_rest.set()

    async def _do(self, number: str, job: BotJob) -> None:
        answer: dict[str, Any]
        try:
            answer, outcome = {"move": await self._choose(job)}, "done"
        except Exception as error:
            logger.exception("a bot could not choose a move")
            answer, outcome = {"error": f"{type(error).__name__}: {error}"}, "failed"
        await self._queue.finish(number, job, answer)
        JOBS.labels("bots", outcome).inc()

    async def _choose(self, job: BotJob) -> int:
        table, seat, _ = job.name.split(":")
        question = Question(read_position(job.position), Cancellation(), (), is_wanted=lambda: True)
        with tracing.span("job", job.trace):
            return int(await self._bots.choose(table, seat, job.bot, question))
