"""Players at many tables, in one process or in several: a move a second at each, and when everybody has heard of it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, WebSocketException

PLAYERS = 2
ADDRESSES = 250
"""From how many loopback addresses the players come (Linux): one has a limited budget."""
PATIENCE = 10.0
"""Seconds after which a move counts as lost."""
CONNECTING = 300.0
"""Seconds for which the processes of the players wait for each other."""
MOST_ERRORS = 10
"""How many different errors are printed."""
TICKS = os.sysconf("SC_CLK_TCK")


class NothingMeasured(Exception):
    """A run in which too few moves were played for any figure."""


def key_of(table_id: str, seat: int) -> str:
    """The key of a seat of this benchmark."""
    return f"load-{table_id}-{seat}"


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_seconds() -> float:
    """Processor time that all programs of this machine have used."""
    fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    return sum(int(fields[n]) for n in (0, 1, 2, 5, 6, 7)) / TICKS


def family_of(pid: int) -> list[int]:
    """A process and those that it has started."""
    found = [pid]
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            if path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1] == str(pid):
                found.append(int(path.parent.name))
    return found


@dataclass(frozen=True)
class Load:
    """Who plays what against whom."""

    servers: Sequence[tuple[str, int]]
    """Addresses and process numbers; the viewers of a table use all of them in turn."""
    tables: Sequence[str]
    seconds: float
    warm: float
    """Seconds of play before the measuring begins."""
    spectators: int = 0
    services: Sequence[int] = ()
    """Processes that the servers use: PostgreSQL, Redis."""


@dataclass
class Figures:
    """What was measured; times in milliseconds."""

    games: int
    viewers: int
    seconds: float
    moves: int
    moves_per_second: float
    p50: float
    p95: float
    p99: float
    largest: float
    errors: int
    lost: int
    kilobytes_per_event: float
    server_cores: float
    service_cores: float
    """Of PostgreSQL and Redis, if there are any."""
    client_cores: float
    other_cores: float
    """What other programs used of this machine meanwhile; the rest of the figures is fair if this is small."""


@dataclass
class Cores:
    """Processor time of everybody, in seconds up to now or in cores during the measuring."""

    servers: float
    services: float
    clients: float
    machine: float

    @staticmethod
    def used(load: Load) -> Cores:
        """Up to now, of the clients those of this process."""
        services = [pid for service in load.services for pid in family_of(service)]
        servers = sum(cpu_seconds(pid) for _, pid in load.servers)
        return Cores(servers, sum(map(cpu_seconds, services)), time.process_time(), machine_seconds())

    def since(self, before: Cores, seconds: float) -> Cores:
        """How many cores were used on average."""
        pairs = zip(vars(self).values(), vars(before).values(), strict=True)
        return Cores(*((now - then) / seconds for now, then in pairs))


@dataclass
class Seen:
    """What the clients of all tables have noted."""

    latencies: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    measuring: bool = False
    cores: Cores | None = None


class Game:
    """One table with all its viewers."""

    def __init__(self, table_id: str, sockets: list[ClientConnection], seen: Seen, dice: random.Random) -> None:
        self.id = table_id
        self.sockets = sockets
        self.seen = seen
        self.dice = dice
        self.event = 0
        self.turn: int | None = None
        self.legal: list[int] = []
        self._reached = [0] * len(sockets)
        self._all_have_it = asyncio.Event()
        self._waited_for = 0
        self._last_heard = 0.0

    async def listen(self, viewer: int) -> None:
        """Note what one viewer is told; a connection that ends before the game does is an error."""
        try:
            await self._listen(viewer)
        except ConnectionClosedError as error:
            self.seen.errors.append(f"a connection was lost: {error}")
        else:
            self.seen.errors.append("a connection was closed by the server")

    async def _listen(self, viewer: int) -> None:
        async for text in self.sockets[viewer]:
            now = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "event":
                if self.seen.measuring:
                    self.seen.sizes.append(len(text))
                self._heard(viewer, message, now)
            elif message["type"] == "state":
                self._heard(viewer, message["state"], now)
            elif message["type"] == "error":
                self.seen.errors.append(message["error"])

    def _heard(self, viewer: int, moment: dict[str, Any], now: float) -> None:
        self.event = max(self.event, moment["event"])
        self.turn = moment["turn"]
        if moment["turn"] == viewer + 1:
            self.legal = moment["legal"]
        self._reached[viewer] = moment["event"]
        if min(self._reached) >= self._waited_for:
            self._last_heard = now
            self._all_have_it.set()

    async def wait(self, event: int) -> float:
        """When the last of the viewers had heard of an event."""
        self._waited_for = event
        if min(self._reached) < event:
            self._all_have_it.clear()
            await asyncio.wait_for(self._all_have_it.wait(), PATIENCE)
        return self._last_heard

    async def play(self, begin: float, until: float) -> None:
        """A move a second until the time is up or the game over; a game that fails is an error and ends there."""
        try:
            await self._play(begin, until)
        except (OSError, WebSocketException) as error:
            self.seen.errors.append(f"a game could not be played: {error or type(error).__name__}")

    async def _play(self, begin: float, until: float) -> None:
        await self.wait(1)
        tick = begin
        while (tick := tick + 1.0) < until and self.turn is not None:
            await asyncio.sleep(max(0.0, tick - time.perf_counter()))
            await self._move()

    async def _move(self) -> None:
        message = {"type": "move", "move": self.dice.choice(self.legal), "after": self.event}
        measuring = self.seen.measuring
        sent = time.perf_counter()
        await self.sockets[(self.turn or 1) - 1].send(json.dumps(message))
        try:
            heard = await self.wait(self.event + 1)
        except TimeoutError:
            self.seen.lost += 1
            return
        if measuring:
            self.seen.latencies.append((heard - sent) * 1000)


async def _play_share(load: Load, share: int, shares: int, everybody: Barrier) -> Seen:
    """Play at a share of the tables, with the first moves of all tables spread over a second."""
    seen, dice = Seen(), random.Random(1510 + share)
    async with AsyncExitStack() as stack:

        async def enter(number: int, table_id: str, seat: int) -> ClientConnection:
            headers = {"Authorization": f"Bearer {key_of(table_id, seat)}"}
            address, _ = load.servers[(number + seat) % len(load.servers)]
            target = f"ws://{address}/api/tables/{table_id}/live"
            where = (f"127.0.2.{1 + number % ADDRESSES}", 0)
            opening = connect(target, additional_headers=headers, open_timeout=60, local_addr=where)
            return await stack.enter_async_context(opening)

        games: dict[int, Game] = {}
        for number in range(share, len(load.tables), shares):
            table_id = load.tables[number]
            sockets = [await enter(number, table_id, seat) for seat in range(PLAYERS + load.spectators)]
            games[number] = Game(table_id, sockets, seen, dice)
        listeners = [asyncio.create_task(game.listen(n)) for game in games.values() for n in range(len(game.sockets))]
        await asyncio.to_thread(everybody.wait, CONNECTING)
        begin = time.perf_counter() + 1
        end = begin + load.warm + load.seconds
        playing = [
            asyncio.create_task(game.play(begin + number / len(load.tables), end)) for number, game in games.items()
        ]
        await asyncio.sleep(max(0.0, begin + load.warm - time.perf_counter()))
        seen.measuring, before = True, Cores.used(load)
        await asyncio.sleep(max(0.0, end - time.perf_counter()))
        seen.cores = Cores.used(load).since(before, load.seconds)
        seen.measuring = False
        await asyncio.gather(*playing)
        for listener in listeners:
            listener.cancel()
    return seen


def _share(load: Load, share: int, shares: int, everybody: Barrier, cores: Collection[int] | None) -> Seen:
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        return asyncio.run(_play_share(load, share, shares, everybody))
    except BaseException:
        everybody.abort()  # the others would wait for this one
        raise


def play_all(load: Load, processes: int = 1, cores: Collection[int] | None = None) -> Figures:
    """Play at all tables from one process or several, on the cores given; one can send about 1,500 moves a second."""
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        everybody = manager.Barrier(processes)
        shares = [pool.submit(_share, load, share, processes, everybody, cores) for share in range(processes)]
        return figures_of(load, [share.result() for share in shares])


def figures_of(load: Load, shares: list[Seen]) -> Figures:
    """The figures of a run."""
    latencies = [latency for seen in shares for latency in seen.latencies]
    errors = [error for seen in shares for error in seen.errors]
    for error, times in Counter(errors).most_common(MOST_ERRORS):
        print(f"{times} times: {error}", file=sys.stderr)
    if len(latencies) < 2:
        raise NothingMeasured(f"{len(latencies)} moves reached everybody, with {len(errors)} errors")
    cuts = statistics.quantiles(latencies, n=100)
    cores = [seen.cores for seen in shares if seen.cores is not None]
    clients = sum(used.clients for used in cores)
    return Figures(
        games=len(load.tables),
        viewers=len(load.tables) * (PLAYERS + load.spectators),
        seconds=load.seconds,
        moves=len(latencies),
        moves_per_second=round(len(latencies) / load.seconds, 1),
        p50=round(cuts[49], 2),
        p95=round(cuts[94], 2),
        p99=round(cuts[98], 2),
        largest=round(max(latencies), 2),
        errors=len(errors),
        lost=sum(seen.lost for seen in shares),
        kilobytes_per_event=round(statistics.mean(size for seen in shares for size in seen.sizes) / 1000, 2),
        server_cores=round(cores[0].servers, 2),
        service_cores=round(cores[0].services, 2),
        client_cores=round(clients, 2),
        other_cores=round(cores[0].machine - cores[0].servers - cores[0].services - clients, 2),
    )
