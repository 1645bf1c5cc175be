"""Vacations: for a limited number of days the deadlines of a person's correspondence games stand still."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from tilewright.server.database import Database
from tilewright.server.days import DAY
from tilewright.server.errors import Forbidden
from tilewright.server.store import Store

ALLOWANCE = 30
"""Days in a year."""
YEAR = 365 * DAY


class Vacation(NamedTuple):
    """How much of their vacation a person has taken."""

    until: float | None
    """When they are back, in seconds since 1970; None if they are not away."""
    left: int
    """Days that they may still take, to the nearest one."""


def vacation_of(store: Store, key_hash: str, now: float) -> Vacation:
    """The vacation of a person."""
    return _vacation(_taken(store, key_hash), now)


def begin_vacation(store: Store, key_hash: str, days: int) -> list[str]:
    """Somebody goes on vacation; the tables that they play at."""
    now = time.time()
    with store.transaction() as database:
        tables = _locked(database, key_hash)
        vacation = _vacation(_taken(store, key_hash), now)
        if vacation.until is not None:
            raise Forbidden("on_vacation")
        if days > vacation.left:
            raise Forbidden("vacation_taken", n=vacation.left)
        database.execute("delete from vacations where key_hash = ? and until < ?", (key_hash, now - YEAR))
        database.execute(
            "insert into vacations (key_hash, began, until) values (?, ?, ?)", (key_hash, now, now + days * DAY)
        )
        _put_off(database, key_hash, tables, days * DAY)
    return tables


def end_vacation(store: Store, key_hash: str) -> list[str]:
    """Somebody is back early: what is left can be taken later; the tables that they play at."""
    now = time.time()
    with store.transaction() as database:
        tables = _locked(database, key_hash)
        until = _vacation(_taken(store, key_hash), now).until
        if until is None:
            return []
        database.execute("update vacations set until = ? where key_hash = ? and until = ?", (now, key_hash, until))
        _put_off(database, key_hash, tables, now - until)
    return tables


def exported_vacations(store: Store, key_hash: str) -> list[dict[str, Any]]:
    """What is stored of a person's vacations."""
    return [{"began": began, "until": until} for began, until in _taken(store, key_hash)]


def forget_vacations(store: Store, key_hash: str) -> None:
    """Delete the vacations of a person."""
    with store.transaction() as database:
        database.execute("delete from vacations where key_hash = ?", (key_hash,))


def _taken(store: Store, key_hash: str) -> list[tuple[float, float]]:
    query = "select began, until from vacations where key_hash = ? order by began"
    database = store.database
    rows = (database.query if database.in_transaction else database.read)(query, (key_hash,))
    return [(began, until) for began, until in rows]


def _vacation(taken: list[tuple[float, float]], now: float) -> Vacation:
    used = sum(max(0.0, until - max(began, now - YEAR)) for began, until in taken)
    until = max((until for _, until in taken), default=0.0)
    return Vacation(until if until > now else None, max(0, round(ALLOWANCE - used / DAY)))


def _locked(database: Database, key_hash: str) -> list[str]:
    """The correspondence games that a person plays, where nothing changes until the transaction ends."""
    rows = database.query(
        "select id from tables where days is not null and result is null"
        f" and id in (select table_id from seats where key_hash = ?) order by id{database.for_update}",
        (key_hash,),
    )
    return [row[0] for row in rows]


def _put_off(database: Database, key_hash: str, tables: list[str], seconds: float) -> None:
    """Move the deadlines of a person; the seating of all their tables counts up, so that every process reads them."""
    database.execute(
        "update deadlines set at = at + ? where exists (select 1 from seats where seats.table_id = deadlines.table_id"
        " and seats.seat = deadlines.seat and key_hash = ? and kind = 'human' and substitute is null)",
        (seconds, key_hash),
    )
    if tables:
        database.execute_many("update tables set seating = seating + 1 where id = ?", [(name,) for name in tables])
