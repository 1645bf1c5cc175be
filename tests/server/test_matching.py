"""Quick match: who plays against whom, and that nobody is left behind or sits at two tables."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import Person, refused

from tilewright.server import match_api
from tilewright.server.matching import WIDENING, WINDOW, Seeker, bot_for, choose, is_match
from tilewright.server.web import KEY_COOKIE

NOW = 10_000.0
found_seekers = st.builds(Seeker, st.uuids().map(str), st.integers(0, 3000), st.floats(NOW - 600, NOW, allow_nan=False))


@given(found_seekers, st.lists(found_seekers, max_size=8))
def test_one_joins_the_closest_of_those_who_came_before(me: Seeker, others: list[Seeker]):
    chosen = choose(me, others, NOW)
    distances = [abs(other.rating - me.rating) for other in chosen]
    assert distances == sorted(distances)
    assert all(other.since <= me.since and is_match(me, other, NOW) for other in chosen)
    assert me not in choose(me, [me, *others], NOW)


@given(found_seekers, found_seekers)
def test_two_agree_on_whether_they_match_and_only_one_of_them_joins(one: Seeker, other: Seeker):
    assert is_match(one, other, NOW) == is_match(other, one, NOW)
    joins = [bool(choose(one, [other], NOW)), bool(choose(other, [one], NOW))]
    assert sum(joins) == is_match(one, other, NOW)


@given(found_seekers, found_seekers, st.floats(0, 1000))
def test_waiting_never_makes_a_match_impossible(one: Seeker, other: Seeker, more: float):
    assert not is_match(one, other, NOW) or is_match(one, other, NOW + more)


def test_the_window_widens_until_anybody_will_do():
    weak, strong = Seeker("a", 1000, NOW), Seeker("b", 2000, NOW)
    wait = (1000 - WINDOW) / WIDENING
    assert not is_match(weak, strong, NOW + wait - 1)
    assert is_match(weak, strong, NOW + wait)


def test_the_bot_that_is_offered_is_about_as_strong():
    assert [bot_for("azul", rating) for rating in (0, 1000, 1500, 9000)] == ["level1", "level2", "level3", "level6"]


# The server ---------------------------------------------------------------------------------------------


def look(person: Person, table: str | None = None, **body: Any) -> dict[str, Any]:
    answer = person.post("/api/match", {"name": "Ada", "table": table, **body})
    assert answer.status_code == 200, answer.text
    person.key = person.key or person.http.cookies[KEY_COOKIE]
    found: dict[str, Any] = answer.json()
    return found


def test_two_who_look_meet(members: Callable[[], Person]):
    ada, bob, cleo = members(), members(), members()
    waiting = look(ada)
    assert (waiting["status"], waiting["bot"]) == ("waiting", None)
    assert look(ada, waiting["table"])["table"] == waiting["table"]
    assert look(cleo, rated=True)["status"] == "waiting", "a rated game is another search"
    met = look(bob)
    assert (met["status"], met["table"]) == ("found", waiting["table"])
    assert look(ada, waiting["table"])["status"] == "found"
    assert bob.read(met["table"])["event"] == 1
    assert [game["id"] for game in bob.get("/api/person").json()["games"]] == [met["table"]]


def test_who_has_a_younger_table_gives_it_up(members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch):
    ada, bob = members(), members()
    with monkeypatch.context() as patch:
        patch.setattr(match_api, "choose", lambda *_: [])
        first, second = look(ada), look(bob)
    assert look(ada, first["table"])["status"] == "waiting", "the older one stays"
    met = look(bob, second["table"])
    assert (met["status"], met["table"]) == ("found", first["table"])
    assert [game["id"] for game in bob.get("/api/person").json()["games"]] == [first["table"]]
    assert second["table"] not in [table["id"] for table in ada.get("/api/tables").json()]


def test_who_no_longer_asks_is_not_found(members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch):
    ada, bob = members(), members()
    look(ada)
    monkeypatch.setattr("tilewright.server.matching.LOST", -1.0)
    assert look(bob)["status"] == "waiting"


def test_a_bot_after_a_while(members: Callable[[], Person], monkeypatch: pytest.MonkeyPatch):
    ada, bob = members(), members()
    waiting = look(ada, rated=True)
    monkeypatch.setattr(match_api, "BOT_AFTER", 0.0)
    assert look(ada, waiting["table"], rated=True)["bot"] == "level2"
    refused(bob.post(f"/api/match/{waiting['table']}/bot"), 403, "no seat")
    assert ada.post(f"/api/match/{waiting['table']}/bot").json()["status"] == "found"
    kinds = sorted(seat["kind"] for seat in ada.read(waiting["table"])["seats"])
    assert kinds == ["bot", "human"]
    refused(ada.post(f"/api/match/{waiting['table']}/bot"), 403, "every seat")


def test_to_look_no_longer(members: Callable[[], Person]):
    ada, bob = members(), members()
    waiting = look(ada)
    assert ada.post(f"/api/match/{waiting['table']}/end").status_code == 204
    assert ada.get("/api/tables").json() == []
    assert look(bob)["table"] != waiting["table"]
    assert ada.post(f"/api/match/{look(bob)['table']}/end").status_code == 204, "a stranger ends nothing"


def test_many_who_look_at_once_sit_at_one_table_each(members: Callable[[], Person]):
    """Whoever does not find anybody at first asks again, as the page does."""
    people = [members() for _ in range(6)]

    def search(person: Person) -> str:
        now = look(person)
        for _ in range(200):
            if now["status"] == "found":
                break
            now = look(person, now["table"])
        return str(now["table"])

    with ThreadPoolExecutor(len(people)) as pool:
        tables = list(pool.map(search, people))
    assert sorted(tables.count(table) for table in set(tables)) == [2, 2, 2]
    for person, table in zip(people, tables, strict=True):
        assert [game["id"] for game in person.get("/api/person").json()["games"]] == [table]


def test_the_lobby_shows_ratings_and_games_to_watch(members: Callable[[], Person]):
    ada, bob, cleo = members(), members(), members()
    table = look(ada, rated=True)["table"]
    page = cleo.get("/lists").text
    assert "1000?" in page
    assert "Games to watch" not in page
    look(bob, rated=True)
    page = cleo.get("/lists").text
    assert "Games to watch" in page
    assert f'href="/t/{table}"' in page
    private = ada.open("me", "invite")
    cleo.join(private)
    assert private not in bob.get("/lists").text, "a game by invitation is nobody else's"
