"""How a table changes: every change is computed as a new table, written to disk, and only then made visible."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.server.channel import CHANGED
from tilewright.server.clock import Clock, DayClock, begun
from tilewright.server.database import Conflict
from tilewright.server.deadlines import keep_deadline
from tilewright.server.push.notices import concern_anybody, keep_notices
from tilewright.server.ratings import count_game, is_forfeited
from tilewright.server.relay import Relay
from tilewright.server.store import Store, Write
from tilewright.server.stored import NewEvents, StoredEvent, StoredSeat
from tilewright.server.table import PlayedMove, Table
from tilewright.server.telemetry.metrics import CONFLICTS

if TYPE_CHECKING:
    from tilewright.server.room import Room

T = TypeVar("T")


class Changes:
    """The changes of one table, one after the other."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def make(self, change: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Make a change once all earlier ones are made.

        If another process was faster, nothing has changed, and it is tried again at the table as it is then: the change
        may no longer be possible, or have been made already.
        """
        async with self._room.lock:
            while True:
                try:
                    return await change()
                except Conflict:
                    CONFLICTS.inc()
                    if not await self._room.catching_up.catch_up():
                        raise

    async def commit(self, write: Write, table: Table, clock: Clock | None) -> None:
        """Wait for the disk, then let everybody see the new table. If the write fails, nothing has changed."""
        await self._store(write, table, clock)
        self._room.rooms.channel.publish(table.id, CHANGED)

    async def _store(self, write: Write, table: Table, clock: Clock | None) -> None:
        await self._room.rooms.write(write)
        await self._room.show(table, clock)

    async def commit_move(self, played: PlayedMove) -> None:
        """Store a move, show it to everybody here, and tell the other processes what was stored and shown."""
        before = self._room.table
        events = await self._store_events(played.table, played.entry.seat)
        self._room.consent.withdraw_all()
        told = self._room.show_move(played)
        if self._room.rooms.channel.reaches_others:
            relay = Relay(before.stored.seating, before.event, events, told)
            self._room.rooms.channel.publish(before.id, CHANGED, relay.sealed(before))

    async def commit_takeback(self, table: Table, turn: int) -> None:
        """Store that moves were taken back."""
        await self._store_events(table, turn, taken_back=True)
        self._room.rooms.channel.publish(table.id, CHANGED)

    async def _store_events(self, table: Table, turn: int, *, taken_back: bool = False) -> list[StoredEvent]:
        """Store the events that the new table adds to the current one, with the time spent on them."""
        before, first, at, present = self._room.table, self._room.table.event, time.time(), self._room.present()
        spent = self._room.clock.elapsed(at) if self._room.clock else 0.0
        clock, then = self._room.clock, table.position.turn
        clock = clock.after_move(turn, spent, at, then, taken_back=taken_back) if clock else None
        result, new, known = table.result(), table.lines[first:], table.stored.seating
        if result is None and not isinstance(clock, DayClock) and not concern_anybody(before, table, present):
            await self._room.rooms.add_events(NewEvents(table.id, first + 1, new, known, at, spent))
            await self._room.show(table, clock)
            return _as_stored(new, first, at, spent)

        def write(store: Store) -> None:
            store.add_events(table.id, first + 1, new, seating=known, at=at, spent=spent, result=result)
            keep_deadline(store, table, clock)
            keep_notices(store, before, table, present)
            if result is not None and table.stored.rated:
                count_game(store, table.stored, result)

        await self._store(write, table, clock)
        return _as_stored(new, first, at, spent)

    async def commit_seats(self, seats: dict[int, StoredSeat]) -> None:
        """Store who sits in some seats from now on."""
        before, table, clock = self._room.table, self._room.table.with_seats(seats), self._room.clock
        present = self._room.present()
        known = {"seating": before.stored.seating, "event": before.event}

        def write(store: Store) -> None:
            store.change_seats(table.id, seats, **known)
            keep_deadline(store, table, clock)
            keep_notices(store, before, table, present)
            if is_forfeited(table.stored):
                count_game(store, table.stored, None)

        await self.commit(write, table, clock)

    async def commit_newcomers(self, seats: dict[int, StoredSeat]) -> None:
        """Store who took seats and, if the last one is taken, the first deal: both or neither."""
        before, table, at = self._room.table, self._room.table.with_seats(seats).begun(), time.time()
        new = table.lines[before.event :]
        clock, present = await self._clock_with_newcomers(table, at), self._room.present()

        def write(store: Store) -> None:
            store.change_seats(table.id, seats, seating=before.stored.seating, event=before.event)
            store.add_events(table.id, before.event + 1, new, seating=table.stored.seating, at=at)
            keep_deadline(store, table, clock)
            keep_notices(store, before, table, present)

        await self.commit(write, table, clock)

    async def _clock_with_newcomers(self, table: Table, at: float) -> Clock | None:
        """The clock when more seats are taken; if they all are, the game begins."""
        clock = self._room.clock
        if isinstance(clock, DayClock):
            clock = replace(clock, away=await self._room.rooms.away(table.stored))
        return begun(clock, table, at)

    async def commit_remark(self, table: Table) -> None:
        """Store the last line of a table, which changes nothing on it and takes no time off a clock."""
        remark, known = table.lines[-1:], table.stored.seating
        await self.commit(
            lambda store: store.add_events(table.id, table.event, remark, seating=known), table, self._room.clock
        )


def _as_stored(new: Sequence[str], first: int, at: float, spent: float) -> list[StoredEvent]:
    """The lines that follow event ``first`` as others read them in the database."""
    return [StoredEvent(first + n + 1, line, at, 0.0 if n else spent) for n, line in enumerate(new)]
