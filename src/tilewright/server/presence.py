"""Who is connected to a table, and how long the others have been away."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable

from tilewright.server.table import Table
from tilewright.server.viewer import Viewer

INTERVAL = 0.25
"""Seconds within which changes of presence are announced together."""


class Presence:
    """The connections to one table. A person is present while a connection with their key is open.

    Connections are counted by the hash of their key, so that nothing here takes longer with more of them.
    """

    def __init__(self, players: int) -> None:
        self.viewers: set[Viewer] = set()
        self._connections: Counter[str] = Counter()
        self._elsewhere: dict[str, tuple[frozenset[str], float]] = {}
        """The keys that are connected to other processes, and until when that counts unless it is said again."""
        self._last_seen = dict.fromkeys(range(players), time.monotonic())

    def enter(self, viewer: Viewer) -> None:
        """A connection is open."""
        self.viewers.add(viewer)
        if viewer.held:
            self._connections[viewer.held] += 1

    def leave(self, viewer: Viewer) -> None:
        """A connection has ended."""
        self.viewers.remove(viewer)
        if viewer.held:
            self._connections[viewer.held] -= 1
            if not self._connections[viewer.held]:
                del self._connections[viewer.held]

    def connections_of(self, viewer: Viewer) -> int:
        """How many connections there are with a viewer's key."""
        return self._connections[viewer.held] if viewer.held else 0

    def spectators(self, table: Table) -> int:
        """How many connections belong to nobody who holds a seat."""
        holders = {seat.key_hash for seat in table.stored.seats if seat.kind == "human"}
        return len(self.viewers) - sum(self._connections[held] for held in holders if held)

    def seats(self, table: Table) -> set[int]:
        """Seats whose holder is connected."""
        seats = enumerate(table.stored.seats)
        present = self._connections.keys() | self._connected_elsewhere()
        return {number for number, seat in seats if seat.kind == "human" and seat.key_hash in present}

    def players_here(self, table: Table) -> set[str]:
        """The keys of players that are connected to this process."""
        return {held for seat in table.stored.seats if (held := seat.key_hash) and held in self._connections}

    def hear(self, table: Table, process: str, keys: frozenset[str], until: float) -> None:
        """Another process says whose keys are connected there."""
        before = self.seats(table)
        self._elsewhere[process] = (keys, until)
        self.note_seats(before | self.seats(table))

    def _connected_elsewhere(self) -> set[str]:
        if not self._elsewhere:
            return set()
        now = time.monotonic()
        return {key for keys, until in self._elsewhere.values() if until > now for key in keys}

    def away_for(self, table: Table, seat: int) -> float:
        """Seconds since the holder of a seat was last seen; 0 if they are connected."""
        return 0.0 if seat in self.seats(table) else time.monotonic() - self._last_seen[seat]

    def next_long_absence(self, table: Table, absent: float) -> float | None:
        """Seconds until somebody will have been away for ``absent`` seconds; None if nobody is about to be."""
        away = (self.away_for(table, seat) for seat in table.people - self.seats(table))
        return min((absent - seconds for seconds in away if seconds <= absent), default=None)

    def note_activity(self, table: Table, key: str | None) -> None:
        """The holder of a key is here now, if only to send a request."""
        self.note_seats(table.owned_by(key))

    def note_seats(self, seats: Iterable[int]) -> None:
        """The holders of some seats are here now."""
        self._last_seen |= dict.fromkeys(seats, time.monotonic())


class Announcement:
    """Something to announce soon, at most once in an interval however often it changes."""

    def __init__(self, tell: Callable[[], None], interval: float = INTERVAL) -> None:
        self._tell = tell
        self._interval = interval
        self._told = float("-inf")
        self._due = float("inf")
        """When the timer rings: uvloop gives a handle that does not know it for a time that has already come."""
        self._timer: asyncio.Handle | None = None

    def request(self, delay: float = 0.0) -> None:
        """Announce it after a delay, or as soon as the interval allows, unless an earlier announcement is due."""
        loop = asyncio.get_running_loop()
        due = max(loop.time() + delay, self._told + self._interval)
        if self._timer is not None:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due, self._timer = due, loop.call_at(due, self._run)

    def _run(self) -> None:
        self._timer = None
        self._told = asyncio.get_running_loop().time()
        self._tell()
