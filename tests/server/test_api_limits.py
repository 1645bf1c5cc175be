"""The interface for programs: floods are stemmed, and hit nobody else."""

from __future__ import annotations

import httpx
import pytest
from people import Person, refused, table_request
from real_server import ThreadServer

from tilewright.server import limits
from tilewright.server.limits import Allowed, Limits, Rate

pytestmark = pytest.mark.usefixtures("unhurt")


def strict_limits(server: ThreadServer, monkeypatch: pytest.MonkeyPatch, kind: str, allowed: Allowed) -> None:
    monkeypatch.setitem(limits.KINDS, kind, allowed)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())


SLOWLY, GENEROUS = Rate(3, 0.001), Rate(1e6, 1e6)


def test_a_flood_of_new_tables_is_stemmed(server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch):
    strict_limits(server, monkeypatch, "tables", Allowed(None, SLOWLY))
    answers = [me.post("/api/tables", table_request()) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    refused(answers[-1], 429, "too many tables")


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("moves", "POST", "/api/tables/{table}/moves"),
        ("reads", "GET", "/api/tables/{table}"),
        ("views", "GET", "/api/tables/{table}/view"),
        ("replays", "GET", "/api/tables/{table}/events"),
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
    strict_limits(server, monkeypatch, kind, Allowed(SLOWLY, GENEROUS))

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


def test_who_changes_keys_meets_the_limit_of_the_address(
    server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "friend")
    strict_limits(server, monkeypatch, "views", Allowed(GENEROUS, SLOWLY))
    found = []
    for n in range(5):
        me.key = f"a key that is long enough {n}"
        found.append(me.get(f"/api/tables/{table}/view").status_code)
    assert found == [200, 200, 200, 429, 429]


def test_a_program_that_plays_ten_moves_a_second_is_not_hit(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    usual = {kind: limits.Buckets(allowed.key) for kind, allowed in limits.KINDS.items() if allowed.key}
    for _ in range(6000):
        now[0] += 0.1
        assert usual["moves"].take("me")
        assert usual["reads"].take("me")
    assert [usual["moves"].take("flood") for _ in range(100)].count(True) == limits.KINDS["moves"].key.burst


def test_the_load_of_a_benchmark_fits_the_limits_of_one_address():
    sockets = limits.Buckets(limits.KINDS["sockets"].address)
    assert all(sockets.take("127.0.0.1") for _ in range(600)), "600 sockets at once"
    moves = limits.Buckets(limits.KINDS["moves"].address)
    assert all(moves.take("127.0.0.1") for _ in range(300)), "300 games, a move a second each"


def test_quiet_ones_are_forgotten_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_KNOWN", 3)
    buckets = limits.Buckets(Rate(1, 0.0))
    assert buckets.take("flood")
    for n in range(10):
        buckets.take(f"other {n}")
        assert not buckets.take("flood")
    assert len(buckets._buckets) == 3
