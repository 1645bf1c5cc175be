"""A server that is told to end, as in a rolling update: nobody loses a move, and everybody goes on elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest
from people import Person, begin
from proxying import Proxy
from real_server import PATIENCE, ProcessServer, wait_until
from services import PostgresServer
from websockets.exceptions import ConnectionClosed

GOING_AWAY = 1001


@pytest.fixture
def pair(postgres: PostgresServer, tmp_path: Path) -> Iterator[list[ProcessServer]]:
    """Two servers on one database, which take a few seconds to end."""
    url = postgres.new_database()
    with ExitStack() as running:
        yield [
            running.enter_context(ProcessServer(url, log=tmp_path / f"{n}.log", options=["--drain", "3"]))
            for n in range(2)
        ]


def is_ready(server: ProcessServer) -> bool:
    return httpx.get(f"{server.url}/readyz", trust_env=False, timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_a_draining_server_goes_on_until_everybody_has_moved_on(pair: list[ProcessServer]):
    first, second = pair
    wait_until(lambda: is_ready(first), "it should be ready once it has compiled")
    with ExitStack() as here:
        me = here.enter_context(Person(first.url))
        table = me.open("me", "friend", game="azul-mini")
        patient, again = (here.enter_context(Person(url, me.key)) for url in (first.url, second.url))
        answers: list[httpx.Response] = []
        polling = threading.Thread(
            target=lambda: answers.append(patient.get(f"/api/tables/{table}?after={event}&wait=25"))
        )
        line = here.enter_context(me.watch(table))
        begin(line)
        first.tell_to_end()
        wait_until(lambda: not is_ready(first), "a proxy should be told first")
        event = me.play_first(table)
        line.hear("event", event=event)
        polling.start()
        with pytest.raises(ConnectionClosed) as closing:
            line.hear("never")
        assert closing.value.rcvd is not None
        assert closing.value.rcvd.code == GOING_AWAY
        first.wait()
        polling.join(PATIENCE)
        assert [answer.status_code for answer in answers] == [200], "who waited for an event got an answer"
        assert again.read(table)["event"] == event
        again.play_first(table)
    assert first.log.read_text(encoding="utf-8").count("Traceback") == 0


def test_a_second_signal_ends_it_at_once(tmp_path: Path):
    with ProcessServer(tmp_path / "tables.db", options=["--drain", "100000"]) as server:
        server.tell_to_end()
        wait_until(lambda: not is_ready(server), "the drain should begin")
        server.tell_to_end()
        server.wait()


class Client:
    """Somebody who plays both seats, with a new connection for every request."""

    def __init__(self, url: str) -> None:
        self.url = url
        with Person(url) as me:
            self.table = me.open("me", "friend", game="azul")
            self.key = me.key
        self.played: list[str] = []
        self.refused: list[str] = []
        self.stop = threading.Event()

    def play(self) -> None:
        """Play until told to stop, or the game is over."""
        while not self.stop.is_set():
            with Person(self.url, self.key) as one, Person(self.url, self.key) as other:
                now = one.read(self.table)
                if now["over"] is not None:
                    return
                move = now["legal"][0]
                answer = other.play(self.table, move["number"], now["event"])
            if answer.status_code == 200:
                self.played.append(f"{now['turn']} {move['text']}")
            else:
                self.refused.append(answer.text)

    def moves(self) -> list[str]:
        """The moves as a server knows them."""
        with Person(self.url, self.key) as me:
            return [line for line in me.read(self.table, after=0)["events"] if not line.startswith("draw")]


@pytest.mark.slow
def test_a_rolling_update_loses_no_move(pair: list[ProcessServer]):
    """Somebody plays through a proxy that asks ``/readyz``, while each server is replaced in turn."""
    for server in pair:
        wait_until(partial(is_ready, server), "it should be ready")
    with Proxy([server.port for server in pair]) as proxy:
        client = Client(proxy.url)
        playing = threading.Thread(target=client.play)
        playing.start()
        for server in pair:
            server.stop()
            server.start()
            wait_until(partial(is_ready, server), "it should be ready again")
        client.stop.set()
        playing.join(PATIENCE)
        assert client.refused == []
        assert client.moves() == client.played
