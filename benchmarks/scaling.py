"""How moves per second grow with server processes, and what a move, an idle connection and a table cost.

``python benchmarks/scaling.py`` starts 1, 2 and 4 servers on an empty PostgreSQL database and a Redis, which it starts
itself, each pinned to a core of its own as long as there are enough; the clients share the other cores. At every size
the number of games, each with a move a second and two players at different servers, is raised until one move in twenty
takes longer than 100 ms to reach everybody. Of a busy machine only the processor time of a move means anything:
``other_cores`` says what other programs used.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))

from services import PostgresServer, postgres_server, redis_server
from websockets.asyncio.client import connect

from load import PLAYERS, Figures, cpu_seconds, key_of, play_all, prepare, server
from tilewright.game.registry import GAMES

SLOWEST = 100.0
"""Milliseconds within which nineteen moves in twenty must reach everybody."""
SIZES = (1, 2, 4)
CORES = sorted(os.sched_getaffinity(0))
AT_FIRST = 20
"""Connections before the measuring begins, so that everything the process needs once is there."""
SETTLING = 5.0
"""Seconds."""


@dataclass
class Step:
    """A number of processes, and the most games that they carried in time."""

    processes: int
    pinned: bool
    figures: Figures | None
    server_milliseconds_per_move: float


@dataclass
class Idle:
    """What a live connection costs while nothing happens, with the pings that keep it alive."""

    sockets: int
    kilobytes_per_socket: float
    """With half a table, since two are connected to each."""
    server_microseconds_per_second: float


def pin(pids: list[int]) -> bool:
    """Give each server a core, and the clients the others; whether there are enough of them."""
    enough = len(CORES) > len(pids)
    for number, pid in enumerate(pids):
        _set_affinity(pid, {CORES[number]} if enough else set(CORES))
    _set_affinity(os.getpid(), set(CORES[len(pids) :] if enough else CORES))
    return enough


def _set_affinity(pid: int, cores: set[int]) -> None:
    """Of all threads of a process; those that come later inherit it."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), cores)


def wait_until_ready(address: str) -> None:
    """Until a server has compiled everything."""
    while True:
        try:
            urlopen(f"http://{address}/readyz", timeout=10).close()
        except HTTPError:
            time.sleep(0.2)
        else:
            return


def climb(processes: int, database: PostgresServer, redis: str, games: list[int], seconds: float) -> Step:
    """More and more games, until they are too slow."""
    best, pinned = None, False
    for count in games:
        url = database.new_database()
        ids = prepare(url, [list(GAMES)[n % len(GAMES)] for n in range(count)])
        with ExitStack() as running:
            servers = [running.enter_context(server(url, "--redis", redis)) for _ in range(processes)]
            for address, _ in servers:
                wait_until_ready(address)
            pinned = pin([pid for _, pid in servers])
            figures = asyncio.run(play_all(servers, ids, seconds, 4.0, 0))
        if figures.p95 > SLOWEST or figures.errors or figures.lost:
            best = best or figures
            break
        best = figures
    cost = best.server_cores * 1000 / best.moves_per_second if best and best.moves_per_second else 0.0
    return Step(processes, pinned, best, round(cost, 2))


def idle(database: PostgresServer, sockets: int, seconds: float) -> Idle:
    """Connections to tables at which nothing happens."""
    url = database.new_database()
    ids = prepare(url, [next(iter(GAMES))] * (sockets // 2))
    with server(url) as (address, pid):
        wait_until_ready(address)
        return asyncio.run(_hold(address, pid, ids, seconds))


async def _hold(address: str, pid: int, ids: list[str], seconds: float) -> Idle:
    async with AsyncExitStack() as opened:
        count = 0

        async def enter(table: str, seat: int) -> None:
            nonlocal count
            headers = {"Authorization": f"Bearer {key_of(table, seat)}"}
            target = f"ws://{address}/api/tables/{table}/live"
            where = (f"127.0.2.{1 + count % 250}", 0)
            await opened.enter_async_context(
                connect(target, additional_headers=headers, local_addr=where, open_timeout=60)
            )
            count += 1

        for table in ids[:AT_FIRST]:
            await enter(table, 0)
        await asyncio.sleep(SETTLING)
        before, first = _resident(pid), count
        for table in ids[AT_FIRST:]:
            for seat in range(PLAYERS):
                await enter(table, seat)
        await asyncio.sleep(SETTLING)
        grown, used, begun = _resident(pid) - before, cpu_seconds(pid), time.monotonic()
        await asyncio.sleep(seconds)
        spent = (cpu_seconds(pid) - used) / (time.monotonic() - begun)
    added = count - first
    return Idle(added, round(grown / added / 1000, 1), round(spent * 1e6 / count, 1))


def _resident(pid: int) -> int:
    """Bytes of memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[100, 200, 300, 400, 600, 800, 1200, 1600, 2400])
    parser.add_argument("--processes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--sockets", type=int, default=2000, help="idle connections (default 2000)")
    parser.add_argument("--seconds", type=float, default=15)
    arguments = parser.parse_args()
    with postgres_server() as database, redis_server() as redis:
        steps = [
            asdict(climb(processes, database, redis.url, arguments.games, arguments.seconds))
            for processes in arguments.processes
        ]
        quiet = asdict(idle(database, arguments.sockets, arguments.seconds))
    print(json.dumps({"cores": len(CORES), "steps": steps, "idle": quiet}, indent=2))


if __name__ == "__main__":
    main()
