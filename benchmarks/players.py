"""Players at many tables, in one process or in several: a move a second at each, and when everybody has heard of it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier

from lines import Line, loop_factory

PLAYERS = 2
ADDRESSES = 250
"""From how many loopback addresses the players come (Linux): one has a limited budget."""
PATIENCE = 10.0
"""Seconds after which a move counts as lost."""
LOOK = 0.5
"""Seconds between two looks for moves that are lost."""
EVENT = re.compile(rb'{"type":"event","event":(\d+),')
"""How a message about a move begins."""
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
    has_ended: bool = False
    cores: Cores | None = None


class Game:
    """One table with all its viewers, who play a move a second."""

    def __init__(self, table_id: str, viewers: int, seen: Seen, dice: random.Random) -> None:
        self.id = table_id
        self.seen = seen
        self.dice = dice
        self.lines = [Line(partial(self._hear, viewer), self._lose) for viewer in range(viewers)]
        self._event = 0
        self._mover: int | None = None
        """Who has been told legal moves last; None when the game is over."""
        self._legal: list[bytes] = []
        self._reached = [0] * viewers
        self._wanted = 1
        """The event that all viewers should have before the next move."""
        self._sent: float | None = None
        """When the move was sent that viewers wait for."""
        self._is_measured = False
        self._tick, self._end = inf, inf

    def play(self, begin: float, end: float) -> None:
        """Play from a moment on until another."""
        self._tick, self._end = begin, end
        if min(self._reached) >= self._wanted:
            self._plan()

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has not heard of the last move."""
        return self._sent is not None

    def stop_waiting(self, now: float) -> None:
        """A move that has not reached everybody for too long is lost, and another one is tried."""
        if self._sent is not None and now - self._sent > PATIENCE:
            self.seen.lost += 1
            self._sent, self._wanted = None, self._event
            self._plan()

    def _lose(self, reason: str) -> None:
        if not self.seen.has_ended:
            self.seen.errors.append(reason)

    def _hear(self, viewer: int, text: bytes) -> None:
        """Note what one viewer is told. Of a move no more is read than a player needs, so that clients cost little."""
        if found := EVENT.match(text):
            if self.seen.measuring:
                self.seen.sizes.append(len(text))
            _, _, rest = text.rpartition(b'"legal":[')
            self._note(viewer, int(found[1]), rest.partition(b"]")[0], is_over=b'"turn":null,' in text)
            return
        message = json.loads(text)
        if message["type"] == "state":
            state = message["state"]
            legal = ",".join(map(str, state["legal"])).encode()
            self._note(viewer, state["event"], legal, is_over=state["turn"] is None)
        elif message["type"] == "error":
            self.seen.errors.append(message["error"])

    def _note(self, viewer: int, event: int, legal: bytes, *, is_over: bool) -> None:
        self._event, self._reached[viewer] = max(self._event, event), event
        if legal:
            self._mover, self._legal = viewer, legal.split(b",")
        elif is_over:
            self._mover = None
        if self._tick < inf and min(self._reached) >= self._wanted:
            self._all_have_it()

    def _all_have_it(self) -> None:
        if self._sent is not None and self._is_measured:
            self.seen.latencies.append((time.perf_counter() - self._sent) * 1000)
        self._sent, self._wanted = None, self._event + 1
        self._plan()

    def _plan(self) -> None:
        """Move again when a second is over, or at once if that is later than it should be."""
        self._tick += 1.0
        if self._tick < self._end and self._mover is not None:
            delay = self._tick - time.perf_counter()
            asyncio.get_running_loop().call_later(max(0.0, delay), self._move)

    def _move(self) -> None:
        if self._mover is None:
            return
        self._wanted, self._is_measured = self._event + 1, self.seen.measuring
        self._sent = time.perf_counter()
        move = self.dice.choice(self._legal).decode()
        self.lines[self._mover].send(f'{{"type":"move","move":{move},"after":{self._event}}}')


async def _play_share(load: Load, share: int, shares: int, everybody: Barrier) -> Seen:
    """Play at a share of the tables, with the first moves of all tables spread over a second."""
    seen, dice = Seen(), random.Random(1510 + share)
    mine, viewers = range(share, len(load.tables), shares), PLAYERS + load.spectators
    games = {number: Game(load.tables[number], viewers, seen, dice) for number in mine}
    for number, game in games.items():
        where = f"127.0.2.{1 + number % ADDRESSES}"
        for seat, line in enumerate(game.lines):
            address, _ = load.servers[(number + seat) % len(load.servers)]
            await line.open(address, f"/api/tables/{game.id}/live", key_of(game.id, seat), where)
    await asyncio.to_thread(everybody.wait, CONNECTING)
    begin = time.perf_counter() + 1
    end = begin + load.warm + load.seconds
    for number, game in games.items():
        game.play(begin + number / len(load.tables), end)
    watching = asyncio.create_task(_watch(games.values()))
    await asyncio.sleep(max(0.0, begin + load.warm - time.perf_counter()))
    seen.measuring, before = True, Cores.used(load)
    await asyncio.sleep(max(0.0, end - time.perf_counter()))
    seen.cores = Cores.used(load).since(before, load.seconds)
    seen.measuring = False
    while any(game.is_waiting for game in games.values()):
        await asyncio.sleep(LOOK)
    watching.cancel()
    seen.has_ended = True
    for game in games.values():
        for line in game.lines:
            line.close()
    return seen


async def _watch(games: Collection[Game]) -> None:
    """Look for moves that are lost."""
    while True:
        await asyncio.sleep(LOOK)
        now = time.perf_counter()
        for game in games:
            game.stop_waiting(now)


def _share(load: Load, share: int, shares: int, everybody: Barrier, cores: Collection[int] | None) -> Seen:
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            return runner.run(_play_share(load, share, shares, everybody))
    except BaseException:
        everybody.abort()  # the others would wait for this one
        raise


def play_all(load: Load, processes: int = 1, cores: Collection[int] | None = None) -> Figures:
    """Play at all tables from one process or several, on the cores given; one can send about 3,000 moves a second."""
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
