"""The home page and its pictures, and the table page's address for friends."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from people import Person, refused
from real_server import ThreadServer

from tilewright.server.settings import Settings

pytestmark = pytest.mark.usefixtures("unhurt")


def home(someone: Person, language: str = "en") -> str:
    headers = {"Accept-Language": language, "Cookie": f"tilewright_key={someone.key}"}
    return someone.get("/", headers=headers).text


def in_words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_finished_games_are_listed_with_their_results(me: Person):
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    scores = me.play_out(table)["over"]["scores"]
    names = [f"{name} {score}" for name, score in zip(("Ada", "Bob"), scores, strict=True)]
    won = names[0] if scores[0] > scores[1] else names[1]
    listed = home(me)
    assert f"★ {won}" in in_words(listed)
    assert all(name in in_words(listed) for name in names)
    assert re.search(rf'<time datetime="{datetime.now(UTC).year}-\d\d-\d\dT[\d:]+\+00:00">', listed)


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
    refused(me.post(f"/api/tables/{table}/join", {"name": "Bob"}, headers=headers), 403, "other sites")
