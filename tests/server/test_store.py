"""What is stored, on SQLite and on PostgreSQL, and that a change is whole, or not there at all."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from people import PATIENCE
from services import PostgresServer
from stored_tables import RESULT, a_table

from tilewright.server.database import Conflict
from tilewright.server.sqlite import SqliteFile
from tilewright.server.store import Store
from tilewright.server.stored import KeptSince, NewEvents, StoredSeat, StoredTable, Version
from tilewright.server.writer import Writer


def ids(tables: list[StoredTable]) -> list[str]:
    return [table.id for table in tables]


def test_a_table_is_read_as_it_was_kept(where: str):
    store = Store(where)
    table = a_table()
    store.add_table(table)
    store.add_events(table.id, 1, ["draw b", "1 f1 blue 1"])
    store.close()
    again = Store(where)
    assert again.table(table.id) == table
    assert [event.line for event in again.events(table.id)] == ["draw b", "1 f1 blue 1"]
    assert again.table("1" * 20) is None
    again.close()


def test_lists_of_tables(where: str):
    store = Store(where)
    for number, kinds in enumerate([("human", "open"), ("human", "bot"), ("open", "open")]):
        store.add_table(a_table(str(number) * 20, *kinds))
    assert [waiting.id for waiting in store.waiting_tables()] == ["2" * 20, "0" * 20]
    assert ids(store.tables_of("hash 0", over=False)) == ["1" * 20, "0" * 20], "a seat kept free is nobody's yet"
    store.add_events("1" * 20, 1, ["x"], result=RESULT)
    assert ids(store.tables_of("hash 0", over=True)) == ["1" * 20]
    store.change_seats("0" * 20, {1: StoredSeat("human", "Ada", "hash 9", substitute="random", timed_out=True)})
    assert [waiting.id for waiting in store.waiting_tables()] == ["2" * 20]
    assert [table.seats[1].timed_out for table in store.tables_of("hash 9", over=False)] == [True]
    store.set_rematch("1" * 20, "2" * 20)
    found = store.table("1" * 20)
    assert found is not None
    assert (found.result, found.rematch) == (RESULT, "2" * 20)
    store.close()


def test_the_result_of_a_game_is_stored_with_it(where: str):
    store = Store(where)
    for number in range(2):
        store.add_table(a_table(str(number) * 20))
    store.add_events("0" * 20, 1, ["x"], at=7.5, result=RESULT)
    store.add_events("1" * 20, 1, ["x"], at=8.5)
    store.close()
    again = Store(where)
    found = [again.table(n * 20) for n in "01"]
    assert [(table.result, table.ended) for table in found if table] == [(RESULT, 7.5), (None, None)]
    again.close()


def test_the_events_of_a_move_are_kept_all_or_none(where: str):
    store = Store(where)
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["a", "b"])
    with pytest.raises(Conflict):
        store.add_events("0" * 20, 0, ["c", "d"], result=RESULT)
    assert [event.line for event in store.events("0" * 20)] == ["a", "b"]
    table = store.table("0" * 20)
    assert table is not None
    assert table.result is None
    with pytest.raises(Conflict):
        store.add_events("f" * 20, 1, ["a table that is not there"])
    store.close()


def expired(store: Store, kept_since: KeptSince) -> list[str]:
    """All tables whose time is up."""
    found: list[str] = []
    last: str | None = ""
    while last is not None:
        some, last = store.expired(kept_since, last)
        found += some
    return found


@pytest.mark.parametrize("at_once", [1, 2, 1_000])
def test_only_games_whose_time_is_up_are_deleted(where: str, at_once: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tilewright.server.store.LOOKED_AT_ONCE", at_once)
    store = Store(where)
    for number, table in enumerate("abcdef"):
        store.add_table(replace(a_table(table * 20), created=float(number)))
    store.add_events("a" * 20, 1, ["x"], at=100.0, result=RESULT)
    store.add_events("b" * 20, 1, ["x"], at=300.0, result=RESULT)
    store.add_events("c" * 20, 1, ["x", "y"], at=100.0)
    store.add_events("d" * 20, 1, ["x"], at=100.0)
    store.add_events("d" * 20, 2, ["y"], at=300.0)
    store.add_events("f" * 20, 1, ["x"], at=300.0, result=RESULT)
    store.set_rematch("f" * 20, "c" * 20)
    assert expired(store, KeptSince(0.0, 0.0)) == []
    assert expired(store, KeptSince(200.0, 0.0)) == ["a" * 20]
    assert expired(store, KeptSince(0.0, 200.0)) == ["c" * 20, "e" * 20], "in the last one nobody ever moved"
    everything = [table * 20 for table in "abcdef"]
    assert store.remove_expired(everything, KeptSince(200.0, 200.0)) == [table * 20 for table in "ace"]
    assert [store.table(table) is not None for table in everything] == [False, True, False, True, False, True]
    kept = store.table("f" * 20)
    assert kept is not None
    assert kept.rematch is None
    assert [len(store.events(table)) for table in everything] == [0, 1, 0, 2, 0, 1]
    assert store.remove_expired(everything, KeptSince(200.0, 200.0)) == []
    store.close()


@pytest.mark.parametrize("table", ["challenges", "reviews"])
def test_what_is_deleted_after_a_time_is_found_without_reading_the_rest(tmp_path: Path, table: str):
    with closing(Store(tmp_path / "games.db")) as store:
        (plan,) = store.database.read(f"explain query plan delete from {table} where at < 1")
    assert f"{table}_by_time" in plan[-1]


def test_games_are_deleted_all_or_none(where: str):
    store = Store(where)
    for table in "ab":
        store.add_table(replace(a_table(table * 20), created=1.0))

    def remove_and_fail(store: Store) -> None:
        store.remove_expired(["a" * 20, "b" * 20], KeptSince(2.0, 2.0))
        raise OSError("the disk is full")

    assert isinstance(store.write_all([remove_and_fail])[0], OSError)
    assert len(expired(store, KeptSince(2.0, 2.0))) == 2
    store.close()


def test_a_write_of_several_steps_is_stored_whole_or_not_at_all(where: str):
    store = Store(where)

    def rematch_of_nobody(store: Store) -> None:
        store.add_table(a_table("a" * 20))
        store.add_events("a" * 20, 1, ["one"])
        store.add_events("a" * 20, 1, ["one again"])

    assert isinstance(store.write_all([rematch_of_nobody])[0], Conflict)
    assert store.table("a" * 20) is None
    assert not store.database.in_transaction
    store.close()


def test_reading_sees_only_what_is_committed_and_does_not_wait(where: str):
    store = Store(where)
    store.add_table(a_table())

    def write(store: Store) -> None:
        store.add_events("0" * 20, 1, ["one"], result=RESULT)
        assert store.events("0" * 20) == []
        assert ids(store.tables_of("hash 0", over=True)) == []

    assert store.write_all([write]) == [None]
    assert [event.line for event in store.events("0" * 20)] == ["one"]
    store.close()


def seats_of(store: Store) -> list[str]:
    table = store.table("0" * 20)
    assert table is not None
    return [seat.name for seat in table.seats]


def test_an_event_has_one_author(where: str):
    """Two processes play at the same moment: the second one is told, and its move is not there."""
    store = Store(where)
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["mine"])
    with pytest.raises(Conflict, match="has an event 1 already"):
        store.add_events("0" * 20, 1, ["yours", "and what follows"])
    assert [event.line for event in store.events("0" * 20)] == ["mine"]
    assert store.version("0" * 20) == Version(seating=0, event=1, rematch=None)
    store.close()


def test_seats_change_only_where_the_game_is_as_it_was(where: str):
    store = Store(where)
    store.add_table(a_table())
    store.add_events("0" * 20, 1, ["a"])
    eve = {1: StoredSeat("human", "Eve")}
    with pytest.raises(Conflict, match="has changed since event 0"):
        store.change_seats("0" * 20, eve)
    store.change_seats("0" * 20, {1: StoredSeat("human", "Ada")}, event=1)
    with pytest.raises(Conflict, match="has changed since event 1 and seating 0"):
        store.change_seats("0" * 20, eve, event=1)
    assert seats_of(store) == ["Player 0", "Ada"]
    with pytest.raises(Conflict, match=r"seats of the table .* have changed since seating 0"):
        store.add_events("0" * 20, 2, ["by somebody who does not know Ada"])
    store.add_events("0" * 20, 2, ["b"], seating=1)
    assert store.version("0" * 20) == Version(seating=1, event=2, rematch=None)
    store.close()


def test_a_review_that_two_processes_store_at_once_is_stored(postgres: PostgresServer):
    where = postgres.new_database()
    with closing(Store(where)) as one, closing(Store(where)) as other, ThreadPoolExecutor(1) as pool:
        with one.transaction():
            one.save_review("r" * 20, "{}")
            late = pool.submit(other.save_review, "r" * 20, '{"late": 1}')
            with pytest.raises(TimeoutError):
                late.result(0.5)
        late.result(PATIENCE)
        assert one.review("r" * 20) == '{"late": 1}'


def test_the_lobby_reads_only_tables_that_were_opened_for_everybody(tmp_path: Path):
    """However many others there are: every home page asks for the lobby again and again."""
    with closing(Store(tmp_path / "tables.db")) as store:
        assert isinstance(store.database, SqliteFile)
        reader, queries = store.database.reader, list[str]()
        reader.set_trace_callback(queries.append)
        store.waiting_tables()
        reader.set_trace_callback(None)
        plan = reader.execute(f"explain query plan {queries[-1]}").fetchall()
    assert "SEARCH tables USING INDEX public_tables" in str(plan)
    assert "TEMP B-TREE" not in str(plan), "the newest come first in the index"


def test_a_finished_table_has_one_rematch(where: str):
    store = Store(where)
    for number in range(3):
        store.add_table(a_table(str(number) * 20))
    store.set_rematch("0" * 20, "1" * 20)
    with pytest.raises(Conflict, match="has a rematch already"):
        store.set_rematch("0" * 20, "2" * 20)
    assert store.version("0" * 20) == Version(seating=0, event=0, rematch="1" * 20)
    assert store.version("f" * 20) is None
    store.close()


def test_a_write_that_fails_takes_no_other_with_it(where: str):
    store = Store(where)
    for table in "abc":
        store.add_table(a_table(table * 20))
    errors = store.write_all(
        [
            lambda store: store.add_events("a" * 20, 1, ["one", "two"]),
            lambda store: store.add_events("b" * 20, 1, ["three"], result=RESULT),
            lambda store: store.add_events("a" * 20, 2, ["again"], result=RESULT),
            lambda store: store.add_events("c" * 20, 1, ["four"]),
        ]
    )
    assert [errors[n] for n in (0, 1, 3)] == [None, None, None]
    assert isinstance(errors[2], Conflict), "what fails is undone alone"
    store.close()
    again = Store(where)
    lines = [[event.line for event in again.events(table * 20)] for table in "abc"]
    assert lines == [["one", "two"], ["three"], ["four"]]
    found = again.table("a" * 20)
    assert found is not None
    assert found.result is None
    again.close()


def test_a_move_that_comes_too_late_takes_no_other_with_it(where: str):
    """Moves of several tables are stored by one statement."""
    store = Store(where)
    for table in "abcd":
        store.add_table(a_table(table * 20))
    store.add_events("b" * 20, 1, ["earlier"])
    store.change_seats("c" * 20, {1: StoredSeat("bot", bot="random")})
    errors = store.write_all([NewEvents(table * 20, 1, ["one", "two"], 0, 7.5, 1.5) for table in "abcd"])
    assert [isinstance(error, Conflict) for error in errors] == [False, True, True, False]
    assert [errors[0], errors[3]] == [None, None]
    lines = [[event.line for event in store.events(table * 20)] for table in "abcd"]
    assert lines == [["one", "two"], ["earlier"], [], ["one", "two"]]
    store.close()


def test_a_write_that_is_done_again_returns_what_counts(where: str):
    store = Store(where)
    store.add_table(a_table())
    tries: list[int] = []

    def count(store: Store) -> int:
        tries.append(len(tries) + 1)
        store.add_events("0" * 20, 1, ["one"])
        return tries[-1]

    async def write_both() -> list[object]:
        with closing(Writer(store)) as writer:
            fails = writer.write(lambda store: store.set_rematch("f" * 20, "1" * 20))
            return await asyncio.gather(writer.write(count), fails, return_exceptions=True)

    returned, failure = asyncio.run(write_both())
    assert isinstance(failure, Conflict)
    assert tries == [1, 2], "once with the one that failed, and once more without it"
    assert returned == 2
    assert [event.line for event in store.events("0" * 20)] == ["one"]
    store.close()
