"""Any process can serve any table: several servers on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest
from people import Person, begin, people_at
from real_server import PATIENCE, ThreadServer, room_of, wait_until
from services import PostgresServer

from tilewright.game.dealer import SecretDealer
from tilewright.server import app, catching_up, messages
from tilewright.server.channel import CHANGED, Message
from tilewright.server.consent import REPLACE, Proposal
from tilewright.server.relay import Relay
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import StoredEvent, StoredSeat, StoredTable
from tilewright.server.table import Table

GAMES = ["azul", "azul-mini", "summer-pavilion"]
Servers = tuple[ThreadServer, ThreadServer]


@pytest.fixture(scope="module")
def url(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture(scope="module")
def servers(url: str) -> Iterator[Servers]:
    """Two servers that know of each other only through the database."""
    settings = Settings(thinking=0.0, limits=0, absent=0.0)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        patch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
        first, second = (running.enter_context(ThreadServer(app.make_app(url, settings))) for _ in range(2))
        yield first, second


@pytest.fixture
def people(servers: Servers) -> Iterator[tuple[Person, Person]]:
    """Somebody at each of the two servers."""
    with people_at(servers[0].url) as here, people_at(servers[1].url) as there:
        yield here(), there()


@pytest.fixture
def deaf(servers: Servers) -> Iterator[None]:
    """No message arrives: the processes have nothing but the database in common."""
    with pytest.MonkeyPatch.context() as patch:
        for server in servers:
            patch.setattr(server.app.state.rooms, "_hear", lambda message: None)
        yield


def opened(people: tuple[Person, Person], game: str = "azul-mini", **rest: Any) -> str:
    """A table at which the two sit."""
    me, friend = people
    table = me.open("me", "invite", game=game, names=("Ada", ""), **rest)
    friend.join(table, "Bob")
    return table


def other_self(person: Person, at: Person) -> Person:
    """The same person at another server."""
    return Person(at.url, person.key)


def at_once(requests: list[Callable[[], httpx.Response]]) -> list[httpx.Response]:
    """Send several requests at the same moment."""
    with ThreadPoolExecutor(len(requests)) as threads:
        return [answer.result(PATIENCE) for answer in [threads.submit(request) for request in requests]]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_through_two_processes(people: tuple[Person, Person], deaf: None, game: str):
    """What one process has acknowledged, the other one knows at the next request."""
    table = opened(people, game)
    event = 1
    for number in range(20):
        for person in people:
            now = person.read(table)
            assert now["event"] == event, "both see the same"
            if now["turn"] == people.index(person) + 1:
                answer = person.play(table, now["legal"][number % len(now["legal"])]["number"], event)
                assert answer.status_code == 200
                event = answer.json()["event"]
    assert people[0].read(table)["position"] == people[1].read(table)["position"]


def test_viewers_at_both_processes_are_told_the_same(people: tuple[Person, Person]):
    me, friend = people
    table = opened(people)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        for _ in range(12):
            now = me.read(table)
            mover = people[now["turn"] - 1]
            event = mover.play(table, mover.read(table)["legal"][0]["number"], now["event"]).json()["event"]
            told = [one.hear("event", event=event) for one in (mine, theirs)]
            ignored = ("legal", "takeback", "hints")
            same = [{name: value for name, value in one.items() if name not in ignored} for one in told]
            assert same[0] == same[1]
            assert same[0]["steps"]


def test_a_move_is_drawn_by_one_process_and_read_from_the_database_by_none(
    people: tuple[Person, Person], servers: Servers, monkeypatch: pytest.MonkeyPatch
):
    me, friend = people
    table = opened(people)
    done: list[str] = []
    for server in servers:  # a comparison that comes between a commit and its message reads the database
        monkeypatch.setattr(server.app.state.rooms, "compare", nothing)
    for module, name in ((messages, "steps_of"), (catching_up, "news_of")):
        monkeypatch.setattr(module, name, noted(getattr(module, name), done))
    with me.watch(table) as mine, friend.watch(table) as theirs:
        lines = {1: mine, 2: theirs}
        begin(theirs)
        now = begin(mine)
        for number in range(8):
            if number == 2:  # by now everybody has heard what happened at the table before the game
                done.clear()
            turn = now["turn"]
            lines[turn].move(now["legal"][0], now["event"])
            now = lines[3 - turn].hear("event", event=lines[turn].heard[-1]["event"])
            if now["turn"] == turn:
                now = lines[turn].heard[-1]
    assert done == ["steps_of"] * 6


async def nothing() -> None:
    """Nothing happens."""


def noted(function: Callable[..., Any], done: list[str]) -> Callable[..., Any]:
    """The function, which notes that it was called."""

    def call(*arguments: Any) -> Any:
        done.append(function.__name__)
        return function(*arguments)

    return call


def test_a_move_that_no_server_has_sealed_is_not_believed(people: tuple[Person, Person], servers: Servers):
    me, friend = people
    table = opened(people)
    with friend.watch(table) as theirs:
        begin(theirs)

        async def deceive(live: Rooms) -> None:
            room = room_of(live, table)
            move = str(room.table.position.legal_moves[0])
            forger = Table.new(replace(room.table.stored, secret=SecretDealer().secret))
            after = room.table.event
            relay = Relay(room.table.stored.seating, after, [StoredEvent(after + 1, f"1 {move}", 0.0, 0.0)], None)
            live._hear(Message(table, CHANGED, relay.sealed(forger), "forger"))
            await asyncio.sleep(0)
            async with room.lock:
                assert room.table.event == 1

        servers[1].inside_async(deceive)
        event = me.play_first(table)
        assert theirs.hear("event")["event"] == event


def test_after_a_message_that_was_lost_everything_is_read(
    people: tuple[Person, Person], servers: Servers, monkeypatch: pytest.MonkeyPatch
):
    me, friend = people
    table = me.open("me", "friend", game="azul-mini")
    rooms = servers[1].app.state.rooms
    heard: list[Message] = []

    def hear(message: Message) -> None:
        heard.append(message)
        if [one.kind for one in heard].count(CHANGED) != 1:
            Rooms._hear(rooms, message)

    with friend.watch(table) as theirs:
        begin(theirs)
        monkeypatch.setattr(rooms, "_hear", hear)
        first = me.play_first(table)
        wait_until(lambda: any(one.kind == CHANGED for one in heard), "the first move should be announced")
        assert servers[1].inside(lambda live: room_of(live, table).table.event) == first - 1
        second = me.play_first(table)
        assert theirs.hear("event")["event"] == first
        assert theirs.hear("event")["event"] == second


def test_of_two_moves_at_the_same_moment_one_wins(people: tuple[Person, Person], servers: Servers, deaf: None):
    """One person with a tab at each server plays two different moves: one is stored, the other one is refused."""
    me = people[0]
    table = me.open("me", "friend", game="azul")
    tabs = (me, other_self(me, people[1]))
    for _ in range(15):
        now = [tab.read(table) for tab in tabs]
        moves = [now[0]["legal"][0]["number"], now[0]["legal"][-1]["number"]]
        answers = at_once([partial(tabs[n].play, table, moves[n], now[0]["event"]) for n in range(2)])
        statuses = sorted(answer.status_code for answer in answers)
        if moves[0] == moves[1]:
            assert statuses == [200, 200], "the same move twice is one move"
        else:
            assert statuses == [200, 400]
            loser = next(answer for answer in answers if answer.status_code == 400)
            assert loser.json()["code"] == "stale_move"
        seen = [tab.read(table) for tab in tabs]
        assert seen[0]["events"] == seen[1]["events"]
        assert sum(not line.startswith("draw") for line in seen[0]["events"][now[0]["event"] :]) == 1
    tabs[1].http.close()


def test_a_seat_is_taken_once_and_the_last_one_begins_the_game(servers: Servers, deaf: None):
    """Newcomers at both servers take the last two seats, and more want them than there are."""
    with people_at(servers[0].url) as here, people_at(servers[1].url) as there:
        for _ in range(8):
            host = here()
            table = host.open("me", "invite", "invite", game="azul")
            guests = [here(), there(), here(), there()]
            for guest in guests:
                guest.read(table)
            path = f"/api/tables/{table}/join"
            answers = at_once([partial(guest.post, path, {"name": "x"}) for guest in guests])
            assert sorted(answer.status_code for answer in answers) == [200, 200, 403, 403]
            seen = [person.read(table) for person in guests[:2]]
            assert seen[0]["event"] == seen[1]["event"] == 1, "the first deal came with the last player"
            assert seen[0]["events"] == seen[1]["events"]


def test_a_finished_game_has_one_rematch(people: tuple[Person, Person], deaf: None):
    me = people[0]
    table = me.open("me", "friend", game="azul-mini")
    tabs = (me, other_self(me, people[1]))
    me.play_out(table)
    for tab in tabs:
        assert tab.read(table)["over"] is not None
    answers = at_once([partial(tab.post, f"/api/tables/{table}/rematch") for tab in tabs])
    found = [answer.json()["id"] for answer in answers]
    assert len(set(found)) == 1
    assert tabs[1].read(found[0])["event"] == tabs[0].read(found[0])["event"] == 1
    tabs[1].http.close()


def test_a_clock_runs_out_once(people: tuple[Person, Person], servers: Servers, url: str):
    """Both processes watch it; one of them lets a bot take over, and the other one sees that."""
    me, friend = people
    me.key, friend.key = "the key of Ada, who has little time", "the key of Bob, who has little time"
    seats = [StoredSeat("human", "Ada", hash_key(me.key)), StoredSeat("human", "Bob", hash_key(friend.key))]
    stored = StoredTable(new_id(), "azul-mini", 2, {}, SecretDealer().secret, 0.02, 0.0, seats=seats)
    table = stored.id
    with closing(Store(url)) as store:
        store.add_table(stored)
        store.add_events(table, 1, Table.new(stored).lines)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        now = me.read(table)
        assert me.play(table, now["legal"][0]["number"], now["event"]).status_code == 200
        for line in (mine, theirs):
            while not line.hear("presence")["seats"][1]["substitute"]:
                pass
    with closing(Store(url)) as store:
        found = store.table(table)
    assert found is not None
    assert found.seats[1].timed_out
    assert found.seating == sum(seat.timed_out for seat in found.seats), "one change for each clock that ran out"


def test_presence_reaches_every_process(people: tuple[Person, Person], servers: Servers):
    me, friend = people
    table = opened(people)
    with me.watch(table) as mine:
        with friend.watch(table):
            while not mine.hear("presence")["seats"][1]["present"]:
                pass
            assert not mine.heard[-1]["seats"][1]["replaceable"], "a player at another process is not away"
        while mine.hear("presence")["seats"][1]["present"]:
            pass


def test_a_replacement_that_one_process_has_settled_is_no_longer_proposed_at_the_others(
    people: tuple[Person, Person], servers: Servers
):
    table = opened(people)

    async def propose(rooms: Rooms) -> None:
        room = await rooms.get(table)
        assert room is not None
        room.consent._open[REPLACE] = Proposal(REPLACE, 0, 1, frozenset({0}))

    async def settle(rooms: Rooms) -> None:
        room = await rooms.get(table)
        assert room is not None
        await room.seating.replace(1)

    servers[1].inside_async(propose)
    assert people[1].get(f"/api/tables/{table}/view").json()["state"]["asks"] != []
    servers[0].inside_async(settle)
    view = people[1].get(f"/api/tables/{table}/view").json()
    assert view["seats"][1]["substitute"]
    assert view["state"]["asks"] == []


def test_a_takeback_is_agreed_across_processes(people: tuple[Person, Person]):
    me, friend = people
    table = opened(people)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(theirs)
        while not mine.hear("presence")["seats"][1]["present"]:
            pass
        event = me.play_first(table)
        theirs.hear("event", event=event)
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        for line in (mine, theirs):
            while line.hear("state")["state"]["event"] != event + 1:
                pass
    assert me.read(table)["events"] == friend.read(table)["events"]
    assert friend.read(table)["events"][-1] == "takeback 1"


def test_what_no_message_told_is_found_all_the_same(people: tuple[Person, Person], servers: Servers, deaf: None):
    me, friend = people
    table = opened(people)
    with friend.watch(table) as theirs:
        begin(theirs)
        event = me.play_first(table)
        servers[1].inside_async(lambda live: live.compare())
        assert theirs.hear("event")["event"] == event


def test_a_deleted_table_is_gone_everywhere(people: tuple[Person, Person], url: str):
    table = opened(people)
    people[1].read(table)
    with psycopg.connect(url) as connection:
        for statement in ("events where table_id", "seats where table_id", "tables where id"):
            connection.execute(f"delete from {statement} = %s", (table,))
    for person in people:
        assert person.get(f"/api/tables/{table}").status_code == 404
        assert person.play(table, 0).status_code == 404


def test_two_bots_never_play_for_one_seat(people: tuple[Person, Person], servers: Servers):
    """At both processes somebody watches a game between bots, so both let them think; each move is played once."""
    me, friend = people
    bots = [{"kind": "bot", "bot": "random"}] * 2
    table = me.post("/api/tables", {"game": "azul-mini", "seats": bots}).json()["id"]
    with me.watch(table) as mine, friend.watch(table) as theirs:
        for line in (mine, theirs):
            over = begin(line)["over"]
            while not over:
                message = line.hear("event", "state")
                over = message["over"] if message["type"] == "event" else message["state"]["over"]
    seen = [person.get(f"/api/tables/{table}/events").json() for person in people]
    assert seen[0] == seen[1]
    assert seen[0]["checked"] is True


def test_who_joins_an_older_reading_of_a_table_still_sees_what_was_committed_before(
    servers: Servers, people: tuple[Person, Person], deaf: None
):
    """The other server has read the table, but not replayed it, when a move is played; then somebody else asks."""
    me, there = people
    table = me.open("me", "friend", game="azul-mini")
    replaying, rooms = threading.Event(), servers[1].app.state.rooms
    rooms._replayer.submit(replaying.wait)

    async def join(live: Rooms) -> int:
        asked = asyncio.create_task(live.get(table))
        await asyncio.sleep(0)
        replaying.set()
        room = await asked
        assert room is not None
        return room.table.event

    with ThreadPoolExecutor(1) as threads:
        early = threads.submit(there.read, table)
        wait_until(lambda: rooms._replayer._work_queue.qsize() == 1, "the table should have been read")
        event = me.play_first(table)
        assert servers[1].inside_async(join) == event
        early.result(PATIENCE)
