"""A live connection to a table."""

from __future__ import annotations

import asyncio
from typing import Any

from tilewright.server.table import hash_key

QUEUE_LENGTH = 200


class Viewer:
    """One connection. A slow one is closed when its queue is full; its client connects again."""

    def __init__(self, key: str | None, language: str) -> None:
        self.key = key
        self.held = hash_key(key) if key else None
        """What the store has of the key."""
        self.language = language
        self.queue: asyncio.Queue[str] = asyncio.Queue(QUEUE_LENGTH)
        self.closed = asyncio.Event()
        self.told_presence: Any = None
        """Who was present when this viewer was last told, so that no news is not sent."""

    def send(self, message: str) -> None:
        """Queue a message."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self) -> None:
        """End the connection, whatever is still queued."""
        self.closed.set()
