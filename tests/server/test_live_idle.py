"""The live stream: tables that nobody looks at."""

from __future__ import annotations

import threading

import pytest
from people import Person
from real_server import PATIENCE, ThreadServer, room_of, viewers, wait_until

from tilewright.bots.random import RandomBot
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.server.rooms import Rooms

pytestmark = pytest.mark.usefixtures("deserted")


@pytest.fixture
def permits(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Bots need one for each move, so that no game is over before a test has seen what it wants to see."""
    permits, choose = threading.Semaphore(0), RandomBot.choose

    def choose_with_permit(bot: RandomBot, position: Position) -> Move:
        assert permits.acquire(timeout=PATIENCE)
        return choose(bot, position)

    monkeypatch.setattr(RandomBot, "choose", choose_with_permit)
    return permits


def state_of(server: ThreadServer, table: str) -> tuple[int, bool]:
    """The last event, and whether a bot thinks, without asking for the table."""

    def look(live: Rooms) -> tuple[int, bool]:
        room = room_of(live, table)
        return room.table.event, room.is_running

    return server.inside(look)


def let_everybody_leave(server: ThreadServer, table: str, permits: threading.Semaphore) -> int:
    """Let the time pass for which a request counts as waiting; the event at which the bots stop."""
    wait_until(lambda: server.inside(viewers) == 0, "everybody should have left")
    server.inside(lambda live: room_of(live, table).audience._asked.clear())
    permits.release(1000)
    wait_until(lambda: not state_of(server, table)[1], "the bots should stop")
    return state_of(server, table)[0]


def test_bots_among_themselves_play_while_somebody_watches(
    me: Person, server: ThreadServer, permits: threading.Semaphore
):
    table = me.open("bot", "bot", game="azul-mini")
    assert state_of(server, table) == (1, False), "nobody has come"
    permits.release(4)
    with me.watch(table) as line:
        for _ in range(4):
            line.hear("event")
    event = let_everybody_leave(server, table, permits)
    assert event < 10, "at most the move that was being searched"
    with me.watch(table, after=event) as line:
        assert line.hear("event")["event"] > event


def test_bots_among_themselves_play_for_a_program_that_asks(
    me: Person, server: ThreadServer, permits: threading.Semaphore
):
    table = me.open("bot", "bot", game="azul-mini")
    event = me.read(table)["event"]
    for _ in range(3):
        permits.release()
        after = me.read(table, after=event, wait=20)
        assert after["event"] > event
        event = after["event"]
    event = let_everybody_leave(server, table, permits)
    assert event < 10
    assert me.read(table, after=event, wait=20)["event"] > event, "it asks again"


def test_a_bot_does_not_think_for_people_who_have_left(me: Person, server: ThreadServer, permits: threading.Semaphore):
    """Of two hundred tables that somebody opened and left, none costs a search."""
    table = me.open("bot", "me", game="azul-mini")
    assert state_of(server, table) == (1, False), "nobody has come yet"
    permits.release(1000)
    with me.watch(table) as line:
        line.hear("event")
    event = state_of(server, table)[0]
    move = server.inside(lambda live: int(next(iter(room_of(live, table).table.position.legal_moves))))
    answer = me.play(table, move, event)
    assert answer.status_code == 200
    after = me.read(table, after=event + 1, wait=20)
    assert after["events"][0].startswith("1 "), "who plays a move waits for the answer"


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
