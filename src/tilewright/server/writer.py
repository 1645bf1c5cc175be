"""Writing to the store off the event loop, so that many tables share the waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tilewright.server.store import Store

T = TypeVar("T")
Write = Callable[[Store], object]
LARGEST_BATCH = 64
"""How many writes at most share one commit."""


class Writer:
    """One thread that writes to the store.

    Writes requested while the disk is busy are committed together afterwards; each succeeds or fails by itself, and
    its caller continues only once it is on disk.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._pending: list[tuple[Write, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, write: Callable[[Store], T]) -> T:
        """Perform a write; it is on disk when this returns what the write returned.

        If it shares a transaction with one that fails, it is performed twice: only the second time counts.
        """
        returned: list[T] = []

        def performed(store: Store) -> None:
            returned[:] = [write(store)]

        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((performed, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_pending())
        await asyncio.shield(done)
        return returned[0]

    async def _write_pending(self) -> None:
        while batch := self._pending[:LARGEST_BATCH]:
            del self._pending[:LARGEST_BATCH]
            writes = [write for write, _ in batch]
            errors: list[Exception | None]
            try:
                errors = await asyncio.get_running_loop().run_in_executor(self._thread, self._store.write_all, writes)
            except Exception as error:
                errors = [error] * len(batch)
            for (_, done), failure in zip(batch, errors, strict=True):
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)

    def close(self) -> None:
        """Finish the write in progress."""
        self._thread.shutdown(wait=True)
