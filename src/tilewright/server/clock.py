"""An optional clock: minutes for the game and seconds added for each move. It starts with the first move."""

from __future__ import annotations

import time
from typing import Any

from tilewright.server.store import StoredTable


class Clock:
    """What each player has left; rebuilt from the times at which events were kept."""

    def __init__(self, players: int, minutes: float, increment: float) -> None:
        self.remaining = [minutes * 60.0] * players
        self.increment = increment
        self._since: float | None = None

    @classmethod
    def of(cls, stored: StoredTable, lines: list[str], times: list[float]) -> Clock | None:
        """The clock of a table, if it has one."""
        if stored.minutes is None:
            return None
        clock = cls(stored.players, stored.minutes, stored.increment or 0.0)
        for line, at in zip(lines, times, strict=True):
            word = line.partition(" ")[0]
            if word.isdigit():
                clock.moved(int(word) - 1, at)
        return clock

    @property
    def started(self) -> bool:
        """Whether the first move was played."""
        return self._since is not None

    def moved(self, seat: int, at: float | None = None) -> None:
        """A player has moved: the time since the move before is gone, the increment is added."""
        at = time.time() if at is None else at
        if self._since is not None:
            self.remaining[seat] += self.increment - max(0.0, at - self._since)
        self._since = at

    def took_back(self, on_turn: int) -> None:
        """A move was taken back: the time since the last one is gone for who was on turn."""
        if self._since is not None:
            now = time.time()
            self.remaining[on_turn] -= max(0.0, now - self._since)
            self._since = now

    def resume(self) -> None:
        """The table was closed for a while: nobody pays for that time."""
        if self._since is not None:
            self._since = time.time()

    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left at this moment."""
        running = time.time() - self._since if seat == turn and self._since is not None else 0.0
        return self.remaining[seat] - running

    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows."""
        left = [max(0.0, round(self.left(seat, turn), 1)) for seat in range(len(self.remaining))]
        running = turn + 1 if turn is not None and self.started else None
        return {"remaining": left, "running": running}
