"""Games whose stored events are damaged: the host hears of it, and a request for one never goes on for ever."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path

import pytest
from people import Person, people_at
from real_server import ThreadServer
from services import PostgresServer

from tilewright.server import app
from tilewright.server.settings import Settings
from tilewright.server.store import Store

SETTINGS = Settings(thinking=0.0, limits=0)


def harm(where: str, statement: str) -> None:
    with closing(Store(where)) as store:
        store.database.start()
        store.database.execute(statement)
        store.database.execute("commit")


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("delete from events where number = 3", "its event 3 is missing"),
        ("update events set line = '1 zzz' where number = 3", "do not follow the rules"),
        ("update events set line = 'takeback 9' where number = 3", "do not follow the rules"),
        ("update events set line = 'takeback x' where number = 3", "do not follow the rules"),
        ("update events set line = '' where number = 3", "do not follow the rules"),
    ],
)
def test_a_damaged_game_is_a_fault_of_the_server_and_named_in_its_log(
    where: str, statement: str, problem: str, caplog: pytest.LogCaptureFixture
):
    with ThreadServer(app.make_app(where, SETTINGS)) as server, people_at(server.url) as make:
        me = make()
        table, sound = me.open("me", "friend"), me.open("me", "friend")
        for _ in range(4):
            me.play_first(table)
    harm(where, f"{statement} and table_id = '{table}'")
    with ThreadServer(app.make_app(where, SETTINGS)) as server, Person(server.url, me.key) as me:
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            answers = [
                me.get(f"/api/tables/{table}"),
                me.post(f"/api/tables/{table}/moves", {"move": 0, "after": 4}),
            ]
        assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(500, "game_damaged")] * 2
        assert problem in answers[0].json()["error"]
        assert any(table[:6] in told and problem in told and table not in told for told in caplog.messages)
        page = me.get(f"/t/{table}", headers={"Accept": "text/html", "Accept-Language": "it"})
        assert (page.status_code, "danneggiati" in page.text) == (500, True)
        with me.watch(table) as line:
            assert line.hear("error")["code"] == "game_damaged"
        assert me.get("/").status_code == me.get("/api/tables").status_code == 200
        assert me.read(sound)["event"] == 1


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("update tables set result = 'rubbish' where id", "'rubbish' is stored as its result"),
        ("update tables set options = '[]' where id", "'[]' is stored as its options"),
        ("update seats set name = cast(x'ff00' as text) where seat = 1 and table_id", "the name of its seat 2"),
        ("delete from seats where seat = 1 and table_id", "1 seat is stored for 2 players"),
    ],
)
def test_a_damaged_row_is_told_as_a_damaged_game_and_hides_no_other(
    where: str, statement: str, problem: str, caplog: pytest.LogCaptureFixture
):
    if "x'ff00'" in statement and where.startswith("postgresql"):
        pytest.skip("PostgreSQL stores no such text")
    with ThreadServer(app.make_app(where, SETTINGS)) as server, people_at(server.url) as make:
        me = make()
        table, sound = me.open("me", "friend"), me.open("me", "friend")
    harm(where, f"{statement} = '{table}'")
    with ThreadServer(app.make_app(where, SETTINGS)) as server, Person(server.url, me.key) as me:
        for address in (f"/api/tables/{table}", f"/api/tables/{table}/record"):
            caplog.clear()
            with caplog.at_level(logging.ERROR):
                answer = me.get(address)
            assert (answer.status_code, answer.json()["code"]) == (500, "game_damaged")
            assert problem in answer.json()["error"]
            assert any(table[:6] in told and problem in told for told in caplog.messages)
        page = me.get(f"/t/{table}", headers={"Accept": "text/html", "Accept-Language": "it"})
        assert (page.status_code, "danneggiati" in page.text) == (500, True)
        home = me.get("/", headers={"Accept": "text/html"})
        assert (home.status_code, sound in home.text) == (200, True)
        assert me.get("/api/tables").status_code == 200
        assert me.read(sound)["event"] == 1


def test_a_gap_that_appears_while_a_table_is_open_ends_in_an_error(postgres: PostgresServer):
    """Otherwise the server would read the game again and again, and never answer."""
    where = postgres.new_database()
    with ThreadServer(app.make_app(where, SETTINGS)) as server, people_at(server.url) as make:
        me = make()
        table = me.open("me", "friend")
        move = {"move": me.read(table)["legal"][0]["number"], "after": 1}
        harm(where, f"insert into events (table_id, number, line, at, spent) values ('{table}', 3, '1 zzz', 1, 0)")
        for answer in (me.post(f"/api/tables/{table}/moves", move), me.get(f"/api/tables/{table}")):
            assert (answer.status_code, answer.json()["code"]) == (500, "game_damaged")


def test_a_database_is_readable_for_its_owner_only(tmp_path: Path):
    Store(tmp_path / "tables.db").close()
    assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0
