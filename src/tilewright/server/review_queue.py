"""The queue of reviews in Redis: a stream like that of bot moves, which workers read when no bot has to think.

A job is a record as text. What is known of a review while it is being made, and at last the whole of it, is under the
job's name, where every server can read it; servers store what is complete.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from redis import ResponseError

from tilewright.server.bot_queue import ALIVE, FAILURES, GROUP, STREAM, connect
from tilewright.server.reviewer import Reviewer, ReviewFailed
from tilewright.server.telemetry.metrics import STREAM_AGE, STREAM_LENGTH

REVIEWS = "tilewright:reviews"
KEPT = 600
"""Seconds for which a review is kept after its last progress."""
LEFT = 30.0
"""Seconds without progress after which a job is claimed by another worker."""
PAUSE = 0.5
"""Seconds between two looks at a review."""
GIVEN_UP = 120.0
"""Seconds without progress after which a server makes the review itself: as long as other reviews may take."""


class ReviewJob(NamedTuple):
    """A game to review; equal ones have the same name, and are reviewed once."""

    name: str
    record: str
    budget: str

    @staticmethod
    def of(record: str, budget: str | None) -> ReviewJob:
        """The job for a record."""
        name = hashlib.sha256(f"{budget} {record}".encode()).hexdigest()[:20]
        return ReviewJob(name, record, budget or "")


class ReviewQueue:
    """The queue as servers and workers see it."""

    def __init__(self, url: str) -> None:
        self._redis: Any = connect(url)  # the types of replies depend on the protocol, which mypy cannot know

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    # Servers --------------------------------------------------------------------------------------------

    async def ask(self, job: ReviewJob) -> bool:
        """Put a job into the stream unless it is there; whether a worker is there to do it."""
        if not await self._redis.exists(ALIVE):
            return False
        if await self._redis.set(_asked(job.name), 1, nx=True, ex=KEPT):
            await self._redis.xadd(REVIEWS, job._asdict(), maxlen=10_000)
        return True

    async def forget(self, job: ReviewJob) -> None:
        """Nobody waits for an answer any more, so that it can be asked for again."""
        await self._redis.delete(_asked(job.name), _latest(job.name))

    async def latest(self, name: str) -> dict[str, Any] | None:
        """What is known of a review: the last progress, or all of it; only its progress before it begins."""
        found = await self._redis.get(_latest(name))
        if found is not None:
            told: dict[str, Any] = json.loads(found)
            return told
        return {"progress": 0.0} if await self._redis.exists(_asked(name)) else None

    # Workers --------------------------------------------------------------------------------------------

    async def next_job(self, worker: str) -> tuple[str, ReviewJob] | None:
        """A job to be done and its number in the stream; none while bots have to think."""
        await self._join()
        if await self._redis.xlen(STREAM):
            return None
        claimed = await self._redis.xautoclaim(REVIEWS, GROUP, worker, int(LEFT * 1000), count=1)
        entries = [entry for entry in claimed[1] if entry[1]]
        if not entries:
            found = await self._redis.xreadgroup(GROUP, worker, {REVIEWS: ">"}, 1)
            entries = found[0][1] if found else []
        return (entries[0][0], ReviewJob(**entries[0][1])) if entries else None

    async def _join(self) -> None:
        try:
            await self._redis.xgroup_create(REVIEWS, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    async def progress(self, worker: str, number: str, job: ReviewJob, review: dict[str, Any]) -> None:
        """Tell what is known of a review, and that it is still being made."""
        async with self._redis.pipeline(transaction=True) as together:
            together.set(_latest(job.name), json.dumps(review, separators=(",", ":")), ex=KEPT)
            together.expire(_asked(job.name), KEPT)
            together.xclaim(REVIEWS, GROUP, worker, 0, [number], justid=True)
            await together.execute()

    async def done(self, number: str) -> None:
        """A review is complete, or cannot be made."""
        await self._redis.xack(REVIEWS, GROUP, number)
        await self._redis.xdel(REVIEWS, number)

    async def give_back(self, worker: str, number: str) -> None:
        """The worker ends: another one may begin again at once."""
        await self._redis.xclaim(REVIEWS, GROUP, worker, 0, [number], idle=int(LEFT * 2000), justid=True)

    async def note_depth(self) -> None:
        """Tell the metrics how much is in the queue."""
        oldest = await self._redis.xrange(REVIEWS, count=1)
        age = time.time() - int(oldest[0][0].partition("-")[0]) / 1000 if oldest else 0.0
        STREAM_LENGTH.labels("reviews").set(await self._redis.xlen(REVIEWS))
        STREAM_AGE.labels("reviews").set(max(0.0, age))


class QueuedReviewer(Reviewer):
    """Lets workers make reviews; if none is there, they are made beside the server."""

    at_once = 8

    def __init__(self, url: str) -> None:
        super().__init__()
        self._queue = ReviewQueue(url)

    async def review(self, record: str, budget: str | None) -> AsyncIterator[dict[str, Any]]:
        """The review of a record while it is being made, the last one complete."""
        job = ReviewJob.of(record, budget)
        try:
            async for found in self._from_workers(job):
                yield found
                if found["progress"] >= 1:
                    return
        except FAILURES:
            pass
        async for found in super().review(record, budget):
            yield found

    async def _from_workers(self, job: ReviewJob) -> AsyncIterator[dict[str, Any]]:
        """What workers make of a job; ends early if they are gone or do not get on."""
        heard, known = time.monotonic(), -1.0
        while time.monotonic() - heard < GIVEN_UP and await self._queue.ask(job):
            found = await self._queue.latest(job.name)
            if found is not None and "error" in found:
                await self._queue.forget(job)
                raise ReviewFailed(found["error"])
            if found is not None and found["progress"] > known:
                heard, known = time.monotonic(), found["progress"]
                if "record" in found:
                    yield found
            await asyncio.sleep(PAUSE)

    async def underway(self, record: str, budget: str | None) -> dict[str, Any] | None:
        """What workers know of a review that another server asked for."""
        with contextlib.suppress(*FAILURES):
            found = await self._queue.latest(ReviewJob.of(record, budget).name)
            return None if found is None or "error" in found else found
        return None

    async def close(self) -> None:
        """Close the connections."""
        await super().close()
        await self._queue.close()


def _asked(name: str) -> str:
    return f"{REVIEWS}:asked:{name}"


def _latest(name: str) -> str:
    return f"{REVIEWS}:latest:{name}"
