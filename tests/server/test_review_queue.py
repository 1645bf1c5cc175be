"""Reviews are made by workers when no bot has to think; every server knows how far they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from people import Person
from real_server import ThreadServer, wait_until
from services import PostgresServer, RedisServer

import tilewright as tw
from tilewright.server import app
from tilewright.server.bot_queue import BotQueue
from tilewright.server.end_task import end_task
from tilewright.server.job_queue import GROUP, connect
from tilewright.server.review_chores import ReviewChores
from tilewright.server.review_queue import STREAM, ReviewJob, ReviewQueue
from tilewright.server.reviewer import Reviewer
from tilewright.server.settings import Settings
from tilewright.server.store import Store

BUDGET = "30"
MakeServer = Callable[[], ThreadServer]


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture
def people(database: str, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Person, Person]]:
    """The same person at two servers."""
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    settings = Settings(thinking=0.0, limits=0, redis=own_redis.url, review_budget=BUDGET)
    with ExitStack() as running:
        servers = [running.enter_context(ThreadServer(app.make_app(database, settings))) for _ in range(2)]
        me = running.enter_context(Person(servers[0].url))
        me.open("me", "friend")
        yield me, running.enter_context(Person(servers[1].url, me.key))


def do_one_review(redis: RedisServer) -> None:
    """What a worker does, until the queue is empty."""

    async def work() -> None:
        bots_rest, queue = asyncio.Event(), connect(redis.url)
        bots_rest.set()
        working = asyncio.create_task(ReviewChores(redis.url, "a worker", bots_rest).run())
        while not working.done() and await queue.xlen(STREAM):
            await asyncio.sleep(0.05)
        await end_task(working)
        await queue.aclose()

    asyncio.run(work())


def test_a_worker_that_gets_no_sense_out_of_a_review_says_so_and_goes_on(
    own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    async def nonsense(*_: object) -> AsyncIterator[dict[str, Any]]:
        json.loads("printed by a game")
        yield {}

    async def work() -> list[dict[str, Any]]:
        queue, asked = ReviewQueue(own_redis.url), [ReviewJob.of(record, None) for record in ("one", "another")]
        await queue.say_alive()
        for job in asked:
            await queue.ask(job)
        await asyncio.to_thread(do_one_review, own_redis)
        found = [await queue.latest(job.name) or {} for job in asked]
        await queue.close()
        return found

    monkeypatch.setattr(Reviewer, "review", nonsense)
    assert ["JSONDecodeError" in answer["error"] for answer in asyncio.run(work())] == [True, True]


def test_a_worker_makes_a_review_that_every_server_knows_of(
    people: tuple[Person, Person], own_redis: RedisServer, database: str
):
    me, there = people
    table = me.open("me", "friend", game="azul-mini")
    me.play_out(table)
    asyncio.run(say_alive(own_redis))
    assert me.post(f"/api/reviews/{table}").json()["progress"] == 0
    wait_until(lambda: length(own_redis) == 1, "the job should be in the queue")
    assert there.get(f"/api/reviews/{table}").json()["progress"] == 0, "the other server knows that it was asked for"
    assert there.post(f"/api/reviews/{table}").json()["progress"] == 0
    assert length(own_redis) == 1, "the same review is asked for once"
    do_one_review(own_redis)

    def complete(person: Person) -> bool:
        return bool(person.get(f"/api/reviews/{table}").json()["progress"] == 1)

    wait_until(lambda: complete(me) and complete(there), "both should have it")

    def is_stored() -> bool:
        store = Store(database)
        try:
            return json.loads(store.review(table) or "{}").get("progress") == 1
        finally:
            store.close()

    wait_until(is_stored, "a server stores it")


async def say_alive(redis: RedisServer) -> None:
    queue = BotQueue(redis.url)
    await queue.say_alive()
    await queue.close()


def length(redis: RedisServer, stream: str = STREAM) -> int:
    async def ask() -> int:
        client = connect(redis.url)
        try:
            return int(await client.xlen(stream))
        finally:
            await client.aclose()

    return asyncio.run(ask())


def job() -> ReviewJob:
    position = tw.AzulMini(2).start(seed=3)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    return ReviewJob.of(position.record().to_text(), BUDGET)


def test_a_review_is_not_begun_while_a_bot_thinks(own_redis: RedisServer):
    async def work() -> None:
        queue, bots, client = ReviewQueue(own_redis.url), BotQueue(own_redis.url), connect(own_redis.url)
        bots_rest = asyncio.Event()
        await queue.say_alive()
        await queue.ask(job())
        working = asyncio.create_task(ReviewChores(own_redis.url, "a worker", bots_rest).run())
        assert await bots.next_job("a worker") is None, "which takes as long as a read of a queue"
        assert await client.xinfo_groups(STREAM) == [], "nobody has read the queue of reviews"
        bots_rest.set()
        assert (await queue.wait(job()))[0].content["record"]
        await end_task(working)
        assert (await client.xpending(STREAM, GROUP))["pending"] == await client.xlen(STREAM), "another may complete it"
        await asyncio.gather(queue.close(), bots.close(), client.aclose())

    asyncio.run(work())


def test_a_worker_goes_on_where_another_one_ended(own_redis: RedisServer):
    reviews = tw.review_live(tw.read_record(job().record), budget=BUDGET)
    half = next(review for review in reviews if review.progress > 0.5).to_dict()
    half["moves"][0]["loss"] = 0.25  # as no search would find it again

    async def begin() -> None:
        queue = ReviewQueue(own_redis.url)
        await queue.say_alive()
        await queue.ask(job())
        found = await queue.next_job("one that ends")
        assert found is not None
        await queue.report("one that ends", *found, half)
        await queue.give_back("one that ends", found[0])
        await queue.close()

    asyncio.run(begin())
    do_one_review(own_redis)
    whole = answer_to(own_redis, job())
    assert isinstance(whole, dict)
    assert whole["progress"] == 1
    assert whole["moves"][0]["loss"] == 0.25


def answer_to(redis: RedisServer, asked: ReviewJob) -> object:
    """The last answer to a job."""

    async def read() -> object:
        queue = ReviewQueue(redis.url)
        found = await queue.latest(asked.name)
        await queue.close()
        return found

    return asyncio.run(read())


def test_a_record_that_cannot_be_reviewed_is_not_tried_again(own_redis: RedisServer):
    async def ask() -> ReviewJob:
        queue, broken = ReviewQueue(own_redis.url), ReviewJob.of("nonsense", BUDGET)
        await queue.say_alive()
        await queue.ask(broken)
        await queue.close()
        return broken

    broken = asyncio.run(ask())
    do_one_review(own_redis)

    told = answer_to(own_redis, broken)
    assert isinstance(told, dict)
    assert "error" in told
