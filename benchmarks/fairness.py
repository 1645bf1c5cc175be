"""How long a bot's answer takes while somebody else keeps the bots busy.

``python benchmarks/fairness.py`` starts a server. One visitor watches 200 tables at which bots of the highest level
play each other. From another address, people play against a quick bot and against one of the highest level, and it is
measured how long each waits for an answer, first without the first visitor and then beside them. The pause that the
server makes so that people can follow a bot is included. Needs Linux, where all of 127.0.0.0/8 belongs to the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from load import server
from players import cpu_seconds, key_of
from tables import wait_until_warm
from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

GREEDY_ADDRESS, PERSONS_ADDRESS = "127.0.0.2", "127.0.0.3"
QUICK, STRONGEST = "level1", "level6"
CALM = 3.0
"""Seconds of attack before the measuring begins."""


@dataclass
class Waits:
    """The seconds that somebody waited for a bot's answers."""

    bot: str
    beside_tables: int
    answers: int
    median: float
    worst: float


def open_table(store: Store, *seats: StoredSeat, table_id: str | None = None) -> str:
    """A table for two in the file, of the first game there is."""
    stored = StoredTable(table_id or new_id(), next(iter(GAMES)), 2, {}, SecretDealer().secret, seats=seats)
    store.add_table(stored)
    store.add_events(stored.id, 1, Table.new(stored).lines)
    return stored.id


def prepare(database: Path, tables: int, people: int) -> tuple[list[str], dict[str, list[str]]]:
    """The tables of the greedy visitor, and for each bot those of the people who play against it."""
    store = Store(database)
    greedy = [open_table(store, *[StoredSeat("bot", bot=STRONGEST)] * 2) for _ in range(tables)]
    played: dict[str, list[str]] = {QUICK: [], STRONGEST: []}
    for bot, ids in played.items():
        for _ in range(people):
            table_id = new_id()
            person = StoredSeat("human", "Ann", hash_key(key_of(table_id, 0)))
            ids.append(open_table(store, person, StoredSeat("bot", bot=bot), table_id=table_id))
    store.close()
    return greedy, played


async def hear(line: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these types."""
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["type"] in kinds:
            return message


async def play(address: str, table_id: str, until: float) -> list[float]:
    """Play against the bot until the time is up; the seconds that each of its answers took."""
    headers = {"Authorization": f"Bearer {key_of(table_id, 0)}"}
    target = f"ws://{address}/api/tables/{table_id}/live"
    waits: list[float] = []
    async with connect(target, additional_headers=headers, local_addr=(PERSONS_ADDRESS, 0)) as line:
        moment = (await hear(line, "state"))["state"]
        while time.perf_counter() < until and moment["over"] is None:
            sent = time.perf_counter()
            await line.send(json.dumps({"type": "move", "move": moment["legal"][0], "after": moment["event"]}))
            moment = await hear(line, "event")
            while moment["turn"] == 2:
                moment = await hear(line, "event")
                waits.append(time.perf_counter() - sent)
                sent = time.perf_counter()
    return waits


async def watch(address: str, table_id: str, stack: AsyncExitStack) -> asyncio.Task[None]:
    """Follow a table, reading everything."""
    target = f"ws://{address}/api/tables/{table_id}/live"
    line = await stack.enter_async_context(
        connect(target, local_addr=(GREEDY_ADDRESS, 0), open_timeout=60, ping_interval=None)
    )

    async def read() -> None:
        async for _ in line:
            pass

    return asyncio.create_task(read())


async def measure(address: str, played: dict[str, list[str]], beside: int, seconds: float, first: int) -> list[Waits]:
    """What people wait for each bot, one of them at a time."""
    found = []
    for bot, ids in played.items():
        waits: list[float] = []
        until = time.perf_counter() + seconds
        for table_id in ids[first : first + len(ids) // 2]:
            waits += await play(address, table_id, until)
        found.append(Waits(bot, beside, len(waits), round(statistics.median(waits), 3), round(max(waits), 3)))
    return found


async def attack(address: str, greedy: list[str], played: dict[str, list[str]], seconds: float) -> list[Waits]:
    """The waits without the greedy visitor, and beside them."""
    half = len(played[QUICK]) // 2
    found = await measure(address, played, 0, seconds, 0)
    async with AsyncExitStack() as stack:
        readers = [await watch(address, table_id, stack) for table_id in greedy]
        await asyncio.sleep(CALM)
        found += await measure(address, played, len(greedy), seconds, half)
        for reader in readers:
            reader.cancel()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200, help="tables of the greedy visitor")
    parser.add_argument("--seconds", type=float, default=20, help="for each bot and situation")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "fairness.db"
        greedy, played = prepare(database, arguments.tables, people=6)
        with server(database) as (address, pid):
            wait_until_warm(pid)
            begun = cpu_seconds(pid), time.perf_counter()
            found = asyncio.run(attack(address, greedy, played, arguments.seconds))
            cores = (cpu_seconds(pid) - begun[0]) / (time.perf_counter() - begun[1])
    if arguments.json:
        print(json.dumps({"server_cores": round(cores, 2), "waits": [asdict(waits) for waits in found]}, indent=2))
        return
    for waits in found:
        said = f"beside {waits.beside_tables} other tables" if waits.beside_tables else "alone"
        print(
            f"{waits.bot}  {said:24} {waits.answers:4} answers, median {waits.median:.2f} s, worst {waits.worst:.2f} s"
        )
    print(f"the server used {cores:.2f} cores")


if __name__ == "__main__":
    main()
