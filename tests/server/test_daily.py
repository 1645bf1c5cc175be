"""The daily table: the same deals for everybody, one attempt, and nothing to be learnt beforehand."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from people import Person, begin, people_at, refused
from real_server import ProcessServer, ThreadServer

import tilewright as tw
from tilewright.server import app, days
from tilewright.server.daily import DailyResult, results_of
from tilewright.server.limits import DAILY_ATTEMPTS
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable

DAY = date(2100, 5, 4)
"""In the future, so that games end before it does."""


@pytest.fixture(autouse=True)
def calendar(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets it be another day: the number of days after the first."""

    def go_to(after: int) -> None:
        monkeypatch.setattr(days, "today", (DAY + timedelta(days=after)).isoformat)

    go_to(0)
    return go_to


def sit_down(person: Person, name: str) -> str:
    """Begin the attempt of today; the id of the table."""
    answer = person.post("/api/daily", {"name": name})
    assert answer.status_code == 201, answer.text
    person.key = answer.json()["key"] or person.key
    return str(answer.json()["id"])


def play_to_the_end(person: Person, table: str, seed: int = 0) -> None:
    """Play anything in my seat, and wait for the bot in between."""
    dice, now = random.Random(seed), person.read(table)
    mine = next(seat["seat"] for seat in now["seats"] if seat["you"])
    while now["over"] is None:
        if now["turn"] == mine:
            answer = person.play(table, dice.choice(now["legal"])["number"], now["event"])
            assert answer.status_code == 200, answer.text
            now = person.read(table)
        else:
            now = person.read(table, after=now["event"], wait=20)


def draws_of(person: Person, table: str) -> list[str]:
    return [line for line in person.read(table)["events"] if line.startswith("draw")]


def test_everybody_gets_the_same_deals_against_the_same_bot(members: Callable[[], Person]):
    ada, bob = members(), members()
    one, other = sit_down(ada, "Ada"), sit_down(bob, "Bob")
    assert one != other
    assert draws_of(ada, one) == draws_of(bob, other)
    assert ada.read(one)["seed_hash"] == bob.read(other)["seed_hash"]
    seats = [[seat["kind"] for seat in person.read(table)["seats"]] for person, table in ((ada, one), (bob, other))]
    assert seats[0] == seats[1]
    assert sorted(seats[0]) == ["bot", "human"]
    play_to_the_end(ada, one, seed=1)
    play_to_the_end(bob, other, seed=2)
    rounds = 4
    assert draws_of(ada, one)[:rounds] == draws_of(bob, other)[:rounds], "whatever was played"


def test_there_is_one_attempt_and_it_can_be_resumed(members: Callable[[], Person]):
    ada = members()
    assert ada.get("/api/daily").json()["status"] == "open"
    table = sit_down(ada, "Ada")
    assert sit_down(ada, "Ada again") == table
    found = ada.get("/api/daily").json()
    assert (found["status"], found["table"], found["today"]) == ("playing", table, None)
    play_to_the_end(ada, table)
    assert sit_down(ada, "Ada") == table
    found = ada.get("/api/daily").json()
    assert found["status"] == "over"
    assert [(entry["name"], entry["rank"], entry["you"]) for entry in found["today"]["results"]] == [("Ada", 1, True)]
    assert found["today"]["results"][0]["score"] in ada.read(table)["scores"]


def test_whoever_leaves_has_had_their_attempt(members: Callable[[], Person]):
    ada, bob = members(), members()
    table, theirs = sit_down(ada, "Ada"), sit_down(bob, "Bob")
    play_to_the_end(bob, theirs)
    assert ada.post(f"/api/tables/{table}/leave").status_code == 200
    assert sit_down(ada, "Ada") == table
    found = ada.get("/api/daily").json()
    assert found["status"] == "over"
    assert [entry["name"] for entry in found["today"]["results"]] == ["Bob"]
    assert ada.get("/daily").status_code == ada.get(f"/t/{theirs}/replay").status_code == 200


def test_no_hints_no_takebacks(members: Callable[[], Person]):
    ada = members()
    table = sit_down(ada, "Ada")
    with ada.watch(table) as line:
        state = begin(line)
        assert state["hints"] is None
        now = ada.read(table)
        while now["turn"] != next(seat["seat"] for seat in now["seats"] if seat["you"]):
            now = ada.read(table, after=now["event"], wait=20)
        line.send("hint", more=True, after=now["event"])
        assert line.hear("error")["code"] == "no_hints"
        line.send("evaluation", on=True)
        assert line.hear("error")["code"] == "no_evaluation"
        line.send("allow_hints")
        assert line.hear("error")["code"] == "no_hints"
        ada.play(table, now["legal"][0]["number"], now["event"])
        line.send("takeback")
        assert line.hear("error")["code"] == "no_takebacks"


def test_the_engine_does_not_help_those_who_are_still_playing(
    members: Callable[[], Person], calendar: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
):
    ada, bob, refusal = members(), members(), "while you are playing a rated game or today’s daily table"
    table = sit_down(ada, "Ada")
    position = {"position": ada.read(table)["position"]}
    body = {**position, "spot": "no such spot"}
    record = ada.get(f"/api/tables/{table}/record").text
    retyped = {"record": "\n".join(line for line in record.splitlines() if not line.startswith("secret hash"))}
    monkeypatch.setattr("tilewright.server.person.BEING_PLAYED", 0.0)  # a pause makes no difference
    refused(ada.post("/api/analysis", position), 403, refusal)
    refused(ada.post("/api/analysis/what-if", body), 403, refusal)
    refused(ada.post("/api/reviews", retyped), 403, refusal)
    refused(bob.post("/api/analysis/what-if", body), 400, "not legal")
    calendar(1)
    refused(ada.post("/api/analysis/what-if", body), 400, "not legal")
    calendar(0)
    ada.post(f"/api/tables/{table}/leave")
    refused(ada.post("/api/analysis/what-if", body), 400, "not legal")
    assert ada.post("/api/reviews", retyped).status_code == 201


def test_nobody_learns_the_deals_of_today_before_they_have_played_them(members: Callable[[], Person]):
    ada, bob = members(), members()
    table = sit_down(ada, "Ada")
    play_to_the_end(ada, table)
    assert ada.read(table)["over"]["seed"] is None, "the secret of the deals is told when the day is over"
    assert "\nsecret:" not in ada.get(f"/api/tables/{table}/record").text
    assert ada.get(f"/api/tables/{table}/events").json()["seed"] is None
    paths = [f"/api/tables/{table}{rest}" for rest in ("", "/view", "/record", "/events")]
    for path in [
        *paths,
        f"/api/reviews/{table}/game",
        f"/api/reviews/{table}/picture/1.svg",
        f"/api/analysis/games/{table}",
        f"/analysis/{table}",
        f"/t/{table}",
        f"/t/{table}/replay",
        f"/review/{table}",
    ]:
        assert bob.get(path).status_code == 403, path
    with bob.watch(table) as line:
        assert line.hear("error")["code"] == "daily_first"
    own = sit_down(bob, "Bob")
    refused(bob.get(f"/api/tables/{table}"), 403, "play today’s game yourself")
    play_to_the_end(bob, own)
    assert bob.read(table)["over"]["seed"] is None
    assert bob.get(f"/t/{table}/replay").status_code == 200
    assert len(bob.get("/api/daily").json()["today"]["results"]) == 2


def test_the_next_day_brings_new_deals_and_yesterdays_best_game(
    members: Callable[[], Person], calendar: Callable[[int], None]
):
    ada, bob = members(), members()
    table = sit_down(ada, "Ada")
    play_to_the_end(ada, table)
    first = draws_of(ada, table)
    calendar(1)
    found = bob.get("/api/daily").json()
    assert found["status"] == "open"
    assert [entry["name"] for entry in found["yesterday"]["results"]] == ["Ada"]
    watched = found["yesterday"]["results"][0]["replay"]
    assert bob.get(watched).status_code == 200
    assert bob.read(table)["over"]["seed"] is not None
    record = tw.read_record(bob.get(f"/api/tables/{table}/record").text)
    assert record.secret is not None
    again = sit_down(ada, "Ada")
    assert again != table
    assert draws_of(ada, again)[0] != first[0]


def test_a_person_who_is_forgotten_is_no_longer_in_the_results(members: Callable[[], Person]):
    ada, bob = members(), members()
    for person, name in ((ada, "Ada"), (bob, "Bob")):
        play_to_the_end(person, sit_down(person, name))
    ada.http.delete("/api/person", headers=ada.headers)
    assert [entry["name"] for entry in bob.get("/api/daily").json()["today"]["results"]] == ["Bob"]


# Results ------------------------------------------------------------------------------------------------


def finished(number: int, name: str, scores: list[int], winners: list[int], ended: float) -> StoredTable:
    seats = (StoredSeat("human", name, f"key {number}"), StoredSeat("bot", bot="level3"))
    return StoredTable(
        f"{number:020}", "azul", 2, {}, "00", daily=DAY.isoformat(), seats=seats, result=Result(scores, winners),
        ended=ended,
    )  # fmt: skip


def test_results_are_ranked_by_wins_and_margins_and_late_games_do_not_count(where: str):
    noon = days.end_of(DAY.isoformat()) - 12 * 3600
    store = Store(where)
    for table in (
        finished(1, "lost", [50, 51], [2], noon),
        finished(2, "won", [40, 30], [1], noon),
        finished(3, "won higher", [60, 50], [1], noon),
        finished(4, "won later", [60, 50], [1], noon + 1),
        finished(5, "shared", [50, 50], [1, 2], noon),
        finished(6, "late", [99, 0], [1], noon + 24 * 3600),
    ):
        store.add_table(table)
    found = results_of(store, DAY.isoformat())
    assert [one.name for one in found] == ["won higher", "won later", "won", "shared", "lost"]
    assert found[0] == DailyResult(f"{3:020}", "won higher", 60, 50, True, noon)
    assert [one.margin for one in found] == [10, 10, 10, 0, -1]
    assert results_of(store, (DAY + timedelta(days=1)).isoformat()) == []
    store.close()


# The server ---------------------------------------------------------------------------------------------


def test_one_address_cannot_try_the_deals_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "_warm_up", lambda: None)
    with ThreadServer(app.make_app(tmp_path / "strict.db", Settings(thinking=60.0))) as strict:
        for _ in range(int(DAILY_ATTEMPTS.burst)):
            with people_at(strict.url) as make:
                sit_down(make(), "Ada")
        with people_at(strict.url) as make:
            refused(make().post("/api/daily", {"name": "Ada"}), 429, "too many daily games")


@pytest.mark.slow
def test_a_daily_table_survives_a_restart(process_server: ProcessServer):
    process_server.start()
    with people_at(process_server.url) as make:
        ada, again = make(), make()
        table = sit_down(ada, "Ada")
        before = ada.read(table)
        process_server.kill()
        process_server.start()
        again.key = ada.key
        assert sit_down(again, "Ada") == table
        assert again.read(table)["events"][: before["event"]] == before["events"]
