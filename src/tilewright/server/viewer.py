"""Somebody who is connected to a table."""

from __future__ import annotations

import asyncio

QUEUE_LENGTH = 200


class Viewer:
    """One connection. Slow ones are cut off when their queue is full; they resume where they were."""

    def __init__(self, key: str | None, language: str) -> None:
        self.key = key
        self.language = language
        self.queue: asyncio.Queue[str] = asyncio.Queue(QUEUE_LENGTH)
        self.gone = asyncio.Event()

    def tell(self, message: str) -> None:
        """Queue a message."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.hang_up()

    def hang_up(self) -> None:
        """End the connection, whatever is still queued."""
        self.gone.set()
