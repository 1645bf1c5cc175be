"""Limits and the lobby across all processes: each tells the others what visitors have used, and who opened which table.

No request waits for another process. Twice a second each tells the others what visitors have spent, and they take it
from their own buckets; so a visitor who uses all processes may spend a burst at each of them, but then owes it.
"""

from __future__ import annotations

import asyncio
import time

from tilewright.server.channel import OPENED, OPENERS, SOCKETS, SPENT, Channel, Message
from tilewright.server.limits import Limits
from tilewright.server.lobby import Lobby
from tilewright.server.rooms import Rooms

TOLD_EVERY = 0.5
"""Seconds."""
SOCKETS_TOLD_EVERY = 10.0
LEAST_SPENT = 20.0
"""What is not worth telling: a fifth of a second's budget of a key, or a thirtieth of an address's."""
LEAST_SOCKETS = 20
MOST_TOLD = 100
"""Entries in one message."""
NO_TABLE = ""
"""Messages here are about no table in particular."""


class SharedLimits:
    """Tells the other processes, and hears them."""

    def __init__(self, rooms: Rooms, limits: Limits, lobby: Lobby) -> None:
        self._channel: Channel = rooms.channel
        self._limits = limits
        self._lobby = lobby
        self._told_sockets = float("-inf")
        rooms.hearers |= {
            SPENT: self._hear_spent,
            SOCKETS: lambda message: limits.hear_sockets(message.sender, message.content),
            OPENED: lambda message: lobby.opened(message.table, message.content),
            OPENERS: lambda _: self._tell_openers(),
        }
        rooms.when_connected.append(self._exchange_openers)

    async def run(self) -> None:
        """Tell the others, again and again."""
        while True:
            await asyncio.sleep(TOLD_EVERY)
            self.tell()

    def opened(self, table_id: str, address: str) -> None:
        """A table was opened here."""
        self._lobby.opened(table_id, address)
        self._channel.publish(table_id, OPENED, address)

    def tell(self) -> None:
        """What visitors have spent here since last time, and how many live connections they have."""
        for name, buckets in self._limits.budgets.items():
            known = buckets.spent.most_common(MOST_TOLD)
            told = {client: spent for client, spent in known if spent >= _least(name)}
            for client in told:
                del buckets.spent[client]
            if len(buckets.spent) > MOST_TOLD:
                buckets.spent.clear()  # of little spenders nobody has to know
            if told:
                self._channel.publish(NO_TABLE, SPENT, [name, told])
        if time.monotonic() - self._told_sockets > SOCKETS_TOLD_EVERY:
            self._told_sockets = time.monotonic()
            many = {address: count for address, count in self._limits.sockets.items() if count >= LEAST_SOCKETS}
            self._channel.publish(NO_TABLE, SOCKETS, dict(sorted(many.items(), key=lambda one: -one[1])[:MOST_TOLD]))

    def _hear_spent(self, message: Message) -> None:
        name, told = message.content
        buckets = self._limits.budgets[name]
        for client, spent in told.items():
            buckets.take_elsewhere(client, spent)

    def _exchange_openers(self) -> None:
        """Ask the others who opened which table, and tell them: neither side heard the other until now."""
        self._channel.publish(NO_TABLE, OPENERS)
        self._tell_openers()

    def _tell_openers(self) -> None:
        for table_id, address in self._lobby.newest():
            self._channel.publish(table_id, OPENED, address)


def _least(name: str) -> float:
    """Tables, reviews and the like are counted one by one, work in milliseconds."""
    return LEAST_SPENT if name in ("keys", "addresses") else 1.0
