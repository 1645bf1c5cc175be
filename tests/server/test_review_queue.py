"""Reviews are made by workers when no bot has to think; every server knows how far they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from people import Person
from real_server import ThreadServer, wait_until
from services import PostgresServer, RedisServer, redis_server

import tilewright as tw
from tilewright.server import app
from tilewright.server.bot_queue import GROUP, STREAM, BotQueue, connect
from tilewright.server.review_chores import ReviewChores
from tilewright.server.review_queue import REVIEWS, ReviewJob, ReviewQueue
from tilewright.server.settings import Settings
from tilewright.server.store import Store

BUDGET = "30"
MakeServer = Callable[[], ThreadServer]


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


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
        chores, queue = ReviewChores(redis.url, "a worker"), connect(redis.url)
        working = asyncio.create_task(chores.run())
        while await queue.xlen(REVIEWS):
            await asyncio.sleep(0.05)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await queue.aclose()

    asyncio.run(work())


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


def length(redis: RedisServer, stream: str = REVIEWS) -> int:
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


def test_bots_go_first_and_what_one_worker_leaves_another_takes(own_redis: RedisServer):
    async def work() -> None:
        queue, client = ReviewQueue(own_redis.url), connect(own_redis.url)
        await say_alive(own_redis)
        assert await queue.ask(job())
        entry = await client.xadd(STREAM, {"name": "a"})
        assert await queue.next_job("first") is None, "a bot has to think"
        await client.xdel(STREAM, entry)
        found = await queue.next_job("first")
        assert found is not None
        assert await queue.next_job("second") is None, "it is being done"
        await queue.progress("first", *found, {"progress": 0.5})
        assert await queue.latest(job().name) == {"progress": 0.5}
        await queue.give_back("first", found[0])
        assert await queue.next_job("second") == found
        await queue.done(found[0])
        assert (await client.xpending(REVIEWS, GROUP))["pending"] == 0
        await queue.close()
        await client.aclose()

    asyncio.run(work())


def test_a_record_that_cannot_be_reviewed_is_not_tried_again(own_redis: RedisServer):
    async def ask() -> ReviewJob:
        queue, broken = ReviewQueue(own_redis.url), ReviewJob.of("nonsense", BUDGET)
        await say_alive(own_redis)
        assert await queue.ask(broken)
        await queue.close()
        return broken

    broken = asyncio.run(ask())
    do_one_review(own_redis)

    async def answer() -> object:
        queue = ReviewQueue(own_redis.url)
        found = await queue.latest(broken.name)
        await queue.close()
        return found

    told = asyncio.run(answer())
    assert isinstance(told, dict)
    assert "error" in told
