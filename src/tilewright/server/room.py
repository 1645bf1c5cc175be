"""A live table: who watches, whose turn it is, bots that think in the background."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tilewright.bots.bot import ask, without_dealer
from tilewright.bots.registry import make_bot
from tilewright.server import messages
from tilewright.server.clock import Clock
from tilewright.server.coach import Coach
from tilewright.server.consent import REPLACE, TAKEBACK, Consent
from tilewright.server.refusals import NotAllowed, Refusal
from tilewright.server.store import StoredSeat
from tilewright.server.table import Happened, Table
from tilewright.server.viewer import Viewer

if TYPE_CHECKING:
    from tilewright.server.rooms import Rooms

logger = logging.getLogger("tilewright.server")

SUBSTITUTE = "level3"
RETRY_AFTER = 2.0
"""Seconds until what could not be kept is tried again."""


class Room:
    """A table with everybody around it."""

    def __init__(self, rooms: Rooms, table: Table, clock: Clock | None) -> None:
        self.rooms = rooms
        self.table = table
        self.clock = clock
        self.coach = Coach(table)
        self.consent = Consent(self)
        self.lock = asyncio.Lock()
        self.viewers: set[Viewer] = set()
        self.thinking: int | None = None
        self._left = dict.fromkeys(range(table.game.players), time.monotonic())
        self._task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self.used = time.monotonic()

    # Telling --------------------------------------------------------------------------------------------

    def broadcast(self, make: Callable[[str, list[int]], dict[str, Any]]) -> None:
        """Tell everybody, each in the own language and with what the own seats may know."""
        made: dict[tuple[str, tuple[int, ...]], str] = {}
        for viewer in list(self.viewers):
            owned = self.table.owned_by(viewer.key)
            kind = (viewer.language, tuple(owned))
            if kind not in made:
                made[kind] = json.dumps(make(viewer.language, owned), separators=(",", ":"))
            viewer.tell(made[kind])

    def state(self, language: str, owned: list[int]) -> dict[str, Any]:
        """The whole moment, for who owns these seats."""
        seats = self.table.played_among(owned)
        return {
            **messages.table_state(self.table, seats, language),
            "coach": self.coach.says(seats, language),
            "asks": self.consent.asks,
            "thinking": self.thinking + 1 if self.thinking is not None else None,
            "clock": self.clock.reading(self.table.position.turn) if self.clock else None,
        }

    def tell_state(self) -> None:
        """Tell everybody the whole moment anew."""
        self.broadcast(lambda language, owned: {"type": "state", "state": self.state(language, owned)})

    def seats(self, language: str, owned: list[int]) -> list[dict[str, Any]]:
        """Who sits where, who is here, and who may be replaced by a bot; for who owns these seats."""
        present = self.present()
        names = self.table.names(language)
        described = []
        for number, seat in enumerate(self.table.stored.seats):
            by_bot = self.table.bot_of(number) is not None
            described.append(
                {
                    "seat": number + 1,
                    "name": names[number],
                    "kind": "bot" if by_bot else seat.kind,
                    "you": number in owned and not by_bot,
                    "present": by_bot or number in present,
                    "replaceable": self.is_replaceable(number),
                    "substitute": seat.substitute is not None,
                    "yours": number in owned,
                    "timed_out": seat.timed_out,
                }
            )
        return described

    def is_replaceable(self, seat: int) -> bool:
        """Whether somebody is away for so long that a bot may play on."""
        now = time.monotonic()
        away = now - self._left.get(seat, now) > self.rooms.settings.absent and seat not in self.present()
        return away and seat in self.table.people and not self.table.position.is_over

    def present(self) -> set[int]:
        """Seats whose holder is connected."""
        return {seat for viewer in self.viewers for seat in self.table.owned_by(viewer.key)}

    def tell_presence(self) -> None:
        """Tell everybody who is here."""
        self.broadcast(lambda language, owned: {"type": "presence", "seats": self.seats(language, owned)})

    def enter(self, viewer: Viewer) -> None:
        """Somebody connects, and is told the moment: much may have changed that no event's number tells of."""
        owned = self.table.owned_by(viewer.key)
        viewer.tell(json.dumps({"type": "state", "state": self.state(viewer.language, owned)}))
        if self.table.stored.rematch:
            viewer.tell(json.dumps({"type": "rematch", "url": f"/t/{self.table.stored.rematch}"}))
        self.viewers.add(viewer)
        for seat in owned:
            self._left.pop(seat, None)
            self.consent.came_back(seat)
        self.tell_presence()
        self._tell_presence_later()
        self.go_on()

    def leave(self, viewer: Viewer) -> None:
        """Somebody's connection ends."""
        self.viewers.discard(viewer)
        self.used = time.monotonic()
        present = self.present()
        for seat in self.table.owned_by(viewer.key):
            if seat not in present:
                self._left[seat] = time.monotonic()
        self.tell_presence()
        self._tell_presence_later()
        self._background(self.consent.settle(REPLACE))  # who has left has no say in that any more

    def heard_of(self, key: str | None) -> None:
        """A program asks or plays without a live connection: whoever does that is not away."""
        present = self.present()
        for seat in self.table.owned_by(key):
            if seat not in present:
                self._left[seat] = time.monotonic()

    def _tell_presence_later(self) -> None:
        """Who is away now may be replaced after a while: tell them then, too."""
        asyncio.get_running_loop().call_later(self.rooms.settings.absent + 0.1, self.tell_presence)

    # Playing --------------------------------------------------------------------------------------------

    async def play(self, key: str | None, move: int | str, after: int | None) -> int:
        """Play a move, to its end even if who sent it hangs up meanwhile. The number of the last event."""
        if not self.table.owned_by(key):
            raise NotAllowed("not_at_table")
        return await asyncio.shield(self._play(lambda: self.table.seats_of(key), move, after))

    async def _play(self, seats: Callable[[], list[int]], move: int | str, after: int | None) -> int:
        """On the disk first, then told to everybody. The seats are those that the mover has at that moment."""
        async with self.lock:
            table = self.table
            if table.has_played(seats(), move, after):
                return table.event
            happened = table.play(seats(), move, after)
            try:
                spent, at = await self._keep(happened.lines)
            except Exception:
                table.forget(happened)
                raise
            self.consent.moved_on()
            if self.clock:
                self.clock.went_on(happened.entry.seat or 0, spent, at)
            self.used = time.monotonic()
            self._tell_move(happened)
        self.go_on()
        return table.event

    async def _keep(self, lines: list[str], first: int | None = None) -> tuple[float, float]:
        """Keep lines, by default the last of the table: the seconds that were spent on them, and the time."""
        table = self.table
        at = time.time()
        spent = self.clock.elapsed(at) if self.clock else 0.0
        number = table.event - len(lines) + 1 if first is None else first
        result = table.result()
        await self.rooms.in_store(
            lambda store: store.add_events(
                table.id, number, lines, over=result is not None, at=at, spent=spent, result=result
            )
        )
        return spent, at

    def _tell_move(self, happened: Happened) -> None:
        table, turn = self.table, self.table.position.turn
        steps = messages.steps_of(table, happened) if self.viewers else []

        def event(language: str, owned: list[int]) -> dict[str, Any]:
            seats = table.played_among(owned)
            return {
                "type": "event",
                "event": table.event,
                "seat": (happened.entry.seat or 0) + 1,
                "text": happened.entry.texts[language],
                "number": happened.entry.number,
                "steps": steps,
                "turn": turn + 1 if turn is not None else None,
                "round": table.position.round,
                "phase": table.position.phase,
                "legal": messages.legal_numbers(table, seats),
                "prompt": messages.prompt_of(table, language),
                "scores": list(table.position.scores),
                "takeback": table.may_take_back(seats),
                "over": messages.outcome_of(table, language),
                "coach": self.coach.says(seats, language),
                "clock": self.clock.reading(turn) if self.clock else None,
            }

        self.broadcast(event)

    def go_on(self) -> None:
        """Let a bot think if it is its turn, and watch the clock if it is a person's."""
        turn = self.table.position.turn
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if turn is None or self.table.waits_for_players:
            return
        if self.table.bot_of(turn):
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._play_bots())
            return
        if self.coach.is_wanted(turn):
            self._background(self._advise())
        if self.clock and self.clock.started:
            delay = max(0.0, self.clock.left(turn, turn)) + 0.05
            self._flag = asyncio.get_running_loop().call_later(delay, self._time_is_up, turn)

    @property
    def is_running(self) -> bool:
        """Whether a bot thinks or a clock runs here."""
        return self._flag is not None or (self._task is not None and not self._task.done())

    async def _play_bots(self) -> None:
        """Bots move one after the other, each thinking in a thread of its own; a failure is tried again."""
        try:
            while (turn := self.table.position.turn) is not None and (bot := self.table.bot_of(turn)):
                if not self.viewers and not self._has_people():
                    return  # bots among themselves play only while somebody watches
                await self._play_bot(turn, bot)
        except Exception:
            logger.exception("a bot's move could not be played")
            asyncio.get_running_loop().call_later(RETRY_AFTER, self.go_on)
        finally:
            self.thinking = None

    async def _play_bot(self, turn: int, bot: str) -> None:
        begun, event = time.monotonic(), self.table.event
        self.thinking = turn
        self.broadcast(lambda language, owned: {"type": "thinking", "seat": turn + 1})
        move = await self._think(bot)
        if self.viewers:
            await asyncio.sleep(max(0.0, self.rooms.settings.thinking - (time.monotonic() - begun)))
        self.thinking = None
        try:
            await asyncio.shield(self._play(lambda: [turn] if self.table.bot_of(turn) else [], move, event))
        except Refusal:
            return  # the table has changed meanwhile, or the person is back: look again whose turn it is

    def _has_people(self) -> bool:
        return any(seat.kind != "bot" for seat in self.table.stored.seats)

    async def _think(self, name: str) -> int:
        """What a bot plays. A bot that fails is replaced for this move, so that the game goes on."""
        position = without_dealer(self.table.position)  # the table goes on meanwhile
        loop = asyncio.get_running_loop()
        try:
            return int(await loop.run_in_executor(self.rooms.thinkers, ask, make_bot(name), position))
        except Exception:
            logger.exception("a bot failed")
        return int(make_bot("random").choose(position))

    async def _advise(self) -> None:
        """Let the coach think what it would play, and tell the player whom it helps."""
        event = self.table.event
        position = self.table.position.copy()
        position.dealer = None
        await asyncio.get_running_loop().run_in_executor(self.rooms.thinkers, self.coach.think, position, event)
        if event == self.table.event:
            self.broadcast(
                lambda language, owned: {
                    "type": "coach",
                    "event": event,
                    "coach": self.coach.says(self.table.played_among(owned), language),
                }
            )

    def _time_is_up(self, seat: int) -> None:
        self._flag = None
        self._background(self.replace(seat, timed_out=True))

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(self._carefully(work))
        self.rooms.background.add(task)
        task.add_done_callback(self.rooms.background.discard)

    async def _carefully(self, work: Coroutine[Any, Any, None]) -> None:
        """What happens by itself and fails is written to the log, and the table goes on a little later."""
        try:
            await work
        except Exception:
            logger.exception("something at a table could not be done")
            asyncio.get_running_loop().call_later(RETRY_AFTER, self.go_on)

    async def take_back(self, seat: int) -> None:
        """Take back the last move of a seat and everything after it."""
        async with self.lock:
            table, turn = self.table, self.table.position.turn
            if turn is None:
                raise NotAllowed("game_over")
            line = table.takeback_line(seat)
            spent, at = await self._keep([line], table.event + 1)
            table.take_back(line)
            self.thinking = None
            if self.clock:
                self.clock.went_on(turn, spent, at, taken_back=True)
        self.tell_state()
        self.go_on()

    # Seats ----------------------------------------------------------------------------------------------

    async def sit(self, key: str, name: str, wanted: int | None) -> int:
        """Somebody takes a free seat."""
        async with self.lock:
            number, seat = self.table.seat_for(key, name, wanted)
            await self._keep_seat(number, seat)
            self._left[number] = time.monotonic()
        self._tell_seats()
        return number

    async def replace(self, number: int, *, timed_out: bool = False) -> None:
        """A bot plays on for somebody, unless that one has moved or come back at the last moment."""
        async with self.lock:
            if not (self._is_out_of_time(number) if timed_out else self.is_replaceable(number)):
                return
            seat = self.table.seat_with_substitute(number, SUBSTITUTE, timed_out=timed_out)
            await self._keep_seat(number, seat)
        self._tell_seats()
        await self.consent.settle(TAKEBACK)  # who is replaced has no say in that any more

    def _is_out_of_time(self, seat: int) -> bool:
        on_turn = self.table.position.turn == seat and seat in self.table.people
        return on_turn and self.clock is not None and self.clock.left(seat, seat) <= 0

    async def come_back(self, key: str | None) -> list[int]:
        """Somebody for whom a bot plays on takes over again: the seats."""
        async with self.lock:
            table = self.table
            seats = [seat for seat in table.owned_by(key) if table.bot_of(seat)]
            if not seats:
                raise NotAllowed("no_substitute")
            if table.position.is_over:
                raise NotAllowed("game_over")
            for number in seats:
                if self.clock and self.clock.left(number, table.position.turn) <= 0:
                    raise NotAllowed("clock_ran_out")
                await self._keep_seat(number, table.seat_taken_back(number))
            self.thinking = None
        self._tell_seats()
        return seats

    async def _keep_seat(self, number: int, seat: StoredSeat) -> None:
        """On the disk first."""
        await self.rooms.in_store(lambda store: store.change_seat(self.table.id, number, seat))
        self.table.stored.seats[number] = seat

    def _tell_seats(self) -> None:
        self.tell_presence()
        self.tell_state()
        self.go_on()
