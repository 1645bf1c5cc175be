"""The SQLite file: what is kept, that it is kept at once, and that old files are still read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tilewright.game.errors import TilewrightError
from tilewright.server import store as store_module
from tilewright.server.store import MIGRATIONS, Result, Store, StoredSeat, StoredTable

VERSION_1 = (Path(__file__).parent / "version-1.sql").read_text(encoding="utf-8")
"""The first database there was, with a table in it. Files like this are on people's disks: it never changes."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def a_table(table_id: str = "0" * 20, *kinds: str) -> StoredTable:
    seats = [StoredSeat(kind, f"Player {n}", key_hash=f"hash {n}") for n, kind in enumerate(kinds or ("human", "bot"))]
    return StoredTable(table_id, "azul", len(seats), {"wall": "grey"}, "secret", 5.0, 10.0, seats=seats)


def old_file(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    connection.close()


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


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    found = connection.execute("pragma user_version").fetchone()[0]
    connection.close()
    return int(found)


def test_a_table_is_read_as_it_was_kept(path: Path):
    store = Store(path)
    table = a_table()
    store.add_table(table)
    store.add_events(table.id, 1, ["draw b", "1 f1 blue 1"], over=False)
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
    assert set(store.open_tables()) == {"0" * 20, "2" * 20}
    assert set(store.tables_of("hash 0", over=False)) == {"0" * 20, "1" * 20, "2" * 20}
    store.add_events("1" * 20, 1, ["x"], over=True)
    assert store.tables_of("hash 0", over=True) == ["1" * 20]
    store.change_seat("0" * 20, 1, StoredSeat("human", "Ada", "hash 9"))
    assert store.open_tables() == ["2" * 20]
    store.set_rematch("1" * 20, "2" * 20)
    found = store.table("1" * 20)
    assert found is not None
    assert (found.over, found.rematch) == (True, "2" * 20)
    store.close()


def test_the_result_of_a_game_is_kept_with_it(path: Path):
    store = Store(path)
    for number in range(2):
        store.add_table(a_table(str(number) * 20))
    result = Result([31, 45], [2])
    store.add_events("0" * 20, 1, ["x"], over=True, at=7.5, result=result)
    store.add_events("1" * 20, 1, ["x"], over=True, at=8.5)
    assert [(found.result, found.ended) for n in "01" if (found := store.table(n * 20))] == [(result, 7.5), (None, 8.5)]
    store.set_result("1" * 20, result)
    store.close()
    again = Store(path)
    found = again.table("1" * 20)
    assert found is not None
    assert (found.result, found.ended) == (result, 8.5)
    again.close()


def test_a_game_that_ended_in_an_older_version_knows_when(path: Path):
    old_file(path)
    connection = sqlite3.connect(path)
    connection.execute("update tables set over = 1")
    connection.commit()
    connection.close()
    store = Store(path)
    table = store.table("00112233445566778899")
    assert table is not None
    assert (table.result, table.ended) == (None, 2.5)
    store.close()


def test_a_file_of_the_first_version_keeps_its_games(path: Path):
    old_file(path)
    store = Store(path)
    table = store.table("00112233445566778899")
    assert table is not None
    assert (table.game, table.players, table.options, table.secret) == ("azul", 2, {"wall": "coloured"}, "5ec2e7")
    assert [(seat.kind, seat.name, seat.bot) for seat in table.seats] == [
        ("human", "Ada", None),
        ("bot", "Bot", "random"),
    ]
    assert store.events(table.id) == [("draw r", 1.5, None), ("1 f1 red 1", 2.5, None)]
    assert [(seat.substitute, seat.timed_out) for seat in table.seats] == [(None, False)] * 2
    store.close()


def test_a_file_of_the_second_version_forgets_the_names_of_free_seats(path: Path):
    """They were kept in the language of who opened the table; now everybody reads them in the own one."""
    old_file(path)
    connection = sqlite3.connect(path)
    connection.executescript(f"{MIGRATIONS[1]} pragma user_version = 2;")
    connection.execute(
        "insert into tables (id, game, players, options, secret, created) values ('b', 'azul', 2, '{}', 's', 0)"
    )
    connection.execute(
        "insert into seats values ('b', 0, 'human', 'Ada', 'a hash', null), ('b', 1, 'open', 'Libre', null, null)"
    )
    connection.commit()
    connection.close()
    store = Store(path)
    found = store.table("b")
    assert found is not None
    assert [seat.name for seat in found.seats] == ["Ada", ""]
    store.change_seat("b", 0, StoredSeat("human", "Ada", "a hash", substitute="random", timed_out=True))
    again = store.table("b")
    assert again is not None
    assert again.seats[0] == StoredSeat("human", "Ada", "a hash", None, "random", True)
    assert "b" in store.tables_of("a hash", over=False), "the table stays in the owner's list"
    store.close()


def test_an_old_file_becomes_the_same_as_a_new_one(path: Path):
    old_file(path)
    Store(path).close()
    new = path.with_name("new.db")
    Store(new).close()
    assert schema(path) == schema(new), "the first migration must stay as it was; add another one instead"
    assert version(path) == version(new) == len(MIGRATIONS)


def test_opening_twice_changes_nothing(path: Path):
    Store(path).close()
    before = schema(path)
    Store(path).close()
    assert schema(path) == before


def test_a_newer_file_is_refused_and_left_alone(path: Path):
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"pragma user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(TilewrightError, match=f"version {len(MIGRATIONS) + 1}"):
        Store(path)
    assert path.read_bytes() == before


def test_a_migration_happens_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch):
    old_file(path)
    broken = (*MIGRATIONS, "create table half (a); create table tables (oops);")
    monkeypatch.setattr(store_module, "MIGRATIONS", broken)
    with pytest.raises(TilewrightError):
        Store(path)
    monkeypatch.undo()
    store = Store(path)
    assert store.table("00112233445566778899") is not None
    store.close()
    assert not any(column.startswith("half") for column in schema(path))


def test_a_move_is_one_transaction_on_the_disk(path: Path):
    store = Store(path)
    store.add_table(a_table())
    assert store._connection.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert store._connection.execute("pragma synchronous").fetchone()[0] == 2, "every commit waits for the disk"
    said: list[str] = []
    store._connection.set_trace_callback(said.append)
    store.add_events("0" * 20, 1, ["1 f1 blue 1", "draw b"], over=True)
    assert [words.split()[0].lower() for words in said] == ["begin", "insert", "insert", "update", "commit"]
    other = sqlite3.connect(path)
    assert other.execute("select count(*) from events").fetchone()[0] == 2
    other.close()
    store.close()


def test_the_events_of_a_move_are_kept_all_or_none(path: Path):
    store = Store(path)
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["a", "b"], over=False)
    with pytest.raises(sqlite3.IntegrityError):
        store.add_events("0" * 20, 0, ["c", "d"], over=True)
    assert [event.line for event in store.events("0" * 20)] == ["a", "b"]
    table = store.table("0" * 20)
    assert table is not None
    assert not table.over
    with pytest.raises(sqlite3.IntegrityError):
        store.add_events("f" * 20, 1, ["a table that is not there"], over=False)
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
    (tmp_path / "text.txt").write_text("this is no database, it is a text of some length\n" * 100)
    with pytest.raises(TilewrightError, match="cannot be used as a database"):
        Store(tmp_path / path)


def test_several_moves_share_one_wait_for_the_disk(path: Path):
    store = Store(path)
    for table in "abc":
        store.add_table(a_table(table * 20))
    said: list[str] = []
    store._connection.set_trace_callback(said.append)
    given = store.together(
        [
            lambda store: store.add_events("a" * 20, 1, ["one", "two"], over=False),
            lambda store: store.add_events("b" * 20, 1, ["three"], over=True),
            lambda store: store.add_events("a" * 20, 2, ["again"], over=True),
            lambda store: len(store.events("a" * 20)),
            lambda store: store.add_events("c" * 20, 1, ["four"], over=False),
        ]
    )
    store._connection.set_trace_callback(None)
    assert [given[n] for n in (0, 1, 3, 4)] == [None, None, 2, None]
    assert isinstance(given[2], sqlite3.IntegrityError), "what fails is undone alone"
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
    assert not found.over
    again.close()


def test_one_thing_alone_is_a_transaction_of_its_own(path: Path):
    store = Store(path)
    store.add_table(a_table())
    assert store.together([lambda store: store.add_events("0" * 20, 1, ["one"], over=False)]) == [None]
    with pytest.raises(sqlite3.IntegrityError):
        store.together([lambda store: store.add_events("0" * 20, 1, ["one"], over=False)])
    assert not store._connection.in_transaction
    store.close()
