"""All live tables of this process, and the threads that write and think for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tilewright.server.clock import Clock
from tilewright.server.room import Room
from tilewright.server.settings import Settings
from tilewright.server.store import Store, StoredEvent, StoredTable
from tilewright.server.table import Table
from tilewright.server.writer import Writer

T = TypeVar("T")


class Rooms:
    """The tables that are open. Others lie in the store until somebody comes."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._writer = Writer(store)
        self.settings = settings
        self.thinkers = ThreadPoolExecutor(2, thread_name_prefix="bot")
        self.background: set[asyncio.Task[Any]] = set()
        self._rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    async def in_store(self, work: Callable[[Store], T]) -> T:
        """Do something in the store, off the event loop; it is on the disk when this returns."""
        return await self._writer.do(work)

    async def create(self, stored: StoredTable) -> Room:
        """Open a new table and deal."""
        table, lines = Table.new(stored)
        now = time.time()

        def keep(store: Store) -> None:
            store.add_table(stored)
            store.add_events(stored.id, 1, lines, over=False, at=now)

        async with self._opening:
            await self.in_store(keep)
            return self._open(table, [StoredEvent(line, now, 0.0) for line in lines])

    def _open(self, table: Table, events: list[StoredEvent]) -> Room:
        if table.id in self._rooms:
            return self._rooms[table.id]
        clock = Clock.of(table, events)
        if clock is not None:
            clock.resume()
        room = self._rooms[table.id] = Room(self, table, clock)
        room.go_on()
        return room

    async def get(self, table_id: str) -> Room | None:
        """A table, read from the store if it is not open."""
        room = self._rooms.get(table_id)
        if room is not None:
            room.used = time.monotonic()
            return room
        async with self._opening:
            if table_id in self._rooms:
                return self._rooms[table_id]
            stored = await self.in_store(lambda store: store.table(table_id))
            if stored is None:
                return None
            events = await self.in_store(lambda store: store.events(table_id))
            return self._open(Table(stored, [event.line for event in events]), events)

    def close_idle(self, idle: float = 600.0) -> None:
        """Forget tables that nobody looks at; they are read again when somebody comes back."""
        now = time.monotonic()
        for table_id, room in list(self._rooms.items()):
            busy = room.viewers or room.lock.locked() or room.is_running
            if not busy and now - room.used > idle:
                del self._rooms[table_id]

    def close(self) -> None:
        """Stop thinking and writing."""
        for room in self._rooms.values():
            for viewer in list(room.viewers):
                viewer.hang_up()
        self.thinkers.shutdown(wait=False, cancel_futures=True)
        self._writer.close()
