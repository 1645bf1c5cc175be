"""Correspondence games: days for each move, deadlines that pass once, and vacations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from people import Person, begin, people_at, refused
from real_server import ThreadServer, wait_until
from services import PostgresServer

from tilewright.server import app
from tilewright.server.copying import copy
from tilewright.server.days import DAY
from tilewright.server.deadline_watch import DeadlineWatch
from tilewright.server.deadlines import GAP, note_alive, passed
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import StoredTable
from tilewright.server.vacations import ALLOWANCE, vacation_of

SOON = 60.0
"""Seconds within which a test is over."""


@pytest.fixture
def club(where: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadServer]:
    """A server of its own, on both kinds of database."""
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    with ThreadServer(app.make_app(where, Settings(thinking=0.0, limits=0, absent=0.0))) as running:
        yield running


@pytest.fixture
def members(club: ThreadServer) -> Iterator[Callable[[], Person]]:
    with people_at(club.url) as make:
        yield make


def seated(me: Person, friend: Person, days: int = 3) -> str:
    table = me.open("me", "invite", game="azul-mini", names=("Ada", ""), days=days)
    friend.join(table, "Bob")
    return table


def deadline(server: ThreadServer, table: str) -> tuple[int, float] | None:
    """Whose deadline is stored for a table, and how many days it is away."""

    async def read(rooms: Rooms) -> list[tuple[Any, ...]]:
        query = "select seat, at from deadlines where table_id = ?"
        return await rooms.read(lambda store: store.database.read(query, (table,)))

    rows = server.inside_async(read)
    return (rows[0][0], (rows[0][1] - time.time()) / DAY) if rows else None


def days_pass(server: ThreadServer, days: float) -> None:
    """As if all deadlines had been set longer ago, at open tables too; then every process looks for them."""

    async def work(rooms: Rooms) -> None:
        def write(store: Store) -> None:
            store.database.execute("update deadlines set at = at - ?", (days * DAY,))
            store.database.execute("update tables set seating = seating + 1 where days is not null")

        await rooms.write(write)
        await rooms.show_changed(list(rooms._rooms))
        await DeadlineWatch(rooms).look(time.time())

    server.inside_async(work)


def vacation(person: Person, days: int) -> Any:
    return person.post("/api/person/vacation", {"days": days})


def back(person: Person) -> Any:
    answer = person.http.delete("/api/person/vacation", headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_move_has_its_own_days(club: ThreadServer, members: Callable[[], Person]):
    me, friend = members(), members()
    table = me.open("me", "invite", game="azul-mini", days=3)
    assert deadline(club, table) is None, "nobody can move before everybody is there"
    friend.join(table)
    assert deadline(club, table) == (0, pytest.approx(3.0, abs=0.01)), "the first player has no longer than the others"
    assert me.read(table)["clock"]["due"] == pytest.approx(time.time() + 3 * DAY, abs=SOON)
    days_pass(club, 2.5)
    me.play_first(table)
    assert deadline(club, table) == (1, pytest.approx(3.0, abs=0.01))
    assert friend.read(table)["clock"]["running"] == 2
    assert friend.read(table)["seats"][0]["replaceable"] is False, "in a correspondence game nobody has to stay"


def test_when_the_days_are_over_a_bot_plays_on_once(club: ThreadServer, members: Callable[[], Person]):
    me, friend = members(), members()
    table = seated(me, friend)
    me.play_first(table)
    days_pass(club, 2.9)
    assert friend.read(table)["seats"][1]["kind"] == "human", "not before the time is over"
    days_pass(club, 0.2)
    wait_until(lambda: me.read(table)["turn"] == 1, "the bot should move although nobody watches")
    seat = friend.read(table)["seats"][1]
    assert (seat["name"], seat["timed_out"]) == ("Bob (bot)", True)
    refused(friend.post(f"/api/tables/{table}/return"), 403, "clock ran out")
    assert deadline(club, table) == (0, pytest.approx(3.0, abs=0.01)), "the others play on with their own time"


def test_of_several_processes_one_ends_a_deadline(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    url, settings = postgres.new_database(), Settings(thinking=0.0, limits=0)
    with ExitStack() as running:
        servers = [running.enter_context(ThreadServer(app.make_app(url, settings))) for _ in range(2)]
        me, friend = (running.enter_context(Person(server.url)) for server in servers)
        table = seated(me, friend)
        me.play_first(table)
        friend.read(table)
        before = len(me.read(table)["events"])
        store = running.enter_context(closing(Store(url)))
        with store.transaction() as database:
            database.execute("update deadlines set at = ?", (time.time() - 1.0,))
            database.execute("update tables set seating = seating + 1")
        for server in servers:
            server.inside(lambda rooms: rooms.background.add(_looking(rooms)))
        wait_until(lambda: me.read(table)["turn"] == 1, "a bot should play on")
        seating = store.database.read("select seating from tables where id = ?", (table,))[0][0]
        assert seating == 3, "one newcomer, the deadline of this test, and one substitute"
        assert [line[0] for line in me.read(table)["events"][before:]].count("2") == 1


def _looking(rooms: Rooms) -> asyncio.Task[None]:
    return asyncio.ensure_future(DeadlineWatch(rooms).look(time.time()))


def test_a_table_that_cannot_be_opened_holds_up_no_other_deadline(
    club: ThreadServer, members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    me, friend = members(), members()
    broken, sound = seated(me, friend), seated(me, friend, days=4)
    get = club.app.state.rooms.get

    async def fail_for_one(table: str) -> Any:
        if table == broken:
            raise ValueError("an event that nobody can read")
        return await get(table)

    monkeypatch.setattr(club.app.state.rooms, "get", fail_for_one)
    days_pass(club, 5.0)
    monkeypatch.undo()
    assert me.read(sound)["seats"][0]["timed_out"]


def test_no_deadline_passes_while_no_server_runs(where: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    settings = Settings(thinking=0.0, limits=0)
    with ThreadServer(app.make_app(where, settings)) as first, people_at(first.url) as make:
        me, friend = make(), make()
        table = seated(me, friend)
        before = deadline(first, table)
        wait_until(lambda: first.inside_async(_seen) is not None, "the server should note that it runs")
    with closing(Store(where)) as store, store.transaction() as database:
        database.execute("update service set seen = seen - ?", (2 * DAY,))
        database.execute("update deadlines set at = at - ?", (2 * DAY,))
    with ThreadServer(app.make_app(where, settings)) as second:
        wait_until(lambda: deadline(second, table) == (0, pytest.approx(before[1], abs=0.01)), "two days come back")


async def _seen(rooms: Rooms) -> float | None:
    rows = await rooms.read(lambda store: store.database.read("select seen from service"))
    return rows[0][0]


def test_a_short_pause_puts_nothing_off(where: str):
    with closing(Store(where)) as store:
        now = time.time()
        note_alive(store, now)
        note_alive(store, now + GAP - 1.0)
        assert passed(store, now) == []
        assert store.database.read("select seen from service") == [(now + GAP - 1.0,)]


def test_servers_whose_clocks_differ_put_nothing_off(where: str):
    """The one that is ahead finds the other's signs of life old, but it was there itself."""
    with closing(Store(where)) as store:
        now, noted = time.time(), 0.0
        fill_deadlines(store, 1, now)
        for look in range(4):
            note_alive(store, now + look, now + look - 1.0)
            note_alive(store, now + look + 2 * GAP, noted)
            noted = now + look + 2 * GAP
        put_off = [row[0] - now for row in store.database.read("select at from deadlines")]
        assert put_off == [pytest.approx(2 * GAP)], "once, when the second one has started"


def test_tables_that_cannot_be_opened_keep_nobody_waiting(club: ThreadServer, members: Callable[[], Person]):
    me, friend = members(), members()
    table = seated(me, friend)
    club.inside_async(lambda rooms: rooms.write(lambda store: fill_deadlines(store, 110, time.time() - DAY)))
    days_pass(club, 4.0)
    assert me.read(table)["seats"][0]["timed_out"]


def fill_deadlines(store: Store, number: int, at: float) -> None:
    """Deadlines at tables of a game that is not installed."""
    tables = [StoredTable(f"{n:020}", "gone", 2, {}, "") for n in range(number)]
    with store.transaction() as database:
        for table in tables:
            store.add_table(table)
        rows = [(table.id, 0, at) for table in tables]
        database.execute_many("insert into deadlines (table_id, seat, at) values (?, ?, ?)", rows)


def test_on_vacation_the_deadlines_stand_still(club: ThreadServer, members: Callable[[], Person]):
    me, friend = members(), members()
    mine, theirs = seated(me, friend), seated(friend, me)
    days_pass(club, 1.0)
    with friend.watch(mine) as watched:
        begin(watched)
        answer = vacation(me, 10).json()
        assert answer["left"] == ALLOWANCE - 10
        assert answer["until"] == pytest.approx(time.time() + 10 * DAY, abs=SOON)
        told = watched.hear("presence")
        while told["seats"][0]["vacation"] is None:
            told = watched.hear("presence")
    assert friend.read(mine)["seats"][0]["vacation"] == answer["until"], "the opponents see it"
    assert deadline(club, mine) == (0, pytest.approx(12.0, abs=0.01)), "two days were left"
    assert deadline(club, theirs) == (0, pytest.approx(2.0, abs=0.01)), "nobody else has more time"
    friend.play_first(theirs)
    assert deadline(club, theirs) == (1, pytest.approx(13.0, abs=0.01)), "my time begins when I am back"
    refused(vacation(me, 1), 403, "already on vacation")
    assert back(me) == {"until": None, "left": ALLOWANCE}
    assert deadline(club, mine) == (0, pytest.approx(2.0, abs=0.01))
    assert deadline(club, theirs) == (1, pytest.approx(3.0, abs=0.01))
    assert friend.read(mine)["seats"][0]["vacation"] is None
    assert back(me)["until"] is None, "who is back can come back again"


def test_who_joins_during_their_vacation_has_time_afterwards(club: ThreadServer, members: Callable[[], Person]):
    me, friend = members(), members()
    friend.open("me", "friend")
    vacation(friend, 5)
    table = me.open("invite", "me", game="azul-mini", days=2)
    friend.join(table)
    assert deadline(club, table) == (0, pytest.approx(7.0, abs=0.01))
    own = friend.open("me", "bot", game="azul-mini", days=1)
    assert deadline(club, own) == (0, pytest.approx(6.0, abs=0.01))


def test_a_vacation_is_limited(members: Callable[[], Person], where: str):
    me = members()
    me.open("me", "friend")
    assert vacation(me, ALLOWANCE + 1).status_code == 422
    assert vacation(me, ALLOWANCE).json()["left"] == 0
    assert me.get("/api/person/profile").json()["vacation"]["left"] == 0
    assert back(me)["left"] == ALLOWANCE, "what was not used comes back"
    assert vacation(me, 20).status_code == 200
    refused(vacation(me, 20), 403)
    assert me.get("/api/person").json()["vacations"][-1]["until"] > time.time()
    me.http.delete("/api/person", headers=me.headers)
    assert me.get("/api/person").json()["vacations"] == []


def test_a_year_later_there_is_a_new_vacation(where: str):
    now = time.time()
    with closing(Store(where)) as store:
        with store.transaction() as database:
            for began, days in ((400, 30), (370, 20), (40, 5)):
                row = ("ada", now - began * DAY, now - (began - days) * DAY)
                database.execute("insert into vacations (key_hash, began, until) values (?, ?, ?)", row)
        assert vacation_of(store, "ada", now).left == 10, "15 of the older ones are within the year, and 5"


def test_bots_of_a_correspondence_game_move_although_nobody_watches(members: Callable[[], Person]):
    me, friend = members(), members()
    table = me.open("me", "bot", "invite", game="azul-mini", days=1)
    friend.join(table)
    me.play_first(table)
    wait_until(lambda: friend.read(table)["turn"] == 3, "the bot should have moved")


def test_a_bot_stops_thinking_when_its_table_is_deleted(
    club: ThreadServer, members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    asked: list[str] = []
    bots = club.app.state.rooms.bots
    choose = bots.choose

    async def choose_slowly(table: str, *rest: Any) -> Any:
        asked.append(table)
        move = await choose(table, *rest)
        await asyncio.sleep(0.3)
        return move

    monkeypatch.setattr(bots, "choose", choose_slowly)
    me = members()
    table = me.open("me", "bot", game="azul-mini", days=1)
    room = club.inside(lambda rooms: rooms._rooms[table])
    me.play_first(table)
    wait_until(lambda: bool(asked), "the bot should think")
    assert me.http.delete("/api/person", headers=me.headers).json() == {"deleted": 1, "left": 0}
    wait_until(lambda: not room.thinking.is_running, "the bot should stop")
    assert asked == [table]


def test_what_cannot_be_opened_says_why(members: Callable[[], Person]):
    me = members()
    request: dict[str, Any] = {"game": "azul", "players": 2, "seats": [{"kind": "me"}, {"kind": "invite"}], "days": 3}
    refused(me.post("/api/tables", {**request, "rated": True}), 403, "not rated")
    refused(me.post("/api/tables", {**request, "clock": {"minutes": 5}}), 400, "not both")
    assert me.post("/api/tables", {**request, "days": 0}).status_code == 422


def test_the_home_page_lists_the_games_that_wait_for_you(members: Callable[[], Person]):
    me, friend = members(), members()
    later, sooner = seated(me, friend, days=5), seated(me, friend, days=1)
    other = seated(friend, me)
    lists = me.get("/lists").text
    waiting, rest = lists.split("My games", 1)
    assert "Waiting for you" in waiting
    assert waiting.index(sooner) < waiting.index(later), "the one that is due first comes first"
    assert other not in waiting
    assert other in rest
    assert "1 day a move" in waiting


def test_a_rematch_and_a_copy_keep_the_days(members: Callable[[], Person], where: str, tmp_path: Any):
    me = members()
    table = me.open("me", "friend", game="azul-mini", days=2)
    me.play_out(table)
    again = me.post(f"/api/tables/{table}/rematch").json()["id"]
    vacation(me, 3)
    due = me.read(again)["clock"]["due"]
    copy(where, tmp_path / "copy.db")
    with closing(Store(tmp_path / "copy.db")) as store:
        game = store.game(again)
        assert game is not None
        assert (game.table.days, game.due) == (2, due)
        assert max(game.away) > time.time()
        assert store.database.read("select seen from service") != [(None,)]
        assert store.game(table).due is None, "a game that is over waits for nobody"


def test_open_correspondence_tables_wait_for_two_weeks(members: Callable[[], Person], club: ThreadServer):
    me = members()
    table, hasty = me.open("me", "open", days=3), me.open("me", "open")

    async def age(rooms: Rooms) -> None:
        statement = "update tables set created = created - ?"
        await rooms.write(lambda store: store.database.execute(statement, (5 * DAY,)))

    club.inside_async(age)
    listed = [one["id"] for one in me.get("/api/tables").json()]
    assert table in listed
    assert hasty not in listed
