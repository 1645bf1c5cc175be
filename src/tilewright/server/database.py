"""The SQLite file: that nobody else uses it, that it is ours, and that it is undamaged."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import IO

from tilewright.game.errors import TilewrightError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

APPLICATION_ID = 0x54696C77
"""In the header of our files, where ``file`` and SQLite find it: "Tilw"."""
SCHEMA_VERSION = 3
SCHEMA = """
    create table tables (
        id text primary key,
        game text not null,
        players integer not null,
        options text not null,
        secret text not null,
        minutes real,
        increment real,
        created real not null,
        guided integer not null,
        result text,
        ended real,
        rematch text references tables (id)
    );
    create index tables_by_rematch on tables (rematch) where rematch is not null;
    create table seats (
        table_id text not null references tables (id),
        seat integer not null,
        kind text not null check (kind in ('human', 'bot', 'invite', 'open')),
        name text not null,
        key_hash text,
        bot text,
        substitute text,
        timed_out integer not null,
        primary key (table_id, seat)
    ) without rowid;
    create index seats_by_key on seats (key_hash);
    create table events (
        table_id text not null references tables (id),
        number integer not null,
        line text not null,
        at real not null,
        spent real not null,
        primary key (table_id, number)
    ) without rowid;
    create table reviews (
        id text primary key,
        content text not null,
        at real not null
    );
"""


class CannotServe(TilewrightError):
    """The server cannot start: the database or the port is not available."""


def take(path: Path) -> IO[str]:
    """Lock the file for this process: a second server would continue games from stale positions.

    The path is that of the file itself, with all symbolic links resolved. Under a second hard link SQLite would keep
    a second journal, and the two would destroy the file.
    """
    try:
        lock = open(f"{path}.lock", "a+", encoding="utf-8")  # noqa: SIM115 - held as long as the store
    except OSError as error:
        raise CannotServe(f"{path} cannot be used as a database: {error.strerror}") from None
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        address = lock.read().strip() or "another address"
        lock.close()
        raise CannotServe(f"{path} is in use: a Tilewright server runs at {address} already") from None
    links = os.stat(path).st_nlink if path.is_file() else 1
    if links > 1:
        lock.close()
        raise CannotServe(f"{path} has {links} hard links, but a database must have only one name")
    lock.truncate(0)
    return lock


def open_database(path: Path, *, ignore_damage: bool = False) -> sqlite3.Connection:
    """Open the file for reading and writing; a new one gets our schema. A file that is not ours is left as it is."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        is_new = _identify(connection)
        if not ignore_damage:
            _check_integrity(connection)
        _prepare(connection)
        if is_new:
            stamp = f"pragma application_id = {APPLICATION_ID}; pragma user_version = {SCHEMA_VERSION};"
            connection.executescript(f"begin immediate; {SCHEMA} {stamp} commit;")
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A second connection, which sees committed data only and does not wait for a write in progress."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
        connection.execute("pragma query_only = on")
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    for pragma in ("journal_mode = wal", "synchronous = full", "busy_timeout = 5000", "foreign_keys = on"):
        connection.execute(f"pragma {pragma}")


def _identify(connection: sqlite3.Connection) -> bool:
    """Whether the file is new; raises CannotServe if it belongs to another program or version."""
    application, version, tables = (
        connection.execute(query).fetchone()[0]
        for query in ("pragma application_id", "pragma user_version", "select count(*) from sqlite_master")
    )
    if application == version == tables == 0:
        return True
    if application != APPLICATION_ID:
        raise CannotServe("it is an SQLite file of another program; name a file that does not exist yet")
    if version != SCHEMA_VERSION:
        raise CannotServe(f"its schema has version {version}; this Tilewright reads {SCHEMA_VERSION}")
    return False


def _check_integrity(connection: sqlite3.Connection) -> None:
    """Read every page now: a damaged one would otherwise be noticed in the middle of somebody's game."""
    try:
        found = str(connection.execute("pragma quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise CannotServe(
            f"it is damaged ({' '.join(found.split())}); restore a backup, or save what can be read with"
            " `sqlite3 FILE .recover`. --ignore-damage serves the file as it is"
        )


class Transaction:
    """``begin immediate`` to ``commit``, or ``rollback`` if anything goes wrong; within another one a savepoint."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._nested = connection.in_transaction

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("savepoint nested" if self._nested else "begin immediate")
        return self._connection

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if error is None:
            self._commit()
        else:
            self._roll_back()

    def _commit(self) -> None:
        try:
            self._connection.execute("release nested" if self._nested else "commit")
        except sqlite3.Error:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if not self._connection.in_transaction:
            return  # SQLite has rolled back by itself
        if self._nested:
            self._connection.execute("rollback to nested")
            self._connection.execute("release nested")
        else:
            self._connection.execute("rollback")
