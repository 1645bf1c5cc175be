"""The interface for programs: rematches, and seats that a bot keeps for their owners."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from people import Person, refused
from real_server import ThreadServer, wait_until

from tilewright.server.settings import Settings

pytestmark = pytest.mark.usefixtures("unhurt")


def test_a_rematch_seats_everybody_one_further_on(me: Person, friend: Person, stranger: Person):
    table = me.open("me", "invite", game="azul-mini", names=("Ada", ""))
    friend.join(table, "Bob")
    refused(me.post(f"/api/tables/{table}/rematch"), 403, "not over yet")
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    refused(stranger.post(f"/api/tables/{table}/rematch"), 403, "only players")
    mine = me.post(f"/api/tables/{table}/rematch").json()
    theirs = friend.post(f"/api/tables/{table}/rematch").json()
    assert mine["id"] == theirs["id"] == me.read(table)["rematch"] != table
    assert (mine["seats"], theirs["seats"]) == ([2], [1])
    again = me.read(mine["id"])
    assert [seat["name"] for seat in again["seats"]] == ["Bob", "Ada"]
    assert again["seed_hash"] != now["seed_hash"]
    assert friend.play_first(mine["id"]) == 2


def test_two_rematches_at_once_are_one(me: Person, friend: Person):
    """Both ask in the same moment, and the bot, which sat third, comes to sit first and begins."""
    for _ in range(3):
        table = me.open("me", "bot", "invite", game="azul-mini")
        friend.join(table)
        while (now := me.read(table))["over"] is None:
            mover = {1: me, 3: friend}.get(now["turn"])
            if mover:
                assert mover.play(table, now["legal"][0]["number"], now["event"]).status_code == 200
        answers: dict[str, Any] = {}

        def ask(name: str, person: Person, table: str = table, answers: dict[str, Any] = answers) -> None:
            answers[name] = person.post(f"/api/tables/{table}/rematch").json()

        threads = [threading.Thread(target=ask, args=pair) for pair in (("me", me), ("friend", friend))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers["me"]["id"] == answers["friend"]["id"] != table
        assert (answers["me"]["seats"], answers["friend"]["seats"]) == ([3], [2])
        again = answers["me"]["id"]
        wait_until(lambda again=again: me.read(again)["event"] >= 2, "the bot should begin")
        begun = me.read(again)
        assert [line[0] for line in begun["events"][1:2]] == ["1"]
        assert begun["turn"] == 2
        assert len([line for line in begun["events"] if line.startswith("draw")]) == 1, "dealt once"


def test_a_substitute_takes_nothing_from_the_owner_of_the_seat(
    server: ThreadServer, me: Person, friend: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, absent=0.0))
    table = me.open("me", "invite", game="azul-mini", names=("Ada", ""))
    friend.join(table, "Ana")
    with me.watch(table) as line:
        line.send("replace", seat=2)
        while not line.hear("presence")["seats"][1]["substitute"]:
            pass
    seat = friend.read(table, language="fr")["seats"][1]
    assert (seat["name"], seat["kind"], seat["you"], seat["yours"]) == ("Ana (robot)", "bot", False, True)
    assert not me.read(table)["seats"][1]["yours"]
    listed = friend.get("/", headers={"Accept-Language": "it", "Cookie": f"tilewright_key={friend.key}"}).text
    assert f"/t/{table}" in listed
    assert "Ana (bot)" in listed
    refused(friend.play(table, 0), 403, "Ada’s turn")
    assert friend.post(f"/api/tables/{table}/return").json() == {"seats": [2]}
    refused(friend.post(f"/api/tables/{table}/return"), 403, "no bot is playing for you")
    assert [seat["name"] for seat in me.read(table)["seats"]] == ["Ada", "Ana"]
    me.play_first(table)
    friend.play_first(table)


def test_the_owner_of_a_substituted_seat_has_a_rematch(
    server: ThreadServer, me: Person, friend: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, absent=0.0))
    table = me.open("me", "invite", game="azul-mini")
    friend.join(table, "Ana")
    with me.watch(table) as line:
        line.send("replace", seat=2)
        while not line.hear("presence")["seats"][1]["substitute"]:
            pass
    while (now := me.read(table))["over"] is None:
        if now["turn"] == 1:
            me.play_first(table)
    refused(friend.post(f"/api/tables/{table}/return"), 403, "over")
    again = friend.post(f"/api/tables/{table}/rematch").json()
    assert again["seats"] == [1]
    assert [seat["name"] for seat in friend.read(again["id"])["seats"]] == ["Ana", "Player 2"]
    assert friend.play_first(again["id"]) == 2
