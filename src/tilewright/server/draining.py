"""How a server ends without anybody noticing: a proxy learns first, then visitors move on, then the process ends.

On SIGTERM ``/readyz`` says no, and everything else goes on as before for a third of the time, in which a proxy stops
sending visitors here. Then live connections are closed one after the other; their clients connect to another server and
send again whatever was not acknowledged. A second signal ends the server at once.
"""

from __future__ import annotations

import asyncio
import time
from types import FrameType
from typing import Any

import uvicorn

from tilewright.server.rooms import Rooms
from tilewright.server.telemetry.readiness import Readiness

NOTICE = 1 / 3
"""The part of the time in which the proxy notices."""


class DrainingServer(uvicorn.Server):
    """uvicorn with a friendly end."""

    def __init__(self, config: uvicorn.Config, state: Any, seconds: float = 0.0) -> None:
        """``state`` is that of the application."""
        super().__init__(config)
        self._state = state
        self._seconds = seconds
        self._draining: asyncio.Task[None] | None = None
        self._told = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C: the first one begins the drain, if there is one."""
        if self._told or not self._seconds or not self.started:
            super().handle_exit(sig, frame)
        else:
            self._told = True
            self._captured_signals.append(sig)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: whether to end."""
        if self._told and self._draining is None:
            self._draining = asyncio.create_task(self._drain())
        return await super().on_tick(counter)

    async def _drain(self) -> None:
        readiness: Readiness = self._state.readiness
        rooms: Rooms = self._state.rooms
        readiness.is_draining = True
        begun = time.monotonic()
        await asyncio.sleep(self._seconds * NOTICE)
        await rooms.dismiss_gradually(begun + self._seconds - time.monotonic())
        self.should_exit = True

    async def shutdown(self, sockets: Any = None) -> None:
        """End: those who wait for an event get an answer before their connection is closed."""
        await self._state.rooms.wake_all()
        await super().shutdown(sockets)
