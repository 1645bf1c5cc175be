"""The live stream, with real WebSocket clients: everybody sees the same, and nobody can hurt the others."""

from __future__ import annotations

import json
import logging
import socket
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from people import Line, Person
from real_server import ThreadServer, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tilewright.server import rooms
from tilewright.server.rooms import Room, Rooms

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
    """The events without what is only for the one who may move."""
    return [
        {key: value for key, value in message.items() if key != "legal"}
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


def test_who_was_away_is_told_the_moment_and_who_was_not_is_told_nothing(me: Person, friend: Person, table: str):
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
        assert "state" not in [message["type"] for message in line.settle()]


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


def test_a_bot_plays_on_for_who_is_away(
    me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch, server: ThreadServer
):
    monkeypatch.setattr(rooms, "ABSENT_AFTER", 0.0)
    monkeypatch.setattr(rooms, "SUBSTITUTE", "random")
    with me.watch(table) as mine:
        state = begin(mine)
        with friend.watch(table):
            mine.hear("presence")
        while not mine.hear("presence")["seats"][1]["replaceable"]:
            pass
        mine.send("replace", seat=2)
        while mine.hear("presence")["seats"][1]["kind"] != "bot":
            pass
        mine.move(state["legal"][0], 1)
        mine.hear("event", seat=2)
    assert me.read(table)["seats"][1]["name"] == "Bob"
    answer = friend.play(table, friend.read(table)["legal"][0]["number"])
    assert answer.status_code == 403


def test_three_players_must_agree_on_a_bot(
    person: Callable[[], Person], me: Person, friend: Person, monkeypatch: pytest.MonkeyPatch
):
    third = person()
    table = me.open("me", "invite", "invite")
    friend.join(table)
    third.join(table)
    monkeypatch.setattr(rooms, "ABSENT_AFTER", 0.0)
    monkeypatch.setattr(rooms, "SUBSTITUTE", "random")
    with me.watch(table) as mine, friend.watch(table) as theirs:
        while not mine.hear("presence")["seats"][2]["replaceable"]:
            pass
        mine.send("replace", seat=3)
        assert theirs.hear("ask")["asks"] == [{"kind": "replace", "by": 1, "seat": 3}]
        assert me.read(table)["seats"][2]["kind"] == "human"
        theirs.send("answer", kind="replace", yes=True)
        while theirs.hear("presence")["seats"][2]["kind"] != "bot":
            pass


def test_when_a_clock_runs_out_a_bot_plays_on(
    me: Person, friend: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rooms, "SUBSTITUTE", "random")
    table = me.open("me", "invite", clock={"minutes": 5, "increment": 0})
    friend.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        state = begin(mine)
        assert state["clock"] == {"remaining": [300.0, 300.0], "running": None}

        def hurry(live: Rooms) -> None:
            clock = room_of(live, table).clock
            assert clock is not None
            clock.remaining[1] = 0.3

        server.inside(hurry)
        told = mine.move(state["legal"][0], 1)
        assert told["clock"]["running"] == 2
        assert told["clock"]["remaining"][0] == 300.0, "the clock starts with the first move"
        mine.hear("event", seat=2)
        assert theirs.hear("event", seat=2)
    assert [seat["kind"] for seat in me.read(table)["seats"]] == ["human", "bot"]


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
        for line in (theirs, watched):
            assert "turn of Ada" in line.move(move, 1)["error"]
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


def test_a_number_that_is_none_is_refused(me: Person, table: str):
    with pytest.raises(InvalidStatus), me.watch(table, after="x"):  # type: ignore[arg-type]
        pass


def test_a_flood_of_messages_is_stemmed(me: Person, friend: Person, table: str):
    with me.watch(table) as flood, friend.watch(table) as theirs:
        for _ in range(80):
            flood.send("ping")
        assert "too many" in flood.hear("error")["error"]
        theirs.settle()
        assert sum(message["type"] == "pong" for message in flood.heard) < 80


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
        assert told > rooms.QUEUE_LENGTH
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
