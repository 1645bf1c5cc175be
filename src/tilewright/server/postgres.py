"""A PostgreSQL database, which any number of server processes may use at the same time."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from tilewright.server.channel import Channel
from tilewright.server.database import CannotServe, Database, NotOurs, Reader, Row
from tilewright.server.migrations import NEWEST, VERSION_TABLE, check_complete, check_version, upgrade

try:
    import psycopg
    from psycopg.pq import TransactionStatus
except ImportError:
    raise CannotServe("PostgreSQL needs psycopg: pip install 'tilewright[postgres]'") from None

# Beside an error that it raises, psycopg logs what that spoils: after every race that is lost, that a pipeline failed.
logging.getLogger("psycopg").addFilter(lambda record: not str(record.msg).startswith("error ignored"))

ALIVE, UPGRADE = 0x54696C77, 0x54696C78
"""Advisory locks: every server process shares the first one for as long as it lives."""
SHARING = 0x54696C79
"""With 1 or 0, another one: every server process shares that which says whether it uses Redis."""
CONNECT_TIMEOUT = 10
"""Seconds."""
ANSWER_TIMEOUT = 10.0
"""Seconds without a sign of life after which a database counts as lost: its machine has no power, or it is frozen."""
HOPELESS_FOR = 1.0
"""Seconds after such a wait in which nobody else waits: the next request that comes later tries again."""
IDLE_TIMEOUT = 10
"""Seconds after which PostgreSQL ends a transaction whose server is frozen: others may wait for its locks."""


class NoAnswer(psycopg.OperationalError):
    """The database was silent for too long; the connection is closed, and what it was asked may yet happen."""


class PatientConnection(psycopg.Connection[Row]):
    """A connection that is not waited for without end."""

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Wait for a conversation with the database, as long as there are signs of life."""
        return super().wait(self._impatient(gen), *arguments, **options)

    def _impatient(self, conversation: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on what psycopg and the socket say to each other; it says 0 ten times a second if nothing happens."""
        silent_since = time.monotonic()
        try:
            awaited = next(conversation)
            while True:
                happened = yield awaited
                if happened:
                    silent_since = time.monotonic()
                elif time.monotonic() - silent_since > ANSWER_TIMEOUT:
                    self.pgconn.finish()
                    raise NoAnswer(f"the database has not answered for {ANSWER_TIMEOUT:.0f} seconds")
                awaited = conversation.send(happened)
        except StopIteration as end:
            return end.value


class PostgresReader(Reader):
    """A connection that reads. If it is lost, it is made again by whoever reads next."""

    error = psycopg.Error
    _has_snapshot = False
    _hopeless_until = float("-inf")

    def __init__(self, url: str) -> None:
        self._url = url
        self.name = without_password(url)
        try:
            self._reader = connect(url)
            if _identify(self._reader) != NEWEST:
                self._reader.close()
                raise CannotServe("it does not have the tables of this version of Tilewright yet: start a server once")
        except (psycopg.Error, CannotServe) as error:
            raise CannotServe(f"{self.name} cannot be used as a database: {error}") from None

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows of committed data. If the connection was lost while nobody used it, it is made again.

        Not within a snapshot, which is lost with it.
        """
        try:
            found = self._reader.execute(_translated(query), values)
        except NoAnswer:
            self._give_up()
            raise
        except psycopg.OperationalError:
            if not self._reader.closed or self._has_snapshot:
                raise
            self._reader = self._again(lambda: connect(self._url))
            found = self._reader.execute(_translated(query), values)
        return found.fetchall() if found.description else []

    def _again(self, connect: Callable[[], PatientConnection]) -> PatientConnection:
        """Connect again, unless somebody has just waited for that in vain: requests would wait for one another."""
        begun = time.monotonic()
        if begun < self._hopeless_until:
            raise NoAnswer("the database did not answer a moment ago")
        try:
            return connect()
        except psycopg.OperationalError:
            if time.monotonic() - begun > HOPELESS_FOR:
                self._give_up()
            raise

    def _give_up(self) -> None:
        self._hopeless_until = time.monotonic() + HOPELESS_FOR

    def stream(self, query: str) -> Iterator[Row]:
        """The rows of a query within a snapshot, however many they are."""
        with self._reader.cursor(name="stream") as cursor:
            cursor.itersize = 5_000
            yield from cursor.execute(query)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Within it all reads see one moment."""
        self.read("begin isolation level repeatable read, read only")
        self._has_snapshot = True
        try:
            yield
        finally:
            self._has_snapshot = False
            if not self._reader.closed:
                self._reader.execute("rollback")

    def close(self) -> None:
        """Close the connection."""
        self._reader.close()


class Postgres(PostgresReader, Database):
    """A connection that writes beside the one that reads."""

    is_shared = True
    begin = "begin"
    for_update, for_key_share = " for update", " for key share"
    lost = (psycopg.OperationalError,)
    duplicate = psycopg.errors.UniqueViolation
    _over_redis: bool | None = None

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            self._upgrade()
            super().__init__(url)
            self._writer = self._connect_writer()
        except psycopg.Error as error:
            raise CannotServe(f"{without_password(url)} cannot be used as a database: {error}") from None

    def _upgrade(self) -> None:
        with contextlib.closing(connect(self._url)) as connection:
            try:
                version = _identify(connection)
            except CannotServe as error:
                advice = "; name an empty database" if isinstance(error, NotOurs) else ""
                raise CannotServe(
                    f"{without_password(self._url)} cannot be used as a database: {error}{advice}"
                ) from None
        if version != NEWEST:
            lock = f"select pg_advisory_xact_lock({UPGRADE})"  # several processes may start at once
            upgrade("postgresql+psycopg", lambda: psycopg.connect(self._url, connect_timeout=CONNECT_TIMEOUT), [lock])

    def _connect_writer(self) -> PatientConnection:
        """A connection that tells others that a server is alive; the first one notes since when the service is up.

        The lock ends with the connection, so nothing has to be cleaned up after a process that was killed.
        """
        connection = connect(self._url)
        connection.execute(f"set idle_in_transaction_session_timeout = '{IDLE_TIMEOUT}s'")
        if _scalar(connection, f"select pg_try_advisory_lock({ALIVE})"):
            connection.execute("update service set up_since = %s", (time.time(),))
            connection.execute(f"select pg_advisory_lock_shared({ALIVE}), pg_advisory_unlock({ALIVE})")
        else:
            connection.execute(f"select pg_advisory_lock_shared({ALIVE})")
        self._lock_sharing(connection)
        return connection

    def tell_sharing(self, *, over_redis: bool) -> None:
        """Tell other processes by a lock, which ends with the connection and is renewed with it."""
        self._over_redis = over_redis
        self._lock_sharing(self._writer)

    def _lock_sharing(self, connection: PatientConnection) -> None:
        if self._over_redis is not None:
            connection.execute(f"select pg_advisory_lock_shared({SHARING}, {int(self._over_redis)})")

    def is_shared_otherwise(self) -> bool:
        """Whether another process shares the other lock."""
        return self._over_redis is not None and bool(
            self.read(
                "select 1 from pg_locks where locktype = 'advisory' and objsubid = 2"
                f" and classid = {SHARING} and objid = {int(not self._over_redis)}"
                " and database = (select oid from pg_database where datname = current_database()) limit 1"
            )
        )

    def start(self) -> None:
        """Begin a transaction. If the connection was lost while nobody used it, it is made again."""
        try:
            self._writer.execute(self.begin)
        except NoAnswer:
            self._give_up()
            raise
        except psycopg.OperationalError:
            if not self._writer.closed:
                raise
            self._writer = self._again(self._connect_writer)
            self._writer.execute(self.begin)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Execute a statement of a transaction; how many rows it changed."""
        return self._writer.execute(_translated(statement), values).rowcount

    def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> int:
        """Execute a statement of a transaction for each row of values; how many rows were changed in all."""
        values = list(rows)
        if len(values) == 1:  # several are sent together, which takes longer to prepare
            return self.execute(statement, values[0])
        with self._writer.cursor() as cursor:
            cursor.executemany(_translated(statement), values)
            return cursor.rowcount

    def storable(self, row: Row) -> Row:
        """The row with U+FFFD for what PostgreSQL cannot store as text."""
        return tuple(map(_as_text, row))

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows as a transaction sees them."""
        return self._writer.execute(_translated(query), values).fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._writer.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def channel(self) -> Channel:
        """LISTEN and NOTIFY."""
        from tilewright.server.postgres_channel import PostgresChannel

        return PostgresChannel(self._url)

    def announce(self, address: str) -> None:
        """Others may use the database as well, so nobody needs to know."""

    def close(self) -> None:
        """Close the connections."""
        super().close()
        self._writer.close()


def connect(url: str) -> PatientConnection:
    """A connection on which every commit waits for the disk, whatever the server's default is."""
    connection = PatientConnection.connect(
        url, autocommit=True, connect_timeout=CONNECT_TIMEOUT, fallback_application_name="tilewright"
    )
    connection.execute("set synchronous_commit = on")
    return connection


def without_password(url: str) -> str:
    """A URL for messages and logs."""
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(//[^:/@]*):[^@]*@", r"\1:***@", url))


@cache
def _translated(statement: str) -> str:
    """The statement with the placeholders of psycopg; none of ours has a ``?`` or ``%`` of another meaning."""
    return statement.replace("?", "%s")


def _as_text(value: Any) -> Any:
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return raw.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(raw, bytes) else raw


def _scalar(connection: psycopg.Connection[Row], query: str) -> Any:
    row = connection.execute(query).fetchone()
    return row[0] if row else None


def _identify(connection: psycopg.Connection[Row]) -> str | None:
    """The version of the schema, None for an empty database; raises CannotServe if it is another program's."""
    found = connection.execute("select tablename from pg_tables where schemaname = current_schema").fetchall()
    tables = [name for (name,) in found]
    if VERSION_TABLE not in tables:
        if tables:
            raise NotOurs("it has another program's tables")
        return None
    version = str(_scalar(connection, f"select version_num from {VERSION_TABLE}"))
    check_version(version)
    check_complete(version, tables)
    return version
