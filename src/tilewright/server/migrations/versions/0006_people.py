"""Profiles, the private links that carry them to other devices, ratings, and who looks for an opponent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables. A person is the hash of a key; a link holds that key, sealed with a secret we do not have."""
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
    for flag in ("rated", "public"):
        op.add_column("tables", sa.Column(flag, sa.Integer, nullable=False, server_default="0"))
    is_public = sa.text("public = 1")
    op.create_index("public_tables", "tables", ["created"], sqlite_where=is_public, postgresql_where=is_public)
