"""The interface for programs, over real HTTP: what it does, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from people import Person
from real_server import ThreadServer, wait_until

from tilewright.cli.main import main
from tilewright.game.library import read_position
from tilewright.game.record import read_record
from tilewright.server import limits
from tilewright.server.limits import Allowed, Limits, Rate
from tilewright.server.refusals import as_sentence
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.view.language import say

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
    path = server.app.state.rooms._writer._store._connection.execute("pragma database_list").fetchone()[2]
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
    record = me.get(f"/api/tables/{table}/record", params={"language": "en"})
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
    monkeypatch.setattr("tilewright.server.room.SUBSTITUTE", "random")
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
    refused(friend.play(table, 0), 403, "turn of Ada")
    assert friend.post(f"/api/tables/{table}/return").json() == {"seats": [2]}
    refused(friend.post(f"/api/tables/{table}/return"), 403, "no bot plays for you")
    assert [seat["name"] for seat in me.read(table)["seats"]] == ["Ada", "Ana"]
    me.play_first(table)
    friend.play_first(table)


def test_the_owner_of_a_substituted_seat_has_a_rematch(
    server: ThreadServer, me: Person, friend: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tilewright.server.room.SUBSTITUTE", "random")
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


def test_names_that_nobody_typed_are_in_the_readers_language(me: Person):
    table = me.open("me", "bot", "open")
    for language, names in {
        "en": ["Player 1", "Random bot", "Free seat"],
        "fr": ["Joueur 1", "Robot au hasard", "Place libre"],
        "it": ["Giocatore 1", "Robot a caso", "Posto libero"],
    }.items():
        headers = {"Accept-Language": language}
        view = me.get(f"/api/tables/{table}/view", headers=headers).json()
        assert [seat["name"] for seat in view["seats"]] == names
        drawn = "".join(panel["svg"] for panel in view["panels"])
        assert all(name in drawn for name in names)
        listed = me.get("/api/tables", headers=headers).json()
        assert next(one["players"] for one in listed if one["id"] == table) == names
        assert names[1] in me.get(f"/api/tables/{table}/record", headers=headers).text
        home = me.get("/", headers={**headers, "Cookie": f"tilewright_key={me.key}"}).text
        assert ", ".join(names) in home


def test_a_record_proves_its_deals_when_the_game_is_over(
    server: ThreadServer, me: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    table = me.open("me", "friend", game="azul-mini")
    secret, path = secret_of(server, table), tmp_path / "game.txt"
    me.play_first(table)
    with me.watch(table) as line:
        line.send("takeback")
        line.settle()
    running = me.get(f"/api/tables/{table}/record").text
    assert secret not in running
    assert f"secret hash: {hashlib.sha256(secret.encode()).hexdigest()}" in running
    assert read_record(running).secret is None
    me.play_out(table)
    over = me.get(f"/api/tables/{table}/record").text
    assert f"secret: {secret}" in over
    assert read_record(over).follows_from_secret()
    path.write_text(over, encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    path.write_text(over.replace(f"secret: {secret}", f"secret: {secret[::-1]}"), encoding="utf-8")
    assert main(["replay", str(path)]) != 0
    assert "the secret does not give the published hash" in capsys.readouterr().err


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


def test_moves_that_arrive_while_the_disk_is_busy_share_the_next_wait(
    server: ThreadServer, person: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    """Nobody is answered before the own move is on the disk, whoever else it was written with."""
    shared: list[int] = []
    together = Store.together

    def slowly(store: Store, works: list[Callable[[Store], Any]]) -> list[Any]:
        time.sleep(0.05)
        shared.append(len(works))
        return together(store, works)

    path = server.app.state.rooms._writer._store._connection.execute("pragma database_list").fetchone()[2]
    missing: list[str] = []

    def play(someone: Person, table: str) -> None:
        for _ in range(3):
            event = someone.play_first(table)
            connection = sqlite3.connect(path)
            if connection.execute("select max(number) from events where table_id = ?", (table,)).fetchone()[0] < event:
                missing.append(table)
            connection.close()

    people = [person() for _ in range(8)]
    games = [(someone, someone.open("me", "friend")) for someone in people]
    monkeypatch.setattr(Store, "together", slowly)
    threads = [threading.Thread(target=play, args=game) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(shared) > 1
    assert missing == []
    assert all(someone.read(table)["event"] == 4 for someone, table in games)


# The home page ------------------------------------------------------------------------------------------


def home(someone: Person, language: str = "en") -> str:
    headers = {"Accept-Language": language, "Cookie": f"tilewright_key={someone.key}"}
    return someone.get("/", headers=headers).text


def in_words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_finished_games_are_listed_with_their_results(me: Person, server: ThreadServer):
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    scores = me.play_out(table)["over"]["scores"]
    names = [f"{name} {score}" for name, score in zip(("Ada", "Bob"), scores, strict=True)]
    won = names[0] if scores[0] > scores[1] else names[1]
    listed = home(me)
    assert f"★ {won}" in in_words(listed)
    assert all(name in in_words(listed) for name in names)
    assert re.search(rf'<time datetime="{datetime.now(UTC).year}-\d\d-\d\dT[\d:]+\+00:00">', listed)
    server.inside(lambda rooms: rooms._writer._store._connection.execute("update tables set result = null"))
    assert home(me) == listed, "also if an older version kept no result"


def test_running_games_are_listed_with_round_and_scores(me: Person):
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    me.open("me", "invite", game="azul-mini", names=("Waiting", ""))
    while str((now := me.read(table))["events"]).count("draw") < 2:
        me.play_first(table)
    listed = home(me, "fr")
    words = in_words(listed)
    assert f"Manche 2 Ada {now['scores'][0]}, Bob {now['scores'][1]}" in words
    assert "Mur\u202f: coloré" in listed
    assert "Waiting, Place libre" in words, "a game that has not begun has no scores"


@pytest.mark.parametrize(("language", "name"), [("en", "Player 1"), ("fr", "Joueur 1"), ("it", "Giocatore 1")])
def test_the_pictures_of_the_games_speak_the_readers_language(me: Person, language: str, name: str):
    svg = me.get("/picture/azul-mini.svg", params={"language": language}).text
    assert name in svg
    assert language == "en" or "Player" not in svg


def test_the_table_page_knows_the_address_for_friends(
    me: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "invite")
    assert 'data-network=""' in me.get(f"/t/{table}").text
    network = "http://192.168.1.7:8765/"
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, limits=0, network=network))
    assert f'data-network="{network}"' in me.get(f"/t/{table}").text


def test_a_page_opened_by_the_address_in_the_network_is_no_foreign_page(me: Person):
    table = me.open("me", "invite")
    headers = {"Host": "192.168.1.7:8765", "Origin": "http://192.168.1.7:8765"}
    assert me.post(f"/api/tables/{table}/join", {"name": "Bob"}, headers=headers).status_code == 200
    headers["Origin"] = "http://127.0.0.1:8765"
    refused(me.post(f"/api/tables/{table}/join", {"name": "Bob"}, headers=headers), 403, "another site")


# What it refuses ----------------------------------------------------------------------------------------


def test_somebody_elses_token_moves_nothing(me: Person, stranger: Person):
    table = me.open("me", "friend")
    before = me.read(table)
    move = before["legal"][0]["number"]
    assert stranger.read(table)["position"] == before["position"], "anybody may watch"
    for key in (stranger.key, None, "é" * 16, (me.key or "")[:-1], hashlib.sha256((me.key or "").encode()).hexdigest()):
        headers = {"Authorization": f"Bearer {key}".encode()} if key is not None else {}
        refused(httpx.post(f"{me.url}/api/tables/{table}/moves", json={"move": move}, headers=headers), 403, "no seat")
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
    answer = me.play(table, before["legal"][0]["number"], 1)
    refused(answer, 400, "event 1.*event 2")
    assert answer.json()["said"] == "The table has moved on: look again."
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


def strict_limits(server: ThreadServer, monkeypatch: pytest.MonkeyPatch, kind: str, allowed: Allowed) -> None:
    monkeypatch.setitem(limits.KINDS, kind, allowed)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())


SLOWLY, GENEROUS = Rate(3, 0.001), Rate(1e6, 1e6)


def test_a_flood_of_new_tables_is_stemmed(server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch):
    strict_limits(server, monkeypatch, "tables", Allowed(None, SLOWLY))
    answers = [me.post("/api/tables", wish()) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    refused(answers[-1], 429, "too many tables")


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("moves", "POST", "/api/tables/{table}/moves"),
        ("reads", "GET", "/api/tables/{table}"),
        ("views", "GET", "/api/tables/{table}/view"),
        ("replays", "GET", "/api/tables/{table}/events"),
    ],
)
def test_a_flood_of_one_key_is_stemmed_and_hits_nobody_else(
    server: ThreadServer,
    me: Person,
    stranger: Person,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    method: str,
    path: str,
):
    table = me.open("me", "friend")
    strict_limits(server, monkeypatch, kind, Allowed(SLOWLY, GENEROUS))

    def ask(person: Person) -> httpx.Response:
        return (
            person.post(path.format(table=table), {"move": "x"})
            if method == "POST"
            else person.get(path.format(table=table))
        )

    answers = [ask(me) for _ in range(5)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, False, True, True]
    refused(answers[-1], 429, "wait a moment")
    assert answers[-1].json()["code"] == "too_many_requests"
    assert answers[-1].headers["retry-after"] == "1"
    assert ask(stranger).status_code != 429


def test_who_changes_keys_meets_the_limit_of_the_address(
    server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "friend")
    strict_limits(server, monkeypatch, "views", Allowed(GENEROUS, SLOWLY))
    found = []
    for n in range(5):
        me.key = f"a key that is long enough {n}"
        found.append(me.get(f"/api/tables/{table}/view").status_code)
    assert found == [200, 200, 200, 429, 429]


def test_a_program_that_plays_ten_moves_a_second_is_not_hit(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    usual = {kind: limits.Buckets(allowed.key) for kind, allowed in limits.KINDS.items() if allowed.key}
    for _ in range(6000):
        now[0] += 0.1
        assert usual["moves"].take("me")
        assert usual["reads"].take("me")
    assert [usual["moves"].take("flood") for _ in range(100)].count(True) == limits.KINDS["moves"].key.burst


def test_the_load_of_a_benchmark_fits_the_limits_of_one_address():
    sockets = limits.Buckets(limits.KINDS["sockets"].address)
    assert all(sockets.take("127.0.0.1") for _ in range(600)), "600 sockets at once"
    moves = limits.Buckets(limits.KINDS["moves"].address)
    assert all(moves.take("127.0.0.1") for _ in range(300)), "300 games, a move a second each"


def test_quiet_ones_are_forgotten_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_KNOWN", 3)
    buckets = limits.Buckets(Rate(1, 0.0))
    assert buckets.take("flood")
    for n in range(10):
        buckets.take(f"other {n}")
        assert not buckets.take("flood")
    assert len(buckets._buckets) == 3


@pytest.mark.parametrize("key", ["x", "hunter2", "é", "0" * 15])
def test_keys_that_can_be_guessed_are_refused(me: Person, key: str):
    headers = {"Authorization": f"Bearer {key}".encode()}
    answer = httpx.post(f"{me.url}/api/tables", json=wish(), headers=headers, trust_env=False)
    refused(answer, 401, "at least 16 characters")
    assert answer.json()["code"] == "short_key"
    table = me.open("me", "open")
    refused(httpx.post(f"{me.url}/api/tables/{table}/join", json={}, headers=headers, trust_env=False), 401)
    cookie = httpx.get(f"{me.url}/", cookies={"tilewright_key": "short"}, trust_env=False)
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
        ("", wish(players="2")),
        ("", wish(players=True)),
        ("", wish(options={"jokers": 1})),
        ("", wish(clock={"minutes": "5"})),
        ("", wish(clock={"minutes": True})),
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
            "error": "it is the turn of Ada",
            "code": "not_your_turn",
            "said": as_sentence(say(language, "errors.not_your_turn", name="Ada")),
        }
        told = me.post(f"/api/tables/{table}/moves", {"move": "nonsense"}, headers=headers).json()
        assert (told["code"], told["said"]) == ("illegal_move", as_sentence(say(language, "errors.illegal_move")))
        assert "'nonsense' is no move of Azul" in told["error"]
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


def test_the_cookie_lasts_a_year_from_the_last_visit(me: Person):
    with httpx.Client(base_url=me.url, trust_env=False) as browser:
        first = browser.get("/")
        key = first.cookies["tilewright_key"]
        again = browser.get("/learn")
        assert again.cookies["tilewright_key"] == key
        assert "max-age=31536000" in again.headers["set-cookie"].lower()
    assert "set-cookie" not in me.get("/").headers or me.key is None, "a program needs no cookie"


@pytest.mark.parametrize("path", ["/", "/learn", "/t/{table}", "/api/games", "/static/table.js", "/picture/azul.svg"])
def test_headers_can_be_asked_for_alone(me: Person, path: str):
    path = path.format(table=me.open("me", "friend"))
    head, whole = me.http.head(path), me.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert me.http.head("/nothing").status_code == 404


def test_what_browsers_and_search_engines_ask_for_by_themselves(me: Person):
    icon, robots, missing = me.get("/favicon.ico"), me.get("/robots.txt"), me.get("/nothing")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert "<svg" in icon.text
    assert robots.headers["content-type"].startswith("text/plain")
    assert "Disallow: /t/" in robots.text
    assert "Allow: /" in robots.text
    for answer in (icon, robots, missing):
        assert "set-cookie" not in answer.headers


def test_the_address_that_somebody_claims_is_not_repeated(me: Person):
    headers = {**me.headers, "Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    made = httpx.post(f"{me.url}/api/tables", json=wish(), headers=headers, trust_env=False)
    assert made.status_code == 201
    assert "evil" not in made.text + str(made.headers)
    assert "secure" not in made.headers.get("set-cookie", "").lower()


def test_pictures_differ_by_language_and_theme_and_say_so(me: Person):
    answers = [me.get("/picture/azul.svg", params={"language": "fr", "theme": theme}) for theme in ("light", "dark")]
    assert answers[0].text != answers[1].text
    for answer in answers:
        assert {"Cookie", "Accept-Language"} <= set(re.split(", ?", answer.headers["vary"]))
        assert answer.headers["cache-control"] == "private, max-age=3600"
    assert me.get("/picture/azul.svg?theme=pink").status_code == 404


# What is described --------------------------------------------------------------------------------------


def test_the_description_is_enough_to_write_a_program(me: Person):
    schema = me.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for call in methods.values():
            assert call["summary"]
            assert call["description"]
            assert call["responses"]["429"], path
            for parameter in call.get("parameters", []):
                assert parameter.get("description") or parameter["name"] == "rules", (path, parameter["name"])
    for name in ("TableWish", "JoinWish", "MoveWish"):
        assert schema["components"]["schemas"][name]["example"]
    for kind in ("state", "event", "presence", "ask", "return", "takeback", "answer"):
        assert f"`{kind}`" in schema["info"]["description"] or f'"{kind}"' in schema["info"]["description"]


def test_the_page_for_programs_shows_no_raw_markup(me: Person):
    page = me.get("/api").text
    shown = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "`" not in shown
    assert "**" not in shown
    assert "<table>" in shown
    assert "POST</b> /api/tables/{table_id}/moves" in shown


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
    path = server.app.state.rooms._writer._store._connection.execute("pragma database_list").fetchone()[2]
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
