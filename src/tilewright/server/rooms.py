"""Live tables: who watches, whose turn it is, bots that think in the background, and consent among players."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tilewright.bots.registry import make_bot
from tilewright.server import messages
from tilewright.server.clock import Clock
from tilewright.server.coach import Coach
from tilewright.server.store import Store, StoredTable
from tilewright.server.table import NotAllowed, Table

T = TypeVar("T")
logger = logging.getLogger("tilewright.server")

QUEUE_LENGTH = 200
PLEASANT_THINKING = 0.7
"""Seconds that a bot takes at least, so that people can follow."""
ABSENT_AFTER = 45.0
"""Seconds after which the others may ask a bot to play on for somebody who is away."""
SUBSTITUTE = "playouts"
RETRY_AFTER = 2.0
"""Seconds until a bot's move that could not be kept is tried again."""
MOST_TOGETHER = 64
"""So many things at most share one wait for the disk."""


class Viewer:
    """One connection. Slow ones are cut off when their queue is full; they resume where they were."""

    def __init__(self, key: str | None, language: str) -> None:
        self.key = key
        self.language = language
        self.queue: asyncio.Queue[str] = asyncio.Queue(QUEUE_LENGTH)
        self.gone = asyncio.Event()

    def tell(self, message: str) -> None:
        """Queue a message."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.hang_up()

    def hang_up(self) -> None:
        """End the connection, whatever is still queued."""
        self.gone.set()


class Room:
    """A table with everybody around it."""

    def __init__(self, rooms: Rooms, table: Table, clock: Clock | None) -> None:
        self.rooms = rooms
        self.table = table
        self.clock = clock
        self.coach = Coach(table)
        self.lock = asyncio.Lock()
        self.viewers: set[Viewer] = set()
        self.asks: list[dict[str, Any]] = []
        self.thinking: int | None = None
        self._agreed: dict[str, set[int]] = {}
        self._left = dict.fromkeys(range(table.game.players), time.monotonic())
        self._task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self.used = time.monotonic()

    # Telling --------------------------------------------------------------------------------------------

    def broadcast(self, make: Callable[[str, list[int]], dict[str, Any]]) -> None:
        """Tell everybody, each in the own language and with what the own seats may know."""
        made: dict[tuple[str, tuple[int, ...]], str] = {}
        for viewer in list(self.viewers):
            seats = self.table.seats_of(viewer.key)
            kind = (viewer.language, tuple(seats))
            if kind not in made:
                made[kind] = json.dumps(make(viewer.language, seats), separators=(",", ":"))
            viewer.tell(made[kind])

    def state(self, language: str, seats: list[int]) -> dict[str, Any]:
        """The whole moment."""
        return {
            **messages.table_state(self.table, seats, language),
            "coach": self.coach.says(seats, language),
            "asks": self.asks,
            "thinking": self.thinking + 1 if self.thinking is not None else None,
            "clock": self.clock.reading(self.table.position.turn) if self.clock else None,
        }

    def tell_state(self) -> None:
        """Tell everybody the whole moment anew."""
        self.broadcast(lambda language, seats: {"type": "state", "state": self.state(language, seats)})

    def seats(self, key_seats: list[int]) -> list[dict[str, Any]]:
        """Who sits where, who is here, and who may be replaced by a bot."""
        present = self.present()
        now = time.monotonic()
        described = []
        for number, seat in enumerate(self.table.stored.seats):
            away = now - self._left.get(number, now) > ABSENT_AFTER and number not in present
            described.append(
                {
                    "seat": number + 1,
                    "name": seat.name,
                    "kind": seat.kind,
                    "you": number in key_seats,
                    "present": seat.kind == "bot" or number in present,
                    "replaceable": seat.kind == "human" and away and not self.table.position.is_over,
                }
            )
        return described

    def present(self) -> set[int]:
        """Seats whose holder is connected."""
        return {seat for viewer in self.viewers for seat in self.table.seats_of(viewer.key)}

    def tell_presence(self) -> None:
        """Tell everybody who is here."""
        self.broadcast(lambda language, seats: {"type": "presence", "seats": self.seats(seats)})

    def enter(self, viewer: Viewer) -> None:
        """Somebody connects."""
        self.viewers.add(viewer)
        for seat in self.table.seats_of(viewer.key):
            self._left.pop(seat, None)
            back = [ask for ask in self.asks if ask["kind"] == "replace" and ask["seat"] == seat + 1]
            if back:
                self.asks = [ask for ask in self.asks if ask not in back]
                self.broadcast(lambda language, seats: {"type": "ask", "asks": self.asks})
        self.tell_presence()
        self._tell_presence_later()
        self.go_on()

    def leave(self, viewer: Viewer) -> None:
        """Somebody's connection ends."""
        self.viewers.discard(viewer)
        self.used = time.monotonic()
        present = self.present()
        for seat in self.table.seats_of(viewer.key):
            if seat not in present:
                self._left[seat] = time.monotonic()
        self.tell_presence()
        self._tell_presence_later()
        for ask in list(self.asks):  # who has left has no say any more
            self._background(self._settle(ask["kind"], ask["seat"] - 1))

    def _tell_presence_later(self) -> None:
        """Who is away now may be replaced after a while: tell them then, too."""
        asyncio.get_running_loop().call_later(ABSENT_AFTER + 0.1, self.tell_presence)

    # Playing --------------------------------------------------------------------------------------------

    async def play(self, seats: list[int], move: int | str, after: int | None) -> int:
        """Play a move, to its end even if who sent it hangs up meanwhile. The number of the last event."""
        return await asyncio.shield(self._play(seats, move, after))

    async def _play(self, seats: list[int], move: int | str, after: int | None) -> int:
        """On the disk first, then told to everybody."""
        async with self.lock:
            table = self.table
            happened = table.play(seats, move, after)
            first = table.event - len(happened.lines) + 1
            try:
                await self.rooms.in_store(
                    lambda store: store.add_events(table.id, first, happened.lines, over=table.position.is_over)
                )
            except Exception:
                table.forget(happened)
                raise
            self.asks.clear()
            self._agreed.clear()
            if self.clock:
                self.clock.moved(happened.entry.seat or 0)
            self.used = time.monotonic()
            steps = messages.steps_of(table, happened) if self.viewers else []
            turn = table.position.turn
            self.broadcast(
                lambda language, viewer_seats: {
                    "type": "event",
                    "event": table.event,
                    "seat": (happened.entry.seat or 0) + 1,
                    "text": happened.entry.texts[language],
                    "number": happened.entry.number,
                    "steps": steps,
                    "turn": turn + 1 if turn is not None else None,
                    "round": table.position.round,
                    "phase": table.position.phase,
                    "legal": messages.legal_numbers(table, viewer_seats),
                    "prompt": messages.prompt_of(table, language),
                    "scores": list(table.position.scores),
                    "over": messages.outcome_of(table, language),
                    "coach": self.coach.says(viewer_seats, language),
                    "clock": self.clock.reading(turn) if self.clock else None,
                }
            )
        self.go_on()
        return table.event

    def go_on(self) -> None:
        """Let a bot think if it is its turn, and watch the clock if it is a person's."""
        turn = self.table.position.turn
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if turn is None or self.table.waits_for_players:
            return
        if self.table.stored.seats[turn].kind == "bot":
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
            await self._play_bots_until_a_person()
        except Exception:
            logger.exception("a bot's move could not be played")
            asyncio.get_running_loop().call_later(RETRY_AFTER, self.go_on)
        finally:
            self.thinking = None

    async def _play_bots_until_a_person(self) -> None:
        while (turn := self.table.position.turn) is not None and self.table.stored.seats[turn].kind == "bot":
            if not self.viewers and not self._has_people():
                return  # bots among themselves play only while somebody watches
            begun, event = time.monotonic(), self.table.event
            self.thinking = turn
            told = {"type": "thinking", "seat": turn + 1}
            self.broadcast(lambda language, seats, told=told: told)  # type: ignore[misc]
            move = await self._think(turn)
            if self.viewers:
                await asyncio.sleep(max(0.0, PLEASANT_THINKING - (time.monotonic() - begun)))
            self.thinking = None
            if event == self.table.event:  # else the table changed meanwhile: think again
                await self.play([turn], move, event)

    def _has_people(self) -> bool:
        return any(seat.kind != "bot" for seat in self.table.stored.seats)

    async def _think(self, seat: int) -> int:
        """What a bot plays. A bot that fails is replaced for this move, so that the game goes on."""
        position = self.table.position.copy()
        position.dealer = None  # a bot cannot see a coming draw
        loop = asyncio.get_running_loop()
        try:
            bot = make_bot(self.table.stored.seats[seat].bot or SUBSTITUTE)
            move = await loop.run_in_executor(self.rooms.thinkers, bot.choose, position)
            if move in self.table.position.legal_moves:
                return int(move)
            logger.error("a bot chose an illegal move")
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
                lambda language, seats: {"type": "coach", "event": event, "coach": self.coach.says(seats, language)}
            )

    def _time_is_up(self, seat: int) -> None:
        self._flag = None
        if self.table.position.turn == seat and self.clock and self.clock.left(seat, seat) <= 0:
            self._background(self._replace(seat))

    def _background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.rooms.background.add(task)
        task.add_done_callback(self.rooms.background.discard)

    # Consent --------------------------------------------------------------------------------------------

    def _others(self, seats: list[int]) -> set[int]:
        """Seats of other people who are here and so have a say."""
        people = {n for n, seat in enumerate(self.table.stored.seats) if seat.kind == "human"}
        return (people & self.present()) - set(seats)

    async def ask(self, kind: str, seats: list[int], seat: int | None = None) -> None:
        """Ask the others for a takeback, or to let a bot play on for somebody who is away."""
        if not seats:
            raise NotAllowed("only players can ask that")
        if self.table.position.is_over:
            raise NotAllowed("the game is over")
        about = seats[0] if seat is None else seat
        if kind == "takeback":
            mine = [(self.table.last_move_of(s), s) for s in seats]
            recent = [(count, s) for count, s in mine if count is not None]
            if not recent:
                raise NotAllowed("there is no move to take back")
            about = min(recent)[1]
        elif not self.seats([])[about]["replaceable"]:
            raise NotAllowed("that player is not away for long enough")
        self.asks = [ask for ask in self.asks if ask["kind"] != kind]
        self.asks.append({"kind": kind, "by": seats[0] + 1, "seat": about + 1})
        self._agreed[kind] = set(seats)
        await self._settle(kind, about)

    async def answer(self, kind: str, seats: list[int], yes: bool) -> None:
        """Agree to what somebody asked, or not."""
        ask = next((ask for ask in self.asks if ask["kind"] == kind), None)
        if ask is None or not seats:
            raise NotAllowed("nobody asked that, or it was settled already")
        if not yes:
            self.asks.remove(ask)
            self.tell_state()
            return
        self._agreed[kind] |= set(seats)
        await self._settle(kind, ask["seat"] - 1)

    async def _settle(self, kind: str, about: int) -> None:
        if not any(ask["kind"] == kind for ask in self.asks):
            return  # settled, or withdrawn
        missing = self._others([about]) - self._agreed[kind]
        if missing or not self.present():
            self.broadcast(lambda language, seats: {"type": "ask", "asks": self.asks})
            return
        self.asks = [ask for ask in self.asks if ask["kind"] != kind]
        await (self._take_back(about) if kind == "takeback" else self._replace(about))

    async def _take_back(self, seat: int) -> None:
        async with self.lock:
            table = self.table
            if table.position.is_over:
                raise NotAllowed("the game is over")
            was_on_turn = table.position.turn
            line = table.take_back(seat)
            self.thinking = None
            if self.clock and was_on_turn is not None:
                self.clock.took_back(was_on_turn)
            await self.rooms.in_store(lambda store: store.add_events(table.id, table.event, [line], over=False))
        self.tell_state()
        self.go_on()

    async def _replace(self, seat: int) -> None:
        async with self.lock:
            table = self.table
            table.hand_to_bot(seat, SUBSTITUTE, table.names[seat])
            stored = table.stored.seats[seat]
            await self.rooms.in_store(lambda store: store.change_seat(table.id, seat, stored))
        self.tell_presence()
        self.tell_state()
        self.go_on()

    async def sit(self, key: str, name: str, seat: int | None) -> int:
        """Somebody takes a free seat."""
        async with self.lock:
            table = self.table
            taken = table.sit(key, name, seat)
            self._left[taken] = time.monotonic()
            stored = table.stored.seats[taken]
            await self.rooms.in_store(lambda store: store.change_seat(table.id, taken, stored))
        self.tell_presence()
        self.tell_state()
        self.go_on()
        return taken


class Rooms:
    """All live tables of this process, and the threads that write and think for them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.thinkers = ThreadPoolExecutor(2, thread_name_prefix="bot")
        self.background: set[asyncio.Task[Any]] = set()
        self._rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()
        self._wishes: list[tuple[Callable[[Store], Any], asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def in_store(self, work: Callable[[Store], T]) -> T:
        """Do something in the store, off the event loop. What was begun is done; it is on the disk when this returns.

        What is asked for while the disk is busy is done together afterwards, so that many tables share its waits.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wishes.append((work, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await asyncio.shield(done)

    async def _write(self) -> None:
        while wishes := self._wishes[:MOST_TOGETHER]:
            del self._wishes[:MOST_TOGETHER]
            works = [work for work, _ in wishes]
            try:
                given = await asyncio.get_running_loop().run_in_executor(self._writer, self._store.together, works)
            except Exception as error:
                given = [error] * len(wishes)
            for (_, done), result in zip(wishes, given, strict=True):
                if isinstance(result, Exception):
                    done.set_exception(result)
                else:
                    done.set_result(result)

    async def create(self, stored: StoredTable) -> Room:
        """Open a new table and deal."""
        table, lines = Table.new(stored)

        def keep(store: Store) -> None:
            store.add_table(stored)
            store.add_events(stored.id, 1, lines, over=False)

        async with self._opening:
            await self.in_store(keep)
            return self._open(table, [time.time()])

    def _open(self, table: Table, times: list[float]) -> Room:
        if table.id in self._rooms:
            return self._rooms[table.id]
        clock = Clock.of(table.stored, table.lines, times)
        if clock is not None:
            clock.resume()
        room = self._rooms[table.id] = Room(self, table, clock)
        room.go_on()
        return room

    async def get(self, table_id: str) -> Room | None:
        """A table, read from the store if it is not open."""
        room = self._rooms.get(table_id)
        if room is not None:
            room.used = time.monotonic()
            return room
        async with self._opening:
            if table_id in self._rooms:
                return self._rooms[table_id]
            stored = await self.in_store(lambda store: store.table(table_id))
            if stored is None:
                return None
            events = await self.in_store(lambda store: store.events(table_id))
            return self._open(Table(stored, [line for line, _ in events]), [at for _, at in events])

    def close_idle(self, idle: float = 600.0) -> None:
        """Forget tables that nobody looks at; they are read again when somebody comes back."""
        now = time.monotonic()
        for table_id, room in list(self._rooms.items()):
            busy = room.viewers or room.lock.locked() or room.is_running
            if not busy and now - room.used > idle:
                del self._rooms[table_id]

    def close(self) -> None:
        """Stop thinking and writing."""
        for room in self._rooms.values():
            for viewer in list(room.viewers):
                viewer.hang_up()
        self.thinkers.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._store.close()
