"""Correspondence games: days for each move, deadlines, and vacations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables. ``service.seen`` is when a server was last known to run: deadlines do not pass without one."""
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
