"""The schema of the first release: tables and their events, reviews, puzzles, people and what reaches them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create everything. Times are seconds since 1970; true and false are 1 and 0."""
    _tables()
    _reviews()
    _puzzles_and_days()
    _people()
    _correspondence()
    _push()
    _passkeys()
    _conversations()


def _partial_index(name: str, column: str, condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, "tables", [column], sqlite_where=where, postgresql_where=where)


def _tables() -> None:
    """``service.seen`` is when a server was last known to run: deadlines do not pass without one."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("minutes", sa.Double),
        sa.Column("increment", sa.Double),
        sa.Column("days", sa.Integer),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("guided", sa.Integer, nullable=False),
        sa.Column("seating", sa.Integer, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("ended", sa.Double),
        sa.Column("rematch", sa.Text, sa.ForeignKey("tables.id")),
        sa.Column("daily", sa.Text),
        sa.Column("rated", sa.Integer, nullable=False, server_default="0"),
        sa.Column("public", sa.Integer, nullable=False, server_default="0"),
    )
    _partial_index("tables_by_rematch", "rematch", "rematch is not null")
    _partial_index("tables_by_day", "daily", "daily is not null")
    _partial_index("public_tables", "created", "public = 1")
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, sa.CheckConstraint("kind in ('human', 'bot', 'invite', 'open')"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("key_hash", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("substitute", sa.Text),
        sa.Column("timed_out", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_by_key", "seats", ["key_hash"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("spent", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_table("service", sa.Column("up_since", sa.Double, nullable=False), sa.Column("seen", sa.Double))
    op.execute("insert into service (up_since) values (0)")


def _reviews() -> None:
    """A review is JSON; records that were uploaded for review have one, too."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("reviews_by_time", "reviews", ["at"])


def _puzzles_and_days() -> None:
    """A day is written as 2026-01-31; the secret of its deals is made when somebody first plays."""
    op.create_table(
        "solvers",
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("best_streak", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("current", sa.Text),
        sa.PrimaryKeyConstraint("key_hash", "game"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "answers",
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("is_right", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", "puzzle"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "days",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
    )


def _people() -> None:
    """A person is the hash of a key; a link holds that key, sealed with a secret we do not have."""
    op.create_table(
        "profiles",
        sa.Column("key_hash", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("avatar", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("key_hash", sa.Text, primary_key=True),
        sa.Column("secret_hash", sa.Text, nullable=False, unique=True),
        sa.Column("sealed_key", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", "game", "players"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "seekers",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )


def _correspondence() -> None:
    """When a move is due, and who is away."""
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("deadlines_by_time", "deadlines", ["at"])
    op.create_table(
        "vacations",
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", "began"),
        sqlite_with_rowid=False,
    )


def _push() -> None:
    """A notice stays until its table was looked at; ``due`` is null once it was sent."""
    op.create_table(
        "server_keys",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "subscriptions",
        sa.Column("endpoint", sa.Text, primary_key=True),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("subscriptions_by_key", "subscriptions", ["key_hash"])
    op.create_table(
        "notices",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("endpoint", sa.Text, sa.ForeignKey("subscriptions.endpoint"), nullable=False),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "endpoint"),
        sqlite_with_rowid=False,
    )
    op.create_index("notices_by_time", "notices", ["due"])
    op.create_index("notices_by_endpoint", "notices", ["endpoint"])


def _passkeys() -> None:
    """A passkey holds the secret that opens the key of its person; a challenge is what one must sign, once."""
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("sealed_key", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("passkeys_by_key", "passkeys", ["key_hash"])
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.Text, primary_key=True),
        sa.Column("key_hash", sa.Text),
        sa.Column("sealed_key", sa.Text),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("challenges_by_time", "challenges", ["at"])


def _conversations() -> None:
    """A line belongs to a table and to the key of whoever wrote it, and is deleted when the game ends."""
    op.create_table(
        "written",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
