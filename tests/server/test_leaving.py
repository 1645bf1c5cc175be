"""Leaving a table for good, and who starts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from people import Person, refused, table_request

pytestmark = pytest.mark.usefixtures("unhurt")


def kinds(person: Person, table: str) -> list[str]:
    return [seat["kind"] for seat in person.read(table)["seats"]]


def listed(person: Person, table: str) -> bool:
    """Whether the home page of a person has the table."""
    return table in person.get("/lists", headers={"Cookie": f"tilewright_key={person.key}"}).text


def test_before_the_game_a_seat_is_free_again(me: Person, friend: Person, person: Callable[[], Person]):
    table = me.open("me", "invite", "invite")
    friend.join(table, "Bob")
    assert friend.post(f"/api/tables/{table}/leave").json() == {"seats": [2]}
    assert kinds(me, table) == ["human", "invite", "invite"]
    assert person().join(table, "Cleo") == 2
    refused(friend.post(f"/api/tables/{table}/leave"), 403, "no seat")


def test_a_table_that_everybody_has_left_is_no_longer_offered(me: Person, stranger: Person):
    table = me.open("me", "open")
    assert listed(stranger, table)
    me.post(f"/api/tables/{table}/leave")
    assert not listed(stranger, table)
    assert not listed(me, table)


def test_a_bot_plays_on_for_somebody_who_resigns(
    me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    event = me.play_first(table)
    assert listed(friend, table)
    friend.post(f"/api/tables/{table}/leave")
    assert kinds(me, table) == ["human", "bot"]
    assert not listed(friend, table)
    assert me.read(table, after=event, wait=20)["event"] > event, "the bot has moved"
    refused(friend.post(f"/api/tables/{table}/return"), 403)


def test_a_finished_game_leaves_only_my_own_list(me: Person, friend: Person, table: str):
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    names = [seat["name"] for seat in me.read(table)["seats"]]
    me.post(f"/api/tables/{table}/leave")
    assert not listed(me, table)
    assert listed(friend, table)
    assert [seat["name"] for seat in friend.read(table)["seats"]] == names
    rematch = friend.post(f"/api/tables/{table}/rematch").json()["id"]
    assert sorted(kinds(friend, rematch)) == ["human", "invite"], "whoever has left need not come"


def starters(person: Person, starter: object, tables: int = 1) -> set[str]:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "friend", "name": "Bob"}, {"kind": "friend", "name": "Cleo"}]
    found = set()
    for _ in range(tables):
        answer = person.post("/api/tables", table_request(players=3, seats=seats, starter=starter))
        person.key = answer.json()["key"] or person.key
        now = person.read(answer.json()["id"])
        names = [seat["name"] for seat in now["seats"]]
        assert "".join(name[0] for name in names) in "ABCABC", "the others follow in their order"
        found.add(names[now["turn"] - 1])
    return found


def test_the_chosen_player_starts_and_else_chance_decides(me: Person):
    assert [starters(me, seat) for seat in (1, 2, 3)] == [{"Ada"}, {"Bob"}, {"Cleo"}]
    assert len(starters(me, "random", tables=40)) == 3
    refused(me.post("/api/tables", table_request(starter=3)), 400, "cannot start")
