"""The interface for programs, over real HTTP: what it does, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from people import Person
from real_server import ThreadServer

from tilewright.game.library import read_position
from tilewright.game.record import read_record
from tilewright.server import api
from tilewright.server.web import Buckets

GAMES = ["azul", "azul-mini", "summer-pavilion"]
TWO = [{"kind": "me"}, {"kind": "friend"}]


@pytest.fixture(autouse=True)
def unhurt(server: ThreadServer, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After whatever was sent: the server answers, and nothing went wrong inside it."""
    with caplog.at_level(logging.WARNING):
        yield
    assert httpx.get(f"{server.url}/api/games", trust_env=False).status_code == 200
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def refused(answer: httpx.Response, status: int, words: str = "") -> None:
    assert answer.status_code == status, answer.text
    assert re.search(words, answer.json()["error"])


def secret_of(server: ThreadServer, table: str) -> str:
    path = server.app.state.rooms._store._connection.execute("pragma database_list").fetchone()[2]
    connection = sqlite3.connect(path)
    found = connection.execute("select secret from tables where id = ?", (table,)).fetchone()[0]
    connection.close()
    return str(found)


# What it does -------------------------------------------------------------------------------------------


def test_the_games_and_their_options(me: Person):
    found = {game["name"]: game for game in me.get("/api/games").json()}
    assert list(found) == GAMES
    assert found["azul"]["options"] == {"wall": ["coloured", "grey"], "jokers": [False, True]}
    assert found["summer-pavilion"]["options"] == {"side": ["coloured", "grey"]}
    assert "random" in found["azul"]["bots"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_every_game_can_be_opened_and_begun(me: Person, game: str, players: int):
    table = me.open(*["me"] * players, game=game)
    now = me.read(table)
    assert (now["game"], now["players"], now["event"], now["turn"]) == (game, players, 1, 1)
    assert [seat["you"] for seat in now["seats"]] == [True] * players
    assert me.play_first(table) == 2
    assert me.read(table)["turn"] in range(1, players + 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_and_its_record(me: Person, game: str):
    table = me.open("me", "friend", game=game, names=("Ada", "Bob"))
    assert me.get(f"/api/tables/{table}/events").json()["seed"] is None
    now = me.play_out(table)
    assert now["turn"] is None
    assert now["legal"] == []
    assert now["over"]["scores"] == now["scores"]
    assert [sum(points.values()) for points in now["over"]["points"]] == now["scores"]
    record = me.get(f"/api/tables/{table}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert "attachment" in record.headers["content-disposition"]
    final = read_record(record.text).replay()
    assert final.to_text() == now["position"]
    assert list(final.scores) == now["scores"]
    assert "Ada" in record.text
    replay = me.get(f"/api/tables/{table}/events").json()
    assert replay["checked"] is True
    assert len(replay["events"]) == now["event"] + 1
    assert replay["events"][-1]["scores"] == now["scores"]
    refused(me.play(table, 0, now["event"]), 400, "over")


def test_a_position_can_be_read_and_a_text_played(me: Person):
    table = me.open("me", "friend")
    now = me.read(table)
    position = read_position(now["position"])
    assert [str(move) for move in position.legal_moves] == [move["text"] for move in now["legal"]]
    text = now["legal"][-1]["text"]
    assert me.play(table, text, 1).json() == {"event": 2}
    after = me.read(table, after=1)
    assert after["events"] == [f"1 {text}"]
    position.push(text)
    assert position.to_text() == after["position"]


def test_an_invited_friend_joins_and_both_play(me: Person, friend: Person):
    table = me.open("me", "invite", names=("Ada", ""))
    refused(me.play(table, me.read(table)["legal"][0]["number"], 1), 403, "every seat")
    assert friend.join(table, "Bob") == 2
    assert friend.key
    assert friend.key != me.key
    assert [seat["name"] for seat in me.read(table)["seats"]] == ["Ada", "Bob"]
    assert me.play_first(table) == 2
    assert friend.play_first(table) == 3


def test_open_tables_are_listed_until_they_are_full(me: Person, friend: Person):
    table = me.open("me", "open")
    hidden = me.open("me", "invite")
    listed = [one["id"] for one in me.get("/api/tables").json()]
    assert table in listed
    assert hidden not in listed
    friend.join(table)
    assert table not in [one["id"] for one in me.get("/api/tables").json()]


def test_a_bot_answers_and_the_answer_can_be_waited_for(me: Person):
    table = me.open("me", "bot")
    event = me.play_first(table)
    now = me.read(table, after=event, wait=25)
    while now["event"] == event:
        now = me.read(table, after=event, wait=25)
    assert now["events"][0].startswith("2 ")


def test_a_rematch_seats_everybody_one_further_on(me: Person, friend: Person, stranger: Person):
    table = me.open("me", "invite", game="azul-mini", names=("Ada", ""))
    friend.join(table, "Bob")
    refused(me.post(f"/api/tables/{table}/rematch"), 403, "goes on")
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    refused(stranger.post(f"/api/tables/{table}/rematch"), 403, "only players")
    mine = me.post(f"/api/tables/{table}/rematch").json()
    theirs = friend.post(f"/api/tables/{table}/rematch").json()
    assert mine["id"] == theirs["id"] != table
    assert (mine["seats"], theirs["seats"]) == ([2], [1])
    again = me.read(mine["id"])
    assert [seat["name"] for seat in again["seats"]] == ["Bob", "Ada"]
    assert again["seed_hash"] != now["seed_hash"]
    assert friend.play_first(mine["id"]) == 2


@pytest.mark.parametrize("game", GAMES)
def test_what_a_viewer_needs(me: Person, stranger: Person, game: str):
    table = me.open("me", "friend", game=game, names=("<b>Ada</b>&", "Bob"))
    view = me.get(f"/api/tables/{table}/view").json()
    paths = me.get(view["paths"]).json()
    assert {panel["name"] for panel in view["panels"]} == {"market", "player-1", "player-2"}
    assert "<b>Ada" not in json.dumps(view["panels"]), "a name is never markup"
    drawn = "".join(panel["svg"] for panel in view["panels"])
    slots, places = (set(re.findall(f'data-{kind}="([^"]+)"', drawn)) for kind in ("slot", "place"))
    assert set(view["state"]["scene"]["tiles"]) <= slots
    for number in view["state"]["legal"]:
        for spot in paths[number]["spots"]:
            spot = spot.replace("@", "p1")
            found = f'data-spot="{spot}"' in drawn or spot.rpartition("-")[0] in places or spot in view["buttons"]
            assert found, f"{spot} is nowhere"
    assert stranger.get(f"/api/tables/{table}/view").json()["state"]["legal"] == []


def test_texts_come_in_the_language_that_is_asked_for(me: Person):
    table = me.open("me", "friend")
    me.play_first(table)
    texts = set()
    for language in ("en", "fr", "it"):
        view = me.get(f"/api/tables/{table}/view", headers={"Accept-Language": language}).json()
        texts.add(view["state"]["log"][-1]["text"])
        assert view == me.get(f"/api/tables/{table}/view?language={language}").json()
    assert len(texts) == 3


# What it refuses ----------------------------------------------------------------------------------------


def test_somebody_elses_token_moves_nothing(me: Person, stranger: Person):
    table = me.open("me", "friend")
    before = me.read(table)
    move = before["legal"][0]["number"]
    assert stranger.read(table)["position"] == before["position"], "anybody may watch"
    for key in (stranger.key, None, "x", "é", (me.key or "")[:-1], hashlib.sha256((me.key or "").encode()).hexdigest()):
        headers = {"Authorization": f"Bearer {key}".encode()} if key is not None else {}
        refused(httpx.post(f"{me.url}/api/tables/{table}/moves", json={"move": move}, headers=headers), 403, "turn of")
    assert me.read(table) == before


def test_the_wrong_seat_moves_nothing(me: Person, friend: Person):
    table = me.open("me", "invite")
    friend.join(table)
    before = friend.read(table)
    refused(friend.play(table, before["legal"][0]["number"], 1), 403, "turn of")
    assert friend.read(table) == before


def test_a_stale_move_is_refused(me: Person):
    table = me.open("me", "friend")
    me.play_first(table)
    before = me.read(table)
    refused(me.play(table, before["legal"][0]["number"], 1), 400, "event 1.*event 2")
    assert me.read(table) == before


@pytest.mark.parametrize("move", [-1, 99999, 10**25, "", "nonsense", "f9 blue 9", "x" * 3000])
def test_an_illegal_move_is_refused(me: Person, move: int | str):
    table = me.open("me", "friend")
    before = me.read(table)
    answer = me.play(table, move, 1)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]
    assert me.read(table) == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"move": null}',
        b'{"move": true}',
        b'{"move": 1.5}',
        b'{"move": [1]}',
        b'{"move": 1, "after": "x"}',
        b'{"move": 1, "after": -1}',
        b'{"move": 1, "seat": 1}',
        b'{"move": "\\ud800"}',
        b'{"move": ' + b"9" * 5000 + b"}",
        b"[" * 8000,
        b'{"move": NaN}',
    ],
)
def test_malformed_bodies_are_refused(me: Person, body: bytes):
    table = me.open("me", "friend")
    before = me.read(table)
    for path in (f"/api/tables/{table}/moves", f"/api/tables/{table}/join", "/api/tables"):
        headers = {**me.headers, "Content-Type": "application/json"}
        answer = httpx.post(me.url + path, content=body, headers=headers, trust_env=False)
        assert answer.status_code in (400, 403, 422), answer.text
        assert answer.json()["error"]
    assert me.read(table) == before


def wish(**changes: Any) -> dict[str, Any]:
    return {"game": "azul", "players": 2, "seats": TWO, **changes}


@pytest.mark.parametrize(
    "wrong",
    [
        wish(game="chess"),
        wish(players=1),
        wish(players=5),
        wish(players=3),
        wish(seats=[]),
        wish(seats=[{"kind": "king"}, {"kind": "me"}]),
        wish(seats=[{"kind": "bot", "bot": "nobody"}, {"kind": "me"}]),
        wish(seats=[{"kind": "me", "name": "x" * 201}, {"kind": "me"}]),
        wish(options={"wall": "golden"}),
        wish(options={"wall": True}),
        wish(options={"jokers": "yes"}),
        wish(options={"gravity": True}),
        wish(options={"players": "2"}),
        wish(options={"name": "azul"}),
        wish(options={"": ""}),
        wish(clock={"minutes": 0}),
        wish(clock={"minutes": 1e9}),
        wish(clock={"minutes": 5, "increment": -1}),
        wish(secret="00"),
        wish(seed=1),
    ],
    ids=lambda wrong: json.dumps({k: v for k, v in wrong.items() if v != wish().get(k)})[:60],
)
def test_tables_that_cannot_be_are_refused(me: Person, wrong: dict[str, Any]):
    answer = me.post("/api/tables", wrong)
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]


def test_giant_bodies_are_refused(me: Person):
    table = me.open("me", "friend")
    before = me.read(table)
    giant = b'{"move": "' + b"x" * 5_000_000 + b'"}'

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(giant), 65536):
            yield giant[start : start + 65536]

    path = f"{me.url}/api/tables/{table}/moves"
    refused(httpx.post(path, content=giant, headers=me.headers, trust_env=False), 413, "at most")
    try:
        answer = httpx.post(path, content=pieces(), headers=me.headers, trust_env=False)
        assert answer.status_code in (400, 413)
    except httpx.TransportError:
        pass  # the server may also hang up in the middle
    assert me.read(table) == before


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_foreign_origins_are_refused(me: Person, origin: str):
    table = me.open("me", "friend")
    before = me.read(table)
    headers = {"Origin": origin}
    refused(me.post(f"/api/tables/{table}/moves", {"move": 0}, headers=headers), 403, "another site")
    refused(me.post("/api/tables", wish(), headers=headers), 403, "another site")
    assert "access-control-allow-origin" not in me.get("/api/games", headers=headers).headers
    assert me.read(table) == before
    assert me.post("/api/tables", wish(), headers={"Origin": me.url}).status_code == 201


def test_a_flood_of_new_tables_is_stemmed(me: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api, "_creations", Buckets(burst=3, rate=0.001))
    answers = [me.post("/api/tables", wish()) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    refused(answers[-1], 429, "too many")


@pytest.mark.parametrize("table", ["0" * 20, "x", "../../etc/passwd", "0" * 5000, "%00", "'; drop table tables"])
def test_tables_that_are_not_there(me: Person, table: str):
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/view", f"/api/tables/{table}/record"):
        assert me.get(path).status_code in (404, 422)
    page = me.get(f"/t/{table}")
    assert page.status_code in (404, 422)


def test_wrong_methods_and_addresses(me: Person):
    assert me.get("/api/nothing").status_code == 404
    refused(me.get("/api/nothing"), 404)
    assert me.http.delete("/api/games").status_code == 405
    assert me.get("/static/../app.py").status_code == 404
    assert me.get("/static/%2e%2e/app.py").status_code == 404
    assert me.get("/picture/nothing.svg").status_code == 404
    assert me.get("/api/paths/nothing").status_code == 404
    assert "html" in me.get("/nothing").headers["content-type"]


# What browsers obey -------------------------------------------------------------------------------------

PAGES = ["/", "/api", "/learn", "/t/{table}", "/t/{table}/replay", "/nothing"]


@pytest.mark.parametrize("path", [*PAGES, "/api/games", "/static/table.js", "/picture/azul.svg"])
def test_every_answer_carries_the_security_headers(me: Person, path: str):
    table = me.open("me", "friend")
    answer = me.get(path.format(table=table))
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["script-src"] == "'self'"
    assert policy["object-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_script_or_style(me: Person, path: str):
    page = me.get(path.format(table=me.open("me", "friend"))).text
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert 'type="application/json"' in attributes or ("src=" in attributes and not body.strip())
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(me: Person):
    me.key = None
    page = me.get("/")
    cookie = page.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    value = page.cookies["tilewright_key"]
    assert len(value) >= 24
    assert value not in page.text
    made = httpx.post(f"{me.url}/api/tables", json=wish(), trust_env=False)
    assert "httponly" in made.headers["set-cookie"].lower()
    assert made.json()["key"] == made.cookies["tilewright_key"]
    again = httpx.post(f"{me.url}/api/tables", json=wish(), cookies=dict(made.cookies), trust_env=False)
    assert again.json()["key"] is None, "a key is told once"
    assert "set-cookie" not in again.headers


# What stays secret --------------------------------------------------------------------------------------


def everything(person: Person, table: str) -> str:
    """All that the server tells anybody about a table."""
    paths = [f"/api/tables/{table}{part}" for part in ("", "/view", "/events", "/record")]
    paths += [f"/t/{table}", f"/t/{table}/replay", "/", "/api/tables"]
    answers = [person.get(path) for path in paths]
    return "".join(answer.text + str(answer.headers) for answer in answers)


def test_the_seed_is_told_at_the_end_and_never_before(
    server: ThreadServer, me: Person, stranger: Person, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    for client in ("httpx", "httpcore"):  # the client's own log may say what it was told
        caplog.set_level(logging.CRITICAL, logger=client)
    table = me.open("me", "friend", game="azul-mini")
    secret = secret_of(server, table)
    said = me.read(table)["seed_hash"]
    assert said == hashlib.sha256(secret.encode()).hexdigest()
    for _ in range(3):
        assert secret not in everything(me, table)
        assert secret not in everything(stranger, table)
        me.play_first(table)
    me.play(table, "nonsense")
    assert secret not in caplog.text
    now = me.play_out(table)
    assert now["over"]["seed"] == secret
    assert now["seed_hash"] == said
    replay = me.get(f"/api/tables/{table}/events").json()
    assert (replay["seed"], replay["seed_hash"], replay["checked"]) == (secret, said, True)
    assert secret not in caplog.text
    assert me.key
    assert me.key not in caplog.text


def test_keys_are_told_to_nobody_and_kept_as_hashes(server: ThreadServer, me: Person, stranger: Person):
    table = me.open("me", "friend")
    assert me.key
    told = everything(stranger, table) + everything(me, table)
    assert me.key not in told
    assert hashlib.sha256(me.key.encode()).hexdigest() not in told
    path = server.app.state.rooms._store._connection.execute("pragma database_list").fetchone()[2]
    connection = sqlite3.connect(path)
    kept = "".join(connection.iterdump())
    connection.close()
    assert me.key not in kept


def test_a_client_cannot_choose_the_deal(person: Callable[[], Person]):
    deals = set()
    for _ in range(8):
        someone = person()
        deals.add(someone.read(someone.open("me", "friend"))["events"][0])
    assert len(deals) == 8
