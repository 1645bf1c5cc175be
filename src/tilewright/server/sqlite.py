"""The SQLite file: how it is opened, by one server at a time and by those who only read, and written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tilewright.server.damage import is_readable
from tilewright.server.database import CannotServe, Database, NotOurs, Reader, Row
from tilewright.server.file_lock import FileInUse, FileLock
from tilewright.server.migrations import NEWEST, upgrade
from tilewright.server.sqlite_checks import (
    APPLICATION_ID,
    check_integrity,
    check_kind,
    check_only_name,
    identify,
    reason,
)

_ROWS_AT_ONCE = 100
"""Events that are added by one statement."""
_ANY_TEXT = ("utf-8", "surrogateescape")
"""How text is decoded that may be damaged: what is not UTF-8 becomes surrogates."""
_STATEMENTS = 256
"""How many statements are kept ready: one for each number of events, and all others."""


class SqliteReader(Reader):
    """A file that a server may be using."""

    error = sqlite3.Error

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        found = Path(os.path.realpath(path))
        if not found.exists():
            raise CannotServe(f"{path} does not exist")
        try:
            check_kind(found)
            self.reader = open_for_reading(found)
            with contextlib.ExitStack() as undo:
                undo.callback(self.reader.close)
                _check_readable(self.reader)
                undo.pop_all()
        except (sqlite3.Error, OSError, CannotServe) as error:
            raise CannotServe(f"{path} cannot be used as a database: {reason(error)}") from None

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows of committed data."""
        return self.reader.execute(query, values).fetchall()

    def stream(self, query: str) -> Iterator[Row]:
        """The rows of a query within a snapshot, however many they are."""
        return iter(self.reader.execute(query))

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Within it all reads see one moment."""
        self.reader.execute("begin")
        try:
            yield
        finally:
            self.reader.execute("rollback")

    def close(self) -> None:
        """Close the file."""
        self.reader.close()


class SqliteFile(SqliteReader, Database):
    """One file, in WAL mode, for one process at a time."""

    is_shared = False
    begin = "begin immediate"
    for_update = for_key_share = ""
    duplicate = sqlite3.IntegrityError

    def __init__(self, path: str | Path, *, ignore_damage: bool = False, name: str | Path | None = None) -> None:
        """Open a file, or make a new one; ``name`` is what messages call it if that is not its path."""
        self.name = str(name or path)
        found = Path(os.path.realpath(path))
        with contextlib.ExitStack() as undo, self._explained():
            check_kind(found)
            check_only_name(found)
            self._lock = FileLock(found, self.name)
            undo.callback(self._lock.remove)
            opened = open_file(found, ignore_damage=ignore_damage)
            self.writer = undo.enter_context(contextlib.closing(opened))
            self.reader = undo.enter_context(contextlib.closing(open_for_reading(found)))
            with contextlib.suppress(*[sqlite3.DatabaseError] if ignore_damage else []):
                self.writer.execute("update service set up_since = ?", (time.time(),))
            self._lock.announce("")
            undo.pop_all()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Say which file cannot be opened, and what to do about it."""
        try:
            yield
        except FileInUse:
            raise
        except (sqlite3.Error, OSError, CannotServe) as error:
            advice = "; name a file that does not exist yet" if isinstance(error, NotOurs) else ""
            raise CannotServe(f"{self.name} cannot be used as a database: {reason(error)}{advice}") from None

    def start(self) -> None:
        """Begin a transaction."""
        self.writer.execute(self.begin)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Execute a statement of a transaction; how many rows it changed."""
        return self.writer.execute(statement, values).rowcount

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> int:
        """Execute a statement of a transaction for each row of values; how many rows were changed in all."""
        return self.writer.executemany(statement, rows).rowcount

    def insert_events(self, rows: Sequence[Row]) -> int:
        """Add rows of events, many with one statement.

        Before and after every statement the thread waits for the interpreter's lock, half a millisecond while the event
        loop is busy: with one for each move, it could store no more than a thousand a second.
        """
        parts = [rows[first : first + _ROWS_AT_ONCE] for first in range(0, len(rows), _ROWS_AT_ONCE)]
        return sum(self.execute(_insert_events(len(part)), [value for row in part for value in row]) for part in parts)

    def insert_rows(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Add rows to a table; a text that is not UTF-8 stays what it is."""
        super().insert_rows(table, columns, [row for row in rows if all(map(is_readable, row))])
        for row in rows:
            if not all(map(is_readable, row)):
                marks = ", ".join("cast(? as text)" if isinstance(value, str) else "?" for value in row)
                values = [value.encode(*_ANY_TEXT) if isinstance(value, str) else value for value in row]
                self.execute(f"insert into {table} ({columns}) values ({marks})", values)

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows as a transaction sees them."""
        return self.writer.execute(query, values).fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.writer.in_transaction

    def announce(self, address: str) -> None:
        """Write the server's address beside the file."""
        self._lock.announce(address)

    def close(self) -> None:
        """Close the file."""
        self.reader.close()
        self.writer.close()
        self._lock.close()


@cache
def _insert_events(rows: int) -> str:
    """The statement that adds so many rows; ``cross join`` makes SQLite look for the table of each row by its id."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    return (
        "insert into events (table_id, number, line, at, spent) select column1, column2, column3, column4, column5"
        f" from (values {values}) cross join tables where id = column6 and seating = column7"
    )


def open_file(path: Path, *, ignore_damage: bool = False) -> sqlite3.Connection:
    """Open the file for reading and writing; a new one gets our schema. A file that is not ours is left as it is.

    A new one is for its owner alone: it holds the secrets of deals and the key that signs notifications.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = _connect(path)
    try:
        version = identify(connection)
        if not ignore_damage:
            check_integrity(connection)
        _prepare(connection)
        if version != NEWEST:
            stamps = (f"application_id = {APPLICATION_ID}", f"user_version = {int(NEWEST)}")
            upgrade("sqlite", lambda: _connect(path), [SqliteFile.begin, *(f"pragma {stamp}" for stamp in stamps)])
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that sees committed data only, does not wait for a write in progress and changes nothing.

    Text that is not UTF-8 can be read as well: a damaged name must not hide all games.
    """
    connection = (_connect if _is_writable(path) else _connect_read_only)(path)
    connection.text_factory = lambda raw: raw.decode(*_ANY_TEXT)
    try:
        connection.execute(f"pragma {_PATIENCE}")
        connection.execute("pragma query_only = on")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_readable(connection: sqlite3.Connection) -> None:
    """Refuse what does not have all our games."""
    version = identify(connection)
    if version is None:
        raise CannotServe("it is empty")
    if version != NEWEST:
        raise CannotServe("its schema is older than this version of Tilewright: start a server once to upgrade it")
    check_integrity(connection)


_PATIENCE = "busy_timeout = 5000"
_PRAGMAS = (
    "journal_mode = wal",
    "synchronous = full",
    _PATIENCE,
    "foreign_keys = on",
    "secure_delete = on",  # what people wrote is overwritten, not only unlinked
)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=_STATEMENTS)


def _is_writable(path: Path) -> bool:
    """Whether SQLite can make its journal beside a file, which it needs even to read one."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _connect_read_only(path: Path) -> sqlite3.Connection:
    """A file in a folder that cannot be written to; if it has a journal, somebody else may be using it."""
    journal, index = Path(f"{path}-wal"), Path(f"{path}-shm")
    has_journal = journal.exists() and journal.stat().st_size > 0
    if has_journal and not index.exists():
        raise CannotServe(f"its folder cannot be written to; copy it, with {journal.name}, to one that can")
    mode = "mode=ro" if has_journal else "immutable=1"
    return sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, isolation_level=None, check_same_thread=False)


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"pragma {pragma}")
