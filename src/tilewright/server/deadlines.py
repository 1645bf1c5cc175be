"""The deadlines of correspondence games, which pass exactly once however many processes watch them.

A deadline is a row of the database, written in the transaction of the move that set it. Every process looks for those
that have passed, opens the table and lets a bot play on; the fence of the store lets only one of them succeed. While
no server runs, no time passes: each notes that it is alive, and whoever finds a gap puts all deadlines off by it.

It is the turn of a bot at some tables. Their deadline is when somebody should look whether it has moved: the process
where it was thinking may have ended.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from tilewright.server.clock import Clock, DayClock
from tilewright.server.store import Store
from tilewright.server.table import Table

INTERVAL = 30.0
"""Seconds between two looks."""
GAP = 300.0
"""Seconds without a sign of life from any server after which deadlines are put off."""
AT_ONCE = 100
"""Deadlines that are read together."""


class Deadline(NamedTuple):
    """When somebody must have acted at a table."""

    at: float
    table_id: str


FIRST = Deadline(0.0, "")
"""Before all others."""


def keep_deadline(store: Store, table: Table, clock: Clock | None) -> None:
    """Store when somebody must act at a table, in the transaction of the change after which it looks like this."""
    if not isinstance(clock, DayClock):
        return
    turn = table.position.turn
    with store.transaction() as database:
        if turn is None or table.waits_for_players or not table.people:
            database.execute("delete from deadlines where table_id = ?", (table.id,))
            return
        at = time.time() + 2 * INTERVAL if table.bot_of(turn) or clock.due is None else clock.due
        database.execute(
            "insert into deadlines (table_id, seat, at) values (?, ?, ?)"
            " on conflict (table_id) do update set seat = excluded.seat, at = excluded.at",
            (table.id, turn, at),
        )


def passed(store: Store, now: float, after: Deadline = FIRST) -> list[Deadline]:
    """Some deadlines that have passed, the first ones first, or those that follow another one."""
    rows = store.database.read(
        "select at, table_id from deadlines where at < ? and (at, table_id) > (?, ?) order by at, table_id"
        f" limit {AT_ONCE}",
        (now, *after),
    )
    return [Deadline(*row) for row in rows]


def note_alive(store: Store, now: float, noted: float = 0.0) -> None:
    """A server runs, and has noted so before at the time ``noted``. If for a while there was none, everybody gets that
    time back, once.

    A server whose clock is ahead of the others' finds their signs of life old, but knows that it was there itself.

    Open tables have another deadline then, so their seating counts up: they are read again before they change.
    """
    with store.transaction() as database:
        seen = database.query(f"select seen from service{database.for_update}")[0][0]
        if seen is not None and now - max(seen, noted) > GAP:
            database.execute("update deadlines set at = at + ?", (now - max(seen, noted),))
            database.execute("update tables set seating = seating + 1 where id in (select table_id from deadlines)")
        database.execute("update service set seen = ?", (now,))
