"""A live table: who is connected, whose turn it is, and every change of either.

Every change is computed as a new table, written to disk, and only then made visible: see ``Room._commit``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.game.errors import GameFault
from tilewright.server import messages
from tilewright.server.audience import Audience
from tilewright.server.catching_up import CatchingUp
from tilewright.server.channel import CHANGED
from tilewright.server.clock import Clock
from tilewright.server.coach import Coach
from tilewright.server.consent import HINTS, REPLACE, TAKEBACK, Consent
from tilewright.server.database import Conflict
from tilewright.server.errors import Forbidden, error_body
from tilewright.server.evaluation import Evaluation
from tilewright.server.fair_slots import Owner
from tilewright.server.hints import Hints
from tilewright.server.log import LINES
from tilewright.server.presence import Announcement, Presence
from tilewright.server.sharing import Sharing
from tilewright.server.store import Store, StoredSeat
from tilewright.server.table import PlayedMove, Table
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import CONFLICTS, MOVE_SECONDS, MOVES
from tilewright.server.thinking import Thinking
from tilewright.server.viewer import Viewer
from tilewright.server.writer import Write
from tilewright.view.last_move import last_move

if TYPE_CHECKING:
    from tilewright.server.rooms import Rooms

logger = logging.getLogger("tilewright.server")
T = TypeVar("T")

SUBSTITUTE = "level4"
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
        self.evaluation = Evaluation(self)
        self.consent = Consent(self)
        self.lock = asyncio.Lock()
        """Held from the moment a change is computed until it is visible or has failed."""
        self.presence = Presence(table.game.players)
        self._presence_news = Announcement(self.broadcast_presence)
        self._known_presence: Any = None
        self.audience = Audience(self.presence.viewers)
        self.sharing = Sharing(self)
        self.catching_up = CatchingUp(self)
        self.thinking = Thinking(self)
        self.used = time.monotonic()
        self.is_closed = False
        """Whether the table is no longer open here: whoever asks for it gets another room."""
        self._changed = asyncio.Condition()
        self._flag: asyncio.TimerHandle | None = None

    @property
    def viewers(self) -> set[Viewer]:
        """Everybody who is connected."""
        return self.presence.viewers

    # Broadcasting ---------------------------------------------------------------------------------------

    def broadcast(
        self, make: Callable[[str, list[int]], dict[str, Any]], viewers: Iterable[Viewer] | None = None
    ) -> None:
        """Send a message to viewers, to all by default, each in their language and with what their seats may know."""
        made: dict[tuple[str, tuple[int, ...]], str] = {}
        for viewer in list(self.viewers if viewers is None else viewers):
            owned = self.table.owned_by(viewer.key)
            kind = (viewer.language, tuple(owned))
            if kind not in made:
                made[kind] = json.dumps(make(viewer.language, owned), separators=(",", ":"))
            viewer.send(made[kind])

    def state(self, language: str, owned: list[int], after: int | None = None) -> dict[str, Any]:
        """Everything about the moment, for the holder of these seats, who may have seen the events up to ``after``."""
        seats = self.table.played_among(owned)
        return {
            **messages.table_state(self.table, seats, language, after),
            "coach": self.coach.described(self.table, seats, language),
            "hints": self.hints.offer_to(seats),
            "evaluation": self.evaluation.offer_to(seats),
            "asks": self.consent.described(),
            "thinking": self.thinking.seat + 1 if self.thinking.seat is not None else None,
            "clock": self.clock.reading(self.table.position.turn) if self.clock else None,
        }

    def broadcast_state(self) -> None:
        """Send the whole state to everybody."""
        self.broadcast(lambda language, owned: {"type": "state", "state": self.state(language, owned)})

    def seats(self, language: str, owned: list[int]) -> list[dict[str, Any]]:
        """Who sits where, who is present, and who may be replaced by a bot, for the holder of the seats ``owned``."""
        replaceable = {seat for seat in range(self.table.game.players) if self.is_replaceable(seat)}
        return messages.seats_of(self.table, owned, self.present(), replaceable, language)

    def is_replaceable(self, seat: int) -> bool:
        """Whether a player has been away so long that a bot may play on."""
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
        """Tell those who is present who do not know it yet."""
        replaceable = frozenset(seat for seat in range(self.table.game.players) if self.is_replaceable(seat))
        presence = (self.present(), replaceable, self.table.stored.seats)
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
        self._tell_presence([viewer])
        self._presence_news.request()
        self.sharing.tell_presence()
        self.advance()

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

    # Changes --------------------------------------------------------------------------------------------

    async def _change(self, change: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Make a change once all earlier ones are made.

        If another process was faster, nothing has changed, and it is tried again at the table as it is then: the change
        may no longer be possible, or have been made already.
        """
        async with self.lock:
            while True:
                try:
                    return await change()
                except Conflict:
                    CONFLICTS.inc()
                    if not await self.catching_up.catch_up():
                        raise

    async def _commit(self, write: Write, table: Table, clock: Clock | None) -> None:
        """Wait for the disk, then let everybody see the new table. If the write fails, nothing has changed."""
        await self.rooms.write(write)
        self.rooms.channel.publish(table.id, CHANGED)
        await self.show(table, clock)

    async def show(self, table: Table, clock: Clock | None) -> None:
        """Let everybody see another table, which is on disk."""
        async with self._changed:
            self.thinking.cancel(table)
            self.table, self.clock = table, clock
            self._changed.notify_all()
        self.used = time.monotonic()
        if table.position.is_over:
            self.rooms.bots.release(table.id)
        self.evaluation.refresh()

    def broadcast_rematch(self, before: Table, by: int | None = None) -> None:
        """Tell everybody where the players meet again, if that is new, and who asked for it, if that is known."""
        rematch = self.table.stored.rematch
        if rematch and rematch != before.stored.rematch:
            asked = {} if by is None else {"by": by + 1}
            self.broadcast(lambda language, owned: {"type": "rematch", "url": f"/t/{rematch}", **asked})

    async def _commit_events(self, table: Table, turn: int, *, taken_back: bool = False) -> None:
        """Store the events that the new table has more than the current one, with the time spent on them."""
        first, at = self.table.event, time.time()
        spent = self.clock.elapsed(at) if self.clock else 0.0
        clock = self.clock.after_move(turn, spent, at, taken_back=taken_back) if self.clock else None
        result = table.result()
        await self._commit(
            lambda store: store.add_events(
                table.id,
                first + 1,
                table.lines[first:],
                seating=table.stored.seating,
                at=at,
                spent=spent,
                result=result,
            ),
            table,
            clock,
        )

    async def _commit_seats(self, seats: dict[int, StoredSeat]) -> None:
        before, table = self.table, self.table.with_seats(seats)
        known = {"seating": before.stored.seating, "event": before.event}
        await self._commit(lambda store: store.change_seats(table.id, seats, **known), table, self.clock)

    async def _commit_newcomer(self, number: int, seat: StoredSeat) -> None:
        """Store who took a seat and, if it was the last one, the first deal: both or neither."""
        before, table, at = self.table, self.table.with_seats({number: seat}).begun(), time.time()
        new = table.lines[before.event :]

        def write(store: Store) -> None:
            store.change_seats(table.id, {number: seat}, seating=before.stored.seating, event=before.event)
            store.add_events(table.id, before.event + 1, new, seating=table.stored.seating, at=at)

        await self._commit(write, table, self.clock)

    # Playing --------------------------------------------------------------------------------------------

    async def play(self, key: str | None, move: int | str, after: int | None) -> int:
        """Play a move, even if the connection is lost meanwhile; the number of the last event."""
        if not self.table.owned_by(key):
            raise Forbidden("not_at_table")
        with MOVE_SECONDS.time(), tracing.span("move"):
            return await asyncio.shield(self._play(lambda: self.table.seats_of(key), move, after))

    async def play_for_bot(self, seat: int, move: int, after: int) -> None:
        """Play a bot's move, unless the person it plays for is back."""
        await asyncio.shield(self._play(lambda: [seat] if self.table.bot_of(seat) else [], move, after))

    async def _play(self, seats: Callable[[], list[int]], move: int | str, after: int | None) -> int:
        """Play for the seats that the mover has once all earlier changes are made."""

        async def play() -> int:
            if not self.table.has_played(seats(), move, after):
                played = self.table.play(seats(), move, after)
                if self.viewers:
                    played.work_out()
                await self._commit_events(played.table, played.entry.seat)
                MOVES.labels("bot" if self.table.bot_of(played.entry.seat) else "person").inc()
                self.consent.withdraw_all()
                self.show_move(played)
            return self.table.event

        event = await self._change(play)
        self.advance()
        return event

    def show_move(self, played: PlayedMove) -> None:
        """The move stands, even if the game cannot show what it led to: everybody is told, and it goes on."""
        try:
            self._broadcast_move(played)
        except GameFault as error:
            logger.error("%s", error, exc_info=error)
            fault = error
            self.broadcast(lambda language, owned: {"type": "error", **error_body(fault, language)})

    def _broadcast_move(self, played: PlayedMove) -> None:
        table, turn = played.table, played.table.position.turn
        steps = messages.steps_of(played) if self.viewers else []
        last = last_move(played.before, played.effects, table.position) if self.viewers else None

        def event(language: str, owned: list[int]) -> dict[str, Any]:
            seats = table.played_among(owned)
            return {
                "type": "event",
                "event": table.event,
                "seat": played.entry.seat + 1,
                "line": {"number": played.entry.number, **LINES.of_move(played, language).described()},
                "steps": steps,
                "last": last,
                "turn": turn + 1 if turn is not None else None,
                "round": table.position.round,
                "phase": table.position.phase,
                "legal": messages.legal_numbers(table, seats),
                "prompt": messages.prompt_of(table, language),
                "scores": list(table.position.scores),
                "takeback": table.may_take_back(seats),
                "over": messages.outcome_of(table, language),
                "coach": self.coach.described(table, seats, language),
                "hints": self.hints.offer_to(seats),
                "evaluation": self.evaluation.offer_to(seats),
                "clock": self.clock.reading(turn) if self.clock else None,
            }

        self.broadcast(event)

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
        if self.clock and self.clock.since is not None:
            delay = max(0.0, self.clock.left(turn, turn)) + 0.05
            self._flag = asyncio.get_running_loop().call_later(delay, self._flag_falls, turn)

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
        self.in_background(self.replace(seat, timed_out=True))

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

    async def take_back(self, seat: int) -> None:
        """Take back the last move of a seat and everything after it."""
        await asyncio.shield(self._take_back(seat))

    async def _take_back(self, seat: int) -> None:
        move = self.table.last_move_of(seat)

        async def take_back() -> None:
            turn = self.table.position.turn
            if turn is None:
                raise Forbidden("game_over")
            if self.table.last_move_of(seat) != move:
                raise Forbidden("no_move_to_take_back")  # another process has taken it back, or played on
            await self._commit_events(self.table.take_back(seat), turn, taken_back=True)
            self.consent.withdraw(TAKEBACK)

        await self._change(take_back)
        self.broadcast_state()
        self.advance()

    async def remember_help(self, seat: int) -> None:
        """A player asks for a hint: that is part of the game, and everybody is told."""
        await asyncio.shield(self._remember_help(seat))

    async def _remember_help(self, seat: int) -> None:
        async def remember() -> None:
            if self.table.position.turn == seat and not self.table.is_helped:
                await self._commit_remark(self.table.with_help(seat))

        await self._make_remark(remember)

    async def remember_bar(self, seat: int) -> None:
        """A player looks at the evaluation bar: that is part of the game too, once."""
        await asyncio.shield(self._remember_bar(seat))

    async def _remember_bar(self, seat: int) -> None:
        async def remember() -> None:
            if not self.table.had_bar(seat) and not self.table.position.is_over:
                await self._commit_remark(self.table.with_bar(seat))

        await self._make_remark(remember)

    async def _make_remark(self, remark: Callable[[], Coroutine[Any, Any, None]]) -> None:
        before = self.table.event
        await self._change(remark)
        if self.table.event != before:
            self.broadcast_state()
            self.advance()

    async def allow_hints(self) -> None:
        """Everybody has agreed to hints in this game."""
        await asyncio.shield(self._allow_hints())

    async def _allow_hints(self) -> None:
        async def allow() -> None:
            if not self.table.allows_hints:
                await self._commit_remark(self.table.with_hints_allowed())
            self.consent.withdraw(HINTS)

        await self._change(allow)
        self.broadcast_state()
        self.advance()

    async def _commit_remark(self, table: Table) -> None:
        """Store the last line of a table, which changes nothing on it and takes no time off a clock."""
        remark, known = table.lines[-1:], table.stored.seating
        await self._commit(
            lambda store: store.add_events(table.id, table.event, remark, seating=known), table, self.clock
        )

    # Seats ----------------------------------------------------------------------------------------------

    async def sit(self, key: str, name: str, wanted: int | None) -> int:
        """Somebody takes a free seat; its number."""
        return await asyncio.shield(self._sit(key, name, wanted))

    async def _sit(self, key: str, name: str, wanted: int | None) -> int:
        async def sit() -> int:
            number, seat = self.table.seat_for(key, name, wanted)
            await self._commit_newcomer(number, seat)
            self.note_activity(key)
            return number

        number = await self._change(sit)
        self._broadcast_seats()
        return number

    async def replace(self, number: int, *, timed_out: bool = False) -> None:
        """A bot plays on for somebody, unless they have moved or come back at the last moment."""
        await asyncio.shield(self._replace(number, timed_out))

    async def _replace(self, number: int, timed_out: bool) -> None:
        async def replace() -> bool:
            replaceable = self._is_out_of_time(number) if timed_out else self.is_replaceable(number)
            if replaceable:
                seat = self.table.seat_with_substitute(number, SUBSTITUTE, timed_out=timed_out)
                await self._commit_seats({number: seat})
            self.consent.withdraw_replacement(number)
            return replaceable

        if await self._change(replace):
            self._broadcast_seats()
            await self.consent.settle(TAKEBACK)  # somebody who is replaced has no say in that

    def _is_out_of_time(self, seat: int) -> bool:
        on_turn = self.table.position.turn == seat and seat in self.table.people
        return on_turn and self.clock is not None and self.clock.left(seat, seat) <= 0

    async def come_back(self, key: str | None) -> list[int]:
        """Somebody takes their seats back from the bot; the seats."""
        return await asyncio.shield(self._come_back(key))

    async def _come_back(self, key: str | None) -> list[int]:
        async def come_back() -> list[int]:
            table = self.table
            seats = [seat for seat in table.owned_by(key) if table.bot_of(seat)]
            if not seats:
                raise Forbidden("no_substitute")
            if table.position.is_over:
                raise Forbidden("game_over")
            if self.clock and any(self.clock.left(seat, table.position.turn) <= 0 for seat in seats):
                raise Forbidden("clock_ran_out")
            await self._commit_seats({seat: table.seat_taken_back(seat) for seat in seats})
            return seats

        seats = await self._change(come_back)
        self._broadcast_seats()
        return seats

    async def give_up_seats(self, key: str | None) -> list[int]:
        """Somebody leaves for good; the seats they had."""
        return await asyncio.shield(self._give_up_seats(key))

    async def _give_up_seats(self, key: str | None) -> list[int]:
        async def give_up() -> list[int]:
            owned = self.table.owned_by(key)
            if not owned:
                raise Forbidden("not_at_table")
            await self._commit_seats(self.table.seats_given_up(owned, SUBSTITUTE))
            self.consent.withdraw_all()
            return owned

        owned = await self._change(give_up)
        self._broadcast_seats()
        return owned

    def _broadcast_seats(self) -> None:
        self.broadcast_presence()
        self.broadcast_state()
        self.advance()

    async def rematch(self, key: str | None) -> str:
        """The table where the players of this finished game meet again, opened by whoever asks first."""
        owned = self.table.owned_by(key)
        if not owned:
            raise Forbidden("rematch_players_only")
        if not self.table.position.is_over:
            raise Forbidden("game_goes_on")
        return await asyncio.shield(self._rematch(owned[0]))

    async def _rematch(self, by: int) -> str:
        async def rematch() -> str:
            before = self.table
            if before.stored.rematch is not None:
                return before.stored.rematch
            room = await self.rooms.create(before.for_rematch(), rematch_of=before.id)
            self.rooms.channel.publish(before.id, CHANGED)
            self.table = before.with_rematch(room.table.id)
            self.broadcast_rematch(before, by)
            return room.table.id

        return await self._change(rematch)
