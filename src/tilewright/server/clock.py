"""An optional clock: minutes for the game and seconds added for each move. It starts with the first move.

What was spent on each move is kept with it, so that nobody pays for the time when the server was down.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from tilewright.server.store import StoredEvent
from tilewright.server.table import Table, is_takeback


class Clock:
    """What each player has left; rebuilt from what was spent on each event."""

    def __init__(self, players: int, minutes: float, increment: float) -> None:
        self.remaining = [minutes * 60.0] * players
        self.increment = increment
        self._since: float | None = None

    @classmethod
    def of(cls, table: Table, events: Sequence[StoredEvent]) -> Clock | None:
        """The clock of a table, if it has one."""
        stored = table.stored
        if stored.minutes is None:
            return None
        clock = cls(stored.players, stored.minutes, stored.increment or 0.0)
        for event, turn in zip(events, table.turns, strict=True):
            spent = clock.elapsed(event.at) if event.spent is None else event.spent
            if turn is not None:
                clock.went_on(turn, spent, event.at, taken_back=is_takeback(event.line))
        return clock

    @property
    def started(self) -> bool:
        """Whether the first move was played."""
        return self._since is not None

    def elapsed(self, at: float) -> float:
        """Seconds since the last move; none before the first."""
        return max(0.0, at - self._since) if self._since is not None else 0.0

    def went_on(self, turn: int, spent: float, at: float, *, taken_back: bool = False) -> None:
        """The time spent is gone for who was on turn, whose move brings the increment and a takeback does not."""
        if self._since is not None:
            self.remaining[turn] += (0.0 if taken_back else self.increment) - spent
        self._since = at

    def resume(self) -> None:
        """The table was closed for a while: nobody pays for that time."""
        if self._since is not None:
            self._since = time.time()

    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left at this moment."""
        return self.remaining[seat] - (self.elapsed(time.time()) if seat == turn else 0.0)

    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows."""
        left = [max(0.0, round(self.left(seat, turn), 1)) for seat in range(len(self.remaining))]
        running = turn + 1 if turn is not None and self.started else None
        return {"remaining": left, "running": running}
