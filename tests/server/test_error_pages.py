"""Errors: people get a page, programs JSON, and both come with the security headers."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest
from people import PATIENCE, Person
from real_server import ThreadServer

from tilewright.server.gate import LARGEST_BODY
from tilewright.server.limits import Limits, Rate
from tilewright.server.web import SECURITY_HEADERS

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def check(answer: httpx.Response, status: int, *, page: bool, words: str) -> None:
    assert answer.status_code == status
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    if page:
        assert answer.headers["content-type"].startswith("text/html")
        assert words in answer.text
    else:
        assert words in answer.json()["said"]
        assert set(answer.json()) == {"error", "code", "said"}


@pytest.fixture
def broken(server: ThreadServer, monkeypatch: pytest.MonkeyPatch, me: Person) -> str:
    """A table that cannot be read."""
    table = me.open("me", "friend")

    async def fail(table_id: str) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(server.app.state.rooms, "get", fail)
    return table


@pytest.mark.parametrize(
    ("path", "headers", "page"),
    [
        ("/t/{table}", {}, True),
        ("/t/{table}", BROWSER, True),
        ("/api/tables/{table}", {}, False),
        ("/api/tables/{table}/record", BROWSER, True),
    ],
)
def test_our_own_mistakes(me: Person, broken: str, path: str, headers: dict[str, str], page: bool):
    check(
        me.get(path.format(table=broken), headers=headers), 500, page=page, words="Something went wrong on the server"
    )


def test_only_to_whoever_changes_a_game_it_is_said_that_it_has_not_changed(me: Person, broken: str):
    calls = [("GET", ""), ("GET", "/record"), ("POST", "/leave"), ("POST", "/rematch")]
    codes = []
    for method, call in calls:
        with Person(me.url, me.key) as again:  # the server closes a connection after an error
            codes.append(again.http.request(method, f"/api/tables/{broken}{call}").json()["code"])
    assert codes == ["server_error", "server_error", "our_fault", "our_fault"]


@pytest.mark.parametrize(
    ("path", "headers", "page"),
    [("/learn/azul/first-game", BROWSER, True), ("/api/tables", {}, False), ("/api/tables", BROWSER, True)],
)
def test_bodies_that_are_too_large(me: Person, path: str, headers: dict[str, str], page: bool):
    large = b" " * (LARGEST_BODY + 1)

    def in_pieces() -> Iterator[bytes]:
        yield large[:5000]
        yield large[5000:]

    for body in (large, in_pieces()):
        answer = me.http.post(path, content=body, headers={"Content-Type": "application/json", **headers})
        check(answer, 413, page=page, words="The request is too large")


def test_a_body_in_pieces_is_read_as_a_whole(me: Person):
    body = b'{"seats": [{"kind": "me"}, {"kind": "friend"}]}'

    def in_pieces() -> Iterator[bytes]:
        yield body[:10]
        yield body[10:]

    answer = me.http.post("/api/tables", content=in_pieces(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(("path", "page"), [("/", True), ("/api/games", False)])
def test_too_many_requests(server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch, path: str, page: bool):
    monkeypatch.setattr("tilewright.server.limits.ADDRESS_BUDGET", Rate(0.0, 0.0))
    monkeypatch.setattr("tilewright.server.gate.PAUSE", 0.0)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    answer = me.get(path)
    check(answer, 429, page=page, words="Too many requests; wait a moment")
    assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://]", "//"])
def test_a_malformed_origin_is_foreign(me: Person, server: ThreadServer, origin: str):
    table = me.open("me", "friend")
    answer = me.post(f"/api/tables/{table}/moves", {"move": "x"}, headers={"Origin": origin})
    check(answer, 403, page=False, words="other sites")
    assert me.get("/", headers={"Origin": origin}).status_code == 200
    ask = (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: here\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(ask.encode())
        assert line.recv(100).startswith(b"HTTP/1.1 403 ")
