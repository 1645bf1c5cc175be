"""The schema of the database, as Alembic revisions: SQLite and PostgreSQL get the same tables from them.

A new revision is a file in ``versions``, and ``NEWEST`` names it. Alembic is imported only to change a schema; one that
is up to date is recognised by its version alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from tilewright.server.database import CannotServe

NEWEST = "0001"
VERSION_TABLE = "schema_version"
TABLES = frozenset(
    {
        "tables",
        "seats",
        "events",
        "service",
        "reviews",
        "solvers",
        "answers",
        "days",
        "profiles",
        "links",
        "ratings",
        "rated_games",
        "seekers",
        "deadlines",
        "vacations",
        "server_keys",
        "subscriptions",
        "notices",
        "passkeys",
        "challenges",
        "written",
    }
)
"""What a database of the newest version has."""


def upgrade(dialect: str, connect: Callable[[], Any], first: Sequence[str]) -> None:
    """Bring a database to the newest version in one transaction, which begins with the statements ``first``."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    script = ScriptDirectory(str(Path(__file__).parent))
    options = {"version_table": VERSION_TABLE, "fn": lambda version, _: script._upgrade_revs(NEWEST, version)}
    try:
        with create_engine(f"{dialect}://", creator=connect, poolclass=NullPool).connect() as connection:
            for statement in first:
                connection.exec_driver_sql(statement)
            context = MigrationContext.configure(connection, opts=options)
            with Operations.context(context):
                context.run_migrations()
            connection.commit()
    except DBAPIError as error:
        raise error.orig or error from None  # the driver's own error, which says what happened in a line


def check_version(version: str) -> None:
    """Refuse what a later Tilewright has written."""
    if version > NEWEST:
        raise CannotServe(f"its schema has version {version}, but this version of Tilewright knows none after {NEWEST}")


def check_complete(version: str, tables: Collection[str]) -> None:
    """Refuse a database of the newest version that has lost a table."""
    missing = sorted(TABLES.difference(tables)) if version == NEWEST else []
    if missing:
        told = "tables" if len(missing) > 1 else "table"
        raise CannotServe(f"it is not a complete database: it lacks the {told} {', '.join(missing)}; restore a backup")
