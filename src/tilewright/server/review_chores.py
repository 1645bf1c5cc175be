"""The reviews that a worker makes, one at a time and only while none of its bots has to think."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from tilewright.server.job_queue import FAILURES
from tilewright.server.review_queue import ReviewJob, ReviewQueue
from tilewright.server.reviewer import Reviewer, ReviewFailed
from tilewright.server.telemetry.metrics import JOBS

logger = logging.getLogger("tilewright.worker")
RETRY_AFTER = 1.0
"""Seconds until a Redis that was lost is tried again."""


class ReviewChores:
    """Takes reviews from the queue. They are made in a process of the lowest priority."""

    def __init__(self, url: str, worker: str, bots_rest: asyncio.Event) -> None:
        self._queue = ReviewQueue(url)
        self._reviewer = Reviewer()
        self._worker = worker
        self._bots_rest = bots_rest
        """Set while no bot of this worker thinks: then no bot waits either, since it would think here."""
        self._number: str | None = None

    async def run(self) -> None:
        """Work until cancelled; what is not complete then is left to another worker."""
        try:
            while True:
                await self._bots_rest.wait()
                try:
                    found = await self._queue.next_job(self._worker)
                    if found is not None:
                        await self._do(*found)
                except FAILURES as error:
                    logger.warning("Redis failed; trying again: %s", error)
                    await asyncio.sleep(RETRY_AFTER)
        finally:
            await self._leave()

    async def note_depth(self) -> None:
        """Tell the metrics how much is in the queue."""
        await self._queue.note_depth()

    async def _do(self, number: str, job: ReviewJob) -> None:
        self._number, outcome = number, "done"
        known = await self._queue.latest(job.name)
        begun = known if known and "record" in known else None  # by a worker that has ended
        try:
            async for answer in self._reviewer.review(job.record, job.budget or None, begun):
                if answer["progress"] < 1:
                    await self._queue.report(self._worker, number, job, answer)
        except FAILURES:
            raise
        except Exception as error:  # of a careless package, for instance, that prints among the answers
            outcome, answer = "failed", {"error": str(error) if isinstance(error, ReviewFailed) else repr(error)}
            logger.warning("a game could not be reviewed: %s", answer["error"])
        await self._queue.finish(number, job, answer)
        self._number = None
        JOBS.labels("reviews", outcome).inc()

    async def _leave(self) -> None:
        with contextlib.suppress(*FAILURES):
            if self._number is not None:
                await self._queue.give_back(self._worker, self._number)
            await self._reviewer.close()
            await self._queue.close()
