"""Web Push: the server's key, who wants to be notified where, and the notifications to send."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables. A notice stays until its table was looked at; ``due`` is null once it was sent."""
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
