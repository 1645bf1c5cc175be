"""Correspondence games, Web Push and passkeys: deadlines, vacations, notifications to send, and who may be whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables."""
    _correspondence()
    _push()
    _passkeys()


def _correspondence() -> None:
    """``service.seen`` is when a server was last known to run: deadlines do not pass without one."""
    op.add_column("tables", sa.Column("days", sa.Integer))
    op.add_column("service", sa.Column("seen", sa.Double))
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
