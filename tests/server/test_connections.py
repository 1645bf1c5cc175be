"""TCP connections: half a request holds nothing for long, and nobody can use them all up."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from people import DIRECT, Person, begin
from real_server import PATIENCE, ThreadServer, wait_until

from tilewright.server import app, connections
from tilewright.server.connections import BACKLOG, Connections, GuardedHttp, most_connections
from tilewright.server.quiet_log import OncePerInterval
from tilewright.server.run import SEND_TIMEOUT, listen
from tilewright.server.settings import Settings

HEAD = b"GET /api/games HTTP/1.1\r\nHost: here\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"


@pytest.fixture
def lonely(tmp_path: Path) -> Iterator[ThreadServer]:
    """A server that nobody else talks to."""
    with ThreadServer(app.make_app(tmp_path / "tables.db", Settings(limits=0))) as running:
        yield running


@contextmanager
def line_to(server: ThreadServer, sent: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(sent)
        yield line


def heard(line: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    found = b""
    while data := line.recv(4096):
        found += data
    return found


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b"408"),
        (b"G", b"408"),
        (HEAD, b"408"),
        (POST, b""),
        (POST + b'{"game"', b""),
        (HEAD + b"\r\n" + HEAD, b"200"),
    ],
    ids=["nothing", "a letter", "half a head", "no body", "half a body", "half a second head"],
)
def test_half_a_request_is_given_up(lonely: ThreadServer, monkeypatch: pytest.MonkeyPatch, sent: bytes, answer: bytes):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 0.2)
    with line_to(lonely, sent) as line:
        told = heard(line)
    assert answer in told
    wait_until(lambda: len(lonely.config.connections) == 0, "it should be forgotten")


def test_a_byte_now_and_then_does_not_prolong_the_deadline(lonely: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 0.3)
    with line_to(lonely) as line:
        line.settimeout(0.02)
        told = b""
        for number in range(3000):
            try:
                line.sendall(HEAD[number % len(HEAD) :][:1] or b"x")
                told = line.recv(4096)
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert number < 2999, "the server should hang up"
    assert told in (b"", connections._TOO_SLOW)


def test_requests_that_take_long_to_answer_have_no_deadline(lonely: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 0.2)
    me = Person(lonely.url)
    table = me.open("me", "friend")
    with me.watch(table) as line:
        begin(line)
        assert me.read(table, after=1, wait=1)["event"] == 1
        line.settle()
    me.http.close()


def test_who_hangs_up_while_waiting_for_an_event_waits_no_longer(lonely: ThreadServer):
    me = Person(lonely.url)
    table = me.open("me", "friend")
    tasks = lonely.inside(lambda rooms: len(asyncio.all_tasks()))
    ask = f"GET /api/tables/{table}?after=1&wait=25 HTTP/1.1\r\nHost: here\r\n\r\n".encode()
    with line_to(lonely, ask):
        wait_until(lambda: lonely.inside(lambda rooms: len(asyncio.all_tasks())) > tasks + 1, "somebody should wait")
    wait_until(lambda: lonely.inside(lambda rooms: len(asyncio.all_tasks())) <= tasks, "nobody should wait")
    me.http.close()


def test_connections_of_one_address_leave_room_for_others(lonely: ThreadServer):
    lonely.config.connections = Connections(10, 3)
    idle = [socket.create_connection(("127.0.0.1", lonely.port), PATIENCE) for _ in range(3)]
    wait_until(lambda: len(lonely.config.connections) == 3, "three should be counted")
    with line_to(lonely) as line:
        assert heard(line).startswith(b"HTTP/1.1 503 ")
    with socket.create_connection(("127.0.0.1", lonely.port), PATIENCE, source_address=("127.0.0.2", 0)) as other:
        other.sendall(HEAD + b"Connection: close\r\n\r\n")
        assert heard(other).startswith(b"HTTP/1.1 200 ")
    for one in idle:
        one.close()
    wait_until(lambda: len(lonely.config.connections) == 0, "all should be forgotten")
    with line_to(lonely, HEAD + b"Connection: close\r\n\r\n") as line:
        assert heard(line).startswith(b"HTTP/1.1 200 ")


def test_a_websocket_is_a_connection_until_it_ends(lonely: ThreadServer):
    me = Person(lonely.url)
    table = me.open("me", "friend")
    me.http.close()
    wait_until(lambda: len(lonely.config.connections) == 0, "requests should be over")
    with me.watch(table) as line:
        begin(line)
        assert len(lonely.config.connections) == 1
    wait_until(lambda: len(lonely.config.connections) == 0, "it should be forgotten")


def test_an_upgrade_that_cannot_be_read_is_refused(lonely: ThreadServer):
    """The parser of WebSockets is stricter than that of HTTP, and says nothing when it gives up."""
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nX-Odd: \x7f\r\n\r\n"
    with line_to(lonely, HEAD + upgrade) as line:
        assert heard(line).startswith(b"HTTP/1.1 400 ")
    wait_until(lambda: len(lonely.config.connections) == 0, "it should be forgotten")


def test_behind_a_proxy_all_connections_come_from_one_address():
    class Transport(asyncio.BaseTransport):
        def get_extra_info(self, name: str, default: object = None) -> object:
            return ("127.0.0.1", 1) if name == "peername" else default

    proxied, direct = Connections(10, None), Connections(10, 4)
    for known, most in ((proxied, 10), (direct, 4)):
        assert [known.admit(Transport()) for _ in range(12)].count(True) == most


@pytest.mark.parametrize("files", [256, 1024, 4096, 65_536])
def test_the_connections_leave_files_for_everything_else(files: int):
    most = most_connections(files)
    assert files // 4 <= most < files
    assert files < 1024 or most + 2 * BACKLOG < files


def test_accepted_connections_send_at_once_and_give_up_on_clients_that_do_not_read(lonely: ThreadServer):
    """Without TCP_NODELAY every response on a connection that is kept alive would take 40 ms longer."""

    def options(_: object) -> list[tuple[int, int]]:
        transports = [one.transport for one in lonely._server.server_state.connections if isinstance(one, GuardedHttp)]
        return [
            tuple(
                transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_NODELAY, socket.TCP_USER_TIMEOUT)
            )
            for transport in transports
        ]

    with httpx.Client(base_url=lonely.url, **DIRECT) as client:
        assert client.get("/api/games").status_code == 200
        assert lonely.inside(options) == [(1, SEND_TIMEOUT * 1000)]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_listening_socket_names_its_protocol(host: str):
    try:
        listener = listen(host, 0)
    except Exception as error:
        pytest.skip(f"this machine has no {host}: {error}")
    with listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_the_server_raises_its_limit_of_open_files():
    resource = pytest.importorskip("resource")
    code = (
        "import resource; from tilewright.server.connections import raise_file_limit;"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard));"
        "print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = connections.FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, connections.FILES_WANTED)
    assert found.stdout.split() == [str(most), str(most)]


def test_a_log_is_not_filled_by_what_repeats(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr("tilewright.server.quiet_log.time.monotonic", lambda: now[0])
    log = logging.getLogger("tests.flooded")
    log.addFilter(OncePerInterval(10.0))

    def complain(about: int) -> None:
        log.error("no file for connection %d", about)

    with caplog.at_level(logging.ERROR):
        for number in range(10_000):
            complain(number)
        log.error("something else")
        now[0] = 10.0
        complain(10_000)
        complain(10_001)
    assert [record.getMessage() for record in caplog.records] == [
        "no file for connection 0",
        "something else",
        "no file for connection 10000 (9999 more like this since the last one)",
    ]
