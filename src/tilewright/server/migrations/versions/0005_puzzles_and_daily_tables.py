"""Puzzles that people have answered, and the daily tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables. A day is written as 2026-01-31; the secret of its deals is made when somebody first plays."""
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
    op.add_column("tables", sa.Column("daily", sa.Text))
    is_daily = sa.text("daily is not null")
    op.create_index("tables_by_day", "tables", ["daily"], sqlite_where=is_daily, postgresql_where=is_daily)
