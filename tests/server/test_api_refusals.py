"""The interface for programs: what it refuses, and that nothing has changed then."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from people import DIRECT, Person, refused, table_request

import tilewright as tw
from tilewright.server.errors import as_sentence, error_body
from tilewright.view.language import say

pytestmark = pytest.mark.usefixtures("unhurt")


def test_somebody_elses_token_moves_nothing(me: Person, stranger: Person):
    table = me.open("me", "friend")
    before = me.read(table)
    move = before["legal"][0]["number"]
    assert stranger.read(table)["position"] == before["position"], "anybody may watch"
    for key in (stranger.key, None, "é" * 16, (me.key or "")[:-1], hashlib.sha256((me.key or "").encode()).hexdigest()):
        headers = {"Authorization": f"Bearer {key}".encode()} if key is not None else {}
        address = f"{me.url}/api/tables/{table}/moves"
        answer = httpx.post(address, json={"move": move}, headers=headers, **DIRECT)
        refused(answer, 403, "no seat")
    assert me.read(table) == before


def test_the_wrong_seat_moves_nothing(me: Person, friend: Person):
    table = me.open("me", "invite")
    friend.join(table)
    before = friend.read(table)
    refused(friend.play(table, before["legal"][0]["number"], 1), 403, "’s turn")
    assert friend.read(table) == before


def test_a_stale_move_is_refused(me: Person):
    table = me.open("me", "friend")
    me.play_first(table)
    before = me.read(table)
    answer = me.play(table, before["legal"][0]["number"], 1)
    refused(answer, 400, "event 1.*event 2")
    assert answer.json()["said"] == "The game has moved on: take another look."
    assert me.read(table) == before


def test_the_same_move_twice_is_played_once(me: Person, stranger: Person):
    """By two tabs, or by a program that lost the answer."""
    table = me.open("me", "friend")
    move = me.read(table)["legal"][0]
    assert me.play(table, move["number"], 1).json() == {"event": 2}
    before = me.read(table)
    assert me.play(table, move["number"], 1).json() == {"event": 2}
    assert me.play(table, move["text"], 1).json() == {"event": 2}
    refused(stranger.play(table, move["number"], 1), 403, "no seat")
    assert me.read(table) == before


@pytest.mark.parametrize("move", [-1, 99999, 10**25, "", "nonsense", "f9 blue 9", "x" * 3000])
def test_an_illegal_move_is_refused(me: Person, move: int | str):
    table = me.open("me", "friend")
    before = me.read(table)
    answer = me.play(table, move, 1)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]
    assert answer.status_code == 422 or answer.json()["code"] == "unreadable_move"
    assert me.read(table) == before


def test_moves_are_refused_with_the_code_that_says_why(me: Person):
    table = me.open("me", "friend", options={"wall": "coloured", "jokers": True})
    game = tw.Azul(players=2, jokers=True)
    position = game.position(me.read(table)["position"])
    illegal = next(move for move in game.moves if move not in position.legal_moves)
    assert me.play(table, int(illegal), 1).json()["code"] == "illegal_move"
    assert me.play(table, "zz", 1).json()["code"] == "unreadable_move"
    with pytest.raises(tw.AmbiguousMove) as ambiguous:
        game.move("1bj2")
    assert error_body(ambiguous.value, "fr")["code"] == "ambiguous_move"


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
        answer = httpx.post(me.url + path, content=body, headers=headers, **DIRECT)
        assert answer.status_code in (400, 403, 422), answer.text
        assert answer.json()["error"]
    assert me.read(table) == before


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"players": x}', "expecting value, at line 1, column 13"),
        (b"{\n]", "expecting property name .*, at line 2, column 1"),
        (b'{"game": "\xe9"}', "byte 11 is not UTF-8"),
        (b"[" * 8000, "it is nested too deeply"),
        (b'{"players": ' + b"9" * 5000 + b"}", "a number in it has too many digits"),
    ],
)
def test_a_body_that_is_not_json_is_told_why(me: Person, body: bytes, reason: str):
    headers = {**me.headers, "Content-Type": "application/json"}
    answer = httpx.post(f"{me.url}/api/tables", content=body, headers=headers, **DIRECT)
    refused(answer, 422, f"^the body is not valid JSON: {reason}$")
    assert answer.json()["code"] == "unclear"


@pytest.mark.parametrize("kind", [None, "application/x-www-form-urlencoded", "text/plain"])
def test_a_body_whose_type_is_not_named_is_told_which_header_is_missing(me: Person, kind: str | None):
    table = me.open("me", "friend")
    headers = {**me.headers, **({"Content-Type": kind} if kind else {})}
    for path in ("/api/tables", f"/api/tables/{table}/join", f"/api/tables/{table}/moves"):
        answer = httpx.post(me.url + path, content=b"{}", headers=headers, **DIRECT)
        refused(answer, 422, "needs the header Content-Type: application/json")


@pytest.mark.parametrize(
    "wrong",
    [
        table_request(game="chess"),
        table_request(players=1),
        table_request(players=5),
        table_request(players=3),
        table_request(seats=[]),
        table_request(seats=[{"kind": "king"}, {"kind": "me"}]),
        table_request(seats=[{"kind": "bot", "bot": "nobody"}, {"kind": "me"}]),
        table_request(seats=[{"kind": "me", "name": "x" * 201}, {"kind": "me"}]),
        table_request(options={"wall": "golden"}),
        table_request(options={"wall": True}),
        table_request(options={"jokers": "yes"}),
        table_request(options={"gravity": True}),
        table_request(options={"players": "2"}),
        table_request(options={"name": "azul"}),
        table_request(options={"": ""}),
        table_request(clock={"minutes": 0}),
        table_request(clock={"minutes": 1e9}),
        table_request(clock={"minutes": 5, "increment": -1}),
        table_request(secret="00"),
        table_request(seed=1),
    ],
    ids=lambda wrong: json.dumps({k: v for k, v in wrong.items() if v != table_request().get(k)})[:60],
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
    refused(httpx.post(path, content=giant, headers=me.headers, **DIRECT), 413, "at most")
    try:
        answer = httpx.post(path, content=pieces(), headers=me.headers, **DIRECT)
        assert answer.status_code in (400, 413)
    except httpx.TransportError:
        pass  # the server may also hang up in the middle
    assert me.read(table) == before


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_foreign_origins_are_refused(me: Person, origin: str):
    table = me.open("me", "friend")
    before = me.read(table)
    headers = {"Origin": origin}
    refused(me.post(f"/api/tables/{table}/moves", {"move": 0}, headers=headers), 403, "other sites")
    refused(me.post("/api/tables", table_request(), headers=headers), 403, "other sites")
    assert "access-control-allow-origin" not in me.get("/api/games", headers=headers).headers
    assert me.read(table) == before
    assert me.post("/api/tables", table_request(), headers={"Origin": me.url}).status_code == 201


@pytest.mark.parametrize("key", ["x", "hunter2", "é", "0" * 15])
def test_keys_that_can_be_guessed_are_refused(me: Person, key: str):
    headers = {"Authorization": f"Bearer {key}".encode()}
    answer = httpx.post(f"{me.url}/api/tables", json=table_request(), headers=headers, **DIRECT)
    refused(answer, 401, "at least 16 characters")
    assert answer.json()["code"] == "short_key"
    table = me.open("me", "open")
    refused(
        httpx.post(f"{me.url}/api/tables/{table}/join", json={}, headers=headers, **DIRECT),
        401,
    )
    cookie = httpx.get(f"{me.url}/", cookies={"tilewright_key": "short"}, **DIRECT)
    assert len(cookie.cookies["tilewright_key"]) >= 24, "a browser with such a cookie is given a good one"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("moves", {"move": True}),
        ("moves", {"move": 1.0}),
        ("moves", {"move": 1, "after": True}),
        ("moves", {"move": 1, "after": "1"}),
        ("join", {"seat": True}),
        ("join", {"seat": "1"}),
        ("", table_request(players="2")),
        ("", table_request(players=True)),
        ("", table_request(options={"jokers": 1})),
        ("", table_request(clock={"minutes": "5"})),
        ("", table_request(clock={"minutes": True})),
    ],
)
def test_nothing_is_taken_for_what_it_is_not(me: Person, path: str, body: dict[str, Any]):
    table = me.open("me", "friend")
    answer = me.post(f"/api/tables/{table}/{path}" if path else "/api/tables", body)
    refused(answer, 422)
    assert me.read(table)["event"] == 1


def test_a_refusal_has_a_code_and_is_said_in_the_readers_language(me: Person, friend: Person):
    table = me.open("me", "invite", names=("Ada", ""))
    friend.join(table)
    for language in ("en", "fr", "it"):
        headers = {"Accept-Language": language}
        told = friend.post(f"/api/tables/{table}/moves", {"move": 0}, headers=headers).json()
        assert told == {
            "error": "it is Ada’s turn",
            "code": "not_your_turn",
            "said": as_sentence(say(language, "errors.not_your_turn", name="Ada")),
        }
        told = me.post(f"/api/tables/{table}/moves", {"move": "nonsense"}, headers=headers).json()
        assert (told["code"], told["said"]) == ("unreadable_move", as_sentence(say(language, "errors.unreadable_move")))
        assert "'nonsense' is not a move of Azul" in told["error"]
        told = me.get("/api/tables/" + "0" * 20, headers=headers).json()
        assert told["said"] == as_sentence(say(language, "errors.no_table"))
        assert me.get("/api/nothing", headers=headers).json()["code"] == "not_found"


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
