"""Copying all games from one database to another, of whatever kind, while servers use the first one.

A backup is such a copy in a new SQLite file, and a restore one into an empty database. Every game is read again from
the copy, compared with the original and replayed by the rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tilewright.game.errors import TilewrightError
from tilewright.server.checking import UNREADABLE_ID, problem_of, without_table
from tilewright.server.damage import is_readable
from tilewright.server.database import (
    Database,
    Reader,
    Row,
    Transaction,
    check_name,
    is_postgres,
    open_database,
    open_reader,
)
from tilewright.server.file_lock import COPYING, FileLock
from tilewright.server.sqlite import SqliteFile
from tilewright.server.sqlite_checks import reason
from tilewright.server.store import Library
from tilewright.server.stored import StoredRows

AT_ONCE = 1_000
"""Rows that are sent together."""
COLUMNS = {
    "tables": "id, game, players, options, secret, minutes, increment, created, guided, seating, result, ended,"
    " daily, rated, public, days",
    "seats": "table_id, seat, kind, name, key_hash, bot, substitute, timed_out",
    "reviews": "id, content, at",
    "solvers": "key_hash, game, rating, deviation, streak, best_streak, solved, tried, current",
    "answers": "key_hash, puzzle, is_right, at",
    "days": "day, secret",
    "profiles": "key_hash, name, avatar, at",
    "links": "key_hash, secret_hash, sealed_key, at",
    "ratings": "key_hash, game, players, mu, sigma, games, at",
    "rated_games": "table_id, at",
    "deadlines": "table_id, seat, at",
    "vacations": "key_hash, began, until",
    "passkeys": "id, key_hash, public_key, sign_count, sealed_key, at",
    "server_keys": "name, value",
    "subscriptions": "endpoint, key_hash, public_key, secret, site, language, at",
    "notices": "table_id, endpoint, key_hash, due, attempts",
    "events": "table_id, number, line, at, spent",
}
"""What is copied. Rematches, which link tables to one another, follow when all tables are there."""

Progress = Callable[[int, int], None]


class Copied(NamedTuple):
    """What was copied, and what is wrong with games that were wrong before."""

    tables: int
    events: int
    problems: list[str]


class CannotCopy(TilewrightError):
    """A copy that cannot be made, or that differs from its source."""


def copy(source: str | Path, target: str | Path, progress: Progress | None = None) -> Copied:
    """Copy everything to an empty database; a file that does not exist yet appears only when it is complete."""
    check_name(target)
    with closing(open_reader(source)) as reader:
        if is_postgres(target):
            with closing(open_database(target)) as database:
                return _copy_checked(reader, database, progress)
        return _copy_to_new_file(reader, str(target), progress)


def _copy_to_new_file(reader: Reader, target: str, progress: Progress | None) -> Copied:
    """Copy to a file which nobody else makes or, though it was moved away, still serves."""
    path = Path(os.path.realpath(target))
    _check_new(path, target)
    try:
        lock = FileLock(path, target)
    except OSError as error:
        raise CannotCopy(f"{target} cannot be written: {error.strerror}") from None
    with ExitStack() as undo:
        undo.callback(lock.remove)
        lock.announce(COPYING)
        _check_new(path, target)  # another copy may have been finished a moment ago
        return _copy_to_file(reader, path, target, progress)


def _check_new(path: Path, target: str) -> None:
    if path.exists():
        raise CannotCopy(f"{target} already exists: name a file that does not exist yet")
    if not path.parent.is_dir():
        raise CannotCopy(f"{target} cannot be written: the folder {path.parent} does not exist")


def _copy_to_file(reader: Reader, path: Path, target: str, progress: Progress | None) -> Copied:
    unfinished = path.with_name(f"{path.name}.unfinished")
    leftovers = [unfinished, *(Path(f"{unfinished}{ending}") for ending in (".lock", "-wal", "-shm"))]
    _remove(leftovers)
    try:
        with closing(SqliteFile(unfinished, name=target)) as database:
            database.execute("pragma foreign_keys = off")  # events without a table are copied like other damage
            copied = _copy_checked(reader, database, progress)
        os.replace(unfinished, path)
    finally:
        _remove(leftovers)
    return copied


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _copy_checked(reader: Reader, database: Database, progress: Progress | None) -> Copied:
    """Copy and compare within one snapshot, so that both are of the same moment."""
    try:
        with reader.snapshot():
            with Transaction(database):
                events = _copy_rows(reader, database)
            copied = _compared(Library(reader), Library(database), database, events, progress)
            lost = [f"{table_id}: {problem}" for table_id, problem in without_table(reader)]
            return copied._replace(problems=[*copied.problems, *lost])
    except (reader.error, database.error) as error:
        raise CannotCopy(f"{reader.name} cannot be copied to {database.name}: {reason(error)}") from None


def _copy_rows(reader: Reader, database: Database) -> int:
    """Copy all rows; how many of them are events."""
    if database.query("select count(*) from tables") != [(0,)]:
        raise CannotCopy(f"{database.name} already has games: name an empty database")
    copied = 0
    for table, columns in COLUMNS.items():
        copied = 0
        for rows in _in_batches(reader.stream(f"select {columns} from {table}")):
            database.insert_rows(table, columns, rows)
            copied += len(rows)
    links = reader.read("select rematch, id from tables where rematch is not null")
    if links:
        database.execute_many("update tables set rematch = ? where id = ?", links)
    database.execute_many("update service set seen = ?", reader.read("select seen from service"))
    return copied


def _in_batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def _compared(original: Library, copied: Library, database: Database, events: int, progress: Progress | None) -> Copied:
    problems: list[str] = []
    ids = original.ids()
    with database.snapshot():
        if copied.ids() != list(database.storable(tuple(ids))):
            raise CannotCopy("the copy does not have the same tables as the original")
        for number, table_id in enumerate(ids, start=1):
            if (problem := _compare(original, copied, database, table_id)) is not None:
                problems.append(f"{table_id}: {problem}")
            if progress is not None:
                progress(number, len(ids))
    return Copied(len(ids), events, problems)


def _compare(original: Library, copied: Library, database: Database, table_id: str) -> str | None:
    """Compare a table with its copy; what is wrong with both, if anything."""
    if not is_readable(table_id):
        return UNREADABLE_ID
    rows, same = original.rows(table_id), copied.rows(table_id)
    if rows is None or same is None or _storable(rows, database) != same:
        raise CannotCopy(f"the copy of the table {table_id} is not the same as the original")
    return problem_of(rows)


def _storable(rows: StoredRows, database: Database) -> StoredRows:
    table, seats, events = rows
    return StoredRows(
        database.storable(table), list(map(database.storable, seats)), list(map(database.storable, events))
    )
