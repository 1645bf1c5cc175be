"""What open tables cost: memory for each, and the time in which they come back after a restart.

``python benchmarks/tables.py`` prepares tables in mid-game, starts a server, has every table read once and divides by
their number what the process grew. Then it starts another server on the same file and lets 1,000 WebSockets reconnect
to 500 tables at once, as browsers do: each tells the last event it has seen. The time counts until all have the state.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.request import urlopen

from load import server
from players import PLAYERS, cpu_seconds, key_of
from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

DIFFERENT_GAMES = 30
MOVES = 40
STILL = 4.0
"""Seconds for which a server that has warmed up uses next to no processor time."""
TEXT_FRAME = 0x81
AT_FIRST = 100
"""Tables that are read before the measuring begins, so that everything the process needs once is there."""


@dataclass
class Figures:
    """What was measured."""

    tables: int
    kilobytes_per_table: float
    milliseconds_per_first_read: float
    sockets: int
    tables_of_sockets: int
    seconds_to_come_back: float
    server_seconds_to_come_back: float
    """Processor time."""


def play(name: str, dice: random.Random) -> tuple[str, Table]:
    """A game that has been played for a while, and the secret of its deals."""
    secret = SecretDealer().secret
    seats = [StoredSeat("human", "Ann", hash_key(str(seat))) for seat in range(PLAYERS)]
    table = Table.new(StoredTable(new_id(), name, PLAYERS, {}, secret, seats=seats))
    for _ in range(MOVES):
        if table.position.turn is not None:
            move = dice.choice(list(table.position.legal_moves))
            table = table.play([table.position.turn], move, table.event).table
    return secret, table


def prepare(database: Path, tables: int) -> dict[str, int]:
    """Tables in mid-game, and the last event of each."""
    dice, kinds, store = random.Random(1510), list(GAMES), Store(database)
    games = [play(kinds[n % len(kinds)], dice) for n in range(DIFFERENT_GAMES)]
    events: dict[str, int] = {}
    for n in range(tables):
        secret, table = games[n % DIFFERENT_GAMES]
        table_id = new_id()
        seats = [StoredSeat("human", f"Player {n}", hash_key(key_of(table_id, seat))) for seat in range(PLAYERS)]
        store.add_table(StoredTable(table_id, table.game.name, PLAYERS, {}, secret, seats=seats))
        store.add_events(table_id, 1, table.lines, result=table.result())
        events[table_id] = table.event
    store.close()
    return events


def memory(pid: int) -> float:
    """Kilobytes that a process holds (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS:")))


def wait_until_warm(pid: int) -> None:
    """Until the server has compiled and drawn what it does in advance."""
    while True:
        before = cpu_seconds(pid)
        time.sleep(STILL)
        if cpu_seconds(pid) - before < 0.05 * STILL:
            return


def read_all(address: str, ids: list[str]) -> float:
    """Ask for every table; the milliseconds that each took."""
    begun = time.perf_counter()
    for table_id in ids:
        urlopen(f"http://{address}/api/tables/{table_id}").close()
    return (time.perf_counter() - begun) * 1000 / max(1, len(ids))


async def reconnect(address: str, table_id: str, seat: int, after: int) -> int:
    """Open a WebSocket; the event of the state that it is told."""
    host, _, port = address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"GET /api/tables/{table_id}/live?after={after} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {key_of(table_id, seat)}\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    while True:
        kind, length = await reader.readexactly(2)
        if length >= 126:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8))
        content = await reader.readexactly(length)
        message = json.loads(content) if kind == TEXT_FRAME else {}
        if message.get("type") == "state":
            return int(message["state"]["event"])


async def storm(address: str, events: dict[str, int]) -> float:
    """All players of these tables reconnect; the seconds until each knows the state."""
    begun = time.perf_counter()
    players = [(table_id, seat) for table_id in events for seat in range(PLAYERS)]
    told = await asyncio.gather(*(reconnect(address, *player, events[player[0]]) for player in players))
    assert list(told) == [events[table_id] for table_id, _ in players]
    return time.perf_counter() - begun


def measure(database: Path, tables: int, stormy: int) -> Figures:
    """Both figures, each with a server of its own."""
    events = prepare(database, max(tables + AT_FIRST, stormy))
    ids = list(events)
    with server(database, "--limits", "0") as (address, pid):
        wait_until_warm(pid)
        read_all(address, ids[:AT_FIRST])
        before = memory(pid)
        milliseconds = read_all(address, ids[AT_FIRST : AT_FIRST + tables])
        grown = memory(pid) - before
    chosen = {table_id: events[table_id] for table_id in ids[:stormy]}
    with server(database, "--limits", "0") as (address, pid):
        wait_until_warm(pid)
        spent = cpu_seconds(pid)
        seconds = asyncio.run(storm(address, chosen))
        spent = cpu_seconds(pid) - spent
    return Figures(
        tables=tables,
        kilobytes_per_table=round(grown / tables, 1),
        milliseconds_per_first_read=round(milliseconds, 2),
        sockets=stormy * PLAYERS,
        tables_of_sockets=stormy,
        seconds_to_come_back=round(seconds, 2),
        server_seconds_to_come_back=round(spent, 2),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--storm", type=int, default=500, help="tables to which both players reconnect")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder) / "tables.db", arguments.tables, arguments.storm)
    if arguments.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):30} {value}")


if __name__ == "__main__":
    main()
