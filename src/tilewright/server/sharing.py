"""What the processes that have a table open tell each other about it, beside what is in the database.

Who is there, and what players propose to one another, lives in memory only. Each process tells the others what it
knows, whenever that changes and again every ``REPEAT`` seconds, and forgets what it has not heard again for ``EXPIRY``.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tilewright.server.channel import ASK, PRESENT, SAID, SEEN, WHO, WROTE, Message

if TYPE_CHECKING:
    from tilewright.server.room import Room

REPEAT, EXPIRY = 10.0, 35.0
"""Seconds. A process that was killed says no goodbye: its players count as present a little longer."""


class Sharing:
    """The messages about one table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._told: frozenset[str] = frozenset()
        self._told_seen: dict[int, float] = {}

    def _publish(self, kind: str, content: Any) -> None:
        self._room.rooms.channel.publish(self._room.table.id, kind, content)

    def ask_who_is_there(self) -> None:
        """The table was opened here: other processes may know more."""
        self._publish(WHO, None)

    def tell_presence(self, *, again: bool = False) -> None:
        """Whose keys are connected here, if that has changed."""
        room = self._room
        present = frozenset(room.presence.players_here(room.table))
        if present != self._told or (again and present):
            self._told = present
            self._publish(PRESENT, sorted(present))

    def tell_seen(self, seats: list[int]) -> None:
        """The holder of these seats has sent a request; it is enough to say so now and then."""
        now = time.monotonic()
        if any(now - self._told_seen.get(seat, -REPEAT) >= REPEAT for seat in seats):
            self._told_seen |= dict.fromkeys(seats, now)
            self._publish(SEEN, seats)

    def tell_proposal(self, kind: str, proposal: dict[str, Any] | None) -> None:
        """What a player proposes, or that it is no longer proposed."""
        self._publish(ASK, [kind, proposal])

    def tell_phrase(self, seat: int, phrase: str) -> None:
        """A player has said something."""
        self._publish(SAID, [seat, phrase])

    def tell_writing(self) -> None:
        """A player has written something; what it is, the others read in the database."""
        self._publish(WROTE, None)

    def hear(self, message: Message) -> None:
        """Another process says something."""
        room = self._room
        if message.kind == PRESENT:
            room.presence.hear(room.table, message.sender, frozenset(message.content), time.monotonic() + EXPIRY)
            room.note_presence()
        elif message.kind == SEEN:
            room.presence.note_seats(message.content)
        elif message.kind == ASK:
            room.consent.hear(*message.content)
        elif message.kind == SAID:
            room.chat.hear(*message.content)
        elif message.kind == WROTE:
            room.in_background(room.writing.tell())
        elif message.kind == WHO:
            self.tell_presence(again=True)
            room.consent.tell_all()
