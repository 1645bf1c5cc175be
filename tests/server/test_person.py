"""What is stored about a person can be read and deleted, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import ANY

import pytest
from people import Person, begin, people_at
from real_server import ThreadServer, wait_until

from tilewright.server import app
from tilewright.server.reviews import ReviewedGame
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings

NOTHING = {
    "ratings": [],
    "games": [],
    "vacations": [],
    "notifications": [],
    "passkeys": [],
    "puzzles": {"ratings": [], "answers": []},
}


def stored_about(person: Person) -> dict[str, Any]:
    """What is stored, apart from the avatar that follows from a key whether or not anything is."""
    found: dict[str, Any] = person.get("/api/person").json()
    assert found.pop("profile") == {"name": "", "avatar": ANY, "linked": None}
    return found


@pytest.fixture
def server(where: str) -> Iterator[ThreadServer]:
    with ThreadServer(app.make_app(where, Settings(thinking=0.0, limits=0))) as running:
        yield running


@pytest.fixture
def people(server: ThreadServer) -> Iterator[tuple[Person, Person]]:
    with people_at(server.url) as make:
        yield make(), make()


def test_a_person_reads_what_is_stored_about_them(people: tuple[Person, Person]):
    me, friend = people
    assert stored_about(me) == NOTHING
    alone = me.open("me", "bot", names=("Ada", ""))
    shared = me.open("me", "invite", names=("Ada L.", ""))
    friend.join(shared, "Bob")
    me.play_first(shared)
    mine = me.get("/api/person").json()["games"]
    assert [game["id"] for game in mine] == [alone, shared]
    assert [game["seats"] for game in mine] == [[{"seat": 1, "name": "Ada"}], [{"seat": 1, "name": "Ada L."}]]
    assert mine[1]["events"] == me.read(shared)["events"]
    assert "Bob" not in str(mine), "what belongs to others is not told"
    assert [game["id"] for game in friend.get("/api/person").json()["games"]] == [shared]


def test_a_person_deletes_what_is_stored_about_them(people: tuple[Person, Person], server: ThreadServer):
    me, friend = people
    alone = me.open("me", "bot", names=("Ada", ""))
    finished = me.open("me", "friend", game="azul-mini")
    me.play_out(finished)
    rematch = me.post(f"/api/tables/{finished}/rematch").json()["id"]
    shared = me.open("me", "invite", names=("Ada", ""))
    friend.join(shared, "Bob")
    with friend.watch(shared) as theirs:
        assert begin(theirs)["event"] == 1
        answer = me.http.delete("/api/person", headers=me.headers)
        assert answer.json() == {"deleted": 3, "left": 1}
        while theirs.hear("presence")["seats"][0]["name"] == "Ada":
            pass
    for gone in (alone, finished, rematch):
        assert friend.get(f"/api/tables/{gone}").status_code == 404
    assert [seat["name"] for seat in friend.read(shared)["seats"]] == ["Player 1", "Bob"]
    assert stored_about(me) == NOTHING
    assert me.play(shared, friend.read(shared)["legal"][0]["number"] if friend.read(shared)["legal"] else 0).is_error
    stored = server.inside(lambda live: live._store.table(shared))
    assert stored is not None
    assert (stored.seats[0].name, stored.seats[0].key_hash) == ("", None)


def test_reviews_forget_the_name_too(members: Callable[[], Person]):
    me, friend = members(), members()
    table = me.open("me", "invite", game="azul-mini", names=("Zebedee", ""))
    friend.join(table, "Bob")
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    assert friend.post(f"/api/reviews/{table}").status_code == 200
    review = f"/api/reviews/{table}"
    wait_until(lambda: friend.get(review).json()["progress"] == 1, "the review should be complete")
    before = friend.get(review).json()
    assert "player 1: Zebedee" in before["record"]
    assert me.http.delete("/api/person", headers=me.headers).json() == {"deleted": 0, "left": 1}
    after = friend.get(review).json()
    assert "Zebedee" not in str(after)
    assert "player 2: Bob" in after["record"]
    assert after == {**before, "record": after["record"]}, "everything else is kept"
    assert friend.post(review).json()["progress"] == 1


def test_a_review_that_is_made_meanwhile_does_not_keep_what_was_deleted(
    club: ThreadServer, members: Callable[[], Person]
):
    me, friend = members(), members()
    alone = me.open("me", "friend", game="azul-mini", names=("Zebedee", "Zoe"))
    me.play_out(alone)
    shared = me.open("me", "invite", game="azul-mini", names=("Zebedee", ""))
    friend.join(shared, "Bob")
    while (now := me.read(shared))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(shared)

    async def begun(_: Rooms) -> list[ReviewedGame]:
        return [await club.app.state.reviews.game(table) for table in (alone, shared)]

    games = club.inside_async(begun)
    assert me.http.delete("/api/person", headers=me.headers).json() == {"deleted": 1, "left": 1}

    async def finish(rooms: Rooms) -> list[str | None]:
        for game in games:
            await club.app.state.reviews._store(game, {"progress": 1, "record": game.record.to_text()})
        return [await rooms.read(lambda store, game=game: store.review(game.id)) for game in games]

    deleted, kept = club.inside_async(finish)
    assert deleted is None
    assert kept is not None
    assert "Zebedee" not in kept
    assert "player 2: Bob" in kept


def test_what_somebody_has_written_goes_with_them_when_they_leave(
    me: Person, friend: Person, table: str, server: ThreadServer
):
    with me.watch(table) as mine:
        begin(mine)
        mine.send("write", text="Nobody else should read this")
        mine.hear("written")
    me.post(f"/api/tables/{table}/leave")

    async def stored(rooms: Rooms) -> list[object]:
        query = "select text from written where table_id = ?"
        return list(await rooms.read(lambda store: store.database.read(query, (table,))))

    assert server.inside_async(stored) == []


def test_a_stranger_has_nothing_to_read_or_to_delete(people: tuple[Person, Person]):
    me, stranger = people
    table = me.open("me", "bot")
    assert stranger.http.delete("/api/person").json() == {"deleted": 0, "left": 0}
    assert me.read(table)["event"] == 1
    foreign = me.http.delete("/api/person", headers={**me.headers, "Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403
    assert me.read(table)["event"] == 1
