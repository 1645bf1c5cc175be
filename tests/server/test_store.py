"""The SQLite file: what is stored, and that every change is one transaction on the disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tilewright.game.errors import TilewrightError
from tilewright.server.store import SCHEMA_VERSION, Result, Store, StoredSeat, StoredTable

RESULT = Result([31, 45], [2])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def a_table(table_id: str = "0" * 20, *kinds: str) -> StoredTable:
    kinds = kinds or ("human", "bot")
    seats = tuple(StoredSeat(kind, f"Player {n}", key_hash=f"hash {n}") for n, kind in enumerate(kinds))
    return StoredTable(table_id, "azul", len(seats), {"wall": "grey"}, "secret", 5.0, 10.0, seats=seats)


def schema(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    columns = {
        f"{table}: {column[1:]}"
        for (table,) in connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        for column in connection.execute(f"pragma table_info({table})").fetchall()
    }
    columns |= {
        name for (name,) in connection.execute("select name from sqlite_master where type = 'index'").fetchall()
    }
    connection.close()
    return columns


def ids(tables: list[StoredTable]) -> list[str]:
    return [table.id for table in tables]


def test_a_table_is_read_as_it_was_kept(path: Path):
    store = Store(path)
    table = a_table()
    store.add_table(table)
    store.add_events(table.id, 1, ["draw b", "1 f1 blue 1"])
    store.close()
    again = Store(path)
    assert again.table(table.id) == table
    assert [event.line for event in again.events(table.id)] == ["draw b", "1 f1 blue 1"]
    assert again.table("1" * 20) is None
    again.close()


def test_lists_of_tables(path: Path):
    store = Store(path)
    for number, kinds in enumerate([("human", "open"), ("human", "bot"), ("open", "open")]):
        store.add_table(a_table(str(number) * 20, *kinds))
    assert [waiting.id for waiting in store.waiting_tables()] == ["2" * 20, "0" * 20]
    assert ids(store.tables_of("hash 0", over=False)) == ["2" * 20, "1" * 20, "0" * 20]
    store.add_events("1" * 20, 1, ["x"], result=RESULT)
    assert ids(store.tables_of("hash 0", over=True)) == ["1" * 20]
    store.change_seats("0" * 20, {1: StoredSeat("human", "Ada", "hash 9", substitute="random", timed_out=True)})
    assert [waiting.id for waiting in store.waiting_tables()] == ["2" * 20]
    assert [table.seats[1].timed_out for table in store.tables_of("hash 9", over=False)] == [True]
    store.set_rematch("1" * 20, "2" * 20)
    found = store.table("1" * 20)
    assert found is not None
    assert (found.result, found.rematch) == (RESULT, "2" * 20)
    store.close()


def test_the_result_of_a_game_is_stored_with_it(path: Path):
    store = Store(path)
    for number in range(2):
        store.add_table(a_table(str(number) * 20))
    store.add_events("0" * 20, 1, ["x"], at=7.5, result=RESULT)
    store.add_events("1" * 20, 1, ["x"], at=8.5)
    store.close()
    again = Store(path)
    found = [again.table(n * 20) for n in "01"]
    assert [(table.result, table.ended) for table in found if table] == [(RESULT, 7.5), (None, None)]
    again.close()


def test_opening_twice_changes_nothing(path: Path):
    Store(path).close()
    before = schema(path)
    Store(path).close()
    assert schema(path) == before


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, -1])
def test_a_file_with_another_schema_is_refused_and_left_alone(path: Path, version: int):
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"pragma user_version = {version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(TilewrightError, match=f"schema has version {version}; this Tilewright reads {SCHEMA_VERSION}"):
        Store(path)
    assert path.read_bytes() == before


def test_a_move_is_one_transaction_on_the_disk(path: Path):
    store = Store(path)
    store.add_table(a_table())
    assert store._connection.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert store._connection.execute("pragma synchronous").fetchone()[0] == 2, "every commit waits for the disk"
    said: list[str] = []
    store._connection.set_trace_callback(said.append)
    store.add_events("0" * 20, 1, ["1 f1 blue 1", "draw b"], result=RESULT)
    assert [words.split()[0].lower() for words in said] == ["begin", "insert", "insert", "update", "commit"]
    other = sqlite3.connect(path)
    assert other.execute("select count(*) from events").fetchone()[0] == 2
    other.close()
    store.close()


def test_the_events_of_a_move_are_kept_all_or_none(path: Path):
    store = Store(path)
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["a", "b"])
    with pytest.raises(sqlite3.IntegrityError):
        store.add_events("0" * 20, 0, ["c", "d"], result=RESULT)
    assert [event.line for event in store.events("0" * 20)] == ["a", "b"]
    table = store.table("0" * 20)
    assert table is not None
    assert table.result is None
    with pytest.raises(sqlite3.IntegrityError):
        store.add_events("f" * 20, 1, ["a table that is not there"])
    store.close()


def test_a_second_server_on_the_same_file_is_refused_and_told_where_the_first_is(tmp_path: Path):
    first = Store(tmp_path / "tables.db")
    first.announce("http://127.0.0.1:8765/")
    with pytest.raises(TilewrightError, match=r"is in use: a Tilewright server runs at http://127.0.0.1:8765/ already"):
        Store(tmp_path / "tables.db")
    first.close()
    Store(tmp_path / "tables.db").close()


@pytest.mark.parametrize("path", ["", "missing/tables.db", "text.txt"])
def test_what_cannot_be_a_database_is_said_in_a_line(tmp_path: Path, path: str):
    (tmp_path / "text.txt").write_text("this is not a database but a text of some length\n" * 100)
    with pytest.raises(TilewrightError, match="cannot be used as a database"):
        Store(tmp_path / path)


def test_several_moves_share_one_wait_for_the_disk(path: Path):
    store = Store(path)
    for table in "abc":
        store.add_table(a_table(table * 20))
    said: list[str] = []
    store._connection.set_trace_callback(said.append)
    errors = store.write_all(
        [
            lambda store: store.add_events("a" * 20, 1, ["one", "two"]),
            lambda store: store.add_events("b" * 20, 1, ["three"], result=RESULT),
            lambda store: store.add_events("a" * 20, 2, ["again"], result=RESULT),
            lambda store: store.add_events("c" * 20, 1, ["four"]),
        ]
    )
    store._connection.set_trace_callback(None)
    assert [errors[n] for n in (0, 1, 3)] == [None, None, None]
    assert isinstance(errors[2], sqlite3.IntegrityError), "what fails is undone alone"
    assert sum(words.lower() == "commit" for words in said) == 1
    store.close()
    again = Store(path)
    assert [[event.line for event in again.events(table * 20)] for table in "abc"] == [
        ["one", "two"],
        ["three"],
        ["four"],
    ]
    found = again.table("a" * 20)
    assert found is not None
    assert found.result is None
    again.close()


def test_a_write_of_several_steps_is_stored_whole_or_not_at_all(path: Path):
    store = Store(path)

    def rematch_of_nobody(store: Store) -> None:
        store.add_table(a_table("a" * 20))
        store.add_events("a" * 20, 1, ["one"])
        store.add_events("a" * 20, 1, ["one again"])

    assert isinstance(store.write_all([rematch_of_nobody])[0], sqlite3.IntegrityError)
    assert store.table("a" * 20) is None
    assert not store._connection.in_transaction
    store.close()


def test_reading_sees_only_what_is_committed_and_does_not_wait(path: Path):
    store = Store(path)
    store.add_table(a_table())

    def write(store: Store) -> None:
        store.add_events("0" * 20, 1, ["one"], result=RESULT)
        assert store.events("0" * 20) == []
        assert ids(store.tables_of("hash 0", over=True)) == []

    assert store.write_all([write]) == [None]
    assert [event.line for event in store.events("0" * 20)] == ["one"]
    store.close()
