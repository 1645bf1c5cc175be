"""Hints during a game: first where to look, then a good move and why.

They are for games in which nobody else is harmed, and the game remembers them: the first hint for a move is an event.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from tilewright.game.position import Position
from tilewright.insight.analysis import Analysis
from tilewright.server.errors import Forbidden
from tilewright.server.explaining import explained
from tilewright.server.viewer import Viewer
from tilewright.view.picture import compose
from tilewright.view.slots import spot_of

if TYPE_CHECKING:
    from tilewright.server.room import Room

GIVEN, BY_CONSENT = "given", "by_consent"
"""Hints are there to be asked for, or the other players must agree first."""


class Hints:
    """The hints at one table. A position is analysed once, however often somebody asks."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._asked: tuple[Position, asyncio.Task[Analysis]] | None = None

    def offer_to(self, seats: list[int]) -> str | None:
        """What whoever plays in these seats and is to move may do: ask for a hint, or ask the others whether they may.

        Against bots alone nobody else is harmed. A guided game has a coach, and a rated game or a daily table no
        help at all.
        """
        table = self._room.table
        if table.position.turn not in seats or table.waits_for_players:
            return None
        if table.stored.guided or table.stored.is_contest:
            return None
        return GIVEN if table.allows_help_to(seats) else BY_CONSENT

    async def ask(self, viewer: Viewer, seats: list[int], *, tells_move: bool) -> None:
        """Give a hint; the search takes a while, so it is sent later."""
        if self.offer_to(seats) != GIVEN:
            raise Forbidden("no_hints")
        turn = self._room.table.position.turn
        assert turn is not None
        await self._room.playing.remember_help(turn)
        self._room.in_background(self._give(viewer, tells_move))

    async def _give(self, viewer: Viewer, tells_move: bool) -> None:
        """Find the hint and send it to whoever asked, in all their tabs: the connection may be another one by then."""
        room, position = self._room, self._room.table.position
        analysis = await self._analysis(position, viewer)
        names, language = room.table.names(viewer.language), viewer.language
        hint = await asyncio.to_thread(_hint, position, analysis, names, language, tells_move)
        if position is not room.table.position:
            return  # the game went on meanwhile
        message = json.dumps({"type": "hint", "event": room.table.event, **hint})
        for one in room.viewers:
            if one.key == viewer.key:
                one.send(message)

    async def _analysis(self, position: Position, viewer: Viewer) -> Analysis:
        """What is known of a position; those who ask for it while it is being analysed wait for the same search."""
        if self._asked is None or self._asked[0] is not position:
            search = self._room.rooms.analyst.analyse(position, [viewer.owner])
            self._asked = position, asyncio.create_task(search)
        try:
            return await self._asked[1]
        except Exception:
            self._asked = None
            raise


def _hint(position: Position, analysis: Analysis, names: list[str], language: str, tells_move: bool) -> dict[str, Any]:
    """Where to look; if it tells the move, that and why it is better than another good one."""
    spots = _spots(position, analysis)
    if not tells_move:
        return {"spots": spots[:1]}
    return {"spots": spots, "move": int(analysis.best.move), **explained(position, analysis, names, language)}


def _spots(position: Position, analysis: Analysis) -> list[str]:
    """What to click for the best move."""
    path = compose.picture_of(position.game).paths(position.game)[int(analysis.best.move)]
    return [spot_of(position.turn or 0, spot) for spot in path.spots]
