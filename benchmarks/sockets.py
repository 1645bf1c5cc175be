"""What idle live connections cost a stranger: how long a GET takes beside thousands of open WebSockets.

``python benchmarks/sockets.py`` starts a server, times a page without any socket, opens 5,000 of them, times the same
page while they enter, while they are idle and while they leave, and prints the times with their ratio to the first.
A second process holds the sockets. They come from many loopback addresses, as visitors do, so that no limit of one
address stops them; that needs Linux, where all of 127.0.0.0/8 belongs to the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from load import prepare, server
from players import cpu_seconds

PER_TABLE, PER_ADDRESS = 100, 100
AT_ONCE = 50
"""How many sockets are being opened at the same time."""
ALONE, SETTLING, IDLE = 5.0, 2.0, 22.0
"""Seconds of measuring alone, of waiting when all sockets are open, and of measuring then: once round all the pings."""
PAUSE = 0.05
"""Seconds between two GETs."""
SPARE_FILES = 200
BUSY = 0.03
"""Processor time in a second above which a server is not idle."""
KEY = b64encode(bytes(16)).decode()
PING, PONG = b"\x89", b"\x8a\x84\x00\x00\x00\x00"
"""The server's keep-alive and its answer, which a client masks; a mask of zeros changes nothing."""


@dataclass
class Figures:
    """What was measured; times of a GET in milliseconds."""

    sockets: int
    tables: int
    refused: int
    seconds_to_enter: float
    messages_heard: int
    alone_median: float
    alone_worst: float
    entering_worst: float
    idle_median: float
    idle_p95: float
    idle_worst: float
    leaving_worst: float
    idle_ratio: float
    """The median beside the idle sockets, as a multiple of the median without any."""
    server_seconds: float
    """Processor time that the server spent on all of it."""


def frame_size(data: bytes) -> int | None:
    """How many bytes the first frame has; None if that cannot be known yet."""
    extra = {126: 2, 127: 8}.get(data[1] & 127, 0) if len(data) > 1 else 0
    if len(data) < 2 + extra:
        return None
    return 2 + extra + (int.from_bytes(data[2 : 2 + extra], "big") if extra else data[1])


class Idler(asyncio.Protocol):
    """A client that connects, answers pings and counts what it is told."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._transport: asyncio.Transport
        self._unread = b""
        self.accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.heard = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the live stream."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """The response to the handshake, then frames; a server's have no mask."""
        self._unread += data
        if not self.accepted.done():
            head, end, rest = self._unread.partition(b"\r\n\r\n")
            if not end:
                return
            self._unread = rest
            self.accepted.set_result(head.startswith(b"HTTP/1.1 101"))
        while (size := frame_size(self._unread)) is not None and len(self._unread) >= size:
            frame, self._unread = self._unread[:size], self._unread[size:]
            if frame[:1] == PING:
                self._transport.write(PONG + frame[2:])
            else:
                self.heard += 1

    def connection_lost(self, error: Exception | None) -> None:
        """The server has hung up."""
        if not self.accepted.done():
            self.accepted.set_result(False)

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()


def hold(pipe: Connection, host: str, port: int, ids: list[str], sockets: int) -> None:
    """The process that holds the sockets: opens them, says so, and closes them when it is told to."""
    raise_file_limit(sockets)
    asyncio.run(_hold(pipe, host, port, ids, sockets))


async def _hold(pipe: Connection, host: str, port: int, ids: list[str], sockets: int) -> None:
    loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)

    async def enter(number: int) -> Idler | None:
        request = (
            f"GET /api/tables/{ids[number % len(ids)]}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"
        )
        where = (f"127.0.1.{1 + number // PER_ADDRESS}", 0)
        async with gate:
            _, idler = await loop.create_connection(lambda: Idler(request.encode()), host, port, local_addr=where)
            return idler if await idler.accepted else None

    idlers = await asyncio.gather(*(enter(number) for number in range(sockets)))
    accepted = [idler for idler in idlers if idler is not None]
    pipe.send(sockets - len(accepted))
    await loop.run_in_executor(None, pipe.recv)
    pipe.send(sum(idler.heard for idler in accepted))
    for idler in accepted:
        idler.close()


def raise_file_limit(sockets: int) -> None:
    """Let this process open one file for each socket."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = sockets + SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise SystemExit(f"{sockets} sockets need a limit of {wanted} open files; here it is at most {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def wait_until_idle(pid: int) -> None:
    """A server that has just started draws pictures in advance; wait until it has finished."""
    before, idle = cpu_seconds(pid), 0
    while idle < 3:
        time.sleep(1.0)
        now = cpu_seconds(pid)
        idle = idle + 1 if now - before < BUSY else 0
        before = now


def timed_get(host: str, port: int, path: str) -> float:
    """How long a stranger waits for a page, in milliseconds."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection(host, port, timeout=120)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != 200:
        raise SystemExit(f"{path} was answered with status {response.status}")
    return (time.perf_counter() - begun) * 1000


def times_until(done: Callable[[], bool], get: Callable[[], float]) -> list[float]:
    """Ask again and again until something is done, and at least once."""
    times = [get()]
    while not done():
        time.sleep(PAUSE)
        times.append(get())
    return times


def times_for(seconds: float, get: Callable[[], float]) -> list[float]:
    """Ask again and again for some seconds."""
    until = time.monotonic() + seconds
    return times_until(lambda: time.monotonic() > until, get)


def measure(address: str, pid: int, ids: list[str], sockets: int, path: str) -> Figures:
    """Time the page alone, while the sockets enter, while they are idle, and while they leave."""
    host, _, text = address.partition(":")
    port = int(text)

    def get() -> float:
        return timed_get(host, port, path)

    get()
    wait_until_idle(pid)
    alone = times_for(ALONE, get)
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    holder = multiprocessing.get_context("spawn").Process(target=hold, args=(theirs, host, port, ids, sockets))
    before, begun = cpu_seconds(pid), time.perf_counter()
    holder.start()
    entering = times_until(ours.poll, get)
    seconds = time.perf_counter() - begun
    refused = ours.recv()
    time.sleep(SETTLING)
    idle = times_for(IDLE, get)
    ours.send("leave")
    heard = ours.recv()
    leaving = times_until(lambda: not holder.is_alive(), get)
    leaving += [get() for _ in range(10)]
    holder.join()
    return Figures(
        sockets=sockets,
        tables=len(ids),
        refused=refused,
        seconds_to_enter=round(seconds, 1),
        messages_heard=heard,
        alone_median=round(statistics.median(alone), 1),
        alone_worst=round(max(alone), 1),
        entering_worst=round(max(entering), 1),
        idle_median=round(statistics.median(idle), 1),
        idle_p95=round(statistics.quantiles(idle, n=20)[-1], 1),
        idle_worst=round(max(idle), 1),
        leaving_worst=round(max(leaving), 1),
        idle_ratio=round(statistics.median(idle) / statistics.median(alone), 2),
        server_seconds=round(cpu_seconds(pid) - before, 1),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=5000)
    parser.add_argument("--tables", type=int, help=f"where they look (default: one for {PER_TABLE} sockets)")
    parser.add_argument("--path", default="/", help="the page to ask for")
    parser.add_argument("--limits", type=float, default=1.0, help="the server's option; 0 for no limits")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    raise_file_limit(arguments.sockets)  # the server inherits it, too
    tables = arguments.tables or -(-arguments.sockets // PER_TABLE)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "sockets.db"
        ids = prepare(database, ["azul"] * tables)
        with server(database, "--limits", str(arguments.limits)) as (address, pid):
            figures = measure(address, pid, ids, arguments.sockets, arguments.path)
    if arguments.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):22} {value}")


if __name__ == "__main__":
    main()
