"""The notifications to send: one for each table and browser, until the person has looked at the table.

A notice is written in the transaction of the move after which it is somebody's turn, so that none is lost, and a second
one is not written while the first is unread. A process claims a notice before it sends it: no two send the same.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from tilewright.server.push.subscriptions import Subscription
from tilewright.server.store import Store
from tilewright.server.table import Table

GRACE = 8.0
"""Seconds in which somebody may come to the table by themselves, as whoever reloads the page does."""
LEASE = 120.0
"""Seconds after which another process may send what one has claimed."""
_AT_ONCE = 20


class Notice(NamedTuple):
    """A notification to send."""

    table_id: str
    attempts: int
    """How often it was tried before."""
    due: float
    to: Subscription


def keep_notices(store: Store, before: Table | None, after: Table, present: set[int]) -> None:
    """In the transaction of a change: whoever has moved needs no notification, whoever is to move now may need one."""
    was, now = _affected(before, after, present)
    if was is not None:
        forget_notices(store, after.id, was)
    if now is None:
        return
    with store.transaction() as database:
        database.execute(
            "insert into notices (table_id, endpoint, key_hash, due, attempts)"
            " select ?, endpoint, key_hash, ?, 0 from subscriptions where key_hash = ?"
            " on conflict (table_id, endpoint) do nothing",
            (after.id, time.time() + GRACE, now),
        )


def concern_anybody(before: Table, after: Table, present: set[int]) -> bool:
    """Whether ``keep_notices`` has anything to do; not as long as the players are here, which is looked at first."""
    return not present >= {before.position.turn, after.position.turn} and any(_affected(before, after, present))


def _affected(before: Table | None, after: Table, present: set[int]) -> tuple[str | None, str | None]:
    """Who was away when it was their turn and may have a notice, and who is away now and may need one: their keys."""
    was, now = (_to_move(before) if before else None), _to_move(after)
    if was == now:
        return None, None
    if before is not None and before.position.turn in present:
        was = None
    return was, None if after.position.turn in present else now


def _to_move(table: Table) -> str | None:
    """The hash of the key of the person to move; None if it is nobody's turn, or a bot's."""
    turn = table.position.turn
    if turn is None or table.waits_for_players or turn not in table.people:
        return None
    return table.stored.seats[turn].key_hash


def has_notices(store: Store, table_id: str, key_hash: str) -> bool:
    """Whether somebody was, or will be, notified of their turn at a table."""
    query = "select 1 from notices where table_id = ? and key_hash = ? limit 1"
    return bool(store.database.read(query, (table_id, key_hash)))


def forget_notices(store: Store, table_id: str, key_hash: str) -> None:
    """Somebody has looked at a table: the next turn is worth another notification."""
    with store.transaction() as database:
        database.execute("delete from notices where table_id = ? and key_hash = ?", (table_id, key_hash))


def due_notices(store: Store, now: float) -> list[Notice]:
    """The notifications to send, the oldest first."""
    columns = "endpoint, subscriptions.key_hash, public_key, secret, site, language"
    rows = store.database.read(
        f"select table_id, attempts, due, {columns} from notices join subscriptions using (endpoint)"
        f" where due <= ? order by due limit {_AT_ONCE}",
        (now,),
    )
    return [Notice(table, attempts, due, Subscription(*rest)) for table, attempts, due, *rest in rows]


def claim(store: Store, notice: Notice, now: float) -> bool:
    """Take a notice, so that no other process sends it; whether it could be taken."""
    with store.transaction() as database:
        statement = (
            "update notices set due = ?, attempts = attempts + 1 where table_id = ? and endpoint = ? and due = ?"
        )
        return database.execute(statement, (now + LEASE, notice.table_id, notice.to.endpoint, notice.due)) == 1


def settle(store: Store, notice: Notice, again: float | None) -> None:
    """A notice was sent, and stays until it is read; or it is tried again at a time."""
    with store.transaction() as database:
        statement = "update notices set due = ? where table_id = ? and endpoint = ?"
        database.execute(statement, (again, notice.table_id, notice.to.endpoint))


def drop(store: Store, notice: Notice) -> None:
    """A notice is no longer worth sending."""
    with store.transaction() as database:
        statement = "delete from notices where table_id = ? and endpoint = ?"
        database.execute(statement, (notice.table_id, notice.to.endpoint))
