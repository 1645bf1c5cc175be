"""A queue of jobs in Redis: a stream that workers read as one consumer group.

Whoever asks first puts a job into the stream, and all who ask for the same job read the same answers, which have a
stream of their own. A job whose worker has died is claimed by another one; should both answer, the first answer counts.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from redis import RedisError, ResponseError
from redis import asyncio as redis

from tilewright.server.telemetry.metrics import STREAM_AGE, STREAM_LENGTH

GROUP, ALIVE = "workers", "tilewright:workers:alive"
PATIENCE = 1.0
"""Seconds for which a read blocks before servers look again for workers, and workers for jobs that were abandoned."""
ALIVE_FOR = 15
"""Seconds for which a worker counts as alive unless it says so again."""
FAILURES = (RedisError, OSError, TimeoutError)
"""What goes wrong when Redis is not there."""
_LONGEST = 100_000
"""Jobs in a stream; beyond this the oldest are forgotten."""


class NoWorker(Exception):
    """There is no worker to do a job."""


class Job(Protocol):
    """A named tuple of texts; jobs with the same name are done once."""

    @property
    def name(self) -> str:
        """What identifies it."""

    def _asdict(self) -> dict[str, Any]: ...


class Timeouts(NamedTuple):
    """How long things take in a queue, in seconds."""

    claimed_after: float
    """Without a sign of life from its worker, a job is claimed by another one."""
    given_up_after: float
    """Without an answer, whoever asks does the job themselves."""
    kept: int
    """Answers can be read for this long."""


class Answer(NamedTuple):
    """What a worker answered."""

    number: str
    """In the stream of answers: later ones are greater."""
    content: dict[str, Any]


J = TypeVar("J", bound=Job)


class JobQueue(Generic[J]):
    """A queue as servers and workers see it."""

    def __init__(self, url: str, stream: str, job: type[J], timeouts: Timeouts) -> None:
        self._redis: Any = connect(url)  # the types of replies depend on the protocol, which mypy cannot know
        self._stream = stream
        self._job = job
        self._timeouts = timeouts

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    # Servers --------------------------------------------------------------------------------------------

    async def ask(self, job: J) -> None:
        """Put a job into the stream, unless somebody has asked for it already."""
        if not await self._redis.exists(ALIVE):
            raise NoWorker
        if await self._redis.set(self._asked(job.name), 1, nx=True, ex=self._timeouts.kept):
            await self._redis.xadd(self._stream, job._asdict(), maxlen=_LONGEST)

    async def wait(self, job: J, after: str = "0") -> list[Answer]:
        """Ask for a job, and wait for the answers that follow one that is known; TimeoutError if there are none."""
        async with asyncio.timeout(self._timeouts.given_up_after):
            while True:
                await self.ask(job)
                found = await self._redis.xread({self._answers(job.name): after}, block=_milliseconds(PATIENCE))
                if found:
                    return [_answer(entry) for entry in found[0][1]]

    async def latest(self, name: str) -> dict[str, Any] | None:
        """The last answer to a job without waiting: an empty one if it was only asked for, None if it was not."""
        if found := await self._redis.xrevrange(self._answers(name), count=1):
            return _answer(found[0]).content
        return {} if await self._redis.exists(self._asked(name)) else None

    async def forget(self, name: str) -> None:
        """Forget a job and its answers, so that it can be asked for again."""
        await self._redis.delete(self._asked(name), self._answers(name))

    async def note_depth(self) -> None:
        """Tell the metrics how many jobs are not done, and how old the oldest is."""
        label = self._stream.rpartition(":")[2]
        oldest = await self._redis.xrange(self._stream, count=1)
        asked_at = int(oldest[0][0].partition("-")[0]) / 1000 if oldest else time.time()
        STREAM_LENGTH.labels(label).set(await self._redis.xlen(self._stream))
        STREAM_AGE.labels(label).set(max(0.0, time.time() - asked_at))

    # Workers --------------------------------------------------------------------------------------------

    async def say_alive(self) -> None:
        """A worker is there."""
        await self._redis.set(ALIVE, 1, ex=ALIVE_FOR)

    async def next_job(self, worker: str) -> tuple[str, J] | None:
        """A job and its number in the stream: one that another worker has left, or a new one if it comes in time."""
        try:
            entry = await self._claim(worker) or await self._read(worker)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            await self._make_group()  # the first worker is here, or Redis was started again and has forgotten it
            entry = await self._read(worker)
        return None if entry is None else (entry[0], self._made(entry[1]))

    def _made(self, fields: dict[str, str]) -> J:
        """A job as it was asked for. While servers are replaced, a later version may say more than this one knows."""
        return self._job(**{name: text for name, text in fields.items() if name in self._job.__annotations__})

    async def _claim(self, worker: str) -> Any:
        idle = _milliseconds(self._timeouts.claimed_after)
        _, entries, *_ = await self._redis.xautoclaim(self._stream, GROUP, worker, idle, count=1)
        return next((entry for entry in entries if entry[1]), None)

    async def _read(self, worker: str) -> Any:
        found = await self._redis.xreadgroup(GROUP, worker, {self._stream: ">"}, 1, _milliseconds(PATIENCE))
        return found[0][1][0] if found else None

    async def _make_group(self) -> None:
        try:
            await self._redis.xgroup_create(self._stream, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):  # another worker was faster
                raise

    async def report(self, worker: str, number: str, job: J, content: dict[str, Any]) -> None:
        """Answer with what is known so far, in place of earlier answers, and keep the job."""
        async with self._redis.pipeline(transaction=True) as together:
            self._add_answer(together, job, content, maxlen=1)
            together.expire(self._asked(job.name), self._timeouts.kept)
            together.xclaim(self._stream, GROUP, worker, 0, [number], justid=True)
            await together.execute()

    async def finish(self, number: str, job: J, content: dict[str, Any]) -> None:
        """A job is done: whoever asked gets the answer, and the stream forgets the job, all at once or not at all."""
        async with self._redis.pipeline(transaction=True) as together:
            self._add_answer(together, job, content)
            together.xack(self._stream, GROUP, number)
            together.xdel(self._stream, number)
            await together.execute()

    async def give_back(self, worker: str, number: str) -> None:
        """The worker ends before the job is done: another one may claim it at once."""
        idle = 2 * _milliseconds(self._timeouts.claimed_after)
        await self._redis.xclaim(self._stream, GROUP, worker, 0, [number], idle=idle, justid=True)

    def _add_answer(self, together: Any, job: J, content: dict[str, Any], maxlen: int | None = None) -> None:
        key, fields = self._answers(job.name), {"answer": json.dumps(content, separators=(",", ":"))}
        together.xadd(key, fields, maxlen=maxlen, approximate=False)
        together.expire(key, self._timeouts.kept)

    # Keys -----------------------------------------------------------------------------------------------

    def _asked(self, name: str) -> str:
        return f"{self._stream}:asked:{name}"

    def _answers(self, name: str) -> str:
        return f"{self._stream}:answer:{name}"


def connect(url: str) -> redis.Redis:
    """A client of Redis that gives up on a server that does not answer."""
    timeout = PATIENCE + 4.0
    return redis.Redis.from_url(
        url, decode_responses=True, protocol=2, socket_timeout=timeout, socket_connect_timeout=timeout
    )


def _answer(entry: tuple[str, dict[str, str]]) -> Answer:
    number, fields = entry
    return Answer(number, json.loads(fields["answer"]))


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
