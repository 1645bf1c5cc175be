"""What only PostgreSQL has: many processes on one database, and connections that can be lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import psycopg
import pytest
from alembic.script import ScriptDirectory
from people import Person, people_at, table_request
from real_server import PATIENCE, ThreadServer, wait_until
from services import PostgresServer
from stored_tables import a_table

from tilewright.game.errors import TilewrightError
from tilewright.server import app, migrations
from tilewright.server import postgres as module
from tilewright.server.database import Conflict
from tilewright.server.migrations import NEWEST, TABLES, VERSION_TABLE
from tilewright.server.postgres import NoAnswer, without_password
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.new_database()


def tables_in(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    return {name for (name,) in found}


def columns_of(where: str | Path) -> set[tuple[str, str]]:
    """Every column of every table."""
    if str(where).startswith("postgresql"):
        query = "select table_name, column_name from information_schema.columns where table_schema = 'public'"
        with psycopg.connect(str(where)) as connection:
            return set(connection.execute(query).fetchall())
    with closing(sqlite3.connect(where)) as file:
        query = "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'"
        return set(file.execute(query).fetchall())


def test_both_databases_have_the_same_tables(url: str, tmp_path: Path):
    Store(url).close()
    Store(tmp_path / "tables.db").close()
    assert columns_of(url) == columns_of(tmp_path / "tables.db")
    assert {table for table, _ in columns_of(url)} == {*TABLES, VERSION_TABLE}


def test_processes_that_start_together_make_the_schema_once(url: str):
    opening = f"from tilewright.server.store import Store; Store({url!r}).close()"
    processes = [subprocess.Popen([sys.executable, "-c", opening], stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate(timeout=PATIENCE)[1] for process in processes] == [b""] * 3
    with psycopg.connect(url) as connection:
        assert connection.execute("select version_num from schema_version").fetchall() == [(NEWEST,)]


def test_the_database_of_another_program_is_refused_and_left_alone(url: str):
    with psycopg.connect(url) as connection:
        connection.execute("create table cookies (name text)")
    with pytest.raises(TilewrightError, match="it has another program's tables; name an empty database"):
        Store(url)
    assert tables_in(url) == {"cookies"}


def test_a_database_with_a_later_schema_is_refused(url: str):
    Store(url).close()
    with psycopg.connect(url) as connection:
        connection.execute("update schema_version set version_num = '9999'")
    with pytest.raises(
        TilewrightError, match=f"has version 9999, but this version of Tilewright knows none after {NEWEST}"
    ):
        Store(url)


def test_a_server_that_is_not_there_is_said_in_a_line_without_the_password():
    with pytest.raises(TilewrightError, match=r"postgresql://ada:\*\*\*@127.0.0.1:9/club cannot be used") as refusal:
        Store("postgresql://ada:s%40cret@127.0.0.1:9/club")
    assert "cret" not in str(refusal.value)
    assert without_password("postgresql://h/d?password=secret&user=x") == "postgresql://h/d?password=***&user=x"


def test_a_snapshot_ends_with_its_connection(url: str):
    """To go on reading with another connection would show another moment."""
    with closing(Store(url)) as store, psycopg.connect(url, autocommit=True) as other:
        with store.database.snapshot():
            ((pid,),) = store.database.read("select pg_backend_pid()")
            other.execute("select pg_terminate_backend(%s, 5000)", (pid,))
            for _ in range(2):
                with pytest.raises(psycopg.OperationalError):
                    store.check()
        store.check()
        with store.database.snapshot():
            store.check()


def test_the_second_of_two_processes_waits_for_the_first_and_hears_that_it_lost(url: str):
    """The first one's move is not committed yet when the second one comes."""
    first, second = Store(url), Store(url)
    first.add_table(a_table())
    errors: list[Exception | None] = []

    def write(store: Store) -> None:
        store.add_events("0" * 20, 1, ["mine"])
        thread.start()
        wait_until(lambda: _waits_for_a_lock(url), "the second process should wait")

    def lose() -> None:
        errors.extend(second.write_all([lambda store: store.add_events("0" * 20, 1, ["yours"])]))

    thread = threading.Thread(target=lose)
    assert first.write_all([write]) == [None]
    thread.join(PATIENCE)
    assert isinstance(errors[0], Conflict)
    assert [event.line for event in second.events("0" * 20)] == ["mine"]
    for store in (first, second):
        store.close()


def _waits_for_a_lock(url: str) -> bool:
    with psycopg.connect(url) as connection:
        waiting = connection.execute(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        ).fetchone()
    return waiting != (0,)


def test_a_race_that_is_lost_writes_nothing_into_the_log(url: str, caplog: pytest.LogCaptureFixture):
    """Two servers play at the same moment; the one that comes second had several events to store."""
    with closing(Store(url)) as mine, closing(Store(url)) as theirs:
        theirs.add_table(a_table())
        theirs.add_events("0" * 20, 1, ["theirs"])
        with pytest.raises(Conflict):
            mine.add_events("0" * 20, 1, ["mine"] * 500)  # so many that the first is refused before the last is sent
        assert mine.game("0" * 20) == theirs.game("0" * 20)
    assert caplog.records == []


@pytest.mark.parametrize("first_is", ["the move", "the change of seats"])
def test_a_move_and_a_change_of_seats_are_never_both_made(url: str, first_is: str):
    """Somebody moves through one process while their clock runs out in another."""
    first, second = Store(url), Store(url)
    first.add_table(a_table())
    works = {
        "the move": lambda store: store.add_events("0" * 20, 1, ["move"]),
        "the change of seats": lambda store: store.change_seats("0" * 20, {0: StoredSeat("human", "timed out")}),
    }
    (other,) = set(works) - {first_is}
    errors: list[Exception | None] = []
    thread = threading.Thread(target=lambda: errors.extend(second.write_all([works[other]])))

    def write(store: Store) -> None:
        works[first_is](store)
        thread.start()
        wait_until(lambda: _waits_for_a_lock(url), "the second process should wait")

    assert first.write_all([write]) == [None]
    thread.join(PATIENCE)
    assert isinstance(errors[0], Conflict)
    version = first.version("0" * 20)
    assert version is not None
    assert (version.event, version.seating) == ((1, 0) if first_is == "the move" else (0, 1))
    for store in (first, second):
        store.close()


def test_the_service_is_up_since_the_first_of_its_processes_came(url: str):
    begun = time.time()
    first = Store(url)
    first.add_table(a_table())

    def up_since(store: Store) -> float:
        game = store.game("0" * 20)
        assert game is not None
        return game.up_since

    since = up_since(first)
    assert begun <= since <= time.time()
    second = Store(url)
    first.close()
    assert up_since(second) == since, "there was a server all the time"
    third = Store(url)
    for store in (second, third):
        store.close()
    with closing(Store(url)) as later:
        assert up_since(later) > since, "for a moment there was none"


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A server that a test may kill."""
    from services import postgres_server

    with postgres_server() as running:
        yield running


def test_a_lost_connection_is_made_again(own_postgres: PostgresServer):
    store = Store(own_postgres.new_database())
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["before"])
    own_postgres.kill()
    with pytest.raises(psycopg.OperationalError):
        store.add_events("0" * 20, 2, ["while it is gone"])
    with pytest.raises(psycopg.OperationalError):
        store.events("0" * 20)
    own_postgres.start()
    assert store.game("0" * 20) is not None
    store.add_events("0" * 20, 2, ["after"])
    assert [event.line for event in store.events("0" * 20)] == ["before", "after"]
    store.close()


def test_the_newest_version_is_that_of_the_newest_revision():
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert script.get_current_head() == NEWEST


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long."""
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 1.0)
    monkeypatch.setattr(module, "CONNECT_TIMEOUT", 2)


def test_a_database_that_does_not_answer_is_not_waited_for_without_end(
    url: str, postgres: PostgresServer, impatient: None
):
    """It is frozen, or its machine has no power: nobody hears that the connection is lost."""
    with closing(Store(url)) as store:
        with postgres.frozen():
            with pytest.raises(NoAnswer, match="has not answered for 1 seconds"):
                store.add_table(a_table())
            begun = time.monotonic()
            with pytest.raises(NoAnswer, match="a moment ago"):
                store.add_table(a_table())
            assert time.monotonic() - begun < 0.5, "whoever comes next does not wait as well"
            with pytest.raises(NoAnswer):
                store.ids()
        wait_until(lambda: _works(store), "the connections should be made again")
        store.add_table(a_table())
        assert len(store.ids()) == 1


def _works(store: Store) -> bool:
    try:
        return store.write_all([lambda store: store.remove_reviews(0.0)]) == [None] and store.ids() == []
    except psycopg.OperationalError:
        return False


def test_a_move_fails_while_the_database_is_frozen_and_is_played_once_afterwards(
    url: str, postgres: PostgresServer, impatient: None
):
    settings = Settings(thinking=0.0, limits=0)
    with ThreadServer(app.make_app(url, settings)) as server, people_at(server.url) as make:
        me = make()
        table = me.open("me", "friend")
        seen = me.read(table)
        move = {"move": seen["legal"][0]["number"], "after": seen["event"]}
        with postgres.frozen():
            assert me.post(f"/api/tables/{table}/moves", move).json()["code"] == "our_fault"
            assert make().get("/healthz").status_code == 200
            assert make().get("/readyz").status_code == 503

        def played() -> bool:
            with Person(server.url, me.key) as again:  # the server closes a connection after an error
                return again.post(f"/api/tables/{table}/moves", move).status_code == 200

        wait_until(played, "the move should be played")
        with Person(server.url, me.key) as again:
            assert again.read(table)["event"] == seen["event"] + 1


def test_requests_without_a_database_say_what_has_not_happened_and_when_to_come_back(own_postgres: PostgresServer):
    with ThreadServer(app.make_app(own_postgres.new_database(), Settings(limits=0))) as server:
        with Person(server.url) as me:
            table = me.open("me", "friend")
        own_postgres.kill()

        def ask(method: str, path: str, body: object = None) -> tuple[int, str, str]:
            with Person(server.url, me.key) as again:  # the server closes a connection after an error
                answer = again.http.request(method, path, json=body, headers=again.headers)
            return answer.status_code, answer.json()["code"], answer.headers["retry-after"]

        assert ask("POST", f"/api/tables/{table}/moves", {"move": 0, "after": 1}) == (503, "our_fault", "5")
        assert ask("POST", f"/api/tables/{table}/leave") == (503, "our_fault", "5")
        assert ask("GET", f"/api/tables/{table}") == (503, "server_error", "5")
        assert ask("POST", "/api/tables", table_request()) == (503, "server_error", "5")
        assert ask("GET", "/api/tables") == (503, "server_error", "5")


def test_a_server_ends_while_the_database_is_frozen(url: str, postgres: PostgresServer, impatient: None):
    with ExitStack() as later, ThreadServer(app.make_app(url, Settings(limits=0))) as server:
        me = later.enter_context(Person(server.url))
        table = me.open("me", "friend")
        later.enter_context(postgres.frozen())
        with pytest.raises(httpx.ReadTimeout):
            me.get(f"/api/tables/{table}", timeout=0.2)


def test_a_frozen_server_keeps_nobody_from_writing(url: str, monkeypatch: pytest.MonkeyPatch):
    """It was stopped in the middle of a transaction: PostgreSQL ends that, and the others go on."""
    monkeypatch.setattr(module, "IDLE_TIMEOUT", 1)
    with closing(Store(url)) as frozen, closing(Store(url)) as other:
        other.add_table(a_table())
        frozen.database.start()
        frozen.database.query("select 1 from tables for update")
        other.change_seats("0" * 20, {0: StoredSeat("human", "Bob")})
        errors = frozen.write_all([lambda store: store.add_events("0" * 20, 1, ["mine"], seating=1)])
        assert isinstance(errors[0], psycopg.Error), "the transaction is gone"
        assert frozen.write_all([lambda store: store.add_events("0" * 20, 1, ["mine"], seating=1)]) == [None]
