"""Which files are refused as databases, and why: those that are no files, not ours, or damaged."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from tilewright.server.database import CannotServe, NotOurs
from tilewright.server.migrations import check_complete, check_version

APPLICATION_ID = 0x54696C65
"""In the header of our files, where ``file`` and SQLite find it: "Tile"."""
_MAGIC = b"SQLite format 3\0"
_PRIMARY = 0xFF
"""The bits of an error's code that say what kind it is."""


def check_kind(path: Path) -> None:
    """Refuse what SQLite could not open, or would not understand, before anything is written beside it."""
    if path.is_dir():
        raise CannotServe("it is a directory")
    if not path.parent.is_dir():
        raise CannotServe(f"the folder {path.parent} does not exist")
    if not path.exists():
        return
    if not path.is_file():
        raise CannotServe("it is not a regular file")
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) not in (b"", _MAGIC):
            raise NotOurs("it is not an SQLite file")


def check_only_name(path: Path) -> None:
    """Refuse a file with a second hard link: SQLite would keep a second journal there, and destroy the file."""
    links = os.stat(path).st_nlink if path.exists() else 1
    if links > 1:
        raise CannotServe(f"it has {links} hard links, but a database must have only one name")


def identify(connection: sqlite3.Connection) -> str | None:
    """The version of the schema, None for a new file; raises CannotServe if it belongs to another program."""
    application, version = (
        connection.execute(f"pragma {stamp}").fetchone()[0] for stamp in ("application_id", "user_version")
    )
    tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
    if application == version == 0 and not tables:
        return None
    if application != APPLICATION_ID:
        raise NotOurs("it is another program's SQLite file")
    found = f"{version:04}"
    check_version(found)
    check_complete(found, tables)
    return found


def check_integrity(connection: sqlite3.Connection) -> None:
    """Read every page now: a damaged one would otherwise be noticed in the middle of somebody's game."""
    try:
        found = str(connection.execute("pragma quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise CannotServe(f"{_damaged(found)}. --ignore-damage serves the file as it is")


def reason(error: Exception) -> str:
    """Why a file cannot be used."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    code = getattr(error, "sqlite_errorcode", 0)
    return _damaged(str(error)) if code & _PRIMARY == sqlite3.SQLITE_CORRUPT else str(error)


def _damaged(found: str) -> str:
    told = " ".join(found.split())
    return f"it is damaged ({told}); restore a backup, or save what can be read with `sqlite3 FILE .recover`"
