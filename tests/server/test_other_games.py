"""Tables of a game from another package: one without draws, which is removed from the machine later."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from people import GAMES, Person, begin, people_at, refused
from real_server import ProcessServer

from installing import describe, with_game
from tilewright.game.record import FIRST_LINE

MISSING = {
    "en": "a table of the game nim, which is not installed on this server; once the host has installed its package",
    "fr": "celle du jeu nim, qui n’est pas installé sur ce serveur\N{NO-BREAK SPACE}; quand l’hôte aura",
    "it": "un tavolo del gioco nim, che non è installato su questo server; quando chi lo gestisce avrà reinstallato",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder on the path of the servers, with the package of Nim."""
    folder = tmp_path / "site"
    folder.mkdir()
    describe(folder, "nim", "nim:Nim")
    return folder


@pytest.fixture
def server(process_server: ProcessServer, site: Path, monkeypatch: pytest.MonkeyPatch) -> ProcessServer:
    """A server that knows Nim."""
    monkeypatch.setenv("PYTHONPATH", with_game(site)["PYTHONPATH"])
    return process_server.start()


@pytest.fixture
def me(server: ProcessServer) -> Iterator[Person]:
    with people_at(server.url) as make:
        yield make()


def listed_at_home(me: Person, *tables: str) -> set[str]:
    """Those of some tables that the home page links to."""
    page = me.get("/")
    assert page.status_code == 200
    return {table for table in tables if f"/t/{table}" in page.text}


def test_a_game_without_draws_is_played_taken_back_and_kept(server: ProcessServer, me: Person):
    table = me.open("me", "friend", game="nim", names=("Ada", "Bob"))
    now = me.read(table)
    assert (now["event"], now["turn"]) == (0, 1)
    assert [move["text"] for move in now["legal"]] == ["take 1", "take 2", "take 3"]
    for event, move in enumerate(["take 3", "take 3", "take 1"]):
        assert me.play(table, move, event).json() == {"event": event + 1}
    with me.watch(table) as line:
        begin(line)
        line.send("takeback")
        assert begin(line)["turn"] == 1
    server.kill()
    server.start()
    now = me.read(table)
    assert now["turn"] == 1
    for move in ("take 1", "take 3"):
        now = {"event": me.play(table, move, now["event"]).json()["event"]}
    over = me.read(table)["over"]
    assert (over["winners"], over["result"]) == ([2], "Bob wins 100000-0")
    events = me.get(f"/api/tables/{table}/events").json()
    assert events["checked"] is True, "no draw, so none can be dishonest"
    record = me.get(f"/api/tables/{table}/record").text.splitlines()
    assert record[0] == FIRST_LINE
    assert record[-4:] == ["1 take 3", "2 take 3", "1 take 1", "2 take 3"]


def test_lists_leave_out_tables_of_games_that_are_no_longer_installed(server: ProcessServer, me: Person, site: Path):
    gone = {
        "open": me.open("me", "open", game="nim"),
        "mine": me.open("me", "friend", game="nim"),
        "finished": me.open("me", "friend", game="nim"),
    }
    kept = me.open("me", "open", game="azul")
    me.play_out(gone["finished"])
    assert {table["id"] for table in me.get("/api/tables").json()} == {gone["open"], kept}
    assert listed_at_home(me, kept, *gone.values()) == {*gone.values(), kept}
    server.stop()
    shutil.move(site, away := site.with_name("away"))
    server.start()
    assert [game["name"] for game in me.get("/api/games").json()] == GAMES
    assert [table["id"] for table in me.get("/api/tables").json()] == [kept]
    assert listed_at_home(me, kept, *gone.values()) == {kept}
    for table in gone.values():
        answer = me.get(f"/api/tables/{table}")
        refused(answer, 503, "unknown game 'nim'; the games are azul, azul-mini")
        assert answer.json()["code"] == "game_missing"
        for language, words in MISSING.items():
            page = me.get(f"/t/{table}", headers={"Accept": "text/html", "Accept-Language": language})
            assert page.status_code == 503
            assert words in page.text
        with me.watch(table) as line:
            told = line.hear("error")
            assert (told["code"], told["said"]) == ("game_missing", answer.json()["said"])
    assert me.read(kept)["game"] == "azul"
    server.stop()
    shutil.move(away, site)
    server.start()
    assert me.read(gone["mine"])["turn"] == 1
    assert me.read(gone["finished"])["over"]["result"]
