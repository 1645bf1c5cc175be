"""Which tables are open, how they come back from the store, and which are deleted from it."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tilewright.game.dealer import SecretDealer
from tilewright.server import rooms as module
from tilewright.server.database import open_reader
from tilewright.server.fair_slots import Owner
from tilewright.server.rooms import DAY, Rooms
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable
from tilewright.server.table import Table
from tilewright.server.viewer import Viewer

ANN = Owner("192.0.2.1", hash_key("ann"))


def a_table(**changes: object) -> StoredTable:
    seats = [StoredSeat("human", "Ann", hash_key("ann")), StoredSeat("human", "Bob", hash_key("bob"))]
    stored = StoredTable(new_id(), "azul-mini", 2, {}, SecretDealer().secret, seats=seats)
    return replace(stored, **changes)  # type: ignore[arg-type]


@pytest.fixture
def store(where: str) -> Store:
    """On SQLite and on PostgreSQL; the rooms of a test close it."""
    return Store(where)


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tables.db")


def run(
    store: Store, work: Callable[[Rooms], Awaitable[None]], settings: Settings | None = None, most: int = 3
) -> None:
    """Do something with rooms of which few may be open at once."""

    async def all_of_it() -> None:
        with closing(Rooms(store, settings or Settings(), most_rooms=most)) as live:
            await work(live)

    asyncio.run(all_of_it())


def test_the_tables_that_were_asked_for_least_recently_are_closed(store: Store):
    async def work(live: Rooms) -> None:
        ids = [(await live.create(a_table())).table.id for _ in range(3)]
        await live.get(ids[0])
        ids += [(await live.create(a_table())).table.id for _ in range(2)]
        assert list(live._rooms) == [ids[0], *ids[3:]]
        again = await live.get(ids[1])
        assert again is not None
        assert again.table.event == 1
        assert list(live._rooms) == [*ids[3:], ids[1]]
        assert await live.get("0" * 20) is None

    run(store, work)


def test_an_open_table_in_mid_game_takes_less_than_20_kilobytes(sqlite_store: Store):
    dice, number = random.Random(1510), 60
    for _ in range(number + 1):
        table = Table.new(a_table(id=new_id()))
        sqlite_store.add_table(table.stored)
        for _ in range(40):
            if table.position.turn is not None:
                table = table.play([table.position.turn], dice.choice(table.position.legal_moves), None).table
        sqlite_store.add_events(table.id, 1, table.lines)

    async def work(live: Rooms) -> None:
        first, *others = sqlite_store.ids()
        await live.get(first)  # with it comes what all tables share
        gc.collect()
        tracemalloc.start()
        for table_id in others:
            assert await live.get(table_id) is not None
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(live._rooms) == number + 1
        assert taken / number < 20_000

    run(sqlite_store, work, most=number + 1)


def test_a_table_where_somebody_waits_is_not_closed(store: Store):
    async def work(live: Rooms) -> None:
        watched, asked, left = [await live.create(a_table()) for _ in range(3)]
        viewer = Viewer("ann", "en", ANN)
        watched.enter(viewer)
        asked.note_request("ann", ANN)
        for _ in range(6):
            await live.create(a_table())
        assert {watched.table.id, asked.table.id} <= set(live._rooms)
        assert left.is_closed
        assert len(live._rooms) == 3
        watched.leave(viewer)
        for _ in range(6):
            await live.create(a_table())
        assert watched.is_closed

    run(store, work)


def test_a_table_is_read_once_however_many_ask_for_it(store: Store, monkeypatch: pytest.MonkeyPatch):
    stored = [a_table() for _ in range(3)]
    for one in stored:
        store.add_table(one)
        store.add_events(one.id, 1, Table.new(one).lines)
    replayed: list[str] = []
    replay = module._replayed

    def note(table: StoredTable, *rest: object) -> object:
        replayed.append(threading.current_thread().name)
        return replay(table, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_replayed", note)

    async def work(live: Rooms) -> None:
        found = await asyncio.gather(*(live.get(one.id) for one in stored * 20))
        assert len({id(room) for room in found}) == 3
        assert all(room is live._rooms[stored[n % 3].id] for n, room in enumerate(found))

    run(store, work)
    assert len(replayed) == 3
    assert {name.rpartition("_")[0] for name in replayed} == {"replayer"}, "not on the event loop"


def test_a_table_that_cannot_be_read_keeps_nobody_else_out(store: Store):
    bad, good = a_table(), a_table()
    for one in (bad, good):
        store.add_table(one)
        store.add_events(one.id, 1, Table.new(one).lines)
    store.add_events(bad.id, 2, ["1 nonsense"])

    async def work(live: Rooms) -> None:
        for _ in range(2):
            with pytest.raises(Exception, match="nonsense"):
                await live.get(bad.id)
            assert await live.get(good.id) is not None
        assert live._loading == {}

    run(store, work)


def test_what_the_host_no_longer_keeps_is_deleted(store: Store, where: str):
    now = time.time()
    old, ancient = now - 10 * DAY, now - 100 * DAY
    finished, left, waiting, played, open_one = (a_table(created=ancient) for _ in range(5))
    for one in (finished, left, waiting, played, open_one):
        store.add_table(one)
    store.add_events(finished.id, 1, ["draw b"], at=ancient, result=Result([31, 45], [2]))
    for one, at in ((left, ancient), (played, old), (open_one, ancient)):
        store.add_events(one.id, 1, Table.new(one).lines, at=at)

    async def work(live: Rooms) -> None:
        assert await live.get(open_one.id) is not None
        assert await live.prune() == 3
        assert await live.prune() == 0, "a table that somebody has opened is spared"
        live.close_idle(-1.0)
        assert await live.prune() == 1
        assert await live.get(left.id) is None
        assert await live.get(played.id) is not None

    run(store, work, Settings(keep_finished=50, keep_abandoned=50))
    with closing(open_reader(where)) as reader:
        for table in ("tables", "seats", "events"):
            column = "id" if table == "tables" else "table_id"
            assert {row[0] for row in reader.read(f"select {column} from {table}")} == {played.id}


def test_a_host_may_keep_everything(store: Store):
    one = a_table(created=1.0)
    store.add_table(one)

    async def work(live: Rooms) -> None:
        assert await live.prune() == 0

    run(store, work, Settings(keep_finished=0, keep_abandoned=0))
