"""A live connection to a table."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from tilewright.server.fair_slots import NOBODY, Owner

QUEUE_LENGTH = 200


class Viewer:
    """One connection. A slow one is closed when its queue is full; its client connects again."""

    def __init__(
        self,
        key: str | None,
        language: str,
        owner: Owner = NOBODY,
        after: int | None = None,
        write: Callable[[str], bool] = lambda message: False,
    ) -> None:
        """``write`` sends a message at once, if the connection can take it; whether it could."""
        self.key = key
        self.held = owner.person
        """What the store has of the key; empty if there is none."""
        self.language = language
        self.owner = owner
        self.after = after
        """The last event that the client has seen, if it was connected before."""
        self._write = write
        self.queue: deque[str] = deque()
        """What could not be sent at once, up to the message that is being sent."""
        self.is_behind = asyncio.Event()
        """Whether anything is queued."""
        self.handling = asyncio.Lock()
        """Held while a message from the client is handled, which is done even if the connection is lost meanwhile."""
        self.closed = asyncio.Event()
        self.wants_evaluation = False
        """Whether the page shows the evaluation bar."""
        self.told_presence: Any = None
        """Who was present when this viewer was last told, so that no news is not sent."""

    def send(self, message: str) -> None:
        """Send a message, or queue it behind others that wait."""
        if not self.queue and self._write(message):
            return
        if len(self.queue) >= QUEUE_LENGTH:
            self.close()
            return
        self.queue.append(message)
        self.is_behind.set()

    async def catch_up(self, send: Callable[[str], Any]) -> None:
        """Send what is queued, as fast as the connection takes it, until this is cancelled."""
        while True:
            await self.is_behind.wait()
            while self.queue:
                await send(self.queue[0])
                self.queue.popleft()  # only now: until it is sent, whatever comes must queue behind it
            self.is_behind.clear()

    def close(self) -> None:
        """End the connection, whatever is still queued."""
        self.closed.set()
