"""Who is connected to a table, and how long the others have been away."""

from __future__ import annotations

import time

from tilewright.server.table import Table
from tilewright.server.viewer import Viewer


class Presence:
    """The connections to one table. A person is present while a connection with their key is open."""

    def __init__(self, players: int) -> None:
        self.viewers: set[Viewer] = set()
        self._last_seen = dict.fromkeys(range(players), time.monotonic())

    def seats(self, table: Table) -> set[int]:
        """Seats whose holder is connected."""
        return {seat for viewer in self.viewers for seat in table.owned_by(viewer.key)}

    def away_for(self, table: Table, seat: int) -> float:
        """Seconds since the holder of a seat was last seen; 0 if they are connected."""
        return 0.0 if seat in self.seats(table) else time.monotonic() - self._last_seen[seat]

    def note_activity(self, table: Table, key: str | None) -> None:
        """The holder of a key is here now, if only to send a request."""
        self._last_seen |= dict.fromkeys(table.owned_by(key), time.monotonic())
