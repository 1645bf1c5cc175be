"""The SQLite file: that it is ours, undamaged and used by one process, and that a commit waits for the disk."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from stored_tables import RESULT, a_table

from tilewright.cli.main import main
from tilewright.game.errors import TilewrightError
from tilewright.server import sqlite
from tilewright.server.migrations import NEWEST
from tilewright.server.store import Store
from tilewright.server.stored import NewEvents, StoredEvent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


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


def test_opening_twice_changes_nothing(path: Path):
    Store(path).close()
    before = schema(path)
    Store(path).close()
    assert schema(path) == before


def test_a_file_of_a_later_version_is_refused_and_left_alone(path: Path):
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(TilewrightError, match=f"has version 0099, .* knows none after {NEWEST}"):
        Store(path)
    assert path.read_bytes() == before


def test_a_move_is_one_transaction_on_the_disk(path: Path):
    store = Store(path)
    store.add_table(a_table())
    assert store.database.writer.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert store.database.writer.execute("pragma synchronous").fetchone()[0] == 2, "every commit waits for the disk"
    said: list[str] = []
    store.database.writer.set_trace_callback(said.append)
    store.add_events("0" * 20, 1, ["1 f1 blue 1", "draw b"], result=RESULT)
    assert [words.split()[0].lower() for words in said] == ["begin", "insert", "update", "delete", "commit"]
    other = sqlite3.connect(path)
    assert other.execute("select count(*) from events").fetchone()[0] == 2
    other.close()
    store.close()


def test_a_second_server_on_the_same_file_is_refused_and_told_where_the_first_is(tmp_path: Path):
    first = Store(tmp_path / "tables.db")
    first.database.announce("http://127.0.0.1:8765/")
    with pytest.raises(
        TilewrightError, match=r"is in use: a Tilewright server is already running at http://127.0.0.1:8765/"
    ):
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
    with pytest.raises(TilewrightError, match="it is another program's SQLite file"):
        Store(path)
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {path.name}


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


@pytest.mark.parametrize("path", ["", "missing/tables.db", "text.txt"])
def test_what_cannot_be_a_database_is_said_in_a_line(tmp_path: Path, path: str):
    (tmp_path / "text.txt").write_text("this is not a database but a text of some length\n" * 100)
    with pytest.raises(TilewrightError, match="cannot be used as a database"):
        Store(tmp_path / path)


def test_a_full_disk_is_said_in_a_line(path: Path, monkeypatch: pytest.MonkeyPatch):
    connect = sqlite._connect

    def small(file: Path) -> sqlite3.Connection:
        connection = connect(file)
        connection.execute("pragma max_page_count = 5")
        return connection

    monkeypatch.setattr(sqlite, "_connect", small)
    with pytest.raises(TilewrightError, match=r"tables.db cannot be used as a database: database or disk is full$"):
        Store(path)


@pytest.mark.parametrize("where", ["", "mysql://ada@host/club", "postgesql://ada@host/club", "sqlite:///club.db"])
def test_what_is_neither_a_file_nor_a_database_of_ours_is_refused(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for command in ("serve", "backup new.db", "restore new.db", "database check"):
        assert main([*command.split(), "--database", where]) == 1
        assert "postgresql://..." in capsys.readouterr().err
    assert main(["database", "copy", "missing.db", where]) == 1
    assert list(tmp_path.iterdir()) == []


def test_several_moves_share_one_wait_for_the_disk(path: Path):
    store = Store(path)
    for table in "abc":
        store.add_table(a_table(table * 20))
    said: list[str] = []
    store.database.writer.set_trace_callback(said.append)
    moves = [NewEvents(table * 20, 1, ["one", "draw b"], 0, 8.5, 2.25) for table in "abc"]
    assert store.write_all([*moves, lambda store: store.set_rematch("a" * 20, "b" * 20)]) == [None] * 4
    store.database.writer.set_trace_callback(None)
    words = [statement.split()[0].lower() for statement in said]
    assert words == ["begin", "insert", "update", "commit"]
    for table in "abc":
        assert store.events(table * 20) == [StoredEvent(1, "one", 8.5, 2.25), StoredEvent(2, "draw b", 8.5, 0.0)]
    store.close()


def test_more_events_than_a_statement_takes_are_all_stored(path: Path):
    store = Store(path)
    store.add_table(a_table())
    lines = [f"1 move {n}" for n in range(1001)]
    store.add_events("0" * 20, 1, lines)
    assert [event.line for event in store.events("0" * 20)] == lines
    store.close()
