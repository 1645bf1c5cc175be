"""Servers on one database of which some use Redis and others do not: neither hears what happens at the other.

Everything works all the same, only ten seconds late, so nobody would know why.
"""

from __future__ import annotations

import logging

from tilewright.server.rooms import Rooms

logger = logging.getLogger("tilewright.server")


class MixedSharing:
    """Looks at what the servers have told the database, and warns once whenever they begin to differ."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._was_mixed = False

    async def look(self) -> None:
        """Warn if there is a reason that was not there before."""
        is_mixed = await self._rooms.read(lambda store: store.database.is_shared_otherwise())
        if is_mixed and not self._was_mixed:
            here, there = ("with", "without") if self._rooms.settings.redis else ("without", "with")
            logger.warning(
                "this server runs %s --redis, and another one on the same database %s it: neither hears of moves at the"
                " other until up to ten seconds later; start all of them with the same --redis, or all without",
                here,
                there,
            )
        self._was_mixed = is_mixed
