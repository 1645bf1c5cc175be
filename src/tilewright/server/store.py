"""What is stored: tables, seats and the events of every game, in an SQLite file or a PostgreSQL database.

A game is stored as its set-up and its list of events, the lines of a game record; positions are rebuilt by replaying
them. Every move is written in one transaction. Reads use a connection of their own, which sees committed data only
and does not wait for a write in progress.

Several processes may use a PostgreSQL database, each with its own idea of a table. The number of an event is the fence:
two processes cannot both store the same one. A change of seats counts up ``seating`` and is possible only if the game
has not moved on, and an event only if the seats have not changed. Whoever comes second gets ``Conflict``.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeAlias

from tilewright.server.damage import Damage
from tilewright.server.database import Conflict, Database, Reader, Transaction, open_database
from tilewright.server.days import DAY
from tilewright.server.names import names_of, renamed
from tilewright.server.stored import (
    SEAT_COLUMNS,
    TABLE_COLUMNS,
    TABLE_PLACEHOLDERS,
    KeptSince,
    NewEvents,
    Result,
    StoredEvent,
    StoredGame,
    StoredRows,
    StoredSeat,
    StoredTable,
    Version,
    WaitingTable,
    read_events,
    read_seat,
    read_table,
    seat_values,
    table_values,
)
from tilewright.view.language import DEFAULT

Write: TypeAlias = "Callable[[Store], object]"


class Library:
    """The games in a database, to be read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def close(self) -> None:
        """Close the database."""
        self._reader.close()

    def check(self) -> None:
        """Raise an error if the database does not answer."""
        self._reader.read("select up_since from service")

    def ids(self) -> list[str]:
        """All tables, the oldest first."""
        return [row[0] for row in self._reader.read("select id from tables order by created, id")]

    def table(self, table_id: str) -> StoredTable | None:
        """A table with its seats."""
        rows = self._reader.read(_TABLE, (table_id,))
        return read_table(rows[0], self._reader.read(_SEATS, (table_id,))) if rows else None

    def events(self, table_id: str, after: int = 0) -> list[StoredEvent]:
        """The events of a game in order, or those after a number."""
        return read_events(table_id, self._reader.read(_EVENTS, (table_id, after)))

    def rows(self, table_id: str) -> StoredRows | None:
        """What is stored of a game, within a snapshot, whatever its condition; None if there is no such table."""
        tables = self._reader.read(_TABLE, (table_id,))
        if not tables:
            return None
        return StoredRows(tables[0], self._reader.read(_SEATS, (table_id,)), self._reader.read(_EVENTS, (table_id, 0)))

    def game(self, table_id: str) -> StoredGame | None:
        """A table and the events of its game; None if there is no such table."""
        with self._reader.snapshot():
            return self.game_in_snapshot(table_id)

    def game_in_snapshot(self, table_id: str) -> StoredGame | None:
        """The same within a snapshot of the caller."""
        table = self.table(table_id)
        if table is None:
            return None
        up_since = self._reader.read("select up_since from service")[0][0]
        if table.days is None:
            return StoredGame(table, self.events(table_id), up_since)
        due = self._reader.read("select at from deadlines where table_id = ?", (table_id,))
        return StoredGame(table, self.events(table_id), up_since, self.away(table.seats), due[0][0] if due else None)

    def away(self, seats: Sequence[StoredSeat]) -> tuple[float, ...]:
        """For each of some seats until when its holder is on vacation; 0 for those who never were."""
        query = "select max(until) from vacations where key_hash = ?"
        return tuple(self._reader.read(query, (seat.key_hash or "",))[0][0] or 0.0 for seat in seats)

    def version(self, table_id: str) -> Version | None:
        """The version of a table; None if there is no such table."""
        rows = self._reader.read(f"select {_VERSION} from tables where id = ?", (table_id,))
        return Version(*rows[0]) if rows else None

    def versions(self, table_ids: Sequence[str]) -> dict[str, Version]:
        """The versions of many tables."""
        found: dict[str, Version] = {}
        for first in range(0, len(table_ids), _ASKED_AT_ONCE):
            asked = table_ids[first : first + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(asked))
            rows = self._reader.read(f"select id, {_VERSION} from tables where id in ({marks})", asked)
            found |= {row[0]: Version(*row[1:]) for row in rows}
        return found

    def review(self, review_id: str) -> str | None:
        """The JSON that was stored for a review; None if there is none."""
        rows = self._reader.read("select content from reviews where id = ?", (review_id,))
        return str(rows[0][0]) if rows else None

    def waiting_tables(self, limit: int = 2000) -> list[WaitingTable]:
        """Tables of the last day that anybody may join, the newest first; correspondence games wait for two weeks."""
        rows = self._reader.read(
            "select id, (select key_hash from seats where table_id = id and kind = 'human' order by seat limit 1)"
            " from tables where public = 1 and result is null and created > ? and (days is not null or created > ?)"
            " and exists (select 1 from seats where table_id = id and kind = 'open') order by created desc limit ?",
            (time.time() - 14 * DAY, time.time() - DAY, limit),
        )
        return [WaitingTable(*row) for row in rows]

    def games_to_watch(self, played_since: float, limit: int = 10) -> list[StoredTable]:
        """Games that strangers may watch, in which something has happened since a time, the newest first."""
        rows = self._reader.read(
            "select id from tables where public = 1 and result is null and created > ?"
            " and not exists (select 1 from seats where table_id = id and kind in ('open', 'invite'))"
            f" and {_LAST_PLAYED} > ? order by created desc limit ?",
            (played_since - 24 * 3600, played_since, limit),
        )
        return self.tables([row[0] for row in rows])

    def plays_contest(self, key_hash: str, played_since: float, day: str) -> bool:
        """Whether the holder of a key plays the daily table of a day, or a rated game with a move since a time."""
        rows = self._reader.read(
            "select 1 from tables join seats on table_id = tables.id where key_hash = ? and result is null"
            f" and timed_out = 0 and (daily = ? or (rated = 1 and {_LAST_PLAYED} > ?)) limit 1",
            (key_hash, day, played_since),
        )
        return bool(rows)

    def tables(self, ids: Iterable[str]) -> list[StoredTable]:
        """The tables with these ids; a list leaves out the damaged ones, of which their players hear at the table."""
        found = []
        for table_id in ids:
            with contextlib.suppress(Damage):
                found.append(self.table(table_id))
        return [table for table in found if table is not None]

    def tables_of(self, key_hash: str, *, over: bool, limit: int = 20) -> list[StoredTable]:
        """Tables where the holder of a key sits, the newest first."""
        return self._tables_of(key_hash, f"result is {'not null' if over else 'null'}", limit)

    def correspondence_of(self, key_hash: str, limit: int = 50) -> list[StoredTable]:
        """The correspondence games that the holder of a key plays, the newest first."""
        return self._tables_of(key_hash, "result is null and days is not null", limit)

    def _tables_of(self, key_hash: str, wanted: str, limit: int) -> list[StoredTable]:
        rows = self._reader.read(
            "select distinct tables.id, created from tables join seats on table_id = tables.id"
            f" where key_hash = ? and kind = 'human' and {wanted} order by created desc limit ?",
            (key_hash, limit),
        )
        return self.tables([row[0] for row in rows])

    def held_by(self, key_hash: str) -> list[str]:
        """All tables where the holder of a key sits, or has a seat kept free, the oldest first."""
        rows = self._reader.read(
            "select distinct tables.id, created from tables join seats on table_id = tables.id"
            " where key_hash = ? order by created, tables.id",
            (key_hash,),
        )
        return [row[0] for row in rows]

    def expired(self, kept_since: KeptSince, after: str = "") -> tuple[list[str], str | None]:
        """Of the tables that follow another one by their ids, a few at a time, those whose time is up.

        Also the last table that was looked at, to go on after it; None if there is none.
        """
        rows = self._reader.read(
            f"select id, case when {_IS_EXPIRED} then 1 else 0 end from tables where id > ? order by id limit ?",
            (*_times(kept_since), after, LOOKED_AT_ONCE),
        )
        return [table_id for table_id, is_expired in rows if is_expired], rows[-1][0] if rows else None


class Store(Library):
    """A database of games. One thread may write while another one reads."""

    def __init__(self, where: str | Path, *, ignore_damage: bool = False) -> None:
        self.database: Database = open_database(where, ignore_damage=ignore_damage)
        super().__init__(self.database)

    def write_all(self, writes: Sequence[Write | NewEvents]) -> list[Exception | None]:
        """Perform several writes in one commit: for each the error that undid it, or None.

        They share a transaction. If it fails, it is done again with a savepoint for each write, so that one that fails
        takes no other with it: savepoints from the start would treble the statements of a move, each of which waits
        for the interpreter or for a server.
        """
        if len(writes) == 1:
            return [self._write(*writes)]
        if self._write(*writes) is None:
            return [None] * len(writes)
        errors: list[Exception | None] = []
        with Transaction(self.database):
            for write in writes:
                errors.append(self._write(write))
                if not self.database.in_transaction:
                    raise errors[-1] or self.database.error("the transaction was rolled back")
        return errors

    def _write(self, *writes: Write | NewEvents) -> Exception | None:
        """Perform writes that are independent of each other, those that are nothing but moves in one statement."""
        try:
            with Transaction(self.database):
                self.insert_events([write for write in writes if isinstance(write, NewEvents)])
                for write in writes:
                    if not isinstance(write, NewEvents):
                        write(self)
        except Exception as error:
            return error
        return None

    def transaction(self) -> AbstractContextManager[Database]:
        """A transaction, unless one is open already: then the writes become part of it."""
        if self.database.in_transaction:
            return contextlib.nullcontext(self.database)
        return Transaction(self.database)

    def add_table(self, table: StoredTable) -> None:
        """Store a new table and its seats."""
        with self.transaction() as database:
            insert = f"insert into tables ({TABLE_COLUMNS}) values ({TABLE_PLACEHOLDERS})"
            try:
                database.execute(insert, table_values(table))
            except database.duplicate:
                raise Conflict(f"there is a table {table.id} already") from None
            database.execute_many(
                f"insert into seats (table_id, seat, {SEAT_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)",
                [(table.id, number, *seat_values(seat)) for number, seat in enumerate(table.seats)],
            )

    def change_seats(self, table_id: str, seats: Mapping[int, StoredSeat], *, seating: int = 0, event: int = 0) -> None:
        """Somebody sat down, a bot took over, or somebody came back, at a table as it was after an event."""
        with self.transaction() as database:
            known = f"select 1 from tables where id = ? and seating = ?{database.for_update}"
            last = "select coalesce(max(number), 0) from events where table_id = ?"
            if not database.query(known, (table_id, seating)) or database.query(last, (table_id,)) != [(event,)]:
                raise Conflict(f"the table {table_id} has changed since event {event} and seating {seating}")
            database.execute("update tables set seating = ? where id = ?", (seating + 1, table_id))
            database.execute_many(
                f"update seats set ({SEAT_COLUMNS}) = (?, ?, ?, ?, ?, ?) where table_id = ? and seat = ?",
                [(*seat_values(seat), table_id, number) for number, seat in seats.items()],
            )
            database.execute(f"delete from written where table_id = ? and not {_WRITER_SITS}", (table_id,))

    def set_rematch(self, table_id: str, rematch: str) -> None:
        """Link a finished table to the one where its players meet again."""
        with self.transaction() as database:
            link = "update tables set rematch = ? where id = ? and rematch is null"
            if not database.execute(link, (rematch, table_id)):
                raise Conflict(f"the table {table_id} has a rematch already")

    def insert_events(self, moves: Sequence[NewEvents]) -> None:
        """Store the events of moves: of all, or of none if one of them comes too late."""
        rows = [row for move in moves for row in move.rows]
        if not rows:
            return
        with self.transaction() as database:
            try:
                stored = database.insert_events(rows)
            except database.duplicate:
                told = (f"the table {move.table_id} has an event {move.first} already" for move in moves)
                raise Conflict(" or ".join(told)) from None
            if stored != len(rows):
                told = (
                    f"the seats of the table {move.table_id} have changed since seating {move.seating}"
                    for move in moves
                )
                raise Conflict(" or ".join(told))

    def add_events(
        self,
        table_id: str,
        first: int,
        lines: Sequence[str],
        *,
        seating: int = 0,
        at: float | None = None,
        spent: float = 0.0,
        result: Result | None = None,
    ) -> None:
        """Store the events of one move, numbered from ``first``; with a result if the move ends the game."""
        at = time.time() if at is None else at
        with self.transaction() as database:
            self.insert_events([NewEvents(table_id, first, lines, seating, at, spent)])
            if result is not None:
                ending = (json.dumps(result), at, table_id)
                database.execute("update tables set result = ?, ended = ? where id = ?", ending)
                database.execute("delete from written where table_id = ?", (table_id,))

    def save_review(self, review_id: str, content: str) -> None:
        """Store a review as JSON, or the record of a game for which there is none yet."""
        with self.transaction() as database:
            database.execute(
                "insert into reviews (id, content, at) values (?, ?, ?)"
                " on conflict (id) do update set content = excluded.content, at = excluded.at",
                (review_id, content, time.time()),
            )

    def remove_reviews(self, before: float) -> None:
        """Delete the reviews that were made before a time."""
        with self.transaction() as database:
            database.execute("delete from reviews where at < ?", (before,))

    def remove_expired(self, table_ids: Sequence[str], kept_since: KeptSince) -> list[str]:
        """Delete those of these tables whose time is up, in one transaction; which they were."""
        with self.transaction() as database:
            for name in sorted(table_ids):
                database.query(f"select 1 from tables where id = ?{database.for_update}", (name,))
            query = f"select 1 from tables where {_IS_EXPIRED} and id = ?"
            expired = [name for name in table_ids if database.query(query, (*_times(kept_since), name))]
            self._delete(expired)
        return expired

    def _delete(self, table_ids: Sequence[str]) -> None:
        rows = [(name,) for name in table_ids]
        if rows:
            self.database.execute_many("delete from events where table_id = ?", rows)
            self.database.execute_many("delete from written where table_id = ?", rows)
            self.database.execute_many("delete from seats where table_id = ?", rows)
            self.database.execute_many("update tables set rematch = null where rematch = ?", rows)
            self.database.execute_many("delete from reviews where id = ?", rows)
            self.database.execute_many("delete from rated_games where table_id = ?", rows)
            self.database.execute_many("delete from seekers where table_id = ?", rows)
            self.database.execute_many("delete from deadlines where table_id = ?", rows)
            self.database.execute_many("delete from notices where table_id = ?", rows)
            self.database.execute_many("delete from tables where id = ?", rows)

    def forget_person(self, table_id: str, key_hash: str) -> bool:
        """Remove a person from a table, or delete it if nobody else sits there; whether it was deleted."""
        with self.transaction() as database:
            database.query(f"select 1 from tables where id = ?{database.for_update}", (table_id,))
            others = "select 1 from seats where table_id = ? and kind = 'human' and key_hash <> ?"
            if not database.query(others, (table_id, key_hash)):
                self._delete([table_id])
                return True
            removed = "update seats set name = '', key_hash = null where table_id = ? and key_hash = ?"
            database.execute(removed, (table_id, key_hash))
            database.execute("delete from written where table_id = ? and key_hash = ?", (table_id, key_hash))
            database.execute("update tables set seating = seating + 1 where id = ?", (table_id,))
            self._rename_in_review(table_id)
        return False

    def _rename_in_review(self, table_id: str) -> None:
        """Give the players of a game in its review, which has a record of its own, the names that they have now."""
        reviews = self.database.query("select content from reviews where id = ?", (table_id,))
        for (content,) in reviews:
            review = json.loads(content)
            names = names_of([read_seat(row) for row in self.database.query(_SEATS, (table_id,))], DEFAULT)
            review["record"] = renamed(review["record"], names)
            changed = json.dumps(review, separators=(",", ":"))
            self.database.execute("update reviews set content = ? where id = ?", (changed, table_id))


_WRITER_SITS = (
    "exists (select 1 from seats where seats.table_id = written.table_id and seats.seat = written.seat"
    " and seats.key_hash = written.key_hash)"
)
_TABLE = f"select {TABLE_COLUMNS} from tables where id = ?"
_SEATS = f"select {SEAT_COLUMNS} from seats where table_id = ? order by seat"
_EVENTS = "select number, line, at, spent from events where table_id = ? and number > ? order by number"
_VERSION = "seating, coalesce((select max(number) from events where table_id = id), 0), rematch"
_ASKED_AT_ONCE = 500
"""Tables in one query, which has a placeholder for each."""
_LAST_PLAYED = "(select at from events where table_id = tables.id order by number desc limit 1)"
_IS_EXPIRED = f"case when result is null then coalesce({_LAST_PLAYED}, created) < ? else ended < ? end"
LOOKED_AT_ONCE = 1_000
"""Tables of which one read finds out whether their time is up: in between others may read."""


def _times(kept_since: KeptSince) -> tuple[float, float]:
    """The values in ``_IS_EXPIRED``."""
    return kept_since.abandoned, kept_since.finished
