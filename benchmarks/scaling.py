"""How moves per second grow with server processes, and what a move, an idle connection and a table cost.

``python benchmarks/scaling.py`` starts 1, 2 and 4 servers on an empty PostgreSQL database and a Redis, which it starts
itself, each pinned to a core of its own as long as there are enough; the clients share the other cores. On a machine
with fewer cores, ``--share 0.2`` gives every server a fifth of one, so that the rest is left to everybody else. At
every size the number of games, each with a move a second and two players at different servers, is raised until one move
in twenty takes longer than 100 ms to reach everybody; all steps are printed. A step that fails is reported, and the
next size follows; after Ctrl-C what was measured until then is printed. Of a busy machine only the processor time of a
move means anything: ``other_cores`` says what other programs used.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import time
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "server"))

from services import PostgresServer, RedisServer, postgres_server, redis_server
from websockets.asyncio.client import connect

from core_shares import share_of_a_core
from load import pin, prepare, server, start_servers, wait_until_ready
from players import PLAYERS, Figures, Load, cpu_seconds, family_of, key_of, play_all
from tilewright.game.registry import GAMES

SLOWEST = 100.0
"""Milliseconds within which nineteen moves in twenty must reach everybody."""
SIZES = (1, 2, 4)
GAMES_PER_PROCESS = [100, 150, 200, 250, 300, 400, 500, 600, 800]
PLAYED = 20
"""Moves that were played before at a table, at most, so that not all of them score their rounds at one moment."""
WARM = 4.0
"""Seconds of play before the measuring begins."""
CORES = sorted(os.sched_getaffinity(0))
AT_FIRST = 20
"""Connections before the measuring begins, so that everything the process needs once is there."""
SETTLING = 5.0
"""Seconds."""


@dataclass
class Step:
    """A number of processes, and how they carried a number of games."""

    processes: int
    pinned: bool
    figures: Figures
    server_milliseconds_per_move: float

    @property
    def is_in_time(self) -> bool:
        """Whether nineteen moves in twenty reached everybody in time, and none was lost."""
        return self.figures.p95 <= SLOWEST and not self.figures.errors and not self.figures.lost


class Services(NamedTuple):
    """What the servers share."""

    database: PostgresServer
    redis: RedisServer

    @property
    def pids(self) -> list[int]:
        """The numbers of their processes."""
        return [self.database.pid, self.redis.pid]


@dataclass
class Idle:
    """What a live connection costs while nothing happens, with the pings that keep it alive."""

    sockets: int
    kilobytes_per_socket: float
    """With half a table, since two are connected to each."""
    server_microseconds_per_second: float


def share_cores(servers: list[int], share: float, running: ExitStack) -> None:
    """Give each server a share of a core, and each core the same number of servers."""
    for n, pid in enumerate(servers):
        pin(pid, {CORES[n % len(CORES)]})
        running.enter_context(share_of_a_core(pid, share))


def pin_all(servers: list[int], services: list[int], clients: int) -> set[int] | None:
    """Give each server a core, each process of the players one, and PostgreSQL and Redis the others.

    Returns the players' cores; None if there are not enough for everybody.
    """
    taken = len(servers) + clients
    if len(CORES) <= taken:
        return None
    for core, pid in zip(CORES, servers, strict=False):
        pin(pid, {core})
    for service in services:
        for pid in family_of(service):
            pin(pid, CORES[taken:])
    return set(CORES[len(servers) : taken])


def measure(processes: int, games: int, services: Services, arguments: argparse.Namespace) -> Step:
    """Measure a number of server processes that share a number of games."""
    url = services.database.new_database()
    ids = prepare(url, [list(GAMES)[n % len(GAMES)] for n in range(games)], PLAYED)
    clients = min(arguments.clients, processes)
    with ExitStack() as running:
        servers = start_servers(running, processes, url, "--redis", services.redis.url)
        pids, cores = [pid for _, pid in servers], None
        if arguments.share:
            share_cores(pids, arguments.share, running)
        else:
            cores = pin_all(pids, services.pids, clients)
        load = Load(servers, ids, arguments.seconds, WARM, services=services.pids)
        figures = play_all(load, clients, cores)
    cost = figures.server_cores * 1000 / figures.moves_per_second
    return Step(processes, cores is not None or arguments.share is not None, figures, round(cost, 2))


def climb(processes: int, services: Services, arguments: argparse.Namespace, steps: list[dict[str, Any]]) -> None:
    """More and more games, until they are too slow; what fails is one of the steps that are reported."""
    for games in arguments.games:
        try:
            step = measure(processes, games * processes, services, arguments)
        except (Exception, SystemExit) as error:
            steps.append({"processes": processes, "games": games * processes, "failed": _told(error)})
            print(steps[-1], file=sys.stderr, flush=True)
            break
        steps.append(asdict(step))
        print(step, file=sys.stderr, flush=True)
        if not step.is_in_time:
            break


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def idle_or_failure(database: PostgresServer, sockets: int, seconds: float) -> dict[str, Any]:
    """What idle connections cost, or why that could not be measured."""
    try:
        return asdict(idle(database, sockets, seconds))
    except (Exception, SystemExit) as error:
        return {"sockets": sockets, "failed": _told(error)}


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
    parser.add_argument("--games", type=int, nargs="+", default=GAMES_PER_PROCESS, help="for each process")
    parser.add_argument("--processes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--clients", type=int, default=2, help="processes of the players, at most (default 2)")
    parser.add_argument("--share", type=float, help="of a core, for each server (default: a whole one)")
    parser.add_argument("--cores", type=int, nargs="+", help="the cores to be used (default all)")
    parser.add_argument("--sockets", type=int, default=2000, help="idle connections (default 2000)")
    parser.add_argument("--seconds", type=float, default=15)
    arguments = parser.parse_args()
    CORES[:] = arguments.cores or CORES
    os.sched_setaffinity(0, CORES)
    steps: list[dict[str, Any]] = []
    quiet = None
    with contextlib.suppress(KeyboardInterrupt), postgres_server() as database, redis_server() as redis:
        for processes in arguments.processes:
            climb(processes, Services(database, redis), arguments, steps)
        if arguments.sockets:
            quiet = idle_or_failure(database, arguments.sockets, arguments.seconds)
    print(json.dumps({"cores": len(CORES), "share": arguments.share or 1, "steps": steps, "idle": quiet}, indent=2))


if __name__ == "__main__":
    main()
