"""All open tables of this process, and the threads that read, write and think for them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from tilewright.game.errors import BadOption
from tilewright.game.registry import find_game
from tilewright.server.analyst import Analyst
from tilewright.server.bot_pool import BotPool
from tilewright.server.channel import CHANGED, Channel, Message
from tilewright.server.checking import replayed
from tilewright.server.child_bots import ChildBots
from tilewright.server.clock import Clock, begun, clock_of
from tilewright.server.damage import Damage
from tilewright.server.days import DAY
from tilewright.server.deadlines import keep_deadline
from tilewright.server.errors import GameDamaged, GameMissing
from tilewright.server.playable import check_playable
from tilewright.server.push.notices import keep_notices
from tilewright.server.room import Room
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import KeptSince, NewEvents, StoredEvent, StoredGame, StoredTable
from tilewright.server.table import Table
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.metrics import TABLES, database_time
from tilewright.server.warming import Warming
from tilewright.server.writer import Writer

T = TypeVar("T")

logger = logging.getLogger("tilewright.server")

MOST_ROOMS = 5_000
"""Tables that are open at once, at less than 20 kB each; more only if somebody waits at every one of them."""
_PRUNED_AT_ONCE = 50
"""Tables that are deleted in one transaction."""
_LOOKS = 8
"""How many tables are looked at, each time another is opened, for one to close."""


class Rooms:
    """The open tables. The others are in the store until somebody asks for them."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        most_rooms: int = MOST_ROOMS,
        channel: Channel | None = None,
        bots: BotPool | None = None,
    ) -> None:
        self._store = store
        self.channel = channel or Channel()
        self._writer = Writer(store)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._replayer = ThreadPoolExecutor(1, thread_name_prefix="replayer")
        self.settings = settings
        self.bots = ChildBots() if bots is None else bots
        self.warming = Warming()
        self.analyst = Analyst(self.warming, settings.review_budget)
        self.background: set[asyncio.Task[Any]] = set()
        self._most_rooms = most_rooms
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        """The one that was asked for least recently first."""
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self.hearers: dict[str, Callable[[Message], None]] = {}
        """Who hears messages that are not about an open table, by kind."""
        self.when_connected: list[Callable[[], None]] = []
        """What is done whenever this process begins to hear the others: what they said before is lost."""
        self.is_ending = False
        """Whether nobody should wait for anything here any more."""

    def listen(self) -> None:
        """Begin to hear what other processes do."""
        loop = asyncio.get_running_loop()
        self.channel.listen(
            lambda messages: loop.call_soon_threadsafe(self._hear_all, messages),
            lambda: loop.call_soon_threadsafe(self._catch_up_all),
        )

    def _hear_all(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._hear(message)

    def _hear(self, message: Message) -> None:
        if message.kind in self.hearers:
            self.hearers[message.kind](message)
            return
        room = self._rooms.get(message.table)
        if room is not None and message.kind == CHANGED:
            room.catching_up.request(message.content)
        elif room is not None:
            room.sharing.hear(message)

    def _catch_up_all(self) -> None:
        for room in self._rooms.values():
            room.catching_up.request()
        for act in self.when_connected:
            act()

    async def compare(self) -> None:
        """Find changes by other processes that no message announced, and tell them again who is here."""
        if not self._store.database.is_shared:
            return
        watched = [room for room in self._rooms.values() if room.is_busy or room.audience.is_there]
        versions = await self.read(lambda store: store.versions([room.table.id for room in watched]))
        for room in watched:
            room.sharing.tell_presence(again=True)
            if versions.get(room.table.id) != room.table.version:
                room.catching_up.request()

    def has_lost(self, error: Exception) -> bool:
        """Whether an error says that the database cannot be reached."""
        return isinstance(error, self._store.database.lost)

    async def read(self, read: Callable[[Store], T]) -> T:
        """Read from the store, off the event loop: only what is committed."""
        with database_time("read"), tracing.span("read"):
            try:
                return await asyncio.get_running_loop().run_in_executor(self._reader, read, self._store)
            except Damage as damage:
                raise _damaged(damage) from None

    async def write(self, write: Callable[[Store], T]) -> T:
        """Write to the store, off the event loop; it is on disk when this returns what the write returned."""
        with database_time("write"), tracing.span("write"):
            return await self._writer.write(write)

    async def add_events(self, events: NewEvents) -> None:
        """Store a move that needs nothing else to be written; it is on disk when this returns."""
        with database_time("write"), tracing.span("write"):
            await self._writer.add_events(events)

    async def create(self, stored: StoredTable, rematch_of: str | None = None, copied: Sequence[str] = ()) -> Room:
        """Open a new table, and deal if everybody is seated; a rematch is linked to the finished table.

        With the lines ``copied`` from another game, the last of which names it, it begins where they end.

        All of it is one transaction: no table is left without its first deal.
        """
        table = Table.new(stored, copied)
        await asyncio.to_thread(check_playable, table.game)
        now = time.time()
        events = [StoredEvent(number, line, now, 0.0) for number, line in enumerate(table.lines, start=1)]
        new = StoredGame(stored, events, 0.0, await self.away(stored))
        clock = begun(clock_of(table, new), table, now)

        def write(store: Store) -> None:
            store.add_table(stored)
            store.add_events(stored.id, 1, table.lines, at=now)
            keep_deadline(store, table, clock)
            if rematch_of is not None:
                store.set_rematch(rematch_of, stored.id)
                keep_notices(store, None, table, set())

        await self.write(write)
        return self._open(table, clock)

    async def away(self, stored: StoredTable) -> tuple[float, ...]:
        """For each seat until when its holder is on vacation, at a correspondence game; empty at other tables."""
        return () if stored.days is None else await self.read(lambda store: store.away(stored.seats))

    def _open(self, table: Table, clock: Clock | None) -> Room:
        if table.id not in self._rooms:
            self._rooms[table.id] = Room(self, table, clock)
            TABLES.inc()
            self._rooms[table.id].sharing.ask_who_is_there()
            self._rooms[table.id].advance()
            for seat in table.stored.seats:
                if seat.bot is not None:
                    self.bots.expect(seat.bot)
            self._close_surplus()
        return self._rooms[table.id]

    async def get(self, table_id: str) -> Room | None:
        """A table, read from the store if it is not open. Each is read once, however many ask for it at a time."""
        room = self._rooms.get(table_id)
        if room is not None and await self._is_still_there(room):
            room.used = time.monotonic()
            self._rooms.move_to_end(table_id)
            return room
        joined = table_id in self._loading
        if not joined:
            self._loading[table_id] = asyncio.create_task(self._load(table_id))
            self._loading[table_id].add_done_callback(lambda _: self._loading.pop(table_id))
        room = await asyncio.shield(self._loading[table_id])
        if joined and room is not None and not await self._is_still_there(room):  # it was read before this request came
            return None
        return room

    async def _is_still_there(self, room: Room) -> bool:
        """Whether an open table is still in the database; what other processes have done there is shown first."""
        if self._store.database.is_shared:
            version = await self.read(lambda store: store.version(room.table.id))
            if version != room.table.version:
                await room.catching_up.run()
        return not room.is_closed

    async def replay(self, game: StoredGame) -> tuple[Table, Clock | None]:
        """A table and its clock from what is stored, worked out off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._replayer, _replayed, game)

    async def _load(self, table_id: str) -> Room | None:
        """Read a table in one thread and replay its game in another, so that the lists of games need not wait."""
        found = await self.read(lambda store: store.game(table_id))
        if found is None:
            return None
        return self._open(*await self.replay(found))

    def close_idle(self, idle: float = 600.0) -> None:
        """Close tables that nobody looks at; they are read again when somebody comes back."""
        now = time.monotonic()
        for table_id, room in list(self._rooms.items()):
            if not room.is_busy and now - room.used > idle:
                self._close_room(table_id)

    def _close_surplus(self) -> None:
        """Close the tables that were asked for least recently if there are too many, but none where somebody waits."""
        oldest = islice(self._rooms, min(_LOOKS, len(self._rooms) - 1))
        for table_id in list(oldest):
            if len(self._rooms) <= self._most_rooms:
                return
            if self._rooms[table_id].is_busy or self._rooms[table_id].audience.is_there:
                self._rooms.move_to_end(table_id)
            else:
                self._close_room(table_id)

    def forget(self, room: Room) -> None:
        """Close a table that was deleted."""
        self._dismiss(room)
        if self._rooms.get(room.table.id) is room:
            self._close_room(room.table.id)

    def _close_room(self, table_id: str) -> None:
        self._rooms.pop(table_id).is_closed = True
        TABLES.dec()
        self.bots.release(table_id)

    async def prune(self) -> int:
        """Delete the games that the host no longer keeps, a few at a time so that moves need not wait; how many.

        A table that somebody has opened is spared, and deleted another day.
        """
        kept_since = _kept_since(self.settings)
        expired = await self._expired(kept_since)
        await self.write(lambda store: store.remove_reviews(kept_since.finished))
        removed: list[str] = []
        for first in range(0, len(expired), _PRUNED_AT_ONCE):
            batch = [name for name in expired[first : first + _PRUNED_AT_ONCE] if not self._is_open(name)]
            removed += await self._remove(batch, kept_since)
        for name in filter(self._rooms.__contains__, removed):  # it was opened at the last moment
            self._dismiss(self._rooms[name])
            self._close_room(name)
        return len(removed)

    async def _expired(self, kept_since: KeptSince) -> list[str]:
        found: list[str] = []
        last: str | None = ""
        while last is not None:
            some, last = await self.read(partial(Store.expired, kept_since=kept_since, after=last))
            found += some
        return found

    async def _remove(self, table_ids: Sequence[str], kept_since: KeptSince) -> list[str]:
        return await self.write(lambda store: store.remove_expired(table_ids, kept_since))

    async def forget_person(self, table_id: str, key_hash: str) -> bool:
        """Remove a person from a table, or delete it if nobody else sits there; whether it was deleted."""
        deleted = await self.write(lambda store: store.forget_person(table_id, key_hash))
        await self.show_changed([table_id])
        return deleted

    async def show_changed(self, table_ids: Sequence[str]) -> None:
        """Somebody has changed tables in the database: all processes that have them open read them again."""
        for table_id in table_ids:
            self.channel.publish(table_id, CHANGED)
            if (room := self._rooms.get(table_id)) is not None:
                await room.catching_up.run()

    def _is_open(self, table_id: str) -> bool:
        return table_id in self._rooms or table_id in self._loading

    def _dismiss(self, room: Room) -> None:
        for viewer in list(room.viewers):
            viewer.close()

    async def wake_all(self) -> None:
        """The server is about to end: whoever waits for an event gets an answer."""
        self.is_ending = True
        for room in list(self._rooms.values()):
            await room.wake()

    async def dismiss_gradually(self, seconds: float) -> None:
        """Close all live connections, spread over some seconds so that other servers can take their clients over."""
        viewers = [viewer for room in self._rooms.values() for viewer in room.viewers]
        begun = time.monotonic()
        for number, viewer in enumerate(viewers, start=1):
            viewer.close()
            await asyncio.sleep(max(0.0, begun + seconds * number / len(viewers) - time.monotonic()))

    def close(self) -> None:
        """Disconnect everybody, end all searches and finish the write in progress."""
        for room in self._rooms.values():
            self._dismiss(room)
            TABLES.dec()
        self.channel.close()
        self.bots.close()
        self.analyst.close()
        self._replayer.shutdown(wait=True, cancel_futures=True)
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._writer.close()
        self._store.close()


def _kept_since(settings: Settings) -> KeptSince:
    """What the settings say about the games that are kept; nothing is older than 1970."""
    now = time.time()
    days = (settings.keep_finished, settings.keep_abandoned)
    return KeptSince(*(now - kept * DAY if kept else 0.0 for kept in days))


def _check_installed(stored: StoredTable) -> None:
    """A table outlives the package of its game: say which one is missing, if it is."""
    try:
        find_game(stored.game)
    except BadOption as error:
        raise GameMissing("game_missing", exactly=str(error), game=stored.game) from None


def _replayed(game: StoredGame) -> tuple[Table, Clock | None]:
    """A table and its clock from what is stored."""
    _check_installed(game.table)
    try:
        table = replayed(game)
    except Damage as damage:
        raise _damaged(damage) from None
    return table, clock_of(table, game)


def _damaged(damage: Damage) -> GameDamaged:
    """Players learn that the game is damaged, and the host which and why."""
    name = f"{damage.table_id[:6]}…"
    told = "the game of the table %s is damaged: %s; `tilewright database check` names all such games"
    logger.error(told, name, damage)
    return GameDamaged("game_damaged", exactly=f"the stored game is damaged: {damage}")
