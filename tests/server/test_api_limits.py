"""The interface for programs: floods are stemmed, and hit nobody else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from people import Person, refused, table_request
from real_server import ThreadServer
from starlette.routing import Route

from tilewright.server import gate, limits
from tilewright.server.errors import TooManyRequests
from tilewright.server.gate import Metering
from tilewright.server.limits import Limits, Rate

pytestmark = pytest.mark.usefixtures("unhurt")


GENEROUS = Rate(1e6, 1e6)


def strict_limits(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch, key: Rate = GENEROUS, address: Rate = GENEROUS
) -> None:
    monkeypatch.setattr(limits, "KEY_BUDGET", key)
    monkeypatch.setattr(limits, "ADDRESS_BUDGET", address)
    monkeypatch.setattr(gate, "PAUSE", 0.0)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())


def three(kind: str) -> Rate:
    """A budget for three requests of a kind, and nothing more for a long time."""
    return Rate(3.5 * limits.PRICES[kind], 0.001)


def test_a_flood_of_new_tables_is_stemmed(server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "NEW_TABLES", Rate(3, 0.001))
    strict_limits(server, monkeypatch)
    answers = [me.post("/api/tables", table_request()) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    refused(answers[-1], 429, "too many tables")
    assert me.post("/learn/azul/first-game").status_code == 429, "a first game is a table, too"


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("moves", "POST", "/api/tables/{table}/moves"),
        ("reads", "GET", "/api/tables/{table}"),
        ("reads", "GET", "/api/tables/{table}?after=0&wait=1"),
        ("views", "GET", "/api/tables/{table}/view"),
        ("views", "GET", "/api/tables/{table}/record"),
        ("replays", "GET", "/api/tables/{table}/events"),
        ("lists", "GET", "/api/tables"),
        ("profiles", "GET", "/api/person/profile"),
        ("files", "GET", "/api/games"),
    ],
)
def test_a_flood_of_one_key_is_stemmed_and_hits_nobody_else(
    server: ThreadServer,
    me: Person,
    stranger: Person,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    method: str,
    path: str,
):
    table = me.open("me", "friend")
    strict_limits(server, monkeypatch, key=three(kind))

    def ask(person: Person) -> httpx.Response:
        return (
            person.post(path.format(table=table), {"move": "x"})
            if method == "POST"
            else person.get(path.format(table=table))
        )

    answers = [ask(me) for _ in range(5)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, False, True, True]
    refused(answers[-1], 429, "wait a moment")
    assert answers[-1].json()["code"] == "too_many_requests"
    assert answers[-1].headers["retry-after"] == "1"
    assert ask(stranger).status_code != 429


@pytest.mark.parametrize("path", ["/", "/learn", "/t/{table}", "/nothing", "/picture/azul.svg", "/static/table.js"])
def test_who_changes_keys_meets_the_limit_of_the_address(
    server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch, path: str
):
    path = path.format(table=me.open("me", "friend"))
    kind = gate.kind_of("GET", path) or gate.ELSEWHERE
    strict_limits(server, monkeypatch, address=three(kind))
    found = []
    for n in range(5):
        me.key = f"a key that is long enough {n}"
        found.append(me.get(path).status_code == 429)
    assert found == [False, False, False, True, True]


def test_every_route_has_a_price(server: ThreadServer):
    """A route that was forgotten would have the price of a page, whatever it costs."""
    checked = 0
    for route in every_route(server.app):
        path = re.sub(r"{[^}]+}", "x", route.path)
        for method in (route.methods or set()) - {"HEAD"}:
            kind = gate.kind_of(method, path)
            assert kind in limits.PRICES, f"{method} {route.path}"
            checked += 1
    assert checked > 20


def every_route(app: FastAPI) -> Iterator[Route]:
    for route in app.routes:
        inner = getattr(getattr(route, "original_router", route), "routes", None)
        yield from (one for one in inner or [route] if isinstance(one, Route))


def test_a_program_that_plays_ten_moves_a_second_is_not_hit(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    usual = limits.Buckets(limits.KEY_BUDGET)
    for _ in range(6000):
        now[0] += 0.1
        assert usual.take("me", limits.PRICES["moves"])
        assert usual.take("me", limits.PRICES["reads"])
    flood = [usual.take("flood", limits.PRICES["moves"]) for _ in range(1000)]
    assert flood.count(True) == limits.KEY_BUDGET.burst // limits.PRICES["moves"]


def test_a_class_that_comes_at_once_fits_the_limits_of_one_address():
    """Thirty people behind one address open a table: a page, its files, the drawings and a socket each."""
    budget = limits.Buckets(limits.ADDRESS_BUDGET)
    prices = limits.PRICES
    visit = prices["pages"] + 40 * prices["files"] + prices["views"] + prices["sockets"]
    assert all(budget.take("127.0.0.1", visit) for _ in range(30))


@pytest.mark.parametrize(
    ("host", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(host: str, counts_as: str):
    assert limits.network_of(host) == counts_as


def test_an_address_has_few_requests_in_progress_and_the_others_wait_in_line():
    async def flood() -> tuple[int, int, list[str]]:
        strict, running, most, log = Limits(), 0, 0, []
        here, elsewhere = "192.0.2.1", "192.0.2.2"
        proceed = asyncio.Event()

        async def request() -> None:
            nonlocal running, most
            async with strict.turn(here):
                running += 1
                most = max(most, running)
                await proceed.wait()
                running -= 1

        tasks = [asyncio.create_task(request()) for _ in range(limits.LONGEST_LINE)]
        await asyncio.sleep(0)
        async with strict.turn(elsewhere):
            log.append("a stranger is served")
        with pytest.raises(TooManyRequests):
            async with strict.turn(here):
                pass
        proceed.set()
        await asyncio.gather(*tasks)
        async with strict.turn(here):
            log.append("the line is empty")
        await asyncio.sleep(0)
        return most, len(strict._lines), log

    assert asyncio.run(flood()) == (limits.REQUESTS_AT_ONCE, 0, ["a stranger is served", "the line is empty"])


def test_a_line_of_requests_that_never_wait_lets_a_stranger_in_between():
    """Such a request runs to its end within one round of the event loop; the next ones must not follow in the same."""

    async def flood() -> list[str]:
        strict = Limits()
        served: list[str] = []
        flooding, stranger = "192.0.2.1", "192.0.2.2"

        async def request(who: str, address: str) -> None:
            async with strict.turn(address):
                served.append(who)

        tasks = [asyncio.create_task(request("flood", flooding)) for _ in range(100)]
        asyncio.get_running_loop().call_soon(lambda: tasks.append(asyncio.create_task(request("stranger", stranger))))
        while len(served) < 101:
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        return served

    assert asyncio.run(flood()).index("stranger") <= 2 * limits.REQUESTS_AT_ONCE


def test_quiet_ones_are_forgotten_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_KNOWN", 3)
    buckets = limits.Buckets(Rate(1, 0.0))
    assert buckets.take("flood")
    for n in range(10):
        buckets.take(f"other {n}")
        assert not buckets.take("flood")
    assert len(buckets._buckets) == 3


@pytest.mark.parametrize(
    ("path", "waits"),
    [
        ("/api/tables/x?after=0&wait=1", True),
        ("/api/tables/x?after=0&wait=0.5", True),
        ("/api/tables/x?after=0&wait=0", False),
        ("/api/tables/x?wait=1", False),
        ("/api/tables/x?after=0&wait=soon", False),
        ("/api/puzzles?after=0&wait=1", False),
    ],
)
def test_only_a_request_that_waits_for_an_event_is_worked_on_outside_its_turn(path: str, waits: bool):
    async def ask() -> int:
        strict, at_work = Limits(), []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            at_work.append(scope)
            await asyncio.Event().wait()

        where, _, query = path.partition("?")
        state = SimpleNamespace(state=SimpleNamespace(limits=strict))
        scope = {
            "type": "http",
            "method": "GET",
            "path": where,
            "query_string": query.encode(),
            "headers": [],
            "client": ("192.0.2.1", 1),
            "app": state,
        }
        tasks = [asyncio.create_task(Metering(app)(scope, None, None)) for _ in range(2 * limits.REQUESTS_AT_ONCE)]
        for _ in range(50):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return len(at_work)

    assert asyncio.run(ask()) == (2 if waits else 1) * limits.REQUESTS_AT_ONCE
