"""The live stream: what players ask each other for, takebacks above all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from people import Person, begin
from real_server import ThreadServer

from tilewright.server.errors import Forbidden
from tilewright.server.rooms import Rooms

pytestmark = pytest.mark.usefixtures("deserted")


def test_a_takeback_needs_consent(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        before = begin(mine)
        mine.move(before["legal"][0], 1)
        mine.send("takeback")
        assert theirs.hear("ask")["asks"] == [{"kind": "takeback", "by": 1, "seat": 1}]
        watched.send("answer", kind="takeback", yes=True)
        assert "nobody asked" in watched.hear("error")["error"]
        theirs.send("answer", kind="takeback", yes=False)
        assert mine.hear("state")["state"]["event"] == 2
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        final = mine.hear("state")["state"]
        assert (final["event"], final["turn"], final["log"]) == (3, 1, [])
        assert final["scene"] == before["scene"]
        assert final["legal"] == before["legal"]
        assert [line.settle()[-2]["state"]["event"] for line in (theirs, watched)] == [3, 3]
    assert me.read(table)["events"][1:] == [me.read(table)["events"][1], "takeback 1"]


def test_a_takeback_that_comes_too_late_is_not_proposed_any_more(
    me: Person, friend: Person, table: str, server: ThreadServer
):
    async def answer_late(rooms: Rooms) -> list[Any]:
        room = rooms._rooms[table]
        async with room.lock:  # while a move is being stored, the other player agrees
            late = asyncio.create_task(room.consent.answer("takeback", [1], yes=True))
            await asyncio.sleep(0)
            room.consent.withdraw_all()
            room.table = replace(room.table, lines=(*room.table.lines, "draw bbyr"))
        with pytest.raises(Forbidden):
            await late
        room.table = replace(room.table, lines=room.table.lines[:-1])
        return room.consent.described()

    with me.watch(table) as mine:
        mine.move(begin(mine)["legal"][0], 1)
        mine.send("takeback")
        mine.hear("ask")
        assert server.inside_async(answer_late) == []


def test_a_takeback_waits_for_who_is_away(me: Person, friend: Person, table: str):
    with me.watch(table) as mine:
        mine.move(begin(mine)["legal"][0], 1)
        mine.send("takeback")
        asks = [{"kind": "takeback", "by": 1, "seat": 1}]
        assert mine.hear("ask")["asks"] == asks
        assert me.read(table)["event"] == 2
        with friend.watch(table) as theirs:
            assert begin(theirs)["asks"] == asks
        mine.settle()
        assert me.read(table)["event"] == 2, "who leaves has not agreed"
        with friend.watch(table) as theirs:
            theirs.send("answer", kind="takeback", yes=True)
            while theirs.hear("state")["state"]["event"] != 3:
                pass
    assert me.read(table)["turn"] == 1


def test_a_takeback_needs_everybody_but_those_for_whom_bots_play(
    person: Callable[[], Person], me: Person, friend: Person, impatient: None
):
    third = person()
    table = me.open("me", "invite", "invite")
    friend.join(table)
    third.join(table)
    me.play_first(table)
    with me.watch(table) as mine:
        begin(mine)
        mine.send("takeback")
        mine.hear("ask")
        with friend.watch(table) as theirs:
            theirs.send("answer", kind="takeback", yes=True)
            theirs.settle()
            assert me.read(table)["event"] == 2, "the third has not agreed"
            mine.send("replace", seat=3)
            theirs.hear("ask")
            theirs.send("answer", kind="replace", yes=True)
            while mine.hear("state")["state"]["event"] != 3:
                pass
    assert me.read(table)["turn"] == 1


def test_against_a_bot_a_takeback_needs_nobody(me: Person):
    table = me.open("me", "bot")
    with me.watch(table) as line:
        before = begin(line)
        line.move(before["legal"][0], 1)
        line.hear("event", seat=2)
        line.send("takeback")
        state = line.hear("state")["state"]
        assert (state["turn"], state["scene"]) == (1, before["scene"])
        assert line.move(state["legal"][0], state["event"])["seat"] == 1
        line.hear("event", seat=2)


def test_after_a_draw_nobody_takes_a_move_back(me: Person, friend: Person, stranger: Person):
    """Not even with consent: the new tiles are seen. Nobody is offered it either."""
    table = me.open("me", "invite", game="azul-mini")
    friend.join(table)
    people = (me, friend)
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        lines = (mine, theirs, watched)
        assert [begin(line)["takeback"] for line in lines] == [False, False, False]
        while len((now := me.read(table))["events"]) < 2 or not now["events"][-1].startswith("draw"):
            mover = now["turn"] - 1
            people[mover].play_first(table)
            told = [line.hear("event") for line in lines]
            drawn = me.read(table)["events"][-1].startswith("draw")
            assert told[mover]["takeback"] is not drawn
            assert told[2]["takeback"] is False
        assert [one["takeback"] for one in told] == [False, False, False]
        for line in (mine, theirs):
            line.send("takeback")
            refusal = line.hear("error")
            assert (refusal["code"], refusal["said"]) == (
                "takeback_drawn",
                "New tiles have been drawn since then: that move can no longer be undone.",
            )
        assert me.read(table)["event"] == now["event"]


def test_only_players_ask_and_only_for_what_can_be(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        for line, message, words in [
            (mine, {"type": "takeback"}, "no move"),
            (watched, {"type": "takeback"}, "only players"),
            (mine, {"type": "replace", "seat": 2}, "not been away"),
            (mine, {"type": "replace", "seat": 3}, "no such seat"),
            (watched, {"type": "replace", "seat": 1}, "only players"),
            (theirs, {"type": "answer", "kind": "takeback", "yes": True}, "nobody asked"),
        ]:
            line.socket.send(json.dumps(message))
            assert words in line.hear("error")["error"]
    assert me.read(table)["event"] == 1
