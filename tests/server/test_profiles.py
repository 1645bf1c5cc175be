"""A profile without an account: name and avatar, a private link to another device, results and mistakes."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any, cast

import pytest
from people import Person, refused

from tilewright.server.achievements import Achievements, achievements_of
from tilewright.server.errors import RequestError
from tilewright.server.passkeys import Passkey, passkey_with_id, save_passkey
from tilewright.server.profiles import key_behind, save_link
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable
from tilewright.server.web import KEY_COOKIE
from tilewright.view.picture.avatar import derived_avatar, draw_avatar, is_avatar

AVATAR = "bybywybyb"


def save(person: Person, name: str, avatar: str = AVATAR) -> None:
    answer = person.http.put("/api/person/profile", json={"name": name, "avatar": avatar}, headers=person.headers)
    assert answer.status_code == 200, answer.text
    person.key = person.key or person.http.cookies[KEY_COOKIE]


def link_of(person: Person) -> str:
    """The secret of a new private link."""
    path, secret = person.post("/api/person/link").json()["url"].split("#")
    assert path == "/profile/link"
    return str(secret)


def claim(person: Person, secret: str) -> None:
    """Open a private link on another device."""
    person.http.cookies.clear()
    answer = person.http.post("/api/person/claim", json={"secret": secret}, headers=person.headers)
    assert answer.status_code == 200, answer.text
    person.key = person.http.cookies[KEY_COOKIE]


def test_a_private_link_carries_everything_to_another_device(members: Callable[[], Person]):
    ada, phone, thief = members(), members(), members()
    table = ada.open("me", "bot", names=("Ada", ""))
    save(ada, "  Ada  Lovelace ")
    secret = link_of(ada)
    assert "seats" in phone.read(table)
    claim(phone, secret)
    found = phone.get("/api/person/profile").json()
    assert (found["name"], found["avatar"]) == ("Ada Lovelace", AVATAR)
    assert [game["id"] for game in phone.get("/api/person").json()["games"]] == [table]
    assert phone.read(table)["seats"][0]["you"]
    newer = link_of(phone)
    refused(thief.post("/api/person/claim", {"secret": secret}), 404, "replaced")
    assert ada.http.delete("/api/person/link", headers=ada.headers).status_code == 204
    refused(thief.post("/api/person/claim", {"secret": newer}), 404, "replaced")
    assert phone.read(table)["seats"][0]["you"], "a device that has the profile keeps it"


def test_who_types_no_name_plays_under_the_name_of_the_profile(members: Callable[[], Person]):
    ada, bob = members(), members()
    save(ada, "Ada")
    save(bob, "Bob")
    table = ada.open("me", "friend", "invite")
    bob.join(table)
    assert [seat["name"] for seat in ada.read(table)["seats"]] == ["Ada", "Player 2", "Bob"]
    other = ada.open("me", "invite", names=("Countess", ""))
    bob.join(other, "Babbage")
    assert [seat["name"] for seat in ada.read(other)["seats"]] == ["Countess", "Babbage"]


def test_the_database_holds_neither_the_key_nor_the_secret(where: str):
    store = Store(where)
    key, secret = "a key of a browser", "the secret of a link"
    save_link(store, key, secret)
    assert key_behind(store, secret) == key
    assert key_behind(store, "another secret than that") is None
    rows = store.database.read("select * from links")
    assert key not in str(rows)
    assert secret not in str(rows)
    assert bytes.fromhex(rows[0][2]) != key.encode()
    store.close()


def test_everything_can_be_exported_and_deleted(members: Callable[[], Person]):
    ada, phone = members(), members()
    save(ada, "Ada")
    secret = link_of(ada)
    told = ada.get("/api/person").json()["profile"]
    assert (told["name"], told["avatar"]) == ("Ada", AVATAR)
    assert told["linked"] is not None
    ada.http.delete("/api/person", headers=ada.headers)
    assert ada.get("/api/person").json()["profile"]["name"] == ""
    refused(phone.post("/api/person/claim", {"secret": secret}), 404, "does not open a profile")


def test_results_are_counted_by_game_and_opponents(members: Callable[[], Person]):
    ada = members()
    alone = ada.open("me", "friend", game="azul-mini")
    ada.play_out(alone)
    table = ada.open("me", "bot", game="azul-mini")
    now = ada.read(table)
    while now["over"] is None:
        if now["turn"] == 1:
            ada.play(table, now["legal"][0]["number"], now["event"])
            now = ada.read(table)
        else:
            now = ada.read(table, after=now["event"], wait=20)
    (found,) = ada.get("/api/person/profile").json()["results"]
    assert found["opponents"] == "random", "a game against oneself does not count"
    assert (found["game"], found["games"], found["won"]) == ("azul-mini", 1, int(1 in now["over"]["winners"]))
    assert found["best"] == found["mean"] == now["scores"][0]
    assert "Azul Mini" in ada.get("/profile", headers={"Cookie": f"{KEY_COOKIE}={ada.key}"}).text


def finished(number: int, bots: tuple[str, ...], scores: list[int], **changes: object) -> StoredTable:
    seats = (StoredSeat("human", "Ada", hash_key("ada")), *(StoredSeat("bot", bot=bot) for bot in bots))
    winners = [n for n, score in enumerate(scores, start=1) if score == max(scores)]
    table = StoredTable(f"{number:020}", "azul", len(seats), {}, "00", seats=seats, result=Result(scores, winners))
    for name, value in changes.items():
        object.__setattr__(table, name, value)
    return table


class Reading:
    """Reads from a store as the tables of a server do, and counts how often."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0

    async def read(self, read: Callable[[Store], Any]) -> Any:
        self.reads += 1
        return read(self._store)


def achievements_in(store: Store, key_hash: str) -> Achievements:
    return asyncio.run(achievements_of(cast("Rooms", Reading(store)), key_hash))


def test_others_can_read_while_the_reviews_of_a_long_profile_are_counted(where: str):
    with closing(Store(where)) as store:
        for number in range(25):
            store.add_table(finished(number, ("level3",), [50, 40]))
        reading = Reading(store)
        found = asyncio.run(achievements_of(cast("Rooms", reading), hash_key("ada")))
    assert [one.games for one in found.results] == [25]
    assert reading.reads == 4


def test_grades_are_added_up_over_reviewed_games(where: str):
    store = Store(where)
    for number, scores in ((1, [50, 40]), (2, [30, 40]), (3, [40, 40])):
        store.add_table(finished(number, ("level3",), scores))
    store.add_table(finished(4, ("level1", "level5"), [10, 20, 30]))
    store.add_table(finished(5, ("level3",), [99, 0], guided=True))
    for number in (1, 2):
        seats = [{"grades": {"best": 10, "blunder": number}}, {"grades": {"best": 99}}]
        store.save_review(f"{number:020}", json.dumps({"seats": seats}))
    store.save_review(f"{3:020}", json.dumps({"seats": None, "progress": 0.5}))
    found = achievements_in(store, hash_key("ada"))
    assert [(one.players, one.opponents, one.games, one.won, one.mean, one.best) for one in found.results] == [
        (2, "level3", 3, 2, 40.0, 50),
        (3, "level5", 1, 0, 10.0, 10),
    ]
    (mistakes,) = found.mistakes
    assert (mistakes.reviewed, mistakes.moves, dict(mistakes.grades)) == (2, 23, {"best": 20, "blunder": 3})
    assert achievements_in(store, hash_key("bob")).results == []
    store.close()


def test_avatars_are_drawn_and_others_are_refused(members: Callable[[], Person]):
    ada = members()
    answer = ada.get(f"/avatar/{AVATAR}.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.text == draw_avatar(AVATAR)
    for wrong in ("bybywyby", "bybywybyx", "<script>>"):
        assert ada.get(f"/avatar/{wrong}.svg").status_code == 404
    wrong_body = ada.http.put("/api/person/profile", json={"name": "Ada", "avatar": "x" * 9})
    refused(wrong_body, 422, "avatar")
    made = {derived_avatar("Ada", n) for n in range(24)}
    assert len(made) > 20
    assert all(is_avatar(one) and one == one[::-1] for one in made)


def test_a_passkey_with_a_challenge_that_is_none_is_refused(me: Person):
    data = base64.urlsafe_b64encode(b'{"type": "x", "challenge": 1, "origin": "x"}').decode().rstrip("=")
    response = {"clientDataJSON": data, "attestationObject": "AAAA", "authenticatorData": "AAAA", "signature": "AAAA"}
    credential = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response}
    for call in ("passkeys", "passkeys/claim"):
        refused(me.post(f"/api/person/{call}", {"credential": credential}), 400, "cannot be used")


def test_a_second_passkey_with_the_same_id_is_refused(where: str):
    with closing(Store(where)) as store:
        save_passkey(store, b"same", Passkey("a", b"key", 0, "sealed"))
        with pytest.raises(RequestError, match="passkey with this id already"):
            save_passkey(store, b"same", Passkey("b", b"other", 0, "sealed"))
        assert passkey_with_id(store, b"same") == Passkey("a", b"key", 0, "sealed")
