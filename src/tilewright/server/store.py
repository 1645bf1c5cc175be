"""What is stored on disk: tables, seats and the events of every game, in one SQLite file.

A game is stored as its set-up and its list of events, the lines of a game record; positions are rebuilt by replaying
them. Every move is written in one transaction. Reads use a connection of their own, which sees committed data only
and does not wait for a write in progress.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from tilewright.game.errors import TilewrightError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

SCHEMA_VERSION = 1
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
"""

FREE = ("invite", "open")
"""The kinds of seats that nobody has taken yet."""


class CannotServe(TilewrightError):
    """The server cannot start: the database or the port is not available."""


def _take(path: str | Path) -> IO[str]:
    """Lock the file for this process: a second server would continue games from stale positions."""
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
    lock.truncate(0)
    return lock


def _connect(path: str | Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        for pragma in ("journal_mode = wal", "synchronous = full", "busy_timeout = 5000", "foreign_keys = on"):
            connection.execute(f"pragma {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@dataclass(frozen=True)
class StoredSeat:
    """Who sits in a seat; ``key_hash`` belongs to the browser or program that holds it.

    The name is as it was typed, and empty for bots, free seats and people who typed none.
    """

    kind: str
    name: str = ""
    key_hash: str | None = None
    bot: str | None = None
    substitute: str | None = None
    """The bot that plays for the person who holds the seat."""
    timed_out: bool = False
    """The person's clock has run out: the substitute plays to the end."""


class StoredEvent(NamedTuple):
    """A line of a game, when it was stored, and the seconds it took off the clock of the player to move."""

    line: str
    at: float
    spent: float


class WaitingTable(NamedTuple):
    """A table with an open seat, and the hash of the key of whoever sits there first."""

    id: str
    opener: str | None


class Result(NamedTuple):
    """How a game ended, by seat; winners count from 1."""

    scores: list[int]
    winners: list[int]


@dataclass(frozen=True)
class StoredTable:
    """A table as it is stored."""

    id: str
    game: str
    players: int
    options: Mapping[str, Any]
    secret: str
    minutes: float | None = None
    increment: float | None = None
    created: float = field(default_factory=time.time)
    guided: bool = False
    """A first game, in which a coach helps."""
    result: Result | None = None
    """How the game ended, stored so that lists of games need not replay them; None while it is being played."""
    ended: float | None = None
    rematch: str | None = None
    seats: Sequence[StoredSeat] = ()

    def with_seats(self, changed: Mapping[int, StoredSeat]) -> StoredTable:
        """The same table with other people or bots in some seats."""
        return replace(self, seats=tuple(changed.get(n, seat) for n, seat in enumerate(self.seats)))


class Store:
    """The SQLite file. One thread may write while another one reads."""

    def __init__(self, path: str | Path) -> None:
        self._lock = _take(path)
        with contextlib.ExitStack() as undo:
            undo.callback(self._lock.close)
            try:
                self._connection = undo.enter_context(contextlib.closing(_connect(path)))
                self._create_schema()
                self._reader = undo.enter_context(contextlib.closing(_connect(path)))
                self._reader.execute("pragma query_only = on")
            except (sqlite3.Error, CannotServe) as error:
                raise CannotServe(f"{path} cannot be used as a database: {error}") from None
            undo.pop_all()

    def _create_schema(self) -> None:
        version = self._connection.execute("pragma user_version").fetchone()[0]
        if version == 0:
            script = f"begin immediate; {SCHEMA} pragma user_version = {SCHEMA_VERSION}; commit;"
            self._connection.executescript(script)
        elif version != SCHEMA_VERSION:
            raise CannotServe(f"its schema has version {version}; this Tilewright reads {SCHEMA_VERSION}")

    def announce(self, address: str) -> None:
        """Write the server's address beside the file, for the message to a second server."""
        self._lock.write(address)
        self._lock.flush()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()
        self._connection.close()
        self._lock.close()

    # Writing --------------------------------------------------------------------------------------------

    def write_all(self, writes: Sequence[Callable[[Store], None]]) -> list[Exception | None]:
        """Perform several writes in one commit: for each the error that undid it, or None.

        They share a transaction in which each is a savepoint, so that one that fails takes no other with it. A write
        by itself needs no savepoint, and fewer statements.
        """
        if len(writes) == 1:
            return [self._write(writes[0])]
        errors: list[Exception | None] = []
        with _Transaction(self._connection):
            for write in writes:
                errors.append(self._write(write))
                if not self._connection.in_transaction:
                    raise errors[-1] or sqlite3.OperationalError("the transaction was rolled back")
        return errors

    def _write(self, write: Callable[[Store], None]) -> Exception | None:
        try:
            with _Transaction(self._connection):
                write(self)
        except Exception as error:
            return error
        return None

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction, unless one is open already: then the writes become part of it."""
        if self._connection.in_transaction:
            return contextlib.nullcontext(self._connection)
        return _Transaction(self._connection)

    def add_table(self, table: StoredTable) -> None:
        """Store a new table and its seats."""
        with self._transaction() as connection:
            connection.execute(
                "insert into tables (id, game, players, options, secret, minutes, increment, created, guided)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    table.id,
                    table.game,
                    table.players,
                    json.dumps(dict(table.options)),
                    table.secret,
                    table.minutes,
                    table.increment,
                    table.created,
                    int(table.guided),
                ),
            )
            connection.executemany(
                f"insert into seats (table_id, seat, {_SEAT_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)",
                [(table.id, number, *_seat_values(seat)) for number, seat in enumerate(table.seats)],
            )

    def change_seats(self, table_id: str, seats: Mapping[int, StoredSeat]) -> None:
        """Somebody sat down, a bot took over, or somebody came back."""
        with self._transaction() as connection:
            connection.executemany(
                f"update seats set ({_SEAT_COLUMNS}) = (?, ?, ?, ?, ?, ?) where table_id = ? and seat = ?",
                [(*_seat_values(seat), table_id, number) for number, seat in seats.items()],
            )

    def set_rematch(self, table_id: str, rematch: str) -> None:
        """Link a finished table to the one where its players meet again."""
        with self._transaction() as connection:
            connection.execute("update tables set rematch = ? where id = ?", (rematch, table_id))

    def add_events(
        self,
        table_id: str,
        first: int,
        lines: Sequence[str],
        *,
        at: float | None = None,
        spent: float = 0.0,
        result: Result | None = None,
    ) -> None:
        """Store the events of one move, numbered from ``first``; with a result if the move ends the game."""
        at = time.time() if at is None else at
        with self._transaction() as connection:
            connection.executemany(
                "insert into events (table_id, number, line, at, spent) values (?, ?, ?, ?, ?)",
                [(table_id, first + n, line, at, 0.0 if n else spent) for n, line in enumerate(lines)],
            )
            if result is not None:
                ending = (json.dumps(result), at, table_id)
                connection.execute("update tables set result = ?, ended = ? where id = ?", ending)

    # Reading --------------------------------------------------------------------------------------------

    def table(self, table_id: str) -> StoredTable | None:
        """A table with its seats."""
        row = self._reader.execute("select * from tables where id = ?", (table_id,)).fetchone()
        if row is None:
            return None
        seats = self._reader.execute(f"select {_SEAT_COLUMNS} from seats where table_id = ? order by seat", (table_id,))
        return StoredTable(
            id=row["id"],
            game=row["game"],
            players=row["players"],
            options=json.loads(row["options"]),
            secret=row["secret"],
            minutes=row["minutes"],
            increment=row["increment"],
            created=row["created"],
            guided=bool(row["guided"]),
            result=Result(*json.loads(row["result"])) if row["result"] else None,
            ended=row["ended"],
            rematch=row["rematch"],
            seats=tuple(_read_seat(seat) for seat in seats),
        )

    def events(self, table_id: str) -> list[StoredEvent]:
        """The events of a game in order."""
        rows = self._reader.execute(
            "select line, at, spent from events where table_id = ? order by number", (table_id,)
        )
        return [StoredEvent(*row) for row in rows]

    def waiting_tables(self, limit: int = 2000) -> list[WaitingTable]:
        """Tables of the last day that anybody may join, the newest first."""
        rows = self._reader.execute(
            "select id, (select key_hash from seats where table_id = id and kind = 'human' order by seat limit 1)"
            " from tables where result is null and created > ?"
            " and exists (select 1 from seats where table_id = id and kind = 'open') order by created desc limit ?",
            (time.time() - 24 * 3600, limit),
        )
        return [WaitingTable(*row) for row in rows]

    def tables(self, ids: Iterable[str]) -> list[StoredTable]:
        """The tables with these ids."""
        return [table for table_id in ids if (table := self.table(table_id)) is not None]

    def tables_of(self, key_hash: str, *, over: bool, limit: int = 20) -> list[StoredTable]:
        """Tables where the holder of a key sits, the newest first."""
        rows = self._reader.execute(
            "select distinct tables.id, created from tables join seats on table_id = tables.id"
            " where key_hash = ? and (result is not null) = ? order by created desc limit ?",
            (key_hash, int(over), limit),
        )
        return self.tables([row["id"] for row in rows])


_SEAT_COLUMNS = "kind, name, key_hash, bot, substitute, timed_out"


def _read_seat(row: sqlite3.Row) -> StoredSeat:
    kind, name, key_hash, bot, substitute, timed_out = row
    return StoredSeat(kind, name, key_hash, bot, substitute, bool(timed_out))


def _seat_values(seat: StoredSeat) -> tuple[str | int | None, ...]:
    return (seat.kind, seat.name, seat.key_hash, seat.bot, seat.substitute, int(seat.timed_out))


class _Transaction:
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
