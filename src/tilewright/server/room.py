"""A live table: who is connected, whose turn it is, and what everybody sees of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import GameFault
from tilewright.server import messages
from tilewright.server.audience import Audience
from tilewright.server.catching_up import CatchingUp
from tilewright.server.changes import Changes
from tilewright.server.chat import Chat
from tilewright.server.clock import Clock
from tilewright.server.coach import Coach
from tilewright.server.consent import REPLACE, Consent
from tilewright.server.errors import error_body, error_body_of_code
from tilewright.server.evaluation_bar import EvaluationBar
from tilewright.server.fair_slots import Owner
from tilewright.server.hints import Hints
from tilewright.server.move_message import MoveMessage, Told
from tilewright.server.playing import Playing
from tilewright.server.presence import Announcement, Presence
from tilewright.server.push.notices import forget_notices, has_notices
from tilewright.server.seating import Seating
from tilewright.server.sharing import Sharing
from tilewright.server.table import PlayedMove, Table
from tilewright.server.thinking import Thinking
from tilewright.server.viewer import Viewer
from tilewright.server.writing import Writing

if TYPE_CHECKING:
    from tilewright.server.rooms import Rooms

logger = logging.getLogger("tilewright.server")

RETRY_AFTER = 2.0
"""Seconds after which a failed bot's move, or another background job, is tried again."""


class Room:
    """A table and everybody around it."""

    def __init__(self, rooms: Rooms, table: Table, clock: Clock | None) -> None:
        self.rooms = rooms
        self.table = table
        self.clock = clock
        self.coach = Coach()
        self.hints = Hints(self)
        self.evaluation_bar = EvaluationBar(self)
        self.consent = Consent(self)
        self.chat = Chat(self)
        self.writing = Writing(self)
        self.lock = asyncio.Lock()
        """Held from the moment a change is computed until it is visible or has failed."""
        self.presence = Presence(table.game.players)
        self._presence_news = Announcement(self.broadcast_presence)
        self._known_presence: Any = None
        self.audience = Audience(self.presence.viewers)
        self.sharing = Sharing(self)
        self.catching_up = CatchingUp(self)
        self.changes = Changes(self)
        self.playing = Playing(self)
        self.seating = Seating(self)
        self.thinking = Thinking(self)
        self.used = time.monotonic()
        self.is_closed = False
        """Whether the table is no longer open here: whoever asks for it gets another room."""
        self._changed = asyncio.Condition()
        self._flag: asyncio.Handle | None = None

    @property
    def viewers(self) -> set[Viewer]:
        """Everybody who is connected."""
        return self.presence.viewers

    def broadcast(
        self, make: Callable[[str, list[int]], dict[str, Any]], viewers: Iterable[Viewer] | None = None
    ) -> None:
        """Send a message to viewers, to all by default, each in their language and with what their seats may know."""

        def written(language: str, owned: list[int]) -> str:
            return json.dumps(make(language, owned), separators=(",", ":"))

        self._send_to_each(written, self.viewers if viewers is None else viewers)

    def _send_to_each(self, write: Callable[[str, list[int]], str], viewers: Iterable[Viewer]) -> None:
        """Send what is written once for each language and each choice of seats among the viewers."""
        made: dict[tuple[str, tuple[int, ...]], str] = {}
        for viewer in list(viewers):
            owned = self.table.held_by(viewer.held)
            kind = (viewer.language, tuple(owned))
            if kind not in made:
                made[kind] = write(viewer.language, owned)
            viewer.send(made[kind])

    def state(self, language: str, owned: list[int], after: int | None = None) -> dict[str, Any]:
        """Everything about the moment, for the holder of these seats, who may have seen the events up to ``after``."""
        seats = self.table.played_among(owned)
        return {
            **messages.table_state(self.table, seats, language, after),
            "coach": self.coach.described(self.table, seats, language),
            "hints": self.hints.offer_to(seats),
            "evaluation": self.evaluation_bar.offer_to(seats),
            "asks": self.consent.described(),
            "writing": self.writing.is_open_to(owned),
            "thinking": self.thinking.seat + 1 if self.thinking.seat is not None else None,
            "clock": self.clock.reading(self.table.position.turn) if self.clock else None,
        }

    def broadcast_state(self) -> None:
        """Send the whole state to everybody."""
        self.broadcast(lambda language, owned: {"type": "state", "state": self.state(language, owned)})

    def seats(self, language: str, owned: list[int]) -> list[dict[str, Any]]:
        """Who sits where, who is present, and who may be replaced by a bot, for the holder of the seats ``owned``."""
        replaceable = {seat for seat in range(self.table.game.players) if self.is_replaceable(seat)}
        return messages.seats_of(self.table, owned, self.present(), replaceable, self.on_vacation(), language)

    def on_vacation(self) -> dict[int, float]:
        """The seats whose holder is on vacation, and until when."""
        vacations = self.clock.vacations if self.clock else ()
        return {seat: until for seat, until in enumerate(vacations) if until > time.time()}

    def is_replaceable(self, seat: int) -> bool:
        """Whether a player has been away so long that a bot may play on; never in a correspondence game."""
        if self.table.stored.days is not None:
            return False
        away = self.presence.away_for(self.table, seat) > self.rooms.settings.absent
        return away and seat in self.table.people and not self.table.position.is_over

    def present(self) -> set[int]:
        """Seats whose holder is connected."""
        return self.presence.seats(self.table)

    def broadcast_presence(self) -> None:
        """Tell everybody who is present, and again as soon as an absent player may be replaced."""
        self.sharing.tell_presence()
        self._tell_presence(self.viewers)
        soon = self.presence.next_long_absence(self.table, self.rooms.settings.absent)
        if soon is not None and self.viewers:
            self._presence_news.request(soon + 0.1)

    def _tell_presence(self, viewers: Iterable[Viewer]) -> None:
        """Tell these viewers who is present, if they do not know it yet."""
        replaceable = frozenset(seat for seat in range(self.table.game.players) if self.is_replaceable(seat))
        presence = (self.present(), replaceable, self.on_vacation(), self.table.stored.seats)
        if presence != self._known_presence:
            self._known_presence = presence
        unaware = [viewer for viewer in viewers if viewer.told_presence is not self._known_presence]
        for viewer in unaware:
            viewer.told_presence = self._known_presence
        self.broadcast(lambda language, owned: {"type": "presence", "seats": self.seats(language, owned)}, unaware)

    def enter(self, viewer: Viewer) -> None:
        """Somebody connects and gets the whole state, since not every change has an event number."""
        owned = self.table.owned_by(viewer.key)
        viewer.send(json.dumps({"type": "state", "state": self.state(viewer.language, owned, viewer.after)}))
        if self.table.stored.rematch:
            viewer.send(json.dumps({"type": "rematch", "url": f"/t/{self.table.stored.rematch}"}))
        self.presence.enter(viewer)
        for seat in owned:
            self.consent.came_back(seat)
        if owned and viewer.held:
            self.in_background(self._read_notices(viewer.held))
        self._tell_presence([viewer])
        self._presence_news.request()
        self.sharing.tell_presence()
        self.advance()

    async def _read_notices(self, key_hash: str) -> None:
        """Somebody who was notified of their turn is here."""
        table_id = self.table.id
        if await self.rooms.read(lambda store: has_notices(store, table_id, key_hash)):
            await self.rooms.write(lambda store: forget_notices(store, table_id, key_hash))

    def leave(self, viewer: Viewer) -> None:
        """A connection has ended."""
        self.presence.leave(viewer)
        self.used = time.monotonic()
        self.note_activity(viewer.key)
        self._presence_news.request()
        self.sharing.tell_presence()
        self.in_background(self.consent.settle(REPLACE))  # somebody who has left has no say in that

    def note_request(self, key: str | None, owner: Owner) -> None:
        """Somebody who does not watch sends a request: they are here now, and wait for what happens next."""
        self.note_activity(key)
        was_there = self.audience.is_there
        self.audience.ask(owner)
        if not was_there:
            self.advance()

    def note_activity(self, key: str | None) -> None:
        """The holder of a key is here now, if only to send a request."""
        self.presence.note_activity(self.table, key)
        if seats := self.table.owned_by(key):
            self.sharing.tell_seen(seats)

    def note_presence(self) -> None:
        """Somebody has come to another process, or left it."""
        for seat in self.present():
            self.consent.came_back(seat)
        self._presence_news.request()
        self.in_background(self.consent.settle_if_possible(REPLACE))

    async def wait_for_event(self, after: int, seconds: float) -> None:
        """Wait until there is an event after ``after``, at most for some seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.table.event > after or self.rooms.is_ending)

    async def wake(self) -> None:
        """Answer those who wait for an event: the server is about to end."""
        async with self._changed:
            self._changed.notify_all()

    async def show(self, table: Table, clock: Clock | None) -> None:
        """Let everybody see another table, which is on disk."""
        async with self._changed:
            self.thinking.cancel(table)
            self.table, self.clock = table, clock
            self._changed.notify_all()
        self.used = time.monotonic()
        if table.position.is_over:
            self.rooms.bots.release(table.id)
        self.evaluation_bar.refresh()

    def broadcast_rematch(self, before: Table, by: int | None = None) -> None:
        """Tell everybody where the players meet again, if that is new, and who asked for it, if that is known."""
        rematch = self.table.stored.rematch
        if rematch and rematch != before.stored.rematch:
            asked = {} if by is None else {"by": by + 1}
            self.broadcast(lambda language, owned: {"type": "rematch", "url": f"/t/{rematch}", **asked})

    def show_move(self, played: PlayedMove, told: Told | None = None) -> Told | None:
        """Tell viewers of a move, and return what they share of it; ``told`` if another process knows that already.

        The move is stored and stands, even if it cannot be shown: viewers get the error, and the game goes on.
        """
        try:
            if self.viewers:
                message = MoveMessage(self, played, told)
                self._send_to_each(message.to, self.viewers)
                return message.told
        except Exception as error:  # of a game or our own: to deny a move that is stored would be worse
            logger.error("%s", error, exc_info=error)
            fault = error
            self.broadcast(lambda language, owned: {"type": "error", **_fault_body(fault, language)})
        return None

    def advance(self) -> None:
        """Let a bot think if it is its turn; watch the clock if it is a person's."""
        turn = self.table.position.turn
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if turn is None or self.is_closed or self.table.waits_for_players:
            return
        if self.table.bot_of(turn):
            self.thinking.let_bots_play()
            return
        if self.audience.is_there and self.coach.starts_thinking(self.table, turn):
            self.in_background(self.thinking.advise())
        seconds = self.clock.seconds_to_flag(turn) if self.clock else None
        if seconds is not None:
            self._flag = asyncio.get_running_loop().call_later(seconds + 0.05, self._flag_falls, turn)

    @property
    def is_busy(self) -> bool:
        """Whether somebody watches, something is being stored, a bot is thinking or a clock is running."""
        return bool(self.viewers) or self.lock.locked() or self.is_running

    @property
    def is_running(self) -> bool:
        """Whether a bot is thinking or a clock is running."""
        return self._flag is not None or self.thinking.is_running

    def advance_later(self) -> None:
        """Try again after a failure."""
        asyncio.get_running_loop().call_later(RETRY_AFTER, self.advance)

    def _flag_falls(self, seat: int) -> None:
        self._flag = None
        self.in_background(self.seating.replace(seat, timed_out=True))

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.ensure_future(self._log_failure(work))
        self.rooms.background.add(task)
        task.add_done_callback(self.rooms.background.discard)

    async def _log_failure(self, work: Coroutine[Any, Any, None]) -> None:
        """Background work that fails is logged, and the table advances a little later."""
        try:
            await work
        except Exception:
            logger.exception("background work at a table failed")
            self.advance_later()


def _fault_body(error: Exception, language: str) -> dict[str, str]:
    return error_body(error, language) if isinstance(error, GameFault) else error_body_of_code("server_error", language)
