"""Free text at a table, only among people who came by invitation.

A table is one by invitation if nobody can find it in the lobby: it was opened without a seat for anybody, so that every
person at it either opened it or followed its link. At least two people must hold seats, and the game must not be rated
or that of a day. Those who hold no seat neither write nor read, whatever address they know.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from wcwidth import iter_graphemes

from tilewright.server.conversations import Line, add_line, lines_of
from tilewright.server.errors import BadMessage, Forbidden, TooManyRequests
from tilewright.server.limits import Bucket, Rate
from tilewright.server.names import clean_line
from tilewright.server.seated_table import hash_key
from tilewright.server.viewer import Viewer

if TYPE_CHECKING:
    from tilewright.server.room import Room

LONGEST = 300
"""Characters as a reader counts them."""
MOST_LETTERS = 2 * LONGEST
"""Code points: a reader's character may have many, and an emoji or two of ten do no harm."""
PACE = Rate(5, 1 / 3)
"""Lines of one person at one table."""
RECALLS = Rate(10, 1 / 3)
"""How often one person may ask for the whole conversation of a table, once for each time that a page connects."""


class Writing:
    """What people write to each other at one table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._paces: dict[str, Bucket] = {}
        self._recalls: dict[str, Bucket] = {}
        self._told = 0
        """The number of the last line that was sent to everybody here."""
        self._telling = asyncio.Lock()

    def is_open_to(self, owned: list[int]) -> bool:
        """Whether the holder of these seats may write, and read what others write."""
        table = self._room.table
        return bool(owned) and table.is_by_invitation and not table.position.is_over

    async def write(self, key: str | None, text: object) -> None:
        """A player writes something to the others."""
        owned = self._room.table.owned_by(key)
        if key is None or not owned:
            raise Forbidden("players_only")
        if not self.is_open_to(owned):
            raise Forbidden("writing_over" if self._room.table.position.is_over else "writing_by_invitation")
        line, held = _checked(text), hash_key(key)
        if not self._paces.setdefault(held, Bucket(PACE)).take():
            raise Forbidden("chat_pause")
        table_id = self._room.table.id
        await self._room.rooms.write(lambda store: add_line(store, table_id, owned[0], held, line))
        self._room.sharing.tell_writing()
        await self.tell()

    async def tell(self) -> None:
        """Tell the players who are connected here what is new."""
        async with self._telling:
            table_id, told = self._room.table.id, self._told
            lines = await self._room.rooms.read(lambda store: lines_of(store, table_id, told))
            if lines:
                self._told = lines[-1].number
                players = [one for one in self._room.viewers if self._room.table.owned_by(one.key)]
                self._room.broadcast(lambda language, owned: _described(lines), players)

    async def recall(self, viewer: Viewer) -> None:
        """Tell somebody who has come, or come back, the whole conversation."""
        if self.is_open_to(self._room.table.owned_by(viewer.key)):
            if not self._recalls.setdefault(viewer.held, Bucket(RECALLS)).take():
                raise TooManyRequests("too_many_messages")
            table_id = self._room.table.id
            viewer.send(json.dumps(_described(await self._room.rooms.read(lambda store: lines_of(store, table_id)))))


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise BadMessage("text must be a string")
    if len(text) > MOST_LETTERS or sum(1 for _ in iter_graphemes(text)) > LONGEST:
        raise Forbidden("writing_long", most=LONGEST)
    line = clean_line(text, LONGEST)
    if not line:
        raise BadMessage("text must have something to read")
    return line


def _described(lines: list[Line]) -> dict[str, Any]:
    described = [{"number": line.number, "seat": line.seat + 1, "text": line.text} for line in lines]
    return {"type": "written", "lines": described}
