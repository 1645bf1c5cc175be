"""Who sits where at a table: people come, are replaced by bots, come back, leave, and meet again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tilewright.server.channel import CHANGED
from tilewright.server.consent import TAKEBACK
from tilewright.server.errors import Forbidden
from tilewright.server.stored import StoredSeat

if TYPE_CHECKING:
    from tilewright.server.room import Room

SUBSTITUTE = "level4"


class Seating:
    """The seats of one table. A change is made even if the connection of whoever asked is lost meanwhile."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def sit(self, key: str, name: str, wanted: int | None) -> int:
        """Somebody takes a free seat; its number."""
        return await asyncio.shield(self._sit(key, name, wanted))

    async def _sit(self, key: str, name: str, wanted: int | None) -> int:
        async def sit() -> int:
            number, seat = self._room.table.seat_for(key, name, wanted)
            await self._room.changes.commit_newcomers({number: seat})
            self._room.note_activity(key)
            return number

        number = await self._room.changes.make(sit)
        self._broadcast_seats()
        return number

    async def seat_bots(self, key: str | None, bot: str) -> None:
        """Somebody who waits for others lets bots take the free seats."""
        await asyncio.shield(self._seat_bots(key, bot))

    async def _seat_bots(self, key: str | None, bot: str) -> None:
        async def seat_bots() -> None:
            if not self._room.table.owned_by(key):
                raise Forbidden("not_at_table")
            free = self._room.table.free_for(None)
            if not free:
                raise Forbidden("seats_kept" if self._room.table.waits_for_players else "seats_taken")
            await self._room.changes.commit_newcomers({n: StoredSeat("bot", bot=bot) for n in free})

        await self._room.changes.make(seat_bots)
        self._broadcast_seats()

    async def withdraw(self, key: str | None) -> bool:
        """Somebody gives up their seats unless the game has begun; whether they did."""
        return await asyncio.shield(self._withdraw(key))

    async def _withdraw(self, key: str | None) -> bool:
        async def withdraw() -> bool:
            owned = self._room.table.owned_by(key)
            if not owned or not self._room.table.waits_for_players:
                return False
            await self._room.changes.commit_seats(self._room.table.seats_given_up(owned, SUBSTITUTE))
            return True

        done = await self._room.changes.make(withdraw)
        self._broadcast_seats()
        return done

    async def replace(self, number: int, *, timed_out: bool = False) -> None:
        """A bot plays on for somebody, unless they have moved or come back at the last moment."""
        await asyncio.shield(self._replace(number, timed_out))

    async def _replace(self, number: int, timed_out: bool) -> None:
        async def replace() -> bool:
            replaceable = self._is_out_of_time(number) if timed_out else self._room.is_replaceable(number)
            if replaceable:
                seat = self._room.table.seat_with_substitute(number, SUBSTITUTE, timed_out=timed_out)
                await self._room.changes.commit_seats({number: seat})
            self._room.consent.withdraw_replacement(number)
            return replaceable

        if await self._room.changes.make(replace):
            self._broadcast_seats()
            await self._room.consent.settle(TAKEBACK)  # somebody who is replaced has no say in that
        elif timed_out:
            self._room.advance()  # the system's clock was set back: the flag falls later

    def _is_out_of_time(self, seat: int) -> bool:
        on_turn = self._room.table.position.turn == seat and seat in self._room.table.people
        return on_turn and self._room.clock is not None and self._room.clock.left(seat, seat) <= 0

    async def come_back(self, key: str | None) -> list[int]:
        """Somebody takes their seats back from the bot; the seats."""
        return await asyncio.shield(self._come_back(key))

    async def _come_back(self, key: str | None) -> list[int]:
        async def come_back() -> list[int]:
            table = self._room.table
            seats = [seat for seat in table.owned_by(key) if table.bot_of(seat)]
            if not seats:
                raise Forbidden("no_substitute")
            if table.position.is_over:
                raise Forbidden("game_over")
            if self._room.clock and any(self._room.clock.left(seat, table.position.turn) <= 0 for seat in seats):
                raise Forbidden("clock_ran_out")
            await self._room.changes.commit_seats({seat: table.seat_taken_back(seat) for seat in seats})
            return seats

        seats = await self._room.changes.make(come_back)
        self._broadcast_seats()
        return seats

    async def give_up(self, key: str | None) -> list[int]:
        """Somebody leaves for good; the seats they had."""
        return await asyncio.shield(self._give_up(key))

    async def _give_up(self, key: str | None) -> list[int]:
        async def give_up() -> list[int]:
            owned = self._room.table.owned_by(key)
            if not owned:
                raise Forbidden("not_at_table")
            await self._room.changes.commit_seats(self._room.table.seats_given_up(owned, SUBSTITUTE))
            self._room.consent.withdraw_all()
            return owned

        owned = await self._room.changes.make(give_up)
        self._broadcast_seats()
        return owned

    def _broadcast_seats(self) -> None:
        self._room.broadcast_presence()
        self._room.broadcast_state()
        self._room.advance()

    async def rematch(self, key: str | None) -> str:
        """The table where the players of this finished game meet again, opened by whoever asks first."""
        owned = self._room.table.owned_by(key)
        if not owned:
            raise Forbidden("rematch_players_only")
        if not self._room.table.position.is_over:
            raise Forbidden("game_goes_on")
        table_id = await asyncio.shield(self._rematch(owned[0]))
        await self._come_to(table_id, str(key), owned[0])
        return table_id

    async def _come_to(self, table_id: str, key: str, before: int) -> None:
        """Take the seat that is kept free in a rated rematch for somebody who sat elsewhere before."""
        room, seats = await self._room.rooms.get(table_id), self._room.table.stored.seats
        if room is not None and room.table.waits_for_players and not room.table.owned_by(key):
            await room.seating.sit(key, seats[before].name, (before - 1) % len(seats))

    async def _rematch(self, by: int) -> str:
        async def rematch() -> str:
            before = self._room.table
            if before.stored.rematch is not None:
                return before.stored.rematch
            room = await self._room.rooms.create(before.for_rematch(by), rematch_of=before.id)
            self._room.rooms.channel.publish(before.id, CHANGED)
            self._room.table = before.with_rematch(room.table.id)
            self._room.broadcast_rematch(before, by)
            return room.table.id

        return await self._room.changes.make(rematch)
