"""The queue of reviews. A job is a record as text, and its answers are the review as it grows, the last one complete.

Every server can read what is known of a review, and servers store what is complete.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from tilewright.server.job_queue import FAILURES, JobQueue, NoWorker, Timeouts
from tilewright.server.reviewer import Reviewer, ReviewFailed

STREAM = "tilewright:reviews"
TIMEOUTS = Timeouts(claimed_after=30.0, given_up_after=120.0, kept=600)
"""A server waits for as long as other reviews may take before it makes one itself."""


class ReviewJob(NamedTuple):
    """A game to review."""

    name: str
    record: str
    budget: str

    @staticmethod
    def of(record: str, budget: str | None) -> ReviewJob:
        """The job for a record."""
        name = hashlib.sha256(f"{budget} {record}".encode()).hexdigest()[:20]
        return ReviewJob(name, record, budget or "")


class ReviewQueue(JobQueue[ReviewJob]):
    """The games to review."""

    def __init__(self, url: str) -> None:
        super().__init__(url, STREAM, ReviewJob, TIMEOUTS)


class QueuedReviewer(Reviewer):
    """Lets workers make reviews; if none is there, they are made beside the server."""

    at_once = 8

    def __init__(self, url: str) -> None:
        super().__init__()
        self._queue = ReviewQueue(url)

    async def review(
        self, record: str, budget: str | None, begun: dict[str, Any] | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """The review of a record while it is being made, the last one complete.

        Workers know themselves what was begun; it is needed here only where there are none.
        """
        try:
            async for found in self._from_workers(ReviewJob.of(record, budget)):
                yield found
                if found["progress"] >= 1:
                    return
        except (NoWorker, *FAILURES):
            pass
        async for found in super().review(record, budget, begun):
            yield found

    async def _from_workers(self, job: ReviewJob) -> AsyncIterator[dict[str, Any]]:
        """What workers answer. One that takes over from another is heard once it is further."""
        seen, known = "0", -1.0
        while True:
            seen, found = (await self._queue.wait(job, seen))[-1]
            if "error" in found:
                await self._queue.forget(job.name)
                raise ReviewFailed(found["error"])
            if found["progress"] > known:
                known = found["progress"]
                yield found

    async def underway(self, record: str, budget: str | None) -> dict[str, Any] | None:
        """What workers know of a review that another server asked for: only its progress before it begins."""
        with contextlib.suppress(*FAILURES):
            found = await self._queue.latest(ReviewJob.of(record, budget).name)
            if found is not None and "error" not in found:
                return found or {"progress": 0.0}
        return None

    async def close(self) -> None:
        """Close the connections."""
        await super().close()
        await self._queue.close()
