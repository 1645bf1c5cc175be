"""How a process learns what others have done at a table that it has open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilewright.game.errors import TilewrightError
from tilewright.server.clock import Clock
from tilewright.server.store import Store, StoredEvent, StoredGame, Version
from tilewright.server.table import DRAW, TAKEBACK, PlayedMove, Table


class News(NamedTuple):
    """What is new at a table: the events, if nothing but moves was played, or else the whole game."""

    events: list[StoredEvent]
    game: StoredGame | None = None


class Step(NamedTuple):
    """A move that was played elsewhere, and the clock after it."""

    played: PlayedMove
    clock: Clock | None


def news_of(store: Store, table_id: str, known: Version) -> News | None:
    """What is new at a table since a version of it; None if there is no such table any more."""
    now = store.version(table_id)
    if now is None or now == known:
        return None if now is None else News([])
    if (now.seating, now.rematch) == (known.seating, known.rematch) and now.event > known.event:
        events = store.events(table_id, after=known.event)
        if not any(event.line.startswith(TAKEBACK) for event in events):
            return News(events)
    game = store.game(table_id)
    return None if game is None else News([], game)


def follow(table: Table, clock: Clock | None, events: Sequence[StoredEvent]) -> list[Step] | None:
    """Play the moves of some events at a table; None if they do not follow from it.

    Tiles are drawn by the secret of the table, so each move is followed by the same draw as where it was played.
    """
    steps: list[Step] = []
    lines = [event.line for event in events]
    place = 0
    while place < len(lines):
        seat, _, move = lines[place].partition(" ")
        if seat == DRAW:
            return None
        try:
            played = table.play([int(seat) - 1], move, None)
        except TilewrightError:
            return None
        if list(played.lines) != lines[place : place + len(played.lines)]:
            return None
        event = events[place]
        clock = clock.after_move(played.entry.seat, event.spent, event.at) if clock else None
        table = played.table
        steps.append(Step(played, clock))
        place += len(played.lines)
    return steps
