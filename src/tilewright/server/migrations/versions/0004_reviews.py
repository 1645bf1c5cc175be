"""Reviews of games, and records that were uploaded for review."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table. A review is JSON."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
