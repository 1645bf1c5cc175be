"""A live connection to a table."""

from __future__ import annotations

import asyncio
from typing import Any

from tilewright.server.fair_slots import NOBODY, Owner

QUEUE_LENGTH = 200


class Viewer:
    """One connection. A slow one is closed when its queue is full; its client connects again."""

    def __init__(self, key: str | None, language: str, owner: Owner = NOBODY, after: int | None = None) -> None:
        self.key = key
        self.held = owner.person
        """What the store has of the key; empty if there is none."""
        self.language = language
        self.owner = owner
        self.after = after
        """The last event that the client has seen, if it was connected before."""
        self.queue: asyncio.Queue[str] = asyncio.Queue(QUEUE_LENGTH)
        self.closed = asyncio.Event()
        self.wants_evaluation = False
        """Whether the page shows the evaluation bar."""
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
