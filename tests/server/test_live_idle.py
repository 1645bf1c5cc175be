"""The live stream: tables that nobody looks at."""

from __future__ import annotations

import threading
import time

import pytest
from people import Person
from real_server import PATIENCE, ThreadServer, room_of, viewers, wait_until

from tilewright.bots.random import RandomBot
from tilewright.game.moves import Move
from tilewright.game.position import Position

pytestmark = pytest.mark.usefixtures("deserted")


def test_bots_among_themselves_play_only_while_somebody_watches(
    me: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch
):
    permits, choose = threading.Semaphore(4), RandomBot.choose

    def choose_with_permit(bot: RandomBot, position: Position) -> Move:
        assert permits.acquire(timeout=PATIENCE)
        return choose(bot, position)

    monkeypatch.setattr(RandomBot, "choose", choose_with_permit)
    table = me.open("bot", "bot", game="azul-mini")
    time.sleep(0.3)
    assert me.read(table)["event"] == 1, "nobody has come"
    with me.watch(table) as line:
        for _ in range(4):
            line.hear("event")
    wait_until(lambda: server.inside(viewers) == 0, "the only viewer should have left")
    permits.release(1000)
    wait_until(lambda: not server.inside(lambda live: room_of(live, table).is_running), "the bots should stop")
    event = me.read(table)["event"]
    time.sleep(0.3)
    assert me.read(table)["event"] == event < 10, "at most the move that was being thought about"
    with me.watch(table, after=event) as line:
        assert line.hear("event")["event"] > event


def test_tables_that_nobody_looks_at_are_forgotten_and_read_again(me: Person, table: str, server: ThreadServer):
    me.play_first(table)
    before = me.read(table)
    server.inside(lambda live: live.close_idle(idle=-1.0))
    assert server.inside(lambda live: table not in live._rooms)
    assert me.read(table) == before


def test_a_table_with_a_running_clock_is_not_forgotten(me: Person, server: ThreadServer):
    table = me.open("me", "friend", clock={"minutes": 5})
    me.play_first(table)
    server.inside(lambda live: live.close_idle(idle=-1.0))
    assert server.inside(lambda live: table in live._rooms)
