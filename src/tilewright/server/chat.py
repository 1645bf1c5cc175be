"""Friendly phrases at a table. They are chosen from a list, so everybody reads them in their own language.

Nothing is stored: only those who are connected see them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tilewright.server.errors import Forbidden

if TYPE_CHECKING:
    from tilewright.server.room import Room

PHRASES = ("hello", "good_luck", "nice_move", "oops", "thinking", "well_played", "thanks", "again", "goodbye")
"""Their texts are in ``view/languages/<language>/chat.toml``."""
PAUSE = 1.5
"""Seconds between two phrases of one player."""


class Chat:
    """What is said at one table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._spoke: dict[int, float] = {}

    def say(self, seats: list[int], phrase: str) -> None:
        """A player says something to everybody at the table, whichever process they are connected to."""
        if not seats:
            raise Forbidden("players_only")
        seat, now = seats[0], time.monotonic()
        if now - self._spoke.get(seat, -PAUSE) < PAUSE:
            raise Forbidden("chat_pause")
        self._spoke[seat] = now
        self._room.sharing.tell_phrase(seat, phrase)
        self.hear(seat, phrase)

    def hear(self, seat: int, phrase: str) -> None:
        """Pass on to those who are connected here what a player says."""
        self._room.broadcast(lambda language, owned: {"type": "said", "seat": seat + 1, "phrase": phrase})
