"""Clocks: minutes for a whole game, or days for each move of a correspondence game."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.server.days import DAY
from tilewright.server.event_lines import is_takeback
from tilewright.server.stored import StoredEvent, StoredGame
from tilewright.server.table import Table


class Clock(ABC):
    """How much time the players have left. Like a table, a clock never changes."""

    @abstractmethod
    def begun(self, at: float, turn: int) -> Clock:
        """The clock when the first tiles are dealt and somebody is to move."""

    @abstractmethod
    def elapsed(self, at: float) -> float:
        """The seconds that a move at some time takes off the clock of the player."""

    @abstractmethod
    def after_move(self, turn: int, spent: float, at: float, then: int | None, *, taken_back: bool = False) -> Clock:
        """The clock after a move, or a takeback, of ``turn``, when it is the turn of ``then``."""

    @abstractmethod
    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left now."""

    @abstractmethod
    def seconds_to_flag(self, turn: int) -> float | None:
        """Seconds after which an open table must see whether the player to move is out of time; None if it need not."""

    @abstractmethod
    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows."""

    @property
    def vacations(self) -> tuple[float, ...]:
        """For each seat until when its holder is on vacation; a time in the past for those who are not."""
        return ()


@dataclass(frozen=True, slots=True)
class GameClock(Clock):
    """Minutes for the game and seconds added for each move. It starts with the first move.

    The time spent on each move is stored with it, so that nobody is charged for the time when no server was there.
    """

    remaining: tuple[float, ...]
    """Seconds of each player, as of the last move."""
    increment: float = 0.0
    since: float | None = None
    """When the last move was played; None before the first."""

    @classmethod
    def replay(cls, table: Table, minutes: float, events: Sequence[StoredEvent], up_since: float) -> GameClock:
        """The clock of a table, rebuilt from the time spent on each event.

        Every process gets the same one. It stood still until ``up_since``, when there was a server again.
        """
        clock = cls((minutes * 60.0,) * table.stored.players, table.stored.increment or 0.0)
        for event, turn in zip(events, table.turns, strict=True):
            if turn is not None:
                clock = clock.after_move(turn, event.spent, event.at, taken_back=is_takeback(event.line))
        return clock if clock.since is None else replace(clock, since=max(clock.since, up_since))

    def begun(self, at: float, turn: int) -> GameClock:
        """It waits for the first move."""
        return self

    def elapsed(self, at: float) -> float:
        """Seconds since the last move; none before the first."""
        return max(0.0, at - self.since) if self.since is not None else 0.0

    def after_move(
        self, turn: int, spent: float, at: float, then: int | None = None, *, taken_back: bool = False
    ) -> GameClock:
        """The player to move is charged the time spent; a move earns the increment, a takeback does not."""
        if self.since is None:
            return replace(self, since=at)
        change = (0.0 if taken_back else self.increment) - spent
        remaining = tuple(left + change if seat == turn else left for seat, left in enumerate(self.remaining))
        return replace(self, remaining=remaining, since=at)

    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left now."""
        return self.remaining[seat] - (self.elapsed(time.time()) if seat == turn else 0.0)

    def seconds_to_flag(self, turn: int) -> float | None:
        """What the player to move has left, once the clock runs."""
        return None if self.since is None else max(0.0, self.left(turn, turn))

    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows."""
        left = [max(0.0, round(self.left(seat, turn), 1)) for seat in range(len(self.remaining))]
        running = turn + 1 if turn is not None and self.since is not None else None
        return {"remaining": left, "running": running}


@dataclass(frozen=True, slots=True)
class DayClock(Clock):
    """Days for each move, from the move before, or from when the player to move is back from a vacation.

    The deadline is stored with the table and ``deadlines.py`` watches all of them, so that no table has to stay open.
    """

    allowed: float
    """Seconds for each move."""
    away: tuple[float, ...]
    """For each seat until when its holder is on vacation; 0 if they are not."""
    due: float | None = None
    """When the time of the player to move is over; None before the first deal, after the game, and for bots."""

    def begun(self, at: float, turn: int) -> DayClock:
        """The first player has as long as everybody."""
        return replace(self, due=max(at, self.away[turn]) + self.allowed)

    def elapsed(self, at: float) -> float:
        """Nothing: every move has its own time."""
        return 0.0

    def after_move(self, turn: int, spent: float, at: float, then: int | None, *, taken_back: bool = False) -> DayClock:
        """The next player has the whole time."""
        return replace(self, due=None) if then is None else self.begun(at, then)

    def left(self, seat: int, turn: int | None) -> float:
        """Seconds that a player has left now."""
        return self.allowed if self.due is None or seat != turn else self.due - time.time()

    def seconds_to_flag(self, turn: int) -> float | None:
        """None: deadlines are watched in the database."""
        return None

    def reading(self, turn: int | None) -> dict[str, Any]:
        """What the table shows; ``due`` is in seconds since 1970."""
        left = [max(0.0, round(self.left(seat, turn), 1)) for seat in range(len(self.away))]
        running = turn + 1 if turn is not None and self.due is not None else None
        return {"remaining": left, "running": running, "due": self.due}

    @property
    def vacations(self) -> tuple[float, ...]:
        """For each seat until when its holder is on vacation."""
        return self.away


def clock_of(table: Table, game: StoredGame) -> Clock | None:
    """The clock of a table, if it has one, as it follows from what is stored."""
    if table.stored.days is not None:
        return DayClock(table.stored.days * DAY, game.away, game.due)
    if table.stored.minutes is not None:
        return GameClock.replay(table, table.stored.minutes, game.events, game.up_since)
    return None


def begun(clock: Clock | None, table: Table, at: float) -> Clock | None:
    """The clock of a table whose first tiles were just dealt, or that still waits for players."""
    turn = table.position.turn
    return clock if clock is None or turn is None or table.waits_for_players else clock.begun(at, turn)
