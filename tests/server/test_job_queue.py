"""A queue of jobs: each is done once, whoever asks, and whichever worker dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from services import RedisServer

from tilewright.server import bot_queue, review_queue
from tilewright.server.bot_queue import BotJob, BotQueue, JobFailed
from tilewright.server.job_queue import GROUP, JobQueue, NoWorker, Timeouts, connect

STREAM = "test:jobs"
PATIENT = Timeouts(claimed_after=60.0, given_up_after=60.0, kept=60)


class Sum(NamedTuple):
    name: str
    numbers: str


JOB = Sum("a", "1 2")


@asynccontextmanager
async def a_queue(redis: RedisServer, timeouts: Timeouts = PATIENT) -> AsyncIterator[JobQueue[Sum]]:
    queue = JobQueue(redis.url, STREAM, Sum, timeouts)
    try:
        yield queue
    finally:
        await queue.close()


def run(redis: RedisServer, test: Callable[[JobQueue[Sum]], Awaitable[None]], timeouts: Timeouts = PATIENT) -> None:
    """Run a test with a queue that has a worker, and see that nothing is left in it."""

    async def whole() -> None:
        async with a_queue(redis, timeouts) as queue:
            await queue.say_alive()
            await test(queue)
        client = connect(redis.url)
        assert await client.xlen(STREAM) == 0
        assert (await client.xpending(STREAM, GROUP))["pending"] == 0
        await client.aclose()

    asyncio.run(whole())


def test_all_who_ask_for_a_job_get_the_answer_of_one_worker(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        asked = [asyncio.create_task(queue.wait(JOB)) for _ in range(3)]
        found = await queue.next_job("first")
        assert found is not None
        assert found[1] == JOB
        assert await queue.next_job("second") is None, "it was asked for once, and is being done"
        await queue.finish(*found, {"sum": 3})
        assert [[answer.content for answer in await one] for one in asked] == [[{"sum": 3}]] * 3
        assert (await queue.wait(JOB))[0].content == {"sum": 3}, "whoever asks later need not wait"

    run(own_redis, test)


def test_whoever_waits_hears_of_progress(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        asked = asyncio.create_task(queue.wait(JOB))
        found = await queue.next_job("first")
        assert found is not None
        assert await queue.latest(JOB.name) == {}
        await queue.report("first", *found, {"progress": 0.5})
        (half,) = await asked
        assert half.content == {"progress": 0.5}
        asked = asyncio.create_task(queue.wait(JOB, half.number))
        await queue.finish(*found, {"progress": 1})
        assert [answer.content for answer in await asked] == [{"progress": 1}]
        assert await queue.latest(JOB.name) == {"progress": 1}
        await queue.forget(JOB.name)
        assert await queue.latest(JOB.name) is None

    run(own_redis, test)


def test_what_a_worker_gives_back_another_one_takes(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        await queue.ask(JOB)
        found = await queue.next_job("first")
        assert found is not None
        await queue.give_back("first", found[0])
        assert await queue.next_job("second") == found
        assert await queue.next_job("third") is None
        await queue.finish(*found, {"sum": 3})

    run(own_redis, test)


def test_the_job_of_a_worker_that_died_is_done_by_one_other(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        await queue.ask(JOB)
        found = await queue.next_job("one that dies")
        assert found is not None
        async with a_queue(own_redis, PATIENT._replace(claimed_after=0.0)) as impatient:
            claimed = await impatient.next_job("second")
        assert claimed == found
        assert await queue.next_job("third") is None, "one of the others does it"
        await queue.finish(*found, {"sum": 3})
        assert await queue.next_job("third") is None

    run(own_redis, test)


def test_if_two_workers_answer_the_first_answer_counts(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        await queue.ask(JOB)
        found = await queue.next_job("first")
        assert found is not None
        await queue.finish(*found, {"sum": 3})
        await queue.finish(*found, {"sum": 4})
        assert (await queue.wait(JOB))[0].content == {"sum": 3}

    run(own_redis, test)


def test_a_redis_that_was_started_again_is_asked_again(own_redis: RedisServer):
    async def test(queue: JobQueue[Sum]) -> None:
        asked = asyncio.create_task(queue.wait(JOB))
        assert await queue.next_job("first") is not None
        client = connect(own_redis.url)
        await client.flushall()  # nothing that it knew is there any more, the group included
        await client.aclose()
        await queue.say_alive()
        found = None
        while found is None:
            found = await queue.next_job("first")
        await queue.finish(*found, {"sum": 3})
        assert [answer.content for answer in await asked] == [{"sum": 3}]

    run(own_redis, test)


def test_without_an_answer_or_without_workers_nobody_waits_for_ever(own_redis: RedisServer):
    async def ask() -> None:
        async with a_queue(own_redis, PATIENT._replace(given_up_after=0.05)) as queue:
            with pytest.raises(NoWorker):
                await queue.wait(JOB)
            await queue.say_alive()
            with pytest.raises(TimeoutError):
                await queue.wait(JOB)

    asyncio.run(ask())


def test_a_bot_that_fails_in_a_worker_is_not_waited_for(own_redis: RedisServer):
    async def ask() -> None:
        queue = BotQueue(own_redis.url)
        await queue.say_alive()
        asked = asyncio.create_task(queue.move(BotJob("table:1:a", "level9", "nonsense")))
        found = await queue.next_job("first")
        assert found is not None
        await queue.finish(*found, {"error": "BadPosition: nonsense"})
        with pytest.raises(JobFailed, match="BadPosition"):
            await asked
        await queue.close()

    asyncio.run(ask())


@pytest.mark.parametrize("timeouts", [bot_queue.TIMEOUTS, review_queue.TIMEOUTS])
def test_another_worker_takes_over_before_anybody_gives_up(timeouts: Timeouts):
    assert timeouts.claimed_after < timeouts.given_up_after < timeouts.kept


def test_a_job_of_a_later_version_is_done_by_an_earlier_one(own_redis: RedisServer):
    """While servers are replaced, jobs may have fields that a worker does not know."""

    class LaterSum(NamedTuple):
        name: str
        numbers: str
        hint: str

    async def test(queue: JobQueue[Sum]) -> None:
        later = JobQueue(own_redis.url, STREAM, LaterSum, PATIENT)
        await later.ask(LaterSum(*JOB, "new"))
        await later.close()
        found = await queue.next_job("first")
        assert found is not None
        assert found[1] == JOB
        await queue.finish(*found, {"sum": 3})

    run(own_redis, test)
