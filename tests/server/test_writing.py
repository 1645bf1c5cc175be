"""Free text: only among people who came by invitation, within limits, and gone when the game is over."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from people import Line, Person, begin, people_at
from real_server import ThreadServer

from tilewright.server import app, writing
from tilewright.server.conversations import KEPT, add_line, lines_of
from tilewright.server.copying import copy
from tilewright.server.database import open_reader
from tilewright.server.errors import Forbidden
from tilewright.server.limits import Rate
from tilewright.server.seated_table import hash_key
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable

SECRET = "Shall we meet in <b>Zanzibar</b>?"


def enter(line: Line) -> bool:
    """Whether free text is offered to whoever has just connected."""
    return bool(begin(line)["writing"])


def heard(line: Line) -> list[tuple[int, str]]:
    """The next lines of the conversation."""
    return [(one["seat"], one["text"]) for one in line.hear("written")["lines"]]


def refused(line: Line, code: str, text: object = "Hello") -> None:
    line.send("write", text=text)
    assert line.hear("error")["code"] == code


def stored(where: str | Path) -> list[object]:
    with closing(open_reader(where)) as reader:
        return list(reader.read("select text from written"))


def play_out(table: str, *people: Person) -> None:
    while (now := people[0].read(table))["over"] is None:
        people[now["turn"] - 1].play_first(table)


def test_people_who_came_by_invitation_write_to_each_other(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watching:
        assert enter(mine)
        assert enter(theirs)
        assert not enter(watching)
        mine.send("write", text=SECRET)
        assert heard(mine) == heard(theirs) == [(1, SECRET)]
        theirs.send("write", text="Yes!\u202e\n  \x07See you\u200b there")
        assert heard(mine) == heard(theirs) == [(2, "Yes! See you there")]
        refused(watching, "players_only")
        watching.send("conversation")
        assert "written" not in {message["type"] for message in watching.settle()}
    with friend.watch(table) as again:
        begin(again)
        again.send("conversation")
        assert heard(again) == [(1, SECRET), (2, "Yes! See you there")]


def test_nobody_writes_at_tables_that_strangers_can_find(me: Person, friend: Person, person: Callable[[], Person]):
    listed = me.open("me", "open")
    friend.join(listed)
    rated = me.open("me", "invite", rated=True)
    friend.join(rated)
    first, second = person(), person()
    first.key, second.key = "the first who seeks", "the second who seeks"
    assert first.post("/api/match", {"game": "azul"}).json()["status"] == "waiting"
    found = second.post("/api/match", {"game": "azul"}).json()
    assert found["status"] == "found"
    for someone, where in ((me, listed), (me, rated), (second, found["table"])):
        with someone.watch(where) as line:
            assert not enter(line)
            refused(line, "writing_by_invitation")


def test_nobody_writes_alone(me: Person):
    for seats in (("me", "friend"), ("me", "bot"), ("me", "invite")):
        with me.watch(me.open(*seats)) as line:
            assert not enter(line)
            refused(line, "writing_by_invitation")


def test_texts_have_a_length_and_a_pace(me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writing, "PACE", Rate(2, 0))
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        refused(mine, "writing_long", "x" * (writing.LONGEST + 1))
        for nothing in ("", " \n\t", "\u200b\u202e", None, 1, ["Hello"]):
            mine.send("write", text=nothing)
            assert mine.hear("error")["error"].startswith("text must")
        longest = "é" * writing.LONGEST
        for text in (longest, "Hello"):
            mine.send("write", text=text)
            assert heard(mine) == [(1, text)]
        refused(mine, "chat_pause")
        theirs.send("write", text="Everybody has a pace of their own")
        assert theirs.hear("written")


def test_a_text_of_many_letters_costs_nobody_any_time(me: Person, table: str):
    """To sort the marks on a letter takes the square of their number."""
    with me.watch(table) as mine:
        begin(mine)
        begun = time.process_time()
        for _ in range(20):
            mine.socket.send(json.dumps({"type": "write", "text": "a" + "\u0300\u0323" * 2000}, ensure_ascii=False))
            assert mine.hear("error")["code"] == "writing_long"
        assert time.process_time() - begun < 0.5


def test_a_whole_conversation_is_told_for_each_connection_but_not_all_the_time(
    me: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writing, "RECALLS", Rate(2, 0))
    with me.watch(table) as mine:
        begin(mine)
        for _ in range(2):
            mine.send("conversation")
            assert heard(mine) == []
    with me.watch(table) as again:
        begin(again)
        again.send("conversation")
        assert again.hear("error")["code"] == "too_many_messages"


def test_a_conversation_is_in_no_record_log_or_export_of_others(
    me: Person, friend: Person, stranger: Person, table: str, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.DEBUG, "tilewright"), me.watch(table) as mine:
        begin(mine)
        mine.send("write", text=SECRET)
        mine.hear("written")
        me.play_first(table)
        for path in ("", "/record", "/view", "/events"):
            for someone in (me, friend, stranger):
                assert "Zanzibar" not in someone.get(f"/api/tables/{table}{path}").text
        assert "Zanzibar" not in friend.get("/api/person").text
        own = next(game for game in me.get("/api/person").json()["games"] if game["id"] == table)
        assert own["written"] == [SECRET]
    assert "Zanzibar" not in caplog.text


def test_it_is_deleted_with_its_author_and_with_the_game(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    with ThreadServer(app.make_app(where, Settings(thinking=0.0, limits=0))) as server, people_at(server.url) as make:
        ada, bob, cleo = make(), make(), make()
        table = ada.open("me", "invite", game="azul-mini")
        bob.join(table)
        other = ada.open("me", "invite")
        cleo.join(other)
        with ada.watch(table) as mine, bob.watch(table) as theirs, cleo.watch(other) as hers:
            for line in (mine, theirs, hers):
                begin(line)
                line.send("write", text=SECRET)
                line.hear("written")
            assert len(stored(where)) == 3
            copy(where, tmp_path / "backup.db")
            assert stored(tmp_path / "backup.db") == []
            play_out(table, ada, bob)
            assert len(stored(where)) == 1
            refused(mine, "writing_over")
            theirs.send("conversation")
            assert theirs.settle()[-1]["type"] == "pong"
            assert cleo.http.delete("/api/person", headers=cleo.headers).status_code == 200
            assert stored(where) == []


def test_it_reaches_other_processes(distant_lines: tuple[Line, Line]):
    mine, theirs = distant_lines
    mine.send("write", text=SECRET)
    assert heard(theirs) == [(1, SECRET)]


def test_the_store_keeps_the_newest_lines_of_those_who_sit_there(where: str):
    with closing(Store(where)) as store:
        seats = (StoredSeat("human", key_hash="a"), StoredSeat("human", key_hash="b"))
        store.add_table(StoredTable("t" * 20, "azul", 2, {}, "secret", seats=seats))
        for number in range(KEPT + 5):
            add_line(store, "t" * 20, number % 2, "ab"[number % 2], str(number))
        lines = lines_of(store, "t" * 20)
        assert [line.text for line in lines] == [str(number) for number in range(5, KEPT + 5)]
        assert lines_of(store, "t" * 20, after=lines[-2].number) == lines[-1:]
        store.change_seats("t" * 20, {1: StoredSeat("human", key_hash="c")})
        assert {line.seat for line in lines_of(store, "t" * 20)} == {0}
        with pytest.raises(Forbidden):
            add_line(store, "u" * 20, 0, hash_key("x"), json.dumps("no such table"))


def test_what_was_written_is_overwritten_in_the_file(tmp_path: Path):
    path = tmp_path / "tables.db"
    with closing(Store(path)) as store:
        store.add_table(StoredTable("t" * 20, "azul", 2, {}, "secret", seats=(StoredSeat("human", key_hash="a"),) * 2))
        add_line(store, "t" * 20, 0, "a", SECRET)
    assert SECRET.encode() in path.read_bytes()
    with closing(Store(path)) as store:
        store.add_events("t" * 20, 1, ["1 f1 blue 1"], result=Result([1, 0], [1]))
    assert SECRET.encode() not in path.read_bytes()
