"""What a flood of requests from one address costs a visitor at another.

``python benchmarks/flood.py`` starts a server and times a person's requests for a table's page, alone and while a
second process sends requests of one kind over many connections as fast as they are answered. It needs Linux, where the
flood can come from another loopback address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from load import prepare, server
from players import cpu_seconds
from sockets import raise_file_limit, timed_get, wait_until_idle

FLOOD = "127.0.0.66"
PATHS = {
    "view": "/api/tables/{table}/view",
    "api": "/api",
    "read": "/api/tables/{table}",
    "poll": "/api/tables/{table}?after=1&wait=0.01",
    "home": "/",
    "replay": "/api/tables/{table}/events",
}
PAUSE = 0.05
"""Seconds between two requests of the person."""


@dataclass
class Figures:
    """What was measured; the times of a person's request in milliseconds."""

    kind: str
    connections: int
    alone_median: float
    alone_p95: float
    flooded_median: float
    flooded_p95: float
    answered: int
    refused: int
    server_cores: float


async def _flood(host: str, port: int, path: str, connections: int, seconds: float) -> Counter[int]:
    statuses: Counter[int] = Counter()
    until = time.monotonic() + seconds
    request = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()

    async def ask_again_and_again() -> None:
        reader, writer = await asyncio.open_connection(host, port, local_addr=(FLOOD, 0), limit=1 << 20)
        while time.monotonic() < until:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
            statuses[int(head[9:12])] += 1
        writer.close()

    await asyncio.gather(*(ask_again_and_again() for _ in range(connections)), return_exceptions=True)
    return statuses


def flood(pipe: Connection, host: str, port: int, path: str, connections: int, seconds: float) -> None:
    """The process that floods the server; it reports the statuses it got."""
    raise_file_limit(connections)
    pipe.send(asyncio.run(_flood(host, port, path, connections, seconds)))


def measure(address: str, pid: int, kind: str, table: str, connections: int, seconds: float) -> Figures:
    """Time a person's requests alone, and during the flood."""
    host, _, text = address.partition(":")
    port, page = int(text), f"/t/{table}"

    def times(until: float) -> list[float]:
        found = []
        while time.monotonic() < until:
            found.append(timed_get(host, port, page))
            time.sleep(PAUSE)
        return found

    timed_get(host, port, page)
    wait_until_idle(pid)
    alone = times(time.monotonic() + seconds)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    path = PATHS[kind].format(table=table)
    flooding = context.Process(target=flood, args=(theirs, host, port, path, connections, seconds + 2))
    flooding.start()
    time.sleep(2)
    before, begun = cpu_seconds(pid), time.monotonic()
    flooded = times(begun + seconds)
    cores = (cpu_seconds(pid) - before) / (time.monotonic() - begun)
    statuses: Counter[int] = ours.recv()
    flooding.join()
    return Figures(
        kind=kind,
        connections=connections,
        alone_median=round(statistics.median(alone), 1),
        alone_p95=round(statistics.quantiles(alone, n=20)[-1], 1),
        flooded_median=round(statistics.median(flooded), 1),
        flooded_p95=round(statistics.quantiles(flooded, n=20)[-1], 1),
        answered=statuses[200],
        refused=statuses.total() - statuses[200],
        server_cores=round(cores, 2),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=list(PATHS), default="view")
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    raise_file_limit(arguments.connections)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "flood.db"
        table = prepare(database, ["azul"])[0]
        with server(database) as (address, pid):
            figures = measure(address, pid, arguments.kind, table, arguments.connections, arguments.seconds)
    if arguments.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):22} {value}")


if __name__ == "__main__":
    main()
