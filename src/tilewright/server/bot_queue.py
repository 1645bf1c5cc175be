"""The queue of bot moves in Redis: a stream that workers read as one consumer group.

A job is a position as text, which has neither the dealer nor anybody's key. Whoever asks first puts it into the stream,
and all who ask for the same job read the same answer. A job whose worker has died is claimed by another one; should
both answer, the first answer counts.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

from redis import RedisError, ResponseError
from redis import asyncio as redis

from tilewright.server.telemetry.metrics import STREAM_AGE, STREAM_LENGTH

STREAM, GROUP, ALIVE = "tilewright:bots", "workers", "tilewright:workers:alive"
PATIENCE = 1.0
"""Seconds for one look at a stream."""
LONGEST_SEARCH = 10.0
"""Seconds after which a job without an answer is claimed by another worker."""
GIVEN_UP = 30.0
"""Seconds after which whoever asks does so elsewhere."""
KEPT = 60
"""Seconds for which an answer is kept."""
ALIVE_FOR = 15
"""Seconds for which a worker counts as alive unless it says so again."""
FAILURES = (RedisError, OSError, TimeoutError)
"""What goes wrong when Redis is not there."""


class Job(NamedTuple):
    """A bot's decision. A position of a table is asked about once: its name says which one it is."""

    name: str
    bot: str
    position: str
    trace: str = ""
    """The span of whoever asks."""


class Depth(NamedTuple):
    """How much is in the queue."""

    length: int
    age: float
    """Seconds."""


class NoWorker(Exception):
    """No worker is there to think."""


def connect(url: str) -> redis.Redis:
    """A client of Redis that gives up on a server that does not answer."""
    timeout = PATIENCE + 4.0
    return redis.Redis.from_url(
        url, decode_responses=True, protocol=2, socket_timeout=timeout, socket_connect_timeout=timeout
    )


class BotQueue:
    """The queue as servers and workers see it."""

    def __init__(self, url: str) -> None:
        self._redis: Any = connect(url)  # the types of replies depend on the protocol, which mypy cannot know

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    # Servers --------------------------------------------------------------------------------------------

    async def ask(self, job: Job) -> int:
        """The move that a worker chooses."""
        async with asyncio.timeout(GIVEN_UP):
            await self._check_alive()
            if await self._redis.set(f"{STREAM}:asked:{job.name}", 1, nx=True, ex=KEPT):
                await self._redis.xadd(STREAM, job._asdict(), maxlen=100_000)
            while not (found := await self._redis.xread({_answer(job.name): "0"}, 1, _milliseconds(PATIENCE))):
                await self._check_alive()
            return int(found[0][1][0][1]["move"])

    async def _check_alive(self) -> None:
        if not await self._redis.exists(ALIVE):
            raise NoWorker

    async def depth(self) -> Depth:
        """How many jobs are not done, and how old the oldest is: the number of an entry begins with its time."""
        oldest = await self._redis.xrange(STREAM, count=1)
        length = await self._redis.xlen(STREAM)
        age = time.time() - int(oldest[0][0].partition("-")[0]) / 1000 if oldest else 0.0
        return Depth(length, max(0.0, age))

    # Workers --------------------------------------------------------------------------------------------

    async def join(self) -> None:
        """Become a member of the group of workers."""
        try:
            await self._redis.xgroup_create(STREAM, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    async def say_alive(self) -> None:
        """A worker is there."""
        await self._redis.set(ALIVE, 1, ex=ALIVE_FOR)

    async def next_job(self, worker: str) -> tuple[str, Job] | None:
        """A job to be done and its number in the stream: one that another worker has left, or a new one."""
        claimed = await self._redis.xautoclaim(STREAM, GROUP, worker, _milliseconds(LONGEST_SEARCH), count=1)
        entries = [entry for entry in claimed[1] if entry[1]]
        if not entries:
            found = await self._redis.xreadgroup(GROUP, worker, {STREAM: ">"}, 1, _milliseconds(PATIENCE))
            entries = found[0][1] if found else []
        if not entries:
            return None
        number, fields = entries[0]
        return number, Job(**fields)

    async def answer(self, number: str, job: Job, move: int) -> None:
        """A job is done: everybody who asked gets the move, and the stream forgets it, all at once or not at all."""
        async with self._redis.pipeline(transaction=True) as together:
            together.xadd(_answer(job.name), {"move": move})
            together.expire(_answer(job.name), KEPT)
            together.xack(STREAM, GROUP, number)
            together.xdel(STREAM, number)
            await together.execute()

    async def drop(self, number: str) -> None:
        """A job that cannot be done is not tried again."""
        await self._redis.xack(STREAM, GROUP, number)
        await self._redis.xdel(STREAM, number)


async def note_depth(queue: BotQueue) -> None:
    """Tell the metrics how much is in the queue."""
    depth = await queue.depth()
    STREAM_LENGTH.labels("bots").set(depth.length)
    STREAM_AGE.labels("bots").set(depth.age)


def _answer(name: str) -> str:
    return f"{STREAM}:answer:{name}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
