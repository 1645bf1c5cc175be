"""A move that was acknowledged survives ``kill -9``: a real server process is killed in the middle of games.

Six games are played at once, each as fast as the server answers, so that moves share the waits for the disk.
"""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from people import DIRECT, Person
from real_server import ProcessServer, wait_until

from tilewright.game.registry import read_position
from tilewright.server.store import Store
from tilewright.server.table import Table

GAMES = ["azul", "azul-mini", "summer-pavilion"]
ROUNDS = 3
SEED = 1510
NEWS = 25
"""Seconds that a program waits for news which never come."""


@dataclass
class Player:
    """Somebody who plays at one table as fast as the server answers, and notes what was acknowledged."""

    person: Person
    table: str
    dice: random.Random
    acknowledged: list[str] = field(default_factory=list)
    asked: str | None = None
    """The move that was sent last, if no answer to it came."""
    last: dict[str, Any] = field(default_factory=dict)

    def play_until_the_server_dies(self) -> None:
        try:
            while True:
                self.last = self.person.read(self.table)
                if self.last["over"] is not None:
                    return
                move = self.dice.choice(self.last["legal"])
                self.asked = f"{self.last['turn']} {move['text']}"
                answer = self.person.play(self.table, move["number"], self.last["event"])
                assert answer.status_code == 200, answer.text
                self.acknowledged.append(self.asked)
                self.asked = None
        except httpx.TransportError:
            self.person.http.close()


@contextmanager
def players_at(server: ProcessServer) -> Iterator[list[Player]]:
    players = []
    for number, game in enumerate(GAMES * 2):
        person = Person(server.url)
        players.append(Player(person, person.open("me", "friend", game=game), random.Random(SEED + number)))
    try:
        yield players
    finally:
        for player in players:
            player.person.http.close()


def moves_in(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("draw")]


def moves_acknowledged(players: list[Player]) -> int:
    return sum(len(player.acknowledged) for player in players)


def kill_in_the_middle(server: ProcessServer, players: list[Player], moves: int) -> None:
    """Kill the server after some more moves: how many does not matter, only that it is another moment each time."""
    threads = [threading.Thread(target=player.play_until_the_server_dies) for player in players]
    enough = moves_acknowledged(players) + moves
    for thread in threads:
        thread.start()
    wait_until(lambda: moves_acknowledged(players) >= enough, "moves should be played")
    server.kill()
    for thread in threads:
        thread.join()


def assert_nothing_lost(player: Player) -> None:
    """Every acknowledged move is there; at most the one that was on its way may be there as well."""
    person = Person(player.person.url, player.person.key)
    now = person.read(player.table)
    kept = moves_in(now["events"])
    assert kept[: len(player.acknowledged)] == player.acknowledged
    assert kept[len(player.acknowledged) :] in ([], [player.asked])
    if len(kept) == len(moves_in(player.last["events"])):
        assert now["position"] == player.last["position"]
        assert now["legal"] == player.last["legal"]
    player.acknowledged = kept
    player.person = person


@pytest.mark.slow
def test_every_acknowledged_move_survives_kill_9(process_server: ProcessServer):
    dice = random.Random(SEED)
    process_server.start()
    with players_at(process_server) as players:
        for _ in range(ROUNDS):
            before = moves_acknowledged(players)
            kill_in_the_middle(process_server, players, dice.randrange(10, 50))
            process_server.start()
            for player in players:
                assert_nothing_lost(player)
            assert moves_acknowledged(players) >= before + 10, "the games should have gone on"
        for player in players[:3]:
            player.person.play_out(player.table, SEED)
            assert player.person.get(f"/api/tables/{player.table}/events").json()["checked"] is True
    process_server.stop()
    compare_with_the_file(process_server, players)


def compare_with_the_file(server: ProcessServer, players: list[Player]) -> None:
    """What lies in the file is a whole game, move by move, that follows the rules and the secret."""
    connection = sqlite3.connect(server.database)
    assert connection.execute("pragma integrity_check").fetchone()[0] == "ok"
    connection.close()
    store = Store(server.database)
    for player in players:
        stored = store.table(player.table)
        assert stored is not None
        table = Table.replay(stored, [event.line for event in store.events(player.table)])
        assert table.deals_are_honest()
        assert moves_in(table.lines)[: len(player.acknowledged)] == player.acknowledged
        assert read_position(table.position.to_text()) == table.position
    store.close()


def open_and_join_until_the_server_dies(url: str, opened: list[str]) -> None:
    """Open a table, let a friend join, and again, as fast as the server answers."""
    me, friend = Person(url), Person(url)
    with suppress(httpx.TransportError):
        while True:
            table = me.open("me", "invite", game="azul-mini")
            opened.append(table)
            friend.join(table)
    for person in (me, friend):
        person.http.close()


def kill_while_tables_fill(server: ProcessServer, tables: int) -> list[str]:
    """Kill the server when some tables have been opened, in whatever it is doing; the tables."""
    opened: list[str] = []
    given = (server.url, opened)
    threads = [threading.Thread(target=open_and_join_until_the_server_dies, args=given) for _ in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(opened) >= tables, "tables should be opened")
    server.kill()
    for thread in threads:
        thread.join()
    return opened


@pytest.mark.slow
def test_a_table_that_is_full_has_begun_whenever_the_server_is_killed(process_server: ProcessServer):
    """Taking the last seat and the first deal are one transaction."""
    opened: list[str] = []
    for tables in (5, 10, 19):
        process_server.start()
        opened += kill_while_tables_fill(process_server, tables)
    store = Store(process_server.database)
    ids = [row[0] for row in store.database.read("select id from tables")]
    assert set(opened) <= set(ids)
    for table_id in ids:
        found = store.game(table_id)
        assert found is not None
        table = Table.replay(found[0], [event.line for event in found[1]])
        assert (table.event == 0) is table.waits_for_players, "full and not begun, or begun and not full"
    store.close()


def test_a_bot_game_and_its_takebacks_go_on_after_kill_9(process_server: ProcessServer):
    process_server.start()
    me = Person(process_server.url)
    table = me.open("me", "bot")
    for _ in range(3):
        event = me.play_first(table)
        while me.read(table, after=event, wait=20)["turn"] != 1:
            pass
    with me.watch(table) as line:
        line.send("takeback")
        line.hear("state")
        while me.read(table)["turn"] != 1:
            pass
        line.settle()
    before = me.read(table)
    assert any(words.startswith("takeback") for words in before["events"])
    process_server.kill()
    process_server.start()
    after = me.read(table)
    for name in ("events", "position", "legal", "turn", "scores", "seed_hash"):
        assert after[name] == before[name], name
    event = me.play_first(table)
    assert event > before["event"]
    me.http.close()


def test_sigterm_ends_the_server_soon_whatever_goes_on(process_server: ProcessServer, monkeypatch: pytest.MonkeyPatch):
    """While it warms up: sockets are open, bots think, a program waits for news, and another one plays."""
    monkeypatch.setenv("TILEWRIGHT_WARM_UP", "1")
    process_server.start()
    me = Person(process_server.url)
    bots = [{"kind": "bot", "bot": "level6"}] * 2
    tables = [me.post("/api/tables", {"seats": bots}).json()["id"] for _ in range(4)]
    mine = me.open("me", "friend")
    waiting = threading.Thread(target=wait_for_news, args=(process_server.url, mine))
    with ExitStack() as lines:
        for table in (*tables, *tables):
            lines.enter_context(me.watch(table)).hear("thinking")
        waiting.start()
        event = me.play_first(mine)
        seconds = process_server.stop()
        waiting.join()
    assert seconds < NEWS, "nobody is waited for"
    assert "Traceback" not in process_server.log.read_text(encoding="utf-8")
    store = Store(process_server.database)
    assert len(store.events(mine)) == event
    store.close()
    me.http.close()


def wait_for_news(url: str, table: str) -> None:
    with suppress(httpx.TransportError):
        httpx.get(f"{url}/api/tables/{table}?after=1000&wait={NEWS}", **DIRECT)


def test_the_server_says_nothing_secret(process_server: ProcessServer):
    process_server.start()
    me = Person(process_server.url)
    table = me.open("me", "friend")
    me.play_first(table)
    me.play(table, "nonsense")
    me.get(f"/t/{table}")
    connection = sqlite3.connect(process_server.database)
    secret = connection.execute("select secret from tables").fetchone()[0]
    connection.close()
    me.http.close()
    process_server.stop()
    said = process_server.log.read_text(encoding="utf-8")
    assert me.key
    assert me.key not in said
    assert secret not in said
    assert "Traceback" not in said
