"""How many games one server carries: real WebSocket clients on loopback against a real server process.

``python benchmarks/load.py`` opens 300 tables with two players each, who play a move a second at every table,
and prints how long it takes from sending a move until every viewer of that table has received it; ``--json``
prints the same figures for a program. All of it is a fair test of the server only on a machine with a core to
spare: the clients run beside it, in one process.

With ``--database postgresql://... --processes 2`` the two players of each table are connected to different server
processes, which share an empty PostgreSQL database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection, connect

from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

PLAYERS = 2
ADDRESSES = 250
"""From how many loopback addresses the players come (Linux): one has a limited budget."""
PATIENCE = 10.0
"""Seconds after which a move counts as lost."""
TICKS = os.sysconf("SC_CLK_TCK")


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
    client_cores: float
    other_cores: float
    """What other programs used of this machine meanwhile; the rest of the figures is fair if this is small."""


@dataclass
class Seen:
    """What the clients of all tables have noted."""

    latencies: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    measuring: bool = False


def key_of(table_id: str, seat: int) -> str:
    """The key of a seat of this benchmark."""
    return f"load-{table_id}-{seat}"


def prepare(database: Path | str, names: list[str]) -> list[str]:
    """Tables in a new database, one for each name of a game: the server limits how many one address may open."""
    store = Store(database)
    ids = []
    for name in names:
        table_id = new_id()
        seats = [StoredSeat("human", f"Player {n + 1}", hash_key(key_of(table_id, n))) for n in range(PLAYERS)]
        stored = StoredTable(table_id, name, PLAYERS, {}, SecretDealer().secret, seats=seats)
        store.add_table(stored)
        store.add_events(table_id, 1, Table.new(stored).lines)
        ids.append(table_id)
    store.close()
    return ids


@contextmanager
def server(database: Path | str, *options: str) -> Iterator[tuple[str, int]]:
    """A server process of its own: its address and process number."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "tilewright.server.run",
        "--port",
        str(port),
        "--database",
        str(database),
        *options,
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/games", process)
        yield f"127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(30)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    """Until the server answers."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit("the server ended before it answered")
        try:
            urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_seconds() -> float:
    """Processor time that all programs of this machine have used."""
    fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    return sum(int(fields[n]) for n in (0, 1, 2, 5, 6, 7)) / TICKS


def processor_times(pids: Sequence[int]) -> tuple[float, float, float]:
    """Of the servers, of the clients, and of everything."""
    return sum(map(cpu_seconds, pids)), time.process_time(), machine_seconds()


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
        """Note what one viewer is told."""
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
        """A move a second until the time is up or the game over."""
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


async def play_all(
    servers: Sequence[tuple[str, int]], ids: list[str], seconds: float, warm: float, spectators: int
) -> Figures:
    """Play at all tables, with the first moves spread over a second; the viewers of a table use all servers in turn."""
    pids = [pid for _, pid in servers]
    seen, dice = Seen(), random.Random(1510)
    async with AsyncExitStack() as stack:

        async def enter(number: int, table_id: str, seat: int) -> ClientConnection:
            headers = {"Authorization": f"Bearer {key_of(table_id, seat)}"}
            address, _ = servers[(number + seat) % len(servers)]
            target = f"ws://{address}/api/tables/{table_id}/live"
            where = (f"127.0.2.{1 + number % ADDRESSES}", 0)
            opening = connect(target, additional_headers=headers, open_timeout=60, local_addr=where)
            return await stack.enter_async_context(opening)

        games = []
        for number, table_id in enumerate(ids):
            sockets = [await enter(number, table_id, seat) for seat in range(PLAYERS + spectators)]
            games.append(Game(table_id, sockets, seen, dice))
        listeners = [asyncio.create_task(game.listen(n)) for game in games for n in range(len(game.sockets))]
        begin = time.perf_counter() + 1
        end = begin + warm + seconds
        playing = [asyncio.create_task(game.play(begin + n / len(games), end)) for n, game in enumerate(games)]
        await asyncio.sleep(max(0.0, begin + warm - time.perf_counter()))
        seen.measuring = True
        before = processor_times(pids)
        await asyncio.sleep(max(0.0, end - time.perf_counter()))
        cores = [(now - then) / seconds for now, then in zip(processor_times(pids), before, strict=True)]
        seen.measuring = False
        await asyncio.gather(*playing)
        for listener in listeners:
            listener.cancel()
    if seen.errors:
        print("errors:", *sorted(set(seen.errors)), sep="\n  ", file=sys.stderr)
    return figures_of(seen, games, seconds, cores)


def figures_of(seen: Seen, games: list[Game], seconds: float, cores: list[float]) -> Figures:
    """The figures of a run."""
    cuts = statistics.quantiles(seen.latencies, n=100)
    return Figures(
        games=len(games),
        viewers=sum(len(game.sockets) for game in games),
        seconds=seconds,
        moves=len(seen.latencies),
        moves_per_second=round(len(seen.latencies) / seconds, 1),
        p50=round(cuts[49], 2),
        p95=round(cuts[94], 2),
        p99=round(cuts[98], 2),
        largest=round(max(seen.latencies), 2),
        errors=len(seen.errors),
        lost=seen.lost,
        kilobytes_per_event=round(statistics.mean(seen.sizes) / 1000, 2),
        server_cores=round(cores[0], 2),
        client_cores=round(cores[1], 2),
        other_cores=round(cores[2] - cores[0] - cores[1], 2),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="tables at which two people play")
    parser.add_argument("--spectators", type=int, default=0, help="people who watch at each table")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=4, help="seconds of play before the measuring begins")
    parser.add_argument("--game", choices=["all", *GAMES], default="all", help="one game, or all in turn")
    parser.add_argument("--folder", type=Path, help="where the file lies (default: a temporary folder)")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database instead of a file")
    parser.add_argument("--redis", metavar="URL", help="a Redis server between the processes")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="server processes (default 1)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    kinds = list(GAMES) if arguments.game == "all" else [arguments.game]
    names = [kinds[n % len(kinds)] for n in range(arguments.games)]
    options = ["--redis", arguments.redis] if arguments.redis else []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder, ExitStack() as running:
        database = arguments.database or Path(folder) / "load.db"
        ids = prepare(database, names)
        servers = [running.enter_context(server(database, *options)) for _ in range(arguments.processes)]
        timing = (arguments.seconds, arguments.warm, arguments.spectators)
        figures = asyncio.run(play_all(servers, ids, *timing))
    if arguments.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):22} {value}")


if __name__ == "__main__":
    main()
