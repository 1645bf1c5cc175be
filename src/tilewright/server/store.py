"""What is stored on disk: tables, seats and the events of every game, in one SQLite file.

A game is stored as its set-up and its list of events, the lines of a game record; positions are rebuilt by replaying
them. Every move is written in one transaction. Reads use a connection of their own, which sees committed data only
and does not wait for a write in progress.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tilewright.server.database import CannotServe, Transaction, open_database, open_for_reading, take

FREE = ("invite", "open")
"""The kinds of seats that nobody has taken yet."""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


class KeptSince(NamedTuple):
    """When the oldest games that are kept ended, if they are over, or were played at last, if they are not."""

    finished: float
    abandoned: float


class Store:
    """The SQLite file. One thread may write while another one reads."""

    def __init__(self, path: str | Path, *, ignore_damage: bool = False) -> None:
        found = Path(os.path.realpath(path))
        self._lock = take(found)
        with contextlib.ExitStack() as undo:
            undo.callback(self._lock.close)
            try:
                opened = open_database(found, ignore_damage=ignore_damage)
                self._connection = undo.enter_context(contextlib.closing(opened))
                self._reader = undo.enter_context(contextlib.closing(open_for_reading(found)))
            except (sqlite3.Error, CannotServe) as error:
                raise CannotServe(f"{path} cannot be used as a database: {error}") from None
            undo.pop_all()

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
        with Transaction(self._connection):
            for write in writes:
                errors.append(self._write(write))
                if not self._connection.in_transaction:
                    raise errors[-1] or sqlite3.OperationalError("the transaction was rolled back")
        return errors

    def _write(self, write: Callable[[Store], None]) -> Exception | None:
        try:
            with Transaction(self._connection):
                write(self)
        except Exception as error:
            return error
        return None

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction, unless one is open already: then the writes become part of it."""
        if self._connection.in_transaction:
            return contextlib.nullcontext(self._connection)
        return Transaction(self._connection)

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

    def save_review(self, review_id: str, content: str) -> None:
        """Store a review as JSON, or the record of a game for which there is none yet."""
        with self._transaction() as connection:
            connection.execute("delete from reviews where id = ?", (review_id,))
            connection.execute(
                "insert into reviews (id, content, at) values (?, ?, ?)", (review_id, content, time.time())
            )

    def remove_reviews(self, before: float) -> None:
        """Delete the reviews that were made before a time."""
        with self._transaction() as connection:
            connection.execute("delete from reviews where at < ?", (before,))

    def remove_expired(self, table_ids: Sequence[str], kept_since: KeptSince) -> list[str]:
        """Delete those of these tables whose time is up, in one transaction; which they were."""
        with self._transaction() as connection:
            expired = [name for name in table_ids if connection.execute(*_expired(kept_since, name)).fetchone()]
            rows = [(name,) for name in expired]
            connection.executemany("delete from events where table_id = ?", rows)
            connection.executemany("delete from seats where table_id = ?", rows)
            connection.executemany("update tables set rematch = null where rematch = ?", rows)
            connection.executemany("delete from reviews where id = ?", rows)
            connection.executemany("delete from tables where id = ?", rows)
        return expired

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

    def game(self, table_id: str) -> tuple[StoredTable, list[StoredEvent]] | None:
        """A table and the events of its game; None if there is no such table."""
        table = self.table(table_id)
        return None if table is None else (table, self.events(table_id))

    def review(self, review_id: str) -> str | None:
        """The JSON that was stored for a review; None if there is none."""
        row = self._reader.execute("select content from reviews where id = ?", (review_id,)).fetchone()
        return None if row is None else str(row["content"])

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

    def expired(self, kept_since: KeptSince) -> list[str]:
        """The tables whose time is up."""
        return [row["id"] for row in self._reader.execute(*_expired(kept_since))]


_LAST_PLAYED = "(select at from events where table_id = tables.id order by number desc limit 1)"
_EXPIRED = (
    "select id from tables where case when result is null"
    f" then coalesce({_LAST_PLAYED}, created) < :abandoned else ended < :finished end"
)


def _expired(kept_since: KeptSince, table_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """The query for tables whose time is up, or for one of them."""
    only = "" if table_id is None else " and id = :id"
    return _EXPIRED + only, {**kept_since._asdict(), "id": table_id}


_SEAT_COLUMNS = "kind, name, key_hash, bot, substitute, timed_out"


def _read_seat(row: sqlite3.Row) -> StoredSeat:
    kind, name, key_hash, bot, substitute, timed_out = row
    return StoredSeat(kind, name, key_hash, bot, substitute, bool(timed_out))


def _seat_values(seat: StoredSeat) -> tuple[str | int | None, ...]:
    return (seat.kind, seat.name, seat.key_hash, seat.bot, seat.substitute, int(seat.timed_out))
