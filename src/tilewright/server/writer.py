"""Writing to the store off the event loop, so that many tables share the waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tilewright.server.store import Store

T = TypeVar("T")
MOST_TOGETHER = 64
"""So many things at most share one wait for the disk."""


class Writer:
    """One thread that does what is asked of the store.

    What is asked for while the disk is busy is done together afterwards: each thing whole or not at all, and nobody
    is answered before it is on the disk.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._wishes: list[tuple[Callable[[Store], Any], asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def do(self, work: Callable[[Store], T]) -> T:
        """Do something in the store. What was begun is done; it is on the disk when this returns."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wishes.append((work, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await asyncio.shield(done)

    async def _write(self) -> None:
        while wishes := self._wishes[:MOST_TOGETHER]:
            del self._wishes[:MOST_TOGETHER]
            works = [work for work, _ in wishes]
            try:
                given = await asyncio.get_running_loop().run_in_executor(self._thread, self._store.together, works)
            except Exception as error:
                given = [error] * len(wishes)
            for (_, done), result in zip(wishes, given, strict=True):
                if isinstance(result, Exception):
                    done.set_exception(result)
                else:
                    done.set_result(result)

    def close(self) -> None:
        """Finish what was begun and let go of the file."""
        self._thread.shutdown(wait=True)
        self._store.close()
