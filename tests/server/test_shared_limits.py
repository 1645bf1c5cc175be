"""What one process knows of a visitor, the others know too: budgets, live connections and the tables they opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
import redis as redis_client
from people import people_at
from real_server import ThreadServer, wait_until
from services import PostgresServer, RedisServer

from tilewright.server import app, shared_limits
from tilewright.server.limits import ADDRESS_BUDGET, Bucket, Buckets, Limits, Rate
from tilewright.server.settings import Settings
from tilewright.server.store import Store

GREEDY = "192.0.2.1"
MakeServer = Callable[[], ThreadServer]


@pytest.fixture(params=["redis", "postgresql"])
def make_server(
    request: pytest.FixtureRequest, postgres: PostgresServer, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MakeServer]:
    """Makes servers on one database that have Redis between them, or only PostgreSQL."""
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    monkeypatch.setattr(shared_limits, "SOCKETS_TOLD_EVERY", 0.0)
    settings = Settings(thinking=0.0, redis=redis.url if request.param == "redis" else None)
    url = postgres.new_database()
    with ExitStack() as running:
        yield lambda: running.enter_context(ThreadServer(app.make_app(url, settings)))


def state(server: ThreadServer) -> Any:
    return server.app.state


def level(server: ThreadServer) -> float:
    """What the greedy visitor may still use at a server."""
    limits: Limits = state(server).limits
    return server.inside(lambda _: limits.budgets["addresses"]._bucket(GREEDY)._level)


def test_what_was_spent_at_one_process_is_missing_at_the_others(make_server: MakeServer):
    first, second = make_server(), make_server()
    most = ADDRESS_BUDGET.burst
    assert level(second) == most
    assert first.inside(lambda _: state(first).limits.budgets["addresses"].take(GREEDY, most - 1))
    wait_until(lambda: level(second) <= 1, "the other process should hear of it")
    assert level(first) <= 1


def test_no_budget_is_kept_from_the_other_processes():
    limits = Limits()
    budgets = {name.removeprefix("_") for name, one in vars(limits).items() if isinstance(one, Buckets)}
    assert set(limits.budgets) == budgets


def test_live_connections_count_wherever_they_are(make_server: MakeServer, monkeypatch: pytest.MonkeyPatch):
    first, second = make_server(), make_server()
    state(first).limits._sockets[GREEDY] = shared_limits.LEAST_SOCKETS
    wait_until(
        lambda: second.inside(lambda _: state(second).limits._sockets_of(GREEDY)) == shared_limits.LEAST_SOCKETS,
        "the other process should hear of them",
    )


def open_table(server: ThreadServer) -> str:
    with people_at(server.url) as person:
        return person().open("me", "open")


def knows_opener(server: ThreadServer, table: str) -> bool:
    return server.inside(lambda _: dict(state(server).lobby.newest()).get(table)) == "127.0.0.1"


def test_every_process_knows_where_tables_were_opened_even_a_new_one(make_server: MakeServer):
    first, second = make_server(), make_server()
    table = open_table(first)
    wait_until(lambda: knows_opener(first, table) and knows_opener(second, table), "both should know")
    third = make_server()
    wait_until(lambda: knows_opener(third, table), "a process that starts later asks")


def test_a_process_that_missed_where_tables_were_opened_asks_when_it_hears_the_others_again(
    make_server: MakeServer, redis: RedisServer
):
    first, second = make_server(), make_server()
    table = open_table(first)
    wait_until(lambda: knows_opener(second, table), "the other process should hear of it")
    second.inside(lambda _: state(second).lobby._addresses.clear())
    cut_off_listeners(first.app.state.rooms._store, redis)
    wait_until(lambda: knows_opener(second, table), "whoever was cut off asks")


def cut_off_listeners(store: Store, redis: RedisServer) -> None:
    """End the connections over which the processes hear each other."""
    store.database.read("select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen tilewright'")
    with closing(redis_client.Redis.from_url(redis.url)) as client:
        client.client_kill_filter(_type="pubsub")


def test_at_most_another_burst_is_owed():
    bucket = Bucket(Rate(10, 0))
    bucket.pour_out(1000)
    assert bucket._level == -10
    assert not bucket.take()
