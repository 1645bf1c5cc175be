"""Watches the deadlines of all correspondence games, in every process."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from tilewright.game.errors import TilewrightError
from tilewright.server.deadlines import FIRST, INTERVAL, note_alive, passed
from tilewright.server.rooms import Rooms

logger = logging.getLogger("tilewright.server")


class DeadlineWatch:
    """Opens the tables whose deadline has passed."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._noted = 0.0
        """When this process last noted that it is alive."""

    async def run(self) -> None:
        """Look again and again; whatever fails is tried again."""
        while True:
            try:
                await self.look(time.time())
            except Exception:
                logger.exception("the deadlines of correspondence games could not be read")
            await asyncio.sleep(INTERVAL)

    async def look(self, now: float) -> None:
        """Let bots play on wherever a deadline has passed."""
        noted, found = self._noted, [FIRST]
        await self._rooms.write(lambda store: note_alive(store, now, noted))
        self._noted = now
        while found:
            found = await self._rooms.read(partial(passed, now=now, after=found[-1]))
            for deadline in found:
                await self._try_to_act(deadline.table_id)

    async def _try_to_act(self, table_id: str) -> None:
        """A game that cannot be replayed must not hold up the others."""
        try:
            await self._act(table_id)
        except TilewrightError as error:
            logger.warning("nothing was done about a missed deadline at the table %s: %s", table_id, error)
        except Exception:
            logger.exception("nothing was done about a missed deadline at the table %s", table_id)

    async def _act(self, table_id: str) -> None:
        room = await self._rooms.get(table_id)
        turn = room.table.position.turn if room is not None else None
        if room is None or turn is None:
            return
        if room.table.bot_of(turn):
            room.advance()
        else:
            await room.seating.replace(turn, timed_out=True)
