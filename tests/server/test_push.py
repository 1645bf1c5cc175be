"""Notifications of one's turn, as a push service receives them and only the browser can read them."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from people import Person, begin, people_at, refused
from push_service import Device, PushService, push_service
from real_server import ThreadServer, wait_until
from services import PostgresServer

from tilewright.server import app
from tilewright.server.copying import copy
from tilewright.server.errors import RequestError
from tilewright.server.push import addresses, notices, notifier
from tilewright.server.push.addresses import parse, resolve
from tilewright.server.push.keys import private_key
from tilewright.server.push.notifier import DELAYS
from tilewright.server.push.sending import Message, Outcome, send
from tilewright.server.push.subscriptions import MOST_OF_PERSON, Subscription, forget_subscriptions
from tilewright.server.push.subscriptions import subscribe as save_subscription
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings
from tilewright.server.store import Store

SETTINGS = Settings(thinking=0.0, limits=0, private_push=True)


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given time to come by themselves, and tests say when notifications are sent."""
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    monkeypatch.setattr(notices, "GRACE", 0.0)
    monkeypatch.setattr(notifier, "INTERVAL", 3600.0)


@pytest.fixture
def club(where: str) -> Iterator[ThreadServer]:
    with ThreadServer(app.make_app(where, SETTINGS)) as running:
        yield running


@pytest.fixture
def members(club: ThreadServer) -> Iterator[Callable[[], Person]]:
    with people_at(club.url) as make:
        yield make


def subscribe(person: Person, device: Device, **rest: Any) -> None:
    answer = person.post("/api/person/push", device.subscription, **rest)
    assert answer.status_code == 204, answer.text


def deliver(server: ThreadServer) -> None:
    async def work(rooms: Rooms) -> None:
        await server.app.state.notifier.deliver()

    server.inside_async(work)


def stored(server: ThreadServer, query: str) -> list[tuple[Any, ...]]:
    async def read(rooms: Rooms) -> list[tuple[Any, ...]]:
        return await rooms.read(lambda store: store.database.read(query))

    return server.inside_async(read)


def change(server: ThreadServer, statement: str) -> None:
    server.inside_async(lambda rooms: rooms.write(lambda store: store.database.execute(statement)))


def seated(me: Person, friend: Person, **rest: Any) -> str:
    table = me.open("me", "invite", game="azul-mini", names=("Ada", ""), **rest)
    friend.join(table, "Bob")
    return table


def test_an_absent_player_is_notified_of_their_turn(
    club: ThreadServer, members: Callable[[], Person], service: PushService
):
    me, friend = members(), members()
    table = seated(me, friend, days=3)
    phone = service.device("phone")
    subscribe(friend, phone, headers={"Accept-Language": "fr"})
    me.play_first(table)
    deliver(club)
    (delivery,) = service.at(phone)
    assert phone.read(delivery.body) == {
        "title": "À vous de jouer\N{NO-BREAK SPACE}: Azul Mini",
        "body": "Contre Ada, 3 jours pour votre coup",
        "url": f"/t/{table}",
        "tag": table,
    }
    assert delivery.claims["sub"] == "https://127.0.0.1"
    assert delivery.key == me.get("/api/person/push").json()["key"], "signed with the key that browsers were told"
    assert delivery.headers["Topic"] == table
    assert 2.9 * 86400 < int(delivery.headers["TTL"]) <= 3 * 86400
    assert delivery.headers["Content-Encoding"] == "aes128gcm"
    assert b"Ada" not in delivery.body


def test_there_is_one_unread_notification_for_each_table(
    club: ThreadServer, members: Callable[[], Person], service: PushService
):
    me, friend = members(), members()
    table, other = seated(me, friend), seated(me, friend)
    phone, laptop = service.device("phone"), service.device("laptop")
    for device in (phone, laptop):
        subscribe(friend, device)
    me.play_first(table)
    deliver(club)
    deliver(club)
    me.play_first(other)
    deliver(club)
    tags = [[device.read(one.body)["tag"] for one in service.at(device)] for device in (phone, laptop)]
    assert tags == [[table, other], [table, other]], "each device once for each table"
    with friend.watch(table) as theirs:
        begin(theirs)
        wait_until(lambda: len(stored(club, "select 1 from notices")) == 2, "what was read should be forgotten")
        theirs.move(friend.read(table)["legal"][0]["number"], friend.read(table)["event"])
    me.play_first(table)
    deliver(club)
    assert len(service.at(phone)) == 3, "the next turn is worth another one"
    friend.play_first(table)
    me.play_first(table)
    deliver(club)
    assert len(service.at(phone)) == 4, "a move tells as well that somebody has seen it"


def test_who_is_at_the_table_is_not_notified(club: ThreadServer, members: Callable[[], Person], service: PushService):
    me, friend = members(), members()
    table = seated(me, friend)
    subscribe(friend, service.device("phone"))
    with friend.watch(table) as theirs:
        begin(theirs)
        me.play_first(table)
        deliver(club)
    assert service.received == []


def test_who_comes_in_time_is_not_notified(club: ThreadServer, members: Callable[[], Person], service: PushService):
    me, friend = members(), members()
    table = seated(me, friend)
    subscribe(friend, service.device("phone"))
    me.play_first(table)
    friend.play_first(table)
    deliver(club)
    assert service.received == [], "it is no longer their turn"
    me.play_first(table)
    with friend.watch(table) as theirs:
        begin(theirs)
        wait_until(lambda: stored(club, "select 1 from notices") == [], "who is here need not be notified")
        deliver(club)
    assert service.received == []


def test_a_subscription_that_is_gone_is_forgotten(
    club: ThreadServer, members: Callable[[], Person], service: PushService, caplog: pytest.LogCaptureFixture
):
    me, friend = members(), members()
    table = seated(me, friend)
    for name, status in (("expired", 404), ("ended", 410), ("odd", 400), ("alive", 201)):
        service.statuses[f"/push/{name}"] = status
        subscribe(friend, service.device(name))
    me.play_first(table)
    deliver(club)
    left = friend.get("/api/person/push").json()["endpoints"]
    assert left == [f"{service.url}/push/odd", f"{service.url}/push/alive"]
    assert "a notification was given up: status 400" in caplog.text
    assert stored(club, "select endpoint, due from notices") == [(f"{service.url}/push/alive", None)]


def test_what_cannot_be_sent_now_is_tried_again_later_and_given_up_at_last(
    club: ThreadServer, members: Callable[[], Person], service: PushService, monkeypatch: pytest.MonkeyPatch
):
    me, friend = members(), members()
    table = seated(me, friend)
    phone = service.device("phone")
    subscribe(friend, phone)
    service.statuses["/push/phone"] = 503
    me.play_first(table)
    for number, delay in enumerate(DELAYS, start=1):
        deliver(club)
        deliver(club)
        assert len(service.at(phone)) == number, "not before its time"
        ((due, attempts),) = stored(club, "select due, attempts from notices")
        assert attempts == number
        assert due == pytest.approx(time.time() + delay, abs=60.0)
        change(club, "update notices set due = 1")
    deliver(club)
    assert stored(club, "select 1 from notices") == [], "given up"
    assert len(friend.get("/api/person/push").json()["endpoints"]) == 1, "the next turn may find it well again"


def test_a_push_service_that_never_answers_delays_no_move(
    club: ThreadServer, members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tilewright.server.push.sending.TIMEOUT", 2.0)
    me, friend = members(), members()
    table = seated(me, friend)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        subscribe(friend, Device(f"http://127.0.0.1:{silent.getsockname()[1]}/push"))
        me.play_first(table)
        club.inside(lambda rooms: rooms.background.add(_delivering(club)))
        friend.play_first(table)
        me.play_first(table)
        query = "select due from notices where due < 1e18"
        wait_until(lambda: stored(club, query)[0][0] < time.time() + DELAYS[0] + 1, "it should be tried again later")


def _delivering(server: ThreadServer) -> asyncio.Task[None]:
    return asyncio.ensure_future(server.app.state.notifier.deliver())


def test_of_several_processes_one_sends_and_all_have_one_key(postgres: PostgresServer, service: PushService):
    url = postgres.new_database()
    with ExitStack() as running:
        servers = [running.enter_context(ThreadServer(app.make_app(url, SETTINGS))) for _ in range(2)]
        me, friend = (running.enter_context(Person(server.url)) for server in servers)
        table = seated(me, friend)
        keys = {person.get("/api/person/push").json()["key"] for person in (me, friend)}
        assert len(keys) == 1
        phone = service.device("phone")
        subscribe(friend, phone)
        me.play_first(table)
        for server in servers:
            server.inside(lambda rooms, server=server: rooms.background.add(_delivering(server)))
        wait_until(lambda: stored(servers[0], "select due from notices") == [(None,)], "one should send it")
        for server in servers:
            deliver(server)
        assert len(service.at(phone)) == 1
        assert service.received[0].key in keys


def test_the_key_outlives_the_server_and_is_copied_with_the_rest(where: str, tmp_path: Any):
    def key_at(database: str) -> str:
        with ThreadServer(app.make_app(database, SETTINGS)) as running, people_at(running.url) as make:
            return str(make().get("/api/person/push").json()["key"])

    first = key_at(where)
    assert key_at(where) == first
    with closing(Store(where)):
        copy(where, tmp_path / "copy.db")
    assert key_at(str(tmp_path / "copy.db")) == first


def test_a_rematch_notifies_whoever_begins_it(club: ThreadServer, members: Callable[[], Person], service: PushService):
    me, friend = members(), members()
    table = seated(me, friend)
    subscribe(friend, service.device("phone"))
    players = {1: me, 2: friend}
    while (now := me.read(table))["over"] is None:
        players[now["turn"]].play_first(table)
    again = me.post(f"/api/tables/{table}/rematch").json()["id"]
    deliver(club)
    assert [service.device("phone").endpoint == service.url + one.path for one in service.received] == [True]
    assert stored(club, "select table_id from notices") == [(again,)]


def test_subscriptions_end_and_belong_to_one_person(
    club: ThreadServer, members: Callable[[], Person], service: PushService
):
    me, friend = members(), members()
    table = seated(me, friend)
    phone = service.device("phone")
    subscribe(friend, phone)
    assert me.get("/api/person/push").json()["endpoints"] == []

    def end(person: Person) -> None:
        answer = person.http.delete("/api/person/push", params={"endpoint": phone.endpoint}, headers=person.headers)
        assert answer.status_code == 204

    end(me)
    assert friend.get("/api/person/push").json()["endpoints"] == [phone.endpoint], "nobody ends another's"
    me.play_first(table)
    end(friend)
    deliver(club)
    assert service.received == []
    subscribe(friend, phone)
    subscribe(me, phone)
    assert friend.get("/api/person/push").json()["endpoints"] == [], "whoever uses the browser now is notified there"
    for number in range(MOST_OF_PERSON + 2):
        subscribe(me, service.device(f"{number}"))
    endpoints = me.get("/api/person/push").json()["endpoints"]
    assert endpoints == [service.device(f"{number}").endpoint for number in range(2, MOST_OF_PERSON + 2)]
    assert len(me.get("/api/person").json()["notifications"]) == MOST_OF_PERSON
    me.http.delete("/api/person", headers=me.headers)
    assert stored(club, "select 1 from subscriptions") == []


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        ("http://push.example/abc", "https"),
        ("ftp://push.example/abc", "https"),
        ("https://127.0.0.1/abc", "public"),
        ("https://10.1.2.3/abc", "public"),
        ("https://169.254.169.254/latest/meta-data", "public"),
        ("https://[::1]/abc", "public"),
        ("https://[::ffff:192.168.0.1]/abc", "public"),
        ("https://[64:ff9b:1::1]/abc", "public"),
        ("https://[fec0::1]/abc", "public"),
        ("https://[::127.0.0.1]/abc", "public"),
        ("https://[::ffff:0:127.0.0.1]/abc", "public"),
        ("https://[64:ff9b::192.168.0.1]/abc", "public"),
        ("https://[2002:c0a8:1::]/abc", "public"),
        ("https://224.0.0.1/abc", "public"),
        ("https://0.0.0.0/abc", "public"),
        ("https://push.example:22/abc", "port"),
        ("https://ada:secret@push.example/abc", "no user"),
        ("https:///abc", "host"),
        ("https://push.example/a b", "spaces"),
        ("https://push.example/" + "x" * 1000, "characters"),
        ("https://[::1", "IPv6"),
    ],
)
def test_endpoints_inside_the_network_of_the_host_are_refused(endpoint: str, why: str):
    with pytest.raises(RequestError, match=why):
        parse(endpoint, private=False)


def test_a_name_that_leads_into_the_network_of_the_host_is_refused_when_it_is_sent_to(monkeypatch: pytest.MonkeyPatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 443)) for number in ("203.0.114.7", "192.168.1.1")]
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: found)
    address = parse("https://push.example/abc", private=False)
    with pytest.raises(RequestError, match="public internet"):
        resolve(address, private=False)
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: found[:1])
    assert resolve(address, private=False) == "203.0.114.7"


def test_the_server_refuses_private_endpoints_unless_the_host_allows_them(where: str, service: PushService):
    with (
        ThreadServer(app.make_app(where, Settings(limits=0))) as running,
        people_at(running.url) as make,
    ):
        answer = make().post("/api/person/push", service.device("phone").subscription)
        refused(answer, 400, "cannot be used")
        assert answer.json()["code"] == "bad_subscription"


def test_keys_that_cannot_encrypt_are_refused(members: Callable[[], Person], service: PushService):
    me, good = members(), service.device("phone").subscription
    for keys in (
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
        {"p256dh": "?"},
        {"p256dh": good["keys"]["p256dh"][:-4] + "AAAA"},
    ):
        refused(
            me.post("/api/person/push", {**good, "keys": {**good["keys"], **keys}}),
            400,
            "cannot be used for encryption",
        )


def test_no_redirect_is_followed_and_what_is_not_signed_for_it_is_refused(service: PushService, where: str):
    device = service.device("phone")
    keys = device.subscription["keys"]
    to = Subscription(device.endpoint, "", keys["p256dh"], keys["auth"], "club.example", "en")
    with closing(Store(where)) as store:
        key = private_key(store)
    message = Message({"title": "Your turn"}, "topic", 60)
    assert send(to, message, key, private=True).outcome is Outcome.SENT
    service.statuses["/push/phone"] = 307
    assert send(to, message, key, private=True).outcome is Outcome.REFUSED
    assert len(service.received) == 2
    by_name = to._replace(endpoint=device.endpoint.replace("127.0.0.1", "localhost"))
    assert send(by_name, message, key, private=True).outcome is Outcome.REFUSED, "the signature names the wrong host"


def test_the_subscriptions_of_a_transaction_are_forgotten_in_it(where: str):
    with closing(Store(where)) as store, store.transaction() as database:
        save_subscription(store, Subscription("https://push.example/1", "a", "key", "secret", "site", "en"))
        forget_subscriptions(store, "a")
        assert database.query("select 1 from subscriptions") == []
