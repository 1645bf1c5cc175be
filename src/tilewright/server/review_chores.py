"""The reviews that a worker makes, one at a time and only while no bot has to think."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from tilewright.server.bot_queue import FAILURES
from tilewright.server.review_queue import ReviewJob, ReviewQueue
from tilewright.server.reviewer import Reviewer, ReviewFailed
from tilewright.server.telemetry.metrics import JOBS

logger = logging.getLogger("tilewright.worker")
PAUSE = 1.0
"""Seconds between two looks at an empty queue."""


class ReviewChores:
    """Takes reviews from the queue. They are made in a process of the lowest priority."""

    def __init__(self, url: str, worker: str) -> None:
        self._queue = ReviewQueue(url)
        self._reviewer = Reviewer()
        self._worker = worker
        self._number: str | None = None

    async def run(self) -> None:
        """Work until cancelled; what is not complete then is left to another worker."""
        try:
            while True:
                try:
                    found = await self._queue.next_job(self._worker)
                    if found is not None:
                        await self._do(*found)
                        continue
                    await self._queue.note_depth()
                except FAILURES as error:
                    logger.warning("Redis failed and is tried again: %s", error)
                await asyncio.sleep(PAUSE)
        finally:
            await self._leave()

    async def _do(self, number: str, job: ReviewJob) -> None:
        self._number, outcome = number, "done"
        try:
            async for review in self._reviewer.review(job.record, job.budget or None):
                await self._queue.progress(self._worker, number, job, review)
        except ReviewFailed as error:
            outcome = "failed"
            logger.warning("a game could not be reviewed: %s", error)
            await self._queue.progress(self._worker, number, job, {"progress": 0.0, "error": str(error)})
        await self._queue.done(number)
        self._number = None
        JOBS.labels("reviews", outcome).inc()

    async def _leave(self) -> None:
        with contextlib.suppress(*FAILURES):
            if self._number is not None:
                await self._queue.give_back(self._worker, self._number)
            await self._reviewer.close()
            await self._queue.close()
