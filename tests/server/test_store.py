"""The SQLite file: what is stored, and that every change is one transaction on the disk."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tilewright.game.errors import TilewrightError
from tilewright.server.database import SCHEMA_VERSION
from tilewright.server.store import KeptSince, Result, Store, StoredSeat, StoredTable

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


def test_a_file_is_one_file_by_whatever_path_it_is_opened(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    link, other = tmp_path / "link.db", tmp_path / "folder" / "other.db"
    link.symlink_to(tmp_path / "tables.db")
    other.symlink_to("../link.db")
    first = Store(tmp_path / "tables.db")
    for path in (link, other, tmp_path / "folder" / ".." / "tables.db"):
        with pytest.raises(TilewrightError, match="is in use"):
            Store(path)
    first.close()
    through = Store(other)
    through.add_table(a_table())
    with pytest.raises(TilewrightError, match="is in use"):
        Store(tmp_path / "tables.db")
    through.close()
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "link.db", "tables.db", "tables.db.lock"}
    again = Store(tmp_path / "tables.db")
    assert again.table("0" * 20) is not None
    again.close()


def test_a_file_with_two_names_is_refused(path: Path):
    Store(path).close()
    path.with_name("second.db").hardlink_to(path)
    with pytest.raises(TilewrightError, match="has 2 hard links"):
        Store(path)
    path.with_name("second.db").unlink()
    Store(path).close()


@pytest.mark.parametrize("statement", ["create table cookies (name text)", "pragma user_version = 7"])
def test_the_file_of_another_program_is_refused_and_left_alone(path: Path, statement: str):
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    before = path.read_bytes()
    with pytest.raises(TilewrightError, match="it is an SQLite file of another program"):
        Store(path)
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.lock"}


def damage(path: Path) -> None:
    """Overwrite the pages in the middle of a file, as a failing disk does."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(content)


def test_damage_is_noticed_at_the_start_and_not_when_a_game_is_read(path: Path):
    store = Store(path)
    for number in range(40):
        store.add_table(a_table(f"{number:020}"))
        store.add_events(f"{number:020}", 1, [f"line {n} of a game" for n in range(60)])
    store.close()
    damage(path)
    before = path.read_bytes()
    with pytest.raises(TilewrightError, match=r"it is damaged .*restore a backup.*--ignore-damage"):
        Store(path)
    assert path.read_bytes() == before
    told = Store(path, ignore_damage=True)
    assert told.table(f"{39:020}") is not None, "a host may serve what is left"
    told.close()


def test_only_games_whose_time_is_up_are_deleted(path: Path):
    store = Store(path)
    for number, table in enumerate("abcdef"):
        store.add_table(replace(a_table(table * 20), created=float(number)))
    store.add_events("a" * 20, 1, ["x"], at=100.0, result=RESULT)
    store.add_events("b" * 20, 1, ["x"], at=300.0, result=RESULT)
    store.add_events("c" * 20, 1, ["x", "y"], at=100.0)
    store.add_events("d" * 20, 1, ["x"], at=100.0)
    store.add_events("d" * 20, 2, ["y"], at=300.0)
    store.add_events("f" * 20, 1, ["x"], at=300.0, result=RESULT)
    store.set_rematch("f" * 20, "c" * 20)
    assert store.expired(KeptSince(0.0, 0.0)) == []
    assert store.expired(KeptSince(200.0, 0.0)) == ["a" * 20]
    assert store.expired(KeptSince(0.0, 200.0)) == ["c" * 20, "e" * 20], "in the last one nobody ever moved"
    everything = [table * 20 for table in "abcdef"]
    assert store.remove_expired(everything, KeptSince(200.0, 200.0)) == [table * 20 for table in "ace"]
    assert [store.table(table) is not None for table in everything] == [False, True, False, True, False, True]
    kept = store.table("f" * 20)
    assert kept is not None
    assert kept.rematch is None
    assert [len(store.events(table)) for table in everything] == [0, 1, 0, 2, 0, 1]
    assert store.remove_expired(everything, KeptSince(200.0, 200.0)) == []
    store.close()


def test_games_are_deleted_all_or_none(path: Path):
    store = Store(path)
    for table in "ab":
        store.add_table(replace(a_table(table * 20), created=1.0))

    def remove_and_fail(store: Store) -> None:
        store.remove_expired(["a" * 20, "b" * 20], KeptSince(2.0, 2.0))
        raise sqlite3.OperationalError("the disk is full")

    assert isinstance(store.write_all([remove_and_fail])[0], sqlite3.OperationalError)
    assert len(store.expired(KeptSince(2.0, 2.0))) == 2
    store.close()


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
