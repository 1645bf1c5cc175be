"""Tables, seats and events, and since when the service has been up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = None


def upgrade() -> None:
    """Create everything. Times are seconds since 1970; true and false are 1 and 0."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("minutes", sa.Double),
        sa.Column("increment", sa.Double),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("guided", sa.Integer, nullable=False),
        sa.Column("seating", sa.Integer, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("ended", sa.Double),
        sa.Column("rematch", sa.Text, sa.ForeignKey("tables.id")),
    )
    has_rematch = sa.text("rematch is not null")
    op.create_index("tables_by_rematch", "tables", ["rematch"], sqlite_where=has_rematch, postgresql_where=has_rematch)
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
    op.create_table("service", sa.Column("up_since", sa.Double, nullable=False))
    op.execute("insert into service (up_since) values (0)")
