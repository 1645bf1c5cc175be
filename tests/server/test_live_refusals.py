"""The live stream: nobody can hurt the others, whatever they send or do not read."""

from __future__ import annotations

import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from people import Person, begin, events
from real_server import ThreadServer, room_of, viewers, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tilewright.server import limits, viewer
from tilewright.server.limits import Limits, Rate

pytestmark = pytest.mark.usefixtures("deserted")


@pytest.mark.parametrize(
    "message",
    [
        "",
        "x",
        "[]",
        "1",
        "null",
        "{}",
        '{"type": 1}',
        '{"type": "nothing"}',
        '{"type": "move"}',
        '{"type": "move", "move": null, "after": 1}',
        '{"type": "move", "move": true, "after": 1}',
        '{"type": "move", "move": 0}',
        '{"type": "move", "move": 0, "after": "1"}',
        '{"type": "move", "move": 1e9, "after": 1}',
        '{"type": "move", "move": -1, "after": 1}',
        '{"type": "move", "move": 999999, "after": 1}',
        '{"type": "move", "move": "nonsense", "after": 1}',
        '{"type": "move", "move": "\\ud800", "after": 1}',
        '{"type": "preview", "move": -1}',
        '{"type": "preview", "move": "x"}',
        '{"type": "replace"}',
        '{"type": "replace", "seat": 0}',
        '{"type": "answer"}',
        '{"type": "answer", "kind": ["takeback"], "yes": 1}',
        "[" * 4000,
        '{"type": "move", "move": ' + "9" * 4000 + "}",
        "x" * 10_000,
        b"\x00\xff binary",
        b'{"type": "ping"}',
    ],
    ids=lambda message: repr(message[:40]),
)
def test_malformed_messages_get_a_clear_answer(me: Person, table: str, message: str | bytes):
    before = me.read(table)
    with me.watch(table) as line:
        line.socket.send(message)
        assert line.hear("error")["error"]
        line.settle()
    assert {**me.read(table), "seats": before["seats"]} == before


def test_a_giant_message_ends_the_connection_and_nothing_else(me: Person, friend: Person, table: str):
    with me.watch(table) as line, friend.watch(table) as theirs:
        line.socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            line.hear("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        theirs.settle()
    assert me.read(table)["event"] == 1


def test_the_wrong_seat_and_stale_moves_are_refused(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        move = begin(mine)["legal"][0]
        assert "Ada’s turn" in theirs.move(move, 1)["error"]
        assert "no seat at this table" in watched.move(move, 1)["error"]
        assert "event 0" in mine.move(move, 0)["error"]
        assert events(watched.settle()) == []
        assert "event" in mine.move(move, 1)
        assert "Bob’s turn" in mine.move(move, 2)["error"]
    assert me.read(table)["event"] == 2


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1"])
def test_foreign_pages_cannot_connect(me: Person, table: str, origin: str):
    with pytest.raises(InvalidStatus) as refused, me.watch(table, Origin=origin):
        pass
    assert refused.value.response.status_code == 403
    with me.watch(table, Origin=me.url) as line:
        begin(line)


def test_a_table_that_is_not_there(me: Person):
    for table in ("0" * 20, "x", "0" * 200):
        with me.watch(table) as line:
            assert "no such table" in line.hear("error")["error"]
            with pytest.raises(ConnectionClosed):
                line.hear("state")


def test_a_flood_of_messages_is_stemmed(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "MESSAGES", Rate(limits.MESSAGES.burst, 0.001))
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    with me.watch(table) as flood, friend.watch(table) as theirs:
        for _ in range(int(limits.MESSAGES.burst) + 1):
            flood.send("ping")
        assert "too many" in flood.hear("error")["error"]
        theirs.settle()
        assert sum(message["type"] == "pong" for message in flood.heard) == limits.MESSAGES.burst


def test_a_flood_of_connections_is_stemmed(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "KEY_BUDGET", Rate(2 * limits.PRICES["sockets"] + 1, 0.001))
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    for _ in range(2):
        with me.watch(table) as line:
            begin(line)
    with me.watch(table) as line:
        assert line.hear("error")["code"] == "too_many_requests"
        with pytest.raises(ConnectionClosed) as closed:
            line.hear("state")
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, "Too many requests; wait a moment.")
    with friend.watch(table) as line:
        begin(line)


def test_a_key_that_can_be_guessed_is_refused(me: Person, table: str):
    guessed = Person(me.url, "1234")
    with guessed.watch(table) as line:
        assert line.hear("error")["code"] == "short_key"
    guessed.http.close()


@contextmanager
def sleeper(port: int, person: Person, table: str) -> Iterator[None]:
    """Somebody who connects and then reads nothing."""
    request = (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {person.key}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}\r\n\r\n"
    )
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", port))
        raw.sendall(request.encode())
        assert b"101" in raw.recv(100)
        yield


def test_who_does_not_read_is_cut_off_and_blocks_nobody(server: ThreadServer, me: Person, friend: Person, table: str):
    with sleeper(server.port, friend, table), me.watch(table) as mine:
        begin(mine)
        wait_until(lambda: server.inside(viewers) == 2, "both should be there")
        told = 0
        while server.inside(viewers) == 2:
            server.inside(lambda live: room_of(live, table).broadcast_state())
            told += 1
            mine.hear("state")
            assert told < 5000, "somebody who reads nothing should be cut off"
        assert told > viewer.QUEUE_LENGTH
        assert mine.move(me.read(table)["legal"][0]["number"], 1)["event"] == 2
    with friend.watch(table, after=1) as line:
        assert begin(line)["event"] == 2


def test_who_hangs_up_in_the_middle_of_a_move_has_moved(me: Person, table: str, server: ThreadServer):
    with me.watch(table) as line:
        line.send("move", move=begin(line)["legal"][0], after=1)
        line.socket.socket.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: me.read(table)["event"] == 2, "the move should be played")
    before = me.read(table)
    server.inside(lambda live: live._rooms.pop(table))
    after = {**me.read(table), "seats": before["seats"]}
    assert after == before, "what is on the disk is what everybody sees"
