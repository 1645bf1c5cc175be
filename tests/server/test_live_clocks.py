"""The live stream: clocks, and what happens when one runs out."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from people import Person, begin, people_at
from real_server import PATIENCE, ThreadServer, room_of, wait_until

from tilewright.server import app, clock
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings

pytestmark = pytest.mark.usefixtures("deserted")


def hurry(server: ThreadServer, table: str, seat: int, seconds: float) -> None:
    def take_time(live: Rooms) -> None:
        room = room_of(live, table)
        assert room.clock is not None
        remaining = tuple(seconds if n == seat - 1 else left for n, left in enumerate(room.clock.remaining))
        room.clock = replace(room.clock, remaining=remaining)
        room.advance()

    server.inside(take_time)


def test_when_a_clock_runs_out_a_bot_plays_on_to_the_end(
    me: Person, friend: Person, server: ThreadServer, impatient: None
):
    table = me.open("me", "invite", game="azul-mini", clock={"minutes": 5, "increment": 0})
    friend.join(table, "Bob")
    with me.watch(table) as mine, friend.watch(table) as theirs:
        state = begin(mine)
        assert state["clock"] == {"remaining": [300.0, 300.0], "running": None}
        hurry(server, table, 2, 0.3)
        told = mine.move(state["legal"][0], 1)
        assert told["clock"]["running"] == 2
        assert told["clock"]["remaining"][0] == 300.0, "the clock starts with the first move"
        mine.hear("event", seat=2)
        assert theirs.hear("event", seat=2)
        seat = friend.read(table)["seats"][1]
        assert (seat["name"], seat["yours"], seat["timed_out"]) == ("Bob (bot)", True, True)
        theirs.send("return")
        assert theirs.hear("error")["code"] == "clock_ran_out"
    while (now := me.read(table))["over"] is None:
        if now["turn"] == 1:
            me.play_first(table)
    assert friend.post(f"/api/tables/{table}/rematch").json()["seats"] == [1]


def test_who_moves_in_the_last_moment_is_not_replaced(
    me: Person, friend: Person, table: str, server: ThreadServer, impatient: None
):
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 60})
    friend.join(table)
    me.play_first(table)
    hurry(server, table, 2, PATIENCE)
    friend.play_first(table)

    def flag_falls(live: Rooms) -> None:
        room_of(live, table)._flag_falls(1)

    server.inside(flag_falls)
    me.play_first(table)
    assert me.read(table)["seats"][1]["kind"] == "human"


def test_a_flag_falls_although_the_clock_of_the_system_was_set_back(
    me: Person, friend: Person, server: ThreadServer, impatient: None, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 0})
    friend.join(table)
    me.play_first(table)
    hurry(server, table, 2, 0.5)
    monkeypatch.setattr(clock, "time", SimpleNamespace(time=lambda: time.time() - 1.0))
    wait_until(lambda: me.read(table)["seats"][1]["timed_out"], "the flag should fall a second later")


def remaining(server: ThreadServer, table: str) -> list[float]:
    def read(live: Rooms) -> list[float]:
        clock = room_of(live, table).clock
        assert clock is not None
        return list(clock.remaining)

    return server.inside(read)


def forget(live: Rooms, table: str) -> None:
    room = live._rooms.pop(table, None)
    if room and room._flag:
        room._flag.cancel()


def read_again(server: ThreadServer, person: Person, table: str) -> list[float]:
    """What the clocks show when the table is read from the disk, as after a restart."""
    server.inside(lambda live: forget(live, table))
    person.read(table)
    return remaining(server, table)


def test_a_takeback_gives_no_time_back_and_is_remembered(me: Person, friend: Person, server: ThreadServer):
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 2})
    friend.join(table)
    begun = time.time()
    me.play_first(table)
    time.sleep(0.3)
    answered = time.time()
    friend.play_first(table)
    theirs_took = time.time() - begun
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(theirs)
        time.sleep(0.4)
        theirs.send("takeback")
        mine.hear("ask")
        mine.send("answer", kind="takeback", yes=True)
        while theirs.hear("state")["state"]["event"] != 4:
            pass
    mine_left, theirs_left = remaining(server, table)
    mine_took = time.time() - answered
    assert 300.0 - mine_took <= mine_left <= 299.6, "the time since the move that was taken back is mine"
    assert 302.0 - theirs_took <= theirs_left <= 301.7, "no time comes back, the increment stays"
    assert read_again(server, me, table) == pytest.approx([mine_left, theirs_left])
    friend.play_first(table)
    assert remaining(server, table)[0] == pytest.approx(mine_left)
    assert read_again(server, me, table) == pytest.approx(remaining(server, table))


def test_nobody_pays_for_the_time_when_the_server_was_down(where: str):
    settings = Settings(thinking=0.0, limits=0)
    with ThreadServer(app.make_app(where, settings)) as first, people_at(first.url) as person:
        me = person()
        table = me.open("me", "friend", clock={"minutes": 5, "increment": 0})
        me.play_first(table)
        before = remaining(first, table)
    time.sleep(1.0)
    restarted = time.time()
    with ThreadServer(app.make_app(where, settings)) as second, people_at(second.url) as person:
        again = person()
        again.key = me.key
        again.read(table)
        assert remaining(second, table) == pytest.approx(before)
        again.play_first(table)
        after = remaining(second, table)
        assert after[1] >= before[1] - (time.time() - restarted), "the second of the pause is nobody's"
    with ThreadServer(app.make_app(where, settings)) as third, people_at(third.url) as person:
        person().read(table)
        assert remaining(third, table) == pytest.approx(after), "not at the next start either"
