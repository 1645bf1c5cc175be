"""Rated games: no help, no takebacks, no way out; and each counts exactly once, on both databases."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from people import PATIENCE, Person, begin, people_at, refused, table_request
from real_server import ThreadServer
from services import PostgresServer
from websockets.sync.client import connect

from tilewright.server.rating import Rating
from tilewright.server.ratings import count_game, leaders, rating_of, ratings_of
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable

ADA, BOB = "key of Ada", "key of Bob"


@pytest.fixture(autouse=True)
def quick_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who leaves is replaced by a bot that plays anything."""
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")


@pytest.fixture
def pair(club: ThreadServer) -> Iterator[tuple[Person, Person, str]]:
    """Two people at a rated table."""
    with people_at(club.url) as make:
        ada, bob = make(), make()
        table = ada.open("me", "open", game="azul-mini", names=("Ada", ""), rated=True)
        bob.join(table, "Bob")
        yield ada, bob, table


def play_to_the_end(players: list[Person], table: str) -> None:
    dice = random.Random(5)
    while (now := players[0].read(table))["over"] is None:
        mover = players[now["turn"] - 1]
        answer = mover.play(table, dice.choice(now["legal"])["number"], now["event"])
        assert answer.status_code == 200, answer.text


def shown(person: Person) -> list[tuple[int, int]]:
    """The ratings of a person and how many games they come from."""
    return [(one["rating"], one["games"]) for one in person.get("/api/person/profile").json()["ratings"]]


def test_the_winner_gains_what_the_loser_loses(pair: tuple[Person, Person, str]):
    ada, bob, table = pair
    assert shown(ada) == []
    play_to_the_end([ada, bob], table)
    winners = ada.read(table)["over"]["winners"]
    ((one, games),), ((other, _),) = shown(ada), shown(bob)
    assert games == 1
    assert one + other == pytest.approx(2000, abs=1)
    assert (one > other, one < other) == ((winners == [1]), (winners == [2]))
    board = ada.get("/api/leaderboard", params={"game": "azul-mini"}).json()["entries"]
    people = [entry for entry in board if entry["bot"] is None]
    assert sorted(entry["you"] for entry in people) == [False, True]
    assert sorted(entry["name"] for entry in people) == ["Ada", "Bob"], "they have saved no profile"
    if one != other:
        assert people[0]["you"] == (one > other)
    assert all(entry["provisional"] and entry["rank"] is None for entry in people)
    assert len(board) == 2 + 6
    assert ada.get("/leaderboard?game=azul-mini").status_code == 200
    assert ada.get("/api/leaderboard", params={"game": "chess"}).status_code == 404


def test_a_game_on_two_processes_counts_once(neighbours: tuple[Person, Person]):
    ada, bob = neighbours
    table = ada.open("me", "open", game="azul-mini", rated=True)
    bob.join(table)
    with ada.watch(table), bob.watch(table):
        play_to_the_end([ada, bob], table)
    assert [games for _, games in (*shown(ada), *shown(bob))] == [1, 1]


def test_no_help_and_no_takebacks(pair: tuple[Person, Person, str]):
    ada, _, table = pair
    with ada.watch(table) as line:
        state = begin(line)
        assert state["hints"] is None
        line.send("hint", more=True, after=state["event"])
        assert line.hear("error")["code"] == "no_hints"
        line.send("allow_hints")
        assert line.hear("error")["code"] == "no_hints"
        line.send("evaluation", on=True)
        assert line.hear("error")["code"] == "no_evaluation"
        ada.play_first(table)
        line.send("takeback")
        assert line.hear("error")["code"] == "no_takebacks"


def test_the_analysis_board_does_not_help_either(pair: tuple[Person, Person, str]):
    ada, _, table = pair
    position = ada.read(table)["position"]
    body = {"position": position, "spot": "factory-1/b"}
    refused(ada.post("/api/analysis/what-if", body), 403, "while you are playing a rated game")
    refused(ada.post("/api/analysis", {"position": position}), 403, "while you are playing a rated game")
    address = f"{ada.url.replace('http', 'ws')}/api/analysis/engine"
    with connect(address, additional_headers=ada.headers, proxy=None) as engine:
        engine.send(json.dumps({"type": "analyse", "position": position, "lines": 1, "number": 1}))
        assert json.loads(engine.recv(PATIENCE))["code"] == "no_analysis"
    ada.post(f"/api/tables/{table}/leave")
    assert ada.post("/api/analysis/what-if", body).status_code != 403


def test_nor_does_the_review_of_the_same_game_typed_in_again(pair: tuple[Person, Person, str]):
    """Without the hash of its secret, the record does not show that the game goes on."""
    ada, _, table = pair
    ada.play_first(table)
    record = ada.get(f"/api/tables/{table}/record").text
    retyped = "\n".join(line for line in record.splitlines() if not line.startswith("secret hash"))
    refused(ada.post("/api/reviews", {"record": record}), 403, "while you are playing a rated game")
    refused(ada.post("/api/reviews", {"record": retyped}), 403, "while you are playing a rated game")
    ada.post(f"/api/tables/{table}/leave")
    assert ada.post("/api/reviews", {"record": retyped}).status_code == 201


def test_whoever_leaves_has_lost_at_once(pair: tuple[Person, Person, str]):
    ada, bob, table = pair
    ada.play_first(table)
    assert ada.post(f"/api/tables/{table}/leave").status_code == 200
    ((one, _),), ((other, _),) = shown(ada), shown(bob)
    assert one < 1000 < other
    refused(ada.post(f"/api/tables/{table}/return"), 403, "clock ran out|left")
    now = bob.read(table)
    while now["over"] is None:
        if now["turn"] == 2:
            bob.play(table, now["legal"][0]["number"], now["event"])
            now = bob.read(table)
        else:
            now = bob.read(table, after=now["event"], wait=20)
    assert (shown(ada), shown(bob)) == ([(one, 1)], [(other, 1)]), "it does not count again when it ends"


def test_nobody_is_seated_in_a_rated_rematch_without_having_asked_for_it(pair: tuple[Person, Person, str]):
    """Otherwise a winner could go on winning against somebody who has closed the page."""
    ada, bob, table = pair
    play_to_the_end([ada, bob], table)
    before = shown(bob)
    again = ada.post(f"/api/tables/{table}/rematch").json()
    assert again["seats"] == [2]
    now = ada.read(again["id"])
    assert [seat["kind"] for seat in now["seats"]] == ["invite", "human"]
    assert now["turn"] is None
    assert ada.get("/api/tables").json() == [], "it is kept for those who played"
    ada.post(f"/api/tables/{again['id']}/leave")
    assert shown(bob) == before
    third = bob.post(f"/api/tables/{table}/rematch").json()
    assert third["id"] == again["id"], "a game has one rematch"
    assert third["seats"] == [1]
    assert bob.read(third["id"])["seats"][0]["name"] == "Bob"


def test_a_rated_rematch_begins_when_both_have_asked_for_it(pair: tuple[Person, Person, str]):
    ada, bob, table = pair
    play_to_the_end([ada, bob], table)
    again = bob.post(f"/api/tables/{table}/rematch").json()
    assert again["seats"] == [1]
    assert ada.post(f"/api/tables/{table}/rematch").json() == {**again, "seats": [2]}
    assert bob.post(f"/api/tables/{table}/rematch").json() == again, "to ask again changes nothing"
    assert [seat["name"] for seat in ada.read(again["id"])["seats"]] == ["Bob", "Ada"]
    play_to_the_end([bob, ada], again["id"])
    assert [games for _, games in (*shown(ada), *shown(bob))] == [2, 2]


def test_the_seat_in_a_rated_rematch_is_kept_for_whoever_played(pair: tuple[Person, Person, str], club: ThreadServer):
    ada, bob, table = pair
    play_to_the_end([ada, bob], table)
    again = ada.post(f"/api/tables/{table}/rematch").json()["id"]
    with people_at(club.url) as make:
        stranger = make()
        for seat in (None, 1):
            refused(stranger.post(f"/api/tables/{again}/join", {"seat": seat}), 403, "kept for the players")
        refused(ada.post(f"/api/match/{again}/bot"), 403, "kept for the players")
        may_join = [one.get(f"/api/tables/{again}/view").json()["may_join"] for one in (stranger, ada, bob)]
        assert may_join == [False, False, True]
        assert f"/t/{again}" in ada.get("/lists", headers={"Cookie": f"tilewright_key={ada.key}"}).text
        assert f"/t/{again}" not in bob.get("/lists", headers={"Cookie": f"tilewright_key={bob.key}"}).text
        ada.post(f"/api/tables/{again}/leave")
        refused(stranger.post(f"/api/tables/{again}/join", {}), 403, "kept for the players")
        assert bob.join(again, "Bob") == 1
        assert ada.join(again, "Ada") == 2
    play_to_the_end([bob, ada], again)
    assert [games for _, games in (*shown(ada), *shown(bob))] == [2, 2]


def test_leaving_before_the_game_costs_nothing(club: ThreadServer):
    with people_at(club.url) as make:
        ada = make()
        table = ada.open("me", "open", rated=True)
        ada.post(f"/api/tables/{table}/leave")
        assert shown(ada) == []


def test_seats_that_a_rated_game_cannot_have(club: ThreadServer):
    with people_at(club.url) as make:
        ada = make()
        refused(ada.post("/api/tables", table_request(rated=True)), 403, "in a rated game everybody has one seat")
        bots = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        refused(ada.post("/api/tables", table_request(rated=True, seats=bots)), 403, "not measured")
        table = ada.open("me", "open", "open", rated=True)
        refused(ada.post(f"/api/tables/{table}/join", {"seat": 2}), 403, "in a rated game everybody has one seat")
        assert ada.get("/api/tables").json()[0]["rated"] is True


def test_deleting_everything_deletes_ratings(pair: tuple[Person, Person, str]):
    ada, bob, table = pair
    ada.play_first(table)
    bob.post(f"/api/tables/{table}/leave")
    assert len(ada.get("/api/person").json()["ratings"]) == 1
    ada.http.delete("/api/person", headers=ada.headers)
    assert shown(ada) == []
    assert len(shown(bob)) == 1


# The store ----------------------------------------------------------------------------------------------


def finished(number: int, *seats: StoredSeat) -> StoredTable:
    return StoredTable(f"{number:020}", "azul", len(seats), {}, "00", rated=True, seats=seats)


def human(key: str) -> StoredSeat:
    return StoredSeat("human", key, key)


def test_a_game_counts_once_however_often_it_is_told(where: str):
    with closing(Store(where)) as store:
        table = finished(1, human(ADA), human(BOB))
        store.add_table(table)
        assert count_game(store, table, Result([50, 40], [1]))
        before = rating_of(store, ADA, "azul", 2)
        assert before.games == 1
        assert not count_game(store, table, Result([50, 40], [2]))
        assert not count_game(store, table, None)
        assert rating_of(store, ADA, "azul", 2) == before
        assert rating_of(store, ADA, "azul", 3) == Rating()


def test_bots_keep_their_strength_and_are_not_stored(where: str):
    with closing(Store(where)) as store:
        weak = finished(1, human(ADA), StoredSeat("bot", bot="level1"))
        strong = finished(2, human(BOB), StoredSeat("bot", bot="level5"))
        for table in (weak, strong):
            store.add_table(table)
            count_game(store, table, Result([50, 40], [1]))
        ada, bob = (rating_of(store, key, "azul", 2).shown for key in (ADA, BOB))
        assert 1000 < ada < bob
        assert store.database.read("select count(*) from ratings") == [(2,)]
        assert [one.key_hash for one in leaders(store, "azul", 2, 10)] == [BOB, ADA]


def test_games_that_end_at_once_in_several_processes_all_count(postgres: PostgresServer):
    """Every process has its own connections; the same people end many games, and each game is told by all of them."""
    where, processes, games = postgres.new_database(), 4, 24
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(Store(where))) for _ in range(processes)]
        tables = [finished(n, *(human(key) for key in random.Random(n).sample((ADA, BOB), 2))) for n in range(games)]
        for table in tables:
            stores[0].add_table(table)

        def tell(store: Store) -> int:
            order = random.Random(id(store)).sample(tables, games)
            return sum(count_game(store, table, Result([50, 40], [1])) for table in order)

        with ThreadPoolExecutor(processes) as pool:
            counted = list(pool.map(tell, stores))
        assert sum(counted) == games
        for key in (ADA, BOB):
            (own,) = ratings_of(stores[0], key)
            assert own.rating.games == games
