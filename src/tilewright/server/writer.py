"""Writing to the store off the event loop, so that many tables share the waits for the disk."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from tilewright.server.store import Store, Write
from tilewright.server.stored import NewEvents

T = TypeVar("T")
LARGEST_BATCH = 256
"""How many writes at most share one commit."""


class _Request(NamedTuple):
    """A write, and what becomes of it; set in the event loop of whoever waits."""

    write: Write | NewEvents
    done: asyncio.Future[None]


class Writer:
    """One thread that writes to the store.

    Writes requested while the disk is busy are committed together afterwards; each succeeds or fails by itself, and
    its caller continues only once it is on disk.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: list[_Request] = []
        self._is_writing = False
        self._batches: SimpleQueue[list[_Request] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def write(self, write: Callable[[Store], T]) -> T:
        """Perform a write; it is on disk when this returns what the write returned.

        If it shares a transaction with one that fails, it is performed twice: only the second time counts.
        """
        returned: list[T] = []

        def performed(store: Store) -> None:
            returned[:] = [write(store)]

        await self._request(performed)
        return returned[0]

    async def add_events(self, events: NewEvents) -> None:
        """Store a move, with those of other tables in one statement; it is on disk when this returns."""
        await self._request(events)

    def _request(self, write: Write | NewEvents) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        request = _Request(write, loop.create_future())
        self._pending.append(request)
        if not self._is_writing:
            self._is_writing = True
            loop.call_soon(self._begin)  # whoever else is about to write in this round of the loop takes part
        return request.done

    def _begin(self) -> None:
        """Give the thread the next batch; it needs no executor, whose bookkeeping takes longer than many a commit."""
        batch = self._pending[:LARGEST_BATCH]
        del self._pending[:LARGEST_BATCH]
        self._is_writing = bool(batch)
        if batch:
            self._batches.put(batch)

    def _work(self) -> None:
        while (batch := self._batches.get()) is not None:
            errors: list[Exception | None]
            try:
                errors = self._store.write_all([request.write for request in batch])
            except Exception as error:
                errors = [error] * len(batch)
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits
                batch[0].done.get_loop().call_soon_threadsafe(self._finish, batch, errors)

    def _finish(self, batch: list[_Request], errors: list[Exception | None]) -> None:
        for request, failure in zip(batch, errors, strict=True):
            if request.done.cancelled():
                continue  # whoever asked no longer waits
            if failure is None:
                request.done.set_result(None)
            else:
                request.done.set_exception(failure)
        self._begin()

    def close(self) -> None:
        """Finish the write in progress."""
        self._batches.put(None)
        self._thread.join()
