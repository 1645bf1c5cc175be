"""An optional clock: minutes for the game and seconds added for each move. It starts with the first move.

The time spent on each move is stored with it, so that nobody is charged for the time when no server was there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.server.store import StoredEvent
from tilewright.server.table import Table, is_takeback


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds each player has left, as of the last move. Like a table, a clock never changes."""

    remaining: tuple[float, ...]
    increment: float = 0.0
    since: float | None = None
    """When the last move was played; None before the first."""

    @classmethod
    def of(cls, table: Table, events: Sequence[StoredEvent], up_since: float = 0.0) -> Clock | None:
        """The clock of a table, if it has one, rebuilt from the time spent on each event.

        Every process gets the same one. It stood still until ``up_since``, when there was a server again.
        """
        stored = table.stored
        if stored.minutes is None:
            return None
        clock = cls((stored.minutes * 60.0,) * stored.players, stored.increment or 0.0)
        for event, turn in zip(events, table.turns, strict=True):
            if turn is not None:
                clock = clock.after_move(turn, event.spent, event.at, taken_back=is_takeback(event.line))
        return clock if clock.since is None else replace(clock, since=max(clock.since, up_since))

    def elapsed(self, at: float) -> float:
        """Seconds since the last move; none before the first."""
        return max(0.0, at - self.since) if self.since is not None else 0.0

    def after_move(self, turn: int, spent: float, at: float, *, taken_back: bool = False) -> Clock:
        """The player to move is charged the time spent; a move earns the increment, a takeback does not."""
        if self.since is None:
            return replace(self, since=at)
        change = (0.0 if taken_back else self.increment) - spent
        remaining = tuple(left + change if seat == turn else left for seat, left in enumerate(self.remaining))
        return replace(self, remaining=remaining, since=at)

    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left now."""
        return self.remaining[seat] - (self.elapsed(time.time()) if seat == turn else 0.0)

    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows."""
        left = [max(0.0, round(self.left(seat, turn), 1)) for seat in range(len(self.remaining))]
        running = turn + 1 if turn is not None and self.since is not None else None
        return {"remaining": left, "running": running}
