"""What players ask of one another: to take back a move, and to let a bot play on for somebody who is away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.server.refusals import NotAllowed

if TYPE_CHECKING:
    from tilewright.server.room import Room

TAKEBACK, REPLACE = "takeback", "replace"


class Consent:
    """The questions that stand at a table, one of a kind at most, and who has agreed to each.

    A takeback changes what the others have seen, so every person at the table must agree: it waits for who is
    away. Nobody can agree to one after new tiles have been drawn. Whether a bot plays on for somebody is for those to
    say who are here.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self.asks: list[dict[str, Any]] = []
        self._agreed: dict[str, set[int]] = {}

    async def ask(self, kind: str, seats: list[int], seat: int | None = None) -> None:
        """Ask the others, for somebody who holds these seats; a replacement is of another ``seat``."""
        if not seats:
            raise NotAllowed("players_only")
        if self._room.table.position.is_over:
            raise NotAllowed("game_over")
        if seat is None:
            seat = self._room.table.seat_to_take_back(seats)
        elif not self._room.is_replaceable(seat):
            raise NotAllowed("not_away")
        self._withdraw(kind)
        self.asks.append({"kind": kind, "by": seats[0] + 1, "seat": seat + 1})
        self._agreed[kind] = set(seats)
        await self.settle(kind)

    async def answer(self, kind: str, seats: list[int], yes: bool) -> None:
        """Agree to what somebody asked, or not."""
        if not seats or not any(ask["kind"] == kind for ask in self.asks):
            raise NotAllowed("nobody_asked")
        if not yes:
            self._withdraw(kind)
            self._room.tell_state()
            return
        self._agreed[kind] |= set(seats)
        await self.settle(kind)

    async def settle(self, kind: str) -> None:
        """Do what was asked if everybody who has a say has agreed."""
        ask = next((ask for ask in self.asks if ask["kind"] == kind), None)
        if ask is None:
            return  # settled, or withdrawn
        seat = ask["seat"] - 1
        room = self._room
        voters = room.table.people if kind == TAKEBACK else room.table.people & room.present()
        if voters - {seat} - self._agreed[kind] or not room.present():
            self._tell()
            return
        self._withdraw(kind)
        await (room.take_back(seat) if kind == TAKEBACK else room.replace(seat))

    def moved_on(self) -> None:
        """A move was played: what was asked before makes no sense any more."""
        self.asks.clear()
        self._agreed.clear()

    def came_back(self, seat: int) -> None:
        """Nobody has to be replaced who is here."""
        if any(ask["kind"] == REPLACE and ask["seat"] == seat + 1 for ask in self.asks):
            self._withdraw(REPLACE)
            self._tell()

    def _withdraw(self, kind: str) -> None:
        self.asks = [ask for ask in self.asks if ask["kind"] != kind]

    def _tell(self) -> None:
        self._room.broadcast(lambda language, owned: {"type": "ask", "asks": self.asks})
