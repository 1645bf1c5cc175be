"""Who is present: told to everybody, at a cost that grows with the number of viewers and no faster."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from people import Person, begin
from real_server import ThreadServer, room_of, viewers, wait_until
from websockets.exceptions import ConnectionClosed

from tilewright.server import limits
from tilewright.server.errors import error_body_of_code
from tilewright.server.fair_slots import NOBODY, Owner
from tilewright.server.limits import Limits
from tilewright.server.presence import Announcement
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key
from tilewright.server.settings import Settings
from tilewright.server.viewer import Viewer
from tilewright.view.language import LANGUAGES

pytestmark = pytest.mark.usefixtures("deserted")
MANY = 150


def viewer_with(key: str | None) -> Viewer:
    """A connection with a key."""
    return Viewer(key, "en", Owner("127.0.0.1", hash_key(key or "")))


def messages_to(viewers: list[Viewer]) -> Counter[str]:
    """What is queued for some viewers, by type."""
    found: Counter[str] = Counter()
    for viewer in viewers:
        while viewer.queue:
            found[json.loads(viewer.queue.popleft())["type"]] += 1
    return found


def test_many_spectators_cost_two_messages_each(server: ThreadServer, me: Person, table: str):
    """Nobody else's presence changes when a spectator comes or goes, so nobody else is told."""
    me.read(table)

    async def crowd(live: Rooms) -> Counter[str]:
        room = room_of(live, table)
        crowd = [Viewer(None, "en", NOBODY) for _ in range(MANY)]
        for viewer in crowd:
            room.enter(viewer)
        told = messages_to(crowd)
        room.broadcast_presence()
        for viewer in crowd[1:]:
            room.leave(viewer)
        room.broadcast_presence()
        told += messages_to(crowd)
        room.leave(crowd[0])
        return told

    assert server.inside_async(crowd) == {"state": MANY, "presence": MANY}


def test_players_who_come_and_go_are_announced_once_an_interval(
    server: ThreadServer, me: Person, friend: Person, table: str
):
    async def restless(live: Rooms) -> tuple[Counter[str], Counter[str]]:
        room = room_of(live, table)
        crowd = [Viewer(None, "en", NOBODY) for _ in range(MANY)]
        for viewer in crowd:
            room.enter(viewer)
        room.broadcast_presence()
        messages_to(crowd)
        for _ in range(MANY):
            for key in (me.key, friend.key):
                player = viewer_with(key)
                room.enter(player)
                room.leave(player)
        last = viewer_with(me.key)
        room.enter(last)
        at_once = messages_to(crowd)
        while not (afterwards := messages_to(crowd)):
            await asyncio.sleep(0.01)
        for viewer in (*crowd, last):
            room.leave(viewer)
        return at_once, afterwards

    me.read(table)
    at_once, afterwards = server.inside_async(restless)
    assert at_once == {}, "they come and go within one turn of the event loop"
    assert afterwards == {"presence": MANY}


def test_an_announcement_is_made_at_most_once_an_interval():
    async def changes() -> list[float]:
        loop = asyncio.get_running_loop()
        told: list[float] = []
        news = Announcement(lambda: told.append(loop.time()), interval=0.2)
        until = loop.time() + 0.5
        while loop.time() < until:
            news.request(5.0)
            news.request()
            await asyncio.sleep(0.01)
        return told

    told = asyncio.run(changes())
    assert told
    assert all(later - earlier > 0.19 for earlier, later in pairwise(told))


class PromptLoop(asyncio.SelectorEventLoop):
    """A loop that, as uvloop does, gives a plain handle for a time that has already come."""

    def call_at(self, when: float, callback: Any, *arguments: Any, context: Any = None) -> Any:
        if when > self.time():
            return super().call_at(when, callback, *arguments, context=context)
        return self.call_soon(callback, *arguments, context=context)


def test_an_announcement_that_is_due_can_be_requested_again_on_any_loop():
    async def changes() -> int:
        told: list[None] = []
        news = Announcement(lambda: told.append(None), interval=0.0)
        for delay in (-1.0, -1.0, 0.0, 5.0):
            news.request(delay)
        await asyncio.sleep(0.01)
        return len(told)

    with asyncio.Runner(loop_factory=PromptLoop) as runner:
        assert runner.run(changes()) == 1


def test_everybody_hears_when_somebody_has_been_away_for_long(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, limits=0, absent=0.5))
    with me.watch(table) as mine:
        with friend.watch(table):
            while not mine.hear("presence")["seats"][1]["present"]:
                pass
        while not mine.hear("presence")["seats"][1]["replaceable"]:
            pass
        assert [message["type"] for message in mine.heard].count("state") == 1, "nothing else has happened"


def strict(server: ThreadServer, monkeypatch: pytest.MonkeyPatch, **caps: int) -> None:
    for name, most in caps.items():
        monkeypatch.setattr(limits, name, most)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())


def test_spectators_beyond_the_limit_are_told_why_and_players_still_come_in(
    server: ThreadServer,
    me: Person,
    friend: Person,
    person: Callable[[], Person],
    table: str,
    monkeypatch: pytest.MonkeyPatch,
):
    strict(server, monkeypatch, SPECTATORS_OF_TABLE=2)
    spectator = person()
    with spectator.watch(table) as one, spectator.watch(table) as two:
        begin(one)
        begin(two)
        with spectator.watch(table, **{"Accept-Language": "fr"}) as third:
            assert third.hear("error")["code"] == "too_many_viewers"
            with pytest.raises(ConnectionClosed) as closed:
                third.hear("state")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            assert closed.value.rcvd.reason == "Trop de spectateurs regardent déjà cette table."
        with me.watch(table) as mine, friend.watch(table) as theirs:
            begin(mine)
            begin(theirs)
    with spectator.watch(table) as again:
        begin(again)


def test_a_player_has_as_many_tabs_as_anybody_needs(
    server: ThreadServer, me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    strict(server, monkeypatch, SOCKETS_OF_PLAYER=1)
    with me.watch(table) as mine:
        begin(mine)
        with me.watch(table) as second:
            assert second.hear("error")["code"] == "too_many_tabs"
        with friend.watch(table) as theirs:
            begin(theirs)


def test_an_address_has_a_limited_number_of_sockets(
    server: ThreadServer, me: Person, stranger: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    strict(server, monkeypatch, SOCKETS_OF_ADDRESS=1)
    with me.watch(table) as mine:
        begin(mine)
        with stranger.watch(table) as watched:
            assert watched.hear("error")["code"] == "too_many_sockets"
    wait_until(lambda: server.inside(viewers) == 0, "the first one should have left")
    with stranger.watch(table) as watched:
        begin(watched)


def test_when_everybody_leaves_at_once_others_are_served_in_between():
    async def exodus() -> int:
        usual = Limits()
        gone: list[int] = []

        async def leave(number: int) -> None:
            await usual.departure()
            gone.append(number)

        leaving = [asyncio.create_task(leave(number)) for number in range(1000)]
        rounds = 0
        while len(gone) < 1000:
            before = len(gone)
            await asyncio.sleep(0)
            rounds += 1
            assert len(gone) - before <= limits.DEPARTURES_AT_ONCE
        await asyncio.gather(*leaving)
        return rounds

    assert asyncio.run(exodus()) >= 1000 // limits.DEPARTURES_AT_ONCE


@pytest.mark.parametrize("code", ["too_many_viewers", "too_many_tabs", "too_many_sockets", "too_many_requests"])
def test_every_reason_fits_into_a_close_frame(code: str):
    for language in LANGUAGES:
        assert len(error_body_of_code(code, language)["said"].encode()) <= 123
