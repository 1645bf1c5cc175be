"""Conversations as they are stored: only while the game is being played.

``Store`` deletes a conversation in the transaction that stores the result of its game, or that deletes its table, and
what somebody has written in the one in which they leave. It is part of no record and no backup.
"""

from __future__ import annotations

from typing import NamedTuple

from tilewright.server.errors import Forbidden
from tilewright.server.store import Store

KEPT = 200
"""Lines of a conversation; the oldest are deleted first."""


class Line(NamedTuple):
    """Something that a player has written; lines of a table are numbered from 1, and seats from 0."""

    number: int
    seat: int
    text: str


def add_line(store: Store, table_id: str, seat: int, key_hash: str, text: str) -> None:
    """Store what a player has written, unless the game has ended meanwhile, or they have left."""
    with store.transaction() as database:
        playing = f"select 1 from tables where id = ? and result is null{database.for_update}"
        if not database.query(playing, (table_id,)):
            raise Forbidden("writing_over")
        holds = "select 1 from seats where table_id = ? and seat = ? and key_hash = ?"
        if not database.query(holds, (table_id, seat, key_hash)):
            raise Forbidden("players_only")
        last = "select coalesce(max(number), 0) from written where table_id = ?"
        number = database.query(last, (table_id,))[0][0] + 1
        database.execute(
            "insert into written (table_id, number, seat, key_hash, text) values (?, ?, ?, ?, ?)",
            (table_id, number, seat, key_hash, text),
        )
        database.execute("delete from written where table_id = ? and number <= ?", (table_id, number - KEPT))


def lines_of(store: Store, table_id: str, after: int = 0) -> list[Line]:
    """The conversation at a table, or its lines after a number; without those of people who have left their seat."""
    rows = store.database.read(
        "select number, written.seat, text from written join seats on seats.table_id = written.table_id"
        " and seats.seat = written.seat and seats.key_hash = written.key_hash"
        " where written.table_id = ? and number > ? order by number",
        (table_id, after),
    )
    return [Line(*row) for row in rows]


def lines_by(store: Store, table_id: str, key_hash: str) -> list[str]:
    """What one person has written at a table."""
    rows = store.database.read(
        "select text from written where table_id = ? and key_hash = ? order by number", (table_id, key_hash)
    )
    return [row[0] for row in rows]
