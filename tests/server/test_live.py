"""The live stream, with real WebSocket clients: everybody sees the same, and nobody can hurt the others."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from people import Line, Person
from real_server import ProcessServer, ThreadServer, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tilewright.bots.random import RandomBot
from tilewright.bots.registry import BOTS
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.server import limits, viewer
from tilewright.server.limits import Allowed, Limits, Rate
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings

GAMES = ["azul", "azul-mini", "summer-pavilion"]


@pytest.fixture(autouse=True)
def unhurt(server: ThreadServer, me: Person, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After whatever happened: the server answers, everybody has left, and nothing went wrong inside it."""
    with caplog.at_level(logging.WARNING):
        yield
        assert me.get("/api/games").status_code == 200
        wait_until(lambda: server.inside(viewers) == 0, "everybody should have left")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def viewers(live: Rooms) -> int:
    return sum(len(room.viewers) for room in live._rooms.values())


def room_of(live: Rooms, table: str) -> Room:
    return live._rooms[table]


@pytest.fixture
def table(me: Person, friend: Person) -> str:
    """Two people at a table of Azul."""
    made = me.open("me", "invite", names=("Ada", ""))
    friend.join(made, "Bob")
    return made


def events(heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events without what is only for the one who may move, or may take back."""
    return [
        {key: value for key, value in message.items() if key not in ("legal", "takeback")}
        for message in heard
        if message["type"] == "event"
    ]


def begin(line: Line) -> dict[str, Any]:
    """The state that a newcomer is told."""
    state: dict[str, Any] = line.hear("state")["state"]
    return state


# Seeing the same ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_two_players_and_a_spectator_see_the_same_game(me: Person, friend: Person, stranger: Person, game: str):
    table = me.open("me", "invite", game=game, clock={"minutes": 10, "increment": 1})
    friend.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        state = begin(mine)
        assert begin(theirs)["legal"] == begin(watched)["legal"] == []
        legal, turn = state["legal"], state["turn"]
        lines = {1: mine, 2: theirs}
        while turn is not None:
            move, event = legal[len(legal) // 2], state["event"]
            if event % 2:  # half of the moves by the other way, so that nobody sends too many messages
                lines[turn].send("move", move=move, after=event)
            else:
                assert {1: me, 2: friend}[turn].play(table, move, event).status_code == 200
            told = {name: line.hear("event") for name, line in (*lines.items(), (0, watched))}
            state = told[0]
            assert state["legal"] == []
            turn = state["turn"]
            if turn is not None:
                legal = told[turn]["legal"]
                assert legal
                assert told[3 - turn]["legal"] == []
        heard = [events(line.settle()) for line in (mine, theirs, watched)]
    for message in heard[0]:
        message.pop("clock")
    for others in heard[1:]:
        for message in others:
            message.pop("clock")
        assert others == heard[0]
    final = me.read(table)
    assert heard[0][-1]["over"]["scores"] == final["scores"]
    assert heard[0][-1]["event"] == final["event"]


@pytest.mark.parametrize("game", GAMES)
def test_the_steps_of_the_moves_add_up_to_the_scene(me: Person, game: str):
    table = me.open("me", "friend", game=game)
    with me.watch(table) as line:
        state = begin(line)
        scene, legal, event, turn = state["scene"], state["legal"], state["event"], state["turn"]
        while turn is not None:
            assert me.play(table, legal[0], event).status_code == 200
            told = line.hear("event")
            for step in told["steps"]:
                for slot, kind in step["tiles"].items():
                    scene["tiles"].pop(slot, None)
                    if kind is not None:
                        scene["tiles"][slot] = kind
                scene["texts"].update(step["texts"])
                scene["marks"] = step["marks"]
            legal, event, turn = told["legal"], told["event"], told["turn"]
    assert me.get(f"/api/tables/{table}/view").json()["state"]["scene"] == scene


@pytest.fixture
def impatient(server: ThreadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is away may be replaced at once, by a bot that plays anything."""
    monkeypatch.setattr("tilewright.server.room.SUBSTITUTE", "random")
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, limits=0, absent=0.0))


def test_everybody_who_comes_is_told_the_moment(me: Person, friend: Person, table: str):
    with me.watch(table) as line:
        begin(line)
    me.play_first(table)
    friend.play_first(table)
    with me.watch(table, after=1) as line:
        state = begin(line)
        assert (state["event"], state["turn"]) == (3, 1)
        assert [entry["number"] for entry in state["log"]] == [2, 3]
        assert state == me.get(f"/api/tables/{table}/view").json()["state"]
    with me.watch(table, after=3) as line:
        assert line.settle()[0]["state"] == state, "whatever the newcomer believes to know"


def test_a_tab_that_lost_its_line_hears_what_no_event_tells_of(me: Person, friend: Person, table: str):
    """A question that was settled, a takeback, a rematch: none of them is a move that was missed."""
    me.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        mine.send("takeback")
        theirs.hear("ask")
        with friend.watch(table, after=2) as second_tab:
            assert begin(second_tab)["asks"] == [{"kind": "takeback", "by": 1, "seat": 1}]
        theirs.send("answer", kind="takeback", yes=False)
        mine.hear("state", "error")
        with friend.watch(table, after=2) as second_tab:
            assert begin(second_tab)["asks"] == []
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        while theirs.hear("state")["state"]["event"] != 3:
            pass
        with friend.watch(table, after=2) as second_tab:
            state = begin(second_tab)
            assert (state["event"], state["turn"], state["log"]) == (3, 1, [])


def test_who_was_away_when_a_rematch_was_asked_for_hears_of_it(me: Person, friend: Person):
    table = me.open("me", "invite", game="azul-mini")
    friend.join(table)
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    made = me.post(f"/api/tables/{table}/rematch").json()
    with friend.watch(table, after=now["event"]) as line:
        assert line.hear("rematch")["url"] == made["url"]


def test_after_a_restart_everybody_goes_on(process_server: ProcessServer):
    process_server.start()
    me, friend = Person(process_server.url), Person(process_server.url)
    table = me.open("me", "invite")
    friend.join(table)
    me.play_first(table)
    friend.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        while (before := mine.hear("state")["state"])["event"] != 4:
            pass
    process_server.stop()
    process_server.start()
    with me.watch(table, after=before["event"]) as one, me.watch(table, after=2) as two, friend.watch(table) as theirs:
        for line in (one, two):
            state = begin(line)
            assert {**state, "asks": []} == {**before, "asks": []}
        begin(theirs)
        assert one.move(before["legal"][0], 4)["event"] == 5
        assert two.hear("event")["event"] == theirs.hear("event")["event"] == 5
    for one_person in (me, friend):
        one_person.http.close()


def test_several_tabs_agree(me: Person, friend: Person, table: str):
    with me.watch(table) as one, me.watch(table) as two, friend.watch(table) as theirs:
        legal = begin(one)["legal"]
        assert begin(two)["legal"] == legal
        begin(theirs)
        one.send("move", move=legal[0], after=1)
        two.send("move", move=legal[1], after=1)
        answers = [one.hear("event", "error"), two.hear("event", "error")]
        for line in (one, two, theirs):
            line.settle()
        played = [line.heard for line in (one, two, theirs)]
        assert events(played[0]) == events(played[1]) == events(played[2])
        assert len(events(played[0])) == 1, "one of the two moves came too late"
    assert me.read(table)["event"] == 2
    errors = [message for heard in played for message in heard if message["type"] == "error"]
    assert len(errors) == 1
    assert "event 1" in errors[0]["error"]
    assert answers


def test_everybody_hears_in_the_own_language(me: Person, friend: Person, table: str):
    with (
        me.watch(table, **{"Accept-Language": "fr"}) as french,
        friend.watch(table, **{"Accept-Language": "it"}) as italian,
    ):
        french.send("move", move=begin(french)["legal"][0], after=1)
        assert french.hear("event")["text"] != italian.hear("event")["text"]


def test_presence(me: Person, friend: Person, table: str):
    def present(line: Line) -> list[bool]:
        return [seat["present"] for seat in line.hear("presence")["seats"]]

    with me.watch(table) as mine:
        assert present(mine) == [True, False]
        with friend.watch(table) as theirs:
            assert present(mine) == present(theirs) == [True, True]
            with friend.watch(table) as second_tab:
                assert present(mine) == present(second_tab) == [True, True]
            assert present(mine) == [True, True]
        assert present(mine) == [True, False]


def test_a_preview_says_what_a_move_would_bring(me: Person, table: str):
    with me.watch(table) as line:
        move = begin(line)["legal"][0]
        line.send("preview", move=move)
        told = line.hear("preview")
        assert told["move"] == move
        assert told["lines"]
    assert me.read(table)["event"] == 1


# Consent, bots and clocks -------------------------------------------------------------------------------


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
                "New tiles have been drawn since: that move cannot be taken back any more.",
            )
        assert me.read(table)["event"] == now["event"]


def test_two_tabs_that_play_the_same_move_play_it_once(me: Person, table: str):
    with me.watch(table) as one, me.watch(table) as other:
        move = begin(one)["legal"][0]
        begin(other)
        assert one.move(move, 1)["event"] == 2
        other.send("move", move=move, after=1)
        told = other.settle()
        assert [message["event"] for message in events(told)] == [2]
        assert not [message for message in told if message["type"] == "error"]
    assert me.read(table)["event"] == 2


def test_only_players_ask_and_only_for_what_can_be(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        for line, message, words in [
            (mine, {"type": "takeback"}, "no move"),
            (watched, {"type": "takeback"}, "only players"),
            (mine, {"type": "replace", "seat": 2}, "not away"),
            (mine, {"type": "replace", "seat": 3}, "no such seat"),
            (watched, {"type": "replace", "seat": 1}, "only players"),
            (theirs, {"type": "answer", "kind": "takeback", "yes": True}, "nobody asked"),
        ]:
            line.socket.send(json.dumps(message))
            assert words in line.hear("error")["error"]
    assert me.read(table)["event"] == 1


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
            mine.hear("presence")
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
            thinking.wait(10)
            return super().choose(position)

    monkeypatch.setitem(BOTS, "slow", Slow)
    monkeypatch.setattr("tilewright.server.room.SUBSTITUTE", "slow")
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
            assert me.read(table)["event"] == 2, "the bot's thought comes too late"
            assert theirs.move(state["legal"][0], 2)["event"] == 3


def test_who_comes_back_at_the_last_moment_is_not_replaced(
    server: ThreadServer, me: Person, friend: Person, table: str, impatient: None
):
    """The replacement was agreed to and waits for the table; meanwhile the person returns."""

    def hold(live: Rooms) -> None:
        room = room_of(live, table)
        room._background(held(room))

    async def held(room: Room) -> None:
        async with room.lock:
            holding.set()
            while not released.is_set():
                await asyncio.sleep(0.01)

    holding, released = threading.Event(), threading.Event()
    with me.watch(table) as mine:
        begin(mine)
        server.inside(hold)
        assert holding.wait(10)
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
        while not mine.hear("presence")["seats"][2]["replaceable"]:
            pass
        mine.send("replace", seat=3)
        assert theirs.hear("ask")["asks"] == [{"kind": "replace", "by": 1, "seat": 3}]
        assert me.read(table)["seats"][2]["kind"] == "human"
        theirs.send("answer", kind="replace", yes=True)
        while theirs.hear("presence")["seats"][2]["kind"] != "bot":
            pass


def hurry(server: ThreadServer, table: str, seat: int, seconds: float) -> None:
    def take_time(live: Rooms) -> None:
        room = room_of(live, table)
        assert room.clock is not None
        room.clock.remaining[seat - 1] = seconds
        room.go_on()

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
    hurry(server, table, 2, 5.0)
    friend.play_first(table)

    def flag_falls(live: Rooms) -> None:
        room_of(live, table)._time_is_up(1)

    server.inside(flag_falls)
    me.play_first(table)
    assert me.read(table)["seats"][1]["kind"] == "human"


# Clocks -------------------------------------------------------------------------------------------------


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


def read_anew(server: ThreadServer, person: Person, table: str) -> list[float]:
    """What the clocks show when the table is read from the disk, as after a restart."""
    server.inside(lambda live: forget(live, table))
    person.read(table)
    return remaining(server, table)


def test_a_takeback_gives_no_time_back_and_is_remembered(me: Person, friend: Person, server: ThreadServer):
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 2})
    friend.join(table)
    me.play_first(table)
    time.sleep(0.3)
    friend.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(theirs)
        time.sleep(0.4)
        theirs.send("takeback")
        mine.hear("ask")
        mine.send("answer", kind="takeback", yes=True)
        while theirs.hear("state")["state"]["event"] != 4:
            pass
    mine_left, theirs_left = remaining(server, table)
    assert 299.0 < mine_left < 299.7, "the time since the move that was taken back is mine"
    assert 301.0 < theirs_left < 301.8, "no time comes back, the increment stays"
    assert read_anew(server, me, table) == pytest.approx([mine_left, theirs_left])
    friend.play_first(table)
    assert remaining(server, table)[0] == pytest.approx(mine_left)
    assert read_anew(server, me, table) == pytest.approx(remaining(server, table))


def test_nobody_pays_for_the_time_when_the_server_was_down(me: Person, friend: Person, server: ThreadServer):
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 0})
    friend.join(table)
    me.play_first(table)
    before = remaining(server, table)
    server.inside(lambda live: forget(live, table))
    time.sleep(1.0)
    assert read_anew(server, friend, table) == pytest.approx(before)
    friend.play_first(table)
    after = remaining(server, table)
    assert after[1] > before[1] - 0.8, "the second of the pause is nobody's"
    assert read_anew(server, me, table) == pytest.approx(after), "not at the next start either"


def test_bots_among_themselves_play_only_while_somebody_watches(me: Person, server: ThreadServer):
    table = me.open("bot", "bot", game="azul-mini")
    time.sleep(0.3)
    assert me.read(table)["event"] == 1, "nobody has come"
    with me.watch(table) as line:
        for _ in range(4):
            line.hear("event")
    wait_until(lambda: not server.inside(lambda live: room_of(live, table).is_running), "the bots should stop")
    event = me.read(table)["event"]
    time.sleep(0.3)
    assert me.read(table)["event"] == event < 200
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


# What is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "",
        "x",
        "[]",
        "1",
        "null",
        "{}",
        '{"type": 1}',
        '{"type": "nothing"}',
        '{"type": "move"}',
        '{"type": "move", "move": null, "after": 1}',
        '{"type": "move", "move": true, "after": 1}',
        '{"type": "move", "move": 0}',
        '{"type": "move", "move": 0, "after": "1"}',
        '{"type": "move", "move": 1e9, "after": 1}',
        '{"type": "move", "move": -1, "after": 1}',
        '{"type": "move", "move": 999999, "after": 1}',
        '{"type": "move", "move": "nonsense", "after": 1}',
        '{"type": "move", "move": "\\ud800", "after": 1}',
        '{"type": "preview", "move": -1}',
        '{"type": "preview", "move": "x"}',
        '{"type": "replace"}',
        '{"type": "replace", "seat": 0}',
        '{"type": "answer"}',
        '{"type": "answer", "kind": ["takeback"], "yes": 1}',
        "[" * 4000,
        '{"type": "move", "move": ' + "9" * 4000 + "}",
        "x" * 10_000,
        b"\x00\xff binary",
        b'{"type": "ping"}',
    ],
    ids=lambda message: repr(message[:40]),
)
def test_malformed_messages_get_a_clear_answer(me: Person, table: str, message: str | bytes):
    before = me.read(table)
    with me.watch(table) as line:
        line.socket.send(message)
        assert line.hear("error")["error"]
        line.settle()
    assert {**me.read(table), "seats": before["seats"]} == before


def test_a_giant_message_ends_the_connection_and_nothing_else(me: Person, friend: Person, table: str):
    with me.watch(table) as line, friend.watch(table) as theirs:
        line.socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            line.hear("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        theirs.settle()
    assert me.read(table)["event"] == 1


def test_the_wrong_seat_and_stale_moves_are_refused(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        move = begin(mine)["legal"][0]
        assert "turn of Ada" in theirs.move(move, 1)["error"]
        assert "no seat at this table" in watched.move(move, 1)["error"]
        assert "event 0" in mine.move(move, 0)["error"]
        assert events(watched.settle()) == []
        assert "event" in mine.move(move, 1)
        assert "turn of Bob" in mine.move(move, 2)["error"]
    assert me.read(table)["event"] == 2


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1"])
def test_foreign_pages_cannot_connect(me: Person, table: str, origin: str):
    with pytest.raises(InvalidStatus) as refused, me.watch(table, Origin=origin):
        pass
    assert refused.value.response.status_code == 403
    with me.watch(table, Origin=me.url) as line:
        begin(line)


def test_a_table_that_is_not_there(me: Person):
    for table in ("0" * 20, "x", "0" * 200):
        with me.watch(table) as line:
            assert "no such table" in line.hear("error")["error"]
            with pytest.raises(ConnectionClosed):
                line.hear("state")


def test_a_flood_of_messages_is_stemmed(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    with me.watch(table) as flood, friend.watch(table) as theirs:
        for _ in range(80):
            flood.send("ping")
        assert "too many" in flood.hear("error")["error"]
        theirs.settle()
        assert sum(message["type"] == "pong" for message in flood.heard) < 80


def test_a_flood_of_connections_is_stemmed(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(limits.KINDS, "sockets", Allowed(Rate(2, 0.001), Rate(1e6, 1e6)))
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    for _ in range(2):
        with me.watch(table) as line:
            begin(line)
    with me.watch(table) as line:
        assert line.hear("error")["code"] == "too_many_requests"
        with pytest.raises(ConnectionClosed) as closed:
            line.hear("state")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
    with friend.watch(table) as line:
        begin(line)


def test_a_key_that_can_be_guessed_is_refused(me: Person, table: str):
    guessed = Person(me.url, "1234")
    with guessed.watch(table) as line:
        assert line.hear("error")["code"] == "short_key"
    guessed.http.close()


@contextmanager
def sleeper(port: int, person: Person, table: str) -> Iterator[None]:
    """Somebody who connects and then reads nothing."""
    request = (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {person.key}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}\r\n\r\n"
    )
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", port))
        raw.sendall(request.encode())
        assert b"101" in raw.recv(100)
        yield


def test_who_does_not_read_is_cut_off_and_blocks_nobody(server: ThreadServer, me: Person, friend: Person, table: str):
    with sleeper(server.port, friend, table), me.watch(table) as mine:
        begin(mine)
        wait_until(lambda: server.inside(viewers) == 2, "both should be there")
        told = 0
        while server.inside(viewers) == 2:
            server.inside(lambda live: room_of(live, table).tell_state())
            told += 1
            mine.hear("state")
            assert told < 5000, "somebody who reads nothing should be cut off"
        assert told > viewer.QUEUE_LENGTH
        assert mine.move(me.read(table)["legal"][0]["number"], 1)["event"] == 2
    with friend.watch(table, after=1) as line:
        assert begin(line)["event"] == 2


def test_who_hangs_up_in_the_middle_of_a_move_has_moved(me: Person, table: str, server: ThreadServer):
    with me.watch(table) as line:
        line.send("move", move=begin(line)["legal"][0], after=1)
        line.socket.socket.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: me.read(table)["event"] == 2, "the move should be played")
    before = me.read(table)
    server.inside(lambda live: live._rooms.pop(table))
    after = {**me.read(table), "seats": before["seats"]}
    assert after == before, "what is on the disk is what everybody sees"
