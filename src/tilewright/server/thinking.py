"""The bots and the coach of one table. They think in the background, and only while somebody waits.

In a correspondence game everybody waits, wherever they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING

from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import NobodyWaits, Question
from tilewright.server.errors import RequestError
from tilewright.server.table import Table
from tilewright.view.language import DEFAULT

if TYPE_CHECKING:
    from tilewright.server.room import Room

logger = logging.getLogger("tilewright.server")


class Thinking:
    """The searches in progress at a table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.seat: int | None = None
        """Where a bot is thinking about its move."""
        self._search: Cancellation | None = None
        self._advising: Cancellation | None = None
        self._playing: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether bots are playing."""
        return self._playing is not None and not self._playing.done()

    @property
    def _somebody_waits(self) -> bool:
        """Nobody does at a table that was deleted."""
        waited_for = self._room.audience.is_there or self._room.table.stored.days is not None
        return waited_for and not self._room.is_closed

    def let_bots_play(self) -> None:
        """Let bots move until it is a person's turn, while somebody waits for that."""
        if self._somebody_waits and not self.is_running:
            self._playing = asyncio.create_task(self._play_bots())

    def cancel(self, table: Table) -> None:
        """End searches of a position that is not this table's, or for a seat that has a person again."""
        moved_on = table.event != self._room.table.event
        if moved_on and self._advising is not None:
            self._advising.cancel()
        if self.seat is not None and (moved_on or table.bot_of(self.seat) is None):
            if self._search is not None:
                self._search.cancel()
            self.seat = None

    async def _play_bots(self) -> None:
        """Let bots move one after the other; a failure is retried."""
        room = self._room
        try:
            while (turn := room.table.position.turn) is not None and (bot := room.table.bot_of(turn)):
                if not self._somebody_waits:
                    return
                with contextlib.suppress(NobodyWaits):
                    await self._play_bot(turn, bot)
        except Exception:
            logger.exception("a bot's move could not be played")
            room.advance_later()
        finally:
            self.seat = None

    async def _play_bot(self, turn: int, bot: str) -> None:
        room, table, begun = self._room, self._room.table, time.monotonic()
        self.seat, self._search = turn, Cancellation()
        room.broadcast(lambda language, owned: {"type": "thinking", "seat": turn + 1})
        room.rooms.warming.hurry(table.position.game.spec.name, bot)
        move = await room.rooms.bots.choose(table.id, turn, bot, self._question(self._search))
        if room.viewers:
            await asyncio.sleep(max(0.0, room.rooms.settings.thinking - (time.monotonic() - begun)))
        with contextlib.suppress(RequestError):  # the table has moved on, or the person is back
            await room.playing.play_for_bot(turn, int(move), table.event)

    def _question(self, cancellation: Cancellation) -> Question:
        """What a bot is asked here; it need not answer once the table has moved on or everybody has gone."""
        return Question(
            self._room.table.position,
            cancellation,
            self._room.audience.owners(self._room.table),
            is_wanted=lambda: self._somebody_waits and not cancellation.is_cancelled,
        )

    async def advise(self) -> None:
        """Let the coach find a move, and send it to the player."""
        room, table, cancellation = self._room, self._room.table, Cancellation()
        self._advising = cancellation
        try:
            analysis = await room.rooms.analyst.analyse(table.position, room.audience.owners(table), cancellation)
        except Exception:
            room.coach.forget(table.event)
            raise
        if cancellation.is_cancelled:
            return
        language = next((viewer.language for viewer in room.viewers if table.owned_by(viewer.key)), DEFAULT)
        await asyncio.to_thread(room.coach.suggest, table, analysis, language)
        room.broadcast(
            lambda language, owned: {
                "type": "coach",
                "event": table.event,
                "coach": room.coach.described(table, room.table.played_among(owned), language),
            }
        )
