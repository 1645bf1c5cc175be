"""How a process learns what others have done at a table that it has open."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewright.game.errors import TilewrightError
from tilewright.server.clock import Clock
from tilewright.server.errors import NotFound
from tilewright.server.event_lines import is_takeback, read_line
from tilewright.server.move_message import Told
from tilewright.server.relay import Relay, opened
from tilewright.server.store import Store
from tilewright.server.stored import StoredEvent, StoredGame, Version
from tilewright.server.table import PlayedMove, Table

if TYPE_CHECKING:
    from tilewright.server.room import Room


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
        if not any(is_takeback(event.line) for event in events):
            return News(events)
    game = store.game(table_id)
    return None if game is None else News([], game)


def follow(table: Table, clock: Clock | None, events: Sequence[StoredEvent]) -> list[Step] | None:
    """Play the moves of some events at a table; None if they do not follow from it.

    Tiles are drawn by the secret of the table, so each move is followed by the same draw as where it was played.
    """
    steps: list[Step] = []
    lines = [event.line for event in events]
    index = 0
    while index < len(lines):
        line = read_line(lines[index])
        if line.seat is None:
            return None
        try:
            played = table.play([line.seat], line.text, None)
        except TilewrightError:
            return None
        if list(played.lines) != lines[index : index + len(played.lines)]:
            return None
        event = events[index]
        table = played.table
        then = table.position.turn
        clock = clock.after_move(played.entry.seat, event.spent, event.at, then) if clock else None
        steps.append(Step(played, clock))
        index += len(played.lines)
    return steps


class CatchingUp:
    """Reads what is new at one table, and shows it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._is_requested = False
        self._relayed: list[Relay | None] = []

    def request(self, content: Any = None) -> None:
        """Another process says that it has changed the table, and perhaps by which move."""
        self._relayed.append(opened(self._room.table, content))
        if not self._is_requested:
            self._is_requested = True
            self._room.in_background(self._run())

    async def _run(self) -> None:
        """Follow the moves that were relayed as far as possible; for anything else the database is read."""
        self._is_requested = False
        async with self._room.lock:
            relayed, self._relayed = self._relayed, []
            for relay in relayed:
                if not await self._follow(relay):
                    await self._catch_up_if_there()
                    return

    async def _follow(self, relay: Relay | None) -> bool:
        """Show a move that was relayed; whether the table now has it."""
        room = self._room
        if relay is None or not relay.follows(room.table):
            return relay is not None and relay.is_part_of(room.table)
        steps = follow(room.table, room.clock, relay.events)
        if steps is None or len(steps) != 1:
            return False
        await self._show(steps[0], relay.told)
        room.advance()
        return True

    async def _show(self, step: Step, told: Told | None = None) -> None:
        await self._room.show(step.played.table, step.clock)
        self._room.consent.withdraw_all()
        self._room.show_move(step.played, told)

    async def run(self) -> None:
        """Catch up once all earlier changes are made. A table that was deleted is closed."""
        async with self._room.lock:
            await self._catch_up_if_there()

    async def _catch_up_if_there(self) -> None:
        with contextlib.suppress(NotFound):
            await self.catch_up()

    async def catch_up(self) -> bool:
        """Whether anything was new. The caller holds the lock of the table."""
        room, known = self._room, self._room.table.version
        news = await room.rooms.read(lambda store: news_of(store, room.table.id, known))
        if news is None:
            room.rooms.forget(room)
            raise NotFound("no_table")
        if not news.events and news.game is None:
            return False
        steps = follow(room.table, room.clock, news.events) if news.events else None
        if steps is None:
            await self._replay(news.game)
        for step in steps or ():
            await self._show(step)
        room.advance()
        return room.table.version != known  # otherwise whoever waits for a change would ask for it for ever

    async def _replay(self, game: StoredGame | None) -> None:
        """Replay the whole game, since something other than a move has happened."""
        room, before = self._room, self._room.table
        game = game or await room.rooms.read(lambda store: store.game(before.id))
        if game is None:
            raise NotFound("no_table")
        await room.show(*await room.rooms.replay(game))
        if before.event != room.table.event:
            room.consent.withdraw_all()
        for seat in before.people - room.table.people:
            room.consent.withdraw_replacement(seat)
        room.broadcast_presence()
        room.broadcast_state()
        room.broadcast_rematch(before)
