"""Moves, takebacks, and what else becomes part of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tilewright.server.consent import HINTS, TAKEBACK
from tilewright.server.errors import Forbidden
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import BOT_MOVES, MOVE_SECONDS, MOVES_OF_PEOPLE

if TYPE_CHECKING:
    from tilewright.server.room import Room


class Playing:
    """What players do at one table. It is done even if the connection of whoever asked is lost meanwhile.

    For the most frequent, a move, the caller sees to that: a task for each move is a tenth of what it costs.
    """

    def __init__(self, room: Room) -> None:
        self._room = room

    async def play(self, key: str | None, move: int | str, after: int | None) -> int:
        """Play a move, which the caller does not interrupt; the number of the last event."""
        if not self._room.table.owned_by(key):
            raise Forbidden("not_at_table")
        with MOVE_SECONDS.time(), tracing.span("move"):
            return await self._play(lambda: self._room.table.seats_of(key), move, after)

    async def play_for_bot(self, seat: int, move: int, after: int) -> None:
        """Play a bot's move, unless the person it plays for is back."""
        await asyncio.shield(self._play(lambda: [seat] if self._room.table.bot_of(seat) else [], move, after))

    async def _play(self, seats: Callable[[], list[int]], move: int | str, after: int | None) -> int:
        """Play for the seats that the mover has once all earlier changes are made."""

        async def play() -> int:
            held = seats()
            if not self._room.table.has_played(held, move, after):
                played = self._room.table.play(held, move, after)
                if self._room.viewers:
                    played.work_out()
                await self._room.changes.commit_move(played)
                (BOT_MOVES if self._room.table.bot_of(played.entry.seat) else MOVES_OF_PEOPLE).inc()
            return self._room.table.event

        event = await self._room.changes.make(play)
        self._room.advance()
        return event

    async def take_back(self, seat: int) -> None:
        """Take back the last move of a seat and everything after it."""
        await asyncio.shield(self._take_back(seat))

    async def _take_back(self, seat: int) -> None:
        move = self._room.table.last_move_of(seat)

        async def take_back() -> None:
            turn = self._room.table.position.turn
            if turn is None:
                raise Forbidden("game_over")
            if self._room.table.last_move_of(seat) != move:
                raise Forbidden("no_move_to_take_back")  # another process has taken it back, or played on
            await self._room.changes.commit_takeback(self._room.table.take_back(seat), turn)
            self._room.consent.withdraw(TAKEBACK)

        await self._room.changes.make(take_back)
        self._room.broadcast_state()
        self._room.advance()

    async def remember_help(self, seat: int) -> None:
        """A player asks for a hint: that is part of the game, and everybody sees it."""
        await asyncio.shield(self._remember_help(seat))

    async def _remember_help(self, seat: int) -> None:
        async def remember() -> None:
            if self._room.table.position.turn == seat and not self._room.table.is_helped:
                await self._room.changes.commit_remark(self._room.table.with_help(seat))

        await self._make_remark(remember)

    async def remember_bar(self, seat: int) -> None:
        """A player looks at the evaluation bar: that is part of the game too, once."""
        await asyncio.shield(self._remember_bar(seat))

    async def _remember_bar(self, seat: int) -> None:
        async def remember() -> None:
            if not self._room.table.had_bar(seat) and not self._room.table.position.is_over:
                await self._room.changes.commit_remark(self._room.table.with_bar(seat))

        await self._make_remark(remember)

    async def _make_remark(self, remark: Callable[[], Coroutine[Any, Any, None]]) -> None:
        before = self._room.table.event
        await self._room.changes.make(remark)
        if self._room.table.event != before:
            self._room.broadcast_state()
            self._room.advance()

    async def allow_hints(self) -> None:
        """Everybody has agreed to hints in this game."""
        await asyncio.shield(self._allow_hints())

    async def _allow_hints(self) -> None:
        async def allow() -> None:
            if not self._room.table.allows_hints:
                await self._room.changes.commit_remark(self._room.table.with_hints_allowed())
            self._room.consent.withdraw(HINTS)

        await self._room.changes.make(allow)
        self._room.broadcast_state()
        self._room.advance()
