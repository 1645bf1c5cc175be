"""The SQLite file: that nobody else uses it, that it is ours, and that it is undamaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from tilewright.server.database import CannotServe, Database, NotOurs, Reader, Row
from tilewright.server.migrations import NEWEST, check_version, upgrade

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

APPLICATION_ID = 0x54696C65
"""In the header of our files, where ``file`` and SQLite find it: "Tile"."""


class SqliteReader(Reader):
    """A file that a server may be using."""

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        found = Path(os.path.realpath(path))
        if not found.is_file():
            raise CannotServe(f"{path} does not exist")
        try:
            with contextlib.closing(_connect(found)) as probe:  # before anything of another program's file is changed
                if _identify(probe) != NEWEST:
                    raise CannotServe(
                        "its schema is older than this version of Tilewright: start a server once to upgrade it"
                    )
            self.reader = open_for_reading(found)
        except (sqlite3.Error, CannotServe) as error:
            raise CannotServe(f"{path} cannot be used as a database: {error}") from None

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
    error = sqlite3.Error
    duplicate = sqlite3.IntegrityError

    def __init__(self, path: str | Path, *, ignore_damage: bool = False) -> None:
        self.name = str(path)
        found = Path(os.path.realpath(path))
        self._lock = take(found)
        with contextlib.ExitStack() as undo:
            undo.callback(self._lock.close)
            try:
                opened = open_file(found, ignore_damage=ignore_damage)
                self.writer = undo.enter_context(contextlib.closing(opened))
                self.reader = undo.enter_context(contextlib.closing(open_for_reading(found)))
                with contextlib.suppress(*[sqlite3.DatabaseError] if ignore_damage else []):
                    self.writer.execute("update service set up_since = ?", (time.time(),))
            except (sqlite3.Error, CannotServe) as error:
                advice = "; name a file that does not exist yet" if isinstance(error, NotOurs) else ""
                raise CannotServe(f"{path} cannot be used as a database: {error}{advice}") from None
            undo.pop_all()

    def start(self) -> None:
        """Begin a transaction."""
        self.writer.execute(self.begin)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Execute a statement of a transaction; how many rows it changed."""
        return self.writer.execute(statement, values).rowcount

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> int:
        """Execute a statement of a transaction for each row of values; how many rows were changed in all."""
        return self.writer.executemany(statement, rows).rowcount

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows as a transaction sees them."""
        return self.writer.execute(query, values).fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.writer.in_transaction

    def announce(self, address: str) -> None:
        """Write the server's address beside the file."""
        self._lock.write(address)
        self._lock.flush()

    def close(self) -> None:
        """Close the file."""
        self.reader.close()
        self.writer.close()
        self._lock.close()


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
        raise CannotServe(f"{path} is in use: a Tilewright server is already running at {address}") from None
    links = os.stat(path).st_nlink if path.is_file() else 1
    if links > 1:
        lock.close()
        raise CannotServe(f"{path} has {links} hard links, but a database must have only one name")
    lock.truncate(0)
    return lock


def open_file(path: Path, *, ignore_damage: bool = False) -> sqlite3.Connection:
    """Open the file for reading and writing; a new one gets our schema. A file that is not ours is left as it is.

    A new one is for its owner alone: it holds the secrets of deals and the key that signs notifications.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = _connect(path)
    try:
        version = _identify(connection)
        if not ignore_damage:
            _check_integrity(connection)
        _prepare(connection)
        if version != NEWEST:
            stamps = (f"application_id = {APPLICATION_ID}", f"user_version = {int(NEWEST)}")
            upgrade("sqlite", lambda: _connect(path), [SqliteFile.begin, *(f"pragma {stamp}" for stamp in stamps)])
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A second connection, which sees committed data only and does not wait for a write in progress."""
    connection = _connect(path)
    try:
        _prepare(connection)
        connection.execute("pragma query_only = on")
    except BaseException:
        connection.close()
        raise
    return connection


_PRAGMAS = (
    "journal_mode = wal",
    "synchronous = full",
    "busy_timeout = 5000",
    "foreign_keys = on",
    "secure_delete = on",  # what people wrote is overwritten, not only unlinked
)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"pragma {pragma}")


def _identify(connection: sqlite3.Connection) -> str | None:
    """The version of the schema, None for a new file; raises CannotServe if it belongs to another program."""
    application, version, tables = (
        connection.execute(query).fetchone()[0]
        for query in ("pragma application_id", "pragma user_version", "select count(*) from sqlite_master")
    )
    if application == version == tables == 0:
        return None
    if application != APPLICATION_ID:
        raise NotOurs("it is another program's SQLite file")
    found = f"{version:04}"
    check_version(found)
    return found


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
