"""People play through whichever server answers, while servers, workers, PostgreSQL and Redis are killed and frozen.

``test_chaos.py`` runs this for a moment, ``benchmarks/chaos.py`` for as long as one likes.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
from real_server import ProcessServer
from services import PostgresServer, RedisServer, postgres_server, redis_server

from tilewright.server.checking import problem_of
from tilewright.server.store import Store
from tilewright.server.stored import StoredEvent, StoredGame

GAMES = ("azul", "azul-mini", "summer-pavilion")
PATIENCE = 1200.0
"""Seconds without any answer after which somebody gives up: on a busy machine, servers are down most of the time."""
AGAIN = (httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_MANY_REQUESTS)
"""Status codes after which a client sends its request again, as after an error of the server."""
TIMEOUT = httpx.Timeout(12.0, connect=3.0)
DEEP, QUICK = "level6", "level1"
MINUTES = 60.0
"""On clocks, where there are any: enough for the whole game, so that a clock that runs out has been unfair."""
SLACK = 0.5
"""Seconds by which the clocks of processes may differ in their idea of when something happened."""


class Victim(Protocol):
    """Something that can be killed, frozen and started again."""

    def signal(self, number: int) -> None:
        """Send it a signal."""

    def kill(self) -> None:
        """``kill -9``."""

    def start(self) -> object:
        """Start it again."""


class WorkerProcess:
    """``tilewright worker``."""

    def __init__(self, redis: str, log: Path) -> None:
        self._command = [sys.executable, "-m", "tilewright.cli.main", "worker", "--redis", redis, "--threads", "1"]
        self._log = log
        self.start()

    def start(self) -> None:
        """Start it; nobody waits for it."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=subprocess.STDOUT)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """``kill -9``: no time for anything."""
        self._process.kill()
        self._process.wait()


@dataclass
class Fleet:
    """Everything that can be killed."""

    database: PostgresServer
    redis: RedisServer
    servers: list[ProcessServer]
    workers: list[WorkerProcess]
    url: str
    """Of the database."""
    lost: Counter[str] = field(default_factory=Counter)
    """What was done to whom, and how often."""

    @property
    def victims(self) -> dict[str, list[Victim]]:
        """By kind."""
        return {
            "server": [*self.servers],
            "worker": [*self.workers],
            "PostgreSQL": [self.database],
            "Redis": [self.redis],
        }

    async def strike(self, kind: str, victim: Victim, how: str, seconds: float) -> None:
        """Kill or freeze something, and let it come back after a while."""
        self.lost[f"{kind} {how}"] += 1
        if how == "killed":
            await asyncio.to_thread(victim.kill)
            await asyncio.sleep(seconds)
            await _revive(victim)
            return
        victim.signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            victim.signal(signal.SIGCONT)

    async def haunt(
        self, kind: str, victim: Victim, dice: random.Random, pause: float, until: float, kills: float = 0.5
    ) -> None:
        """Strike again and again at random times; ``kills`` is the share of strikes that kill."""
        while time.monotonic() + (wait := dice.expovariate(1 / pause)) < until:
            await asyncio.sleep(wait)
            how = "killed" if dice.random() < kills else "frozen"
            await self.strike(kind, victim, how, dice.uniform(0.1, 4.0))


async def _revive(victim: Victim) -> None:
    """Start something until it stays: a server ends at once while its database is not there."""
    while True:
        try:
            await asyncio.to_thread(victim.start)
        except AssertionError:
            await asyncio.to_thread(victim.kill)
            await asyncio.sleep(0.5)
        else:
            return


@contextmanager
def fleet(servers: int, workers: int, folder: Path) -> Iterator[Fleet]:
    """Processes on one database and one Redis."""
    with ExitStack() as running:
        database, redis = running.enter_context(postgres_server()), running.enter_context(redis_server())
        url, options = database.new_database(), ["--redis", redis.url]
        started = [
            running.enter_context(ProcessServer(url, log=folder / f"server-{n}.log", options=options))
            for n in range(servers)
        ]
        working = [WorkerProcess(redis.url, folder / f"worker-{n}.log") for n in range(workers)]
        for worker in working:
            running.callback(worker.kill)
        yield Fleet(database, redis, started, working, url)


@dataclass
class Seen:
    """What one client saw of one game."""

    table: str
    lines: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    over: bool = False


@dataclass
class Client:
    """Somebody with a key, who plays one seat and uses any server for every request."""

    urls: Sequence[str]
    http: httpx.AsyncClient
    dice: random.Random
    key: str
    pause: float
    """Seconds of search, on average."""
    games: list[Seen] = field(default_factory=list)
    requests: int = 0
    retries: int = 0

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """An answer of any server; what got none is sent again as it was."""
        deadline = time.monotonic() + PATIENCE
        headers = {"Authorization": f"Bearer {self.key}"}
        failures: Counter[str] = Counter()
        while True:
            self.requests += 1
            try:
                url = self.dice.choice(self.urls) + path
                answer = await self.http.request(method, url, json=body, headers=headers)
                if answer.status_code < 500 and answer.status_code not in AGAIN:
                    return answer
                failures[str(answer.status_code)] += 1
            except httpx.TransportError as error:
                failures[type(error).__name__] += 1
            self.retries += 1
            assert time.monotonic() < deadline, f"no server answers {method} {path}: {dict(failures)}"
            await asyncio.sleep(self.dice.uniform(0.05, 0.3))

    async def play(self, table: str, is_wanted: Callable[[], bool]) -> None:
        """Play a game to its end, or for as long as that is wanted."""
        seen = Seen(table)
        self.games.append(seen)
        while is_wanted():
            now = (await self.ask("GET", f"/api/tables/{table}?after={len(seen.lines)}&wait=3")).json()
            assert now["event"] >= len(seen.lines), f"history went back from {len(seen.lines)} to {now['event']}"
            seen.lines += now["events"]
            if now["over"] is not None:
                seen.over = True
                return
            mine = {seat["seat"] for seat in now["seats"] if seat["you"]}
            if now["turn"] in mine and now["event"] == len(seen.lines):
                await asyncio.sleep(self.dice.expovariate(1 / self.pause) if self.pause else 0.0)
                await self._move(seen, now)

    async def _move(self, seen: Seen, now: dict[str, Any]) -> None:
        move = self.dice.choice(now["legal"])
        body = {"move": move["number"], "after": now["event"]}
        answer = await self.ask("POST", f"/api/tables/{seen.table}/moves", body)
        assert answer.status_code == 200, f"a move on one's turn was refused: {answer.text}"
        seen.acknowledged.append(f"{now['turn']} {move['text']}")


@dataclass
class Party:
    """Clients in pairs, or one with a bot, who play game after game."""

    fleet: Fleet
    clients: list[Client]
    http: httpx.AsyncClient

    @staticmethod
    def of(fleet: Fleet, tables: int, pause: float, seed: int) -> Party:
        """As many clients as the tables have seats for people."""
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=200)
        http = httpx.AsyncClient(trust_env=False, timeout=TIMEOUT, limits=limits)
        urls = [server.url for server in fleet.servers]
        clients = [
            Client(urls, http, random.Random(seed + n), secrets.token_urlsafe(24), pause) for n in range(2 * tables)
        ]
        return Party(fleet, clients, http)

    async def play(self, number: int, begins: Callable[[], bool], goes_on: Callable[[], bool]) -> None:
        """The games of one table's clients, one after the other; the first of them also with bots."""
        me, friend = self.clients[2 * number : 2 * number + 2]
        played = 0
        while begins():
            kind = GAMES[(number + played) % len(GAMES)]
            opponent = {0: DEEP, 1: QUICK}.get(number % 5)
            other = {"kind": "bot", "bot": opponent} if opponent else {"kind": "invite"}
            clock = {"minutes": MINUTES, "increment": 5} if number % 3 == 0 else None
            body = {"game": kind, "seats": [{"kind": "me"}, other], "clock": clock}
            table = (await me.ask("POST", "/api/tables", body)).json()["id"]
            if opponent is None:
                await friend.ask("POST", f"/api/tables/{table}/join", {"name": "friend"})
            players = [me] if opponent else [me, friend]
            await asyncio.gather(*(player.play(table, goes_on) for player in players))
            played += 1

    def hurry(self) -> None:
        """Let everybody play the rest of their games without thinking."""
        for client in self.clients:
            client.pause = 0.0

    def games(self) -> list[tuple[Client, Seen]]:
        """Every game as every client saw it."""
        return [(client, seen) for client in self.clients for seen in client.games]

    @property
    def acknowledged(self) -> int:
        """Moves that servers have confirmed."""
        return sum(len(seen.acknowledged) for _, seen in self.games())


def check(url: str, party: Party, *, finished: bool) -> list[str]:
    """What went wrong: nothing, if all is well."""
    wrong: list[str] = []
    with closing(Store(url)) as store:
        for client, seen in party.games():
            game, rows = store.game(seen.table), store.rows(seen.table)
            if game is None or rows is None:
                wrong.append(f"{seen.table} is gone")
                continue
            wrong += [f"{seen.table}: {problem}" for problem in _problems(game, client, seen, finished)]
            wrong += [f"{seen.table}: {problem}" for problem in [problem_of(rows)] if problem is not None]
    return wrong


def _problems(game: StoredGame, client: Client, seen: Seen, finished: bool) -> Iterator[str]:
    lines = [event.line for event in game.events]
    if lines[: len(seen.lines)] != seen.lines:
        yield "a client saw another history"
    mine = {move.partition(" ")[0] for move in seen.acknowledged}
    stored = [line for line in lines if line.partition(" ")[0] in mine]
    if stored[: len(seen.acknowledged)] != seen.acknowledged:
        yield "an acknowledged move is lost, or was played twice"
    if len(stored) - len(seen.acknowledged) > (0 if finished else 1):
        yield "a move was played that nobody sent"
    if finished and not seen.over:
        yield "the game did not end"
    yield from _unfair(game)


def _unfair(game: StoredGame) -> Iterator[str]:
    """Clocks that ran out, or took more than the time that went by."""
    if any(seat.timed_out for seat in game.table.seats):
        yield "a clock ran out"
    before: StoredEvent | None = None
    for event in game.events:
        if before is not None and event.spent > event.at - before.at + SLACK:
            yield f"a clock took {event.spent:.1f} s for a move of {event.at - before.at:.1f} s"
        before = event
