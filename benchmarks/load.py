"""How many games one server carries: real WebSocket clients on loopback against a real server process.

``python benchmarks/load.py`` opens 300 tables with two players each, who play a move a second at every table,
and prints how long it takes from sending a move until every viewer of that table has received it; ``--json``
prints the same figures for a program. All of it is a fair test of the server only on a machine with a core to
spare: the clients run beside it, in one process or, with ``--clients 2``, in two.

With ``--database postgresql://... --processes 2`` the two players of each table are connected to different server
processes, which share an empty PostgreSQL database. ``--games 1000 --server-cores 0 1 --client-cores 2 3 --clients 2``
measures a thousand games on two cores of a machine that has more.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from players import PLAYERS, Load, NothingMeasured, key_of, play_all
from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table


def prepare(database: Path | str, names: list[str], played: int = 0) -> list[str]:
    """Tables in a new database, one for each name of a game: the server limits how many one address may open.

    Up to so many moves are ``played`` already, another number at each table: games that all began at one moment would
    also score their rounds at one moment.
    """
    store, dice = Store(database), random.Random(1510)
    ids = []
    with store.transaction():
        for name in names:
            table_id = new_id()
            seats = [StoredSeat("human", f"Player {n + 1}", hash_key(key_of(table_id, n))) for n in range(PLAYERS)]
            stored = StoredTable(table_id, name, PLAYERS, {}, SecretDealer().secret, seats=seats)
            store.add_table(stored)
            store.add_events(table_id, 1, after_moves(Table.new(stored), dice.randint(0, played), dice).lines)
            ids.append(table_id)
    store.close()
    return ids


def after_moves(table: Table, moves: int, dice: random.Random) -> Table:
    """The same table after some random moves."""
    for _ in range(moves):
        turn = table.position.turn
        assert turn is not None, "the game is over before it was to be measured"
        table = table.play([turn], int(dice.choice(table.position.legal_moves.numbers())), table.event).table
    return table


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


def wait_until_ready(address: str) -> None:
    """Until a server has compiled everything."""
    while True:
        try:
            urlopen(f"http://{address}/readyz", timeout=10).close()
        except HTTPError:
            time.sleep(0.2)
        else:
            return


def start_servers(running: ExitStack, number: int, database: Path | str, *options: str) -> list[tuple[str, int]]:
    """Several servers on one database, started side by side, each ready to play."""
    with ThreadPoolExecutor(number) as threads:
        begin = threads.submit
        starting = [begin(running.enter_context, server(database, *options)) for _ in range(number)]
        servers = [started.result() for started in starting]
    for address, _ in servers:
        wait_until_ready(address)
    return servers


def pin(pid: int, cores: Iterable[int]) -> None:
    """Let a process use these cores alone: all its threads, and those that come later."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), set(cores))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="tables at which two people play")
    parser.add_argument("--spectators", type=int, default=0, help="people who watch at each table")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=4, help="seconds of play before the measuring begins")
    parser.add_argument("--played", type=int, default=20, help="moves played before, at most (default 20)")
    parser.add_argument("--game", choices=["all", *GAMES], default="all", help="one game, or all in turn")
    parser.add_argument("--folder", type=Path, help="where the file lies (default: a temporary folder)")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database instead of a file")
    parser.add_argument("--redis", metavar="URL", help="a Redis server between the processes")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="server processes (default 1)")
    parser.add_argument("--clients", type=int, default=1, metavar="N", help="processes of the players (default 1)")
    parser.add_argument("--server-cores", type=int, nargs="+", metavar="CORE", help="where the servers run")
    parser.add_argument("--client-cores", type=int, nargs="+", metavar="CORE", help="where the players run")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    kinds = list(GAMES) if arguments.game == "all" else [arguments.game]
    names = [kinds[n % len(kinds)] for n in range(arguments.games)]
    options = ["--redis", arguments.redis] if arguments.redis else []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder, ExitStack() as running:
        database = arguments.database or Path(folder) / "load.db"
        ids = prepare(database, names, arguments.played)
        servers = start_servers(running, arguments.processes, database, *options)
        for _, pid in servers if arguments.server_cores else ():
            pin(pid, arguments.server_cores)
        load = Load(servers, ids, arguments.seconds, arguments.warm, arguments.spectators)
        try:
            figures = play_all(load, arguments.clients, arguments.client_cores)
        except NothingMeasured as error:
            sys.exit(f"nothing could be measured: {error}")
    if arguments.json:
        print(json.dumps(asdict(figures), indent=2))
        return
    for name, value in asdict(figures).items():
        print(f"{name.replace('_', ' '):22} {value}")


if __name__ == "__main__":
    main()
