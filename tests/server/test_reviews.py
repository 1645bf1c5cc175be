"""Reviews as programs ask for them: made in the background, kept, limited, and safe from what people upload."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from people import PATIENCE, Person, refused
from real_server import ProcessServer, ThreadServer

import tilewright as tw
from tilewright.server import gate, limits
from tilewright.server.reviewer import Reviewer
from tilewright.server.rooms import Rooms
from tilewright.server.store import Store

pytestmark = pytest.mark.usefixtures("unhurt")


@pytest.fixture
def played(me: Person) -> str:
    """A game of two that is over, both of whom were me."""
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    me.play_out(table)
    return table


def finished(person: Person, review: str) -> dict[str, Any]:
    """The review when it is complete."""
    deadline = time.monotonic() + PATIENCE
    while (found := person.get(f"/api/reviews/{review}").json())["progress"] != 1:
        assert time.monotonic() < deadline, found["progress"]
        time.sleep(0.1)
    return dict(found)


def reviewed(person: Person, review: str) -> dict[str, Any]:
    """Ask for a review and wait for it."""
    answer = person.post(f"/api/reviews/{review}")
    assert answer.status_code == 200, answer.text
    return finished(person, review)


def test_the_review_of_a_game_that_was_played_here(me: Person, stranger: Person, played: str):
    assert me.get(f"/api/reviews/{played}").json()["progress"] is None
    assert me.get(f"/api/reviews/{played}/told").json() == {"progress": None}
    review = tw.Review.from_dict(reviewed(me, played))
    assert review.is_complete
    assert review.record.names == ["Ada", "Bob"]
    told = stranger.get(f"/api/reviews/{played}/told").json()
    assert len(told["summary"]) == 2
    assert len(told["chances"]) == len(review.record.events) + 1
    assert len(told["totals"]) == 2
    compared = [move for move in told["moves"].values() if "better" in move]
    assert compared
    assert all(move["played"]["spots"] and move["better"]["scene"]["tiles"] for move in compared)
    french = me.get(f"/api/reviews/{played}/told", params={"language": "fr"}).json()
    assert french["summary"] != told["summary"]
    game = me.get(f"/api/reviews/{played}/game").json()
    assert len(game["moments"]) == len(told["chances"])
    assert game["names"] == ["Ada", "Bob"]


def test_a_game_that_goes_on_is_not_reviewed(me: Person):
    table = me.open("me", "friend")
    refused(me.post(f"/api/reviews/{table}"), 403, "not over")
    assert me.get(f"/review/{table}").status_code == 403
    record = me.get(f"/api/tables/{table}/record").text
    refused(me.post("/api/reviews", {"record": record}), 403, "not over")
    refused(me.post(f"/api/reviews/{'0' * 20}"), 404, "no such review")


def test_an_uploaded_record_has_one_review(me: Person, stranger: Person, played: str):
    record = me.get(f"/api/tables/{played}/record").text
    uploaded = me.post("/api/reviews", {"record": record})
    assert uploaded.status_code == 201, uploaded.text
    assert uploaded.json()["id"] != played
    same = stranger.post("/api/reviews", {"record": record.replace("\n\n", "\n# a remark\n\n")}).json()
    assert same["id"] == uploaded.json()["id"]
    assert reviewed(me, same["id"])["record"] == record
    assert me.get(same["url"]).status_code == 200


def test_a_record_that_is_wrong_says_where(me: Person, played: str):
    lines = me.get(f"/api/tables/{played}/record").text.splitlines()
    wrong = "\n".join([*lines[:-1], "1 nonsense"])
    refused(me.post("/api/reviews", {"record": wrong}), 400, f"line {len(lines)}")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This record cannot be used: its first line is not “tilewright record 1”."),
        ("fr", "Cette partie enregistrée ne peut pas être utilisée"),
        ("it", "Questa partita registrata non si può usare: la prima riga non è «tilewright record 1»."),
    ],
)
@pytest.mark.parametrize("path", ["/api/reviews", "/api/analysis/open"])
def test_readers_learn_in_their_language_what_is_wrong_with_a_record(
    me: Person, path: str, language: str, sentence: str
):
    field = "record" if path == "/api/reviews" else "text"
    headers = {"accept-language": language}
    answer = me.post(path, {field: "tilewright record 2"}, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_record"
    assert answer.json()["said"].replace("\N{NO-BREAK SPACE}", " ").startswith(sentence)


def test_the_fault_is_named_with_its_line(me: Person):
    whole = tw.Azul().start(seed=7).record(["Ada", "Bob"]).to_text()
    illegal = next(str(move) for move in tw.Azul().moves if move not in tw.read_record(whole).replay().legal_moves)
    line = len(whole.splitlines()) + 1
    finished = whole.replace("result: unfinished", "result: player 1 wins 30-12")
    result = next(n for n, one in enumerate(finished.splitlines(), start=1) if one.startswith("result"))
    for record, said in (
        (f"{whole}1 {illegal}\n", f"la mossa della riga {line} non è permessa: "),
        (f"{whole}1 hello\n", f"la riga {line} non è né una mossa di questo gioco né un’estrazione"),
        (f"{whole}2 {illegal}\n", f"alla riga {line} non tocca a quel giocatore"),
        (f"{whole}draw b\n", f"le piastrelle della riga {line} non si possono pescare"),
        (finished, f"dopo l’ultima riga la partita non è finita, eppure la riga {result} dà un risultato"),
        (whole.replace("result: unfinished\n", ""), "nell’intestazione manca la riga «result:»"),
        (whole.replace("players: 2", "players: 9"), "la riga 3 dell’intestazione è sbagliata"),
        (whole.split("\n\n")[0] + "\n", "non contiene nessuna mossa"),
        (f"{whole})\n", f"la variante o il commento della riga {line} è sbagliato"),
    ):
        answer = me.post("/api/reviews", {"record": record}, headers={"accept-language": "it"}).json()
        assert said in answer["said"], answer


def test_a_picture_of_any_position(me: Person, played: str):
    drawn = me.get(f"/api/reviews/{played}/picture/5.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert drawn.text != me.get(f"/api/reviews/{played}/picture/6.svg").text
    assert drawn.text != me.get(f"/api/reviews/{played}/picture/5.svg?theme=dark").text
    refused(me.get(f"/api/reviews/{played}/picture/9999.svg"), 404, "no such picture")


def test_trying_again_leaves_the_game_as_it_was(server: ThreadServer, me: Person, stranger: Person, played: str):
    before = me.get(f"/api/tables/{played}/record").text
    record = tw.read_record(before)
    events, positions = record.events, list(record.positions())
    event = next(n for n in range(10, len(events)) if positions[n].turn == 1)
    made = stranger.post(f"/api/reviews/{played}/practice", {"event": event}).json()
    assert made["seats"] == [2]
    now = stranger.read(made["id"])
    assert now["position"] == positions[event].to_text()
    assert [seat["kind"] for seat in now["seats"]] == ["bot", "human"]
    assert now["events"][-1] == f"practice {played}"
    assert stranger.get(f"/api/tables/{made['id']}/view").json()["retry"] == {"review": played, "event": event}
    with stranger.watch(made["id"]) as line:
        state = line.hear("state")["state"]
        assert not state["takeback"], "what others played cannot be taken back"
        line.move(now["legal"][0]["number"], now["event"])
    while (now := stranger.read(made["id"], after=now["event"], wait=5))["over"] is None:
        if now["turn"] == 2:
            stranger.play(made["id"], now["legal"][0]["number"], now["event"])
    assert me.get(f"/api/tables/{made['id']}/events").json()["checked"], "the new deals are honest"
    assert reviewed(stranger, made["id"])["record"].startswith("tilewright record 1")
    assert me.get(f"/api/tables/{played}/record").text == before
    refused(me.post(f"/api/reviews/{played}/practice", {"event": 0}), 400, "no move")
    refused(me.post(f"/api/reviews/{played}/practice", {"event": 9999}), 400, "no move")


def test_reviews_are_limited_per_person(server: ThreadServer, me: Person, played: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "REVIEWS", limits.Rate(1, 0.001))
    monkeypatch.setattr(gate, "PAUSE", 0.0)
    monkeypatch.setitem(server.app.state._state, "limits", limits.Limits())
    record = me.get(f"/api/tables/{played}/record").text
    other = me.post("/api/reviews", {"record": record}).json()["id"]
    reviewed(me, played)
    refused(me.post(f"/api/reviews/{other}"), 429, "too many games")
    assert me.post(f"/api/reviews/{played}").json()["progress"] == 1, "what was made before costs nothing"


@pytest.mark.slow
def test_a_review_is_kept_and_an_interrupted_one_goes_on(process_server: ProcessServer):
    process_server.start()
    me = Person(process_server.url)
    table = me.open("me", "friend", game="azul-mini")
    me.play_out(table)
    whole = reviewed(me, table)
    record = me.get(f"/api/tables/{table}/record").text
    other = me.post("/api/reviews", {"record": record}).json()["id"]
    me.post(f"/api/reviews/{other}")
    process_server.kill()
    process_server.start()
    assert me.get(f"/api/reviews/{table}").json() == whole
    assert reviewed(me, other)["moves"] == whole["moves"]
    me.http.close()


def test_what_was_stored_of_a_review_is_where_it_goes_on(server: ThreadServer, me: Person, played: str):
    whole = reviewed(me, played)
    half = {**whole, "progress": 12 / (len(whole["expectations"]) - 1)}
    for kind in ("moves", "draws"):
        half[kind] = [{**one} for one in whole[kind] if one["event"] < 12]
    half["moves"][0]["loss"] = 0.25  # as no search would find it again
    store(server, played, half)
    assert me.get(f"/api/reviews/{played}").json()["progress"] is None, "it is not being made"
    assert me.post(f"/api/reviews/{played}").json()["progress"] == half["progress"]
    resumed = finished(me, played)
    assert resumed["moves"][0]["loss"] == 0.25
    assert resumed["moves"][1:] == whole["moves"][1:]
    store(server, played, {**half, "budget": "61"})
    assert reviewed(me, played) == whole, "with another budget it is made again"


def store(server: ThreadServer, review: str, content: dict[str, Any]) -> None:
    """Put a review into the database of a server."""

    async def write(rooms: Rooms) -> None:
        await rooms.write(lambda store: store.save_review(review, json.dumps(content)))

    server.inside_async(write)


def test_reviews_are_made_with_the_lowest_priority(monkeypatch: pytest.MonkeyPatch):
    """So that neither bots nor people wait for them."""
    monkeypatch.setenv("TILEWRIGHT_REVIEW_NICENESS", "19")
    position = tw.AzulMini().start(seed=1)
    position.push(next(iter(position.legal_moves)))

    async def priorities() -> list[int]:
        reviewer = Reviewer()
        found = []
        async for _ in reviewer.review(position.record().to_text(), "20"):
            assert reviewer._process is not None
            found.append(os.getpriority(os.PRIO_PROCESS, reviewer._process.pid))
        await reviewer.close()
        return found

    assert set(asyncio.run(priorities())) == {19}


def test_reviews_are_deleted_with_their_time(tmp_path: Path):
    store = Store(tmp_path / "tables.db")
    store.save_review("a", "{}")
    store.save_review("a", '{"record":""}')
    store.remove_reviews(time.time() - 60)
    assert store.review("a") == '{"record":""}'
    store.remove_reviews(time.time() + 60)
    assert store.review("a") is None
    store.close()
