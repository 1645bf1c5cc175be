"""Whether this process can serve: for the probes of a proxy or of Kubernetes.

Redis is reported but not required: without it games go on, and if it took all servers out of service at once, nobody
could play.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from tilewright.server.rooms import Rooms

TIMEOUT = 2.0
"""Seconds after which a database that does not answer counts as lost."""
REMEMBERED = 1.0
"""Seconds for which the last answer is given again, however many ask."""
OK, LOST = "ok", "lost"
UNAVAILABLE = 503

router = APIRouter(include_in_schema=False)


class Readiness:
    """Looks at the database and Redis, one look at a time."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.is_compiled = False
        self.is_draining = False
        """Whether the server is about to end: new visitors should go elsewhere."""
        self._looked = float("-inf")
        self._found: dict[str, Any] = {}
        self._lock = asyncio.Lock()

    async def report(self) -> dict[str, Any]:
        """What is there, and whether that is enough."""
        async with self._lock:
            if time.monotonic() - self._looked > REMEMBERED:
                self._found = {"database": await self._database(), "redis": await self._redis()}
                self._looked = time.monotonic()
        ready = self.is_compiled and not self.is_draining and self._found["database"] == OK
        return {"ready": ready, **self._found, "compiled": self.is_compiled, "draining": self.is_draining}

    async def _database(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._rooms.read(lambda store: store.check())
        except Exception:
            return LOST
        return OK

    async def _redis(self) -> str | None:
        if self._rooms.settings.redis is None:
            return None
        try:
            async with asyncio.timeout(TIMEOUT):
                await asyncio.to_thread(self._rooms.channel.check)
        except Exception:
            return LOST
        return OK


@router.get("/healthz")
async def healthz() -> PlainTextResponse:
    """The process answers; one that does not should be started again."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Whether the process should get requests."""
    readiness: Readiness = request.app.state.readiness
    found = await readiness.report()
    return JSONResponse(found, 200 if found["ready"] else UNAVAILABLE, headers={"Cache-Control": "no-store"})
