"""What the store needs of a database, be it an SQLite file or a PostgreSQL server."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, ClassVar

from tilewright.game.errors import TilewrightError
from tilewright.server.channel import Channel

Row = tuple[Any, ...]
POSTGRES = ("postgresql://", "postgres://")


class CannotServe(TilewrightError):
    """The server cannot start: the database or the port is not available."""


class NotOurs(CannotServe):
    """The database belongs to another program."""


class Conflict(TilewrightError):
    """Another process has changed the table since it was read. Nothing was written: read it again and decide again."""


class Reader(ABC):
    """A connection that sees committed data only and does not wait for a write in progress.

    Statements are the same for every database, with ``?`` for values.
    """

    name: str
    """For people: the path of the file, or the URL without its password."""
    error: type[Exception]
    """What is raised if a statement fails."""

    @abstractmethod
    def read(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows of committed data."""

    @abstractmethod
    def stream(self, query: str) -> Iterator[Row]:
        """The rows of a query within a snapshot, however many they are."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Within it all reads see one moment."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections."""


class Database(Reader):
    """A connection that writes beside the one that reads; each is used by one thread at a time.

    Outside a transaction there are no writes.
    """

    is_shared: ClassVar[bool]
    """Whether other processes may use it at the same time."""
    begin: ClassVar[str]
    """The statement that begins a transaction."""
    for_update: ClassVar[str]
    """At the end of a query: nobody else may change, or refer to, the rows it finds until the transaction ends."""
    for_key_share: ClassVar[str]
    """At the end of a query: nobody else may lock the rows it finds with ``for_update``."""
    lost: ClassVar[tuple[type[Exception], ...]] = ()
    """What is raised while the database cannot be reached; a file always can."""
    duplicate: type[Exception]
    """What is raised if a row with the same key is there already."""

    @abstractmethod
    def start(self) -> None:
        """Begin a transaction."""

    @abstractmethod
    def execute(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Execute a statement of a transaction; how many rows it changed."""

    @abstractmethod
    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> int:
        """Execute a statement of a transaction for each row of values; how many rows were changed in all."""

    def insert_events(self, rows: Sequence[Row]) -> int:
        """Add rows of events, each with the table and the seating that it follows; how many could be added."""
        return self.execute_many(
            "insert into events (table_id, number, line, at, spent) select ?, ?, ?, ?, ?"
            f" from tables where id = ? and seating = ?{self.for_key_share}",
            rows,
        )

    def insert_rows(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Add rows of another database to a table, even damaged ones, as ``storable`` says."""
        marks = ", ".join("?" for _ in columns.split(","))
        self.execute_many(f"insert into {table} ({columns}) values ({marks})", [self.storable(row) for row in rows])

    def storable(self, row: Row) -> Row:
        """A row of another database as it can be stored in this one."""
        return row

    @abstractmethod
    def query(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows as a transaction sees them."""

    @property
    @abstractmethod
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def channel(self) -> Channel:
        """How the processes that use this database hear of one another."""
        return Channel()

    def tell_sharing(self, *, over_redis: bool) -> None:
        """Tell other processes, for as long as this one lives, whether it hears of them through Redis."""

    def is_shared_otherwise(self) -> bool:
        """Whether other processes use Redis and this one does not, or the reverse: they do not hear of each other."""
        return False

    @abstractmethod
    def announce(self, address: str) -> None:
        """The server has an address now, for the message to a second one that may not use the database as well."""


def open_reader(where: str | Path) -> Reader:
    """Read a database that servers may be using; it must have the newest schema."""
    check_name(where)
    if is_postgres(where):
        from tilewright.server.postgres import PostgresReader

        return PostgresReader(str(where))
    from tilewright.server.sqlite import SqliteReader

    return SqliteReader(where)


def open_database(where: str | Path, *, ignore_damage: bool = False) -> Database:
    """An SQLite file, or the PostgreSQL database at a URL."""
    check_name(where)
    if is_postgres(where):
        from tilewright.server.postgres import Postgres

        return Postgres(str(where))
    from tilewright.server.sqlite import SqliteFile

    return SqliteFile(where, ignore_damage=ignore_damage)


def check_unused(where: str | Path) -> None:
    """Raise CannotServe if a server uses an SQLite file, which it does not share."""
    if not is_postgres(where):
        from tilewright.server.file_lock import FileLock

        with suppress(OSError):  # where no file can be, no server uses one
            FileLock(Path(os.path.realpath(where)), str(where)).remove()


def check_name(where: str | Path) -> None:
    """Refuse what is neither a file nor a database: a variable that is not set, or the URL of something else."""
    if not str(where):
        raise CannotServe("no database is named: give the name of a file, or a URL, postgresql://...")
    kind, mark, _ = str(where).partition("://")
    if mark and not is_postgres(where) and "/" not in kind:
        raise CannotServe(f"{kind}://... is no database that can be used: name a file, or a URL, postgresql://...")


def is_postgres(where: str | Path) -> bool:
    """Whether this is the URL of a PostgreSQL database, and not the name of a file."""
    return str(where).startswith(POSTGRES)


class Transaction:
    """From ``begin`` to ``commit``, or ``rollback`` if anything goes wrong; within another one a savepoint."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nested = database.in_transaction

    def __enter__(self) -> Database:
        if self._nested:
            self._database.execute("savepoint nested")
        else:
            self._database.start()
        return self._database

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if error is None:
            self._commit()
        else:
            self._roll_back()

    def _commit(self) -> None:
        try:
            self._database.execute("release savepoint nested" if self._nested else "commit")
        except self._database.error:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if not self._database.in_transaction:
            return  # the database has rolled back by itself, or the connection is lost
        if self._nested:
            self._database.execute("rollback to savepoint nested")
            self._database.execute("release savepoint nested")
        else:
            self._database.execute("rollback")
