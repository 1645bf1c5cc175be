"""What is kept on disk: tables, seats and the events of every game, in one SQLite file.

A game is its set-up and its list of events, the very lines of a game record; positions are rebuilt by
replaying them. Every move is kept whole or not at all, and is on the disk before anybody is told of it.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from tilewright.game.errors import TilewrightError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

MIGRATIONS = (
    """
    create table tables (
        id text primary key,
        game text not null,
        players integer not null,
        options text not null,
        secret text not null,
        minutes real,
        increment real,
        created real not null,
        over integer not null default 0,
        rematch text references tables (id)
    );
    create table seats (
        table_id text not null references tables (id),
        seat integer not null,
        kind text not null check (kind in ('human', 'bot', 'invite', 'open')),
        name text not null,
        key_hash text,
        bot text,
        primary key (table_id, seat)
    ) without rowid;
    create index seats_by_key on seats (key_hash);
    create table events (
        table_id text not null references tables (id),
        number integer not null,
        line text not null,
        at real not null,
        primary key (table_id, number)
    ) without rowid;
    """,
    """
    alter table tables add column guided integer not null default 0;
    """,
    """
    alter table seats add column substitute text;
    alter table seats add column timed_out integer not null default 0;
    update seats set name = '' where kind in ('invite', 'open');
    alter table events add column spent real;
    """,
    """
    alter table tables add column result text;
    alter table tables add column ended real;
    update tables set ended = (select max(at) from events where table_id = tables.id) where over = 1;
    """,
)
"""One script for each version of the database; a file of an older version runs those that it lacks."""


FREE = ("invite", "open")
"""The kinds of seats that are still to be taken."""


class CannotServe(TilewrightError):
    """The database or the port cannot be had."""


def _take(path: str | Path) -> IO[str]:
    """One server a file: a second one would play on with old positions. The lock ends with the process."""
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


@dataclass
class StoredSeat:
    """Who sits where; ``key_hash`` belongs to the browser or program that holds the seat.

    The name is as it was typed, and empty for bots, free seats and people who typed none.
    """

    kind: str
    name: str = ""
    key_hash: str | None = None
    bot: str | None = None
    substitute: str | None = None
    """The bot that plays for the person whose seat this is and stays."""
    timed_out: bool = False
    """The person's clock has run out: the substitute plays to the end."""


class StoredEvent(NamedTuple):
    """A line of a game, when it was kept, and the seconds that the player on turn had spent by the clock."""

    line: str
    at: float
    spent: float | None
    """Unknown in games of older versions."""


class Result(NamedTuple):
    """How a game ended, by seat; winners count from 1."""

    scores: list[int]
    winners: list[int]


@dataclass
class StoredTable:
    """A table as it is kept."""

    id: str
    game: str
    players: int
    options: dict[str, Any]
    secret: str
    minutes: float | None = None
    increment: float | None = None
    created: float = field(default_factory=time.time)
    over: bool = False
    rematch: str | None = None
    guided: bool = False
    """A first game, in which a coach helps."""
    result: Result | None = None
    """How it ended, kept so that a list of games need not replay them; unknown in games of older versions."""
    ended: float | None = None
    seats: list[StoredSeat] = field(default_factory=list)


class Store:
    """The SQLite file. Used from one thread at a time."""

    def __init__(self, path: str | Path) -> None:
        self._lock = _take(path)
        with contextlib.ExitStack() as undo:
            undo.callback(self._lock.close)
            try:
                self._connection = undo.enter_context(contextlib.closing(_connect(path)))
                self._migrate()
            except (sqlite3.Error, CannotServe) as error:
                raise CannotServe(f"{path} cannot be used as a database: {error}") from None
            undo.pop_all()

    def _migrate(self) -> None:
        version = self._connection.execute("pragma user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise CannotServe(f"this database is of version {version}; this Tilewright knows {len(MIGRATIONS)}")
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            self._connection.executescript(f"begin immediate; {script} pragma user_version = {number}; commit;")

    def announce(self, address: str) -> None:
        """Leave word for a second server of where the first one is."""
        self._lock.write(address)
        self._lock.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._lock.close()

    def together(self, works: list[Callable[[Store], Any]]) -> list[Any]:
        """Do several things and wait for the disk once: what each gave, or its error; what fails is undone alone.

        They share a transaction, in which each is a savepoint, and nobody hears of any before all are on the disk.
        """
        if len(works) == 1:
            return [works[0](self)]
        given: list[Any] = []
        with _Transaction(self._connection):
            for work in works:
                try:
                    given.append(work(self))
                except Exception as error:
                    given.append(error)
        return given

    def add_table(self, table: StoredTable) -> None:
        """Keep a new table and its seats."""
        with _Transaction(self._connection) as connection:
            connection.execute(
                "insert into tables (id, game, players, options, secret, minutes, increment, created, guided)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    table.id,
                    table.game,
                    table.players,
                    json.dumps(table.options),
                    table.secret,
                    table.minutes,
                    table.increment,
                    table.created,
                    int(table.guided),
                ),
            )
            for number, seat in enumerate(table.seats):
                connection.execute(
                    f"insert into seats (table_id, seat, {_SEAT_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)",
                    (table.id, number, *_seat_values(seat)),
                )

    def change_seat(self, table_id: str, number: int, seat: StoredSeat) -> None:
        """Somebody sat down, a bot took over, or somebody came back."""
        with _Transaction(self._connection) as connection:
            connection.execute(
                f"update seats set ({_SEAT_COLUMNS}) = (?, ?, ?, ?, ?, ?) where table_id = ? and seat = ?",
                (*_seat_values(seat), table_id, number),
            )

    def set_rematch(self, table_id: str, rematch: str) -> None:
        """Where the players of a finished table meet again."""
        with _Transaction(self._connection) as connection:
            connection.execute("update tables set rematch = ? where id = ?", (rematch, table_id))

    def set_result(self, table_id: str, result: Result) -> None:
        """How a game ended that is of an older version."""
        with _Transaction(self._connection) as connection:
            connection.execute("update tables set result = ? where id = ?", (json.dumps(result), table_id))

    def add_events(
        self,
        table_id: str,
        first: int,
        lines: list[str],
        *,
        over: bool,
        at: float | None = None,
        spent: float = 0.0,
        result: Result | None = None,
    ) -> None:
        """Keep the events of one move, all or none; ``first`` is the number of the first of them."""
        at = time.time() if at is None else at
        with _Transaction(self._connection) as connection:
            connection.executemany(
                "insert into events (table_id, number, line, at, spent) values (?, ?, ?, ?, ?)",
                [(table_id, first + n, line, at, 0.0 if n else spent) for n, line in enumerate(lines)],
            )
            if over:
                ending = (json.dumps(result) if result else None, at, table_id)
                connection.execute("update tables set over = 1, result = ?, ended = ? where id = ?", ending)

    def table(self, table_id: str) -> StoredTable | None:
        """A table with its seats."""
        row = self._connection.execute("select * from tables where id = ?", (table_id,)).fetchone()
        if row is None:
            return None
        seats = self._connection.execute("select * from seats where table_id = ? order by seat", (table_id,)).fetchall()
        return StoredTable(
            id=row["id"],
            game=row["game"],
            players=row["players"],
            options=json.loads(row["options"]),
            secret=row["secret"],
            minutes=row["minutes"],
            increment=row["increment"],
            created=row["created"],
            over=bool(row["over"]),
            rematch=row["rematch"],
            guided=bool(row["guided"]),
            result=Result(*json.loads(row["result"])) if row["result"] else None,
            ended=row["ended"],
            seats=[
                StoredSeat(
                    kind=seat["kind"],
                    name=seat["name"],
                    key_hash=seat["key_hash"],
                    bot=seat["bot"],
                    substitute=seat["substitute"],
                    timed_out=bool(seat["timed_out"]),
                )
                for seat in seats
            ],
        )

    def events(self, table_id: str) -> list[StoredEvent]:
        """The lines of a game and when each was kept."""
        rows = self._connection.execute(
            "select line, at, spent from events where table_id = ? order by number", (table_id,)
        )
        return [StoredEvent(*row) for row in rows]

    def open_tables(self, limit: int = 20) -> list[str]:
        """Tables that anybody may join, the newest first."""
        rows = self._connection.execute(
            "select distinct tables.id, created from tables join seats on table_id = tables.id"
            " where kind = 'open' and over = 0 and created > ? order by created desc limit ?",
            (time.time() - 24 * 3600, limit),
        )
        return [row["id"] for row in rows]

    def tables_of(self, key_hash: str, *, over: bool, limit: int = 20) -> list[str]:
        """Tables where somebody sits, the newest first."""
        rows = self._connection.execute(
            "select distinct tables.id, created from tables join seats on table_id = tables.id"
            " where key_hash = ? and over = ? order by created desc limit ?",
            (key_hash, int(over), limit),
        )
        return [row["id"] for row in rows]


_SEAT_COLUMNS = "kind, name, key_hash, bot, substitute, timed_out"


def _seat_values(seat: StoredSeat) -> tuple[str | int | None, ...]:
    return (seat.kind, seat.name, seat.key_hash, seat.bot, seat.substitute, int(seat.timed_out))


class _Transaction:
    """``begin immediate`` to ``commit``, or ``rollback`` if anything goes wrong; within another one a savepoint."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._inner = connection.in_transaction

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("savepoint inner" if self._inner else "begin immediate")
        return self._connection

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if error is None:
            self._keep()
        else:
            self._undo()

    def _keep(self) -> None:
        try:
            self._connection.execute("release inner" if self._inner else "commit")
        except sqlite3.Error:
            self._undo()
            raise

    def _undo(self) -> None:
        if self._inner:
            self._connection.execute("rollback to inner")
            self._connection.execute("release inner")
        elif self._connection.in_transaction:
            self._connection.execute("rollback")
