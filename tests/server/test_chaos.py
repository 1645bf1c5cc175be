"""Servers and their database are killed and frozen while games go on: no acknowledged move is lost or played twice."""

from __future__ import annotations

import random
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
from services import PostgresServer, postgres_server

from tilewright.server.store import Store
from tilewright.server.table import Table

GAMES = ["azul", "azul-mini", "summer-pavilion"]
SEED = 1510


@dataclass
class Player:
    """Somebody who plays all seats of a table, through whichever server answers."""

    urls: list[str]
    dice: random.Random
    key: str
    table: str = ""
    acknowledged: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None

    def play(self) -> None:
        """Play until told to stop or the game is over. A move that was not acknowledged is sent again as it was."""
        try:
            while not self.stop.is_set():
                now = self._ask(lambda person: person.get(f"/api/tables/{self.table}")).json()
                if now["over"] is not None:
                    return
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


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    """A PostgreSQL that may be killed."""
    with postgres_server() as running:
        yield running


@pytest.fixture
def servers(database: PostgresServer, tmp_path: Path) -> Iterator[list[ProcessServer]]:
    url = database.new_database()
    with ExitStack() as running:
        yield [running.enter_context(ProcessServer(url, log=tmp_path / f"{number}.log")) for number in range(2)]


def test_no_acknowledged_move_is_lost_whatever_is_killed(database: PostgresServer, servers: list[ProcessServer]):
    players = []
    for number, game in enumerate(GAMES * 2):
        person = Person(servers[number % 2].url)
        table = person.open("me", "friend", game=game)
        assert person.key
        dice = random.Random(SEED + number)
        players.append(Player([server.url for server in servers], dice, person.key, table))
        person.http.close()
    threads = [threading.Thread(target=player.play) for player in players]
    for thread in threads:
        thread.start()
    try:
        for disaster in (kill_server(servers[0]), kill_server(servers[1]), kill_database(database), freeze(database)):
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
    for server in servers:
        server.stop()
    check(str(servers[0].database), players)


def go_on(players: list[Player], moves: int = 10) -> None:
    """Let some more moves be played."""

    def played() -> int:
        return sum(len(player.acknowledged) for player in players)

    enough = played() + moves
    wait_until(lambda: played() >= enough or any(player.error for player in players), "moves should be played")


def kill_server(server: ProcessServer) -> Iterator[None]:
    server.kill()
    yield
    server.start()
    yield


def kill_database(database: PostgresServer) -> Iterator[None]:
    database.kill()
    yield
    database.start()
    yield


def freeze(database: PostgresServer) -> Iterator[None]:
    with database.frozen():
        yield
    yield


def check(url: str, players: list[Player]) -> None:
    """Every acknowledged move is there once, in its order, and the games follow the rules and their secrets."""
    with closing(Store(url)) as store:
        for player in players:
            game = store.game(player.table)
            assert game is not None
            table = Table.replay(game.table, [event.line for event in game.events])
            assert table.deals_are_honest()
            moves = [line for line in table.lines if not line.startswith("draw")]
            assert moves[: len(player.acknowledged)] == player.acknowledged
            assert len(moves) - len(player.acknowledged) in (0, 1), "at most the one that was on its way"
