"""Any process is killed or frozen while games go on: no acknowledged move is lost or played twice.

Two servers, a worker, PostgreSQL and Redis; people play one another and bots, through whichever server answers.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from people import Person
from real_server import PATIENCE, ProcessServer, wait_until
from services import PostgresServer, RedisServer, Service, postgres_server, redis_server

from tilewright.server.checking import problem_of
from tilewright.server.store import Store

GAMES = ["azul", "azul-mini", "summer-pavilion"]
SEED = 1510


@dataclass
class Player:
    """Somebody who plays all their seats at a table, through whichever server answers."""

    urls: list[str]
    dice: random.Random
    key: str
    table: str = ""
    acknowledged: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None
    seats: set[str] = field(default_factory=set)

    def play(self) -> None:
        """Play until told to stop or the game is over. A move that was not acknowledged is sent again as it was."""
        try:
            while not self.stop.is_set():
                now = self._ask(lambda person: person.get(f"/api/tables/{self.table}")).json()
                if now["over"] is not None:
                    return
                self.seats |= {str(seat["seat"]) for seat in now["seats"] if seat["you"]}
                if str(now["turn"]) not in self.seats:
                    self.stop.wait(0.05)
                    continue
                move, event = self.dice.choice(now["legal"]), now["event"]
                answer = self._ask(
                    lambda person, move=move, event=event: person.play(self.table, move["number"], event)
                )
                assert answer.status_code == 200, answer.text
                self.acknowledged.append(f"{now['turn']} {move['text']}")
        except Exception as error:
            self.error = error

    def _ask(self, ask) -> httpx.Response:  # type: ignore[no-untyped-def]
        deadline = time.monotonic() + PATIENCE
        while True:
            person = Person(self.dice.choice(self.urls), self.key)
            try:
                answer: httpx.Response = ask(person)
                if answer.status_code < 500:
                    return answer
            except httpx.TransportError:
                pass
            finally:
                person.http.close()
            assert time.monotonic() < deadline, "no server answers"
            time.sleep(0.05)


class WorkerProcess:
    """``tilewright worker``, which can be killed and started again."""

    def __init__(self, redis: str, log: Path) -> None:
        self._command = [sys.executable, "-m", "tilewright.cli.main", "worker", "--redis", redis, "--threads", "1"]
        self._log = log
        self.start()

    def start(self) -> None:
        """Start it; nobody waits for it."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        """``kill -9``: no time for anything."""
        self._process.kill()
        self._process.wait(PATIENCE)


@dataclass
class Club:
    """Everything that can be killed."""

    database: PostgresServer
    redis: RedisServer
    servers: list[ProcessServer]
    worker: WorkerProcess


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with ExitStack() as running:
        database, redis = running.enter_context(postgres_server()), running.enter_context(redis_server())
        url, options = database.new_database(), ["--redis", redis.url]
        logs = [tmp_path / f"{number}.log" for number in range(3)]
        servers = [running.enter_context(ProcessServer(url, log=log, options=options)) for log in logs[:2]]
        worker = WorkerProcess(redis.url, logs[2])
        running.callback(worker.kill)
        yield Club(database, redis, servers, worker)


def players_at(servers: list[ProcessServer]) -> list[Player]:
    """Six games, one of each kind with a bot that thinks in the worker."""
    players = []
    for number, game in enumerate(GAMES * 2):
        person = Person(servers[number % 2].url)
        other = {"kind": "bot", "bot": "level6"} if number < len(GAMES) else {"kind": "friend"}
        answer = person.post("/api/tables", {"game": game, "seats": [{"kind": "me"}, other]}).json()
        person.http.close()
        dice = random.Random(SEED + number)
        players.append(Player([server.url for server in servers], dice, answer["key"], answer["id"]))
    return players


def test_no_acknowledged_move_is_lost_whatever_is_killed(club: Club):
    players = players_at(club.servers)
    threads = [threading.Thread(target=player.play) for player in players]
    for thread in threads:
        thread.start()
    try:
        for disaster in (
            kill(club.servers[0]),
            kill(club.redis),
            kill(club.servers[1]),
            kill(club.database),
            kill(club.worker),
            freeze(club.database),
            freeze(club.redis),
        ):
            go_on(players)
            next(disaster)
            time.sleep(0.2)
            next(disaster)
        go_on(players)
    finally:
        for player in players:
            player.stop.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert [player.error for player in players] == [None] * len(players)
    for server in club.servers:
        server.stop()
    check(str(club.servers[0].database), players)


def go_on(players: list[Player], moves: int = 10) -> None:
    """Let some more moves be played."""

    def played() -> int:
        return sum(len(player.acknowledged) for player in players)

    enough = played() + moves
    wait_until(lambda: played() >= enough or any(player.error for player in players), "moves should be played")


def kill(victim: ProcessServer | Service | WorkerProcess) -> Iterator[None]:
    victim.kill()
    yield
    victim.start()
    yield


def freeze(service: Service) -> Iterator[None]:
    with service.frozen():
        yield
    yield


def check(url: str, players: list[Player]) -> None:
    """Every acknowledged move is there once, in its order, and the games follow the rules and their secrets."""
    with closing(Store(url)) as store:
        for player in players:
            game = store.game(player.table)
            assert game is not None
            assert problem_of(game) is None
            moves = [event.line for event in game.events if event.line[0] in player.seats]
            assert moves[: len(player.acknowledged)] == player.acknowledged
            assert len(moves) - len(player.acknowledged) in (0, 1), "at most the one that was on its way"
