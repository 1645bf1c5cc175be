"""All open tables of this process, and the threads that read, write and think for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tilewright.server.bot_pool import BotPool
from tilewright.server.clock import Clock
from tilewright.server.room import Room
from tilewright.server.settings import Settings
from tilewright.server.store import Store, StoredEvent, StoredTable
from tilewright.server.table import Table
from tilewright.server.writer import Write, Writer

T = TypeVar("T")


class Rooms:
    """The open tables. The others are in the store until somebody asks for them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._writer = Writer(store)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self.settings = settings
        self.bots = BotPool()
        self.background: set[asyncio.Task[Any]] = set()
        self._rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    async def read(self, read: Callable[[Store], T]) -> T:
        """Read from the store, off the event loop: only what is committed."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, read, self._store)

    async def write(self, write: Write) -> None:
        """Write to the store, off the event loop; it is on disk when this returns."""
        await self._writer.write(write)

    async def create(self, stored: StoredTable, rematch_of: str | None = None) -> Room:
        """Open a new table and deal. A rematch is linked to the finished table in the same transaction."""
        table = Table.new(stored)
        now = time.time()

        def write(store: Store) -> None:
            store.add_table(stored)
            store.add_events(stored.id, 1, table.lines, at=now)
            if rematch_of is not None:
                store.set_rematch(rematch_of, stored.id)

        await self.write(write)
        return self._open(table, [StoredEvent(line, now, 0.0) for line in table.lines])

    def _open(self, table: Table, events: list[StoredEvent]) -> Room:
        if table.id not in self._rooms:
            self._rooms[table.id] = Room(self, table, Clock.of(table, events))
            self._rooms[table.id].advance()
        return self._rooms[table.id]

    async def get(self, table_id: str) -> Room | None:
        """A table, read from the store if it is not open."""
        room = self._rooms.get(table_id)
        if room is not None:
            room.used = time.monotonic()
            return room
        async with self._opening:
            if table_id in self._rooms:
                return self._rooms[table_id]
            stored = await self.read(lambda store: store.table(table_id))
            if stored is None:
                return None
            events = await self.read(lambda store: store.events(table_id))
            return self._open(Table.replay(stored, [event.line for event in events]), events)

    def close_idle(self, idle: float = 600.0) -> None:
        """Close tables that nobody looks at; they are read again when somebody comes back."""
        now = time.monotonic()
        for table_id, room in list(self._rooms.items()):
            busy = room.viewers or room.lock.locked() or room.is_running
            if not busy and now - room.used > idle:
                del self._rooms[table_id]
                self.bots.release(table_id)

    def close(self) -> None:
        """Disconnect everybody, end all thoughts and finish the write in progress."""
        for room in self._rooms.values():
            for viewer in list(room.viewers):
                viewer.close()
        self.bots.close()
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._writer.close()
        self._store.close()
