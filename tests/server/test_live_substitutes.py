"""The live stream: a bot plays for a player who is away, until they are back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from people import Line, Person, begin
from real_server import PATIENCE, ThreadServer, room_of, wait_until

from tilewright.bots.random import RandomBot
from tilewright.bots.registry import BOTS
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms

pytestmark = pytest.mark.usefixtures("deserted")


def replaced(line: Line, seat: int = 2) -> list[dict[str, Any]]:
    """Ask for a bot in a seat, and wait for it; the seats then."""
    line.send("replace", seat=seat)
    while not (seats := line.hear("presence")["seats"])[seat - 1]["substitute"]:
        pass
    found: list[dict[str, Any]] = seats
    return found


def test_a_bot_plays_on_for_who_is_away_until_they_are_back(me: Person, friend: Person, table: str, impatient: None):
    with me.watch(table) as mine:
        state = begin(mine)
        with friend.watch(table):
            while not mine.hear("presence")["seats"][1]["present"]:
                pass
        while not mine.hear("presence")["seats"][1]["replaceable"]:
            pass
        seat = replaced(mine)[1]
        assert (seat["name"], seat["kind"], seat["yours"]) == ("Bob (bot)", "bot", False)
        mine.move(state["legal"][0], 1)
        mine.hear("event", seat=2)
        assert friend.play(table, friend.read(table)["legal"][0]["number"]).status_code == 403
        with friend.watch(table, **{"Accept-Language": "fr"}) as theirs:
            assert begin(theirs)["legal"] == []
            seat = theirs.hear("presence")["seats"][1]
            assert (seat["name"], seat["you"], seat["yours"], seat["timed_out"]) == ("Bob (robot)", False, True, False)
            mine.send("return")
            assert mine.hear("error")["code"] == "no_substitute"
            theirs.send("return")
            while (seat := mine.hear("presence")["seats"][1])["substitute"]:
                pass
            assert (seat["name"], seat["kind"], seat["present"]) == ("Bob", "human", True)
            me.play_first(table)
            told = theirs.hear("event", seat=1)
            assert theirs.move(told["legal"][0], told["event"])["seat"] == 2


def test_who_is_back_while_the_substitute_thinks_moves_alone(
    server: ThreadServer, me: Person, friend: Person, table: str, impatient: None, monkeypatch: pytest.MonkeyPatch
):
    thinking = threading.Event()

    class Slow(RandomBot):
        def choose(self, position: Position) -> Move:
            assert thinking.wait(PATIENCE)
            return super().choose(position)

    monkeypatch.setitem(BOTS, "slow", Slow)
    monkeypatch.setattr("tilewright.server.child_bots.QUICK", {"slow"})  # it must think where this test sees it
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "slow")
    with me.watch(table) as mine:
        begin(mine)
        replaced(mine)
        me.play_first(table)
        mine.hear("thinking", seat=2)
        with friend.watch(table) as theirs:
            theirs.send("return")
            while not (state := theirs.hear("state")["state"])["legal"]:
                pass
            thinking.set()
            wait_until(lambda: not server.inside(lambda live: room_of(live, table).is_running), "the bot should stop")
            assert me.read(table)["event"] == 2, "the bot's move comes too late"
            assert theirs.move(state["legal"][0], 2)["event"] == 3


def test_who_comes_back_at_the_last_moment_is_not_replaced(
    server: ThreadServer, me: Person, friend: Person, table: str, impatient: None
):
    """The replacement was agreed to and waits for the table; meanwhile the person returns."""

    def hold(live: Rooms) -> None:
        room = room_of(live, table)
        room.in_background(held(room))

    async def held(room: Room) -> None:
        async with room.lock:
            holding.set()
            while not released.is_set():
                await asyncio.sleep(0.01)

    holding, released = threading.Event(), threading.Event()
    with me.watch(table) as mine:
        begin(mine)
        server.inside(hold)
        assert holding.wait(PATIENCE)
        mine.send("replace", seat=2)
        wait_until(lambda: server.inside(lambda live: len(room_of(live, table).lock._waiters or ())) == 1, "it waits")
        with friend.watch(table) as theirs:
            begin(theirs)
            released.set()
            mine.settle()
            theirs.settle()
            seat = me.read(table)["seats"][1]
            assert (seat["kind"], seat["substitute"]) == ("human", False)
            me.play_first(table)
            friend.play_first(table)


def test_who_comes_back_while_the_others_are_asked_is_not_replaced(
    person: Callable[[], Person], me: Person, friend: Person, impatient: None
):
    third = person()
    table = me.open("me", "invite", "invite")
    friend.join(table)
    third.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        mine.send("replace", seat=3)
        theirs.hear("ask")
        with third.watch(table):
            assert theirs.hear("ask")["asks"] == []
            theirs.send("answer", kind="replace", yes=True)
            assert theirs.hear("error")["code"] == "nobody_asked"
            assert me.read(table)["seats"][2]["kind"] == "human"


def test_three_players_must_agree_on_a_bot(person: Callable[[], Person], me: Person, friend: Person, impatient: None):
    third = person()
    table = me.open("me", "invite", "invite")
    friend.join(table)
    third.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(theirs)
        while not mine.hear("presence")["seats"][2]["replaceable"]:
            pass
        mine.send("replace", seat=3)
        assert theirs.hear("ask")["asks"] == [{"kind": "replace", "by": 1, "seat": 3}]
        assert me.read(table)["seats"][2]["kind"] == "human"
        theirs.send("answer", kind="replace", yes=True)
        while theirs.hear("presence")["seats"][2]["kind"] != "bot":
            pass
