"""Requests that need the consent of other players: a takeback, a bot for an absent player, and hints in this game."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tilewright.server.errors import Forbidden, RequestError

if TYPE_CHECKING:
    from tilewright.server.room import Room

TAKEBACK, REPLACE, HINTS = "takeback", "replace", "hints"


@dataclass(frozen=True)
class Proposal:
    """What somebody asks of the other players, and the seats that have agreed to it."""

    kind: str
    by: int
    seat: int
    """The seat whose move would be taken back, where a bot would play, or that asks for hints."""
    agreed: frozenset[int]

    def described(self) -> dict[str, Any]:
        """As viewers read it."""
        return {"kind": self.kind, "by": self.by + 1, "seat": self.seat + 1}

    def shared(self) -> dict[str, Any]:
        """As other processes hear of it."""
        return {"by": self.by, "seat": self.seat, "agreed": sorted(self.agreed)}


class Consent:
    """The open proposals at a table, at most one of each kind.

    A takeback changes what the others have seen, so every person at the table must agree, and it waits for those who
    are away, and so do hints. Whether a bot replaces an absent player is for those present to decide. A proposal stays
    open until what it asks for is on disk.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._open: dict[str, Proposal] = {}
        self._settling: set[str] = set()
        """The kinds of proposals that are waiting for the disk."""

    def described(self) -> list[dict[str, Any]]:
        """The open proposals as viewers read them."""
        return [proposal.described() for proposal in self._open.values()]

    async def propose(self, kind: str, seats: list[int], seat: int | None = None) -> None:
        """Ask the others, on behalf of the holder of ``seats``; a replacement concerns another ``seat``."""
        if not seats:
            raise Forbidden("players_only")
        if self._room.table.position.is_over:
            raise Forbidden("game_over")
        if kind == HINTS:
            if self._room.table.stored.is_contest:
                raise Forbidden("no_hints")
            seat = seats[0]
        elif seat is None:
            seat = self._room.table.seat_to_take_back(seats)
        elif not self._room.is_replaceable(seat):
            raise Forbidden("not_away")
        await self._update(Proposal(kind, seats[0], seat, frozenset(seats)))

    async def answer(self, kind: str, seats: list[int], yes: bool) -> None:
        """Agree to a proposal, or turn it down."""
        proposal = self._open.get(kind)
        if not seats or proposal is None:
            raise Forbidden("nobody_asked")
        if not yes:
            self.withdraw(kind)
            self._tell(kind)
            self._room.broadcast_state()
            return
        await self._update(replace(proposal, agreed=proposal.agreed | set(seats)))

    async def _update(self, proposal: Proposal) -> None:
        """Open or change a proposal and settle it if possible; if that fails, it is as before.

        A proposal that was closed meanwhile, because somebody played a move, is not opened again.
        """
        before = self._open.get(proposal.kind)
        self._open[proposal.kind] = proposal
        try:
            await self.settle(proposal.kind)
        except Exception:
            if self._open.get(proposal.kind) is proposal:
                self.withdraw(proposal.kind)
                self._open |= {before.kind: before} if before else {}
            raise
        if proposal.kind in self._open:
            self._tell(proposal.kind)

    async def settle(self, kind: str) -> None:
        """Do what was proposed if everybody who has a say has agreed."""
        proposal = self._open.get(kind)
        if proposal is None or kind in self._settling:
            return
        if not self._is_agreed(proposal):
            self._broadcast()
            return
        self._settling.add(kind)
        try:
            await self._do(proposal)
        finally:
            self._settling.discard(kind)

    async def _do(self, proposal: Proposal) -> None:
        if proposal.kind == TAKEBACK:
            await self._room.playing.take_back(proposal.seat)
        elif proposal.kind == REPLACE:
            await self._room.seating.replace(proposal.seat)
        else:
            await self._room.playing.allow_hints()

    def _is_agreed(self, proposal: Proposal) -> bool:
        room = self._room
        voters = {
            TAKEBACK: room.table.people,
            REPLACE: room.table.people & room.present(),
            HINTS: room.table.holders,
        }[proposal.kind]
        return bool(room.present()) and not voters - {proposal.seat} - proposal.agreed

    def withdraw(self, kind: str) -> None:
        """Close a proposal: it was turned down, or what it asked for has happened."""
        self._open.pop(kind, None)

    def withdraw_all(self) -> None:
        """A move was played, so that earlier proposals no longer make sense."""
        self._open.clear()

    def withdraw_replacement(self, seat: int) -> None:
        """Nobody need replace the player in a seat: they are here, or a bot plays already."""
        if REPLACE in self._open and self._open[REPLACE].seat == seat:
            self.withdraw(REPLACE)

    def came_back(self, seat: int) -> None:
        """The player in a seat is here again."""
        before = len(self._open)
        self.withdraw_replacement(seat)
        if len(self._open) < before:
            self._broadcast()

    def _tell(self, kind: str) -> None:
        """Tell the other processes of a proposal, or that it is closed."""
        proposal = self._open.get(kind)
        self._room.sharing.tell_proposal(kind, proposal.shared() if proposal else None)

    def tell_all(self) -> None:
        """Tell a process that has just opened the table."""
        for kind in self._open:
            self._tell(kind)

    def hear(self, kind: str, content: dict[str, Any] | None) -> None:
        """Another process says what is proposed there; whoever has agreed here is not asked again."""
        if content is None:
            self.withdraw(kind)
            self._broadcast()
            return
        known, agreed = self._open.get(kind), frozenset(content["agreed"])
        if known is not None and (known.by, known.seat) == (content["by"], content["seat"]):
            agreed |= known.agreed
        self._open[kind] = Proposal(kind, content["by"], content["seat"], agreed)
        self._room.in_background(self.settle_if_possible(kind))

    async def settle_if_possible(self, kind: str) -> None:
        """Settle a proposal that nobody here waits for; another process may have done so a moment ago."""
        with contextlib.suppress(RequestError):
            await self.settle(kind)

    def _broadcast(self) -> None:
        self._room.broadcast(lambda language, owned: {"type": "ask", "asks": self.described()})
